"""Every reader gets back what was written in its format, from the jobs down to each attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.logs.open_log import open_trace
from core.logs.readers import READERS
from core.model.task_types import MAP, REDUCE
from tests.core.logs.typed_tasks import counts_of, durations_of
from tests.core.logs.written_logs import WRITERS, RanJob, draw_jobs

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.job import Job

SEEDS = (1, 2, 3)
WITHOUT_TASKS = {"swim", "swf", "sacct", "sacct-json", "alibaba"}
OF_OTHER_STAGES = {"wfformat", "nextflow"}
"""Formats of workflows, which have no maps and reduces; their own tests write random graphs and read them."""


def id_of(writer: str) -> str:
    """Return the id of the reader that a writer is for; behind it may stand one of several forms."""
    return writer.partition(" ")[0]


def test_every_reader_of_tasks_has_a_writer():
    assert {reader.id for reader in READERS} == {*map(id_of, WRITERS), *WITHOUT_TASKS, *OF_OTHER_STAGES}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reader", WRITERS)
def test_jobs_come_back(tmp_path: Path, reader: str, seed: int):
    written = draw_jobs(seed)
    WRITERS[reader](written, tmp_path)
    imported = open_trace([tmp_path])
    report, jobs = imported.report, imported.workload.jobs
    assert report.format == next(each.title for each in READERS if each.id == id_of(reader))
    assert (report.damage, report.jobs_left_out, report.clamped) == ((), (), {})
    assert (report.tasks[MAP].kept, report.tasks[REDUCE].kept) == (
        sum(len(job.maps) for job in written),
        sum(len(job.reduces) for job in written),
    )
    assert len(jobs) == len(written)
    for job, ran in zip(jobs, written, strict=True):
        check_job(job, ran, reader)


def check_job(job: Job, ran: RanJob, reader: str) -> None:
    """Compare a job that was read with what was written."""
    assert job.pool == ran.pool
    name = f"dag_{ran.id}_1" if id_of(reader) == "tez" else f"job_{ran.id}"
    assert reader == "spark" or (job.name, job.user) == (name, ran.user)
    assert bool(job.after) or job.arrival == pytest.approx(ran.submit / 1000)
    assert durations_of(job, MAP) == pytest.approx([(t.end - t.start) / 1000 for t in ran.maps])
    assert counts_of(job) == [len(ran.maps), len(ran.reduces)]
    if not ran.reduces:
        return
    # a log of the load simulator says nothing of shuffles: they end when they can begin
    shuffled = [max(t.start, ran.map_end) if reader == "sls" else t.shuffled for t in ran.reduces]
    phases = [(t.end - fetched) / 1000 for t, fetched in zip(ran.reduces, shuffled, strict=True)]
    assert durations_of(job, REDUCE) == pytest.approx(phases)
    pairs = list(zip((t.start for t in ran.reduces), shuffled, strict=True))
    is_barrier = reader == "spark"  # its reduces start when all maps have ended
    first = [(end - ran.map_end) / 1000 for start, end in pairs if start < ran.map_end and not is_barrier]
    typical = [(end - start) / 1000 for start, end in pairs if start >= ran.map_end or is_barrier]
    for samples, expected in (
        (job.stages[-1].first_shuffle, first or typical),
        (job.stages[-1].typical_shuffle, typical or first),
    ):
        assert np.resize(samples, len(expected)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("reader", WRITERS)
def test_what_ran_comes_back(tmp_path: Path, reader: str):
    written = draw_jobs(4)
    WRITERS[reader](written, tmp_path)
    run = open_trace([tmp_path]).workload.recorded
    assert run is not None
    ran = [(j, task) for j, job in enumerate(written) for _, _, _, task in job.tasks()]
    assert run.job.tolist() == [j for j, _ in ran]
    assert [run.hosts[host] for host in run.host] == [task.host for _, task in ran]
    assert run.start.tolist() == pytest.approx([task.start / 1000 for _, task in ran])
    assert run.end.tolist() == pytest.approx([task.end / 1000 for _, task in ran])
    assert run.counts.all()
