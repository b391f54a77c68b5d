"""Simulating beside the window: requests, cache of outcomes, compiling at the first start.

The latest request wins; stale answers are dropped.
No widget belongs here.
"""
