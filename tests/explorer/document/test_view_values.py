"""What a session says was looked at is looked at again; nonsense in it changes nothing."""

from __future__ import annotations

import pytest

from core.files.samples import load_sample
from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from explorer.document.document import Document
from explorer.document.view_state import RowHeights, SelectedStage, SelectedTask, ViewState


@pytest.fixture
def view_state(qapp):
    choices = (PolicyChoice("fifo"), PolicyChoice("johnson"))
    return ViewState(Document(DocumentState.new(load_sample("five-jobs"), choices)))


def test_values_come_back(view_state):
    view_state.activate_scenario(2)
    view_state.select_job("J3")
    view_state.select_stage(SelectedStage("J3", 1))
    view_state.select_task(SelectedTask(2, 121))
    view_state.time_cursor.end = 47.0
    view_state.time_cursor.show_at(20.0, 3)
    view_state.fold(1, frozenset({"MAP", "REDUCE"}))
    view_state.row_heights = RowHeights.FITTED
    values = view_state.values()
    view_state.fold(1, frozenset())
    view_state.row_heights = RowHeights.SCROLLED
    view_state.activate_scenario(1)
    view_state.select_job(None)
    view_state.time_cursor.hide()
    view_state.restore(values)
    assert view_state.values() == values


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        "view",
        3,
        {},
        {"active_scenario": 9},
        {"active_scenario": "2"},
        {"selected_job": "J9"},
        *({"folded": folded} for folded in (["MAP"], {"1": "MAP"}, {"1": [3]}, {"9": ["MAP"]})),
        {"row_heights": "tall"},
        {"row_heights": []},
        {"selected_job": ["J1"]},
        {"selected_task": [1, 0]},
        {"selected_job": "J9", "selected_task": [1, 0]},
        {"selected_task": "ab"},
        {"selected_stage": ["J1", 0]},
        {"selected_stage": "ab"},
        {"cursor": [float("nan"), 0]},
        {"cursor": [1e400, 0]},
        {"cursor": [-1.0, 0]},
        {"cursor": [1.0, -1]},
        {"cursor": [1.0]},
        {"cursor": True},
    ],
)
def test_nonsense_changes_nothing(view_state, values):
    before = view_state.values()
    view_state.restore(values)
    assert view_state.values() == before


@pytest.mark.parametrize("task", [[1, 10**6], [1, -1], [7, 0], [1, 60]])
def test_a_task_of_another_job_or_none_is_not_selected(view_state, task):
    view_state.restore({"selected_job": "J1", "selected_task": task})
    assert view_state.selected_job == "J1"
    assert view_state.selected_task is None
