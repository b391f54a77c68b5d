"""Which overheads fit logs best: those that bring their jobs nearest on average, or none at all.

No error is cut off, and a replay without overheads is measured like all others: overheads that bring logs no
nearer than that are nobody's.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from core.fidelity.overheads_estimate import HEARTBEATS, pooled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.fidelity.log_replays import LogReplays
    from core.model.overheads import Overheads

COARSE = 3
"""Every so many intervals one is tried at first."""


def tried_intervals(log: LogReplays) -> int:
    """Return how many intervals of heartbeats are tried on a log at most."""
    return 1 if log.heartbeat > 0 else len(HEARTBEATS[::COARSE]) + 2 * (COARSE - 1)


def fitted_overheads(logs: Sequence[LogReplays]) -> Overheads | None:
    """Return the overheads that fit logs of one cluster best, None if no overheads come as near as none.

    The interval of heartbeats is the one that the logs show, the median; where none does, the one that leaves
    the least mean job error, averaged over the logs, each with its own estimates. The rest is pooled from
    these. Together they are then measured like no overheads.
    """
    logs = [log for log in logs if log.can_have_overheads]
    if not logs:
        return None

    def error(heartbeat: float) -> float:
        return sum(log.mean_error(log.estimate(heartbeat)) for log in logs) / len(logs)

    seen = [log.heartbeat for log in logs if log.heartbeat > 0]
    heartbeat = median(seen) if seen else _least(error, HEARTBEATS)
    fitted = pooled([log.estimate(heartbeat) for log in logs])
    with_them, without = (sum(log.mean_error(each) for log in logs) for each in (fitted, None))
    return fitted if with_them < without else None


def _least(error: Callable[[float], float], values: Sequence[float]) -> float:
    """Return the value with the least error: every third is tried, then those beside the best of these."""
    places = sorted({*range(0, len(values), COARSE), len(values) - 1})
    best = min(places, key=lambda place: error(values[place]))
    near = range(max(best - COARSE + 1, 0), min(best + COARSE, len(values)))
    return values[min(near, key=lambda place: error(values[place]))]
