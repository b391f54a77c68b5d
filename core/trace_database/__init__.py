"""The library of job templates and runs, in SQLite, with its schema in numbered steps.

Several programs may use one database at once.
No log format and no window belongs here.
"""
