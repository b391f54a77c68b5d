"""Which overheads fit logs best: those that bring their jobs nearest on average, or none at all.

No error is cut off, and a replay without overheads is measured like all others: overheads that bring logs no
nearer than that are nobody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.fidelity.lent_overheads import FEW_JOBS, lent_overheads, weighted_median
from core.fidelity.overheads_estimate import HEARTBEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.fidelity.lent_overheads import LentOverheads
    from core.fidelity.log_replays import LogReplays
    from core.model.overheads import Overheads

COARSE = 3
"""Every so many intervals one is tried at first."""


def tried_intervals(log: LogReplays) -> int:
    """Return how many intervals of heartbeats are tried on a log at most."""
    return 1 if log.heartbeat > 0 else len(HEARTBEATS[::COARSE]) + 2 * (COARSE - 1)


def lenders_among(logs: Sequence[LogReplays]) -> list[LogReplays]:
    """Return the logs that estimate: those of `FEW_JOBS` jobs or more, all where none has as many."""
    able = [log for log in logs if log.can_have_overheads]
    return [log for log in able if log.jobs >= FEW_JOBS] or able


def fitted_overheads(logs: Sequence[LogReplays], *, are_lent: bool = False) -> LentOverheads | None:
    """Return the overheads that fit logs of one cluster best, None if no overheads come as near as none.

    The interval of heartbeats is the one that the logs show, the median; where none does, the one that leaves
    the least mean error of their jobs, each log with its own estimates. The rest is pooled from these.
    Together they are then measured like no overheads.

    Parameters
    ----------
    logs : those that estimate are taken, see `lenders_among`
    are_lent : whether another log is judged with these; they say then what is usual of what they cannot show
    """
    logs = lenders_among(logs)
    if not logs:
        return None

    def error(overheads: Callable[[LogReplays], Overheads | None]) -> float:
        return sum(log.jobs * log.mean_error(overheads(log)) for log in logs)

    seen = [(log.heartbeat, log.jobs) for log in logs if log.heartbeat > 0]
    if seen:
        heartbeat = weighted_median(*zip(*seen, strict=True))
    else:
        heartbeat = _least(lambda tried: error(lambda log: log.estimate.at(tried)), HEARTBEATS)
    fitted = lent_overheads([log.estimate for log in logs], heartbeat, assumes_line=are_lent)
    return fitted if error(lambda _: fitted.overheads) < error(lambda _: None) else None


def _least(error: Callable[[float], float], values: Sequence[float]) -> float:
    """Return the value with the least error: every third is tried, then those beside the best of these."""
    places = sorted({*range(0, len(values), COARSE), len(values) - 1})
    best = min(places, key=lambda place: error(values[place]))
    near = range(max(best - COARSE + 1, 0), min(best + COARSE, len(values)))
    return values[min(near, key=lambda place: error(values[place]))]
