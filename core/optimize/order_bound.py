"""A bound over all orders in which few jobs may end, by a dynamic program over sets of them.

Take the jobs as they end in any schedule. When the k-th one ends, the first k are over: no sooner than any
schedule of these alone could be, and no sooner than the k-th by itself. With L(S) below the makespan of every
schedule of the jobs S alone, and costs that do not fall when a job ends later, no schedule costs less than

    V(all), with V(S) = min over j in S of V(S without j) + the cost of j at max(L(S), its earliest end).

Prices of slots let each job choose its end by itself, and prove as much as a mix of schedules costs; here one
order is chosen. That says more where tasks are few for the slots, so that whole waves count. The program is
Held and Karp's (1962); that prefixes of ends bound any such cost is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.optimize.stage_demands import Demands, stage_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts
    from core.optimize.stage_demands import Machine, Pieces

    Floats = NDArray[np.float64]

MAX_JOBS, MAX_SORTED = 12, 1_000_000
"""The most jobs; and so many tasks, those of all sets together, are looked at as whole ones."""
SURELY = 1 - 1e-12


def bound_of_orders(
    workload: Workload, cluster: Cluster, costs: JobCosts, of_last: float = 0.0, least: float = 0.0
) -> float:
    """Return what no schedule of jobs that do not follow others costs less than; 0 of more than few jobs.

    Parameters
    ----------
    of_last : what each second of the last end costs besides
    least : seconds that every schedule takes
    """
    jobs = len(workload.jobs)
    if jobs > MAX_JOBS:
        return 0.0
    demands = Demands.of(workload, cluster)
    ends = ends_of_sets(demands, has_two_stages=workload.columns.stages.are_map_reduce)
    ends[-1] = max(ends[-1], least)
    cheapest = np.zeros(1 << jobs)
    for each in range(1, 1 << jobs):
        inside = [j for j in range(jobs) if each >> j & 1]
        end = np.maximum(ends[each], demands.ends[inside]) * SURELY
        cheapest[each] = min(
            cheapest[each ^ 1 << j] + float(costs.at(j, e)) for j, e in zip(inside, end, strict=True)
        )
    came = float((costs.second * workload.columns.arrival).sum())
    return float(cheapest[-1] - came + of_last * ends[-1] * SURELY)


def ends_of_sets(demands: Demands, *, has_two_stages: bool) -> Floats:
    """Return when each set of jobs, by its bits, can be over at the earliest, s, (sets,).

    Parameters
    ----------
    has_two_stages : whether jobs are of maps and reduces, so that Johnson's order counts on typed slots
    """
    ends = _of_sets(demands.ends, np.maximum)
    for machine in demands.machines:
        stages = [(s, machine.shares[s.task_type]) for s in demands.stages if machine.shares[s.task_type]]
        if not stages:
            continue
        np.maximum(ends, _by_windows(stages, len(demands.ends)), out=ends)
        if machine.slots and len(ends) * sum(len(s.lengths) for s, _ in stages) <= MAX_SORTED:
            np.maximum(ends, _by_whole_tasks(stages, machine, len(demands.ends)), out=ends)
    if has_two_stages and len(demands.machines) == 2:
        for begin in np.unique(demands.arrival).tolist():
            np.maximum(ends, _by_johnson(demands, begin), out=ends)
    for j in range(len(demands.ends)):  # more jobs are not over sooner
        without, with_it = np.moveaxis(ends.reshape(-1, 2, 1 << j), 1, 0)
        np.maximum(without, with_it, out=with_it)
    return ends


def _of_sets(values: Floats, join: Callable[[Floats, Floats], Floats]) -> Floats:
    """Return what joins the values of each set, from 0 on, (sets,)."""
    found = np.zeros(1 << len(values))
    for j, value in enumerate(values):
        found[1 << j : 2 << j] = join(found[: 1 << j], value)
    return found


def _first_and_last(stages: list[tuple[Pieces, float]], jobs: int) -> tuple[Floats, Floats]:
    """Return when the first work of each job can begin, and what follows the last; infinity for none."""
    first, last = np.full((2, jobs), np.inf)
    for stage, _ in stages:
        some = np.bincount(stage.group, minlength=jobs) > 0
        first[some] = np.minimum(first, stage.heads)[some]
        last[some] = np.minimum(last, stage.tails)[some]
    return first, last


def _by_windows(stages: list[tuple[Pieces, float]], jobs: int) -> Floats:
    """Return when work can be over that may be cut, but not begin before it can, nor end later, (sets,)."""
    found = np.zeros(1 << jobs)
    first, last = _first_and_last(stages, jobs)
    for begin in np.unique(first[np.isfinite(first)]).tolist():
        left = [np.maximum(s.lengths - np.maximum(begin - s.heads, 0.0)[s.group], 0.0) for s, _ in stages]
        longest = np.zeros(jobs)
        for each, (stage, _) in zip(left, stages, strict=True):
            np.maximum.at(longest, stage.group, np.where(each > 0, each + stage.tails[stage.group], 0.0))
        longest = _of_sets(longest, np.maximum)
        for rest in np.unique(last[np.isfinite(last)]).tolist():
            due = np.zeros(jobs)
            for each, (stage, share) in zip(left, stages, strict=True):
                inside = np.clip(each + stage.tails[stage.group] - rest, 0.0, each)
                fluid = np.where((stage.heads >= begin) & (stage.tails >= rest), stage.fluid, 0.0)
                due += (np.bincount(stage.group, inside, jobs) + fluid) * share
            some = (longest > 0) & (longest >= rest)
            found = np.where(some, np.maximum(found, begin + _of_sets(due, np.add) + rest), found)
    return found


def _by_whole_tasks(stages: list[tuple[Pieces, float]], machine: Machine, jobs: int) -> Floats:
    """Return when whole tasks can be over, between what is before and behind all of them, (sets,)."""
    found = np.zeros(1 << jobs)
    first, last = _first_and_last(stages, jobs)
    tasks = [np.concatenate([s.lengths[s.group == j] for s, _ in stages]) for j in range(jobs)]
    for each in range(1, 1 << jobs):
        inside = [j for j in range(jobs) if each >> j & 1 and len(tasks[j])]
        if inside:
            busy = stage_bound(np.concatenate([tasks[j] for j in inside]), machine.slots)
            found[each] = first[inside].min() + busy + last[inside].min()
    return found


def _by_johnson(demands: Demands, begin: float) -> Floats:
    """Return when jobs that arrive from a time on can be over, each stage spread over its slots, (sets,)."""
    areas = [np.where(demands.arrival >= begin, each, 0.0) for each in demands.areas]
    order = sorted(
        range(len(areas[0])),
        key=lambda j: (
            areas[0][j] > areas[1][j],
            areas[0][j] if areas[0][j] <= areas[1][j] else -areas[1][j],
        ),
    )
    maps, reduces = (each[order] for each in areas)
    mapped, ended = _of_sets(maps, np.add), np.zeros(1 << len(order))
    sets = np.zeros(len(ended), np.int64)
    for place, j in enumerate(order):
        before, with_it = slice(0, 1 << place), slice(1 << place, 2 << place)
        sets[with_it] = sets[before] | 1 << j
        ended[with_it] = np.maximum(ended[before], mapped[with_it]) + reduces[place]
    found = np.zeros(len(ended))
    found[sets] = np.where(ended > 0, begin + ended, 0.0)
    return found
