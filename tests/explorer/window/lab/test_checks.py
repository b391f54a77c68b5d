"""The checks of a policy in the window: run, read, opened where they show; the scoreboard beside them."""

from __future__ import annotations

import math
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.files.samples import load_sample
from core.model.errors import Cancelled
from core.model.schedule import PolicyChoice
from core.policy_checks import policy_report as checks
from core.policy_checks import scoreboard as scores
from core.policy_checks.evidence import CHECK_IDS
from core.policy_checks.scoreboard import PolicyScore, Scoreboard
from explorer.widgets import export
from tests.explorer.window_fixtures import LEFT, open_window

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QAbstractButton

    from core.policy_checks.evidence import PolicyReport


def call_here(function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], *_: object) -> Any:
    return function(*given, **named)


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    """A window whose checks are few and run in its own process."""
    few = partial(checks.policy_report, checks=("errors", "starvation"))
    monkeypatch.setattr(checks, "call_apart", call_here)
    monkeypatch.setattr(checks, "policy_report", few)
    window = open_window(qtbot, tmp_path)
    window.editor.choose_policy(2, PolicyChoice("sjf"))
    window.editor.undo_stack.setClean()
    assert window.runner.wait_until_idle(60_000)
    window.view_state.activate_scenario(2)
    window.actions_by_id["checks"].trigger()
    qtbot.waitUntil(window.lab.checks.panel.run_button.isEnabled)
    window.lab.checks.panel.runs.setValue(2)
    return window


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, LEFT)


def click_row(table: Any, row: int, column: int = 0) -> None:
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)


def verdicts(panel: Any) -> dict[str, str]:
    return {panel.model.rows[i][0].id: panel.model.texts(i)[1] for i in range(len(CHECK_IDS))}


def test_a_check_is_run_read_and_opened_where_it_shows(window, qtbot, monkeypatch) -> None:
    panel = window.lab.checks.panel
    assert set(verdicts(panel).values()) == {"not asked yet"}
    assert not panel.open_button.isEnabled()
    click(panel.run_button)
    assert panel.progress.isVisible()
    qtbot.waitUntil(lambda: panel.report is not None)
    assert (verdicts(panel)["errors"], verdicts(panel)["starvation"]) == ("passed", "found")
    assert panel.note.text() == "Shortest job first: 1 found"
    click_row(panel.table, 0)
    assert "4 random workloads ran to their ends." in panel.details.toPlainText()
    assert not panel.open_button.isEnabled()
    click_row(panel.table, CHECK_IDS.index("starvation"))
    assert "W gets no slot, while 9 tasks of jobs that came later start" in panel.details.toPlainText()
    before = window.document.workload
    with monkeypatch.context() as stays:  # work is unsaved, and its user wants to keep it
        stays.setattr(window.files, "may_leave", lambda: False)
        click(panel.open_button)
    assert window.document.workload is before
    click(panel.open_button)
    evidence = panel.model.rows[CHECK_IDS.index("starvation")][1].evidence
    assert window.document.workload.jobs == evidence.workload.jobs
    assert window.document.cluster.slots == 1
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["sjf"]
    assert window.view_state.time_cursor.seconds == evidence.time
    assert window.view_state.selected_job == "W"
    assert evidence.sentence in window.document.workload.description
    assert not window.editor.is_modified


def test_checks_follow_the_scenario_and_can_be_stopped(window, qtbot, monkeypatch) -> None:
    panel = window.lab.checks.panel
    click(panel.run_button)
    qtbot.waitUntil(lambda: panel.report is not None)
    window.view_state.activate_scenario(1)
    qtbot.waitUntil(lambda: panel.note.text().startswith("These are of Shortest job first"))
    assert panel.note.text() == "These are of Shortest job first; press Check for FIFO."

    def endless(*_: object, should_stop: Callable[[], bool], **__: object) -> PolicyReport:
        while not should_stop():
            sleep(0.005)
        raise Cancelled("stopped")

    monkeypatch.setattr(checks, "policy_report", endless)
    click(panel.run_button)
    assert panel.run_button.text() == "S&top"
    click(panel.run_button)
    qtbot.waitUntil(lambda: not panel.is_busy)
    assert panel.note.text() == "Stopped; press Check to begin anew."
    assert panel.run_button.text() == "&Check"


def board() -> Scoreboard:
    one, two = load_sample("five-jobs"), load_sample("two-jobs-order")
    nan = math.nan
    return Scoreboard(
        PolicyChoice("sjf"),
        (one, two),
        (
            PolicyScore("sjf", one.name, 73.0, 30.0, 0.55),
            PolicyScore("sjf", two.name, 42.0, 30.0, 0.75),
            PolicyScore("johnson", one.name, 47.0, 25.0, 0.0),
            PolicyScore("johnson", two.name, 24.0, 20.0, 0.0),
            PolicyScore("balanced-pools", one.name, nan, nan, nan, "not for containers"),
            PolicyScore("balanced-pools", two.name, nan, nan, nan, "not for containers"),
        ),
    )


def test_the_scoreboard_sorts_saves_and_opens_two_side_by_side(window, qtbot, monkeypatch, tmp_path) -> None:
    page = window.lab.checks.panel.scores
    window.lab.checks.panel.pages.setCurrentWidget(page)
    assert page.source.count() > 1  # the samples, and studies
    monkeypatch.setattr(scores, "scoreboard", lambda *_: board())
    click(page.run_button)
    qtbot.waitUntil(lambda: page.board is not None)
    titles = [row.title for row in page.model.rows]
    assert titles == ["Johnson", "Shortest job first", "BalancedPools"]
    assert page.model.texts(0)[1:5] == ("1.0", "× 1.00", "× 1.00", "0.00 %")
    assert page.model.texts(2)[1:5] == ("–", "–", "–", "–")
    header = page.table.horizontalHeader()
    where = header.sectionViewportPosition(0) + 10
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        QTest.mouseClick(header.viewport(), LEFT, pos=QPoint(where, 5))
        names = [row.title for row in page.model.rows]
        assert names == sorted(names, reverse=order == Qt.SortOrder.DescendingOrder)
    click_row(page.table, titles.index("Shortest job first") - 1)
    assert not page.pair_button.isEnabled()  # nobody is beside itself
    target = tmp_path / "scores.csv"
    monkeypatch.setattr(export, "ask_where_to_save", lambda *_: target)
    click(page.save_button)
    assert target.read_text().splitlines()[0].startswith("policy,place,makespan")
    click_row(page.table, [row.title for row in page.model.rows].index("Johnson"))
    click(page.pair_button)
    assert window.document.workload.name == load_sample("two-jobs-order").name  # 42 to 24, above 73 to 47
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["sjf", "johnson"]
