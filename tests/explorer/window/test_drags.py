"""What drags need: places that light up, reasons beside the pointer, a welcome for files."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from explorer.document.view_state import SelectedTask
from explorer.window.files.drop_welcome import NOT_HERE
from tests.explorer.window_fixtures import LEFT, block_point, drag, open_window, x_of
from tests.paths import DATA

pytestmark = pytest.mark.only_edits

NONE = Qt.KeyboardModifier.NoModifier
COPY = Qt.DropAction.CopyAction


def put_tip_away(qtbot):
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not any(part.inherits("QTipLabel") for part in QApplication.topLevelWidgets()))


def entering(*urls):
    mime = QMimeData()
    mime.setUrls(list(urls))
    return mime, QDragEnterEvent(QPoint(50, 50), COPY, mime, LEFT, NONE)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("plain.workload.json",), "Drop to open plain.workload.json"),
        (("mine.py",), "Drop to use the policy mine.py"),
        (("a.jhist", "b.jhist"), "Drop to import 2 logs as one workload"),
    ],
)
def test_files_dragged_over_the_window_are_welcomed(window, names, says):
    mime, event = entering(*(QUrl.fromLocalFile(f"/tmp/{name}") for name in names))
    before = window.grab().toImage()
    window.dragEnterEvent(event)
    assert event.isAccepted()
    assert window.drop_welcome.isVisible()
    assert window.drop_welcome.text == says
    assert window.drop_welcome.geometry() == window.rect()
    assert window.grab().toImage() != before
    window.dragLeaveEvent(QDragLeaveEvent())
    assert not window.drop_welcome.isVisible()
    assert mime.hasUrls()


def test_what_lies_elsewhere_is_refused_with_a_reason(window):
    mime, event = entering(QUrl("https://example.com/log.jhist"))
    window.dragEnterEvent(event)
    assert event.dropAction() == Qt.DropAction.IgnoreAction
    assert window.drop_welcome.text == NOT_HERE
    document = window.document.state
    window.dropEvent(QDropEvent(QPointF(50, 50), COPY, mime, LEFT, NONE))
    assert not window.drop_welcome.isVisible()
    assert window.document.state is document


def test_a_click_selects_and_covers_no_place_to_drop(window):
    view = window.charts.views[1]
    place = block_point(view, 2)
    QTest.mouseMove(view, place)
    assert view._overlays().pointer is not None, "the card says what is there"
    QTest.mouseClick(view, LEFT, NONE, place)
    assert window.view_state.selected_job == "J3"
    assert view._overlays().pointer is None
    QTest.mouseMove(view, place + QPoint(2, 0))
    assert view._overlays().pointer is None, "it is still the same task"
    QTest.mouseMove(view, block_point(view, 0))
    assert view._overlays().pointer is not None


def test_escape_lets_go_of_what_is_selected(window):
    view = window.charts.views[1]
    QTest.mouseClick(view, LEFT, NONE, block_point(view, 2))
    window.view_state.select_task(SelectedTask(1, 70))
    window.charts.stack.maximise(1)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not window.charts.stack.is_maximised
    assert window.view_state.selected_job == "J3"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert window.view_state.selected_job is None
    assert window.view_state.selected_task is None


def test_keys_move_a_job_before_the_same_ghost_as_the_mouse(window):
    view = window.charts.views[2]
    before = window.runner.outcome(2).schedule
    drag(view, block_point(view, 3), x_of(view, 0))
    assert window.runner.wait_until_idle(60_000)
    by_mouse = view.content.ghost.schedule
    assert by_mouse.start.tolist() == before.start.tolist()
    window.editor.undo_stack.undo()
    assert window.runner.wait_until_idle(60_000)
    assert not view.content.ghost
    window.view_state.activate_scenario(2)
    window.view_state.select_job("J4")
    for _ in range(3):
        window.actions_by_id["earlier"].trigger()
        assert window.runner.wait_until_idle(60_000)
    assert window.document.scenario(2).order is not None
    assert view.content.ghost.schedule.start.tolist() == by_mouse.start.tolist()


def test_rows_that_cannot_be_dragged_say_why_beside_the_pointer(window, qtbot):
    window.side_dock.show_section("jobs")
    table = window.jobs_panel.table
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert not window.jobs_panel.model.shows_order
    first, last = (table.visualRect(window.jobs_panel.model.index(row, 1)).center() for row in (0, 3))
    QTest.mousePress(table.viewport(), LEFT, NONE, first)
    QTest.mouseMove(table.viewport(), last)
    assert "click # to show and change the order" in QToolTip.text()
    QTest.mouseRelease(table.viewport(), LEFT, NONE, last)
    put_tip_away(qtbot)


def test_pools_light_up_while_rows_are_dragged(window):
    window.actions_by_id["pools"].trigger()
    QApplication.processEvents()
    table = window.pools.panel.settings_table
    rows = table.model().rowCount()
    assert rows > 0
    before = table.viewport().grab().toImage()
    window.jobs_panel.table.drag_toggled.emit(True)
    lit = table.viewport().grab().toImage()
    window.jobs_panel.table.drag_toggled.emit(False)
    assert lit != before
    assert table.viewport().grab().toImage() == before
    link = table.palette().color(QPalette.ColorRole.Link)
    assert any(lit.pixelColor(x, y) == link for x in range(lit.width()) for y in range(lit.height()))


def test_what_really_ran_says_why_it_is_not_moved(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    with qtbot.waitSignal(window.files.opened):
        window.files.open(DATA / "jobtracker-0.20.log")
    assert window.runner.wait_until_idle(60_000)
    record = next(each.id for each in window.document.scenarios if each.choice.is_record)
    view = window.charts.views[record]
    place = block_point(view, 0)
    QTest.mouseMove(view, place)
    QTest.mouseClick(view, LEFT, NONE, place)
    QTest.mousePress(view, LEFT, NONE, place)
    QTest.mouseMove(view, place + QPoint(40, 0))
    assert "cannot be changed any more" in QToolTip.text().replace("\n", " ")
    QTest.mouseRelease(view, LEFT, NONE, place + QPoint(40, 0))
    put_tip_away(qtbot)
    window.view_state.activate_scenario(record)
    document, said = window.document.state, []
    window.jobs_panel.refused.connect(said.append)
    window.jobs_panel._on_dropped(("job_201001010000_0001",), tuple(reversed(window.jobs_panel.model.order)))
    assert window.document.state is document
    assert "cannot be changed any more" in said[0]
    put_tip_away(qtbot)
