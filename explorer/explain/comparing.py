"""What is compared decision by decision: with another scenario, or with a policy in the same states."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.all_differences import (
    all_differences,
    both_decisions,
    difference_names,
    difference_sentences,
    summary_of,
)
from core.explain.decisions import decision_reason
from core.explain.explanation_words import task_name
from core.explain.instant import decisions_at, place_of_start
from core.explain.policy_comparison import compare_decisions, decides_in_any_state, other_decision_reason
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_clock
from core.policies.own_policies import exact_id
from core.policies.registry import file_policies, policies
from explorer.document.titles import title_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.explain.all_differences import Differences
    from core.explain.decisions import DecisionReason
    from core.explain.policy_comparison import OtherChoice, PolicyComparison
    from core.model.document_state import DocumentState
    from core.model.schedule import Schedule
    from explorer.explain.decision_view import Replays


class Against(NamedTuple):
    """What the active scenario is compared with: the scenario with this id, or a policy."""

    scenario_id: int = -1
    choice: PolicyChoice | None = None

    @property
    def newest(self) -> PolicyChoice | None:
        """The policy, of a user's file in the version that runs now."""
        return None if self.choice is None else replace(self.choice, id=exact_id(self.choice.id))


def all_against(state: DocumentState, active: int) -> list[tuple[str, Against]]:
    """Return what a scenario may be compared with, in words: others, then the policies that allow it."""
    own = {each.choice.id: each.choice for each in state.scenarios if each.order is None}
    others = [
        (f"With {title_in(state, each)}", Against(each.id)) for each in state.scenarios if each.id != active
    ]
    by_policy = [
        (f"Ask {each.title}", Against(choice=own.get(each.id, PolicyChoice(each.id))))
        for each in (*file_policies(), *policies())
        if decides_in_any_state(each.id)
    ]
    return others + by_policy


class DifferentDecision(NamedTuple):
    """A decision that differs, in words.

    Attributes
    ----------
    number : which one, from 0
    seconds : when it is taken in the active scenario
    here, there : what that does, and what the other one does or would have done
    """

    number: int
    seconds: float
    here: str
    there: str

    def fits(self, words: str) -> bool:
        """Whether each of these words, in small letters, stands in the row."""
        text = f"{exact_clock(self.seconds)} {self.here} {self.there}".casefold()
        return all(word in text for word in words.split())


class Place(NamedTuple):
    """Where to look: before the decision of this number at a time, and which task it starts; -1 for none."""

    seconds: float
    decision: int
    task: int


@dataclass(frozen=True)
class Side:
    """One of the two that are compared.

    Attributes
    ----------
    title : what it is called
    schedule : whose candidates are shown
    reason : what its policy answered at the present difference; None if it was offered no slot then
    sentence : what it does there
    """

    title: str
    schedule: Schedule
    reason: DecisionReason | None = None
    sentence: str = ""


class Compared:
    """All differences of a scenario; the two kinds of comparison have their places and answers.

    Attributes
    ----------
    scenario_id : the active scenario
    sides : it, and what it is compared with
    summary : how many decisions differ
    rows : each of them
    marks : their times by scenario, ascending, seconds
    """

    def __init__(
        self, scenario_id: int, sides: tuple[Side, Side], summary: str, rows: tuple[DifferentDecision, ...]
    ) -> None:
        self.scenario_id, self.sides, self.summary, self.rows = scenario_id, sides, summary, rows
        self.marks: dict[int, NDArray[np.float64]] = {
            scenario_id: np.unique(np.array([row.seconds for row in rows], np.float64))
        }

    def place(self, number: int) -> Place:
        """Return where a difference is in the active scenario."""
        raise NotImplementedError

    def both(self, replays: Replays, number: int) -> tuple[Side, Side]:
        """Return both sides of a difference; for a worker."""
        raise NotImplementedError

    def near(self, seconds: float | None, decision: int) -> int:
        """Return the first difference that is not before a time and its decision; the last one after all."""
        if seconds is None:
            return 0
        first = bisect_left(self.rows, seconds, key=lambda row: row.seconds)
        later = (row.number for row in self.rows[first:] if self.place(row.number)[:2] >= (seconds, decision))
        return next(later, max(len(self.rows) - 1, 0))


