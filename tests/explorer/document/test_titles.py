"""What scenarios are called beside others: by what differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster, differing_words
from core.model.document_state import DocumentState, Scenario
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from explorer.document.titles import title_in

CLUSTER = Cluster(64, 32, 0.05)


def titles(*scenarios: Scenario) -> list[str]:
    numbered = tuple(replace(each, id=place) for place, each in enumerate(scenarios, 1))
    state = DocumentState(load_sample("five-jobs"), CLUSTER, numbered, baseline=1, next_id=9)
    return [title_in(state, each) for each in state.scenarios]


def scenario(policy: str, cluster: Cluster | None = None, title: str = "", **parameters: object) -> Scenario:
    return Scenario(1, PolicyChoice(policy, parameters), cluster=cluster, title=title)


def test_a_cluster_of_its_own_is_named_by_what_differs() -> None:
    more = replace(CLUSTER, map_slots=128)
    assert titles(scenario("johnson"), scenario("johnson", more)) == ["Johnson", "Johnson, 128 map slots"]
    assert titles(scenario("fifo", CLUSTER)) == ["FIFO"]
    assert titles(scenario("fifo", more, "Tomorrow")) == ["Tomorrow"]


def test_parameters_are_named_where_others_have_the_same_policy() -> None:
    one, usual = scenario("optimized", steps=77, seed=4), scenario("optimized")
    (alone,) = titles(one)
    assert titles(one, usual) == [f"{alone}, steps 77, seed 4", alone]
    assert titles(usual, usual) == [alone, alone]


def test_few_differences_are_named_and_the_rest_counted() -> None:
    other = Cluster(1, 2, 0.5, "mumak")
    assert titles(scenario("fifo", other)) == ["FIFO, 1 map slot, 2 reduce slots, 2 more changes"]


@pytest.mark.parametrize(
    ("cluster", "words"),
    [
        (CLUSTER, ()),
        (replace(CLUSTER, slowstart=1.0), ("slowstart 100 %",)),
        (replace(CLUSTER, shuffle_model="mumak"), ("mumak shuffle",)),
        (replace(CLUSTER, overheads=Overheads()), ("overheads",)),
        (Cluster(0, 0, 0.05, containers=40), ("40 containers",)),
        (Cluster(64, 1, 0.05), ("1 reduce slot",)),
    ],
)
def test_words_of_clusters(cluster: Cluster, words: tuple[str, ...]) -> None:
    assert differing_words(cluster, CLUSTER) == words


def test_a_cluster_without_the_overheads_of_the_other() -> None:
    assert differing_words(CLUSTER, replace(CLUSTER, overheads=Overheads())) == ("no overheads",)
