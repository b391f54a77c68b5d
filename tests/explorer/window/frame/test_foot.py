from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.dialogs.import_report_dialog import ImportReportDialog
from tests.explorer.window_fixtures import open_window
from tests.paths import DATA


@pytest.fixture
def window(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    window.resize(1400, 760)
    return window


def settle():
    """Let what is laid out in the next rounds of the event loop be laid out."""
    for _ in range(4):
        QApplication.processEvents()


def opened(window, qtbot, name):
    with qtbot.waitSignal(window.files.opened):
        window.files.open(DATA / name)
    QApplication.processEvents()
    return window.centre.foot


def test_a_log_opens_with_a_line_and_nothing_over_the_charts(window, qtbot):
    foot = opened(window, qtbot, "jhist-2.7.jhist")
    assert foot.note.text().startswith("Read 1 job, ")
    assert foot.note.isVisible()
    assert foot.details.text() == "Details"
    assert not window.findChildren(ImportReportDialog)
    assert window.messages.message is None
    assert foot.geometry().top() > window.charts.geometry().bottom()
    assert not foot.note.geometry().intersects(window.charts.legend.geometry())
    foot.details.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(foot.details, Qt.Key.Key_Space)
    (dialog,) = window.findChildren(ImportReportDialog)
    dialog.close()


def test_in_a_narrow_window_the_short_line_is_the_link(window, qtbot):
    foot = opened(window, qtbot, "jhist-2.7.jhist")
    window.resize(1000, 700)
    QApplication.processEvents()
    assert not foot.note.isVisible()
    assert foot.details.text() == "1 job read"
    assert foot.details.toolTip().startswith("Read 1 job, ")
    QTest.mouseClick(foot.details, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(ImportReportDialog)
    dialog.close()


def test_what_is_done_stands_there_for_a_moment(window, qtbot):
    foot = opened(window, qtbot, "jhist-2.7.jhist")
    read = foot.note.text()
    foot.note.show_note("Saved to here")
    assert (foot.note.text(), foot.details.isVisible()) == ("Saved to here", False)
    foot.note.show_note("")
    assert (foot.note.text(), foot.details.isVisible()) == (read, True)


def test_another_document_has_no_line(window, qtbot):
    opened(window, qtbot, "jhist-2.7.jhist")
    with qtbot.waitSignal(window.files.opened):
        window.files.open("five-jobs")
    foot = window.centre.foot
    assert (foot.note.isVisible(), foot.details.isVisible()) == (False, False)


def test_the_legend_stands_at_the_foot_of_open_details(window, qtbot):
    foot, legend = opened(window, qtbot, "jhist-2.7.jhist"), window.charts.legend
    line = legend.height()
    window.actions_by_id["details"].trigger()
    settle()
    assert window.details.isAncestorOf(foot)
    assert legend.width() <= window.details.width()
    assert foot.details.isVisible()
    assert foot.details.y() >= legend.geometry().bottom()
    assert window.charts.geometry().bottom() == window.centre.rect().bottom()  # the charts have its line
    window.details.choose_side("below")
    settle()
    assert window.centre.isAncestorOf(foot)
    assert legend.height() == line
    window.details.choose_side("right")
    window.actions_by_id["details"].trigger()
    settle()
    assert window.centre.isAncestorOf(foot)
    assert legend.isVisible()
