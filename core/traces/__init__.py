"""Readers of real logs: one format per file."""
