"""Workload and session documents, and exports of tables."""
