"""Schedules that share scans in the ordinary charts, panels and explanations of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.model.schedule import PolicyChoice
from core.shared_scans.shared_schedule import sharing_jobs
from explorer.document.view_state import HoveredTask
from explorer.gantt.layers.task_facts import task_facts
from explorer.panels.facts import BY_OTHERS
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.charts.schedule_rows import ScheduleRows
    from explorer.window.main_window import MainWindow

POLICIES = ("circumflex", "batch", "ako", "flex")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    main = open_window(qtbot, tmp_path, "ten-scans")
    first = main.document.scenarios[0].id
    main.editor.choose_policy(first, PolicyChoice("circumflex"))
    for scenario in main.document.scenarios[1:]:
        main.editor.remove_scenario(scenario.id)
    for policy in POLICIES[1:]:
        main.editor.add_scenario(PolicyChoice(policy))
    assert main.runner.wait_until_idle(60_000)
    return main


def rows_of(window: MainWindow, policy: str) -> ScheduleRows:
    scenario = next(s for s in window.document.scenarios if s.choice.id == policy)
    rows = window.charts.views[scenario.id].content.rows
    assert rows is not None
    return rows


def text_of(window: MainWindow) -> str:
    window.inspector.refresh()
    return "\n".join(section.to_text() for section in window.inspector.sections)


def test_every_scenario_is_drawn_and_compared(window: MainWindow) -> None:
    assert window.messages.message is None
    for policy in POLICIES:
        assert rows_of(window, policy).schedule.choice.id == policy
    assert rows_of(window, "circumflex").schedule.makespan < rows_of(window, "flex").schedule.makespan


def test_the_inspector_knows_when_a_job_runs_everywhere(window: MainWindow) -> None:
    window.view_state.select_job("J2")
    told = text_of(window)
    assert "…" not in told
    schedule = rows_of(window, "circumflex").schedule
    assert schedule.job_start[1] == 16, "it rides from its arrival on"


def test_a_map_says_whom_it_serves_and_who_scans_what_did_not_run(window: MainWindow) -> None:
    rows = rows_of(window, "circumflex")
    schedule = rows.schedule
    shared = next(task for task in range(schedule.tasks) if len(sharing_jobs(schedule, task)) == 3)
    facts = task_facts(rows, rows.place_of(shared))
    assert ("scans for", "J2 and J4") in facts.lines()
    scenario = window.document.scenarios[0].id
    window.inspector_page.bring()
    window.view_state.hover(HoveredTask(scenario, shared))
    assert "J1, J2, J4" in text_of(window)
    last = rows_of(window, "flex")
    flex = next(s.id for s in window.document.scenarios if s.choice.id == "flex")
    window.view_state.hover(HoveredTask(flex, int(last.schedule.workload.columns.first[1, 0]) + 59))
    told = text_of(window)
    assert "Map 60 of 60 of J2" in told
    assert BY_OTHERS in told, "of J2's maps CIRCUMFLEX ran 18"


def test_explanations_answer_for_shared_scans(qtbot: QtBot, window: MainWindow) -> None:
    window.view_state.activate_scenario(window.document.scenarios[1].id)
    window.actions_by_id["why_task"].trigger()
    window.view_state.select_job("J9")
    window.view_state.time_cursor.show_at(100.0)
    qtbot.waitUntil(lambda: "batching window" in told(window))
    window.actions_by_id["first_difference"].trigger()
    qtbot.waitUntil(lambda: window.view_state.selected_task is not None)
    for action in ("why_makespan", "findings"):
        window.actions_by_id[action].trigger()
    assert window.messages.message is None


def told(window: MainWindow) -> str:
    return "\n".join(explanation.to_text() for explanation in window.why.why_panel.explanations)
