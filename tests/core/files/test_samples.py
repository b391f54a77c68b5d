"""Every sample loads, says where it comes from, and gives the numbers of its worked example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.files.open_workload import load_sample, samples
from core.files.workload_document import read_workload
from core.files.workload_writing import document_text, workload_to_json
from core.model.cluster import Cluster
from core.model.errors import UnknownName
from core.model.workload import MAP, REDUCE
from tests.builders import regenerate, run

if TYPE_CHECKING:
    from core.files.open_workload import Sample

NAMES = [
    "overlap-12-maps",
    "overlap-13-maps",
    "wikitrends",
    "wordcount",
    "two-jobs-fair",
    "two-jobs-order",
    "five-jobs",
    "five-jobs-pools",
    "overlapping-scans",
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
    text = document_text(workload_to_json(read_workload(sample.path)))
    assert text.encode() == sample.path.read_bytes()


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
        ("overlap-12-maps", "fifo", 5),
        ("overlap-13-maps", "fifo", 6),
    ],
)
def test_worked_examples_give_their_makespans(name: str, policy: str, makespan: float) -> None:
    workload = load_sample(name)
    assert run(workload, workload.cluster, policy).makespan == makespan


@pytest.mark.parametrize(
    ("name", "slots", "waves"),
    [
        ("wikitrends", 16, (5, 4)),
        ("wikitrends", 64, (2, 1)),
        ("wordcount", 128, (2, 2)),
        ("wordcount", 64, (4, 4)),
    ],
)
def test_worked_examples_run_in_their_waves(name: str, slots: int, waves: tuple[int, int]) -> None:
    workload = load_sample(name)
    schedule = run(workload, Cluster(slots, slots))
    assert tuple(schedule.job_wave(0, kind).max() for kind in (MAP, REDUCE)) == waves


@pytest.mark.parametrize(("name", "makespan"), [("overlap-12-maps", 5), ("overlap-13-maps", 6)])
def test_the_overlap_examples_hold_because_the_shuffle_overlaps(name: str, makespan: float) -> None:
    workload = load_sample(name)
    early = Cluster(3, 1, workload.cluster.slowstart, "overlap")
    assert run(workload, early).makespan == makespan
    assert run(workload, Cluster(3, 1, 1.0)).makespan == makespan + 1
