"""Tables of tasks in the window: asked about once for each header, remembered, changed, forgotten."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.dialogs.columns_dialog import ColumnsDialog
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.window.files.document_work import find_run
from tests.paths import DATA

HEADER = "Workflow|Step|Begin|Finish\n"
ROWS = "etl|a|0|10\netl|b|5|20\nweb|c|7|9\n"


def dialog_of(window, qtbot, kind):
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    (dialog,) = [each for each in window.findChildren(kind) if each.isVisible()]
    return dialog


def report_of(window, qtbot):
    """Open the report by the link beside what was read."""
    link = window.centre.foot.details
    qtbot.waitUntil(lambda: link.isVisible() and not window.files.is_busy)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    return dialog_of(window, qtbot, ImportReportDialog)


def settle(window, qtbot):
    qtbot.waitUntil(lambda: not window.files.is_busy)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "steps.psv"
    path.write_text(HEADER + ROWS)
    return path


def test_a_header_is_asked_about_once_and_can_be_changed_and_forgotten(window, qtbot, table, tmp_path):
    window.files.open(table)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    qtbot.waitUntil(asked.ok_button.isEnabled)
    QTest.mouseClick(asked.ok_button, Qt.MouseButton.LeftButton)
    report = report_of(window, qtbot)
    assert [job.name for job in window.document.workload.jobs] == ["etl", "web"]
    assert "--columns job=Workflow,start=Begin,end=Finish,unit=s" in window.document.workload.description
    QTest.keyClick(report, Qt.Key.Key_Escape)

    other = tmp_path / "other.psv"
    other.write_text(HEADER + "night|a|0|10\n")
    window.files.import_logs([other])
    report = report_of(window, qtbot)
    assert [job.name for job in window.document.workload.jobs] == ["night"]
    assert not window.findChildren(ColumnsDialog)

    QTest.mouseClick(report.columns_button, Qt.MouseButton.LeftButton)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    assert asked.forget_button.isVisible()
    QTest.mouseClick(asked.forget_button, Qt.MouseButton.LeftButton)
    asked.fields["job"].setFocus()
    QTest.keyClicks(asked.fields["job"], "Step")
    qtbot.waitUntil(asked.ok_button.isEnabled)
    QTest.keyClick(asked, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [job.name for job in window.document.workload.jobs] == ["a"])
    assert "job=Step" in window.settings.columns_of(asked.table.shape.digest)
    QTest.keyClick(report_of(window, qtbot), Qt.Key.Key_Escape)


def test_nothing_changes_where_the_question_is_not_answered(window, qtbot, table):
    before = window.document.state
    window.files.open(table)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    settle(window, qtbot)
    assert window.document.state is before
    assert window.settings.columns_of(asked.table.shape.digest) == ""


def test_what_is_remembered_and_gives_nothing_is_asked_about_again(window, qtbot, table):
    window.files.open(table)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    window.settings.keep_columns(asked.table.shape.digest, "job=Workflow,start=Step,end=Finish")
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ColumnsDialog))
    window.files.open(table)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    assert asked.fields["start"].currentText() == "Step"
    qtbot.waitUntil(lambda: "start is 'a', which is no time" in asked.summary.text())
    QTest.keyClick(asked, Qt.Key.Key_Escape)


def test_a_table_with_documented_columns_can_be_read_another_way(window, qtbot):
    window.files.import_logs([DATA / "tasks.csv"])
    report = report_of(window, qtbot)
    assert report.form.is_empty
    QTest.mouseClick(report.columns_button, Qt.MouseButton.LeftButton)
    asked = dialog_of(window, qtbot, ColumnsDialog)
    assert asked.fields["kind"].currentText() == "kind"
    assert not asked.forget_button.isVisible()
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    window.files.import_logs([DATA / "swim.tsv"])
    report = report_of(window, qtbot)
    assert not report.columns_button.isVisible()
    QTest.keyClick(report, Qt.Key.Key_Escape)


def test_a_table_with_earlier_runs_is_refused_and_not_opened(window, qtbot, table):
    before = window.document.state
    window.files.open(table)
    QTest.keyClick(dialog_of(window, qtbot, ColumnsDialog), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ColumnsDialog))
    with qtbot.waitSignal(window.files.failed) as failed:
        work = partial(find_run, window.document.workload, str(table))
        window.files._start("Looking for an earlier run", work, print)
    assert "which column is what" in str(failed.args[0])
    assert not window.findChildren(ColumnsDialog)
    assert window.document.state is before
