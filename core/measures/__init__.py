"""Figures of workloads and schedules: metrics, comparison, lateness, distances.

Pure functions of a workload, a cluster or a finished schedule.
Nothing here explains or changes one.
"""
