"""Ctrl+F as a person uses it: type, look where the selection goes, step on and back, put it away."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.fidelity.history_schedule import history_schedule
from core.files.open_workload import open_workloads
from explorer.window.search.found_in_schedule import ScheduleFinder

pytestmark = pytest.mark.only_looks

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def bar(window):
    window.view_state.select_job(None)
    QTest.keyClick(window, Key.Key_F, CTRL)
    assert window.find_bar.isVisible()
    window.find_bar.field.clear()
    yield window.find_bar
    window.find_bar.end()
    window.view_state.select_job(None)


def test_a_job_is_selected_while_one_types(window, bar):
    QTest.keyClicks(bar.field, "j4")
    assert window.view_state.selected_job == "J4"
    assert bar.count.text() == "1 of 1"
    assert bar.text.text().startswith("J4, 0:")


def test_no_card_lies_over_a_job_that_was_found_and_one_beside_a_task(window, bar):
    view = window.charts.active_view
    QTest.keyClicks(bar.field, "j4")
    assert view.steps.place >= 0
    assert view._overlays().pointer is None
    bar.field.clear()
    QTest.keyClicks(bar.field, "j4 map 2")
    assert view._overlays().pointer is not None
    assert view.facts.job_name == "J4"


def test_enter_goes_on_and_shift_enter_back_and_round(window, bar):
    QTest.keyClicks(bar.field, "j")
    assert bar.count.text() == "1 of 5"
    visited = [window.view_state.selected_job]
    for _ in range(5):
        QTest.keyClick(bar.field, Key.Key_Return)
        visited.append(window.view_state.selected_job)
    assert sorted(visited[:5]) == ["J1", "J2", "J3", "J4", "J5"]
    assert visited[5] == visited[0]
    QTest.keyClick(bar.field, Key.Key_Return, SHIFT)
    assert window.view_state.selected_job == visited[4]
    assert bar.count.text() == "5 of 5"


@pytest.mark.parametrize("text", ["J3 map 12", "map 12 of J3", "j3 m12", "J3 · map 12"])
def test_a_task_is_selected_by_job_and_number(window, bar, text):
    bar.field.setText(text)
    task = window.view_state.selected_task
    columns = window.document.workload.columns
    assert window.document.workload.jobs[columns.job[task.task]].name == "J3"
    assert (columns.number[task.task], columns.kind[task.task]) == (11, 0)
    assert bar.count.text() == "1 of 1"
    assert bar.text.text().startswith("J3 · map 12 of ")


def test_a_slot_is_what_runs_on_it_one_after_the_other(window, bar):
    schedule = window.runner.outcome(window.view_state.active_scenario).schedule
    bar.field.setText("slot r5")
    number = next(n for n in range(schedule.cluster.slots) if schedule.cluster.slot_name(n) == "R5")
    assert len(bar.found) == (schedule.slot == number).sum() > 1
    starts = [schedule.start[found.task] for found in bar.found]
    assert starts == sorted(starts)
    bar.step(1)
    assert window.view_state.selected_task.task == bar.found[1].task
    assert "on R5" in bar.text.text()


def test_what_is_found_comes_into_view(window, bar):
    window.axis.show_span(0, 5)
    bar.field.setText("j5")
    schedule = window.runner.outcome(window.view_state.active_scenario).schedule
    start = float(schedule.job_start[bar.found[0].job])
    assert window.axis.t0 <= start <= window.axis.t1
    window.axis.fit()


def test_nothing_found_is_said_and_escape_ends_it(window, bar):
    bar.field.setText("nothing like it")
    assert bar.count.text() == "none found"
    QTest.keyClick(bar.field, Key.Key_Return)
    assert bar.count.text() == "none found"
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert not bar.isVisible()


def test_another_scenario_is_searched_when_it_is_active(window, bar):
    bar.field.setText("map 1 of J2")
    first = window.view_state.active_scenario
    other = next(s.id for s in window.document.scenarios if s.id != first)
    window.view_state.activate_scenario(other)
    QTest.keyClick(bar.field, Key.Key_Return)
    assert window.view_state.selected_task.scenario_id == other
    window.view_state.activate_scenario(first)


def test_hosts_of_a_log_are_found():
    workload = open_workloads(Path(__file__).parents[3] / "data" / "rumen-2011.json")[0][1]
    assert workload.recorded is not None
    schedule = history_schedule(workload, workload.recorded)
    host = workload.recorded.hosts[0]
    found = ScheduleFinder(schedule).found(host.upper())
    assert found
    assert {schedule.record.host_of_slot(int(schedule.slot[each.task])) for each in found} == {host}
