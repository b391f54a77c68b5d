"""The Standard Workload Format: a job is a wide stage of equal maps."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs import wide_jobs
from core.logs.open_log import Imported, open_trace
from core.model.cluster import Cluster
from core.model.errors import InputError, TraceError, UnknownFormat
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP
from core.simulation.simulate import simulate
from tests.core.logs.packed import PACK

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def log(data: Path) -> Imported:
    return open_trace([data / "machine.swf"])


def opened(path: Path, rows: list[str], *header: str, **parameters: object) -> Imported:
    path.write_text("\n".join([*(f"; {line}" for line in header), *rows, ""]))
    return open_trace([path], parameters=parameters)


def row(
    number: int, submit: float, wait: float, run: float, processors: int, status: int = 1, **others: int
) -> str:
    """Write a job as the format has it."""
    asked, user, queue, partition = (others.get(name, -1) for name in ("asked", "user", "queue", "partition"))
    columns = (
        number,
        submit,
        wait,
        run,
        processors,
        -1,
        -1,
        asked,
        -1,
        -1,
        status,
        user,
        1,
        7,
        queue,
        partition,
    )
    return " ".join(map(str, (*columns, -1, -1)))


def test_a_job_is_as_many_maps_as_it_had_processors(log):
    jobs = {job.name: job for job in log.workload.jobs}
    assert list(jobs) == ["1", "2", "3", "5", "6", "7", "8"]
    # of 7 only how many it asked for is known
    assert [job.maps.count for job in jobs.values()] == [4, 2, 8, 6, 1, 3, 2]
    assert [float(job.maps.durations[0]) for job in jobs.values()] == [600, 500, 300, 90.5, 0, 500, 1000]
    assert [job.arrival for job in jobs.values()] == [0, 60, 120, 200, 300, 400, 500]
    assert all(job.reduces.count == 0 for job in jobs.values())


def test_users_and_queues_have_the_names_of_the_header(log):
    jobs = {job.name: (job.user, job.pool) for job in log.workload.jobs}
    assert jobs["1"] == ("user 1", "short")
    assert jobs["2"] == ("user 2", "long (up to a day)")
    assert jobs["7"] == ("", "default")
    assert log.workload.recorded.titles[0] == "program 1"


def test_what_was_left_out_and_what_failed_is_counted(log):
    report = log.report
    assert dict(report.jobs_left_out) == {
        "4": "no run (cancelled before it began)",
        "9": "no known run time",
        "10": "no known start, as others have",
    }
    assert {(note.job, note.what) for note in report.notes} == {
        ("3", "ended as failed"),
        ("5", "ended as cancelled"),
    }
    assert "2 lines tell parts of runs" in report.assumptions[0]
    assert (report.damage, report.tasks[MAP].attempts) == ((), {"succeeded": 26})


def test_the_machine_of_the_header_is_suggested_and_the_clock_is_of_1970(log):
    assert log.workload.cluster == Cluster(8, 0)
    assert log.report.started == 1_700_000_000_000
    assert "8" in log.report.cluster_reason
    assert log.report.recorded_makespan == 2400


def test_what_ran_is_the_recorded_history(log):
    recorded = history_schedule(log.workload, log.workload.recorded)
    third = recorded.workload.columns.job == 2
    assert set(zip(recorded.start[third], recorded.end[third], strict=True)) == {(600, 900)}
    assert recorded.makespan == 2400


def test_nodes_stand_for_processors_that_are_not_told(tmp_path):
    rows = [row(1, 0, 0, 10, 4)]
    assert opened(tmp_path / "log", rows, "MaxNodes: 12").workload.cluster == Cluster(12, 0)
    told = opened(tmp_path / "log", rows)
    assert told.workload.cluster == Cluster(4, 0)
    assert "ran at once" in told.report.cluster_reason
    small = opened(tmp_path / "log", rows, "MaxProcs: 3")
    assert small.workload.cluster == Cluster(4, 0)
    assert "the 3 slots that the log tells of do not explain them" in small.report.cluster_reason


def test_partitions_are_pools_where_no_job_has_a_queue(tmp_path):
    rows = [row(1, 0, 0, 9, 1, partition=2), row(2, 0, 0, 9, 1, partition=1), row(3, 0, 0, 9, 1)]
    jobs = opened(tmp_path / "log", rows, "Partition: 1 batch").workload.jobs
    assert [job.pool for job in jobs] == ["partition 2", "batch", "default"]


def test_a_log_that_does_not_know_how_jobs_ended_keeps_them(tmp_path):
    """As those of grids: the status is -1 everywhere, and the numbers of jobs have gaps."""
    report = opened(tmp_path / "log", [row(n, n, 1, 5, 1, -1) for n in (3, 7, 8)]).report
    assert (report.jobs_kept, report.notes) == (3, ())


def test_jobs_that_a_model_has_drawn_have_no_history(tmp_path):
    rows = [row(n, n, -1, 100, 2, -1) for n in range(4)]
    imported = opened(tmp_path / "log", rows, "MaxProcs: 6")
    assert imported.workload.recorded is None
    assert (imported.report.jobs_kept, imported.workload.cluster) == (4, Cluster(6, 0))
    assert imported.report.missing == {"starts of jobs (how they ran is not recorded)": 4}
    assert simulate(imported.workload, imported.workload.cluster, PolicyChoice("fifo")).makespan == 200


def test_damaged_rows_are_named_and_left_out(tmp_path):
    good = row(1, 0, 0, 10, 1)
    bad = [good + " 5", good[:-3], good.replace("10", "ten"), row(2, 0, 0, 1e13, 1), row(3, 0, 0, 1, 10**9)]
    bad += [good.replace("10", "nan"), good.replace("10", "inf")]
    rows = [good, bad[0], "", *bad[1:], row(4, 0, 0, 10, 1)]
    report = opened(tmp_path / "log", rows, "Version: 2.2", "MaxProcs: 8").report
    assert report.jobs_kept == 2
    assert [problem.where for problem in report.damage] == [f"log, line {n}" for n in (4, *range(6, 12))]
    assert [problem.rule.partition(";")[0] for problem in report.damage[:3]] == [
        "it has 19 columns, a job has 18",
        "it has 17 columns, a job has 18",
        "column 4 (run) is 'ten', which is no number",
    ]


def test_a_log_without_a_run_says_why(tmp_path):
    with pytest.raises(TraceError, match=r"1 has no run .cancelled before it began."):
        opened(tmp_path / "log", [row(1, 0, -1, -1, -1, 5)])
    with pytest.raises(TraceError, match="it holds no job"):
        opened(tmp_path / "log", [], "Version: 2.2", "MaxProcs: 7")
    with pytest.raises(UnknownFormat):
        opened(tmp_path / "log", [good[:-3] for good in [row(1, 0, 0, 1, 1)] * 3])


def test_a_slot_stands_for_several_processors_where_jobs_are_very_wide(tmp_path, monkeypatch):
    monkeypatch.setattr(wide_jobs, "FEW_TASKS", 100)
    rows = [row(n, n, 1, 5, 96) for n in range(4)]
    exact = opened(tmp_path / "log", rows, "MaxProcs: 1000")
    assert [job.maps.count for job in exact.workload.jobs] == [24] * 4
    assert exact.workload.cluster == Cluster(250, 0)
    assert exact.report.assumptions[0] == (
        "A slot stands for 4 processors (processors_per_slot), of which every job has a multiple."
    )
    assert exact.report.assumptions[0] in exact.workload.description
    rows += [row(9, 9, 1, 5, 1), row(10, 10, 1, 5, 40)]
    rounded = opened(tmp_path / "log", rows, "MaxProcs: 1000")
    assert [job.maps.count for job in rounded.workload.jobs] == [12] * 4 + [1, 5]
    assert "A slot stands for 8 processors" in rounded.report.assumptions[0]
    assert "1 jobs have no multiple of it" in rounded.report.assumptions[0]
    assert "processor time is 1.6% more than recorded" in rounded.report.assumptions[0]
    by_hand = opened(tmp_path / "log", rows, processors_per_slot=16)
    assert [job.maps.count for job in by_hand.workload.jobs] == [6] * 4 + [1, 3]


def test_processors_per_slot_that_give_too_many_tasks_are_refused(tmp_path):
    rows = [row(n, n, 1, 5, 8_000_000) for n in range(3)]
    with pytest.raises(InputError, match=r"processors_per_slot 1 gives 24000000 tasks .* give 250, or 0"):
        opened(tmp_path / "log", rows, processors_per_slot=1)
    assert opened(tmp_path / "log", rows).workload.cluster == Cluster(96_000, 0)


def test_a_machine_larger_than_any_cluster_does_not_make_slots_of_several_processors(tmp_path):
    imported = opened(tmp_path / "log", [row(n, n, 1, 5, 1) for n in range(3)], "MaxProcs: 150000")
    assert imported.report.tasks[MAP].kept == 3
    assert imported.workload.cluster == Cluster(100_000, 0)
    assert "its machine has 150000" in imported.report.cluster_reason


def test_a_start_in_a_far_future_is_none(tmp_path):
    late = opened(tmp_path / "log", [row(1, 5, 0, 5, 1), row(2, -1, 0, 5, 1)], "UnixStartTime: 999999999999")
    assert late.report.started == 5000


def test_logs_of_both_batch_systems_share_what_can_be_set(tmp_path, data):
    for name in ("machine.swf", "slurm.txt"):
        (tmp_path / name).write_bytes((data / name).read_bytes())
    imported = open_trace([tmp_path], parameters={"processors_per_slot": 2})
    assert [each.name for each in imported.report.parameters] == ["processors_per_slot"]
    assert imported.report.tasks[MAP].kept == (2 + 1 + 4 + 3 + 1 + 2 + 1) + (4 + 1 + 1 + 2 + 2 + 8 + 1)


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_packed_log_with_tabs_and_other_ends_of_lines_is_the_same(tmp_path, data, log, pack):
    text = (data / "machine.swf").read_bytes()
    body = b"\n".join(
        line if line.startswith(b";") else b"\t".join(line.split()) for line in text.split(b"\n")
    )
    (tmp_path / "log").write_bytes(pack(body.replace(b"\n", b"\r\n")))
    assert open_trace([tmp_path / "log"]).workload.jobs == log.workload.jobs


@pytest.mark.parametrize("seed", [1, 2])
def test_a_generated_log_against_an_independent_count(tmp_path, seed):
    """A machine of 64 processors, first come first served, by a loop over seconds."""
    drawn = random.Random(seed)
    jobs = [
        (
            drawn.randint(0, 400),
            drawn.choice([1, 2, 4, 8, 16, 64]),
            drawn.randint(1, 60),
            drawn.choice([1, 1, 1, 0, 5]),
        )
        for _ in range(60)
    ]
    jobs.sort()
    waiting, busy = list(enumerate(jobs, 1)), Counter[int]()
    running: list[tuple[int, int]] = []
    rows: dict[int, str] = {}
    for second in range(10_000):
        running = [(end, width) for end, width in running if end > second]
        while waiting and waiting[0][1][0] <= second:
            number, (submit, width, length, status) = waiting[0]
            if sum(each for _, each in running) + width > 64:
                break
            waiting.pop(0)
            never = status == 5 and length % 2 == 0
            rows[number] = row(
                number, submit, -1 if never else second - submit, -1 if never else length, width, status
            )
            running += [] if never else [(second + length, width)]
        busy[second] = sum(width for _, width in running)
    report = opened(tmp_path / "log", [rows[n] for n in sorted(rows)], "MaxProcs: 64").report
    kept = [(width, length, status) for _, width, length, status in jobs if status != 5 or length % 2]
    assert report.jobs_kept == len(kept)
    assert report.tasks[MAP].kept == sum(width for width, _, _ in kept)
    assert sum(note.count for note in report.notes) == sum(status != 1 for *_, status in kept)
    assert report.peaks == (max(busy.values()), 0)
    workload = open_trace([tmp_path / "log"]).workload
    assert float(workload.columns.duration.sum()) == sum(busy.values()) == sum(w * t for w, t, _ in kept)
    recorded = history_schedule(workload, workload.recorded)  # type: ignore[arg-type]
    starts = Counter(np.round(recorded.start).astype(int).tolist())
    assert sum(starts.values()) == report.tasks[MAP].kept
    assert len(recorded.workload.jobs) == len(kept)


def test_machines_of_which_one_has_no_calendar_are_not_put_together(tmp_path):
    rows = [row(1, 0, 0, 60, 1), row(2, 10, 0, 60, 1)]
    opened(tmp_path / "a.swf", rows, "UnixStartTime: 1600000000", "MaxProcs: 4")
    opened(tmp_path / "b.swf", rows, "MaxProcs: 4")
    with pytest.raises(InputError, match=r"of b\.swf count from 0, those of a\.swf from 1970"):
        open_trace([tmp_path])


def test_more_jobs_than_fit_are_refused_before_all_are_read(monkeypatch, data):
    monkeypatch.setattr("core.logs.swf.MAX_JOBS", 3)
    with pytest.raises(
        InputError, match="the log has more than 3 jobs, as many as fit in one workload; split it"
    ):
        open_trace([data / "machine.swf"])


def test_numbers_may_stand_apart_by_semicolons(tmp_path: Path) -> None:
    rows = [row(1, 0, 5, 60, 2), row(2, 30, 0, 90, 4)]
    plain = opened(tmp_path / "plain.swf", rows, "MaxProcs: 8")
    other = opened(tmp_path / "other.swf", [line.replace(" ", ";") for line in rows], "MaxProcs: 8")
    assert other.workload.jobs == plain.workload.jobs
    assert len(other.workload.jobs) == 2
