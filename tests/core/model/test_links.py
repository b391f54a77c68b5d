"""Jobs that follow others: rules, when they arrive at the earliest, and what edits do to links."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.errors import DocumentError
from core.model.job import Job, Link
from core.model.links import links_among, named_apart
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Workload


def job(name: str, *after: Link, seconds: float = 1.0, arrival: float = 0.0) -> Job:
    return Job(name, Stage.of(2, seconds), arrival=arrival, after=after)


def chain() -> Workload:
    """A, B 5 s after A, C 2 s after B."""
    return Workload("chain", (job("A"), job("B", Link("A", 5.0)), job("C", Link("B", 2.0, True))))


@pytest.mark.parametrize(
    ("jobs", "sentence"),
    [
        (
            [job("A", Link("X"))],
            r"jobs\[0\].after\[0\].job is 'X'; no job has this name; name a job of the workload that ends",
        ),
        (
            [job("A"), job("B", Link("A", -1.0))],
            r"jobs\[1\].after\[0\].think is -1.0; a think time is 0 s or longer",
        ),
        (
            [job("A"), job("B", Link("A"), Link("A", 2.0))],
            r"jobs\[1\].after\[1\].job is 'A'; the job is named",
        ),
        ([job("A", Link("A"))], r"jobs\[0\].after is 'A' after 'A'; jobs follow one another in a circle"),
        (
            [job("D", Link("C")), job("A", Link("C")), job("B", Link("A")), job("C", Link("B"))],
            r"jobs\[3\].after is 'C' after 'B' after 'A' after 'C'; jobs follow one another in a circle",
        ),
    ],
)
def test_what_is_refused(jobs: list[Job], sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence):
        Workload("w", tuple(jobs))
    with pytest.raises(DocumentError):
        Workload("w", (job("other"),)).with_jobs([job("other"), *jobs])


def test_jobs_arrive_no_earlier_than_those_before_them_take_alone() -> None:
    """A of two stages takes 3 + 4 s; C follows both others and comes at 40 s at the earliest."""
    two = (Stage.of(2, [1.0, 3.0]), Stage.of(1, 4.0, 2.0, 2.0))
    graph = StageGraph((0, 0, 1), (Edge(0, 2),))
    three = (Stage.of(1, 6.0), Stage.of(9, 7.5), Stage.of(1, 1.0))
    jobs = (
        job("C", Link("A", 1.0), Link("B", 0.5), arrival=2.0),
        Job("A", *two, arrival=1.0),
        Job(
            "B",
            stages=three,
            graph=graph,
            after=(Link("A"),),
        ),
    )
    columns = Workload("w", jobs).columns
    assert columns.arrival.tolist() == [8.0 + 7.5 + 0.5, 1.0, 8.0]
    assert columns.links.fixed.tolist() == [2.0, 1.0, 0.0]
    assert columns.links.follows.tolist() == [True, False, True]
    late = replace(jobs[0], arrival=40.0)
    assert Workload("w", (late, *jobs[1:])).columns.arrival[0] == 40.0
    assert Workload("w", jobs).input_order == ("A", "B", "C")


def test_who_followed_a_job_that_is_gone_follows_what_that_one_followed() -> None:
    workload = chain()
    a, b, c = workload.jobs
    assert workload.with_jobs([a, c]).jobs == (a, replace(c, after=(Link("A", 7.0, True),)))
    assert workload.with_jobs([b, c]).jobs == (replace(b, after=(), arrival=5.0), c)
    assert workload.with_jobs([c]).jobs == (replace(c, after=(), arrival=7.0),)
    later = workload.with_jobs([a, replace(b, arrival=30.0), c])
    assert later.with_jobs([a, c]).jobs[1] == replace(c, after=(Link("A", 7.0, True),), arrival=32.0)
    assert workload.with_jobs([a, b]).jobs == (a, b)


def test_of_two_ways_to_one_job_the_longer_think_time_counts() -> None:
    jobs = (job("A"), job("B", Link("A", 5.0)), job("C", Link("A", 1.0), Link("B", 2.0)))
    assert Workload("w", jobs).with_jobs([jobs[0], jobs[2]]).jobs[1].after == (Link("A", 7.0),)


def test_links_know_jobs_by_their_new_names() -> None:
    named = named_apart(chain().jobs, ("A", "C"))
    assert [each.name for each in named] == ["A (2)", "B", "C (2)"]
    assert [each.after for each in named] == [(), (Link("A (2)", 5.0),), (Link("B", 2.0, True),)]


def test_jobs_that_are_taken_elsewhere_follow_one_another_alone() -> None:
    _, b, c = chain().jobs
    assert links_among([b, c]) == (replace(b, after=()), c)


def test_the_digest_has_links_and_nothing_new_without() -> None:
    workload = chain()
    assert workload.digest != workload.with_jobs(replace(each, after=()) for each in workload.jobs).digest
    longer = workload.with_jobs([*workload.jobs[:2], replace(workload.jobs[2], after=(Link("B", 2.5),))])
    assert longer.digest != workload.digest
