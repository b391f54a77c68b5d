"""Every decision in which two schedules of one workload differ.

After the first one the schedules drift apart, and nearly every later start is at another time. That is no
other decision. Slots of one type are given away in turn, and most tasks have the same turn in both schedules,
one after the other, whenever that is: these decisions are the same. All others differ, also those of tasks on
a slot of another type, and so do those of which only one schedule left a slot free before the task started.

The tasks with the same turn are the largest set that both start in the same order: a longest increasing
subsequence, as texts are compared line by line.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.explain.decisions import DecisionReason, decision_reason, title_of
from core.explain.explanation_words import count, place_noun, task_name
from core.explain.slots import free_steps
from core.explain.start_cause import NO_TASK, check_simulated, ready_times, same_task
from core.model.errors import Cancelled, InputError
from core.model.lost_attempts import eras_of
from core.model.progress import never_stop
from core.model.task_types import TASK_TYPES
from core.model.time_text import exact_clock
from core.policies.registry import policy_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.explain.replay import Replay
    from core.model.schedule import Schedule

    Pairs = list[tuple[int, int]]

LOOK_EVERY = 4096


@dataclass(frozen=True, eq=False)
class Differences:
    """In which decisions two schedules differ; arrays are read-only, columns are the two schedules.

    Attributes
    ----------
    starts : the decisions that differ: how many tasks start before them, in the order of the first schedule,
        int32 (n, 2)
    times : when they are taken, or when the slot stays free instead, seconds, (n, 2)
    leaves_free : which of the two schedules leaves a slot free there, 0 or 1, and starts that task later; -1
        where both start one, int8 (n,)
    decisions : all starts; those that only one of them has count as well
    same : how many starts the schedules have in common at first, to the same time and slot
    parted : when the first one that they have not in common is, seconds; None if they are the same
    """

    starts: NDArray[np.int32]
    times: NDArray[np.float64]
    leaves_free: NDArray[np.int8]
    decisions: int
    same: int
    parted: float | None

    def __len__(self) -> int:
        return len(self.starts)


def all_differences(
    one: Schedule, other: Schedule, should_stop: Callable[[], bool] = never_stop
) -> Differences:
    """Return every decision in which two schedules differ.

    A decision gives a slot to a task. It is the same in both schedules if the task has the same turn among
    those that get slots of that type, and if neither or both left a slot free before. O(n log n).

    Parameters
    ----------
    one, other : complete schedules of one workload, on the same cluster or not
    should_stop : asked now and then; True cancels

    Raises
    ------
    InputError
        they are of different workloads, or a log recorded one of them
    Cancelled
        `should_stop` said so
    """
    for schedule in (one, other):
        check_simulated(schedule)
    if one.given.jobs != other.given.jobs:
        raise InputError("two schedules can only be compared decision by decision if their jobs are the same")
    tasks = [schedule.given_task[schedule.sequence] for schedule in (one, other)]
    places = np.full((2, 1 + max((int(each.max()) for each in tasks if len(each)), default=0)), -1, np.int32)
    for column, started in zip(places, tasks, strict=True):
        column[started] = np.arange(len(started))
    types = _slot_types(one, other)
    found: Pairs = []
    shared: list[NDArray[np.int64]] = []
    for slot_type in TASK_TYPES:
        turns = [np.flatnonzero(each == slot_type) for each in types]
        pairs, in_turn = _other_turns(turns, tasks, places, types, should_stop)
        found += pairs
        shared.append(in_turn)
    found += _on_other_slots(tasks[0], places, types)
    times = [schedule.start[schedule.sequence] for schedule in (one, other)]
    rows: list[tuple[float, ...]] = [(a, b, times[0][a], times[1][b], -1) for a, b in dict.fromkeys(found)]
    kept = np.concatenate(shared)
    if one.cluster.has_containers == other.cluster.has_containers:
        rows += _left_free((one, other), types, (kept, places[1][tasks[0][kept]].astype(np.int64)))
    table = np.array(sorted(rows), np.float64).reshape(-1, 5)
    same, parted = _parted(one, other)
    differences = Differences(
        table[:, :2].astype(np.int32),
        table[:, 2:4].copy(),
        table[:, 4].astype(np.int8),
        decisions=int((places >= 0).any(axis=0).sum()),
        same=same,
        parted=parted,
    )
    for name in ("starts", "times", "leaves_free"):
        getattr(differences, name).flags.writeable = False
    return differences


def _slot_types(one: Schedule, other: Schedule) -> list[NDArray[np.int64]]:
    """Return the type of slot that each start took, by its place in either sequence.

    Where only one cluster has containers, it is the kind of task that is compared.
    """
    if one.cluster.has_containers != other.cluster.has_containers:
        return [s.workload.columns.kind[s.sequence].astype(np.int64) for s in (one, other)]
    return [s.cluster.slot_types(s.slot[s.sequence]) for s in (one, other)]


def _other_turns(
    turns: list[NDArray[np.int64]],
    tasks: list[NDArray[np.int64]],
    places: NDArray[np.int32],
    types: list[NDArray[np.int64]],
    should_stop: Callable[[], bool],
) -> tuple[Pairs, NDArray[np.int64]]:
    """Compare the turns of one type of slot.

    Parameters
    ----------
    turns : the starts on such slots, by their place in either sequence, ascending
    tasks : which task is started at each place of either sequence
    places : where each task is in either sequence, -1 for nowhere
    types : the type of slot of each start

    Returns
    -------
    pairs, array
        the places in both sequences of decisions that differ; those of all others in the first one
    """
    if not len(turns[0]) or not len(turns[1]):
        return [], np.zeros(0, np.int64)
    there = places[1][tasks[0][turns[0]]]
    comparable = (there >= 0) & (types[1][there] == types[0][turns[0]])
    kept = turns[0][comparable][_longest_rising(there[comparable].tolist(), should_stop)]
    same = [kept, places[1][tasks[0][kept]].astype(np.int64)]
    pairs: Pairs = []
    for side in (0, 1):
        moved = turns[side][~np.isin(turns[side], same[side])]
        theirs = places[1 - side][tasks[side][moved]]
        on_such = (theirs < 0) | (types[1 - side][theirs] == types[side][moved])
        moved, theirs = moved[on_such], theirs[on_such]
        before = np.searchsorted(same[side], moved)
        # what has its turn later in the other schedule, or never, is found here; the rest from there
        later = (theirs < 0) | (np.searchsorted(same[1 - side], theirs) > before)
        pairs += _pair_up(moved[later], before[later], same[1 - side], turns[1 - side], side)
    return pairs, kept


def _pair_up(
    moved: NDArray[np.int64],
    before: NDArray[np.int64],
    same: NDArray[np.int64],
    turns: NDArray[np.int64],
    side: int,
) -> Pairs:
    """Return for each start that the other schedule makes later which one it makes in its turn.

    `before` says how many common starts come before it, `same` and `turns` where the other schedule has
    those, and all of that type of slot.
    """
    nth = np.arange(len(before)) - np.searchsorted(before, before)  # after the same common start
    follows = np.r_[-1, same][before]
    first = np.searchsorted(turns, follows, "right")
    last = np.searchsorted(turns, np.r_[same, turns[-1]][before])  # the next common start
    theirs = turns[np.clip(np.minimum(first + nth, last), 0, len(turns) - 1)]
    pairs = np.stack((moved, theirs) if side == 0 else (theirs, moved), axis=1)
    return [(a, b) for a, b in pairs.tolist()]


def _longest_rising(values: list[int], should_stop: Callable[[], bool]) -> NDArray[np.int64]:
    """Return the places of a longest rising subsequence of different numbers, ascending."""
    ends: list[int] = []  # of rising sequences of each length the least last value
    place_of_end: list[int] = []
    previous = [-1] * len(values)
    for i, value in enumerate(values):
        if i % LOOK_EVERY == 0 and should_stop():
            raise Cancelled("the comparison of two schedules was cancelled")
        length = bisect_left(ends, value)
        previous[i] = place_of_end[length - 1] if length else -1
        if length == len(ends):
            ends.append(value)
            place_of_end.append(i)
        else:
            ends[length], place_of_end[length] = value, i
    found = []
    i = place_of_end[-1] if place_of_end else -1
    while i >= 0:
        found.append(i)
        i = previous[i]
    return np.array(found[::-1], np.int64)


def _on_other_slots(
    tasks: NDArray[np.int64], places: NDArray[np.int32], types: list[NDArray[np.int64]]
) -> Pairs:
    """Return the starts of the same task on slots of different types: one of them is borrowed."""
    there = places[1][tasks]
    here = np.flatnonzero(there >= 0)
    differ = here[types[0][here] != types[1][there[here]]]
    return [(int(a), int(there[a])) for a in differ]


def _left_free(
    schedules: tuple[Schedule, Schedule],
    types: list[NDArray[np.int64]],
    numbers: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> list[tuple[float, ...]]:
    """Return the starts in the same turn before which only one schedule left a slot free for a while.

    `numbers` are the starts in the same turn by their places in either sequence.
    """
    both = zip(schedules, types, numbers, strict=True)
    since = [_free_from(schedule, each)[at] for schedule, each, at in both]
    rows: list[tuple[float, ...]] = []
    for i in np.flatnonzero(np.isfinite(since[0]) != np.isfinite(since[1])).tolist():
        side = int(np.isfinite(since[1][i]))
        places = [int(at[i]) for at in numbers]
        times = [float(s.start[s.sequence[at]]) for s, at in zip(schedules, places, strict=True)]
        times[side] = float(since[side][i])
        rows.append((*places, *times, side))
    return rows


def _free_from(schedule: Schedule, types: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return since when a slot was free for each start while it was the next one, infinity if none was.

    On nodes a slot may lack memory, and with overheads it waits for a heartbeat: these are left out.
    """
    tasks, since = schedule.sequence, np.full(len(schedule.sequence), np.inf)
    columns, cluster = schedule.workload.columns, schedule.cluster
    if cluster.has_nodes or cluster.overheads is not None:
        return since
    # by the cluster's slowstart: to let reduces wait for more maps than that is a policy's decision
    ready = ready_times(replace(schedule, reduce_after=None))[columns.stage]
    lost = schedule.given_up
    if cluster.events is not None and lost is not None and lost.given_up is not None:
        np.maximum.at(ready, lost.given_up.task, eras_of(schedule).lost_at)  # it waits again
    first = 0
    for slot_type in TASK_TYPES:
        turns, slots = np.flatnonzero(types == slot_type), cluster.stage_slots[slot_type]
        start = schedule.start[tasks[turns]]
        moments, free = free_steps(schedule, range(first, first + slots), slot_type)
        moments, free = np.r_[-np.inf, moments], np.r_[slots, free]
        first += slots
        places = np.where(free > 0, np.arange(len(moments)), len(moments))
        next_free = np.minimum.accumulate(places[::-1])[::-1]
        began = np.r_[0.0, start[:-1]][: len(turns)]  # the one before
        turn = np.maximum(ready[tasks[turns]], began)
        at = next_free[np.searchsorted(moments, turn, "right") - 1]
        free_from = np.maximum(np.r_[moments, np.inf][at], turn)
        since[turns] = np.where(free_from < start, free_from, np.inf)
    return since


