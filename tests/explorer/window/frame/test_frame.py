"""The frame of the window: the charts have most of it, and nothing moves them but what the user docks."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QToolButton, QWidget

from explorer.panels.job_columns import END
from explorer.window.frame.layout import screen_of
from tests.explorer.window_fixtures import open_window

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton


def settled(window, width, height):
    """Make the window so large, with everything in its place."""
    window.resize(width, height)
    QApplication.processEvents()
    assert (window.width(), window.height()) == (width, height)


class Painted(QObject):
    """Notes which of some widgets are painted."""

    def __init__(self, *watched):
        super().__init__(watched[0])
        self.widgets = []
        for widget in watched:
            widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.widgets.append(watched)
        return False


def charts_of(window):
    """Return where each chart is, and how large."""
    QApplication.processEvents()
    return [view.visibleRegion().boundingRect() for view in window.charts.views.values()]


def share_of_charts(window):
    area = sum(box.width() * box.height() for box in charts_of(window))
    return area / (window.width() * window.height())


@pytest.mark.parametrize("more", [0, 7])
def test_charts_have_most_of_the_window(window, more):
    for _ in range(more):
        window.editor.add_job()
    settled(window, 1400, 900)
    assert share_of_charts(window) >= 0.6
    settled(window, 1000, 700)
    assert share_of_charts(window) >= 0.5


# ---- the side bar


def test_the_side_bar_gives_its_room_to_the_charts(window, qtbot):
    before = charts_of(window)[0].width()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert window.side_dock.isHidden()
    assert charts_of(window)[0].width() > before + 200
    assert not window.actions_by_id["side_bar"].isChecked()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert charts_of(window)[0].width() == before


def test_sections_fold_by_click_and_by_key(window, qtbot):
    sections = window.side_dock.bar.sections
    jobs, cluster = sections["jobs"], sections["cluster"]
    before = jobs.height()
    qtbot.mouseClick(cluster.header, LEFT)
    assert not cluster.is_open
    assert not window.cluster_panel.isVisible()
    QApplication.processEvents()
    assert jobs.height() > before + 100
    cluster.header.setFocus()
    QTest.keyClick(cluster.header, Qt.Key.Key_Right)
    assert window.cluster_panel.isVisible()
    QTest.keyClick(cluster.header, Qt.Key.Key_Left)
    assert not window.cluster_panel.isVisible()
    QTest.keyClick(cluster.header, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert jobs.height() == before


def test_with_all_sections_folded_their_headers_stay_at_the_top(window):
    bar = window.side_dock.bar
    for section in bar.sections.values():
        section.open(False)
    QApplication.processEvents()
    assert sum(section.height() for section in bar.sections.values()) < 120
    assert bar.sections["pools"].y() < 120


@pytest.mark.own_window
def test_the_jobs_fit_their_first_columns(window):
    settled(window, 1000, 700)
    narrow = window.side_dock.bar.sizeHint().width()
    window.resizeDocks([window.side_dock], [narrow], Qt.Orientation.Horizontal)
    settled(window, 1000, 700)
    table = window.jobs_panel.table
    assert window.side_dock.width() == narrow <= 220
    right = table.columnViewportPosition(2) + table.columnWidth(2)
    assert right <= table.viewport().width()
    assert [table.model().index(row, END).data() for row in range(5)] == [
        "0:09",
        "0:13",
        "0:39",
        "1:11",
        "1:14",
    ]
    window.view_state.activate_scenario(2)
    assert table.model().index(4, END).data() == "0:47"


# ---- comparison, messages, notes


def test_messages_take_room_below_the_charts_and_give_it_back(window, qtbot):
    before = charts_of(window)
    window.messages.show_sentence("This is wrong, and this is what to do. " * 8)
    QApplication.processEvents()
    bar = window.messages
    assert bar.isVisible()
    qtbot.waitUntil(lambda: bar.height() >= bar.heightForWidth(bar.width()))
    others = (window.charts, window.centre.foot)
    qtbot.waitUntil(lambda: not any(bar.geometry().intersects(part.geometry()) for part in others))
    assert [box.width() for box in charts_of(window)] == [box.width() for box in before]
    bar.dismiss()
    QApplication.processEvents()
    assert not bar.isVisible()
    assert charts_of(window) == before


def test_a_long_message_leaves_room_for_the_charts(window):
    settled(window, 1000, 700)
    window.messages.show_sentence("This is wrong, and this is what to do. " * 200)
    QApplication.processEvents()
    assert window.charts.height() > 350


def test_what_was_done_is_said_in_front_of_what_goes_on(window):
    note = window.centre.foot.note
    window.show_compiling("Compiling: 3 of 25.")
    note.show_note("Saved to here")
    assert note.text() == "Saved to here"
    note.show_note("")
    assert note.text() == "Compiling: 3 of 25."
    window.show_compiling("")
    assert not note.isVisible()


def test_a_long_path_is_cut_in_its_middle(window):
    window.centre.foot.note.show_note("Saved to " + "/a folder with a long name" * 20 + "/five.slotscope")
    note = window.centre.foot.note
    QApplication.processEvents()
    assert note.width() < note.sizeHint().width()
    assert note.toolTip().endswith("five.slotscope")
    assert window.centre.foot.rect().contains(note.geometry())
    assert window.charts.legend.width() > window.centre.foot.width() / 2


# ---- the active scenario, the keyboard


def test_tab_goes_round_the_window_and_leaves_the_scenario(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.details.choose_side("below")  # so that the sentence stays above the charts
    for name in ("comparison", "pools"):
        window.actions_by_id[name].trigger()
    window.view_state.activate_scenario(2)
    window.view_state.select_job("J2")
    window.messages.show_sentence("This is wrong")
    window.jobs_panel.table.setFocus()
    visited: list[QWidget] = []
    sentence = window.sentence.bar  # Tab goes from link to link there
    while (focus := QApplication.focusWidget()) not in set(visited) - {sentence}:
        assert focus is not None
        visited.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        assert window.view_state.active_scenario == 2, focus
        assert len(visited) < 200
    assert sentence in visited
    headers = [section.header for section in window.side_dock.bar.sections.values()]
    parts = [*headers, *window.charts.views.values(), window.details.tabs]
    assert [part for part in parts if part not in visited] == []
    assert any(window.messages.isAncestorOf(part) for part in visited)


def test_keys_reach_the_active_chart_at_first(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert QApplication.focusWidget() is window.charts.active_view


def test_dismissing_a_message_gives_the_focus_back(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.view_state.activate_scenario(2)
    table = window.jobs_panel.table
    table.setFocus()
    for _ in range(2):
        window.messages.show_sentence("This is wrong")
        button = next(each for each in window.messages.findChildren(QToolButton) if each.text() == "Dismiss")
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert not window.messages.isVisible()
        assert QApplication.focusWidget() is table
        assert window.view_state.active_scenario == 2
        window.charts.views[1].setFocus()
        table.setFocus()


# ---- small windows, large letters


def everything_open(window):
    for name in ("comparison", "pools"):
        window.actions_by_id[name].trigger()
    window.inspector_page.bring()
    QApplication.processEvents()


def test_with_everything_open_a_small_window_overlaps_nothing(window):
    everything_open(window)
    settled(window, 1000, 700)
    docks = [window.side_dock, window.details]
    boxes = [each.geometry() for each in (*docks, window.centre)]
    assert all(window.rect().contains(box) for box in boxes)
    assert [pair for pair in combinations(boxes, 2) if pair[0].intersects(pair[1])] == []
    assert all(box.height() >= 100 for box in charts_of(window))


@pytest.fixture
def large_letters(qapp):
    before = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(before.pointSizeF() * 1.75)
    qapp.setFont(larger)
    yield
    qapp.setFont(before)


@pytest.mark.usefixtures("large_letters")
def test_large_letters_fit_a_small_screen(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    settled(window, 1366, 720)
    assert share_of_charts(window) > 0.4
    tools = [window.top_bar.search, *window.top_bar.tools.values()]
    assert all(window.top_bar.rect().contains(tool.geometry()) for tool in tools)
    everything_open(window)
    least = window.minimumSizeHint()
    assert least.width() < 1366
    assert least.height() < 720
    panel = window.cluster_panel
    assert panel.minimumSizeHint().width() <= panel.parentWidget().width()
    for field in panel.findChildren(QAbstractSpinBox):
        if field.isVisible():
            assert field.width() >= field.fontMetrics().horizontalAdvance("30 slots")


def test_the_layout_of_this_screen_is_remembered(window):
    window.side_dock.toggle()
    window.side_dock.bar.sections["cluster"].open(False)
    window.editor.undo_stack.setClean()
    window.close()
    kept = window.settings.layout(screen_of(window))
    assert kept["panels"]["side bar"]["is_open"] is False
    assert kept["sections"]["cluster"]["is_open"] is False
    assert window.settings.layout("1x1") == {}
