from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.charts.painted_rows import painted_rows
from core.charts.schedule_rows import (
    MAX_NODE_BANDS,
    PoolGroup,
    RowBand,
    band_names,
    bands_of,
    known_rows,
    matched_lanes,
    schedule_rows,
)
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.visible_text import short_names
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.gantt.geometry.chart_content import ChartContent, late_texts
from explorer.gantt.geometry.row_layout import MAX_GAPS, POOL_GAP, RowLayout
from explorer.gantt.layers.task_facts import task_facts
from explorer.panels.job_columns import row_texts
from tests.builders import make_job, run
from tests.core.charts.chart_builders import make_schedule, make_workload


@pytest.fixture(scope="module")
def rows():
    return schedule_rows(make_schedule(make_workload(jobs=4, slots=5)))


def test_rows_hold_every_task_once_in_the_order_of_its_slot(rows):
    schedule = rows.schedule
    assert sorted(rows.task.tolist()) == list(range(schedule.tasks))
    for slot in range(schedule.cluster.slots):
        low, high = rows.columns.offsets[slot : slot + 2]
        assert np.all(schedule.slot[rows.task[low:high]] == slot)
        assert np.all(np.diff(rows.columns.start[low:high]) >= 0)
        lengths = rows.columns.end[low:high] - rows.columns.start[low:high]
        assert rows.columns.shortest[slot] == lengths[lengths > 0].min(initial=np.inf)


def test_lanes_are_high_for_as_many_rows_as_any_chart_has_there(rows):
    more = schedule_rows(make_schedule(make_workload(jobs=4, slots=8)))
    containers = replace(rows, pools=(RowBand("CONTAINERS", "C", 0, 10),))
    lanes = matched_lanes([rows, containers, more])
    assert lanes == [{"MAP": 8, "REDUCE": 8}, {"CONTAINERS": 10}, {"MAP": 8, "REDUCE": 8}]
    of_pools = replace(rows, pools=tuple(replace(pool, group=0) for pool in rows.pools))
    assert matched_lanes([of_pools, rows]) == [{}, {"MAP": 5, "REDUCE": 5}]


def test_every_task_is_found_again_at_its_place(rows):
    assert [int(rows.task[rows.place_of(task)]) for task in range(rows.schedule.tasks)] == list(
        range(rows.schedule.tasks)
    )


def test_columns_say_job_kind_and_times(rows):
    tasks, schedule = rows.schedule.workload.columns, rows.schedule
    assert np.array_equal(rows.columns.code >> 1, tasks.job[rows.task])
    assert np.array_equal(rows.columns.code & 1, tasks.kind[rows.task])
    assert np.array_equal(rows.columns.shuffled, schedule.shuffled[rows.task])
    assert all(not column.flags.writeable for column in rows.columns)


def test_pools_are_views_of_the_whole(rows):
    maps, reduces = painted_rows(rows, None).pools
    assert len(maps.offsets) == len(reduces.offsets) == 6
    assert maps.start is rows.columns.start
    assert reduces.offsets[0] == maps.offsets[-1]


def test_waves_start_one_after_the_other(rows):
    for kind in (MAP, REDUCE):
        starts = rows.wave_starts(2 + kind)
        assert len(starts) == rows.waves(2 + kind).max()
        assert np.all(np.diff(starts) > 0)


def test_a_job_without_reduces_has_no_waves_of_them():
    jobs = (Job("J1", Stage.of(2, 3.0)),)
    found = schedule_rows(make_schedule(Workload("maps only", jobs, Cluster(1, 1))))
    assert len(found.wave_starts(REDUCE)) == 0
    assert found.wave_starts(MAP).tolist() == [0.0, 3.0]


def test_facts_of_a_filler():
    jobs = (Job("J1", Stage.of(2, [5.0, 10.0]), Stage.of(2, 8.0, 2.0, 6.0)),)
    found = schedule_rows(make_schedule(Workload("one", jobs, Cluster(2, 1, slowstart=0.5))))
    filler, typical = (task_facts(found, int(np.flatnonzero(found.task == task)[0])) for task in (2, 3))
    assert filler.title == "J1 · reduce 1 of 2"
    assert (filler.is_filler, typical.is_filler) == (True, False)
    assert (filler.start, filler.waited, filler.shuffled, filler.end) == (5.0, 10.0, 12.0, 20.0)
    assert dict(filler.lines()) == {
        "slot": "R1",
        "wave": "1",
        "start": "0:05",
        "end": "0:20",
        "waits for maps": "5 s",
        "first shuffle": "2 s",
        "shuffle hidden": "4 s of 6 s",
        "reduce": "8 s",
    }
    assert filler.note().startswith("filler")
    assert (typical.wave, dict(typical.lines())["shuffle"], typical.note()) == (2, "6 s", "")


