"""The cluster trace of Alibaba: both of its tables, alone and together."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs import alibaba
from core.logs.alibaba import READER
from core.logs.byte_source import ByteSource
from core.logs.job_batch import JobBatch
from core.logs.logged_job import LoggedStage
from core.logs.open_log import Imported, open_trace
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.stages import MAP_REDUCE
from core.model.task_types import MAP, REDUCE
from tests.core.logs.typed_tasks import counts_of, durations_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def instances(data: Path) -> Imported:
    return open_trace([data / "alibaba-instances.csv"])


def opened(path: Path, *rows: str, **parameters: object) -> Imported:
    path.write_text("\n".join(rows))
    return open_trace([path], parameters=parameters)


def task(name: str, instances: int, job: str, start: int, end: int) -> str:
    return f"{name},{instances},{job},1,Terminated,{start},{end},100.0,0.3"


def instance(number: int, name: str, job: str, start: int, end: int) -> str:
    return f"ins_{number},{name},{job},1,Terminated,{start},{end},m_{number % 3},1,1,1.0,1.0,0.1,0.1"


def test_tasks_that_wait_for_others_are_reduces(instances):
    job = instances.workload.jobs[0]
    assert (job.name, job.arrival) == ("j_1", 0)
    assert durations_of(job, MAP) == [10, 8, 30]  # of the second one only the second try counts
    assert durations_of(job, REDUCE) == [7, 6, 2]
    assert not any(stage.task_typical_shuffle.any() for stage in job.stages)


def test_what_did_not_go_well_is_told(instances):
    report = instances.report
    assert [(job.name, job.arrival) for job in instances.workload.jobs] == [("j_1", 0), ("j_2", 20)]
    assert report.jobs_left_out == (("j_3", "no usable task (1 failed)"),)
    assert report.tasks[MAP].attempts == {"succeeded": 4, "failed": 2, "unfinished": 1}
    assert report.tasks[MAP].left_out == {"never ended": 1, "failed": 1}
    assert (report.clamped, report.damage) == ({}, ())


def test_rows_listed_twice_are_tries_of_the_same_instances(data, tmp_path):
    """The rows of an instance lie apart then, and have to come together."""
    rows = (data / "alibaba-instances.csv").read_text().splitlines()
    once, twice = opened(tmp_path / "once", *rows), opened(tmp_path / "twice", *rows, *rows)
    assert [durations_of(job, kind) for job in twice.workload.jobs for kind in (MAP, REDUCE)] == [
        durations_of(job, kind) for job in once.workload.jobs for kind in (MAP, REDUCE)
    ]
    for kind in (MAP, REDUCE):
        tries = {word: 2 * count for word, count in once.report.tasks[kind].attempts.items()}
        assert twice.report.tasks[kind].attempts == tries
        assert twice.report.tasks[kind].left_out == once.report.tasks[kind].left_out
    assert twice.workload.recorded
    packed = history_schedule(twice.workload, twice.workload.recorded)
    assert packed.tasks == twice.workload.columns.duration.size


def test_the_slots_are_the_instances_at_once(instances):
    assert instances.workload.cluster == Cluster(0, 0, 1.0, containers=3)
    assert "3 instances at once" in instances.report.cluster_reason
    assert instances.report.recorded_makespan == 33


TASK_HEADER = "task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem"
INSTANCE_HEADER = (
    "instance_name,task_name,job_name,task_type,status,start_time,end_time,machine_id,seq_no,total_seq_no,"
    "cpu_avg,cpu_max,mem_avg,mem_max"
)


@pytest.mark.parametrize("at", [0, 2])
def test_the_names_of_the_columns_are_no_damage(tmp_path, at):
    """Also in the middle, where tables with headers were put together."""
    for header, rows in (
        (TASK_HEADER, [task(f"M{i}", 2, "j_1", 9, 20) for i in range(4)]),
        (INSTANCE_HEADER, [instance(i, "M1", "j_1", 10, 20) for i in range(4)]),
    ):
        plain = opened(tmp_path / "plain", *rows)
        headed = opened(tmp_path / "plain", *rows[:at], header, *rows[at:])
        assert headed.report.damage == ()
        assert headed.workload.digest == plain.workload.digest


def test_instances_that_are_counted_and_not_listed_are_told(tmp_path):
    whole = [task("M1", 1, "j_1", 9, 20), instance(1, "M1", "j_1", 10, 20), task("M1", 7, "j_9", 9, 20)]
    assert opened(tmp_path / "whole", *whole).report.damage == ()
    cut = [task("M1", 3, "j_2", 9, 20), instance(2, "M1", "j_2", 10, 20)]
    (problem,) = opened(tmp_path / "cut", *whole, *cut).report.damage
    assert problem.rule.startswith("1 of the 3 instances that batch_task counts for 1 jobs are listed")


def test_stages_wait_for_whole_stages(instances):
    assert instances.workload.cluster.slowstart == 1
    assert "low start" not in instances.report.to_text()


def test_what_ran_has_its_hosts(instances):
    run = instances.workload.recorded
    assert run is not None
    assert [run.hosts[host] for host in run.host] == [f"m_{n}" for n in (1, 2, 3, 1, 2, 4, 4, 5, 5, 6)]
    assert run.start.tolist() == [0, 0, 5, 1, 13, 14, 31, 20, 21, 25]


def test_stages_know_what_they_wait_for(data):
    with_stages = [
        account.stages
        for item in READER.read([ByteSource(data / "alibaba-instances.csv")], {"instances_per_slot": 0})
        if isinstance(item, JobBatch)
        for account in item.accounts
    ]
    first = (LoggedStage(True, 2, 3, (), 1), LoggedStage(True, 1, 1, (), 2))
    waiting = (LoggedStage(False, 2, 2, (0,), 3), LoggedStage(False, 1, 1, (1, 2), 4))
    assert with_stages == [(*first, *waiting), (), ()]


def test_tasks_wait_for_those_that_their_names_say(tmp_path):
    chain = [task("M1", 2, "j_1", 10, 30), task("R2_1", 1, "j_1", 30, 40), task("R3_2", 1, "j_1", 40, 55)]
    workload = opened(tmp_path / "log", *chain).workload
    (job,) = workload.jobs
    assert [stage.task_durations.tolist() for stage in job.stages] == [[20, 20], [10], [15]]
    assert [job.graph.parents(stage) for stage in range(3)] == [(), (0,), (1,)]
    assert workload.recorded is not None
    assert workload.recorded.stage.tolist() == [0, 0, 1, 2]
    assert workload.recorded.task.tolist() == [0, 1, 0, 0]


def test_tasks_alone_have_instances_as_long_as_they_are(data):
    imported = open_trace([data / "alibaba-tasks.csv"])
    first, last = imported.workload.jobs
    assert (first.name, first.arrival, last.name, last.arrival) == ("j_1", 0, "j_4", 40)
    assert durations_of(first, MAP) == [13, 13, 30]
    assert durations_of(first, REDUCE) == [7, 7, 2]
    assert durations_of(last, MAP) == [4, 4, 4]
    left_out = {"j_2": "2 never ended", "j_3": "1 failed", "j_5": "5 never ended"}
    assert dict(imported.report.jobs_left_out) == {
        job: f"no usable task ({why})" for job, why in left_out.items()
    }


def test_both_tables_are_one_log(data, tmp_path):
    """Instances count where they are listed, in whatever order the files come."""
    alone = open_trace([data / "alibaba-instances.csv"]).workload.jobs
    for name in ("a", "z"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.csv").write_bytes((data / "alibaba-tasks.csv").read_bytes())
        (folder / "instances.csv").write_bytes((data / "alibaba-instances.csv").read_bytes())
        jobs = open_trace([folder]).workload.jobs
        assert jobs[:2] == alone
        assert [(job.name, *counts_of(job)) for job in jobs[2:]] == [("j_4", 3, 1)]


def test_a_large_table_of_tasks_has_slots_that_stand_for_several_instances(tmp_path, monkeypatch):
    monkeypatch.setattr(alibaba, "FEW_TASKS", 30)
    rows = [
        task("M1", 100, "j_1", 10, 20),
        task("R2_1", 3, "j_1", 20, 30),
        task("MergeTask", 9, "j_2", 10, 20),
    ]
    imported = opened(tmp_path / "log", *rows)
    assert list(map(counts_of, imported.workload.jobs)) == [[25, 1], [2, 0]]
    assert imported.report.assumptions[0] == (
        "A slot stands for 4 instances (instances_per_slot): 112 instances become 28 tasks, at least one for "
        "each task of the trace; slots are held for 0.0% more time than recorded."
    )
    given = opened(tmp_path / "log", *rows, instances_per_slot=10)
    assert list(map(counts_of, given.workload.jobs)) == [[10, 1], [1, 0]]
    assert "12 tasks" in given.report.assumptions[0]
    with_list = opened(tmp_path / "log", *rows, instance(1, "M1", "j_3", 10, 20))
    assert [job.name for job in with_list.workload.jobs] == ["j_3"]
    assert with_list.report.assumptions[0].startswith("2 jobs of which no instance is listed are left out")


def test_too_many_tasks_are_refused_with_the_remedy(tmp_path):
    rows = [task("M1", 30_000_000, "j_1", 10, 20)]
    with pytest.raises(
        InputError, match=r"instances_per_slot 1 gives too many tasks; .*or 0 to have it chosen"
    ):
        opened(tmp_path / "log", *rows, instances_per_slot=1)
    assert opened(tmp_path / "log", *rows).report.tasks[MAP].kept < 1_000_000


def test_more_rows_than_there_may_be_tasks_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(alibaba, "MAX_TASKS", 3)
    with pytest.raises(InputError, match="more than 3 rows; give a part of it, as its first million lines"):
        opened(tmp_path / "log", *(instance(i, "M1", "j_1", 10, 20) for i in range(4)))


def test_bad_rows_are_named_and_left_out(tmp_path):
    rows = [instance(i, "M1", f"j_{i}", 10, 20) for i in range(4)]
    bad = ["a,b,c", rows[0].replace("Terminated", "Perhaps"), rows[0].replace("10", "ten"), rows[0] + ",1"]
    report = opened(tmp_path / "log", *rows[:2], "", *bad, *rows[2:]).report
    assert report.jobs_kept == 4
    assert [problem.where for problem in report.damage] == [f"log, line {n}" for n in (4, 5, 6, 7)]


def test_names_that_wait_for_what_the_log_does_not_have(tmp_path):
    """A number that no task of the job has, itself, and one another: a circle leaves maps and reduces."""
    rows = [task("M1", 1, "j_1", 10, 20), task("R2_7", 1, "j_1", 20, 30), task("R3_3_4", 1, "j_1", 20, 30)]
    (job,) = opened(tmp_path / "log", *rows, task("J4__3_Stg1", 1, "j_1", 20, 30)).workload.jobs
    assert counts_of(job) == [1, 3]
    assert job.graph == MAP_REDUCE
    (alone,) = opened(tmp_path / "log", *rows[:2], task("R3_3", 1, "j_1", 20, 30)).workload.jobs
    assert [alone.graph.parents(stage) for stage in range(3)] == [(), (), ()]


def drawn(seed: int) -> tuple[list[str], list[str]]:
    """Return the rows of both tables of 30 jobs."""
    draw, tasks, rows = random.Random(seed), [], []
    for job in range(30):
        names = [
            f"{draw.choice('MRJ')}{n}" + "".join(f"_{p}" for p in range(1, n) if draw.random() < 0.4)
            for n in (1, 2, 3)
        ]
        for name in draw.choice([["MergeTask"], ["task_abc="], names[:1], names[:2], names]):
            runs = [
                (start, start + draw.randint(0, 40))
                for start in draw.choices(range(900, 1000), k=draw.randint(1, 9))
            ]
            tasks.append(task(name, len(runs), f"j_{job}", min(runs)[0], max(end for _, end in runs)))
            rows += [instance(len(rows) + i, name, f"j_{job}", *run) for i, run in enumerate(runs)]
    draw.shuffle(rows)
    return tasks, rows


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_drawn_trace_has_what_a_plain_count_finds(tmp_path, seed):
    tasks, rows = drawn(seed)
    (tmp_path / "tasks").write_text("\n".join(tasks))
    (tmp_path / "instances").write_text("\r\n".join(rows))
    took: dict[tuple[str, bool], list[float]] = defaultdict(list)
    started: dict[str, list[float]] = defaultdict(list)
    for _, name, of, _, _, start, end, *_ in csv.reader(rows):
        waits = name.startswith(("M", "R", "J")) and "_" in name
        took[of, waits].append(float(end) - float(start))
        started[of].append(float(start))
    earliest = min(min(starts) for starts in started.values())
    for paths in ([tmp_path], [tmp_path / "instances"]):
        imported = open_trace(paths)
        assert len(imported.workload.jobs) == len(started)
        for job in imported.workload.jobs:
            assert sorted(durations_of(job, MAP)) == sorted(took[job.name, False])
            assert sorted(durations_of(job, REDUCE)) == sorted(took[job.name, True])
            assert job.arrival == min(started[job.name]) - earliest
        assert (imported.report.damage, imported.report.clamped, imported.report.notes) == ((), {}, ())
    counted = open_trace([tmp_path / "tasks"])
    assert counted.report.tasks[MAP].kept == imported.report.tasks[MAP].kept
    assert counted.report.tasks[REDUCE].kept == imported.report.tasks[REDUCE].kept


def test_time_of_very_many_very_long_instances_is_counted_right(tmp_path):
    rows = [task(f"M{number}", 10**9 - 1, f"j_{number}", 1, 10**12 - 1) for number in range(4)]
    (about, *_) = opened(tmp_path / "log", *rows).report.assumptions
    assert about.endswith("slots are held for 0.0% more time than recorded.")
