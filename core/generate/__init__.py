"""Workload families: each file draws one family of the literature from a seed."""
