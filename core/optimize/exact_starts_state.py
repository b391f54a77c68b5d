"""What the search of the best starts of a few tasks knows of them, and how far it is: columns alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from core.optimize.plan_costs import Goal

INF = float("inf")
DEPTH, NODES, KNOWN = 0, 1, 2
"""What `StartSearch.at` counts: steps of the schedule that is looked at, states looked at and kept."""
TOO_LITTLE = 1e-10
"""The part of a value that a schedule has to be below it by to count as better."""
NEXT_INSTANT, ENDS_STAGE, STARTS, STARTS_LATE = 0, 1, 2, 3
"""What a step does, in `StartSearch.what`."""


class FewTasks(NamedTuple):
    """The tasks, maps before reduces, likely good ones first, (tasks,) each; and jobs, (jobs,) each.

    Attributes
    ----------
    goal : what a schedule costs
    count : how many tasks each job has, (jobs,)
    maps : how many of the tasks are maps, (1,)
    job : of each task
    early : seconds that a task takes after its job's map stage if it holds a slot by then; of maps all
    late : seconds that it takes if it starts later; of maps all
    first, typical, duration : seconds of its shuffles, and then
    twin : an equal task of the same stage that has to start first, or -1
    arrival : of each job
    maps_of, reduces_of : the bits of its tasks
    tail : seconds that it takes at least from the end of its map stage on
    by_tail : the jobs, those with the longest tails first
    may_hold : whether its map stage may be worth a delay
    overlaps : whether a filler's shuffle takes its typical time at least, (1,)
    """

    goal: Goal
    count: Any
    maps: Any
    job: Any
    early: Any
    late: Any
    first: Any
    typical: Any
    duration: Any
    twin: Any
    arrival: Any
    maps_of: Any
    reduces_of: Any
    tail: Any
    by_tail: Any
    may_hold: Any
    overlaps: Any


class StartSearch(NamedTuple):
    """How far the search is; all of it is written.

    Attributes
    ----------
    at : see DEPTH, NODES and KNOWN, (3,)
    next, first : the choice to try next at each depth, and the first one, (depths,)
    time : the instant, (depths,)
    left : bits of the tasks that have not started, (depths,)
    over : bits of the jobs whose map stage has ended, (depths,)
    left_before, over_before : the same at the end of the instant before, (depths,)
    began : bits of the reduces that started at this instant, (depths,)
    finish : when the last task of each job ends so far, (depths, jobs)
    map_free, map_job : when each map slot is free, and whose map it ran last, (depths, map slots)
    reduce_free : when each reduce slot is free, (depths, reduce slots)
    fillers : bits of the jobs of which a filler began on it at this instant, (depths, reduce slots)
    map_end : when the last started map of each job ends, (depths, jobs)
    stage_end : when its map stage has ended, (depths, jobs)
    what, whose, slot : the step that led to each depth: of NEXT_INSTANT …, which task or job, on which slot
    makespan : of the best schedule, (1,)
    limit : value that a schedule has to be below; and what is low enough, (2,)
    found, length : the steps of the best schedule, (3, depths), and how many they are, (1,)
    heads, ends : of jobs, when their reduces may start, and they end, at the earliest, (jobs,)
    buckets, following, keys, states : states that were looked at: the first of each bucket, the one behind
        each, its `left` and `over`, (kept, 2), and its times, (kept, times)
    """

    at: Any
    next: Any
    first: Any
    time: Any
    left: Any
    over: Any
    left_before: Any
    over_before: Any
    began: Any
    finish: Any
    map_free: Any
    map_job: Any
    reduce_free: Any
    fillers: Any
    map_end: Any
    stage_end: Any
    what: Any
    whose: Any
    slot: Any
    makespan: Any
    limit: Any
    found: Any
    length: Any
    heads: Any
    ends: Any
    buckets: Any
    following: Any
    keys: Any
    states: Any
