"""Distributions of durations: their names, how they are drawn, and how well they fit recorded ones."""
