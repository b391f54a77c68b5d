"""Scenarios against the baseline: bars, a table and curves, all of them exportable."""
