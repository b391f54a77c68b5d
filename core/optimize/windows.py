"""Work that has to be done inside windows keeps a machine busy: the strongest bound of one kind of slots.

Source: Horn 1974 (some simple scheduling algorithms) says when tasks that may be interrupted can be done on
equal machines by their due dates; work with heads and tails in areas goes back to Jackson 1955 and Carlier
1982. Both are special cases of `window_bound`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.stage_demands import MAX_WAVES, stage_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.optimize.stage_demands import Machine, Pieces

    Floats = NDArray[np.float64]


class Window(NamedTuple):
    """A machine is busy from a time on for some seconds, and something has to follow.

    Attributes
    ----------
    begin : when the work can begin, s
    busy : how long the machine needs for what has to be done before the rest, s
    rest : what has to follow at least, s
    waves : how many whole tasks some slot has to run one after another, where that says more than the work
        of all together; else 0
    """

    begin: float
    busy: float
    rest: float
    waves: bool = False

    @property
    def seconds(self) -> float:
        """When all of it can have ended at the earliest."""
        return self.begin + self.busy + self.rest


NOTHING = Window(0.0, 0.0, 0.0)


def numbers_of_window(window: Window, machine: Machine, *, backwards: bool = False) -> dict[str, Any]:
    """Return what `core.verify.check` needs to work a window out again; nothing of what is no slots."""
    slots = "all" if machine.tasks == "tasks" else machine.tasks
    numbers = {"slots": slots, "begin": window.begin, "rest": window.rest, "backwards": backwards}
    return numbers if machine.slots else {}


def window_bound(kinds: Sequence[Pieces], machine: Machine, begin: float, beat: float = 0.0) -> Window:
    """Return how long a machine is busy from a time on, whatever is done in which order.

    If what is found quickly says that it cannot be beyond `beat` seconds, it is not looked for: then it is 0.

    All must be over at T, so a task with tail q must be over at T - q. Let u be the time that is left. A
    task of p seconds that has not run more than ``p + q - u`` seconds by then is late, since later it can run
    ``u - q`` seconds only: by u before the end, ``F(u) = sum of min(p, max(0, p + q - u))`` seconds must be
    done, each on its share of the machine, that does one second in a second. So ``T >= begin + u + F(u)``
    for every u from 0 to the longest ``p + q``. F is linear between the ends of windows; the sum is largest
    at the tail of a group or at the longest ``p + q``.

    What began before `begin` can have run since its head, and what begins later is taken to be there: both
    only make it less. Where the machine is made of slots, the groups with the longest tails are also counted
    as whole tasks (`stage_bound`).

    For tasks that are there from the beginning this is Horn's condition, so tasks that may be interrupted can
    indeed be done by then; for work without whole tasks it is that of Jackson's rule.
    """
    left = [(pieces.left_at(begin), share) for pieces in kinds if (share := machine.shares[pieces.task_type])]
    if not any((pieces.work > 0).any() for pieces, _ in left):
        return NOTHING
    points = _points(left)
    best = Window(begin, 0.0, 0.0)
    if begin + (points + sum(share * _most_due(pieces, points) for pieces, share in left)).max() > beat:
        total = points + sum(share * _due(pieces, points) for pieces, share in left)
        rest = float(points[np.argmax(total)])
        # a plain sum: those of many points are differences of long ones, and round
        best = Window(begin, sum(share * _due_at(pieces, rest) for pieces, share in left), rest)
    if machine.slots:
        least = min(float(pieces.tails[pieces.work > 0].min(initial=np.inf)) for pieces, _ in left)
        for rest in {best.rest, least}:
            whole = _whole_tasks(left, machine.slots, begin, rest, max(beat, best.seconds))
            best = max(best, whole, key=lambda each: each.seconds)
    return best


def work_due(kinds: Sequence[Pieces], machine: Machine, begin: float) -> tuple[Floats, Floats]:
    """Return times before the end, and how much a machine must have done from a time on by each, (points,).

    In seconds of the whole machine, as F of `window_bound`; both are empty where nothing is to be done.
    """
    left = [(pieces.left_at(begin), share) for pieces in kinds if (share := machine.shares[pieces.task_type])]
    if not any((pieces.work > 0).any() for pieces, _ in left):
        return np.zeros(0), np.zeros(0)
    points = _points(left)
    due: Floats = np.sum([share * _due(pieces, points) for pieces, share in left], axis=0)
    return points, due


def _points(left: list[tuple[Pieces, float]]) -> Floats:
    """Return the times before the end at which the work due may bound most: tails, and the longest window."""
    tails, longest = [], 0.0
    for pieces, _ in left:
        some = pieces.work > 0
        tails.append(pieces.tails[some])
        longest = max(longest, float((pieces.longest + pieces.tails)[some].max(initial=0.0)))
    points = np.unique(np.concatenate(tails))
    return points if longest in points else np.append(points, longest)


def _most_due(pieces: Pieces, points: Floats) -> Floats:
    """Return no less than `_due`, but quickly: a group is due with all its work while its longest task is."""
    ends = pieces.tails + pieces.longest
    order = np.argsort(ends)
    most: Floats = _from(pieces.work[order])[np.searchsorted(ends[order], points)]
    return most


def _due(pieces: Pieces, points: Floats) -> Floats:
    """Return the slot-seconds that must be done by each of these times before the end, (points,)."""
    ends = np.sort(pieces.lengths + pieces.tails[pieces.group])
    order = np.argsort(pieces.tails)
    tails = pieces.tails[order]
    tasks = np.bincount(pieces.group, minlength=len(tails))[order].astype(np.float64)
    due = _above(ends, np.ones(len(ends)), points) - _above(tails, tasks, points)
    fluid: Floats = _from(pieces.fluid[order])[np.searchsorted(tails, points)]
    return due + fluid


def _above(ascending: Floats, weights: Floats, points: Floats) -> Floats:
    """Return the sum over all values of weight times what the value exceeds each point by, (points,)."""
    first = np.searchsorted(ascending, points, "right")
    above: Floats = _from(ascending * weights)[first] - _from(weights)[first] * points
    return above


def _from(values: Floats) -> Floats:
    """Return the sum of each value and all behind it, and 0 for the end, (values + 1,)."""
    return np.append(np.cumsum(values[::-1])[::-1], 0.0)


def _due_at(pieces: Pieces, rest: float) -> float:
    """Return the slot-seconds that must be done by one time before the end."""
    due = np.clip(pieces.lengths + (pieces.tails - rest)[pieces.group], 0.0, pieces.lengths)
    return float(due.sum()) + float(pieces.fluid[pieces.tails >= rest].sum())


def _whole_tasks(
    left: list[tuple[Pieces, float]], slots: int, begin: float, rest: float, beat: float
) -> Window:
    """Return how long slots are busy with the whole tasks of groups whose tail is at least `rest`.

    No slot runs more waves than are counted, and no list of tasks takes longer than their work spread over
    the slots and the longest of them (Graham 1966).
    """
    behind = [(pieces, pieces.tails >= rest) for pieces, _ in left]
    work = sum(float(pieces.work[some].sum()) for pieces, some in behind)
    longest = max(float(pieces.longest[some].max(initial=0.0)) for pieces, some in behind)
    if begin + min(work / slots + longest, (MAX_WAVES + 1) * longest) + rest <= beat:
        return NOTHING
    tasks = [pieces.lengths if some.all() else pieces.lengths[some[pieces.group]] for pieces, some in behind]
    return Window(begin, stage_bound(np.concatenate(tasks), slots), rest, waves=True)


def begins(kinds: Sequence[Pieces], machine: Machine) -> set[float]:
    """Return the times from which a machine may be busy longest: those of the best sets of groups.

    Of the groups with the longest tails, or with the latest heads, so many that their earliest head, plus
    their work, plus their shortest tail is largest; and all groups.
    """
    work = np.concatenate([machine.shares[pieces.task_type] * pieces.work for pieces in kinds])
    some = work > 0
    work = work[some]
    heads = np.concatenate([pieces.heads for pieces in kinds])[some]
    tails = np.concatenate([pieces.tails for pieces in kinds])[some]
    if len(work) == 0:
        return set()
    found = {float(heads.min())}
    for order in (np.argsort(-tails, kind="stable"), np.argsort(-heads, kind="stable")):
        first, last = (np.minimum.accumulate(each[order]) for each in (heads, tails))
        found.add(float(first[np.argmax(first + np.cumsum(work[order]) + last)]))
    return found
