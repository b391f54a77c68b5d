"""The window of shared scans: who scans what together, and when.

Works on a run of the fluid model.
There is no chart of slots here.
"""
