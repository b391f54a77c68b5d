"""Findings: counted in the tab, listed by severity, and one click away from where they happen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from core.explain.lints.finding import NO_JOB, NO_SLOT, Finding, Rule, Severity, severity_of
from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from explorer.explain import findings_panel
from explorer.explain.findings_panel import (
    FROM,
    JOB,
    NOTHING_FOUND,
    RULE,
    SENTENCE,
    FindingsModel,
    severity_icon,
)
from explorer.widgets import tables
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

if TYPE_CHECKING:
    from explorer.explain.findings_panel import FindingsPanel

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(window, qtbot) -> FindingsPanel:
    window.actions_by_id["findings"].trigger()
    panel = window.why.findings_panel
    qtbot.waitUntil(lambda: panel.table.empty_text == NOTHING_FOUND)
    return panel


@pytest.fixture
def troubled(panel, window, qtbot) -> FindingsPanel:
    """Reduces of J3 hold every reduce slot from the first of its maps on, while J1's could run."""
    window.editor.edit_cluster(slowstart=0.0, map_slots=60)
    window.editor.drop_order(1, ("J3", "J1", "J2", "J4", "J5"))
    assert window.runner.wait_until_idle(20_000)

    def is_looked_at():  # not what was found before the last edit
        outcome = window.runner.outcome(window.view_state.active_scenario)
        return panel._report is not None and panel._report.schedule is outcome.schedule

    qtbot.waitUntil(is_looked_at)
    assert any(row.rule is Rule.HOLD for row in panel.model.rows)
    return panel


def finding(cost: float, job: int = 0, rule: Rule = Rule.HOLD) -> Finding:
    return Finding(rule, 5.0, 35.0, job, NO_SLOT, REDUCE, cost, f"It costs {cost:g} slot-seconds.")


@pytest.fixture(scope="module")
def schedule():
    return run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))


# ---- severity


@pytest.mark.parametrize(
    ("cost", "severity"),
    [(74 / 4, Severity.HIGH), (18.4, Severity.MEDIUM), (3.7, Severity.MEDIUM), (3.6, Severity.LOW)],
)
def test_severity_is_what_a_finding_costs_of_the_makespan(schedule, cost, severity):
    assert schedule.makespan == 74
    assert severity_of(finding(cost), schedule) is severity


def test_an_empty_schedule_has_nothing_severe():
    schedule = run(make_workload(make_job("J1", (1, 0.0))), Cluster(1, 0))
    assert severity_of(finding(9.0), schedule) is Severity.LOW


# ---- rows


def test_the_most_severe_come_first_and_look_different(qapp, schedule):
    model = FindingsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_colours(None, theme(False))
    model.show(schedule, [finding(1.0), finding(10.0), finding(50.0, NO_JOB, Rule.QUOTA)])
    costs = [each.cost for each in model.rows]
    assert costs == [50.0, 10.0, 1.0]
    assert [model.index(row, JOB).data() for row in range(3)] == ["", "J1", "J1"]
    assert model.index(0, RULE).data() == "quota breach"
    assert model.index(0, FROM).data() == "0:05"
    pictures = [
        severity_icon(severity, colours).pixmap(14, 14).toImage()
        for severity in Severity
        for colours in (theme(False), theme(True))
    ]
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])
    spoken = model.index(0, RULE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "quota breach, severity high"
    assert "quarter of the makespan" in model.index(0, SENTENCE).data(Qt.ItemDataRole.ToolTipRole)


# ---- in the window


def test_nothing_is_looked_for_until_it_is_asked_for(window, monkeypatch):
    asked = []
    monkeypatch.setattr(findings_panel, "lint", asked.append)
    window.editor.edit_job(0, "arrival", 3)
    assert window.runner.wait_until_idle(60_000)
    window.why.findings_panel.refresh()
    assert asked == []
    assert window.why.findings_page.is_open is False


def test_nothing_found_is_said(panel, window, tmp_path, qtbot):
    """One job of two maps on one slot: nothing idles, nobody waits for another."""
    path = tmp_path / "busy.workload.json"
    write_workload(Workload("Busy", (Job("J1", Stage.of(2, 4.0)),), Cluster(1, 0)), path)
    window.files.open(path)
    qtbot.waitUntil(lambda: panel.to_text() == NOTHING_FOUND)
    assert panel.table.model().rowCount() == 0
    assert window.why.findings_page.title == "Findings 0"


def test_findings_are_counted_in_the_tab(troubled, window):
    count = len(troubled.model.rows)
    assert count > 0
    assert window.why.findings_page.title == f"Findings {count}"


@pytest.mark.own_window
def test_a_click_goes_to_the_finding(troubled, window, qtbot):
    chosen = troubled.model.rows[0]
    table = troubled.table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(0, SENTENCE)).center())
    axis = window.axis
    assert axis.t0 <= chosen.begin < chosen.end <= axis.t1
    assert axis.range.span < 2 * (chosen.end - chosen.begin) or axis.is_fitted
    assert window.view_state.selected_job == (troubled.model.job_name(chosen) or None)
    assert window.view_state.time_cursor.seconds == chosen.begin


