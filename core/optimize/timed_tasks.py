"""Schedules of few tasks, improved task by task: slots may idle for what comes, and any task goes first.

Due dates and slowstarts move all tasks of a stage together, and leave no slot idle while a task waits. Where
tasks are few and long for the slots, the best schedules do: reduces of a large job wait for those of small
ones that are about to come, and a few slots run all the short tasks, one wave more than the others. Here a
schedule is a list of all maps and one of all reduces, each task on the slot that is free first, and a time
for each stage before which it does not start. Lists and times are annealed (Kirkpatrick, Gelatt and Vecchi
1983); the starts of the best are a plan.
"""

from __future__ import annotations

import math
from heapq import heapreplace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.levers import MAX_PLACED, JobPlan, StagePlan
from core.model.plan import Plan
from core.optimize.plan_costs import value_of
from core.optimize.search_columns import why_no_passes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.plan_costs import Goal

    Floats = NDArray[np.float64]

MAX_JOBS = 12
RUN_TASKS, ROUNDS = 1_000_000, 5
"""Tasks that are run in all rounds together: half a second; each round begins with another list."""
TRIES_AT_ONCE = 20
HEAT, COLDER = 0.03, 0.01
"""The first temperature of a round, in parts of the value, and the last one in parts of the first."""
ALL_OF_STAGE, ONE_TASK, TWO_TASKS = 0.35, 0.6, 0.75
"""Up to which number drawn a try moves a stage's tasks, one task, or exchanges two; else a stage waits."""


class Lists(NamedTuple):
    """A schedule: tasks of both kinds in their order, and before which time each stage does not start, s."""

    tasks: tuple[list[int], list[int]]
    holds: tuple[list[float], list[float]]


class Ran(NamedTuple):
    """What lists cost, when map stages and jobs end, and when each task starts, s."""

    value: float
    stage_ends: list[float]
    ends: list[float]
    starts: list[float]


def may_time_tasks(workload: Workload, cluster: Cluster) -> bool:
    """Whether tasks are few enough, on typed slots that stay."""
    tasks, jobs = len(workload.columns.duration), len(workload.jobs)
    return 0 < tasks <= MAX_PLACED and jobs <= MAX_JOBS and not why_no_passes(workload, cluster)


