"""Documents, exports and samples: what is read from and written to disk.

How a class stands in documents is declared once, as a `core.files.forms.Form`, for reading and writing.
Bad input is refused with all its problems, each with its place; writing is atomic.
Logs of clusters are read in `core.logs`.
"""
