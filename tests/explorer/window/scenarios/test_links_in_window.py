"""A job is let follow another one by a menu, with undo; a circle is refused with a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QInputDialog

from core.model.job import Link
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return open_window(qtbot, tmp_path)


def follow(window: MainWindow, job: str, before: str) -> None:
    """Select a job, and choose in the dialog of the menu which one it follows."""
    window.view_state.select_job(job)
    window.actions_by_id["follow_job"].trigger()
    dialog = window.findChildren(QInputDialog)[-1]
    box = dialog.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    assert job not in [box.itemText(row) for row in range(box.count())]
    QTest.keyClicks(box, before)
    box.setCurrentText(before)
    dialog.accept()
    window.runner.wait_until_idle(60_000)


def links(window: MainWindow, job: str) -> tuple[Link, ...]:
    workload = window.document.workload
    return workload.jobs[workload.job_index[job]].after


def test_a_job_follows_the_one_that_is_chosen_and_undo_takes_it_back(window: MainWindow) -> None:
    follow(window, "J2", "J1")
    assert links(window, "J2") == (Link("J1", 0.0),)
    schedule = window.runner.outcome(window.view_state.active_scenario).schedule
    assert schedule.arrival[1] == schedule.finish[0] > 0
    window.editor.undo_stack.undo()
    assert links(window, "J2") == ()


def test_a_circle_is_refused_in_words(window: MainWindow) -> None:
    follow(window, "J2", "J1")
    follow(window, "J1", "J2")
    assert links(window, "J1") == ()
    said = window.messages.message
    assert said is not None
    assert "follow one another in a circle" in said.sentence


def test_its_think_time_stays_when_it_follows_another(window: MainWindow) -> None:
    window.editor.follow_job(2, "J1", 7.5)
    follow(window, "J3", "J5")
    assert links(window, "J3") == (Link("J5", 7.5),)
