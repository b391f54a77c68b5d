"""Shared scans (003): jobs that read the same dataset read it together."""
