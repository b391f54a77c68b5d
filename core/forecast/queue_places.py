"""The places that jobs which come may take in the order of what waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.policies.composing.hooks import hooks_of
from core.policies.registry import describe, policy_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.forecast.begin import Begin
    from core.simulation.simulate import Simulation

WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ENDINGS = [word[-2:] for word in WORDS[:3]]


class NoOrderError(InputError):
    """A policy serves by no order, in which nothing can have another place."""


@dataclass(frozen=True)
class Queue:
    """In which order jobs are served that have tasks to start, and those that come among them.

    Attributes
    ----------
    others : names of all jobs but those that come, first served first
    waiting : those of them that wait when these come, likewise
    new : names of those that come
    own : the place that the policy gives to the first of them, from 1
    """

    others: tuple[str, ...]
    waiting: tuple[str, ...]
    new: tuple[str, ...]
    own: int

    @property
    def places(self) -> int:
        """How many places there are: before each job that waits, and behind all of them."""
        return len(self.waiting) + 1

    def order(self, place: int) -> tuple[str, ...]:
        """Return all jobs with those that come at a place; raises InputError where there is none such."""
        if not 1 <= place <= self.places:
            raise InputError(
                f"there is no place {place} in the order of what waits then; give 1 to {self.places}"
            )
        begin = self.others.index(self.waiting[place - 2]) + 1 if place > 1 else 0
        return (*self.others[:begin], *self.new, *self.others[begin:])

    def chosen(self, at_most: int) -> list[int]:
        """Return so many places: the first, the last, the policy's own, and others evenly between."""
        if self.places <= at_most:
            return list(range(1, self.places + 1))
        spread = np.linspace(1, self.places, at_most - 1).round().astype(int).tolist()
        return sorted({*spread, self.own})


def queue_of(run: Simulation, begin: Begin, jobs: Sequence[int]) -> Queue:
    """Return the order in which a run serves jobs, some of which come.

    Parameters
    ----------
    run : stands where the forecast begins
    jobs : those that come, by their number

    Raises
    ------
    NoOrderError
        the policy serves by no order
    """
    schedule, choice = begin.known.schedule, begin.choice
    if not hooks_of(policy_class(choice.id)).in_order and schedule.order is None:
        raise NoOrderError(
            f"{describe(choice.id).title} serves jobs by no order in which a job could have another place; "
            "choose a policy that does, such as fifo or sjf"
        )
    if hooks_of(policy_class(choice.id)).copies:
        raise NoOrderError(
            f"{describe(choice.id).title} lets second copies of tasks run, and an order of jobs none, so "
            "that another place would change more than that; choose a policy without, such as fifo or sjf"
        )
    workload, new = schedule.workload, set(jobs)
    comes = min(workload.jobs[j].arrival for j in jobs)
    waits = np.bincount(workload.columns.job[~begin.known.has_started], minlength=len(workload.jobs)) > 0
    ranked = np.argsort(run.schedule().rank, kind="stable").tolist()
    waiting = [j for j in ranked if j not in new and waits[j] and workload.jobs[j].arrival <= comes]
    before = ranked[: ranked.index(next(j for j in ranked if j in new))]
    return Queue(
        others=tuple(workload.jobs[j].name for j in ranked if j not in new),
        waiting=tuple(workload.jobs[j].name for j in waiting),
        new=tuple(workload.jobs[j].name for j in jobs),
        own=1 + len(set(waiting).intersection(before)),
    )


def ordinal(number: int) -> str:
    """Return "third" for 3, "21st" for 21."""
    if number <= len(WORDS):
        return WORDS[number - 1]
    last = number % 10
    is_plain = last > len(ENDINGS) or last == 0 or number % 100 // 10 == 1
    return f"{number}{'th' if is_plain else ENDINGS[last - 1]}"
