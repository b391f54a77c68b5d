"""Readers of real logs: one format per file.

A new format is one file that offers a `Reader` (see `core.traces.reader`) and one line in
`core.traces.open_trace.READERS`.
"""
