"""The windows of the trace library: templates, runs and their comparison.

Reads and writes in workers.
There is no SQL here.
"""