def _parted(one: Schedule, other: Schedule) -> tuple[int, float | None]:
    """Return how many starts two schedules have in common, and when the next one is; None for no other."""
    both = min(len(one.sequence), len(other.sequence))
    a, b = one.sequence[:both], other.sequence[:both]
    here, there = (each[:both] for each in _slot_types(one, other))
    if one.cluster == other.cluster:
        here, there = one.slot[a].astype(np.int64), other.slot[b].astype(np.int64)
    differs = (one.given_task[a] != other.given_task[b]) | (one.start[a] != other.start[b]) | (here != there)
    found = np.flatnonzero(differs)
    if len(found) == 0 and len(one.sequence) == len(other.sequence):
        return both, None
    at = int(found[0]) if len(found) else both - 1  # one of them runs fewer tasks: their last common start
    return at, min(float(one.start[a[at]]), float(other.start[b[at]]))


# ---- asking both policies, and words


def both_decisions(
    differences: Differences,
    number: int,
    one: Replay,
    other: Replay,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[DecisionReason | None, DecisionReason | None]:
    """Return what either policy answered at a difference: two candidate lists; None for no free slot."""

    def answer(side: int, replay: Replay) -> DecisionReason | None:
        start, schedule = int(differences.starts[number, side]), replay.schedule
        if differences.leaves_free[number] == side:
            slot_type = schedule.cluster.slot_type(int(schedule.slot[schedule.sequence[start]]))
            run = replay.at(float(differences.times[number, side]), None, should_stop)
            return decision_reason(run, slot_type)
        return decision_reason(replay.before_start(start, should_stop))

    return answer(0, one), answer(1, other)


def summary_of(differences: Differences) -> tuple[str, ...]:
    """Return how many decisions differ and what that means."""
    if differences.parted is None:
        return ("Both schedules are the same, start by start.",)
    whole, at = count(differences.decisions, "decision"), exact_clock(differences.parted)
    if not len(differences):
        same = "The decision is" if differences.decisions == 1 else f"All {whole} are"
        return (f"{same} the same: each task has its turn. From {at} on they have other times or slots.",)
    first = exact_clock(float(differences.times[0].min()))
    many = "differs" if len(differences) == 1 else "differ"
    return (f"{len(differences)} of {whole} {many}, first at {first}.",)


WHAT_DIFFERS = (
    "A decision differs when its slot goes to a task that has its turn elsewhere in the other schedule, or "
    "gets a slot of another type there, or when only one of the two left the slot free. A start that is "
    "merely earlier or later because of what happened before does not count."
)


def difference_sentences(
    differences: Differences, number: int, one: Schedule, other: Schedule
) -> tuple[str, str]:
    """Return what either schedule does at a difference."""
    schedules = one, other
    tasks = _tasks(differences, number, schedules)
    sentences = []
    for side, (schedule, task) in enumerate(zip(schedules, tasks, strict=True)):
        title = title_of(policy_class("order" if schedule.order else schedule.choice.id))
        starts = f"{task_name(schedule.workload, task)} starts at {exact_clock(float(schedule.start[task]))}"
        if differences.leaves_free[number] == side:
            since = exact_clock(float(differences.times[number, side]))
            sentences.append(
                f"{title}: leaves a {_free_noun(schedule, task)} free from {since} on; {starts}."
            )
            continue
        on = f"{title}: {starts} on {schedule.cluster.slot_name(int(schedule.slot[task]))}"
        same = same_task(schedules[1 - side], tasks[1 - side], schedule)
        if same not in (NO_TASK, task):  # when it starts what the other one starts here
            on += f", {task_name(schedule.workload, same)} at {exact_clock(float(schedule.start[same]))}"
        sentences.append(f"{on}.")
    return sentences[0], sentences[1]


def _tasks(differences: Differences, number: int, schedules: tuple[Schedule, Schedule]) -> tuple[int, int]:
    starts = differences.starts[number]
    return int(schedules[0].sequence[starts[0]]), int(schedules[1].sequence[starts[1]])


def _free_noun(schedule: Schedule, task: int) -> str:
    """Return what stays free before a task starts there."""
    return place_noun(schedule.cluster.slot_type(int(schedule.slot[task])), schedule.cluster)


def difference_names(
    differences: Differences, number: int, one: Schedule, other: Schedule
) -> tuple[str, str]:
    """Return in few words what either schedule does at a difference: "map 3 of J1 on M2"."""
    schedules = one, other
    here, there = (
        f"leaves a {_free_noun(schedule, task)} free"
        if differences.leaves_free[number] == side
        else f"{task_name(schedule.workload, task)} on {schedule.cluster.slot_name(int(schedule.slot[task]))}"
        for side, (schedule, task) in enumerate(
            zip(schedules, _tasks(differences, number, schedules), strict=True)
        )
    )
    return here, there
