"""Workloads: columns of tasks, digests, and the rules that jobs keep."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

from core.model import workload as workload_module
from core.model.errors import DocumentError
from core.model.job import Dataset, Job, Link
from core.model.limits import MAX_TASKS
from core.model.pool import Pool
from core.model.stages import ONE_STAGE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.model.workload import Workload
from tests.builders import make_job, make_workload
from tests.every_change import every_change

TWO = make_workload(
    make_job("J1", (3, [1.0, 2.0]), (2, 5.0, [7.0], [8.0, 9.0]), arrival=1.0, pool="red"),
    make_job("J2", (0,), (1, 6.0), deadline=4.0, weight=2.0, pool="blue"),
    make_job("J3", (1, 4.0), pool="red"),
)


def test_columns_lie_job_by_job_maps_before_reduces() -> None:
    columns = TWO.columns
    assert columns.duration.tolist() == [1, 2, 1, 5, 5, 6, 4]
    assert columns.first_shuffle.tolist() == [0, 0, 0, 7, 7, 0, 0]
    assert columns.typical_shuffle.tolist() == [0, 0, 0, 8, 9, 0, 0]
    assert columns.job.tolist() == [0, 0, 0, 0, 0, 1, 2]
    assert columns.kind.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert columns.first.tolist() == [[0, 3], [5, 5], [6, 7]]
    assert columns.count.tolist() == [[3, 2], [0, 1], [1, 0]]
    assert columns.arrival.tolist() == [1, 0, 0]
    assert columns.deadline.tolist() == [math.inf, 4, math.inf]
    assert columns.weight.tolist() == [1, 2, 1]
    assert columns.pool.tolist() == [0, 1, 0]
    assert TWO.pools == ("red", "blue")
    assert (TWO.map_count, TWO.reduce_count) == (4, 3)
    assert TWO.job_index == {"J1": 0, "J2": 1, "J3": 2}
    assert TWO.input_order == ("J2", "J3", "J1")


def test_two_stages_with_a_slowstart_of_their_own_are_no_maps_and_reduces() -> None:
    """As Spark's are: a stage waits for all tasks that it reads, whatever the cluster's slowstart."""
    job = TWO.jobs[0]
    behind_a_barrier = replace(job, graph=StageGraph(TASK_TYPES, (Edge(MAP, REDUCE, 1.0),)))
    assert make_workload(job).is_map_reduce
    assert make_workload(job).sizes_text == "1 job, 3 maps, 2 reduces"
    for jobs in ((behind_a_barrier,), (behind_a_barrier, TWO.jobs[1])):
        assert not make_workload(*jobs).is_map_reduce
    assert make_workload(behind_a_barrier).sizes_text == "1 job, 2 stages, 5 tasks"


def test_a_maps_shuffle_does_not_count() -> None:
    workload = make_workload(make_job("J1", (1, 1.0, 5.0, 6.0)))
    assert workload.columns.first_shuffle.tolist() == [0]
    assert workload.columns.typical_shuffle.tolist() == [0]


def test_nobody_can_change_a_value() -> None:
    for columns in (TWO.columns, TWO.columns.stages, TWO.columns.links):
        arrays = {field.name: getattr(columns, field.name) for field in fields(columns)}
        for name in arrays.keys() - {"stages", "links"}:
            assert not arrays[name].flags.writeable, name
    assert not TWO.jobs[0].maps.durations.flags.writeable
    with pytest.raises(FrozenInstanceError):
        TWO.name = "other"  # type: ignore[misc]


def test_a_stage_keeps_its_own_copy() -> None:
    samples = np.array([1.0, 2.0])
    stage = Stage.of(2, samples)
    samples[0] = 9.0
    assert stage.durations.tolist() == [1, 2]


def test_samples_repeat() -> None:
    stage = Stage.of(5, [1.0, 2.0], 3.0, [4.0, 5.0, 6.0])
    assert stage.task_durations.tolist() == [1, 2, 1, 2, 1]
    assert stage.task_first_shuffle.tolist() == [3] * 5
    assert stage.task_typical_shuffle.tolist() == [4, 5, 6, 4, 5]


def test_equal_stages_are_equal() -> None:
    assert Stage.of(2, [1.0, 2.0]) == Stage.of(2, [1.0, 2.0])
    assert hash(Stage.of(2, 1.0)) == hash(Stage.of(2, [1.0]))
    assert Stage.of(2, [1.0, 2.0]) != Stage.of(3, [1.0, 2.0])
    assert Stage.of(2, 1.0) != 2


def test_the_digest_tells_what_a_simulation_depends_on() -> None:
    """A field that is new tells, too, unless it is listed here."""
    scan = make_job("J1", (2, 2.0), (2, 5.0, 7.0, 8.0), dataset="D", blocks=((0, 2),))
    pools, datasets = (Pool("blue", capacity=0.5),), (Dataset("D", 3, 2.0),)
    workload = Workload("W", (scan,), pool_settings=pools, datasets=datasets)
    silent = {path for path, changed in every_change(workload) if changed.digest == workload.digest}
    elsewhere = {path for path in silent if path.startswith(".cluster.")} | {".pool_settings[+]"}  # again
    assert silent - elsewhere == {
        ".name", ".description", ".source", ".origin", ".recorded", ".cut", ".jobs[0].user",
        ".jobs[0].remote_read",  # the job does not say on which nodes its input lies
    }  # fmt: skip
    placed = Workload("W", (make_job("J1", (2, 2.0), (1, 5.0), input_nodes=((0,), (1,)), remote_read=1.0),))
    slower = Workload("W", (make_job("J1", (2, 2.0), (1, 5.0), input_nodes=((0,), (1,)), remote_read=2.0),))
    assert placed.digest != slower.digest


def test_the_digest_tells_nothing_else() -> None:
    jobs = (replace(TWO.jobs[0], user="somebody", dataset="d"), *TWO.jobs[1:])
    assert replace(TWO, name="other", description="x", jobs=jobs).digest == TWO.digest
    assert TWO.with_jobs(TWO.jobs[::-1]).digest != TWO.digest


@pytest.mark.parametrize(
    ("job", "sentence"),
    [
        (make_job("J1"), r"jobs\[0\]: a job needs at least one map or reduce task"),
        (make_job(" ", (1,)), r"jobs\[0\].name is ' '; a job needs a name"),
        (make_job("J\n1", (1,)), r"jobs\[0\].name is 'J\\n1'; names are one line"),
        (make_job("J1", (1,), pool="a\ud800"), r"jobs\[0\].pool is 'a\\ud800'; names are one line"),
        (make_job("J" * 1001, (1,)), r"jobs\[0\].name is 'JJJ"),
        (make_job("J1", (1,), arrival=-1.0), r"jobs\[0\].arrival is -1.0; arrival must be 0 s or later"),
        (make_job("J1", (1,), arrival=math.nan), r"jobs\[0\].arrival is nan"),
        (make_job("J1", (1,), arrival=3.0, deadline=3.0), r"deadline is 3.0; a deadline must be later than"),
        (make_job("J1", (1,), deadline=math.inf), r"jobs\[0\].deadline is inf"),
        (make_job("J1", (1,), weight=0.0), r"jobs\[0\].weight is 0.0; weight must be above 0"),
        (
            make_job("J1", (1,), arrival=3.0, service_levels=((3.0, 1.0),)),
            r"service_levels\[0\] is \[3.0, 1.0\]; give \[seconds, cost\]: times after the job's arrival",
        ),
        (
            make_job("J1", (1,), service_levels=((3.0, 1.0), (5.0, 1.0))),
            r"service_levels\[1\] is \[5.0, 1.0\]; give .* both ascending",
        ),
        (
            make_job("J1", (2,), input_nodes=((0,),)),
            r"jobs\[0\].input_nodes is 1 list; the job has 2 maps; give a list of nodes for each of them",
        ),
        (
            make_job("J1", (2,), input_nodes=((0,), ())),
            r"jobs\[0\].input_nodes\[1\] is \[\]; give the nodes that have this map's input",
        ),
        (
            make_job("J1", (1,), input_nodes=((1, 0),)),
            r"input_nodes\[0\] is \[1, 0\]; give the nodes .*ascending",
        ),
        (make_job("J1", (1,), input_nodes=((-1,),)), r"input_nodes\[0\] is \[-1\]; give the nodes"),
        (
            make_job("J1", (1,), input_nodes=((0,),), remote_read=-1.0),
            r"jobs\[0\].remote_read is -1.0; give the seconds that a read from another node adds",
        ),
        (make_job("J1", (1,), remote_read=2.0), r"remote_read is 2.0; a map reads .* give them"),
        (
            Job("J1", stages=(Stage.of(1),), graph=ONE_STAGE, input_nodes=((0,),)),
            r"jobs\[0\].input_nodes: where input lies is said of maps, and this job has stages of its own",
        ),
        (make_job("J1", (1,), shuffle_bytes=-1.0), r"shuffle_bytes is -1.0; give the bytes of the whole"),
        (make_job("J1", (1, -2.0)), r"jobs\[0\].maps.durations is -2.0; times are seconds from 0 to 1e\+12"),
        (make_job("J1", (1, [1.0, math.nan])), r"jobs\[0\].maps.durations\[1\] is nan; times are seconds"),
        (make_job("J1", (1,), (1, 1.0, math.inf)), r"jobs\[0\].reduces.first_shuffle is inf"),
        (
            make_job("J1", (1,), (1, 1.0, 1.0, [])),
            r"reduces.typical_shuffle is \[\]; give a number",
        ),
        (make_job("J1", (-1,)), r"jobs\[0\].maps.count is -1; a stage has from 0 to 20000000 tasks"),
    ],
)
def test_what_is_refused(job: Job, sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence):
        make_workload(job)
    others = [make_job(f"other {i}", (1,), arrival=1.0) for i in range(3)]
    with pytest.raises(DocumentError, match=sentence.replace(r"\[0\]", r"\[\d\]", 1)):
        make_workload(*others[:2], job, others[2])


def test_names_are_unique() -> None:
    with pytest.raises(DocumentError, match=r"jobs\[2\].name is 'J'; .*unique; jobs\[0\] has it already"):
        make_workload(make_job("J", (1,)), make_job("K", (1,)), make_job("J", (1,)))


def test_a_workload_needs_a_job_and_an_end() -> None:
    with pytest.raises(DocumentError, match="at least one job"):
        Workload("empty", ())
    half = MAX_TASKS // 2 + 1
    with pytest.raises(DocumentError, match="at most 20000000 tasks fit in one workload"):
        make_workload(make_job("J1", (half,)), make_job("J2", (half,)))


def test_a_job_in_another_place_is_else_the_same() -> None:
    job = Job(
        "a",
        Stage.of(2, 1.5),
        Stage.of(1, 2.0, 0.5, 1.0),
        arrival=1.0,
        deadline=9.0,
        pool="p",
        user="u",
        weight=2.0,
        dataset="d",
        blocks=((0, 2),),
        min_slots=1,
        max_slots=3,
        shuffle_bytes=5.0,
        service_levels=((3.0, 1.0),),
        after=(Link("z", 2.0),),
        input_nodes=((0, 1), (2,)),
        remote_read=3.0,
    )
    assert job.placed("a", 1.0) is job
    assert job.placed("b", 2.0) == replace(job, name="b", arrival=2.0)


def test_task_times_of_many_stages_are_those_of_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples repeat where they are fewer than the tasks, and the rest is left out where they are more."""
    monkeypatch.setattr(workload_module, "STAGES_AT_ONCE", 4)
    rng = np.random.default_rng(1)

    def stage(number: int) -> Stage:
        return Stage(int(rng.integers(0, 6)), *(rng.random(int(rng.integers(1, 8))) for _ in range(3)))

    jobs = tuple(Job(f"J{i}", Stage(1 + i % 3, rng.random(1 + i % 4)), stage(i)) for i in range(25))
    columns = Workload("w", jobs).columns
    for i, job in enumerate(jobs):
        (maps, reduces), ends = columns.first[i], columns.first[i] + columns.count[i]
        assert columns.duration[maps : ends[0]].tolist() == job.maps.task_durations.tolist()
        assert columns.duration[reduces : ends[1]].tolist() == job.reduces.task_durations.tolist()
        assert columns.first_shuffle[reduces : ends[1]].tolist() == job.reduces.task_first_shuffle.tolist()
        assert (
            columns.typical_shuffle[reduces : ends[1]].tolist() == job.reduces.task_typical_shuffle.tolist()
        )
        assert not columns.first_shuffle[maps : ends[0]].any()


def test_the_slot_time_of_a_job_is_what_its_tasks_take_with_their_shuffles():
    jobs = (Job("a", Stage.of(3, 2.0), Stage.of(2, 5.0, 1.0, 4.0)), Job("b", Stage.of(1, 0.5)))
    workload = Workload("two", jobs)
    assert workload.slot_time.tolist() == [3 * 2.0 + 2 * (5.0 + 4.0), 0.5]
    assert not workload.slot_time.flags.writeable


def test_more_or_fewer_maps_have_their_input_where_those_in_their_places_had_it() -> None:
    job = make_job("J1", (2, 2.0), (1, 5.0), input_nodes=((0,), (1, 2)), remote_read=3.0)
    for count, nodes in ((5, ((0,),) * 3 + ((1, 2),) * 2), (1, ((0,),)), (2, job.input_nodes)):
        changed = job.with_stage(0, Stage.of(count, 1.0))
        assert (changed.input_nodes, changed.remote_read) == (nodes, 3.0)
    none = job.with_stage(0, Stage.of(0, 1.0))
    assert (none.input_nodes, none.remote_read) == ((), 0.0)
    Workload("W", (job.with_stages((Stage.of(7, 1.0), job.reduces)), none.placed("J2", 0.0)))
