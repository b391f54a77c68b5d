"""The sentence in the window: what it says of the scenarios that are shown, and where its links lead."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from core.explain.run_summary import LinkTo
from core.files.samples import load_sample
from core.model.levers import JobPlan
from core.model.plan import Plan
from explorer.window.files.document_work import OpenedDocument, new_document
from tests.paths import DATA

pytestmark = pytest.mark.only_edits


def settle(window, qtbot):
    area = window.sentence
    window.runner.wait_until_idle()
    qtbot.waitUntil(lambda: not area._timer.isActive() and not area._worker.is_busy)
    return area.bar


def link(bar, kind):
    return next(phrase for phrase in bar.links if phrase.link is kind)


def test_it_says_what_differs_and_lies_above_the_charts(window, qtbot):
    bar = settle(window, qtbot)
    assert bar.whole_text.startswith("FIFO ends after 1 min 14 s")
    assert ". Johnson ends 27 s sooner: " in bar.whole_text
    charts = window.charts.mapTo(window, window.charts.rect().topLeft())
    assert bar.mapTo(window, bar.rect().bottomLeft()).y() <= charts.y()


def test_it_follows_edits_and_undo(window, qtbot):
    before = settle(window, qtbot).whole_text
    window.editor.remove_scenario(window.document.scenarios[1].id)
    alone = settle(window, qtbot).whole_text
    assert alone.startswith("Ends after 1 min 14 s")
    assert "Johnson" not in alone
    window.editor.undo_stack.undo()
    assert settle(window, qtbot).whole_text == before
    window.editor.edit_cluster(map_slots=15)
    changed = settle(window, qtbot)
    assert changed.whole_text != before
    changed.show_as_old()  # as between an edit and the undo that takes it back at once
    window.document.cluster_changed.emit()
    assert not settle(window, qtbot).is_old, "what was known holds again"


def test_links_select_jobs_tasks_and_scenarios(window, qtbot):
    fifo, johnson = (scenario.id for scenario in window.document.scenarios)
    window.resize(1900, 900)
    bar = settle(window, qtbot)
    runs = [phrase for phrase in bar.links if phrase.link is LinkTo.RUN]
    assert [phrase.key for phrase in runs] == [fifo, johnson]
    bar.link_chosen.emit(runs[1])
    assert window.view_state.active_scenario == johnson
    task = link(settle(window, qtbot), LinkTo.TASK)
    bar.link_chosen.emit(task)
    assert window.view_state.selected_task == (fifo, task.task)
    schedule = window.runner.outcome(fifo).schedule
    assert schedule.end[task.task] == schedule.makespan
    job = schedule.workload.columns.job[task.task]
    assert window.view_state.selected_job == schedule.workload.jobs[job].name


def test_the_bound_is_explained(window, qtbot):
    window.editor.remove_scenario(window.document.scenarios[1].id)
    window.resize(1900, 900)
    bar = settle(window, qtbot)
    bar.link_chosen.emit(link(bar, LinkTo.BOUND))
    outcome = window.runner.outcome(window.document.baseline)
    assert outcome.bound_why in window.centre.foot.note.accessibleName()


def test_the_best_plan_found_while_a_search_runs(window, qtbot):
    fifo, johnson = window.document.scenarios
    order = window.runner.outcome(johnson.id).job_order
    plan = Plan(tuple(JobPlan(name) for name in order))
    window.runner.preview_plan(fifo.id, plan)
    bar = settle(window, qtbot)
    assert "est plan found saves " in bar.whole_text
    window.runner.end_preview(fifo.id)
    assert "est plan found" not in settle(window, qtbot).whole_text


def test_it_tells_nothing_that_is_to_be_guessed(window, qtbot):
    bar = settle(window, qtbot)
    assert bar.whole_text
    window.view_state.veil.hide_from(10.0)
    assert settle(window, qtbot).whole_text == ""
    assert bar.height() > 0
    window.view_state.veil.lift()
    assert settle(window, qtbot).whole_text


@pytest.mark.own_window
def test_a_log_beside_its_simulation(window, qtbot):
    window.files.import_logs([DATA / "jobtracker-0.20.log"])
    qtbot.waitUntil(lambda: window.document.workload.recorded is not None)
    window.resize(2300, 900)
    window.details.hide()  # the forecast, as the log is unfinished
    bar = settle(window, qtbot)
    QApplication.processEvents()
    assert bar.whole_text.startswith("As recorded ends after 20.5 s")
    assert "1 attempt failed" in bar.whole_text
    bar.link_chosen.emit(link(bar, LinkTo.FAILED))
    assert window.view_state.selected_job == "job_200908110000_0001"
    assert (
        "has all" in window.centre.foot.note.accessibleName()
        or "failed" in window.centre.foot.note.accessibleName()
    )


def test_nothing_is_said_of_the_document_before(window, qtbot):
    bar = window.sentence.bar
    qtbot.waitUntil(lambda: "ends after" in bar.text_shown)
    window.files.show(OpenedDocument(new_document(load_sample("facebook"))))
    assert bar.text_shown == ""
    qtbot.waitUntil(lambda: "6 h 48 min" in bar.text_shown.replace("\u00a0", " "), timeout=20_000)
