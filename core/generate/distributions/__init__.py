"""Distributions of durations: fitted to samples, ranked, drawn from.

scipy fits, numpy draws.
Nothing here knows of jobs or clusters.
"""
