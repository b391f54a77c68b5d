"""The document as one value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.model.cluster import Cluster
from core.model.document_state import MAX_SCENARIOS, DocumentState, Scenario
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from tests.builders import FIVE_JOBS, two_stage_workload

FIFO, JOHNSON = PolicyChoice("fifo"), PolicyChoice("johnson")


@pytest.fixture
def document() -> DocumentState:
    return DocumentState.new(two_stage_workload(FIVE_JOBS), (FIFO, JOHNSON))


def test_a_new_document(document: DocumentState) -> None:
    assert [scenario.choice.id for scenario in document.scenarios] == ["fifo", "johnson"]
    assert [scenario.id for scenario in document.scenarios] == [1, 2]
    assert (document.baseline, document.next_id) == (1, 3)
    assert document.cluster == document.workload.cluster


def test_a_scenario_is_replaced_by_its_id(document: DocumentState) -> None:
    edited = replace(document.scenario(2), order=("J3", "J1"))
    changed = document.with_scenario(edited)
    assert changed.scenario(2).order == ("J3", "J1")
    assert changed.scenario(1) == document.scenario(1)
    assert document.scenario(2).order is None
    with pytest.raises(KeyError):
        document.scenario(3)


def test_a_scenario_may_have_a_cluster_of_its_own(document: DocumentState) -> None:
    own = Scenario(1, FIFO, cluster=Cluster(5, 5))
    assert document.cluster_of(own) == Cluster(5, 5)
    assert document.cluster_of(document.scenario(1)) == document.cluster


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scenarios": ()}, "a document has 1 to 6 scenarios; this one has 0"),
        ({"scenarios": tuple(Scenario(i, FIFO) for i in range(MAX_SCENARIOS + 1))}, "this one has 7"),
        ({"scenarios": (Scenario(1, FIFO), Scenario(1, JOHNSON))}, r"ids \[1, 1\] must differ"),
        ({"next_id": 2}, "be below next_id 2"),
        ({"baseline": 5}, r"the baseline 5 is not one of the scenarios \[1, 2\]"),
    ],
)
def test_what_is_refused(document: DocumentState, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        replace(document, **change)
