"""How good any schedule could be by other measures than its makespan: lower bounds, most of them weak.

Each stage of a job counts as work that is spread evenly over all slots, with the rest of its job before or
behind it (`core.optimize.stage_demands`): one machine that may change from job to job at any time. For one
machine much is known; what is best there, no schedule beats. Arrivals, every shuffle model, containers and
nodes are allowed for, lending and shared scans are not. A bound is weak where jobs have few tasks for many
slots, since they are not as short as their work spread over the slots.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from core.optimize.stage_demands import Demands
from core.optimize.windows import begins, numbers_of_window, window_bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.stage_demands import Pieces

    Floats = NDArray[np.float64]

ROUNDING = 1e-9
"""A deadline that is missed by so small a part of it is met."""
HALVINGS = 40
MAX_BEGINS = 16


def bound_of_mean_response(workload: Workload, cluster: Cluster) -> float:
    """Return seconds below which the mean time from arrival to departure cannot be; weak.

    The shortest remaining work first has the most jobs done at any time (Schrage 1968), so its k-th end is
    the earliest k-th end that there can be, and the sum of its ends the least. Jobs also have their tails
    behind their maps, and none ends before it would alone. Where jobs follow others, only the latter counts:
    later arrivals may make times shorter.
    """
    demands = Demands.of(workload, cluster)
    if len(workload.columns.links):
        return float((demands.ends - demands.arrival).mean())
    sums = [
        float(_shortest_first_ends(work, release).sum() + rest.sum())
        for work, release, rest in _stages_on_one_machine(demands)
    ]
    total = max([float((demands.ends).sum()), *sums])
    return (total - float(demands.arrival.sum())) / len(workload.jobs)


def bound_of_weighted_response(workload: Workload, cluster: Cluster) -> float:
    """Return seconds below which the mean response, each job by its weight, cannot be; weak.

    The most weight for its work first has the least weighted sum of mean busy times (Goemans, Queyranne,
    Schulz, Skutella and Wang 2002), and a job ends at least half its work after that. Where all jobs are
    there at the beginning, that is Smith's rule (1956) and the best one machine can do. Where jobs follow
    others, each counts alone.
    """
    demands, weight = Demands.of(workload, cluster), workload.columns.weight
    if len(workload.columns.links):
        return float((weight * (demands.ends - demands.arrival)).sum() / weight.sum())
    sums = [
        float((weight * (_mean_busy_times(work, release, weight) + work / 2 + rest)).sum())
        for work, release, rest in _stages_on_one_machine(demands)
    ]
    total = max([float((weight * (demands.ends)).sum()), *sums])
    return (total - float((weight * demands.arrival).sum())) / float(weight.sum())


def bound_of_tardiness(workload: Workload, cluster: Cluster) -> float:
    """Return seconds below which the tardiness of all jobs together cannot be; weak.

    The largest of three: (a) each job alone; (b) the tardiness of one job that no schedule avoids
    (`lateness_bound`); (c) the earliest k-th ends of `bound_of_mean_response` against the k-th deadlines: of
    all ways to give ends to deadlines, the first to the first is cheapest, since tardiness is convex (Hardy,
    Littlewood and Polya 1934).
    """
    demands, due = Demands.of(workload, cluster), workload.columns.deadline
    some = np.isfinite(due)
    if not some.any():
        return 0.0
    alone = np.maximum(demands.ends - due, 0.0).sum()
    found = [float(alone), max(lateness_bound(demands, due), 0.0)]
    for work, release, rest in _stages_on_one_machine(demands):
        ends = np.sort(_shortest_first_ends(work[some], release[some]))
        found.append(float(np.maximum(ends - np.sort((due - rest)[some]), 0.0).sum()))
    return max(found)


def bound_of_late_jobs(workload: Workload, cluster: Cluster) -> float:
    """Return how many jobs must miss their deadlines at least; weak where arrivals are spread.

    Those that would alone, and of the others as many as on one machine, where the rule of Moore and Hodgson
    (1968) is best: by deadlines, and whenever one would be late, the largest so far is given up. Only the
    jobs that arrive from some time on, as if all arrived then: the largest over some such times.
    """
    demands, due = Demands.of(workload, cluster), workload.columns.deadline * (1 + ROUNDING)
    lost = demands.ends > due
    some = np.isfinite(due) & ~lost
    more = [0]
    for work, release, rest in _stages_on_one_machine(demands):
        times = np.unique(release[some])
        for begin in times[:: max(1, len(times) // MAX_BEGINS)].tolist():
            here = some & (release >= begin)
            more.append(_late_on_one_machine(work[here], (due - rest)[here] - begin))
    return float(lost.sum() + max(more))


def bound_of_stretch(workload: Workload, cluster: Cluster, alone: Floats, until: float = np.inf) -> float:
    """Return a stretch that some job must have at least: its response by the time that it takes alone.

    If no job is to be stretched by more than s, each has a deadline, and `lateness_bound` may say that some
    job misses it. The s at which it does not is found by halving. Where jobs follow others, each counts
    alone.

    Parameters
    ----------
    alone : seconds that each job takes alone, (jobs,); those of 0 s are not stretched, nor those that never
        end
    until : the bound is of schedules alone that are over by then, s: every job is due then at the latest
    """
    demands = Demands.of(workload, cluster)
    some = (alone > 0) & np.isfinite(alone)
    if not some.any():
        return 0.0
    least = float(((demands.ends - demands.arrival)[some] / alone[some]).max())

    def is_too_small(stretch: float) -> bool:
        due = _due_by_stretch(demands, alone, stretch, until)
        return lateness_bound(demands, due) > ROUNDING * (1 + float(due[np.isfinite(due)].max()))

    if len(workload.columns.links) or not is_too_small(least):
        return least
    # with more than the most, `until` is all that jobs are due by
    most = float(((until - demands.arrival)[some] / alone[some]).max())
    low, high = least, 2 * max(least, ROUNDING)
    while high < most and is_too_small(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_too_small(middle) else (low, middle)
    return low


def proof_of_stretch(
    workload: Workload, cluster: Cluster, alone: Floats, stretch: float, until: float = np.inf
) -> dict[str, Any]:
    """Return the rule that proves a stretch, and its numbers; empty where each job alone proves it.

    Parameters
    ----------
    alone, until : as of `bound_of_stretch`
    stretch : what that returns
    """
    some = (alone > 0) & np.isfinite(alone)
    if not some.any() or len(workload.columns.links):
        return {}
    demands = Demands.of(workload, cluster)
    late, numbers = _lateness(demands, _due_by_stretch(demands, alone, stretch, until))
    return {"rule": "stretched", "stretch": stretch, "held": False, **numbers} if late > 0 and numbers else {}


def _due_by_stretch(demands: Demands, alone: Floats, stretch: float, until: float) -> Floats:
    """Return when jobs end at the latest that have no larger stretch and are over by a time, s, (jobs,)."""
    some = (alone > 0) & np.isfinite(alone)
    slope = np.where(some, alone, 0.0)
    return np.minimum(np.where(some, demands.arrival + stretch * slope, np.inf), until)


def lateness_bound(demands: Demands, due: Floats) -> float:
    """Return seconds by which some job must be late at least, below 0 if all may be early (Horn 1974).

    Behind the deadline of a job there is a tail up to the last deadline; if all cannot be over by then, some
    job is so late (Jackson 1955).

    Parameters
    ----------
    due : deadlines of the jobs, infinity for none, (jobs,)
    """
    return _lateness(demands, due)[0]


def _lateness(demands: Demands, due: Floats) -> tuple[float, dict[str, Any]]:
    """Return what `lateness_bound` does, and the numbers of its window; none where a job alone is so late."""
    some = np.isfinite(due)
    last = float(due[some].max())
    rest = np.where(some, last - due, 0.0)
    stages = [
        _only(replace(stage, tails=np.where(some, rest + stage.tails, 0.0)), some) for stage in demands.stages
    ]
    late = float((demands.ends - due)[some].max())
    numbers: dict[str, Any] = {}
    for machine in demands.machines:
        for begin in begins(stages, machine):
            window = window_bound(stages, machine, begin, last + late)
            if window.seconds - last > late:
                late, numbers = window.seconds - last, numbers_of_window(window, machine)
    return late, numbers


def _only(pieces: Pieces, some: NDArray[np.bool_]) -> Pieces:
    """Return the work of some groups; the others have none."""
    if some.all():
        return pieces
    return replace(
        pieces,
        fluid=np.where(some, pieces.fluid, 0.0),
        lengths=np.where(some[pieces.group], pieces.lengths, 0.0),
        work=np.where(some, pieces.work, 0.0),
        longest=np.where(some, pieces.longest, 0.0),
    )


def _stages_on_one_machine(demands: Demands) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield the jobs as work of one machine: its seconds, when it may begin, what follows, (jobs,) each.

    Each of their stages, with the others before and behind it; and where one machine runs several, all that
    it runs.
    """
    nothing = np.zeros(len(demands.arrival))
    for machine in demands.machines:
        works = []
        for stage in demands.stages:
            if share := machine.shares[stage.task_type]:
                works.append(stage.work * share)
                yield works[-1], stage.heads, stage.tails
        if len(works) > 1:
            yield sum(works[1:], works[0]), demands.arrival, nothing


