"""What follows one another longest, worked out by hand, and what is said of it."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Workload
from core.optimize.bounds import makespan_bound
from core.optimize.longest_path import PathJob, longest_path

SLOTS = Cluster(0, 0, containers=2)
GRAPH = StageGraph((0, 0, 1, 1), (Edge(0, 2, 1.0), Edge(1, 2, 1.0), Edge(2, 3, 1.0)))
STAGES = (Stage.of(2, 3.0), Stage.of(3, [1.0, 4.0, 2.0]), Stage.of(2, 5.0, 0.5, 1.0), Stage.of(1, 2.0))
QUERY = Job("query", stages=STAGES, graph=GRAPH)
LOAD = Job("load", Stage.of(1, 7.0), arrival=2.0)


def test_the_path_goes_through_the_longest_task_of_each_stage() -> None:
    """4 s of the second scan, 0.5 + 5 s of the join, 2 s of the last stage."""
    path = longest_path(Workload("w", (QUERY,)), SLOTS)
    assert (path.seconds, path.begin, path.thinking) == (11.5, 0.0, 0.0)
    assert path.jobs == (PathJob(0, 0.0, (1, 2, 3), 11.5),)
    assert path.sentence == (
        "No cluster makes this faster than 11.5 s, because stage 1, stage 2 and stage 3 of query follow one "
        "another."
    )


def test_think_times_are_on_it_and_the_later_of_two_jobs_that_are_followed() -> None:
    """The load ends at 9 s; 1 s later would be the report, but the query ends at 11.5 s, and 3 s later."""
    report = Job("report", Stage.of(1, 1.0), after=(Link("load", 1.0), Link("query", 3.0)))
    path = longest_path(Workload("w", (report, QUERY, LOAD)), SLOTS)
    assert [(each.job, each.think, each.seconds) for each in path.jobs] == [(1, 0, 11.5), (0, 3, 1)]
    assert (path.seconds, path.thinking, path.names) == (15.5, 3.0, ("query", "report"))
    assert path.sentence == (
        "No cluster makes this faster than 15.5 s: 3 s of it the driver thinks, because query and report "
        "follow one another."
    )


def test_no_limit_is_said_to_be_longer_than_it_is() -> None:
    for seconds, text in ((11.58, "11.5 s"), (9.9996, "9.999 s"), (61.99, "1 min 01.9 s"), (27.0, "27 s")):
        path = longest_path(Workload("w", (Job("J", Stage.of(1, seconds), after=()),)), SLOTS)
        assert path.text == text


def test_a_job_that_comes_later_than_its_links_say_begins_the_path() -> None:
    late = Job("late", Stage.of(1, 5.0), arrival=30.0, after=(Link("load", 1.0),))
    path = longest_path(Workload("w", (LOAD, late)), SLOTS)
    assert (path.seconds, path.begin, path.names) == (35.0, 30.0, ("late",))
    assert path.what == "a stage of late takes 5 s from 0:30 on"


def test_of_many_jobs_the_first_two_and_the_last_are_named() -> None:
    jobs = [Job("J0", Stage.of(1, 2.0))]
    jobs += [Job(f"J{k}", Stage.of(1, 2.0), after=(Link(f"J{k - 1}", 1.0),)) for k in range(1, 9)]
    path = longest_path(Workload("w", tuple(jobs)), SLOTS)
    assert path.what == "J0, J1, 6 jobs and J8 follow one another"
    assert (path.seconds, path.thinking) == (9 * 2 + 8, 8)


@pytest.mark.parametrize(("containers", "seconds"), [(1, 26.0), (2, 13.0), (4, 11.5)])
def test_the_bound_is_said_of_any_cluster_only_where_slots_do_not_count(
    containers: int, seconds: float
) -> None:
    """26 s of work: 6 + 7 + 2 (0.5 + 5) + 2, and half a second for a task that is no filler."""
    bound = makespan_bound(Workload("w", (QUERY,)), Cluster(0, 0, containers=containers))
    assert bound.seconds >= seconds
    assert bool(bound.limit) == (containers == 4)
    assert ("on any number of slots" in bound.why) == (containers == 4)
    assert "maps" not in bound.why
    assert "reduces" not in bound.why
