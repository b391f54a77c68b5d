"""Recorded runs as schedules: packed on the slots of their hosts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.measures.comparison_report import comparison_report
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.execution_history import SERVICE, UNDER_WAY, ExecutionHistory, SlotsBy
from core.model.job import Job
from core.model.limits import MAX_SLOTS
from core.model.recorded_run import RecordedRun
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import CLEANUP, KINDS, MAP, OTHER, OUTCOMES, REDUCE, SETUP
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.paths import DATA

if TYPE_CHECKING:
    from core.model.schedule import Schedule


@pytest.fixture
def workload() -> Workload:
    return open_trace([DATA / "jobtracker-0.20.log"]).workload


def recorded(workload: Workload) -> Schedule:
    assert workload.recorded is not None
    return history_schedule(workload, workload.recorded)


def record_of(workload: Workload) -> ExecutionHistory:
    record = recorded(workload).record
    assert record is not None
    return record


def test_every_attempt_of_a_log_is_there_with_its_outcome(workload):
    run = workload.recorded
    assert run.attempts == 10
    listed = [
        (KINDS[kind], OUTCOMES[outcome], run.hosts[host], float(start))
        for kind, outcome, host, start in zip(run.kind, run.outcome, run.host, run.start, strict=True)
    ]
    assert listed == [
        ("map", "failed", "h2.example.com", 3.0),
        ("map", "succeeded", "h1.example.com", 5.5),
        ("map", "succeeded", "h2.example.com", 3.0),
        ("map", "killed", "h1.example.com", 8.0),
        ("reduce", "succeeded", "h1.example.com", 6.0),
        ("reduce", "succeeded", "h1.example.com", 14.5),
        ("cleanup", "succeeded", "h2.example.com", 19.0),
        ("setup", "succeeded", "h1.example.com", 1.6),
        ("map", "succeeded", "h2.example.com", 6.0),
        ("map", "unfinished", "h2.example.com", 9.0),
    ]
    assert run.task.tolist() == [0, 0, 1, 1, 0, 1, -1, -1, 0, -1]
    assert run.counts.tolist() == [False, True, True, False, True, True, False, False, True, False]


def test_jobs_keep_their_own_times_and_titles(workload):
    run = workload.recorded
    assert run.titles == ('word "count" a=b', "sort")
    assert run.submit.tolist() == [0, 4]
    assert run.launch.tolist() == [1, 5]
    assert run.finish[0] == pytest.approx(20.5)
    assert run.finish[1] == pytest.approx(8)  # the log ends before; so long its last task ran that ended
    assert np.isnan(run.end[-1])


def test_tasks_lie_on_slots_of_their_hosts(workload):
    schedule = recorded(workload)
    hosts = [workload.recorded.hosts[host][:2] for host in schedule.record.slot_host]
    assert hosts == ["h1"] * 2 + ["h2"] * 2 + ["h1"]
    assert (schedule.cluster.map_slots, schedule.cluster.reduce_slots) == (4, 1)
    assert schedule.slot.tolist() == [0, 3, 4, 4, 2]
    assert schedule.start.tolist() == [5.5, 3, 6, 14.5, 6]
    assert schedule.shuffled.tolist() == [5.5, 3, 11.5, 16.25, 6]
    assert schedule.end.tolist() == [9.5, 10, 14, 18.5, 8]
    assert schedule.stage_end.tolist() == [10, 8]
    assert schedule.finish.tolist() == [20.5, 8]
    assert schedule.choice.is_record


def test_failed_killed_setup_and_cleanup_have_slots_too(workload):
    record = record_of(workload)
    run = workload.recorded
    assert [run.kind[attempt] for attempt in record.extra] == [SETUP, MAP, MAP, MAP, CLEANUP]
    assert record.extra_slot.tolist() == [0, 1, 2, 2, 3]
    assert record.looks == (SERVICE, "killed", "failed", UNDER_WAY, SERVICE)
    assert record.extra_times[1].tolist()[3] == 20.5  # it runs where the log ends
    assert [record.count(look) for look in ("failed", "killed", SERVICE, "other")] == [1, 1, 2, 0]
    assert record.extras_of(2) == slice(2, 4)
    assert [record.outcome(attempt) for attempt in record.extra] == [
        "succeeded",
        "killed",
        "failed",
        "unfinished",
        "succeeded",
    ]
    assert [record.kind(attempt) for attempt in record.extra] == ["setup", "map", "map", "map", "cleanup"]
    assert record.not_placed == 0


def test_what_runs_where_a_log_ends_goes_on_after_it(workload):
    whole = recorded(workload).as_if_whole
    assert whole.workload.jobs[1].task_count == 2
    assert whole.start.tolist() == [5.5, 3, 6, 14.5, 6, 9]
    assert whole.slot.tolist() == [0, 3, 4, 4, 2, 2]
    assert (whole.end > 20.5).tolist() == [False] * 5 + [True]
    assert whole.finish[0] == 20.5
    assert whole.finish[1] > 20.5


def test_hosts_of_slots_are_known_in_bands(workload):
    record = record_of(workload)
    assert [(band.host, band.first_slot, band.slots) for band in record.host_slots(0, 4)] == [
        ("h1.example.com", 0, 2),
        ("h2.example.com", 2, 2),
    ]
    assert record.host_of_slot(4) == "h1.example.com"
    nowhere = replace(workload.recorded, host=np.full_like(workload.recorded.host, -1))
    assert history_schedule(workload, nowhere).record.host_of_slot(0) == "unknown host"


def test_attempts_that_follow_one_another_share_a_slot(tmp_path):
    rows = ["a,map,0,2,h", "a,map,2,3,h", "a,map,3,3,h", "a,map,3,5,h"]
    (tmp_path / "log").write_text("job,kind,start,end,host\n" + "\n".join(rows))
    schedule = recorded(open_trace([tmp_path / "log"]).workload)
    assert schedule.slot.tolist() == [0, 0, 0, 0]


def test_charts_and_metrics_can_use_it(workload):
    schedule = recorded(workload)
    assert schedule.makespan == pytest.approx(20.5)
    assert schedule.by_slot.offsets.tolist() == [0, 1, 1, 2, 3, 5]
    assert schedule.is_filler.tolist() == [False, False, True, False, False]
    figures = measure(schedule)
    assert figures.makespan == pytest.approx(20.5)


def test_times_below_0_count_as_0(workload):
    run = workload.recorded
    early = replace(run, start=run.start - 6, end=run.end - 6, sort_end=run.sort_end - 6)
    schedule = history_schedule(workload, early)
    assert schedule.start.min() == 0
    assert (schedule.end >= schedule.shuffled).all()
    assert (schedule.shuffled >= schedule.start).all()


def test_reordered_jobs_are_recorded_in_their_new_order(workload):
    first, second = workload.jobs
    swapped = recorded(workload.with_jobs([second, replace(first, pool="other", deadline=19.0)]))
    assert swapped.start.tolist() == [6, 5.5, 3, 6, 14.5]
    assert [job.name for job in swapped.workload.jobs] == [second.name, first.name]
    assert (swapped.workload.jobs[1].pool, swapped.workload.jobs[1].deadline) == ("other", 19.0)


def test_edits_do_not_change_what_was_recorded(workload):
    first, second = workload.jobs
    before = recorded(workload)
    edited = [
        replace(first, maps=Stage.of(3, 1), arrival=7.0, deadline=7.5, weight=2.0),
        replace(second, name="new"),
        Job("added", Stage.of(1, 1)),
    ]
    for jobs in (edited, [second], edited[1:]):
        after = recorded(workload.with_jobs(jobs))
        assert sorted(job.name for job in after.workload.jobs) == sorted(job.name for job in workload.jobs)
        place = [after.workload.job_index[job.name] for job in workload.jobs]
        assert after.finish[place].tolist() == before.finish.tolist()
        assert after.workload.columns.arrival[place].tolist() == [0, 4]
        assert after.makespan == before.makespan
        assert sorted(after.end.tolist()) == sorted(before.end.tolist())
        assert len(after.record.extra) == len(before.record.extra)


def test_the_tasks_are_those_of_the_log(workload):
    schedule = recorded(workload)
    columns = schedule.workload.columns
    is_map = columns.kind == MAP
    assert columns.duration[is_map].tolist() == (schedule.end - schedule.start)[is_map].tolist()
    assert columns.duration[~is_map].tolist() == (schedule.end - schedule.shuffled)[~is_map].tolist()
    # one reduce began before the maps ended (at 10 s) and shuffled until 11.5 s, one after
    assert columns.first_shuffle[~is_map].tolist() == [1.5, 1.75]
    assert measure(schedule).lower_bound <= schedule.makespan


def test_a_log_without_a_whole_task_is_refused(workload):
    nothing = replace(workload.recorded, counts=np.zeros(10, np.bool_))
    with pytest.raises(InputError, match="no task of the log has a start and an end"):
        history_schedule(workload, nothing)


def test_a_host_has_its_part_of_the_cluster_if_that_is_enough(workload):
    larger = replace(workload, cluster=Cluster(8, 2, 0.05))
    assert [record_of(larger).slot_host.tolist().count(host) for host in (0, 1)] == [5, 5]
    assert recorded(larger).cluster == Cluster(8, 2, 0.05)
    smaller = replace(workload, cluster=Cluster(2, 2, 0.05))
    assert recorded(smaller).cluster == Cluster(4, 2, 0.05)


def test_containers_run_both_kinds(workload):
    untyped = replace(workload, cluster=Cluster(0, 0, 1.0, containers=3))
    schedule = recorded(untyped)
    assert schedule.cluster == Cluster(0, 0, 1.0, containers=5)


def test_too_many_slots_are_refused(workload):
    run, many = workload.recorded, MAX_SLOTS + 1
    jobs = (Job("all", Stage.of(many, 1)),)
    whole = replace(
        run,
        jobs=("all",),
        titles=("",),
        **{name: np.zeros(1) for name in ("submit", "launch", "finish")},
        job=np.zeros(many, np.int32),
        kind=np.zeros(many, np.int8),
        task=np.arange(many, dtype=np.int32),
        counts=np.ones(many, np.bool_),
        outcome=np.zeros(many, np.int8),
        host=np.zeros(many, np.int32),
        **{name: np.zeros(many) for name in ("start", "shuffle_end", "sort_end")},
        end=np.ones(many),
    )
    with pytest.raises(InputError, match=f"need {many} slots"):
        history_schedule(Workload("all", jobs, Cluster(1, 0)), whole)


def test_equal_runs_are_equal(workload):
    run = workload.recorded
    again = open_trace([DATA / "jobtracker-0.20.log"]).workload.recorded
    assert run == again
    assert run != replace(run, hosts=("h1", "h3"))
    assert run != replace(run, end=run.end + 1)


@st.composite
def runs(draw) -> RecordedRun:
    attempts = draw(
        st.lists(
            st.tuples(
                st.integers(0, 2),  # host, and one that is not known
                st.sampled_from([MAP, REDUCE, SETUP, OTHER]),
                st.integers(-5, 20),
                st.integers(0, 6),
            ),
            min_size=1,
            max_size=40,
        )
    )
    host, kind, start, lasts = (np.array(column) for column in zip(*attempts, strict=True))
    counts = (kind == MAP) | (kind == REDUCE)
    task = np.where(kind == MAP, np.cumsum(kind == MAP), np.cumsum(kind == REDUCE)) - 1
    nothing = np.full(len(attempts), np.nan)
    return RecordedRun(
        ("a",),
        ("",),
        ("h10", "h9"),
        np.zeros(1),
        np.full(1, np.nan),
        np.full(1, np.nan),
        np.zeros(len(attempts), np.int32),
        kind.astype(np.int8),
        np.where(counts, task, -1).astype(np.int32),
        counts,
        np.zeros(len(attempts), np.int8),
        (host - 1).astype(np.int32),
        start.astype(float),
        nothing,
        nothing.copy(),
        (start + lasts).astype(float),
    )


@given(runs())
def test_attempts_on_one_slot_do_not_overlap_and_lie_on_their_host(run):
    counts = [int((run.counts & (run.kind == kind)).sum()) for kind in (MAP, REDUCE)]
    if not any(counts):
        return
    workload = Workload("w", (Job("a", Stage.of(counts[0]), Stage.of(counts[1])),), Cluster(1, 1))
    schedule = history_schedule(workload, run)
    packed = schedule.record
    slot = np.full(run.attempts, -1)
    tasks = np.flatnonzero(run.counts)
    in_order = tasks[np.lexsort((run.task[tasks], run.kind[tasks]))]
    slot[in_order] = schedule.slot
    slot[packed.extra] = packed.extra_slot
    assert (slot >= 0).all()
    assert (packed.slot_host[slot] == run.host).all()
    is_reduce = run.kind == REDUCE
    assert ((slot >= schedule.cluster.map_slots) == is_reduce).all()
    for each in set(slot.tolist()):
        mine = np.flatnonzero(slot == each)
        mine = mine[np.lexsort((run.end[mine], run.start[mine]))]
        assert (run.start[mine][1:] >= run.end[mine][:-1]).all()


def of_three_jobs(run: RecordedRun) -> RecordedRun:
    """Return a run whose attempts belong to three jobs in turn."""
    job = np.arange(run.attempts, dtype=np.int32) % 3
    task = np.full(run.attempts, -1, np.int32)
    for each in np.flatnonzero(run.counts).tolist():
        before = (job[:each] == job[each]) & run.counts[:each] & (run.kind[:each] == run.kind[each])
        task[each] = before.sum()
    unknown = np.full(3, np.nan)
    return replace(
        run,
        jobs=("a", "b", "c"),
        titles=("",) * 3,
        submit=np.zeros(3),
        launch=unknown,
        finish=unknown.copy(),
        job=job,
        task=task,
    )


@given(runs())
def test_slots_by_job_are_the_same_slots_in_another_order(run):
    """Nothing moves in time or to another host; the slots of a job lie together, those held longer first."""
    if not run.counts.any():
        return
    run = of_three_jobs(run)
    workload = Workload("w", tuple(Job(name, Stage.of(1, 1.0)) for name in run.jobs), Cluster(1, 1))
    hosts, jobs = (history_schedule(workload, run, by) for by in (SlotsBy.HOST, SlotsBy.JOB))
    assert hosts.record.is_by_host
    assert not jobs.record.is_by_host
    assert bits_but_slots(jobs) == bits_but_slots(hosts)
    assert contents_of_slots(jobs) == contents_of_slots(hosts)
    assert (jobs.record.slot_host[jobs.slot] == hosts.record.slot_host[hosts.slot]).all()
    for first, last in ((0, jobs.cluster.map_slots), (jobs.cluster.map_slots, jobs.cluster.slots)):
        holders = [holder_of(jobs, slot) for slot in range(first, last)]
        names = [name for name, _ in holders]
        changes = sum(one != other for one, other in pairwise(names))
        assert changes == max(0, len(set(names)) - 1), "each job's slots lie together"
        assert all(one[1] >= other[1] - 1e-9 for one, other in pairwise(holders) if one[0] == other[0]), (
            "and those that it held longer come first"
        )


def bits_but_slots(schedule: Schedule) -> list[bytes]:
    return [column.tobytes() for column in (schedule.start, schedule.end, schedule.shuffled, schedule.finish)]


def held(schedule: Schedule, slot: int) -> list[tuple[int, float, float]]:
    """Return job, start and end of all that a slot runs, sorted."""
    run, record = schedule.record.run, schedule.record
    attempts = [*record.attempt[schedule.slot == slot], *record.extra[record.extra_slot == slot]]
    return sorted((int(run.job[each]), float(run.start[each]), float(run.end[each])) for each in attempts)


def contents_of_slots(schedule: Schedule) -> list[list[tuple[int, float, float]]]:
    return sorted(held(schedule, slot) for slot in range(schedule.cluster.slots))


def holder_of(schedule: Schedule, slot: int) -> tuple[int, float]:
    """Return the job that held a slot longest, the first of several, -1 for none; and for how long."""
    seconds: dict[int, float] = {}
    for job, start, end in held(schedule, slot):
        seconds[job] = seconds.get(job, 0.0) + end - start
    most = max(seconds.values(), default=0.0)
    return next(((job, most) for job in sorted(seconds) if seconds[job] >= most - 1e-9), (-1, 0.0))


def test_a_report_tells_of_jobs_that_only_one_schedule_has(workload):
    first, second = workload.jobs
    edited = workload.with_jobs([replace(second, name="new")])
    simulated = simulate(edited, edited.cluster, PolicyChoice("fifo"))
    text = comparison_report([("record", recorded(edited)), ("fifo", simulated)], b"", b"")
    assert all(name in text for name in (first.name, second.name))
    assert text.count("<td>–</td>") == 2, "FIFO has neither of the log's jobs"
