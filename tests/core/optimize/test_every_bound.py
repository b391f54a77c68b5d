"""Each bound by its name on a case worked out by hand, where it says more than all others.

A bound that became weaker, or stronger than may be, has another value here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.nodes import NodeGroup, Request
from core.model.workload import Workload
from core.optimize.bounds import lower_bound, makespan_bound, refined_bound
from core.optimize.objective_bounds import (
    bound_of_late_jobs,
    bound_of_mean_response,
    bound_of_stretch,
    bound_of_tardiness,
    bound_of_weighted_response,
)
from core.optimize.objectives import Objective
from core.optimize.premise import Premise
from tests.builders import make_job, make_workload


def equal_jobs(count: int, *given: Any, **fields: Any) -> list[Job]:
    return [make_job(f"J{i}", *given, **fields) for i in range(count)]


HALF_DUE = [make_job("long", (1, 10.0)), make_job("short", (2, 5.0), (1, 6.0))]
"""On two map slots: six seconds before the end the short one's maps are over, 10 s of work, and of the long
one's map 4 s at least: 7 s of both slots, and 6 s."""
HALF_LEFT = [make_job("long", (0,), (1, 10.0)), make_job("short", (1, 6.0), (2, 5.0))]
"""The same backwards, on two reduce slots."""
IN_THE_MIDDLE = [*equal_jobs(5, (2, 1.0), (2, 2.0)), make_job("M", (2, 10.0), (2, 10.0))]
IN_THE_MIDDLE += [make_job(f"K{i}", (2, 2.0), (2, 1.0)) for i in range(5)]
"""Johnson's order: maps of the J in 5 s, of M in 15 s; then M's reduces, 10 s, and those of the K, 5 s."""


@pytest.mark.parametrize(
    ("jobs", "cluster", "seconds", "proof"),
    [
        # whole tasks: of five maps on two slots one runs the shortest three, 3 + 3 + 3 s
        # of three reduces one is behind another: 1 + 2 s as a filler, then 4 + 2 s
        (
            [make_job("J", (5, [4.0, 4.0, 3.0, 3.0, 3.0]), (3, 2.0, 1.0, 4.0), arrival=2.0)],
            Cluster(2, 2),
            2 + 9 + 3 + 6,
            {"rule": "alone"},
        ),
        (
            HALF_DUE,
            Cluster(2, 1),
            7 + 6,
            {"rule": "window", "slots": "maps", "rest": 6.0, "backwards": False},
        ),
        (
            HALF_LEFT,
            Cluster(1, 2),
            7 + 6,
            {"rule": "window", "slots": "reduces", "rest": 6.0, "backwards": True},
        ),
        # 12 s of maps come at 10 s, and of the map of 5 s that came at 7 s there are 2 s left then
        (
            [make_job("early", (1, 5.0), arrival=7.0), make_job("late", (12, 1.0), arrival=10.0)],
            Cluster(2, 0),
            10 + (12 + 2) / 2,
            {"rule": "window", "begin": 10.0},
        ),
        # four maps of 6 s on three slots: one runs two, and its job has a reduce of 2 s at least to do
        (equal_jobs(4, (1, 6.0), (1, 2.0)), Cluster(3, 4), 12 + 2, {"rule": "window", "slots": "maps"}),
        (equal_jobs(4, (1, 2.0), (1, 6.0)), Cluster(4, 3), 2 + 12, {"rule": "window", "backwards": True}),
        (IN_THE_MIDDLE, Cluster(2, 2), 15 + 10 + 5, {"rule": "two stages", "begin": 0.0}),
        # whose maps end first? A: 10 s, and 10 + 3 s of reduces. B: 7 + 3 s, but A's maps end at 12 s, + 10 s
        (
            [make_job("A", (1, 10.0), (2, 10.0)), make_job("B", (2, 7.0), (2, 3.0))],
            Cluster(2, 2),
            12 + 10,
            {"rule": "sets"},
        ),
        # each reduce holds the one slot for its typical shuffle, filler or not
        (
            equal_jobs(3, (1, 1.0), (1, 1.0, 0.0, 5.0)),
            Cluster(3, 1, shuffle_model="overlap"),
            3 * 6,
            {"rule": "window", "held": True},
        ),
        # all work in containers, 3 x 10 s on two; twelve maps on eight in two waves, and a reduce behind them
        (equal_jobs(3, (2, 2.0), (2, 3.0)), Cluster(0, 0, containers=2), 15, {"slots": "all"}),
        (equal_jobs(3, (4, 2.0), (1, 20.0)), Cluster(0, 0, containers=8), 2 + 2 + 20, {"rule": "window"}),
    ],
)
def test_makespan(jobs: list[Job], cluster: Cluster, seconds: float, proof: dict[str, Any]) -> None:
    bound = makespan_bound(make_workload(*jobs), cluster)
    assert bound.seconds == seconds
    assert {name: bound.proof.get(name) for name in proof} == proof


