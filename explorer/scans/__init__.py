"""The window of shared scans: which jobs scan what together, and when.

Works on a run of the fluid model.
No chart of slots belongs here.
"""
