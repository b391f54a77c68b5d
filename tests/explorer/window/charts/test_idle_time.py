"""Idle time is folded in all charts; a click on its slashes or on the pleat draws it, and folds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.view_state import IdleStretches
from explorer.session.settings import WindowSettings
from explorer.window.files.document_work import OpenedDocument, new_document
from tests.explorer.window_fixtures import LEFT, open_window, x_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow

JOBS = (
    Job("early", Stage.of(4, 30.0), Stage.of(1, 1.0, 2.0, 9.0)),
    Job("late", Stage.of(4, 30.0), Stage.of(1, 1.0, 2.0, 9.0), arrival=600.0),
)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """Show two jobs with nine minutes between them."""
    opened = open_window(qtbot, tmp_path)
    opened.files.show(OpenedDocument(new_document(Workload("pause", JOBS, Cluster(4, 2)))))
    assert opened.runner.wait_until_idle(60_000)
    return opened


def room(window: MainWindow) -> int:
    """Return the pixels between the two jobs in the active chart."""
    view = window.charts.active_view
    return x_of(view, 600.0) - x_of(view, 40.0)


def test_a_pause_is_folded_and_a_click_on_its_slashes_draws_and_folds_it(window: MainWindow) -> None:
    axis, pinned = window.axis, window.charts.stack.axes[0]
    assert axis.fold.stretches == ((40.0, 600.0),)
    assert axis.fold.is_folded
    assert room(window) < 0.04 * window.charts.active_view.width()
    frame = pinned.frame()
    assert frame is not None
    slashes = QPoint(round((frame.x(40.0) + frame.x(600.0)) / 2), 6)
    QTest.mouseMove(pinned, slashes)
    assert pinned.toolTip() == "9 min 20 s in which nothing runs; a click draws it as long as it is"
    QTest.mouseClick(pinned, LEFT, Qt.KeyboardModifier.NoModifier, slashes)
    assert not axis.fold.is_folded
    assert window.settings.idle is IdleStretches.DRAWN
    assert room(window) > 0.7 * window.charts.active_view.width()
    assert window.view_state.time_cursor.seconds is None, "the click moved no cursor"
    frame = pinned.frame()
    assert frame is not None
    again = QPoint(round((frame.x(40.0) + frame.x(600.0)) / 2), 6)
    QTest.mouseClick(pinned, LEFT, Qt.KeyboardModifier.NoModifier, again)
    assert axis.fold.is_folded


def test_a_click_on_the_pleat_draws_it_and_the_menu_folds_it_again(window: MainWindow) -> None:
    view = window.charts.active_view
    place = QPoint((x_of(view, 40.0) + x_of(view, 600.0)) // 2, view.height() // 3)
    QTest.mouseClick(view, LEFT, Qt.KeyboardModifier.NoModifier, place)
    assert not window.axis.fold.is_folded
    window.actions_by_id["idle"].trigger()
    assert window.axis.fold.is_folded


def test_a_job_dragged_across_the_pleat_lands_where_it_is_dropped(window: MainWindow) -> None:
    """Where a chart says a time is, its tasks are drawn: to the left and to the right of the pleat."""
    view = window.charts.active_view
    for seconds, job in ((15.0, 0), (615.0, 1)):
        found = {view.job_at(QPoint(x_of(view, seconds), y).toPointF()) for y in range(20, view.height(), 5)}
        assert found == {-1, job}


def test_what_was_chosen_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_id["idle"].trigger()
    assert WindowSettings(tmp_path / "settings.ini").idle is IdleStretches.DRAWN