def test_makespan_of_jobs_that_come_later() -> None:
    """Johnson's order of all that come at 100 s; who came before is not counted."""
    later = [
        make_job(f"{job.name} later", (2, job.maps.durations), (2, job.reduces.durations), arrival=100.0)
        for job in IN_THE_MIDDLE
    ]
    bound = makespan_bound(make_workload(make_job("before", (1, 1.0), (1, 1.0)), *later), Cluster(2, 2))
    assert (bound.seconds, bound.proof["rule"], bound.proof["begin"]) == (130, "two stages", 100)


def test_makespan_refined_for_more_than_ten_jobs() -> None:
    """22 jobs take 88 s of maps, with 8 s behind them; the short one is the first or the last, not both."""
    jobs = [*equal_jobs(22, (2, 8.0), (2, 8.0)), make_job("short", (2, 4.0), (2, 4.0))]
    workload, cluster = make_workload(*jobs), Cluster(4, 4)
    assert makespan_bound(workload, cluster).seconds == 22 * 4 + 8
    refined = refined_bound(workload, cluster)
    assert (refined.seconds, refined.proof["rule"]) == (22 * 4 + 8 + 1, "early or late")
    # A and B as above, and nine of maps that take no time: their order makes no difference
    sets = [make_job("A", (1, 10.0), (2, 10.0)), make_job("B", (2, 7.0), (2, 3.0))]
    refined = refined_bound(
        make_workload(*sets, *(make_job(f"K{i}", (1, 0.0)) for i in range(9))), Cluster(2, 2)
    )
    assert (refined.seconds, refined.proof["rule"]) == (22, "sets")


def test_reduces_beyond_the_fillers_are_more_work() -> None:
    """Two jobs of four reduces of 1 s on two slots: of each two are fillers, two shuffle for 4 s."""
    jobs = equal_jobs(2, (1, 1.0), (4, 1.0, 0.0, 4.0))
    assert makespan_bound(make_workload(*jobs), Cluster(2, 2)).seconds == 1 + 2 * (4 + 8) / 2
    assert mean(jobs, Cluster(2, 2)) == (7 + 13) / 2


def test_makespan_from_when_the_longest_tails_come() -> None:
    """Ten maps from 0 s on, then two of 5 s at 10 s, each with 20 s of reduces behind it."""
    jobs = [
        *equal_jobs(10, (1, 1.0)),
        *(make_job(f"K{i}", (1, 5.0), (1, 20.0), arrival=10.0) for i in (0, 1)),
    ]
    bound = makespan_bound(make_workload(*jobs), Cluster(1, 2))
    assert bound.seconds == 10 + 10 + 20
    assert (bound.proof["begin"], bound.proof["rest"]) == (10, 20)


