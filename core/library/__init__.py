"""The trace library: job templates of many logs in one SQLite database (the trace database of 001 III.A)."""