def test_facts_of_one_task_among_many_under_a_pixel(rows):
    assert task_facts(rows, 0, sharing=7).note() == "7 tasks under this pixel"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("J1", "J2"), ("J1", "J2")),
        (("job_2010_0001", "job_2010_0002"), ("0001", "0002")),
        (("nightly-report", "nightly-load"), ("report", "load")),
        (("WordCount", "WikiTrends"), ("WordCount", "WikiTrends")),
        (("alone_in_the_world",), ("alone_in_the_world",)),
        (("same_prefix_", "same_prefix_x"), ("same_prefix_", "x")),
    ],
)
def test_names_lose_what_all_start_with(names, expected):
    assert short_names(names) == expected


def test_content_ends_with_its_latest_task_and_not_with_an_estimate():
    schedule = make_schedule(jobs=2)
    later = make_schedule(jobs=2, policy="johnson-reverse")
    content = ChartContent(schedule_rows(schedule), estimates=(("Max", 1e6),))
    assert content.end == schedule.makespan
    both = replace(content, ghost=schedule_rows(later))
    assert both.end == max(schedule.makespan, later.makespan)
    assert ChartContent().end == 0.0


def on_nodes(count: int) -> Cluster:
    return Cluster(0, 0, nodes=(NodeGroup(count, 2048, 2), NodeGroup(1, 4096, 4)))


def test_every_node_is_a_band() -> None:
    assert bands_of(on_nodes(2)) == (
        RowBand("NODE 1", "N1.", 0, 2),
        RowBand("NODE 2", "N2.", 2, 2),
        RowBand("NODE 3", "N3.", 4, 4),
    )


def test_rows_are_called_as_the_cluster_calls_them() -> None:
    cluster = on_nodes(3)
    names = [f"{pool.prefix}{row + 1}" for pool in bands_of(cluster) for row in range(pool.slots)]
    assert names == [cluster.slot_name(slot) for slot in range(cluster.slots)]


def test_too_many_nodes_share_a_band() -> None:
    (pool,) = bands_of(on_nodes(MAX_NODE_BANDS))
    assert (pool.first_slot, pool.slots) == (0, 2 * MAX_NODE_BANDS + 4)
    assert len(bands_of(on_nodes(MAX_NODE_BANDS - 1))) == MAX_NODE_BANDS


def test_many_nodes_lie_close_together() -> None:
    bands = bands_of(on_nodes(20))  # too many for strips
    assert RowLayout.of(bands, 400).gap == MAX_GAPS // (len(bands) - 1)
    crowded = RowLayout.of(bands_of(on_nodes(40)), 400)
    assert 0 < crowded.gap < POOL_GAP
    assert crowded.row_height * crowded.rows > 300


def test_unseen_letters_of_names_are_written_out():
    jobs = (Job("a\u200bb", Stage.of(1, 2.0), deadline=1.0), Job("c", Stage.of(1, 1.0)))
    schedule = simulate(Workload("two", jobs), Cluster(1, 0), PolicyChoice("fifo"))
    assert late_texts(schedule_rows(schedule))[0].startswith(r"a\u200bb late by")
    assert r"a\u200bb" in row_texts(jobs[0])


def test_rows_of_a_pool_of_jobs_have_its_name_behind_their_own():
    workload = Workload("w", (Job("J1", Stage.of(1, 1.0), Stage.of(1, 1.0)), Job("J2", Stage.of(1, 1.0))))
    pools = Partition((SlotPool("Large", 1, 1, ("J1",)), SlotPool("Small", 1, 0, ("J2",))))
    whole = simulate(workload, Cluster(2, 1), PolicyChoice("fifo"))
    apart = simulate(workload, Cluster(2, 1), PolicyChoice("fifo"), partition=pools)
    assert band_names(schedule_rows(whole)) == ("MAP", "REDUCE")
    assert sorted(band_names(schedule_rows(apart))) == ["MAP of Large", "MAP of Small", "REDUCE of Large"]


# ---- by hand: three jobs, of which B and C share a pool


@pytest.fixture(scope="module")
def shared():
    """A (10 s, then a reduce of 5 s) in pool P; B (20 s) and C (two of 0 and 4 s) in pool Q; 2 + 1 slots."""
    jobs = (
        make_job("A", (1, 10.0), (1, 5.0), pool="P"),
        make_job("B", (1, 20.0), pool="Q"),
        make_job("C", (2, [0.0, 4.0]), pool="Q"),
    )
    return run(Workload("w", jobs), Cluster(2, 1))


def test_when_jobs_end_and_their_waves_begin(shared):
    rows = schedule_rows(shared)
    assert rows.job_end.tolist() == [15.0, 20.0, 14.0]
    assert [rows.wave(task) for task in range(shared.tasks)] == [1, 1, 1, 1, 2]
    assert rows.wave_starts(4 + MAP).tolist() == [10.0, 10.0]
    assert rows.wave_starts(REDUCE).tolist() == [10.0]
    assert rows.wave_starts(2 + REDUCE).tolist() == []


