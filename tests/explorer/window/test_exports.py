"""File > Export writes the active scenario in every format, and a report on all of them."""

from __future__ import annotations

import json
import time

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QPushButton


@pytest.fixture
def export(window, qtbot, tmp_path, monkeypatch):
    """Choose an action of the menu, and a name and a filter in its dialog."""

    def run(action: str, name: str, kind: str = ""):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / name), kind))
        with qtbot.waitSignal(window.exports.written):
            window.actions_by_id[action].trigger()

    return run


@pytest.mark.only_looks
def test_the_menu_offers_every_format(window):
    texts = [action.text().replace("&", "") for action in window.menus.menus["export"].actions()]
    assert texts == [
        "Picture…",
        "Report…",
        "Tasks…",
        "Jobs…",
        "Chrome trace…",
        "Paje trace…",
        "Workload…",
    ]


@pytest.mark.only_looks
def test_tables_and_traces_of_the_active_scenario(window, export, tmp_path):
    window.view_state.activate_scenario(2)
    export("export_tasks", "tasks.csv")
    assert len((tmp_path / "tasks.csv").read_text().splitlines()) == 301
    export("export_tasks", "tasks", "Parquet table (*.parquet)")
    assert pd.read_parquet(tmp_path / "tasks.parquet")["end"].max() == 47
    export("export_jobs", "jobs.parquet")
    assert pd.read_parquet(tmp_path / "jobs.parquet")["end"].max() == 47
    export("export_chrome", "trace")
    assert json.loads((tmp_path / "trace.json").read_text())["otherData"]["policy"] == "johnson"
    export("export_paje", "trace.paje")
    assert (tmp_path / "trace.paje").read_text().startswith("%EventDef")


def test_a_report_has_all_scenarios_and_the_baseline_first(window, export, tmp_path):
    window.editor.make_baseline(2)
    window.editor.rename_scenario(1, "<i>Mine</i>")
    window.runner.wait_until_idle()
    export("export_report", "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.index("<td>Johnson</td><td>47.00</td><td>baseline</td>") > 0
    assert "<td>&lt;i&gt;Mine&lt;/i&gt;</td><td>74.00</td><td>+57.4 %</td>" in text
    assert text.count("data:image/png;base64,") == 2


@pytest.mark.only_looks
def test_a_file_that_cannot_be_written_is_told(window, qtbot, tmp_path, monkeypatch):
    name = str(tmp_path / "missing" / "tasks.csv")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (name, ""))
    with qtbot.waitSignal(window.exports.failed):
        window.actions_by_id["export_tasks"].trigger()
    assert "cannot write" in window.messages.message.sentence


@pytest.mark.only_looks
def test_long_writing_can_be_cancelled(window, qtbot, tmp_path, monkeypatch):
    """The dialog comes after half a second; Cancel leaves no file, and nobody is told what they know."""

    def slow(schedule, path, form, watch):
        for step in range(2000):
            watch.check(step / 2000)
            time.sleep(0.005)

    monkeypatch.setattr("explorer.window.exports.write_schedule", slow)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "t.csv"), ""))
    told = []
    window.exports.failed.connect(told.append)
    window.exports.written.connect(told.append)
    window.actions_by_id["export_tasks"].trigger()
    (dialog,) = window.findChildren(QProgressDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.labelText() == "Writing t.csv"
    qtbot.mouseClick(dialog.findChild(QPushButton), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))
    assert told == []
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.only_looks
def test_nothing_happens_when_the_dialog_is_cancelled(window, monkeypatch, tmp_path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: ("", ""))
    before = sorted(tmp_path.iterdir())
    for action in ("export_tasks", "export_report", "export_paje"):
        window.actions_by_id[action].trigger()
    assert sorted(tmp_path.iterdir()) == before
