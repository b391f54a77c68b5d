"""Deadlines in the window: drawn at random, edited, followed by policies, charts, list and figures."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.generate.deadlines import with_random_deadlines
from core.model.schedule import PolicyChoice
from core.simulation.fifo_trials import isolated_runtimes
from explorer.dialogs.deadlines_dialog import DeadlinesDialog
from explorer.panels.job_columns import COLUMNS
from explorer.widgets.theme import application_palette, theme
from tests.explorer.window_fixtures import open_window

LEFT = Qt.MouseButton.LeftButton
DEADLINE = [column.field_id for column in COLUMNS].index("deadline")


@pytest.fixture
def window(qtbot, tmp_path):
    return open_window(qtbot, tmp_path, compiled=False)


def dialog_of(qtbot, window):
    window.actions_by_id["random_deadlines"].trigger()
    dialog = next(dialog for dialog in window.findChildren(DeadlinesDialog) if dialog.isVisible())
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    return dialog


def test_drawing_deadlines_is_one_step(qtbot, window):
    before = window.document.workload
    qtbot.mouseClick(dialog_of(qtbot, window).ok_button, LEFT)
    expected = with_random_deadlines(before, window.document.cluster, 2.0, 1, isolated_runtimes)
    assert window.document.workload == expected
    assert window.editor.undo_stack.count() == 1
    assert window.editor.undo_stack.undoText() == "Draw deadlines with factor 2 and seed 1"
    window.editor.undo_stack.undo()
    assert window.document.workload == before
    window.editor.undo_stack.redo()
    assert window.document.workload == expected


def test_removing_them_is_one_step(qtbot, window):
    window.editor.edit_job(0, "deadline", "100")
    with_one = window.document.workload
    qtbot.mouseClick(dialog_of(qtbot, window).clear_button, LEFT)
    assert all(job.deadline is None for job in window.document.workload.jobs)
    assert window.editor.undo_stack.undoText() == "Remove all deadlines"
    window.editor.undo_stack.undo()
    assert window.document.workload == with_one


def test_an_order_made_by_hand_stays(qtbot, window):
    order = ("J5", "J4", "J3", "J2", "J1")
    window.editor.drop_order(2, order)
    qtbot.mouseClick(dialog_of(qtbot, window).ok_button, LEFT)
    assert window.document.scenario(2).order == order


def test_an_edited_deadline_reorders_the_jobs_of_policies_that_heed_it(window):
    edf = window.editor.add_scenario(PolicyChoice("edf-max"))
    window.runner.wait_until_idle()
    assert window.runner.outcome(edf).job_order[0] == "J1"
    window.editor.edit_job(4, "deadline", "7")
    window.runner.wait_until_idle()
    assert window.runner.outcome(edf).job_order[0] == "J5"
    assert window.runner.outcome(edf).metrics["late_jobs"] == 0
    assert window.runner.outcome(1).metrics["late_jobs"] == 1


def test_list_chart_and_legend_follow(window):
    assert "deadline" not in window.charts.legend.accessibleDescription()
    window.editor.edit_job(4, "deadline", "7")
    window.runner.wait_until_idle()
    assert window.jobs_panel.model.index(4, DEADLINE).data() == "0:07, late by 1 min 07 s"
    assert window.charts.views[1].content.late_texts == {4: "J5 late by 1 min 07 s"}
    assert "deadline, late" in window.charts.legend.accessibleDescription()
    window.editor.edit_job(4, "deadline", "")
    window.runner.wait_until_idle()
    assert window.jobs_panel.model.index(4, DEADLINE).data() == "–"
    assert "deadline" not in window.charts.legend.accessibleDescription()


def test_late_jobs_are_legible_after_another_theme_was_chosen(window, qapp):
    """The palette may reach the panel after the charts have told their colours."""
    window.editor.edit_job(4, "deadline", 7.0)
    assert window.runner.wait_until_idle()
    before = qapp.palette()
    try:
        for dark in (True, False):
            window.set_theme(theme(dark))
            qapp.setPalette(application_palette(theme(dark)))
            qapp.processEvents()
            ink = window.jobs_panel.model.index(4, DEADLINE).data(Qt.ItemDataRole.ForegroundRole)
            assert ink == theme(dark).worse
    finally:
        qapp.setPalette(before)
