"""Every sample loads, says where it comes from, and gives the numbers of its worked example."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

import jsonschema
import pytest

from core.files.resources import resource_path
from core.files.samples import find_sample, load_sample, samples
from core.files.session_document import Session, session_from_bytes, session_to_bytes
from core.files.workload_document import read_workload
from core.files.workload_writing import document_bytes, workload_to_json
from core.measures.job_ends import late_jobs
from core.model.cluster import Cluster
from core.model.errors import UnknownName
from core.model.task_types import MAP, REDUCE
from core.model.time_text import duration_text
from tests.builders import regenerate, run

if TYPE_CHECKING:
    from core.files.samples import Sample
    from core.model.schedule import Schedule

NAMES = [
    "dynamic-slots",
    "wikitrends",
    "wordcount",
    "overlap-waves",
    "two-jobs-fair",
    "two-jobs-order",
    "failed-rack",
    "five-jobs",
    "five-jobs-pools",
    "overlapping-scans",
    "spark-application",
    "three-pools",
    "ten-scans",
    "facebook",
]


def test_the_samples_of_this_version() -> None:
    assert [sample.name for sample in samples()] == NAMES
    assert samples() is samples()


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_a_sample_loads_and_says_what_it_is(sample: Sample) -> None:
    workload = load_sample(sample.name)
    assert workload is load_sample(sample.name)
    assert (sample.title, sample.description) == (workload.name, workload.description)
    assert sample.jobs == len(workload.jobs)
    assert len(workload.description) > 40
    assert workload.source
    assert sample.path.stat().st_size < 300_000


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_writing_a_sample_again_gives_the_same_file(sample: Sample) -> None:
    document = json.loads(sample.path.read_bytes())
    written = workload_to_json(read_workload(sample.path))
    assert written == {key: value for key, value in document.items() if key != "example"}
    assert document_bytes(document) == sample.path.read_bytes()


def test_the_facebook_sample_is_what_its_seed_gives() -> None:
    workload = load_sample("facebook")
    assert workload.origin is not None
    assert regenerate(workload.origin) == workload


def test_no_two_policies_share_three_pools_alike() -> None:
    workload = load_sample("three-pools")
    policies = ("fifo", "fair", "capacity", "dynamic-priority", "edf-max", "edf-min")
    lenders = ("dhfs-pi", "dhfs-pd", "dynamic-fifo-pi", "dynamic-fifo-pd")
    makespans = {policy: run(workload, workload.cluster, policy).makespan for policy in policies + lenders}
    assert len(set(makespans.values())) == len(makespans)
    assert max(makespans[policy] for policy in lenders) < min(makespans[policy] for policy in policies)


def test_an_unknown_sample_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown sample 'five-job'; did you mean 'five-jobs'\?"):
        load_sample("five-job")


@pytest.mark.parametrize(
    ("name", "policy", "makespan"),
    [
        ("two-jobs-order", "fifo", 42),
        ("two-jobs-order", "johnson", 24),
        ("two-jobs-fair", "fifo", 30),
        ("two-jobs-fair", "fair", 40),
        ("five-jobs", "fifo", 74),
        ("five-jobs", "johnson", 47),
        ("five-jobs", "johnson-reverse", 78),
        ("five-jobs-pools", "johnson", 47),
    ],
)
def test_worked_examples_give_their_makespans(name: str, policy: str, makespan: float) -> None:
    workload = load_sample(name)
    assert run(workload, workload.cluster, policy).makespan == makespan


@pytest.mark.parametrize(("maps", "makespan"), [(12, 5), (13, 6)])
def test_the_overlap_example_holds_because_the_shuffle_overlaps(maps: int, makespan: float) -> None:
    sample = load_sample("overlap-waves")
    workload = sample.with_jobs((sample.jobs[maps - 12],))
    early = Cluster(3, 1, workload.cluster.slowstart, "overlap")
    assert run(workload, early).makespan == makespan
    assert run(workload, Cluster(3, 1, 1.0)).makespan == makespan + 1


# ---- what a sample opens as, and what it claims


@cache
def schedules_of(name: str) -> tuple[Schedule, ...]:
    state = find_sample(name).state
    return tuple(
        run(
            state.workload,
            state.cluster_of(scenario),
            scenario.choice,
            order=scenario.order,
            partition=state.partition_of(scenario),
            engine="auto",
        )
        for scenario in state.scenarios
    )


SCENARIO_OF_SESSION = json.loads(resource_path("schemas", "session.schema.json").read_bytes())
SCENARIO_OF_SESSION = {"$defs": SCENARIO_OF_SESSION["$defs"], "$ref": "#/$defs/scenario"}


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_scenarios_of_samples_are_those_of_sessions(sample: Sample) -> None:
    for scenario in sample.scenarios:
        plain = {key: value for key, value in scenario.items() if key != "makespan"}
        jsonschema.Draft202012Validator(SCENARIO_OF_SESSION).validate(plain | {"id": 1})
    assert len(sample.state.scenarios) == len(sample.scenarios)
    assert session_from_bytes(session_to_bytes(Session(sample.state)), "").state == sample.state


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_scenarios_of_samples_take_what_their_files_say(sample: Sample) -> None:
    found = [round(schedule.makespan, 2) for schedule in schedules_of(sample.name)]
    assert found == [scenario["makespan"] for scenario in sample.scenarios]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_every_number_of_a_sample_s_sentence_is_there(sample: Sample) -> None:
    """Seconds are ends, durations, or all think times; percentages are against the first scenario."""
    schedules = schedules_of(sample.name)
    times = {float(time) for schedule in schedules for time in (*schedule.finish, *schedule.stage_end)}
    times |= {float(time) for time in schedules[0].workload.columns.duration}
    times.add(float(schedules[0].workload.columns.links.think.sum()))
    texts = {duration_text(time) for time in times}
    for text in re.findall(r"(?:\d+ min )?\d[\d.]* s\b", sample.look):
        assert text in texts
    shares = {round(100 * (1 - schedule.makespan / schedules[0].makespan)) for schedule in schedules}
    for text in re.findall(r"(\d+) %", sample.look):
        assert int(text) in shares, text
    assert len(re.findall(r"[.!?](?= |$)", sample.look)) <= 3
    said = [duration_text(scenario["makespan"]) in sample.look for scenario in sample.scenarios]
    assert all(said) or re.search(r"\d+ (%|waves)", sample.look)


@pytest.mark.parametrize(
    ("name", "waves"),
    [
        ("dynamic-slots", [(2, 6), (1, 1)]),
        ("overlap-waves", [(4, 1), (5, 1)]),
        ("wikitrends", [(5, 4), (2, 1)]),
        ("wordcount", [(4, 4), (2, 2)]),
    ],
)
def test_samples_run_in_the_waves_that_they_claim(name: str, waves: list[tuple[int, int]]) -> None:
    found = [
        tuple(int(schedule.job_wave(job, kind).max()) for kind in (MAP, REDUCE))
        for schedule in schedules_of(name)
        for job in range(len(schedule.workload.jobs))
    ]
    assert found == waves


def test_no_cluster_makes_the_application_faster_than_its_longest_path() -> None:
    """The sum by hand: the longest tasks 3.2, 4.4 + 5.0, 2.2, 3.2 + 4.1 and 3.3 s, and 40 s of thinking."""
    few, many = schedules_of("spark-application")
    workload = few.workload
    assert sum(len(job.stages) for job in workload.jobs) == 8
    assert workload.jobs[1].graph.parents(2) == (0, 1)
    assert workload.columns.links.think.sum() == 40
    assert many.makespan == pytest.approx(3.2 + 4.4 + 5.0 + 2.2 + 3.2 + 4.1 + 3.3 + 40)
    assert run(workload, Cluster(0, 0, containers=100_000)).makespan == many.makespan
    assert few.cluster.containers == 4 * few.cluster.slots_per_executor


def test_late_jobs_of_three_pools_are_as_many_as_claimed() -> None:
    assert [len(late_jobs(schedule)) for schedule in schedules_of("three-pools")] == [5, 0]


def test_fair_lets_small_jobs_through_at_once() -> None:
    fifo, johnson, fair = (schedule.finish for schedule in schedules_of("facebook"))
    small = [i for i, job in enumerate(load_sample("facebook").jobs) if job.maps.count <= 2]
    assert fair[small].mean() < 0.2 * min(fifo[small].mean(), johnson[small].mean())