class TimedTasks:
    """Schedules of a workload that are improved task by task.

    Parameters
    ----------
    goal : what a schedule costs, without guidance
    """

    def __init__(self, workload: Workload, cluster: Cluster, goal: Goal) -> None:
        columns, self._workload = workload.columns, workload
        shuffles = float(cluster.shuffle_model != "mumak")
        self._overlaps = cluster.shuffle_model == "overlap"
        self._slots, self._job = cluster.stage_slots, columns.job.tolist()
        self._tasks = [np.flatnonzero(columns.kind == kind).tolist() for kind in (0, 1)]
        self._duration, self._arrival = columns.duration.tolist(), columns.arrival.tolist()
        self._first = (shuffles * columns.first_shuffle).tolist()
        self._typical = (shuffles * columns.typical_shuffle).tolist()
        self._goal = goal._replace(**{f: getattr(goal, f).tolist() for f in ("mix", "weight", "deadline")})
        self._goal = self._goal._replace(must=goal.must.tolist(), alone=goal.alone.tolist())

    def improved(self, finish: Floats, known: Plan | None, seed: int) -> Iterator[Plan | None]:
        """Yield None every few tries, when it may be left alone for a while, and at last the best plan.

        Parameters
        ----------
        finish : when jobs end in a good schedule, s, (jobs,): lists begin in this order
        known : another plan to begin with, if it has starts
        """
        random, tries = Random(seed), RUN_TASKS // ROUNDS // max(1, len(self._job))
        begins = [self._in_order(finish, packs=packs) for packs in (False, True)]
        begins += [self._of_plan(known)] if known is not None and known.wakes else []
        best = min(begins, key=lambda each: self.run(each).value)
        for nth in range(ROUNDS):
            begin, heat = (begins[nth], HEAT) if nth < len(begins) else (best, HEAT / 2)
            for at, lists in enumerate(self._annealed(begin, heat, tries, random)):
                found = lists
                if at % TRIES_AT_ONCE == 0:
                    yield None
            best = min(best, found, key=lambda each: self.run(each).value)
        yield self._plan_of(self.run(self._sooner(best)))

    def run(self, lists: Lists) -> Ran:
        """Run lists: each task on the slot that is free first, or later if its stage has to wait."""
        job, stage_ends, starts = self._job, self._arrival[:], [0.0] * len(self._job)
        free = [0.0] * max(self._slots[0], 1)
        for i in lists.tasks[0]:
            starts[i] = begin = max(free[0], lists.holds[0][job[i]])
            end = begin + self._duration[i]
            heapreplace(free, end)
            stage_ends[job[i]] = max(stage_ends[job[i]], end)
        ends, free = stage_ends[:], [0.0] * max(self._slots[1], 1)
        for i in lists.tasks[1]:
            ready, first, typical = stage_ends[job[i]], self._first[i], self._typical[i]
            begin = max(free[0], lists.holds[1][job[i]])
            shuffled = begin + typical
            if begin < ready:
                filled = max(ready + first, shuffled) if self._overlaps else ready + first
                begin = begin if filled < ready + typical else ready  # which then is no later
                shuffled = filled if begin < ready else ready + typical
            starts[i], end = begin, shuffled + self._duration[i]
            heapreplace(free, end)
            ends[job[i]] = max(ends[job[i]], end)
        return Ran(value_of(self._arrival, ends, self._goal), stage_ends, ends, starts)

    def _in_order(self, finish: Floats, *, packs: bool) -> Lists:
        """Return lists of stages in the order of ends; in each the longest first, or in equal waves."""
        stages = self._workload.columns.stages
        lists: tuple[list[int], list[int]] = [], []
        for j in np.argsort(finish, kind="stable").tolist():
            for kind, slots in enumerate(self._slots):
                g = stages.begin[j] + kind
                tasks = range(stages.first[g], stages.first[g] + stages.count[g])
                own = sorted(tasks, key=lambda i: -self._duration[i] - self._typical[i])
                lists[kind].extend(_in_waves(own, self._duration, max(slots, 1)) if packs else own)
        return Lists(lists, (self._arrival[:], self._arrival[:]))

    def _of_plan(self, plan: Plan) -> Lists:
        """Return the lists of a plan that says when each task starts."""
        stages, starts = self._workload.columns.stages, [0.0] * len(self._job)
        holds: tuple[list[float], list[float]] = (self._arrival[:], self._arrival[:])
        of = {job.name: job for job in plan.jobs}
        for j, job in enumerate(self._workload.jobs):
            own = of.get(job.name, JobPlan(job.name))
            for kind, stage in enumerate(own.stages):
                g = stages.begin[j] + kind
                starts[stages.first[g] : stages.first[g] + len(stage.starts)] = stage.starts
                holds[kind][j] = min(stage.starts, default=self._arrival[j])
        maps, reduces = (sorted(tasks, key=starts.__getitem__) for tasks in self._tasks)
        return Lists((maps, reduces), holds)

    def _annealed(self, begin: Lists, heat: float, tries: int, random: Random) -> Iterator[Lists]:
        """Yield the best of lists on the way from some, at first and after each try."""
        best = lists = begin
        ran = self.run(lists)
        least = ran.value
        yield best
        for nth in range(tries):
            other = self._changed(lists, ran, random)
            tried = self.run(other)
            warm = heat * least * COLDER ** (nth / tries)
            if tried.value <= ran.value or random.random() < math.exp((ran.value - tried.value) / warm):
                lists, ran = other, tried
            if tried.value < least:
                best, least = other, tried.value
            yield best

    def _changed(self, lists: Lists, ran: Ran, random: Random) -> Lists:
        """Return lists with one change."""
        kind = int(random.random() < len(lists.tasks[1]) / len(self._job))
        own, choice, j = lists.tasks[kind], random.random(), int(random.random() * len(self._arrival))
        if choice >= TWO_TASKS:
            hold = lists.holds[kind][:]
            times = [self._arrival[j], self._arrival[j], *ran.stage_ends, *ran.ends]
            hold[j] = max(self._arrival[j], times[int(random.random() * len(times))])
            return lists._replace(holds=(hold, lists.holds[1]) if kind == 0 else (lists.holds[0], hold))
        if choice >= ONE_TASK:
            changed = own[:]
            one, other = (int(random.random() * len(own)) for _ in range(2))
            changed[one], changed[other] = own[other], own[one]
        else:
            moved = [i for i in own if self._job[i] == j] if choice < ALL_OF_STAGE else []
            moved = moved[: 1 + int(2 * random.random() * len(moved))] or [
                own[int(random.random() * len(own))]
            ]
            some = set(moved)
            changed = [i for i in own if i not in some]
            place = int(random.random() * (len(changed) + 1))
            changed[place:place] = moved
        return lists._replace(tasks=(changed, lists.tasks[1]) if kind == 0 else (lists.tasks[0], changed))

    def _sooner(self, lists: Lists) -> Lists:
        """Return lists in which no stage waits for nothing."""
        least = self.run(lists).value
        lists = lists._replace(holds=(lists.holds[0][:], lists.holds[1][:]))
        for hold in lists.holds:
            for j, arrival in enumerate(self._arrival):
                before, hold[j] = hold[j], arrival
                if self.run(lists).value > least:
                    hold[j] = before
        return lists

    def _plan_of(self, ran: Ran) -> Plan:
        """Return the plan that starts each task when it did."""
        stages = self._workload.columns.stages

        def stage(j: int, kind: int) -> StagePlan:
            g = stages.begin[j] + kind
            starts = tuple(ran.starts[stages.first[g] : stages.first[g] + stages.count[g]])
            return StagePlan(min(starts, default=0.0), "longest", starts=starts)

        jobs = self._workload.jobs
        return Plan(tuple(JobPlan(job.name, stage(j, 0), stage(j, 1), 0) for j, job in enumerate(jobs)))


def _in_waves(longest_first: list[int], duration: list[float], slots: int) -> Iterator[int]:
    """Yield tasks in the order of their starts where few slots run a wave more than others: the shortest."""
    waves, more = divmod(len(longest_first), slots)
    if waves == 0 or more == 0:
        yield from longest_first
        return
    split = len(longest_first) - (waves + 1) * more
    begun: list[tuple[float, int]] = []
    for own, width in ((longest_first[:split], slots - more), (longest_first[split:], more)):
        free = [0.0] * width
        for i in own:
            begun.append((free[0], i))
            heapreplace(free, free[0] + duration[i])
    yield from (i for _, i in sorted(begun))
