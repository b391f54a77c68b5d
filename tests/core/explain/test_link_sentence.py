"""Every link of a chain in words, on schedules small enough to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.critical_path import Cause, Link, makespan_chain
from core.explain.link_sentence import link_sentence
from core.explain.start_cause import NOBODY
from core.model.cluster import Cluster
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def sentences(schedule: Schedule) -> list[str]:
    return [link_sentence(schedule, link) for link in makespan_chain(schedule).links]


def test_work_and_waiting_for_slots() -> None:
    assert sentences(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0)))[2:6] == [
        "map 1 of J4 waits for M1, held by map 1 of J3",
        "map 1 of J4 runs on M1",
        "reduce 1 of J4 reduces on R1",
        "reduce 1 of J5 waits for R1, held by reduce 1 of J4",
    ]


def test_a_filler_in_the_way() -> None:
    workload = make_workload(
        make_job("J1", (2, [1.0, 9.0]), (1, 5.0, 3.0)), make_job("J2", (0,), (1, 7.0), arrival=2.0)
    )
    assert sentences(run(workload, Cluster(1, 1, slowstart=0.5)))[2] == (
        "reduce 1 of J2 waits for R1, held by reduce 1 of J1, which waits for map 2 of J1 on M1"
    )


def test_slowstart_and_shuffle() -> None:
    workload = make_workload(make_job("J1", (4, 5.0), (1, 1.0, 0.0, 20.0)))
    cluster = Cluster(1, 1, slowstart=0.25, shuffle_model="overlap")
    assert sentences(run(workload, cluster)) == [
        "reduce 1 of J1 waits until enough maps of J1 are complete, here for map 1 of J1 on M1",
        "reduce 1 of J1 shuffles on R1",
        "reduce 1 of J1 reduces on R1",
    ]


def test_gaps() -> None:
    workload = make_workload(make_job("J1", (1, 2.0)), make_job("J2", (1, 4.0), arrival=10.0))
    schedule = run(workload, Cluster(1, 1))
    assert sentences(schedule)[0] == "J2 has not arrived yet"
    held = Link(0.0, 1.0, Cause.HELD, NOBODY, 1)
    assert link_sentence(schedule, held) == "The policy keeps map 1 of J2 waiting beside a free slot"
