"""First in, first out (Hadoop's default; 001 section IV)."""

from __future__ import annotations

from core.policies.policy import Policy


class Fifo(Policy):
    """Serve the earliest arriving job that needs a map (or reduce) task."""

    id = "fifo"
    title = "FIFO"
    order = "arrival"
