"""The window of the trace library: search, import, compare runs, drag templates into the workload."""
