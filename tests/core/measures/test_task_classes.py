from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.logs.open_log import open_trace
from core.measures.job_classes import ClassedBy
from core.measures.task_classes import classes_by, end_differences, main_classes, task_waits
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.paths import DATA


def fifo(*jobs, slots=1):
    workload = Workload("test", jobs, Cluster(slots, slots))
    return simulate(workload, workload.cluster, PolicyChoice("fifo"), engine="interpreted")


def names(classes):
    return [each.name for each in classes.classes]


def classes_of(by, *schedules):
    return classes_by(schedules[0].workload, by, None, schedules)


def test_maps_and_reduces_are_the_stages_of_mapreduce():
    schedule = fifo(Job("J1", Stage.of(2, 5.0), Stage.of(1, 3.0)))
    classes = classes_of(ClassedBy.STAGE, schedule)
    assert names(classes) == ["map", "reduce"]
    assert classes.of_tasks(schedule).tolist() == [0, 0, 1]
    assert classes.of_job.tolist() == [-1]


@pytest.mark.parametrize("by", [ClassedBy.STAGE, ClassedBy.WAIT, ClassedBy.OUTCOME])
def test_a_job_is_of_the_class_of_most_of_its_tasks(by):
    workload = load_sample("facebook")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    classes = classes_of(by, schedule)
    of_tasks = classes.of_tasks(schedule).tolist()
    for job, found in enumerate(main_classes(classes, schedule).tolist()):
        own = [each for each, of in zip(of_tasks, workload.columns.job.tolist(), strict=True) if of == job]
        assert found == (max(sorted(set(own)), key=own.count) if own else -1)


def test_a_class_of_jobs_is_that_of_its_tasks():
    schedule = fifo(Job("J1", Stage.of(2, 5.0)), Job("J2", Stage.of(1, 3.0)))
    assert main_classes(classes_of(ClassedBy.JOB, schedule), schedule).tolist() == [0, 1]


def test_stages_of_graphs_are_classes_by_how_many_they_wait_for_in_turn():
    workload = load_sample("spark-application")
    schedule = simulate(workload, workload.cluster, PolicyChoice("spark-fifo"), engine="interpreted")
    classes = classes_of(ClassedBy.STAGE, schedule)
    assert names(classes)[:2] == ["1st stage", "2nd stage"]
    stages, found = workload.columns.stages, classes.of_tasks(schedule)
    waits = stages.has_parents[workload.columns.stage]
    assert ((found > 0) == waits).all()
    assert found.max() == len(classes.classes) - 1


def test_what_is_late_is_told_apart_where_there_are_deadlines():
    late, free = (
        Job(name, Stage.of(1, 5.0), Stage.of(0, 1.0), deadline=end) for name, end in (("a", 3.0), ("b", None))
    )
    schedule = fifo(late, free)
    classes = classes_of(ClassedBy.OUTCOME, schedule)
    assert names(classes) == ["in time", "after the deadline"]
    assert classes.of_tasks(schedule).tolist() == [1, 0]
    assert names(classes_of(ClassedBy.OUTCOME, fifo(free))) == ["done"]


def test_waits_are_from_the_arrival_to_the_start():
    schedule = fifo(
        Job("J1", Stage.of(2, 5.0), Stage.of(0, 1.0)),
        Job("J2", Stage.of(1, 5.0), Stage.of(0, 1.0), arrival=4.0),
    )
    assert task_waits(schedule).tolist() == [0, 5, 6]


def test_waits_are_in_five_classes_that_all_schedules_share():
    job = Job("J1", Stage.of(101, 1.0), Stage.of(0, 1.0))
    one, two = fifo(job), fifo(job, slots=2)
    classes = classes_of(ClassedBy.WAIT, one, two)
    assert len(classes.classes) == 5
    assert names(classes)[0].startswith("up to")
    assert names(classes)[-1].startswith("over")
    for schedule in (one, two):
        found, waits = classes.of_tasks(schedule), task_waits(schedule)
        assert (np.diff(found[np.argsort(waits, kind="stable")]) >= 0).all()
    assert set(classes.of_tasks(one).tolist()) == {0, 1, 2, 3, 4}
    assert classes.of_tasks(two).max() < 4


def test_where_nothing_waits_all_is_alike():
    schedule = fifo(Job("J1", Stage.of(1, 5.0), Stage.of(0, 1.0)))
    classes = classes_of(ClassedBy.WAIT, schedule)
    assert len(classes.classes) == 1
    assert classes.of_tasks(schedule).tolist() == [0]


@pytest.fixture(scope="module")
def record():
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    return history_schedule(workload, workload.recorded)


def test_differences_from_a_record_are_earlier_alike_or_later(record):
    shift = np.linspace(-100, 100, record.tasks)
    moved = replace(record, record=None, end=record.end + shift)
    assert end_differences(moved, record) == pytest.approx(shift)
    classes = classes_of(ClassedBy.DEVIATION, record, moved)
    assert [name.split()[-1] for name in (names(classes)[0], names(classes)[-1])] == ["earlier", "later"]
    found = classes.of_tasks(moved)
    assert (np.diff(found) >= 0).all()
    assert (found[0], found[-1]) == (0, 4)
    assert set(classes.of_tasks(record).tolist()) == {2}


def test_without_a_record_nothing_differs_from_one(record):
    plain = replace(record, record=None)
    assert names(classes_of(ClassedBy.DEVIATION, plain)) == ["all alike"]
    assert names(classes_of(ClassedBy.DEVIATION, record)) == ["all alike"]


def test_tasks_that_the_record_has_not_are_of_no_difference(record):
    other = fifo(Job("another", Stage.of(2, 5.0), Stage.of(0, 1.0)))
    assert np.isnan(end_differences(other, record)).all()
    same = record.workload.jobs[0]
    more = fifo(replace_maps(same))
    away = end_differences(more, record)
    kinds = more.workload.columns.kind
    assert np.isnan(away[kinds == 0]).sum() == 1
    assert np.isfinite(away[kinds == 1]).all()


def replace_maps(job):
    return Job(job.name, Stage.of(job.stages[0].count + 1, 5.0), Stage.of(job.stages[1].count, 1.0))


def test_classes_of_jobs_are_found_as_well(record):
    assert classes_of(ClassedBy.JOB, record).by is ClassedBy.JOB
    assert classes_of(ClassedBy.BEST, record).of_tasks is None
