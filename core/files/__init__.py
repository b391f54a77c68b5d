"""Documents, exports and samples: what is read from and written to disk.

Bad input is refused with all its problems, each with its place; writing is atomic.
Logs of clusters are read in `core.logs`.
"""
