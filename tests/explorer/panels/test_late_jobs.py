"""Jobs that miss their deadlines stand out in the list, in the active scenario."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from explorer.panels.job_columns import COLUMNS
from explorer.panels.jobs_panel import JobsPanel
from explorer.widgets.theme import theme_of

Role = Qt.ItemDataRole
COLUMN = {column.field_id: i for i, column in enumerate(COLUMNS)}


@pytest.fixture
def panel(shown, editor, view_state):
    editor.edit_job(1, "deadline", "13")
    panel = JobsPanel(editor, view_state)
    panel.set_colours(lambda _job: theme_of(panel).text)
    panel.set_late_jobs(1, {"J2": 12.0})
    return shown(panel)


def cell(panel, row, field_id, role=Role.DisplayRole):
    return panel.model.index(row, COLUMN[field_id]).data(role)


def looks(panel, row, field_id):
    ink, font = cell(panel, row, field_id, Role.ForegroundRole), cell(panel, row, field_id, Role.FontRole)
    return ink == theme_of(panel).worse, font is not None and font.bold()


def test_a_late_job_is_bold_coloured_and_says_so(panel):
    assert cell(panel, 1, "deadline") == "0:13, late by 12 s"
    assert cell(panel, 1, "name") == "J2"
    assert looks(panel, 1, "name") == looks(panel, 1, "deadline") == (True, True)
    assert cell(panel, 1, "deadline", Role.AccessibleTextRole) == "Deadline of J2: 0:13, late by 12 s"
    assert "late by 12 s under FIFO" in cell(panel, 1, "name", Role.ToolTipRole)


def test_other_jobs_and_cells_look_as_ever(panel):
    assert cell(panel, 0, "deadline") == "–"
    assert looks(panel, 0, "name") == looks(panel, 1, "weight") == (False, False)
    assert "late" not in cell(panel, 0, "name", Role.ToolTipRole)


def test_it_follows_the_active_scenario(panel, view_state):
    view_state.activate_scenario(2)
    assert cell(panel, 1, "deadline") == "0:13"
    panel.set_late_jobs(2, {"J2": 1.0})
    assert cell(panel, 1, "deadline") == "0:13, late by 1 s"
    panel.set_late_jobs(1, {})
    assert cell(panel, 1, "deadline") == "0:13, late by 1 s"
    view_state.activate_scenario(1)
    assert cell(panel, 1, "deadline") == "0:13"


def test_a_deadline_that_is_taken_away_is_not_missed(panel, editor):
    editor.edit_job(1, "deadline", "")
    assert cell(panel, 1, "deadline") == "–"
    assert looks(panel, 1, "name") == (False, False)


def test_what_is_typed_is_the_deadline_alone(panel):
    assert cell(panel, 1, "deadline", Role.EditRole) == 13.0


def test_another_document_has_no_late_jobs(panel, editor):
    editor.load(editor.document.state)
    assert cell(panel, 1, "deadline") == "0:13"
