"""Workloads drawn from a seed: families, distributions, deadlines, scaling.

Same parameters and seed, same workload.
Nothing here runs or reads a workload.
"""
