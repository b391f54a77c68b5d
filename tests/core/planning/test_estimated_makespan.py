"""Makespans without simulating: of pools, printed or capped, and where there is none."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.planning.estimated_makespan import estimate, estimate_of
from tests.builders import make_job, make_workload, run

WAVE = make_workload(make_job("J", (30, 4.0), (20, 2.0)))
"""One wave of either stage on 30 + 20 slots."""


def test_a_stage_in_one_wave_is_capped_unless_it_is_wanted_as_printed() -> None:
    """30 maps: low 4, up 29 · 4 / 30 + 4; 20 reduces: low 2, up 19 · 2 / 20 + 2. Alone they last 4 and 2."""
    schedule = run(WAVE, Cluster(30, 20), "johnson")
    assert estimate_of(schedule) == 6
    printed = (4 + 29 * 4 / 30 + 4) / 2 + (2 + 19 * 2 / 20 + 2) / 2
    assert estimate_of(schedule, is_capped=False) == pytest.approx(printed)
    assert estimate(WAVE, Cluster(30, 20)) == (6, 6)


@pytest.mark.parametrize(("seconds", "estimated"), [(1.0, 16.0), (40.0, 45.0)])
def test_pools_last_as_long_as_the_one_that_ends_last(seconds: float, estimated: float) -> None:
    """B and C, one after the other: maps of 5 s and 6 s, then 5 s of C. A alone: its map, then 5 s."""
    workload = make_workload(
        make_job("B", (1, 5.0), (1, 2.0)),
        make_job("A", (1, seconds), (1, 5.0)),
        make_job("C", (1, 6.0), (1, 5.0)),
    )
    pools = SlotPool("one", 1, 1, ("A",)), SlotPool("other", 1, 1, ("B", "C"))
    schedule = run(workload, Cluster(2, 2), partition=Partition(pools))
    assert estimate_of(schedule) == estimated


def test_the_slots_of_its_own_pool_count() -> None:
    """Two maps of 10 s: on two slots 10 s, on one 20 s; two reduces of 3 s likewise 3 s or 6 s."""
    workload = make_workload(make_job("A", (2, 10.0), (2, 3.0)), make_job("B", (1, 1.0), (1, 1.0)))
    for maps, reduces, estimated in ((2, 2, 13), (1, 2, 23), (2, 1, 16), (1, 1, 26)):
        pools = SlotPool("one", maps, reduces, ("A",)), SlotPool("other", 3 - maps, 3 - reduces, ("B",))
        assert estimate_of(run(workload, Cluster(3, 3), partition=Partition(pools))) == estimated


def test_a_policy_without_an_order_has_no_estimate() -> None:
    assert estimate_of(run(WAVE, Cluster(30, 20), "fair")) is None
    assert estimate_of(run(WAVE, Cluster(30, 20), "fifo")) == 6


def test_the_order_of_the_schedule_counts() -> None:
    """Maps 1 s and 9 s, reduces 9 s and 1 s: 11 s in this order, 19 s the other way round."""
    short, long = make_job("S", (1, 1.0), (1, 9.0)), make_job("L", (1, 9.0), (1, 1.0))
    for jobs, estimated in (((short, long), 11), ((long, short), 19)):
        assert estimate_of(run(make_workload(*jobs), Cluster(1, 1), "fifo")) == estimated
    assert estimate(make_workload(long, short), Cluster(1, 1)) == (11, 19)