def test_enter_goes_to_it_too(troubled, window, qtbot):
    table = troubled.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(table.model().rowCount() - 1, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert window.view_state.time_cursor.seconds == troubled.model.rows[-1].begin


def test_it_follows_the_active_scenario(troubled, window, qtbot):
    before = troubled.model.rows
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: troubled.scope.text().startswith("Under Johnson"))
    assert troubled.model.rows != before


def test_closed_it_counts_no_more(troubled, window, qtbot, monkeypatch):
    window.why.findings_page.shut()
    asked = []
    monkeypatch.setattr(findings_panel, "lint", asked.append)
    window.editor.edit_cluster(slowstart=0.5)
    assert window.runner.wait_until_idle(60_000)
    troubled.refresh()
    assert asked == []


def test_what_cannot_be_explained_says_why(panel, window, qtbot, monkeypatch):
    def refuse(_schedule):
        raise InputError("this schedule was recorded")

    monkeypatch.setattr(findings_panel, "lint", refuse)
    window.editor.edit_job(0, "arrival", 1)
    qtbot.waitUntil(lambda: panel.to_text() == "This schedule was recorded")
    assert window.messages.message is None or "recorded" not in window.messages.message.sentence


def test_everything_is_copied_as_text(troubled, qtbot):
    qtbot.mouseClick(troubled.copy_button, LEFT)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Severity\tWhat\tJob\tFrom\tLasts\tFinding"
    assert len(lines) == 1 + len(troubled.model.rows)
    assert lines[1].startswith("high\t")


@pytest.mark.only_looks
def test_a_finding_without_a_job_selects_none(window):
    window.view_state.select_job("J1")
    window.why.jumps.to_finding(replace(finding(3.0, NO_JOB), kind=MAP), "")
    assert window.view_state.selected_job is None


def test_in_a_narrow_place_sentences_stand_alone_and_nothing_scrolls_aside(troubled):
    troubled.window().resize(1366, 768)
    assert troubled.width() < tables.MIN_FOR_COLUMNS
    table = troubled.table
    assert [table.isColumnHidden(place) for place in range(5)] == [True] * 4 + [False]
    assert table.horizontalHeader().length() <= table.viewport().width()
    for row in range(table.model().rowCount()):  # every sentence is whole
        assert table.rowHeight(row) >= table.sizeHintForRow(row)
        text, letters = table.model().index(row, 4).data(), table.fontMetrics()
        lines = letters.horizontalAdvance(text) / table.viewport().width()
        assert table.rowHeight(row) >= lines * letters.lineSpacing()
    troubled.window().details.choose_side("below")
    assert not any(table.isColumnHidden(place) for place in range(5))
    heights = {table.rowHeight(row) for row in range(table.model().rowCount())}
    assert heights == {table.verticalHeader().defaultSectionSize()}
    assert troubled.to_text().startswith("Severity\tWhat")
