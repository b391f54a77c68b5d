"""The keys of the comparison, for the list of shortcuts: (where, keys, what they do)."""

from __future__ import annotations

KEY_HELP: tuple[tuple[str, str, str], ...] = (
    ("Comparison", "Ctrl+Tab", "Go to the next comparison"),
    ("Comparison", "Up, Down", "Makespans and metrics: make another scenario the active one"),
    ("Comparison", "Left, Right", "Jobs: select the job of the next bar"),
    ("Comparison", "Wheel, drag, double click", "Slots in use: zoom, pan, show everything"),
)
