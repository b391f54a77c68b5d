"""The first decision that differs between two schedules of one workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.decisions import DecisionReason, decision_reason, open_offers, title_of
from core.explain.start_cause import check_simulated
from core.explain.words import task_name
from core.model.errors import InputError
from core.model.time_text import exact_clock
from core.policies.registry import policy_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.explain.replay import Replay
    from core.model.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two schedules part; everything that starts before is the same in both.

    Attributes
    ----------
    start : how many starts they have in common: the number of the first decision that differs
    time : when it is taken in the schedule that takes it first, seconds
    tasks : the task that starts next in either
    times, slots : when and where it does
    """

    start: int
    time: float
    tasks: tuple[int, int]
    times: tuple[float, float]
    slots: tuple[int, int]


def first_divergence(one: Schedule, other: Schedule) -> Divergence | None:
    """Return where two schedules part, or None if they are the same.

    A decision is a start: which task, when and, on equal clusters, on which slot. Between different clusters
    slots are told apart by type only. One pass over the columns.

    Parameters
    ----------
    one, other : complete schedules of one workload, on the same cluster or not

    Raises
    ------
    InputError
        they are of different workloads, or a log recorded one of them
    """
    for schedule in (one, other):
        check_simulated(schedule)
    if one.given.jobs != other.given.jobs:
        raise InputError("two schedules can only be compared decision by decision if their jobs are the same")
    both = min(len(one.sequence), len(other.sequence))
    a, b = one.sequence[:both], other.sequence[:both]
    here, there = one.slot[a], other.slot[b]
    if one.cluster != other.cluster:
        here, there = _on_reduce_slot(one, here), _on_reduce_slot(other, there)
    differs = (one.given_task[a] != other.given_task[b]) | (one.start[a] != other.start[b]) | (here != there)
    found = np.flatnonzero(differs)
    if len(found) == 0 and len(one.sequence) == len(other.sequence):
        return None
    start = int(found[0]) if len(found) else both - 1  # one of them runs fewer tasks: their last common start
    tasks = int(a[start]), int(b[start])
    times = float(one.start[tasks[0]]), float(other.start[tasks[1]])
    slots = int(one.slot[tasks[0]]), int(other.slot[tasks[1]])
    return Divergence(start, min(times), tasks, times, slots)


def _on_reduce_slot(schedule: Schedule, slot: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return 1 for reduce slots, 0 for map slots and containers."""
    cluster = schedule.cluster
    return ((slot >= cluster.map_slots) & (not cluster.has_containers)).astype(np.int32)


def both_decisions(
    divergence: Divergence,
    one: Replay,
    other: Replay,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[DecisionReason | None, DecisionReason | None]:
    """Return what either policy answered there: two candidate lists.

    A schedule whose next start is later is asked at the time of the divergence: it declined a slot then
    (None if it had none that is free).
    """

    def answer(replay: Replay, time: float) -> DecisionReason | None:
        if time == divergence.time:
            return decision_reason(replay.before_start(divergence.start, should_stop))
        return next(iter(open_offers(replay.at(divergence.time, None, should_stop))), None)

    return answer(one, divergence.times[0]), answer(other, divergence.times[1])


def divergence_sentences(divergence: Divergence, one: Schedule, other: Schedule) -> tuple[str, ...]:
    """Say where the schedules part and what either does next."""
    at, same = exact_clock(divergence.time), divergence.start
    starts = "first start is" if same == 1 else f"first {same} starts are"
    said = [f"The {starts} the same; then they part, at {at}."]
    if same == 0:
        said = [f"They part with their first start, at {at}."]
    for schedule, task, time, slot in zip(
        (one, other), divergence.tasks, divergence.times, divergence.slots, strict=True
    ):
        title = title_of(policy_class("order" if schedule.order else schedule.choice.id))
        where = f"at {exact_clock(time)} on {schedule.cluster.slot_name(slot)}"
        said.append(f"{title}: {task_name(schedule.workload, task)} starts {where}.")
    return tuple(said)
