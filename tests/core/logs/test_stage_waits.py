"""How much the waits of stages explain: logs of Spark made by hand, and a clock that ticks every second."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.logs.assemble import job_ends
from core.logs.job_batch import JobBatch
from core.logs.job_profile import profile
from core.logs.logged_job import Attempt, LoggedJob, LoggedStage, LoggedTask
from core.logs.open_log import open_trace
from core.logs.report import ReportSeverity
from core.logs.stage_waits import stage_waits
from core.model.cluster import Cluster
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from core.logs.report import ImportReport
    from core.logs.stage_waits import StageWaits

NOON = 1_500_000_000
Tasks = list[tuple[float, float]]


class Stage(NamedTuple):
    """The stages that it reads, and from when to when each of its tasks ran, seconds."""

    parents: list[int]
    tasks: Tasks


def imported(folder: Path, cores: int, *jobs: Mapping[int, Stage]) -> ImportReport:
    """Return the report on a log of such jobs, each submitted when its first task starts."""

    def moment(seconds: float) -> int:
        return round(1000 * (NOON + seconds))

    executor: dict[str, object] = {"Executor ID": "1", "Executor Info": {"Host": "h", "Total Cores": cores}}
    events: list[dict[str, object]] = [
        {"Event": "SparkListenerApplicationStart", "App ID": "app", "Timestamp": moment(0)},
        {"Event": "SparkListenerExecutorAdded"} | executor,
    ]
    for number, stages in enumerate(jobs):
        infos = [
            {"Stage ID": stage, "Number of Tasks": len(tasks), "Parent IDs": parents}
            for stage, (parents, tasks) in stages.items()
        ]
        times = [time for stage in stages.values() for task in stage.tasks for time in task]
        job = {"Job ID": number, "Submission Time": moment(min(times)), "Stage Infos": infos}
        events += [{"Event": "SparkListenerJobStart", **job, "Stage IDs": list(stages)}]
        events += [{"Event": "SparkListenerStageSubmitted", "Stage Info": info} for info in infos]
        for stage, (_, tasks) in stages.items():
            for index, (start, end) in enumerate(tasks):
                info = {"Index": index, "Launch Time": moment(start), "Finish Time": moment(end), "Host": "h"}
                task = {"Stage ID": stage, "Task End Reason": {"Reason": "Success"}, "Task Info": info}
                events.append({"Event": "SparkListenerTaskEnd", **task})
        ended = {"Job ID": number, "Completion Time": moment(max(times))}
        events.append({"Event": "SparkListenerJobEnd", **ended, "Job Result": {"Result": "JobSucceeded"}})
    log = folder / "log"
    log.write_text("".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events))
    return open_trace([log]).report


CHAIN = {
    0: Stage([], [(0, 10), (0, 10)]),
    1: Stage([0], [(10, 20)]),
    2: Stage([1], [(20, 30)]),
}
"""On two cores the model has both later stages at once, from 10 s to 20 s."""


def later(stages: Mapping[int, Stage], seconds: float, first: int) -> dict[int, Stage]:
    """Return a job so much later whose stages are numbered from one on."""
    return {
        number + first: Stage(
            [parent + first for parent in parents], [(a + seconds, b + seconds) for a, b in tasks]
        )
        for number, (parents, tasks) in stages.items()
    }


def test_a_chain_of_stages_takes_a_third_longer_than_the_model(tmp_path):
    report = imported(tmp_path, 2, CHAIN)
    assert report.waits == (1, 10.0, 30.0, 0)
    first, *_ = report.to_text().splitlines()
    assert first == (
        "not in the model   stages wait for one another; this explains 33 % of the 30 s that jobs took"
    )
    assert report.heading.startswith("Not in the model: stages wait for one another; this explains 33 %")
    assert report.rows()[0][:2] == (ReportSeverity.PROBLEM, "not in the model")
    assert not report.is_clean
    told = json.loads(json.dumps(report.to_json()))["waits"]
    assert told == {
        "stages": 1,
        "explained": 10.0,
        "recorded": 30.0,
        "first": 0,
        "share": pytest.approx(1 / 3),
    }


def test_jobs_that_a_driver_submits_one_after_the_other_count_each(tmp_path):
    """Each is 10 s longer; the makespan, which knows when the last one came, would tell 10 of 70 s."""
    report = imported(tmp_path, 2, CHAIN, later(CHAIN, 40, 3))
    assert report.waits == (2, 20.0, 60.0, 0)


def test_a_reduce_that_waited_in_its_slot_had_waited_in_the_model_too(tmp_path):
    """It started at 12 s and idled until 20 s: the model lets it take 18 s, from 10 s on."""
    early = CHAIN | {2: Stage([1], [(12, 30)])}
    assert imported(tmp_path, 2, early).waits == (1, 2.0, 30.0, 0)


def test_a_wait_costs_nothing_while_every_core_is_busy(tmp_path):
    wide = {
        0: Stage([], [(0, 10), (0, 10)]),
        1: Stage([0], [(10, 20), (10, 20)]),
        2: Stage([1], [(20, 30), (20, 30)]),
    }
    assert imported(tmp_path, 2, wide).waits == (1, 0.0, 30.0, 0)


def test_another_job_uses_the_cores_that_a_waiting_stage_leaves(tmp_path):
    """Without the waits, the first job ends at 20 instead of 30, but the other one at 30 instead of 20."""
    other = {3: Stage([], [(10, 20)]), 4: Stage([3], [(20, 30)])}
    assert imported(tmp_path, 2, CHAIN, other).waits == (1, 0.0, 50.0, 0)


def test_maps_and_reduces_alone_are_as_in_the_model(tmp_path):
    report = imported(tmp_path, 2, {0: CHAIN[0], 1: CHAIN[1]})
    assert report.waits == (0, 0.0, 20.0, 0)
    first, *_ = report.to_text().splitlines()
    assert first.startswith(
        "not in the model   stages that wait for one another; in this log none does but reduces"
    )
    assert report.is_clean


def test_stages_that_read_one_another_in_a_circle_wait_only_for_the_maps(tmp_path):
    circle = CHAIN | {1: Stage([0, 2], [(10, 20)]), 2: Stage([1, 2], [(20, 30)])}
    assert imported(tmp_path, 2, circle).waits == (2, 0.0, 30.0, 0)


def test_logs_without_stages_say_nothing_of_them(data):
    report = open_trace([data / "rumen-2011.json"]).report
    assert report.waits is None
    assert report.to_text().startswith("format")


class Job(NamedTuple):
    """When it is submitted, and its stages with how long each task of them takes, seconds."""

    submit: int
    stages: list[tuple[LoggedStage, list[int]]]


def waits_of(jobs: Sequence[Job], cluster: Cluster) -> StageWaits:
    batch = JobBatch.of([profile(_logged(job)) for job in jobs])
    waits = stage_waits(batch, batch.attempts, job_ends(batch, batch.attempts), cluster)
    assert waits is not None
    return waits


def _logged(job: Job) -> LoggedJob:
    tasks: dict[bool, list[LoggedTask]] = {True: [], False: []}
    for place, (stage, seconds) in enumerate(job.stages, 1):
        for took in seconds:
            start = 100_000 * place  # behind those of the stages before
            attempt = Attempt("succeeded", start, start + 1000 * took)
            tasks[stage.is_map].append(LoggedTask("task", (attempt,)))
    maps, reduces = map(tuple, tasks.values())
    stages = tuple(stage for stage, _ in job.stages)
    return LoggedJob("job", submit=1000 * job.submit, finish=10**9, tasks=(maps, reduces), stages=stages)


def test_a_map_that_waits_for_another_is_not_in_the_model_either():
    """Of both maps at once there are 7 s, of one after the other 9 s; a reduce of 5 s follows."""
    stages = [
        (LoggedStage(True, 1), [7]),
        (LoggedStage(True, 1, (0,)), [2]),
        (LoggedStage(False, 1, (0, 1)), [5]),
    ]
    assert waits_of([Job(0, stages)], Cluster(2, 1))[:2] == (1, 2.0)


@pytest.mark.parametrize(("reduce_slots", "explained"), [(1, 0.0), (2, 5.0)])
def test_reduces_have_slots_of_their_own(reduce_slots, explained):
    stages = [
        (LoggedStage(True, 1), [2]),
        (LoggedStage(False, 1, (0,)), [5]),
        (LoggedStage(False, 1, (1,)), [5]),
    ]
    assert waits_of([Job(0, stages)], Cluster(4, reduce_slots)).explained == explained


def ticking(jobs: Sequence[Job], slots: int, keeps_waits: bool) -> int:
    """Return how long jobs take in all, seconds: each second, the first tasks that may run get free slots."""
    total = now = 0
    to_start = [[list(seconds) for _, seconds in job.stages] for job in jobs]
    open_tasks = [[len(seconds) for _, seconds in job.stages] for job in jobs]
    running: list[tuple[int, int, int]] = []
    while any(map(any, open_tasks)):
        for end, i, s in running:
            open_tasks[i][s] -= end == now
        ended = {i for end, i, _ in running if end == now and not any(open_tasks[i])}
        total += sum(now - jobs[i].submit for i in ended)
        running = [task for task in running if task[0] > now]
        for i, (submit, stages) in enumerate(jobs):
            for s, (stage, _) in enumerate(stages):
                before = set() if stage.is_map else {p for p, (each, _) in enumerate(stages) if each.is_map}
                before |= set(stage.parents) if keeps_waits else set()
                may_run = submit <= now and not any(open_tasks[i][p] for p in before)
                while may_run and to_start[i][s] and len(running) < slots:
                    running.append((now + to_start[i][s].pop(0), i, s))
        now += 1
    return total


_SECONDS = st.lists(st.integers(1, 5), min_size=1, max_size=3)


@st.composite
def random_jobs(draw: st.DrawFn) -> list[Job]:
    """Draw jobs in the order of submission, each of stages of maps and then of others."""
    jobs = []
    for submit in sorted(draw(st.lists(st.integers(0, 6), min_size=1, max_size=3))):
        stages = [(LoggedStage(True, len(s)), s) for s in draw(st.lists(_SECONDS, min_size=1, max_size=2))]
        for seconds in draw(st.lists(_SECONDS, min_size=1, max_size=3)):
            parents = draw(st.sets(st.integers(0, len(stages) - 1), min_size=1))
            stages.append((LoggedStage(False, len(seconds), tuple(sorted(parents))), seconds))
        jobs.append(Job(submit, stages))
    return jobs


@examples(30)
@given(random_jobs(), st.integers(1, 4))
def test_the_replay_is_what_a_ticking_clock_shows(jobs, slots):
    waits = waits_of(jobs, Cluster(0, 0, 1.0, containers=slots))
    assert waits.explained == max(ticking(jobs, slots, True) - ticking(jobs, slots, False), 0)


def test_jobs_of_other_formats_share_the_slots(data):
    """A log of a machine does not tell of every processor which attempt ran on it."""
    both = open_trace([data / "machine.swf", data / "tez-history.txt"]).report
    assert both.waits is not None
    assert both.waits.stages == 2
