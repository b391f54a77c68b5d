"""Planning on guesses, from the menu of a policy to the charts."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog

from core.files.workload_writing import write_workload
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.model.workload import Workload
from explorer.pool_search.search_dialog import SearchDialog
from tests.builders import FIVE_JOBS, two_stage_workload

pytestmark = pytest.mark.only_edits


@pytest.fixture
def monday(tmp_path, monkeypatch):
    """A file in which maps took what reduces take, and the other way round; it is what the user chooses."""
    workload = two_stage_workload([(reduces, maps) for maps, reduces in FIVE_JOBS])
    path = tmp_path / "monday.workload.json"
    write_workload(Workload("Monday", workload.jobs), path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return path


def makespan(window, scenario_id):
    assert window.runner.wait_until_idle()
    return window.runner.outcome(scenario_id).schedule.makespan


def test_a_policy_plans_on_an_earlier_run(window, qtbot, monday):
    assert makespan(window, 2) == 47
    window.headers.run_wanted.emit(2, "file")
    qtbot.waitUntil(lambda: not window.files.is_busy)
    assert window.document.scenario(2).choice.estimates.profile.name == "Monday"
    assert makespan(window, 2) == 78  # the reverse of Johnson's order
    view = window.charts.views[2]
    assert view.content.title == "Johnson on profile Monday"
    row = window.comparison.results.rows[1]
    assert row.title == "Johnson on profile Monday"
    assert row.details().splitlines()[1] == "planned on profile Monday"
    window.actions_by_id["undo"].trigger()
    assert makespan(window, 2) == 47


def test_a_run_of_other_jobs_is_refused_with_a_sentence(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("overlapping-scans", ""))
    window.headers.run_wanted.emit(2, "file")
    qtbot.waitUntil(lambda: not window.files.is_busy)
    assert (
        "no job of Overlapping scans has the name of a job of Five jobs" in window.messages.message.sentence
    )
    assert window.document.scenario(2).choice.estimates is None


def test_the_comparison_says_what_was_planned_on(window):
    window.editor.set_estimates(2, DurationEstimates(0.6, "job", 3))
    makespan(window, 2)
    told = window.comparison.results.rows[1].details()
    assert told == "Johnson on estimates ±60 %\nplanned on estimates ±60 % (one factor per job, seed 3)"
    assert "Johnson on estimates ±60 %" in window.comparison.bars.accessibleName()
    window.editor.rename_scenario(2, "Mine")
    assert window.comparison.results.rows[1].title == "Mine on estimates ±60 %"


def test_pools_are_searched_on_the_estimates_and_taken(window, qtbot):
    window.editor.set_estimates(2, DurationEstimates(0.6, "job", 3))
    window.view_state.activate_scenario(2)
    window.pools.search()
    (dialog,) = window.findChildren(SearchDialog)
    qtbot.waitUntil(lambda: not dialog.is_searching)
    told = dialog.workload.columns.duration
    assert (told != window.document.workload.columns.duration).all()
    trial = dialog.picture.map.rows[1][0]
    dialog.picture.chosen.emit(trial)
    assert window.document.scenario(2).partition is not None
    window.editor.undo_stack.undo()
    window.editor.set_estimates(2, DurationEstimates(0.5, "job", 3))
    dialog.picture.chosen.emit(trial)
    assert window.document.scenario(2).partition is None
    dialog.reject()


def test_what_is_estimated_without_simulating_is_marked_where_asked_for_and_true(window):
    """Fair serves in no order: the estimate of an order does not hold for it."""
    window.editor.choose_policy(1, PolicyChoice("fair"))
    assert window.runner.wait_until_idle()
    assert [view.content.estimates for view in window.charts.views.values()] == [(), ()]
    assert [row.estimates for row in window.comparison.results.rows] == [None, None]
    window.actions_by_id["estimates"].trigger()
    assert [view.content.estimates for view in window.charts.views.values()] == [(), (("estimated", 47.0),)]
    assert [row.estimates for row in window.comparison.results.rows] == [None, (47.0, 78.0)]
    window.actions_by_id["estimates"].trigger()
    assert window.charts.views[2].content.estimates == ()