def test_makespan_with_shared_scans() -> None:
    """Two blocks of 2 s, half of which is each job's own: 2 s that two jobs share, and 2 s for each."""
    dataset = Dataset("d", 2, 2.0, 0.5)
    jobs = tuple(Job(f"J{i}", scan_stage(dataset), dataset="d") for i in range(2))
    workload = Workload("scans", jobs, datasets=(dataset,))
    assert lower_bound(workload, Cluster(1, 0), Premise(shares_scans=True)) == 6
    assert lower_bound(workload, Cluster(1, 0)) == 8
    assert lower_bound(workload, Cluster(1, 1), Premise(shares_scans=True, lends=True)) == 3


def test_makespan_on_lent_slots() -> None:
    """All 30 s of work on 2 + 2 slots."""
    workload = make_workload(*equal_jobs(3, (2, 2.0), (2, 3.0)))
    assert lower_bound(workload, Cluster(1, 3), Premise(lends=True)) == 30 / 4
    assert lower_bound(workload, Cluster(1, 3)) == 12 + 3


@pytest.mark.parametrize(
    ("maps", "reduces", "seconds"),
    [
        (Request(3, 1), Request(1, 1), 6 * 4 * 3 / 8),  # memory: a map holds 3 of 8
        (Request(1, 3), Request(1, 1), 6 * 4 * 3 / 10),  # cores
        (Request(1, 1), Request(1, 1), 4),  # each alone
    ],
)
def test_makespan_on_nodes(maps: Request, reduces: Request, seconds: float) -> None:
    nodes = Cluster(0, 0, nodes=(NodeGroup(2, 4, 5),), map_request=maps, reduce_request=reduces)
    assert lower_bound(make_workload(*equal_jobs(6, (1, 4.0))), nodes) == pytest.approx(seconds)


# ---- other measures


def mean(jobs: list[Job], cluster: Cluster) -> float:
    return bound_of_mean_response(make_workload(*jobs), cluster)


def test_mean_response() -> None:
    # maps at 1, 2 and 3 s, shortest first, and 4 s behind each
    assert mean(equal_jobs(3, (1, 1.0), (1, 4.0)), Cluster(1, 3)) == (5 + 6 + 7) / 3
    # reduces from 2 s on: at 5, 8 and 11 s; who comes later has the same response
    for arrival in (0.0, 1.0):
        jobs = equal_jobs(3, (1, 2.0), (1, 3.0), arrival=arrival)
        assert mean(jobs, Cluster(3, 1)) == (5 + 8 + 11) / 3
    # 10 s of work each on two containers
    assert mean(equal_jobs(3, (2, 2.0), (2, 3.0)), Cluster(0, 0, containers=2)) == (5 + 10 + 15) / 3
    # one job alone: 2 + 9 s, the other 1 s
    assert mean([make_job("A", (1, 2.0), (1, 9.0)), make_job("B", (1, 1.0))], Cluster(2, 2)) == (11 + 1) / 2
    # the long one waits while the short one runs: 2 to 4 s, then until 8 s
    jobs = [make_job("long", (1, 6.0)), make_job("short", (1, 2.0), arrival=2.0)]
    assert mean(jobs, Cluster(1, 0)) == (8 + 2) / 2


def weighted(jobs: list[Job], cluster: Cluster) -> float:
    return bound_of_weighted_response(make_workload(*jobs), cluster)


def test_weighted_response() -> None:
    # reduces of 6 and 3 s from 2 s on, the second first: at 5 and 11 s
    jobs = [make_job("A", (1, 2.0), (1, 6.0)), make_job("B", (1, 2.0), (1, 3.0), weight=2.0)]
    assert weighted(jobs, Cluster(2, 1)) == pytest.approx((11 + 2 * 5) / 3)
    # maps of 6 and 3 s, the second first: at 3 and 9 s, and 2 s more each
    jobs = [make_job("A", (1, 6.0), (1, 2.0)), make_job("B", (1, 3.0), (1, 2.0), weight=2.0)]
    assert weighted(jobs, Cluster(1, 2)) == pytest.approx((11 + 2 * 5) / 3)
    # the long one runs from 0 to 2 s and from 4 to 8 s, on average at 26 / 6 s, and half its work is 3 s
    jobs = [make_job("long", (1, 6.0)), make_job("short", (1, 2.0), arrival=2.0, weight=4.0)]
    assert weighted(jobs, Cluster(1, 0)) == pytest.approx((26 / 6 + 3 + 4 * (4 - 2)) / 5)
    assert weighted(jobs, Cluster(2, 0)) == pytest.approx((6 + 4 * 2) / 5)


