"""The export menu of the study window writes a page: what is shown, with the schedules of its places."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.model.document_state import Scenario
from core.model.schedule import PolicyChoice
from explorer.study import page_export
from explorer.study.base_of_scenario import base_of
from explorer.study.page_export import ENTRY
from explorer.study.study_run import StudyRun
from explorer.study.study_window import StudyWindow
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.core.charts.study.study_pages import pictures_of
from tests.core.study.made_up import HereWorkers
from tests.unpacked_page import facts_of


@pytest.fixture
def window(shown, five_jobs, tmp_path):
    parent = shown(QWidget())

    def base():
        return base_of(five_jobs, five_jobs.cluster, Scenario(1, PolicyChoice("fifo")))

    run = StudyRun(parent, HereWorkers)  # type: ignore[arg-type]  # they run in the thread that asks
    own = StudyWindow(base, tmp_path / "results", theme(False), parent, run)
    own.workers.setValue(1)
    own.show_in_front()
    yield own
    own.shutdown()
    shutdown_workers(own)


def test_the_menu_writes_the_page_of_what_is_shown(window, qtbot, tmp_path, monkeypatch):
    """The jobs are those of the open document, which lies in no file; each place has its policies."""
    path = tmp_path / "study.html"
    monkeypatch.setattr(page_export, "ask_where_to_save", lambda *_: path)
    window.vary("cluster.map_slots")
    window.vary("policy.id")
    with qtbot.waitSignal(window.run.ended):
        QTest.mouseClick(window.run_button, Qt.MouseButton.LeftButton)
    count = window.pictures.study.row_count
    pictures = window.pictures
    qtbot.waitUntil(lambda: pictures.data is not None and pictures.data.runs == len(pictures.frame) == count)
    (entry,) = (each for each in window.pictures.export_button._menu.actions() if each.text() == ENTRY)
    entry.trigger()
    qtbot.waitUntil(lambda: window.status.text().startswith(f"Page written to {path}"), timeout=60_000)
    text = path.read_text("utf-8")
    places = pictures_of(text)["places"]
    assert [name for name, _, _ in places] == [
        f"map slots {slots}, seed 1" if window.pictures.study.seeds else f"map slots {slots}"
        for slots in window.pictures.study.axes[0].column
    ]
    assert len(facts_of(text)["schedules"]) == len(places) > 1
    assert "schedules of" in window.status.text()


def test_nothing_is_written_where_no_file_is_chosen(window, monkeypatch):
    asked = []
    monkeypatch.setattr(page_export, "ask_where_to_save", lambda *given: asked.append(given))
    window.page_export.ask_and_write()
    assert not asked, "there is nothing to write yet"
