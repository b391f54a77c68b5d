"""The first decision in which two scenarios differ, with both lists of candidates; computed in a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.decision_text import decision_sentences
from core.explain.divergence import both_decisions, divergence_sentences, first_divergence

if TYPE_CHECKING:
    from core.explain.decisions import DecisionReason
    from core.explain.divergence import Divergence
    from core.model.schedule import Schedule
    from explorer.explain.decision_view import Replays


@dataclass(frozen=True)
class Side:
    """One of the two scenarios.

    Attributes
    ----------
    scenario_id, schedule : which
    reason : what its policy answered at the first difference; None if it was offered no slot then
    sentences : the answer in words
    """

    scenario_id: int
    schedule: Schedule
    reason: DecisionReason | None = None
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """Where two scenarios part.

    Attributes
    ----------
    sides : the first one is the active scenario
    divergence : where, or None if the schedules are the same
    sentences : the same in words
    """

    sides: tuple[Side, Side]
    divergence: Divergence | None = None
    sentences: tuple[str, ...] = ()


def difference_of(replays: Replays, one: Side, other: Side) -> Difference:
    """Find the first difference and ask both policies about it."""
    schedules = one.schedule, other.schedule
    divergence = first_divergence(*schedules)
    if divergence is None:
        return Difference((one, other))
    with replays.lock:
        first, second = (replays.of(schedule) for schedule in schedules)
        reasons = both_decisions(divergence, first, second, replays.should_stop)
        runs = [replay.at(divergence.time, 0, replays.should_stop) for replay in (first, second)]
    sides = [
        Side(
            side.scenario_id,
            side.schedule,
            reason,
            () if reason is None else decision_sentences(run, reason),
        )
        for side, reason, run in zip((one, other), reasons, runs, strict=True)
    ]
    return Difference((sides[0], sides[1]), divergence, divergence_sentences(divergence, *schedules))
