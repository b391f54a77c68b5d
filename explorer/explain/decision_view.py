"""What panels show of the decision at an instant of a schedule, and the replays that all of them use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.decision_steps import collapsed, decision_steps
from core.explain.decisions import decision_reason, policy_rule
from core.explain.instant import decisions_at, instant_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.explain.decision_steps import CandidateSteps
    from core.explain.decisions import DecisionReason
    from core.explain.instant import Instant
    from core.explain.replay import Replay
    from core.model.schedule import Schedule
    from core.simulation.simulate import Simulation


MAX_REPLAYS = 2
"""Kept at a time: each holds copies of its run, up to 160 MB for very large workloads."""


@dataclass(frozen=True)
class DecisionView:
    """What is the case at an instant.

    Attributes
    ----------
    scenario_id, schedule : whose instant
    instant : the state; before the decision, if there is one, or after all of them
    decisions, number : how many tasks start at that time, and how many of them are over
    reason : what the policy answers about a free slot, or None where none is offered
    rule : how the policy decides, in words
    lines : what its hooks ran for each candidate, line by line; empty where that was not wanted
    """

    scenario_id: int
    schedule: Schedule
    instant: Instant
    decisions: int
    number: int
    reason: DecisionReason | None
    rule: str
    lines: tuple[CandidateSteps, ...] = ()


class Replays:
    """The replays of the schedules looked at last, for all panels: one worker uses them at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._replays: list[Replay] = []
        self._stop = threading.Event()

    def stop(self) -> None:
        """Let what runs end soon; nothing can be looked at afterwards."""
        self._stop.set()

    def of(self, schedule: Schedule) -> Replay:
        """Return the replay of a schedule, a new one if it was not looked at lately; hold the lock for it."""
        replay = next((r for r in self._replays if r.schedule is schedule), None)
        if replay is None:
            from core.explain.replay import Replay

            replay = Replay(schedule)
        self._replays = [replay, *(r for r in self._replays if r is not replay)][:MAX_REPLAYS]
        return replay

    def at(self, schedule: Schedule, seconds: float, number: int | None = None) -> Simulation:
        """Return the run at a time, before the decision of this number or after all of them."""
        with self.lock:
            return self.of(schedule).at(seconds, number, self._stop.is_set)

    @property
    def should_stop(self) -> Callable[[], bool]:
        """Whether to give up; for computations that use these replays."""
        return self._stop.is_set

    def look(
        self,
        scenario_id: int,
        schedule: Schedule,
        seconds: float,
        number: int,
        *,
        with_lines: bool = False,
    ) -> DecisionView:
        """Look at a time, after so many of its decisions, perhaps line by line; to be called by a worker."""
        decisions = decisions_at(schedule, seconds)
        number = min(number, decisions)
        run = self.at(schedule, seconds, number if number < decisions else None)
        return DecisionView(
            scenario_id=scenario_id,
            schedule=schedule,
            instant=instant_of(run),
            decisions=decisions,
            number=number,
            reason=decision_reason(run),
            rule=policy_rule(run),
            lines=collapsed(decision_steps(run)) if with_lines else (),
        )
