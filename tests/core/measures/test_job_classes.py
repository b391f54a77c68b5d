from __future__ import annotations

import numpy as np
import pytest

from core.files.samples import load_sample
from core.measures.job_classes import ClassedBy, best_classes, job_classes, size_edges
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload


def workload(*jobs):
    """Jobs of (maps, seconds, user, pool)."""
    made = [
        Job(f"J{number}", Stage.of(maps, seconds), Stage.of(0, 1.0), user=user, pool=pool)
        for number, (maps, seconds, user, pool) in enumerate(jobs, 1)
    ]
    return Workload("test", tuple(made), Cluster(4, 4))


def names(classes):
    return [each.name for each in classes.classes]


def alike(count, user=lambda number: "", pool=lambda number: "default", maps=lambda number: 4):
    return workload(*[(maps(number), 10.0, user(number), pool(number)) for number in range(count)])


def test_few_jobs_are_classes_of_their_own_however_small():
    classes = job_classes(workload((1, 1.0, "", "default"), (400, 60.0, "", "default")))
    assert classes.by is ClassedBy.JOB
    assert names(classes) == ["J1", "J2"]
    assert [each.job for each in classes.classes] == [0, 1]
    assert not any(each.is_rest for each in classes.classes)


def test_small_jobs_are_one_class_beside_the_large_ones():
    large, small = [(50, 60.0, "", "default")] * 3, [(1, 1.0, "", "default")] * 9
    classes = job_classes(workload(*small[:4], *large, *small[4:]))
    assert classes.by is ClassedBy.JOB
    assert names(classes) == ["J5", "J6", "J7", "9 small"]
    assert classes.of_job.tolist() == [3] * 4 + [0, 1, 2] + [3] * 5
    assert classes.turn.tolist() == [0, 1, 2, 3, 0, 0, 0, 4, 5, 6, 7, 8]
    assert classes.classes[3].is_rest
    assert classes.classes[3].jobs == 9


def test_the_only_one_left_over_keeps_its_name():
    classes = job_classes(alike(10), ClassedBy.JOB)
    assert names(classes)[-1] == "J10"
    assert classes.classes[-1].job == 9
    assert classes.classes[-1].is_rest


def test_of_more_large_jobs_the_largest_nine_have_names():
    classes = job_classes(alike(12, maps=lambda number: 40 - number), ClassedBy.JOB)
    assert names(classes) == [f"J{number}" for number in range(1, 10)] + ["3 others"]


def test_classes_stand_in_the_order_in_which_jobs_come():
    places = np.array([2, 0, 1])
    jobs = workload((1, 9.0, "ann", "a"), (1, 9.0, "bob", "b"), (1, 9.0, "ann", "a"))
    assert names(job_classes(jobs, ClassedBy.JOB, places)) == ["J2", "J3", "J1"]
    by_user = job_classes(jobs, ClassedBy.USER, places)
    assert names(by_user) == ["bob", "ann"]
    assert by_user.of_job.tolist() == [1, 0, 1]
    assert by_user.turn.tolist() == [1, 0, 0]
    assert names(job_classes(jobs, ClassedBy.POOL)) == ["a", "b"]


def test_datasets_stand_as_they_are_listed():
    """As their hues in the window of shared scans do: the first one is blue there, the second amber."""
    scans = load_sample("ten-scans")
    classes = job_classes(scans, ClassedBy.DATASET, np.arange(10)[::-1].copy())
    assert names(classes) == ["clicks", "sales"]
    assert classes.of_job.tolist() == [0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert names(job_classes(alike(3), ClassedBy.DATASET)) == ["no dataset"]


def test_places_of_another_number_of_jobs_are_left_out():
    assert names(job_classes(alike(3), ClassedBy.JOB, np.array([1, 0]))) == ["J1", "J2", "J3"]


@pytest.mark.parametrize(
    ("jobs", "best"),
    [
        (alike(9, user=lambda number: f"u{number % 3}"), ClassedBy.JOB),
        (alike(30, user=lambda number: f"u{number % 3}"), ClassedBy.USER),
        (alike(30, user=lambda number: f"u{number}", pool=lambda number: f"p{number % 2}"), ClassedBy.POOL),
        (alike(30, user=lambda number: "ann" if number else "bob", maps=lambda n: 1 + n % 5), ClassedBy.SIZE),
        (alike(30), ClassedBy.JOB),
    ],
)
def test_what_tells_most_apart(jobs, best):
    assert best_classes(jobs) is best
    assert job_classes(jobs).by is best


def test_hundreds_of_jobs_that_are_all_small_are_not_one_class():
    assert best_classes(alike(500, maps=lambda number: 1 + number % 40)) is ClassedBy.SIZE


def test_more_users_than_have_a_name():
    classes = job_classes(
        alike(40, user=lambda number: f"u{number:02}" if number % 2 else ""), ClassedBy.USER
    )
    assert names(classes)[0] == "no user"
    assert names(classes)[-1] == "12 others"
    assert sum(each.jobs for each in classes.classes) == 40


def test_sizes_are_ranges_of_maps_from_small_to_large():
    jobs = workload(*[(maps, 9.0, "", "default") for maps in (1, 1200, 2, 10, 1, 1000)])
    classes = job_classes(jobs, ClassedBy.SIZE)
    assert names(classes) == ["1 map", "2 maps", "10 maps", "1000 maps", "1200 maps"]
    assert [each.jobs for each in classes.classes] == [2, 1, 1, 1, 1]
    assert classes.of_job.tolist() == [0, 4, 1, 2, 0, 3]


def test_sizes_count_reduces_too():
    jobs = (Job("A", Stage.of(2, 9.0), Stage.of(30, 5.0)), Job("B", Stage.of(3, 9.0), Stage.of(0)))
    classes = job_classes(Workload("two", jobs, Cluster(2, 2, 0.0)), ClassedBy.SIZE)
    assert names(classes) == ["3 tasks", "32 tasks"]
    assert classes.of_job.tolist() == [1, 0]


def test_sizes_near_each_other_by_ratio_are_one_class():
    assert size_edges([1, 2, 10, 100, 120], 3) == [10, 100]
    assert size_edges([5]) == []
    assert size_edges([3, 1, 2], 5) == [2, 3]


def test_of_thousands_of_sizes_there_are_five_classes_in_no_time():
    edges = size_edges(list(range(1, 5000)))
    assert len(edges) == 4
    assert edges == sorted(set(edges))
