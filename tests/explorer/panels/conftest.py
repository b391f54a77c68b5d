"""What the tests of the panels share: schedules to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.simulation.simulate import simulate

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
