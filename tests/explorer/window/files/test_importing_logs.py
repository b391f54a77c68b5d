"""Logs in the window: chosen, imported, reported, and imported again with other numbers."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.files.workload_writing import write_workload
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.gantt.layers.title_and_axis import remarks
from tests.paths import DATA


def shown_report(window, qtbot) -> ImportReportDialog:
    """Open the report by the link beside what was read."""
    link = window.centre.foot.details
    qtbot.waitUntil(lambda: link.isVisible() and not window.files.is_busy)
    if not window.findChildren(ImportReportDialog):
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportReportDialog)))
    (dialog,) = window.findChildren(ImportReportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def test_chosen_logs_become_the_document_and_are_accounted_for(window, qtbot, monkeypatch):
    chosen = [str(DATA / "jobtracker-0.20.log"), str(DATA / "spark.log")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_a, **_k: (chosen, ""))
    window.actions_by_id["import"].trigger()
    dialog = shown_report(window, qtbot)
    assert "JobTracker history" in dialog.summary.text()
    assert len(window.document.workload.jobs) == 5
    assert window.document.workload.recorded is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_folder_of_logs_becomes_one_document(window, qtbot, monkeypatch, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("jhist-2.7.jhist", "jhist-0.23.jhist"):
        shutil.copy(DATA / name, folder)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: str(folder))
    window.actions_by_id["import_folder"].trigger()
    QTest.keyClick(shown_report(window, qtbot), Qt.Key.Key_Escape)
    assert [len(window.document.workload.jobs), window.document.workload.name] == [2, "logs"]


@pytest.mark.only_looks
def test_nothing_chosen_changes_nothing(window, monkeypatch):
    before = window.document.state
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: "")
    window.actions_by_id["import_folder"].trigger()
    assert not window.files.is_busy
    assert window.document.state is before


@pytest.mark.parametrize("by", ["import", "open"])
def test_numbers_that_the_log_does_not_have_can_be_changed(window, qtbot, by):
    log = DATA / "swim.tsv"
    window.files.import_logs([log]) if by == "import" else window.files.open(log)
    dialog = shown_report(window, qtbot)
    assert window.settings.recent_files[0] == log
    assert window.document.workload.jobs[1].maps.count == 3
    field = dialog.form.field("map_size")
    field.setFocus()
    field.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(field, "64")
    QTest.mouseClick(dialog.again_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.workload.jobs[1].maps.count == 6)
    qtbot.waitUntil(lambda: not window.files.is_busy)
    qtbot.waitUntil(lambda: not window.findChildren(ImportReportDialog))
    assert shown_report(window, qtbot).form.values()["map_size"] == 64
    assert "64 MiB of input" in window.document.workload.description
    QTest.keyClick(shown_report(window, qtbot), Qt.Key.Key_Escape)


def test_the_report_can_be_seen_again_until_another_document_is_opened(window, qtbot):
    window.actions_by_id["import_report"].trigger()
    assert "not imported from a log" in window.messages.message.sentence
    window.files.import_logs([DATA / "swim.tsv"])
    QTest.keyClick(shown_report(window, qtbot), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ImportReportDialog))
    window.actions_by_id["import_report"].trigger()
    dialog = shown_report(window, qtbot)
    assert dialog.form.values()["map_rate"] == 10
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    window.files.open("five-jobs")
    qtbot.waitUntil(lambda: window.document.workload.name != "swim")
    qtbot.waitUntil(lambda: not window.findChildren(ImportReportDialog))
    window.actions_by_id["import_report"].trigger()
    assert not window.findChildren(ImportReportDialog)


def test_a_log_that_is_read_again_has_its_new_report(window, qtbot, tmp_path):
    log, lines = tmp_path / "night.swf", (DATA / "machine.swf").read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-7]))
    window.files.open(log)
    qtbot.waitUntil(lambda: window.document.workload.name == "night" and not window.files.is_busy)
    before = len(window.document.workload.jobs)
    log.write_bytes(b"".join(lines))
    window.actions_by_id["refresh"].trigger()
    qtbot.waitUntil(lambda: len(window.document.workload.jobs) > before and not window.files.is_busy)
    dialog = shown_report(window, qtbot)
    assert f"{len(window.document.workload.jobs)} jobs" in dialog.summary.text()
    assert window.centre.foot.details.toolTip().startswith(f"Read {len(window.document.workload.jobs)} ")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_every_view_says_that_a_log_is_cut(window, qtbot, tmp_path):
    log = tmp_path / "night.log"
    log.write_bytes(b"".join((DATA / "spark.log").read_bytes().splitlines(keepends=True)[:30]))
    window.files.open(log)
    qtbot.waitUntil(lambda: "not whole" in window.centre.foot.details.toolTip())
    qtbot.waitUntil(lambda: not window.files.is_busy)
    qtbot.waitUntil(lambda: window.charts.contents()[0].rows is not None)
    assert "log not whole" in remarks(window.charts.contents()[0])
    dialog = shown_report(window, qtbot)
    assert "The log is not whole" in dialog.heading.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ImportReportDialog))
    write_workload(window.document.workload, tmp_path / "night.workload.json")
    window.files.open(tmp_path / "night.workload.json")
    qtbot.waitUntil(lambda: window.document.workload.cut.startswith("The log is not whole"))
    qtbot.waitUntil(lambda: "The log is not whole" in window.centre.foot.details.toolTip())