class ComparedScenarios(Compared):
    """Two scenarios: which tasks get their slots in another turn."""

    def __init__(
        self, ids: tuple[int, int], sides: tuple[Side, Side], should_stop: Callable[[], bool]
    ) -> None:
        self._schedules = one, other = sides[0].schedule, sides[1].schedule
        self.differences: Differences = all_differences(one, other, should_stop)
        times = self.differences.times
        rows = tuple(
            DifferentDecision(number, float(seconds), *difference_names(self.differences, number, one, other))
            for number, seconds in enumerate(times[:, 0])
        )
        super().__init__(ids[0], sides, " ".join(summary_of(self.differences)), rows)
        self.marks[ids[1]] = np.unique(times[:, 1])

    def place(self, number: int) -> Place:
        """Return where a difference is in the active scenario."""
        schedule, start = self._schedules[0], int(self.differences.starts[number, 0])
        task = int(schedule.sequence[start])
        if self.differences.leaves_free[number] == 0:
            seconds = float(self.differences.times[number, 0])
            return Place(seconds, decisions_at(schedule, seconds), task)
        return Place(*place_of_start(schedule, start), task)

    def both(self, replays: Replays, number: int) -> tuple[Side, Side]:
        """Return the answers of both policies at a difference."""
        with replays.lock:
            one, other = (replays.of(schedule) for schedule in self._schedules)
            reasons = both_decisions(self.differences, number, one, other, replays.should_stop)
        texts = difference_sentences(self.differences, number, *self._schedules)
        one_side, other_side = (
            replace(side, reason=reason, sentence=sentence)
            for side, reason, sentence in zip(self.sides, reasons, texts, strict=True)
        )
        return one_side, other_side


class ComparedPolicy(Compared):
    """A scenario and a policy that decides in each of its states."""

    def __init__(
        self,
        scenario_id: int,
        side: Side,
        choice: PolicyChoice,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self._schedule = schedule = side.schedule
        self.comparison: PolicyComparison = compare_decisions(schedule, choice, progress, should_stop)
        rows = tuple(
            DifferentDecision(number, each.time, _done(schedule, each.task, each.slot), self._would(each))
            for number, each in enumerate(self.comparison.choices)
        )
        other = Side(f"{self.comparison.title}, asked there", schedule)
        super().__init__(scenario_id, (side, other), " ".join(self.comparison.sentences), rows)

    def _would(self, choice: OtherChoice) -> str:
        """Return what the policy would have done, without its name: that stands above the list."""
        return choice.sentence.removeprefix(f"{self.comparison.title} ")

    def place(self, number: int) -> Place:
        """Return where a difference is in the active scenario."""
        choice = self.comparison.choices[number]
        if choice.leaves_free:
            return Place(choice.time, decisions_at(self._schedule, choice.time), -1)
        return Place(*place_of_start(self._schedule, choice.start), choice.task)

    def both(self, replays: Replays, number: int) -> tuple[Side, Side]:
        """Return the answers of both policies in the same state."""
        choice, place = self.comparison.choices[number], self.place(number)
        run = replays.at(self._schedule, place.seconds, None if choice.leaves_free else place.decision)
        mine = decision_reason(run, choice.slot_kind)
        theirs = other_decision_reason(self._schedule, self.comparison.choice, choice, replays.should_stop)
        here = f"{exact_clock(choice.time)}: {_done(self._schedule, choice.task, choice.slot)}."
        return (
            replace(self.sides[0], reason=mine, sentence=here),
            replace(self.sides[1], reason=theirs, sentence=f"{choice.sentence}."),
        )


def _done(schedule: Schedule, task: int, slot: int) -> str:
    name = schedule.cluster.slot_name(slot)
    return f"leaves {name} free" if task < 0 else f"{task_name(schedule.workload, task)} on {name}"
