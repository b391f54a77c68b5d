"""The jobs of a certificate as columns, for `core.verify.check`: which stages and jobs wait for which."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MAX = 1e15


class Graphs(NamedTuple):
    """The stages of all jobs in their order: job, kind of slots, tasks; and which of them wait for which."""

    job: NDArray[np.int64]
    kind: NDArray[np.int64]
    tasks: NDArray[np.int64]
    parent: NDArray[np.int64]
    child: NDArray[np.int64]

    @classmethod
    def of(cls, jobs: dict[str, Any]) -> Graphs:
        """Read them; where none are given, each job has maps, and reduces that wait for them."""
        number = len(jobs["arrival"])
        if "stages" not in jobs:
            both = [column_of(jobs[f], f"jobs.{f}", number, whole=True) for f in ("maps", "reduces")]
            first = 2 * np.arange(number)
            kind = np.tile([0, 1], number)
            return cls(np.repeat(np.arange(number), 2), kind, np.stack(both, 1).ravel(), first, first + 1)
        stages, edges = jobs["stages"], jobs["edges"]
        count, waits = len(stages["job"]), len(edges["parent"])
        most = {"job": number - 1, "kind": 1, "tasks": MAX}
        given = [column_of(stages[f], f"stages.{f}", count, m, whole=True) for f, m in most.items()]
        ends = [column_of(edges[f], f"edges.{f}", waits, count - 1, whole=True) for f in ("parent", "child")]
        found = cls(*given, *ends)
        wrong = (found.parent >= found.child) | (found.job[found.parent] != found.job[found.child])
        if (np.diff(found.job) < 0).any() or wrong.any():
            raise ValueError("stages do not lie job by job, or one waits for a later one or another job's")
        return found

    def latest(self, start: Floats, takes: Floats, *, backwards: bool = False) -> Floats:
        """Return the latest of each stage's start and of when those that it waits for are over, (stages,).

        Each takes some seconds from then on. Backwards it is those that wait for it.
        """
        after, before = (self.parent, self.child) if backwards else (self.child, self.parent)
        latest, order = start.copy(), np.argsort(-after if backwards else after, kind="stable")
        steps = zip(after[order].tolist(), before[order].tolist(), strict=True)
        for stage, other in steps:  # what a stage waits for comes before it, so it is known by then
            latest[stage] = max(latest[stage], latest[other] + takes[other])
        return latest


class Links(NamedTuple):
    """Which job follows which, and the seconds from the end of the one to the arrival of the other."""

    before: NDArray[np.int64]
    follower: NDArray[np.int64]
    think: Floats

    @classmethod
    def of(cls, given: Any, tasks: NDArray[np.int64]) -> Links:  # Any: a JSON value, or None
        """Read them; `tasks` are the numbers of tasks of the jobs."""
        columns = given or {"before": [], "follower": [], "think": []}
        count, most, ends = len(columns["think"]), len(tasks) - 1, ("before", "follower")
        before, follower = (column_of(columns[f], f"links.{f}", count, most, whole=True) for f in ends)
        if not tasks[before].all():
            raise ValueError("a job is followed that has no task")
        return cls(before, follower, column_of(columns["think"], "links.think", count))

    def arrivals(self, fixed: Floats, finish: Floats) -> Floats:
        """Return when jobs come by when those that they follow end, and not before their own time."""
        came = fixed.copy()
        np.maximum.at(came, self.follower, finish[self.before] + self.think)
        return came

    def earliest(self, fixed: Floats, alone: Floats) -> Floats:
        """Return when jobs come if each takes no longer than it does alone."""
        came = fixed
        for _ in range(len(fixed) + 1):
            before, came = came, self.arrivals(fixed, came + alone)
            if np.array_equal(before, came):
                return came
        raise ValueError("jobs follow one another in a circle")

    def rest(self, alone: Floats) -> Floats:
        """Return the least time that has to follow each job; worked out from the last followers backwards."""
        return self._replace(before=self.follower, follower=self.before).earliest(0 * alone, alone)


def column_of(values: Any, name: str, length: int, most: float = MAX, *, whole: bool = False) -> NDArray[Any]:
    """Return a list of so many numbers from 0."""
    if not isinstance(values, list) or len(values) != length or not {*map(type, values)} <= {int, float}:
        raise ValueError(f"{name}: no list of {length} numbers")
    column = np.array(values, float)
    if not ((column >= 0) & (column <= most)).all() or (whole and (column % 1).any()):
        raise ValueError(f"{name}: a value is no {'whole ' * whole}number from 0")
    return column.astype(np.int64) if whole else column


def why_unreadable(error: Exception) -> str:
    """Return in a few words why a document cannot be read, of what was raised when it was."""
    if isinstance(error, KeyError):
        return f"the field {error.args[0]!r} is missing"[:300]
    if type(error) is ValueError:
        return str(error)[:300]
    return "a field has a value of another kind than it needs, as text for a number"
