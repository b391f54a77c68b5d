"""The search in the whole window: shown in the chart, taken in one step, ended by edits, dragged on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.files.plan_document import read_plan
from core.optimize.slot_worths import NO_PRICES
from explorer.optimize.optimize_panel import STALE
from explorer.optimize.wish_search import search_for
from explorer.window.scenarios.search_subject import SearchSubject
from tests.explorer.window_fixtures import LEFT, block_point, drag, open_window, x_of

NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(qtbot, tmp_path):
    """Five jobs under FIFO and Johnson, with the panel open; searches run interpreted: they are tiny."""
    window = open_window(qtbot, tmp_path)
    window.actions_by_id["optimize"].trigger()
    return window


@pytest.fixture
def searched(window, qtbot):
    """The same with a search that is over."""
    search(window, qtbot)
    return window


def search(window, qtbot):
    panel = window.optimize.panel
    with qtbot.waitSignal(panel.ended):
        QTest.mouseClick(panel.start_button, LEFT)
    view = window.charts.views[window.view_state.active_scenario]
    best = pytest.approx(panel.run.found.best)
    qtbot.waitUntil(lambda: view.content.rows.schedule.makespan == best)


def test_the_tool_opens_it_and_one_click_searches(window, qtbot):
    tool = window.top_bar.tools["optimize"]
    assert tool.defaultAction() is window.actions_by_id["optimize"]
    before = window.document.state
    search(window, qtbot)
    panel, view = window.optimize.panel, window.charts.views[1]
    assert panel.standing.text() == "Optimal without lending slots, proved"
    assert panel.figures.text().startswith("FIFO 1 min 14 s, best 47 s, bound 47 s")
    assert view.content.rows.schedule.makespan == pytest.approx(47)
    assert view.content.ghost.schedule.makespan == pytest.approx(74)
    assert window.headers.header(1).facts.gap_text == "optimal without lending slots"
    assert window.headers.header(1).facts.title == "FIFO, best plan"
    assert window.document.state is before
    assert window.settings.wish["goal"] == "makespan"


def test_taking_it_is_one_step_with_the_scenario_as_its_ghost(searched):
    window, steps = searched, searched.editor.undo_stack.count()
    QTest.mouseClick(window.optimize.panel.take_button, LEFT)
    assert window.runner.wait_until_idle(60_000)
    assert window.editor.undo_stack.count() == steps + 1
    (new,) = [s for s in window.document.scenarios if s.id not in (1, 2)]
    assert new.plan is not None
    view = window.charts.views[new.id]
    assert view.content.title == "optimised from FIFO"
    assert window.headers.header(new.id).facts.policy == "Plan"
    assert window.optimize.panel.figures.text().startswith("FIFO 1 min 14 s, ")
    assert view.content.rows.schedule.makespan == pytest.approx(47)
    assert view.content.ghost.schedule.makespan == pytest.approx(74)
    assert window.charts.views[1].content.rows.schedule.makespan == pytest.approx(74)
    button = window.optimize.panel.take_button
    assert (button.text(), button.isEnabled()) == ("Taken", False)
    window.optimize.panel.taken.emit(window.optimize.panel.run.found)
    assert window.editor.undo_stack.count() == steps + 1, "taken twice it is one scenario"
    assert window.view_state.active_scenario == new.id
    window.actions_by_id["undo"].trigger()
    assert [s.id for s in window.document.scenarios] == [1, 2]
    assert (button.text(), button.isEnabled()) == ("&Take it", True)


def test_from_the_cursor_on_the_rest_is_taken_as_a_scenario_that_leaves_this_one(window, qtbot):
    panel, area = window.optimize.panel, window.optimize
    panel.from_cursor.setChecked(True)
    panel.start()
    assert panel.how.text() == "there is no time cursor; click into the chart where the rest begins"
    window.view_state.time_cursor.show_at(5.0)
    with qtbot.waitSignal(panel.ended):
        panel.start()
    found = panel.run.found
    assert found is not None, panel.how.text()
    assert area.panel.wish.from_cursor
    before = window.document.state
    QTest.mouseClick(panel.take_button, LEFT)
    taken = window.document.scenario(window.view_state.active_scenario)
    assert (taken.plan, taken.fork.time) == (found.plan, 5.0)
    assert panel.take_button.text() == "Taken"
    window.runner.wait_until_idle(60_000)
    assert window.runner.outcome(taken.id).schedule.makespan == pytest.approx(found.best)
    window.editor.undo_stack.undo()
    assert window.document.state.scenarios == before.scenarios


def test_a_drag_afterwards_is_marked_in_the_meter_and_followed_by_the_header(searched):
    window, view, meter = searched, searched.charts.views[1], searched.optimize.panel.meter
    assert view.content.rows.schedule.makespan == pytest.approx(47)
    assert meter.now is None
    start = block_point(view, 3)
    drag(view, start, x_of(view, 40.0), release=False)
    dragged = view.content.rows.schedule.makespan
    assert meter.now == pytest.approx(dragged)
    assert meter.now_title == "FIFO"
    bound = window.runner.outcome(1).lower_bound
    assert window.headers.header(1).facts.gap == pytest.approx(dragged / bound - 1)
    QTest.mouseRelease(view, LEFT, NONE, QPoint(x_of(view, 40.0), start.y()))
    assert window.runner.wait_until_idle(60_000)


def test_a_job_dragged_in_a_plan_is_ticked_and_can_be_let_go(searched):
    window, pins = searched, searched.optimize.panel.rules.pins
    QTest.mouseClick(window.optimize.panel.take_button, LEFT)
    assert window.runner.wait_until_idle(60_000)
    taken = window.view_state.active_scenario
    plan = window.document.scenario(taken).plan
    window.editor.take_plan(taken, plan.moved("J3", "J1"))
    window.view_state.activate_scenario(window.document.scenarios[-1].id)

    def ticked():
        return sorted(pins.model().ticked)

    dragged = next(s for s in window.document.scenarios if s.plan and s.plan.pinned)
    window.view_state.activate_scenario(dragged.id)
    assert ticked() == ["J3"]
    assert window.optimize._start_of(dragged, window.optimize.panel.wish).pinned == ("J3",)
    role = Qt.ItemDataRole.CheckStateRole
    pins.model().setData(pins.model().index(2), Qt.CheckState.Unchecked, role)
    assert window.optimize._start_of(dragged, window.optimize.panel.wish).pinned == ()
    window.view_state.activate_scenario(1)
    assert ticked() == []


def test_other_jobs_another_cluster_and_closing_end_it(searched, qtbot):
    window, panel = searched, searched.optimize.panel
    window.editor.edit_cluster(map_slots=10)
    assert not panel.take_button.isEnabled()
    assert window.runner.wait_until_idle(60_000)
    assert window.charts.views[1].content.rows.schedule.cluster.map_slots == 10
    assert window.charts.views[1].content.ghost is None
    panel.more.endless.setChecked(True)
    panel.maker = endless(panel.maker)
    QTest.mouseClick(panel.start_button, LEFT)
    assert panel.run.is_running
    window.actions_by_id["optimize"].trigger()
    assert window.optimize.page.is_open is False
    qtbot.waitUntil(lambda: not panel.run.is_running)
    assert window.charts.views[1].content.ghost is None


def endless(maker):
    """Let searches go on when they are done, until they are stopped."""

    def make(wish):
        prepared = maker(wish)

        def search(on_found, should_stop):
            found = prepared.search(on_found, should_stop)
            while not should_stop():
                pass
            return found

        return prepared._replace(search=search)

    return make


def test_a_search_without_compiled_code_begins_anew_when_that_is_there(window, monkeypatch):
    asked = []

    def noted(*given, compiled):
        asked.append((given, compiled))
        return endless(lambda _: search_for(*given, compiled=False))(None)._replace(is_slow=not compiled)

    monkeypatch.setattr("explorer.optimize.wish_search.search_for", noted)
    monkeypatch.setattr(SearchSubject, "uses_compiled", False)
    QTest.mouseClick(window.optimize.panel.start_button, LEFT)
    window.view_state.activate_scenario(2)
    window.optimize.use_compiled()  # of something else
    assert len(asked) == 1
    monkeypatch.setattr(SearchSubject, "uses_compiled", True)
    window.optimize.use_compiled()
    window.optimize.use_compiled()  # once is enough
    (first, was_compiled), (again, is_compiled) = asked
    assert (was_compiled, is_compiled) == (False, True)
    assert all(told is before for told, before in zip(again, first, strict=True))
    assert window.optimize.panel.run.is_running


def test_an_edit_of_the_scenario_shows_the_edit(searched):
    window, view = searched, searched.charts.views[1]
    assert view.content.rows.schedule.makespan == pytest.approx(47)
    window.editor.rename_scenario(1, "First come")
    assert window.runner.wait_until_idle(60_000)
    assert view.content.rows.schedule.makespan == pytest.approx(74)
    assert window.headers.header(1).facts.makespan == "1 min 14 s"
    assert window.optimize.panel.take_button.isEnabled()


def test_the_plan_is_written_to_a_file(searched, tmp_path, monkeypatch):
    file = tmp_path / "best"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), "Plans (*.json)"))
    QTest.mouseClick(searched.optimize.panel.plan_button, LEFT)
    plan = read_plan(tmp_path / "best.json")
    assert set(plan.names) == {"J1", "J2", "J3", "J4", "J5"}


def test_levers_are_compared(window, qtbot):
    table = window.optimize.panel.table
    QTest.mouseClick(table.search_button, LEFT)
    qtbot.waitUntil(lambda: not table.is_busy)
    levers = ["order", "slowstart", "tasks", "across", "pools", "starts"]
    assert [worth.lever for worth in table.worths] == levers
    assert all(worth.proved for worth in table.worths)


def test_what_really_ran_cannot_be_made_better(window, monkeypatch):
    monkeypatch.setattr(window.optimize._subject, "searchable", refuse)
    QTest.mouseClick(window.optimize.panel.start_button, LEFT)
    assert "really ran" in window.optimize.panel.how.text()


def refuse():
    from core.model.errors import InputError

    raise InputError("what really ran cannot be made better any more")


def test_slots_are_priced_at_once_and_until_the_cluster_changes(window, qtbot):
    panel, area = window.optimize.panel, window.optimize.panel.prices
    QTest.mouseClick(area.price_button, LEFT)
    assert area.picture.empty_text == NO_PRICES  # of the makespan
    panel.goal.setCurrentIndex(panel.goal.findData("mean-response"))
    QTest.mouseClick(area.price_button, LEFT)
    qtbot.waitUntil(lambda: area.worths is not None, timeout=60_000)
    assert "are worth most from 0:" in area.sentence.text()
    window.axis.set_cursor(3.0)  # as over a chart: the picture has the same times
    assert area.picture.text_at(window.axis.cursor).startswith("At 0:03\n")
    window.editor.set_cluster(replace(window.document.cluster, map_slots=20))
    assert (area.worths, area.picture.empty_text) == (None, STALE)
