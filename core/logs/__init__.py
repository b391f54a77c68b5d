"""Logs of real clusters, one format per file: each ends in a `Reader` (see `core.logs.reader`).

A new format is one file and one line in `core.logs.readers.READERS`.
Nothing here runs a workload, and no document of ours.
"""
