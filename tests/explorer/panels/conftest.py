"""What the tests of the panels share: schedules to show, and headers of scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from core.simulation.simulate import simulate
from explorer.panels.scenario_headers import ScenarioHeaders
from explorer.widgets.layouts import column

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.editor import Editor


@pytest.fixture
def undo(editor: Editor):
    """Return the texts of the steps on the undo stack, from the first to the last."""

    def texts() -> list[str]:
        stack = editor.undo_stack
        return [stack.text(i) for i in range(stack.index())]

    return texts


@pytest.fixture
def schedules(document: Document) -> dict[int, Schedule]:
    """Return the schedule of each scenario by id."""
    state = document.state
    return {
        s.id: simulate(state.workload, state.cluster_of(s), s.choice, order=s.order, engine="interpreted")
        for s in state.scenarios
    }


@pytest.fixture
def shelf(shown):
    """A widget that the headers lie in, as in the stack of charts."""
    shelf = QWidget()
    column(parent=shelf)
    shelf.resize(1100, 200)
    return shown(shelf)


@pytest.fixture
def bar(shelf, editor, view_state):
    headers = ScenarioHeaders(editor, view_state, shelf)

    def place():
        for scenario in editor.document.scenarios:
            shelf.layout().addWidget(headers.header(scenario.id))
            headers.header(scenario.id).show()

    editor.document.scenarios_changed.connect(place)
    place()
    QApplication.sendPostedEvents()
    return headers