def _runs(work: Floats, release: Floats, rank: Floats | None) -> Iterator[tuple[int, float, float]]:
    """Yield which job a machine runs from when to when; jobs that arrive may take it over.

    First is the smallest rank, or the smallest work that is left where there is none.
    """
    left, now = work.tolist(), 0.0
    ranks = left if rank is None else rank.tolist()
    waiting: list[tuple[float, int]] = []
    coming = np.argsort(release, kind="stable").tolist()
    releases = [*release[coming].tolist(), np.inf]
    for place, job in enumerate(coming):
        now = max(now, releases[place])
        heappush(waiting, (ranks[job], job))
        while waiting and now < releases[place + 1]:
            _, first = heappop(waiting)
            end = min(now + left[first], releases[place + 1])
            yield first, now, end
            # what is left of it is 0 if it could end, to the last bit
            left[first] = 0.0 if now + left[first] <= end else left[first] - (end - now)
            now = end
            if left[first] > 0:
                heappush(waiting, (ranks[first], first))


def _shortest_first_ends(work: Floats, release: Floats) -> Floats:
    """Return when jobs end on one machine with the shortest remaining work first, in s, (jobs,)."""
    ends = release.copy()
    for job, _, end in _runs(work, release, None):
        ends[job] = end
    return ends


def _mean_busy_times(work: Floats, release: Floats, weight: Floats) -> Floats:
    """Return the mean of the times at which each job runs, the most weight for its work first, (jobs,)."""
    busy = np.zeros(len(work))
    rank = -np.divide(weight, work, out=np.full(len(work), np.inf), where=work > 0)
    for job, begin, end in _runs(work, release, rank):
        busy[job] += (end - begin) * (begin + end) / 2
    return np.divide(busy, work, out=release.copy(), where=work > 0)


def _late_on_one_machine(work: Floats, due: Floats) -> int:
    """Return how many jobs are late at least on one machine, all there at 0 (Moore and Hodgson)."""
    kept: list[float] = []
    done = 0.0
    order = np.argsort(due, kind="stable")
    for seconds, limit in zip(work[order].tolist(), due[order].tolist(), strict=True):
        heappush(kept, -seconds)
        done += seconds
        if done > limit + ROUNDING * abs(limit):
            done += heappop(kept)
    return len(work) - len(kept)
