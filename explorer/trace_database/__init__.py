"""The windows of the trace library: templates, runs and their comparison.

Reads and writes in workers.
No SQL belongs here.
"""
