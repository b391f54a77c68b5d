"""The keys of time travel in a chart: for the chart's shortcuts and for the list of all keys."""

from __future__ import annotations

from typing import NamedTuple


class ChartKey(NamedTuple):
    """A key that acts while a chart has the focus, and the action that it triggers."""

    key: str
    action: str
    does: str


CHART_KEYS = (
    ChartKey("Space", "play", "Let the time cursor run, or stand still"),
    ChartKey(",", "previous_event", "Look at the event before"),
    ChartKey(".", "next_event", "Look at the next event"),
    ChartKey("Shift+Left", "previous_decision", "Look at the decision before"),
    ChartKey("Shift+Right", "next_decision", "Look at the next decision"),
)

KEY_HELP: tuple[tuple[str, str, str], ...] = tuple(
    ("Time cursor, in a chart", key.key, key.does) for key in CHART_KEYS
)
"""(where, keys, what they do)."""