def test_the_shortest_task_of_a_row_takes_some_time(shared):
    """The first map slot runs 10, 0 and 4 s, the second 20, the reduce slot 5; a fourth one nothing."""
    assert schedule_rows(shared).columns.shortest.tolist() == [4.0, 20.0, 5.0]
    idle = schedule_rows(run(shared.workload, Cluster(4, 2)))
    assert idle.columns.shortest.tolist() == [10.0, 20.0, np.inf, 4.0, 5.0, np.inf]
    quick = run(Workload("q", (make_job("A", (2, [0.5, 0.25])),)), Cluster(1, 0))
    assert schedule_rows(quick).columns.shortest.tolist() == [0.25]


def test_rows_by_pool_have_the_pools_jobs_and_ends(shared):
    rows = schedule_rows(shared, by_pool=True)
    assert rows.groups == (PoolGroup("P", 1, 15.0), PoolGroup("Q", 2, 20.0))
    assert [rows.group_of(job) for job in range(3)] == [0, 1, 1]
    assert band_names(rows) == ("MAP of P", "REDUCE of P", "MAP of Q")
    assert [(band.first_slot, band.slots, band.is_packed) for band in rows.pools] == [
        (0, 1, True),
        (1, 1, True),
        (2, 2, True),
    ]
    assert rows.is_grouped
    assert not rows.has_borrowed
    by_slot = schedule_rows(shared)
    assert (by_slot.groups, by_slot.is_grouped) == ((), False)
    assert [by_slot.group_of(job) for job in range(3)] == [-1, -1, -1]


def test_rows_of_a_partition_have_its_pools(shared):
    pools = Partition((SlotPool("Small", 1, 1, ("A",)), SlotPool("Large", 2, 0, ("B", "C"))))
    rows = schedule_rows(run(shared.workload, Cluster(3, 1), partition=pools))
    assert rows.groups == (PoolGroup("Small", 1, 15.0), PoolGroup("Large", 2, 20.0))
    assert [rows.group_of(job) for job in range(3)] == [0, 1, 1]
    assert rows.pools == (
        RowBand("MAP", "M", 0, 1, 0, 1),
        RowBand("MAP", "M", 1, 2, 1, 2),
        RowBand("REDUCE", "R", 3, 1, 0, 1),
    )
    one = Partition((SlotPool("All", 3, 1, ("A", "B", "C")),))
    assert schedule_rows(run(shared.workload, Cluster(3, 1), partition=one)).is_grouped


def test_what_rows_are_for():
    assert [band.own for band in bands_of(Cluster(1, 1))] == [MAP, REDUCE]
    assert [band.own for band in bands_of(Cluster(0, 0, containers=2))] == [2]


def test_the_row_of_a_slot_at_a_time(shared):
    """By pool, the first map slot is in the rows of P until 10 s, then in one of Q until 14 s."""
    by_slot, by_pool = schedule_rows(shared), schedule_rows(shared, by_pool=True)
    assert [by_slot.row_at(slot, 99.0) for slot in (-1, 0, 2, 3)] == [-1, 0, 2, -1]
    assert [by_pool.row_at(0, seconds) for seconds in (-1.0, 0.0, 9.0, 14.0, 14.1)] == [
        -1,
        0,
        0,
        int(by_pool.row[4]),
        -1,
    ]
    assert by_pool.row_at(2, 9.9) == -1
    assert by_pool.row_at(2, 10.0) == 1


def test_a_task_that_has_not_started_has_no_place(shared):
    rows = schedule_rows(shared)
    waiting = replace(rows, row=np.array([-1, *rows.row[1:]], np.int32))
    assert waiting.place_of(0) == -1
    assert [int(rows.task[waiting.place_of(task)]) for task in range(1, 5)] == [1, 2, 3, 4]


def test_rows_that_can_be_shown_together(shared):
    rows = schedule_rows(shared)
    more = schedule_rows(run(shared.workload, Cluster(5, 5)))
    assert (rows.fits(more), rows.is_alike(more)) == (True, True)
    assert not rows.is_alike(schedule_rows(run(shared.workload, Cluster(0, 0, containers=3))))
    two = replace(shared.workload, jobs=shared.workload.jobs[:2])
    assert not rows.fits(schedule_rows(run(two, Cluster(2, 1))))


def test_rows_are_sorted_once(shared):
    by_slot, by_pool = schedule_rows(shared), schedule_rows(shared, by_pool=True)
    known = (None, by_pool, by_slot)
    assert known_rows(shared, False, known) is by_slot
    assert known_rows(shared, True, known) is by_pool
    assert known_rows(None, True, known) is None
    other = run(shared.workload, Cluster(2, 1))
    fresh = known_rows(other, True, known)
    assert fresh not in known
    assert (fresh.schedule is other, fresh.by_pool is not None) == (True, True)
    pools = Partition((SlotPool("All", 2, 1, ("A", "B", "C")),))
    apart = schedule_rows(run(shared.workload, Cluster(2, 1), partition=pools))
    assert known_rows(apart.schedule, True, (apart,)) is apart  # its pools have slots of their own
