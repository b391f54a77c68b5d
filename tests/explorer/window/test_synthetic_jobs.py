"""From the window's menus: jobs scaled in one step of undo, jobs generated from a job's own fit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.dialogs.fit_dialog import FitDialog
from explorer.dialogs.generate_dialog import GenerateDialog
from explorer.dialogs.scale_dialog import ScaleDialog

LEFT = Qt.MouseButton.LeftButton


def open_dialog(window, kind):
    (dialog,) = window.findChildren(kind)
    return dialog


def test_scaling_selected_jobs_is_one_step_of_undo(window, qtbot):
    before = window.document.workload
    window.view_state.select_job("J3")
    window.actions_by_id["scale_jobs"].trigger()
    dialog = open_dialog(window, ScaleDialog)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    QTest.mouseClick(dialog.ok_button, LEFT)
    assert [job.maps.count for job in window.document.workload.jobs] == [30, 30, 60, 30, 30]
    assert window.actions_by_id["undo"].text() == "&Undo: Scale 1 job by 2"
    window.runner.wait_until_idle()
    assert window.runner.outcome(1).makespan > 74
    window.actions_by_id["undo"].trigger()
    assert window.document.workload == before
    window.runner.wait_until_idle()
    assert window.runner.outcome(1).makespan == 74
    window.actions_by_id["redo"].trigger()
    assert window.document.workload.jobs[2].maps.count == 60
    assert "scaled to 2 times the input" in window.document.workload.source


def test_jobs_are_generated_from_the_selected_job(window, qtbot):
    window.view_state.select_job("J4")
    window.actions_by_id["fit_job"].trigger()
    fits = open_dialog(window, FitDialog)
    qtbot.waitUntil(fits.generate_button.isEnabled)
    QTest.mouseClick(fits.generate_button, LEFT)
    dialog = open_dialog(window, GenerateDialog)
    assert dialog.family.id == "fitted"
    assert dialog.form.values()["template"] == "J4"
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    QTest.mouseClick(dialog.ok_button, LEFT)
    workload = window.document.workload
    assert len(workload.jobs) == 100
    assert [(job.maps.count, float(job.reduces.durations[0])) for job in workload.jobs[:2]] == [(30, 30)] * 2
    window.runner.cancel()
    window.runner.wait_until_idle()


@pytest.mark.only_looks
def test_without_a_job_it_says_what_to_do(window):
    window.actions_by_id["fit_job"].trigger()
    assert "no job is selected" in window.messages.message.sentence
    assert window.findChildren(FitDialog) == []


@pytest.mark.only_looks
def test_the_menus_of_jobs_offer_both(window):
    texts = [action.text() for action in window.jobs_panel.table.actions()]
    assert {"S&cale jobs…", "&Fit distributions…"} <= set(texts)
