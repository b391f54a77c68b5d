"""What the window has shown is let go: schedules of scenarios that are gone, and all of a closed document."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QCoreApplication, QEvent

from core.files.samples import load_sample
from core.lessons.lesson_document import lesson_paths
from core.model.schedule import PolicyChoice
from core.policies.registry import policies
from explorer.window.files.document_work import OpenedDocument, new_document

SCENARIOS = 8
MAX_LEFT = 2
"""Parts keep the last one that they showed."""


def left(references):
    """Count what is still alive."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return sum(reference() is not None for reference in references)


def show_another(window):
    window.files.show(OpenedDocument(new_document(load_sample("two-jobs-order"))))
    assert window.runner.wait_until_idle(60_000)


def test_schedules_of_scenarios_that_come_and_go_are_let_go(window):
    seen = []
    for policy in [policy.id for policy in policies() if "johnson" not in policy.id][:SCENARIOS]:
        scenario = window.editor.add_scenario(PolicyChoice(policy))
        assert window.runner.wait_until_idle(60_000)
        window.charts.show_ghost(scenario)
        seen.append(weakref.ref(window.runner.outcome(scenario).schedule))
        window.editor.remove_scenario(scenario)
    window.editor.choose_policy(1, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)
    for _ in range(2):  # what is seen of the one before goes with the next one
        show_another(window)
    assert left(seen) <= MAX_LEFT


def test_no_result_is_lost_of_a_scenario_that_is_removed_and_brought_back_at_once(window):
    window.editor.remove_scenario(2)
    window.editor.undo_stack.undo()
    assert window.runner.wait_until_idle(60_000)
    assert [row.scenario_id for row in window.comparison.results.rows] == [1, 2]
    assert set(window.inspector._schedules) == {1, 2}


def test_a_sensitivity_panel_that_is_closed_holds_no_workloads(window, qtbot):
    window.actions_by_id["sensitivity"].trigger()
    panel = window.sensitivity.panel
    qtbot.waitUntil(lambda: panel.answer is not None and not panel.is_busy)
    window.actions_by_id["sensitivity"].trigger()
    assert window.sensitivity.page.is_open is False
    assert panel.answer is None


def test_a_lesson_that_is_closed_takes_its_steps_with_it(window, qtbot):
    with qtbot.waitSignal(window.files.opened):
        window.files.open(lesson_paths()["why-order-matters"])
    assert window.runner.wait_until_idle(60_000)
    walk = [weakref.ref(window.lessons.steps.walk)]
    show_another(window)
    assert left(walk) == 0
