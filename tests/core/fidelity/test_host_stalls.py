"""Host stalls: found where several jobs waited for a host beside free slots, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.fidelity import OWN, OWN_STALLS, check_fidelity
from core.fidelity.host_stalls import host_stalls
from core.fidelity.log_replays import LogReplays, Work, submitted_log
from core.model.circumstances import Stall
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.recorded_run import RecordedRun
from core.model.stages import Stage
from core.model.task_types import CLEANUP, MAP, REDUCE, SETUP
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[int, int, int, int, float, float]
"""Job, kind, task (-1 for none), host, start, end."""

DEFAULT: list[Row] = [
    # both hosts run two maps at once at the beginning: they have two slots each
    (0, SETUP, -1, 0, 1, 2),
    *((0, MAP, task, task % 2, 3, 8) for task in range(4)),
    (0, REDUCE, 0, 1, 8, 12),
    (0, CLEANUP, -1, 1, 12, 13),
]
STILL: list[Row] = [
    *DEFAULT,
    # job 1's setup and both later maps of job 2 wait until host 0 goes on at 200
    (1, SETUP, -1, 0, 200, 201),
    (1, MAP, 0, 0, 201, 203),
    (1, CLEANUP, -1, 1, 204, 205),
    (2, SETUP, -1, 1, 20, 21),
    (2, MAP, 0, 1, 22, 25),
    (2, MAP, 1, 0, 200, 203),
    (2, MAP, 2, 0, 201, 204),
    (2, CLEANUP, -1, 1, 204, 205),
]


def run_of(rows: Sequence[Row], jobs: int = 3) -> RecordedRun:
    job, kind, task, host, start, end = (np.array(column) for column in zip(*rows, strict=True))
    nothing = np.full(len(rows), np.nan)
    last = [max((row[5] for row in rows if row[0] == each), default=1.0) for each in range(jobs)]
    launch = np.array([0.0, 10.0, 18.0])[:jobs]
    return RecordedRun(
        jobs=tuple(f"J{each}" for each in range(jobs)),
        titles=("",) * jobs,
        hosts=("h0", "h1"),
        submit=launch - 1,
        launch=launch,
        finish=np.array(last, np.float64),
        job=job.astype(np.int32),
        kind=kind.astype(np.int8),
        task=task.astype(np.int32),
        counts=(task >= 0),
        outcome=np.zeros(len(rows), np.int8),
        host=host.astype(np.int32),
        start=start.astype(np.float64),
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=end.astype(np.float64),
    )


def test_a_host_stall_is_found_with_all_that_waited_for_it() -> None:
    (stall,) = host_stalls(run_of(STILL))
    assert (stall.host, stall.kind, stall.begin, stall.end) == ("h0", MAP, 3.0, 200.0)
    assert [STILL[attempt][:3] for attempt in stall.held] == [(1, SETUP, -1), (2, MAP, 1), (2, MAP, 2)]


def test_a_cleanup_that_starts_meanwhile_does_not_begin_the_stall_anew() -> None:
    # with its map slots taken by what it does not start, a host runs a cleanup on a reduce slot
    late = [*(row for row in STILL if row != DEFAULT[-1]), (0, CLEANUP, -1, 0, 60.0, 61.0)]
    (stall,) = host_stalls(run_of(late))
    # it can have been given the setup of job 1 since that was launched
    assert (stall.begin, stall.end, len(stall.held)) == (10.0, 200.0, 3)


REDUCES_STILL: list[Row] = [
    *DEFAULT,
    (2, SETUP, -1, 1, 20, 21),
    (2, MAP, 0, 1, 22, 25),
    *((2, REDUCE, task, 1, 25, 40) for task in range(2)),
    # two more of job 2 wait on host 0 from 25 on, whose maps go on
    (2, MAP, 1, 0, 30, 35),
    (1, SETUP, -1, 0, 60, 61),
    (1, MAP, 0, 0, 90, 95),
    (1, CLEANUP, -1, 0, 130, 131),
    *((2, REDUCE, task, 0, 205, 220) for task in (2, 3)),
    (2, CLEANUP, -1, 1, 220, 221),
]


def test_reduces_wait_for_a_host_whose_maps_go_on() -> None:
    # host 1 has three reduce slots, so one is free all the time
    before: list[Row] = [(0, REDUCE, 1, 0, 8, 9), *((0, REDUCE, task, 1, 8, 12) for task in (2, 3))]
    (stall,) = host_stalls(run_of([*REDUCES_STILL, *before]))
    assert (stall.host, stall.kind, stall.begin, stall.end) == ("h0", REDUCE, 8.0, 205.0)
    # alone they may have waited for something of their own
    alone = [row for row in REDUCES_STILL if row[:2] != (2, REDUCE) or row[3] == 0]
    assert host_stalls(run_of([*alone, *before])) == ()


def without(*changes: tuple[Row, Row | None]) -> list[Row]:
    """Return the rows with some replaced, or left out."""
    changed = dict(changes)
    return [new for row in STILL if (new := changed.get(row, row)) is not None]


BUSY: list[Row] = [(0, MAP, 10 + slot, 1, 25.0, 204.0) for slot in range(3)]


@pytest.mark.parametrize(
    "rows",
    [
        DEFAULT,
        # two waited, or all of one job of which none began elsewhere: they may have had their reasons
        without((STILL[-2], None)),
        [row if row[0] != 1 else (2, *row[1:]) for row in STILL if row[:4] != (2, MAP, 0, 1)],
        # the other host had no free slot either
        [*(row for row in STILL if row[:2] != (2, CLEANUP)), *BUSY],
        # it started something meanwhile
        [*STILL, (0, MAP, 9, 0, 100.0, 101.0), (0, MAP, 8, 0, 180.0, 181.0)],
    ],
    ids=["nothing", "two attempts", "one job", "busy", "not still"],
)
def test_other_waits_are_left_alone(rows: list[Row]) -> None:
    assert host_stalls(run_of(rows)) == ()


ONE_JOB: list[Row] = [
    (0, SETUP, -1, 0, 1, 2),
    *((0, MAP, task, task % 2, 3, 8) for task in range(6)),
    *((0, MAP, task, 1, 20, 24) for task in (6, 7)),
    # three more wait on host 0 from 8 on, beside the free slots of host 1
    *((0, MAP, task, 0, 200, 203) for task in (8, 9, 10)),
    # which are four
    *((0, MAP, task, 1, 210, 212) for task in range(11, 15)),
    (0, CLEANUP, -1, 1, 212, 213),
]


def test_a_host_stalls_with_tasks_of_one_job_alone() -> None:
    (stall,) = host_stalls(run_of(ONE_JOB, 1))
    assert (stall.host, stall.kind, stall.begin, stall.end) == ("h0", MAP, 3.0, 200.0)
    assert {ONE_JOB[attempt][2] for attempt in stall.held} == {8, 9, 10}
    assert host_stalls(run_of(ONE_JOB[1:], 1)) == (), "YARN gives a job containers of one host together"
    # of slots that the other host had none free; or its other maps show nothing, as they are late as well
    busy: list[Row] = [*ONE_JOB, *((0, MAP, 20 + slot, 1, 25.0, 204.0) for slot in range(4))]
    assert host_stalls(run_of(busy, 1)) == ()
    early = [row for row in ONE_JOB if row[1] != MAP or row[3] == 0 or row[4] > 200]
    assert host_stalls(run_of(early, 1)) == (), "no other map of its job shows that they could start"


def test_logs_without_hosts_or_times_have_none() -> None:
    run = run_of(STILL)
    assert host_stalls(replace(run, host=np.full_like(run.host, -1))) == ()
    assert host_stalls(replace(run, start=np.full_like(run.start, np.nan))) == ()


def still_workload() -> Workload:
    jobs = (
        Job("J0", Stage.of(4, 5.0), Stage.of(1, 4.0)),
        Job("J1", Stage.of(1, 2.0), arrival=9.0),
        Job("J2", Stage.of(3, 3.0), arrival=17.0),
    )
    return Workload("still", jobs, Cluster(4, 2), recorded=run_of(STILL))


def test_a_replay_lets_wait_what_waited() -> None:
    workload = still_workload()
    log = submitted_log(workload)
    # jobs arrive when submitted, a second before their launch
    assert log.stalls == (Stall(0, MAP, 4.0, 201.0),)
    replays = LogReplays(workload, "fifo", Work())
    overheads = replays.estimate.at(3.0)
    without_it, with_it = (replays.replay(overheads, knows_stalls=knows) for knows in (False, True))
    assert without_it.simulated.max() < 30
    assert with_it.simulated.max() > 150


def test_what_a_stall_hits_is_shown_over_many_phases() -> None:
    checked = check_fidelity(still_workload())
    own, stalled = map(checked.replay, (OWN, OWN_STALLS))
    assert own is not None
    assert own.spread is None
    assert stalled is not None
    assert stalled.spread is not None
    least, most = stalled.spread.mean_error
    assert least <= stalled.mean_error <= most
