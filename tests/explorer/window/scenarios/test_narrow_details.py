"""The pages of the details where there is little room: nothing is wider than they are, all is in reach."""

from __future__ import annotations

import gzip
import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QWidget

from core.lessons.lesson_document import lesson_paths
from explorer.document.view_state import SelectedTask
from explorer.session.settings import WindowSettings
from explorer.widgets.details import DEFAULT_WIDTH
from explorer.widgets.theme import theme
from explorer.window.files.document_work import open_document
from explorer.window.main_window import MainWindow
from tests.explorer.window_fixtures import forget_changes
from tests.paths import TRACES

LOGS = ("hadoop-mapreduce/19-jobs.trace.json.gz", "spark-truth/chain-N8.eventlog.gz")
SOURCES = ("facebook", "spark-application", *(str(TRACES / log) for log in LOGS))
PAGES = (
    "inspector",
    "why",
    "findings",
    "optimise",
    "makespan chain",
    "at this instant",
    "first difference",
    "trace",
    "profile",
    "checks",
)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(qtbot, tmp_path):
    def show(source: str, width: int, height: int) -> MainWindow:
        if source.startswith(str(TRACES)) and not TRACES.exists():
            pytest.skip("needs the logs of real runs in ../shared/traces")
        settings = WindowSettings(tmp_path / "settings.ini")
        window = MainWindow(open_document(source).state, settings, theme(dark=False))
        qtbot.addWidget(window, before_close_func=forget_changes)
        window.resize(width, height)
        window.show()
        assert window.runner.wait_until_idle(120_000)
        return window

    return show


def scrolls_of(widget, page):
    """Return the areas that a widget lies in, from the inside."""
    while widget is not page:
        widget = widget.parentWidget()
        if isinstance(widget, QScrollArea):
            yield widget


def is_reached(widget, page):
    """Return whether a control is in view once the areas around it are scrolled to it."""
    for area in scrolls_of(widget, page):
        area.ensureWidgetVisible(widget)
    seen = widget.visibleRegion().boundingRect()
    return seen.width() >= widget.width() and seen.height() >= min(widget.height(), 16)


def controls(page):
    """Return what the keyboard reaches in a page, but not the insides of controls."""
    return [
        part
        for part in page.findChildren(QWidget)
        if part.isVisible() and part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not isinstance(part, QAbstractScrollArea) and part.objectName() != "qt_spinbox_lineedit"
    ]


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1000, 700)])
@pytest.mark.parametrize("source", SOURCES)
def test_pages_fit_and_all_is_in_reach(opened, source, width, height, qtbot):
    window = opened(source, width, height)
    first = window.document.scenarios[0].id
    window.view_state.activate_scenario(first)
    window.view_state.select_task(SelectedTask(first, 3))
    for name in PAGES:
        page = window.details.pages[name]
        page.bring()
        qtbot.waitUntil(page.isVisible)
        QTest.qWait(1)
        assert window.details.is_below or page.width() < DEFAULT_WIDTH + 1
        for part in page.findChildren(QWidget):
            if part.isVisible() and not list(scrolls_of(part, page)):
                left = part.mapTo(page, QPoint()).x()
                assert left >= 0, (name, part)
                assert left + part.width() <= page.width(), (name, part)
        for area in page.findChildren(QAbstractScrollArea):
            if area.isVisible():
                assert area.horizontalScrollBar().maximum() == 0, (name, area.accessibleName())
        assert [part for part in controls(page) if not is_reached(part, page)] == []


def test_a_task_before_its_job_is_explained_by_the_clocks(opened):
    window = opened(str(TRACES / LOGS[0]), 1366, 768)
    with gzip.open(TRACES / LOGS[0], "rt", encoding="utf-8") as lines:
        job = next(each for each in jobs_in(lines.read()) if each["jobID"].endswith("_0011"))
    attempts = [each for task in job["mapTasks"] + job["reduceTasks"] for each in task["attempts"]]
    first = min(each["startTime"] for each in attempts if each["startTime"] > 0)
    early = (job["submitTime"] - first) / 1000
    assert early > 60  # the log is as it was
    window.view_state.select_job(job["jobID"])
    inspector = window.details.pages["inspector"].part
    inspector.refresh()
    arrival = dict(inspector.sections[0].rows)["Arrival"]
    assert f"starts {early // 60:.0f} min {early % 60:.0f} s before that" in arrival
    assert "clocks" in arrival


def jobs_in(text):
    """Yield the objects that stand one behind another in a text."""
    decoder, text = json.JSONDecoder(), text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].lstrip()


def test_start_and_result_are_in_sight_while_the_rest_scrolls(opened):
    window = opened("spark-application", 1000, 700)
    page = window.details.pages["optimise"]
    page.bring()
    QTest.qWait(1)
    panel = page.part
    assert not panel.start_button.visibleRegion().isEmpty()
    panel.standing.setText("3.2 % above the bound")
    panel.figures.setText("FIFO 12 min 3 s, best 11 min, bound 10 min 39 s")
    for part in (panel.standing, panel.figures):
        part.show()
    QTest.qWait(1)
    for area in page.findChildren(QScrollArea):
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    for part in (panel.start_button, panel.take_button, panel.standing, panel.figures):
        assert part.visibleRegion().boundingRect() == part.rect()


def test_tabs_that_have_no_room_are_in_the_menu_and_the_open_one_is_seen(opened):
    window = opened("five-jobs", 1366, 768)
    tabs = window.details.tabs
    for name in window.details.pages:
        window.details.pages[name].bring()
        QTest.qWait(1)
        assert tabs.tabData(tabs.currentIndex()) == name
        assert all(tabs.rect().contains(tabs.tabRect(place)) for place in range(tabs.count()))
    assert tabs.count() < len(window.details.pages)
    window.details.menu.aboutToShow.emit()
    offered = [action.text() for action in window.details.menu.actions()]
    assert {page.title for page in window.details.pages.values()} <= set(offered)
    first = tabs.tabData(0)
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(0).center())
    assert window.details.front.objectName() == first
    window.resize(1000, 700)  # below the charts all have room
    QTest.qWait(1)
    assert tabs.count() == len(window.details.pages)


def test_the_critical_path_ends_with_its_document(opened, qtbot):
    window = opened("five-jobs", 1366, 768)
    for source in ("facebook", str(next(iter(lesson_paths().values())))):
        window.actions_by_id["why_makespan"].trigger()
        page = window.why.critical_path_page
        assert page.is_open
        qtbot.waitUntil(lambda: any(marked(view) for view in window.charts.views.values()), timeout=60_000)
        window.details.pages["inspector"].bring()
        window.files.show(open_document(source))
        assert window.runner.wait_until_idle(120_000)
        QTest.qWait(1)
        assert not page.is_open
        assert not window.actions_by_id["why_makespan"].isChecked()
        assert not any(marked(view) for view in window.charts.views.values())


def marked(view):
    path = view.content.critical_path
    return path is not None and path[1] is not None
