"""Dialogs: generate a workload, read an import report, look up shortcuts, about Slotscope."""
