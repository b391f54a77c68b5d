"""Random deadlines: previewed, drawn and taken away again, each one step of undo."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from core.generate.deadlines import with_random_deadlines
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.simulate import simulate
from explorer.dialogs.deadlines_dialog import DeadlinesDialog, preview_text

LEFT = Qt.MouseButton.LeftButton


def lateness_count(workload, schedule):
    return sum(
        finish > job.deadline
        for finish, job in zip(schedule.finish, workload.jobs, strict=True)
        if job.deadline
    )


@pytest.fixture
def fifo(five_jobs):
    return simulate(five_jobs, five_jobs.cluster, PolicyChoice("fifo"), engine="interpreted")


@pytest.fixture
def dialog(qtbot, shown, five_jobs, fifo):
    dialog = shown(DeadlinesDialog(five_jobs, five_jobs.cluster, fifo, "FIFO"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    return dialog


def test_what_is_previewed_is_what_is_drawn(qtbot, dialog, five_jobs, fifo):
    dialog.factor_field.setValue(3.0)
    dialog.seed.field.setValue(7)
    assert not dialog.ok_button.isEnabled()
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    expected = with_random_deadlines(five_jobs, five_jobs.cluster, 3.0, 7, isolated_runtimes)
    late = lateness_count(expected, fifo)
    assert dialog.preview.text().splitlines()[0].startswith("5 jobs will have deadlines, from ")
    assert dialog.preview.text().endswith(f"As FIFO runs them now, {late} of 5 would be late.")
    with qtbot.waitSignal(dialog.drawn) as heard:
        qtbot.mouseClick(dialog.ok_button, LEFT)
    assert heard.args[0] == (expected, 3.0, 7)
    assert heard.args[0].workload.source == expected.source


def test_a_new_seed_gives_other_deadlines(qtbot, dialog):
    before = dialog.previewed
    qtbot.mouseClick(dialog.seed.button, LEFT)
    qtbot.waitUntil(lambda: dialog.previewed is not None)
    assert dialog.seed.field.value() == dialog.previewed.seed
    assert (dialog.previewed.workload.jobs != before.workload.jobs) == (dialog.previewed.seed != before.seed)


def test_cancel_changes_nothing(qtbot, dialog):
    heard = []
    dialog.drawn.connect(heard.append)
    dialog.cleared.connect(lambda: heard.append("cleared"))
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel), LEFT)
    assert heard == []


def test_only_deadlines_that_are_there_can_be_removed(qtbot, shown, dialog, five_jobs):
    assert not dialog.clear_button.isEnabled()
    jobs = [replace(job, deadline=100.0) for job in five_jobs.jobs]
    other = shown(DeadlinesDialog(five_jobs.with_jobs(jobs), five_jobs.cluster))
    other.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    with qtbot.waitSignal(other.cleared):
        qtbot.mouseClick(other.clear_button, LEFT)
    assert not other.isVisible()


def test_what_cannot_be_drawn_is_said(qtbot, shown, five_jobs):
    cluster = replace(five_jobs.cluster, map_slots=0)
    dialog = shown(DeadlinesDialog(five_jobs, cluster))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.waitUntil(lambda: "never ends" in dialog.preview.text())
    assert not dialog.ok_button.isEnabled()
    assert not dialog.progress.isVisible()
    dialog.reject()


def test_previews_of_few_and_no_deadlines(five_jobs):
    one = Workload("one", (Job("J1", Stage.of(1, 4.0), deadline=8.0),))
    assert preview_text(one, None, "") == "1 job will have deadlines, from 8 s to 8 s after their arrival."
    none = Workload("none", (Job("J1", Stage.of(1, 0.0)),))
    assert preview_text(none, None, "") == "No job gets a deadline: they all take no time."