def test_tardiness() -> None:
    alone = equal_jobs(2, (1, 5.0), (1, 5.0), deadline=7.0)
    assert bound_of_tardiness(make_workload(*alone), Cluster(2, 2)) == 2 * 3
    # one of both cannot be over before 13 s (see HALF_DUE)
    due = make_workload(*(replace(j, deadline=10.0) for j in HALF_DUE))
    assert bound_of_tardiness(due, Cluster(2, 1)) == 13 - 10
    # maps at 1, 2 and 3 s, 4 s behind each, against 5, 5 and 6 s
    each = [make_job(f"J{i}", (1, 1.0), (1, 4.0), deadline=5.0 + i // 2) for i in range(3)]
    assert bound_of_tardiness(make_workload(*each), Cluster(1, 3)) == 0 + 1 + 1
    # reduces at 5, 8 and 11 s against the same
    each = [make_job(f"J{i}", (1, 2.0), (1, 3.0), deadline=5.0 + i // 2) for i in range(3)]
    assert bound_of_tardiness(make_workload(*each), Cluster(3, 1)) == 0 + 3 + 5


def test_late_jobs() -> None:
    # maps by 8 - 3 s: one can be; also if all of it comes 10 s later
    for arrival in (0.0, 10.0):
        jobs = equal_jobs(3, (1, 4.0), (1, 3.0), arrival=arrival, deadline=arrival + 8)
        assert bound_of_late_jobs(make_workload(*jobs), Cluster(1, 3)) == 2
    # reduces from 2 s on, at 5, 8 and 11 s
    jobs = equal_jobs(3, (1, 2.0), (1, 3.0), deadline=8.0)
    assert bound_of_late_jobs(make_workload(*jobs), Cluster(3, 1)) == 1
    # two that are late alone, and one of the others
    jobs = [*jobs, *(make_job(f"K{i}", (1, 9.0), deadline=8.0) for i in range(2))]
    assert bound_of_late_jobs(make_workload(*jobs), Cluster(5, 1)) == 3


def test_stretch() -> None:
    """Of HALF_DUE: 10 and 11 s alone. For a stretch s all are over at 11 s, J1 by s sooner: 13 + s / 2."""
    alone = np.array([10.0, 11.0])
    for arrival in (0.0, 5.0):
        workload = make_workload(*(replace(job, arrival=arrival) for job in HALF_DUE))
        assert bound_of_stretch(workload, Cluster(2, 1), alone) == pytest.approx(13 / 10.5)
        assert bound_of_stretch(workload, Cluster(3, 1), alone) == 1


def test_mixes() -> None:
    workload: Workload = make_workload(*equal_jobs(3, (1, 4.0), (1, 3.0), deadline=8.0))
    cluster = Cluster(1, 3)
    parts = {"makespan": 15, "mean-response": (7 + 11 + 15) / 3, "tardiness": 3 + 7, "late-jobs": 2}
    for name, bound in parts.items():
        assert Objective.of(name).bound(workload, cluster) == pytest.approx(bound)
    assert Objective.of("deadlines-makespan").bound(workload, cluster) == 2e8 + 15
    mix = ",".join(f"{name}={weight}" for weight, name in enumerate(parts))
    assert Objective.of(mix).bound(workload, cluster) == pytest.approx(11 + 2 * 10 + 3 * 2)
