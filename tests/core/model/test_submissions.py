"""Jobs that were submitted as earlier ones ended: on times by hand, small logs, real ones, and by chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.files.open_workload import open_workload
from core.files.samples import load_sample, sample_paths
from core.files.workload_document import read_workload
from core.files.workload_writing import write_workload
from core.model.job import Link
from core.model.recorded_run import RecordedRun
from core.model.submissions import are_chained, follow_one_another
from tests.builders import make_job, make_workload
from tests.paths import DATA, HAND_WRITTEN, TRACES

NAN = float("nan")
CHAINED = {"tez-history.txt"}
"""Of the logs by hand: a session whose second DAG comes 2 s after the end of the first."""
CHAINED_APPLICATIONS = ("chain", "cpus2", "fifo4", "iterate", "skew", "sql", "sqlfix")
"""Of the applications that a real Spark ran; "dag" is a single job, "fifo4" has four drivers."""


@pytest.mark.parametrize(
    ("submit", "finish", "follow"),
    [
        ([0, 11, 23, 36], [10, 22, 34, 46], True),  # one driver that thinks 1 to 2 s
        ([0, 40, 80], [10, 50, 90], False),  # rare jobs meet nobody
        ([0, 0, 0], [10, 20, 30], False),  # a batch
        ([0, 5, 9], [10, 20, 30], False),  # each meets another
        ([0, 10.5], [10, 20], True),  # a half second after 10 s
        ([0, 14], [10, 24], False),  # two jobs, and a wait as long as some that come by chance
        ([0, 0, 10.5, 11.5, 21, 22.5], [10, 11, 20, 22, 31, 32], True),  # two drivers
        ([0, 0, 10.5, 11.5, 21, 22.5], [10, 30, 20, 41, 31, 52], False),  # a third is there at times
        ([0, 10, 20, NAN], [10, 20, 30, 40], True),  # one comes as the other goes; a time not known
        ([0, 20], [33, 20], False),  # in no time, while another runs
        ([5], [10], False),
        ([], [], False),
    ],
)
def test_the_rule_on_times_by_hand(submit, finish, follow):
    assert are_chained(np.array(submit, float), np.array(finish, float)) is follow


def test_a_driver_that_thinks_long_is_known_by_many_jobs():
    submit = np.linspace(0, 2360, 60)
    finish = np.linspace(30, 2390, 60)
    assert are_chained(submit, finish)  # 10 s each time, and never two at once
    assert not are_chained(submit[:3], finish[:3])


@pytest.mark.parametrize("load", [0.1, 0.5, 0.9])
def test_jobs_that_come_when_they_like_hardly_ever_seem_to_follow(load):
    random, wrong = np.random.default_rng(1), 0
    for _ in range(200):
        jobs = int(random.integers(2, 30))
        seconds = random.lognormal(3, 1, jobs)
        submit = np.cumsum(random.exponential(seconds.mean() / load, jobs))
        wrong += are_chained(submit, submit + seconds)
    assert wrong <= 4


@pytest.mark.parametrize("path", HAND_WRITTEN, ids=lambda path: path.name)
def test_small_logs(path):
    if path.suffix != ".csv" or "alibaba" in path.name:  # a table of unknown columns has to be described
        assert follow_one_another(open_workload(path).workload) is (path.name in CHAINED)


def real_logs():
    if not TRACES.exists():
        return []
    names = ("*.json", "*.json.gz", "*.jsonl", "*.tsv", "*eventlog.gz", "*.jhist")
    apart = ["facts", "topology", "nodes", "syn", "FAILED", "confs", "test_workload", "Placeholder"]
    apart += ["FB-2010", "FB-2009_samples_24_times_1hr_0."]  # thousands of jobs
    found = {path for name in names for path in TRACES.rglob(name) if not any(w in path.name for w in apart)}
    return sorted(found)


@pytest.mark.parametrize("path", real_logs(), ids=lambda path: path.name)
def test_real_logs(path):
    """Those of real drivers follow without their links; GridMix's and SWIM's batches and single jobs do not.

    With their links, they come when they would come in any run.
    """
    workload = open_workload(path).workload
    assert not follow_one_another(workload)
    is_chained = path.name.startswith(tuple(f"{name}-N" for name in CHAINED_APPLICATIONS))
    assert follow_one_another(without_links(workload)) is is_chained


def without_links(workload):
    """Return a workload whose jobs come when their log says."""
    if workload.recorded is None:
        return workload
    submit = dict(zip(workload.recorded.jobs, workload.recorded.submit.tolist(), strict=True))
    cut = (replace(job, after=(), arrival=submit[job.name]) if job.after else job for job in workload.jobs)
    return replace(workload, jobs=tuple(cut))


def make_run(names, submit, finish):
    """Return what a log recorded of jobs, without their attempts."""
    times = {"submit": np.array(submit), "launch": np.array(submit), "finish": np.array(finish)}
    columns: dict[str, Any] = {
        name: np.zeros(0, np.int32) for name in ("job", "kind", "task", "counts", "outcome", "host")
    }
    columns |= {name: np.zeros(0) for name in ("start", "shuffle_end", "sort_end", "end")}
    return RecordedRun(**{"jobs": tuple(names), "titles": ("",) * len(names), "hosts": ()} | times | columns)


def test_applications_that_follow_one_another_do_although_their_jobs_are_linked():
    """Twenty applications of two jobs each, 10 s and a second of thinking: only their first jobs count."""
    jobs, submit, finish = [], [], []
    for i in range(20):
        begin = 25.0 * i
        jobs.append(make_job(f"A{i}", (1, 10.0), arrival=begin))
        jobs.append(replace(make_job(f"B{i}", (1, 10.0)), after=(Link(f"A{i}", 1.0),)))
        submit += [begin, begin + 11]
        finish += [begin + 10, begin + 21]
    run = make_run([job.name for job in jobs], submit, finish)
    workload = replace(make_workload(*jobs), recorded=run)
    assert follow_one_another(workload)
    apart = replace(workload, jobs=tuple(replace(job, arrival=job.arrival * 2) for job in jobs))
    assert not follow_one_another(apart)


@pytest.mark.parametrize("name", sorted(sample_paths()))
def test_samples_come_when_they_come(name):
    assert not follow_one_another(load_sample(name))


def test_documents_keep_it_and_changed_arrivals_cut_it(tmp_path):
    workload = without_links(open_workload(DATA / "spark.log").workload)
    write_workload(workload, tmp_path / "w.workload.json")
    assert follow_one_another(read_workload(tmp_path / "w.workload.json"))
    jobs = tuple(replace(job, arrival=0.0) for job in workload.jobs)
    assert not follow_one_another(replace(workload, jobs=jobs))


def test_a_log_that_has_lost_its_history_is_judged_by_arrivals_and_durations():
    alone = [make_job(f"J{i}", (2, 10.0), (1, 5.0), arrival=16.0 * i) for i in range(4)]
    lost = replace(make_workload(*alone), source="Spark event log: spark.log")
    assert follow_one_another(lost)
    assert not follow_one_another(replace(lost, source=""))  # whoever wrote it meant these times
    assert not follow_one_another(lost.with_jobs(replace(job, arrival=0.0) for job in lost.jobs))
