"""Slotscope's core: workloads, the simulator, policies and what follows from a schedule; no Qt."""

MARKER = "slotscope-core"
"""Tells this package from another one that also calls itself `core`; see `explorer.__main__`."""
