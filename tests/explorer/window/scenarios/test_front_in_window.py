"""Goals side by side in the whole window: searched, hovered, taken by click and key, forgotten by edits."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from core.simulation import plan_front
from core.simulation.plan_front import FrontPoint
from explorer.optimize import compiling
from explorer.study import front_panel
from explorer.study.curves_plot import NO_OTHER
from explorer.study.front_picture import ScenarioMark
from tests.explorer.window_fixtures import LEFT, open_window

POINTS = 3


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    """Two schedules of five jobs whose goals pull apart, with the panel open; searches go by steps."""

    def in_steps(wanted, *rest):
        return plan_front.search_front(replace(wanted, effort={"steps": 40}), *rest)

    monkeypatch.setattr(front_panel, "search_front", in_steps)
    window = open_window(qtbot, tmp_path, "five-jobs-pools")
    window.actions_by_id["front"].trigger()
    window.optimize.front.panel.points_field.setValue(POINTS)
    return window


@pytest.fixture
def searched(window, qtbot):
    """The same when a search is over: a plan that ends first, and one whose jobs respond first."""
    search(window, qtbot)
    return window


def search(window, qtbot):
    panel = window.optimize.front.panel
    QTest.mouseClick(panel.start_button, LEFT)
    assert panel.is_running
    assert panel.start_button.text() == "&Stop"
    qtbot.waitUntil(lambda: not panel.is_running and bool(panel.picture.marks), timeout=60_000)


def naive_values(schedule):
    """Add up when jobs end, task by task."""
    ends = [0.0] * len(schedule.workload.jobs)
    for job, end in zip(schedule.workload.columns.job.tolist(), schedule.end.tolist(), strict=True):
        ends[job] = max(ends[job], end)
    jobs = schedule.workload.jobs
    responses = [end - job.arrival for job, end in zip(jobs, ends, strict=True)]
    return max(ends), sum(responses) / len(responses)


def pixel(picture, place):
    plot = picture.plot
    return plot.pixel(*plot.places[place]).toPoint()


def settled(window, qtbot, scenarios):
    assert window.runner.wait_until_idle(60_000)
    qtbot.waitUntil(lambda: len(window.optimize.front.panel.picture.marks) == scenarios)


def test_points_and_marks_are_what_their_schedules_do(searched):
    picture = searched.optimize.front.panel.picture
    assert len(picture.points) >= 2
    assert [mark.title for mark in picture.marks] == ["FIFO", "Johnson"]
    for mark in picture.marks:
        assert mark.values == pytest.approx(naive_values(searched.runner.outcome(mark.scenario).schedule))
    assert searched.optimize.front.panel.note.text().startswith(
        f"{len(picture.points)} plans, none better in both"
    )


def test_hovering_says_both_values_with_units_and_the_gap(searched):
    picture = searched.optimize.front.panel.picture
    QTest.mouseMove(picture.plot.viewport(), pixel(picture, 0))
    picture.plot.point_at(pixel(picture, 0).toPointF())
    lines = picture.card.text().splitlines()
    assert picture.card.isVisible()
    assert picture.rect().contains(picture.card.geometry())
    assert lines[:3] == [f"Plan 1 of {len(picture.points)}", "Makespan 40 s", "Mean response 31 s"]
    assert lines[3].endswith("above the bound of its mix")
    assert picture.card.height() >= picture.card.heightForWidth(picture.card.width()), "nothing is cut"
    assert lines[4] == "Click or Return adds it as a scenario"


def test_a_click_takes_a_plan_in_one_step_and_several_stand_side_by_side(searched, qtbot):
    window, picture = searched, searched.optimize.front.panel.picture
    steps, before = window.editor.undo_stack.count(), len(window.document.scenarios)
    last = len(picture.points) - 1
    for place in (0, last):
        QTest.mouseClick(picture.plot.viewport(), LEFT, pos=pixel(picture, place))
        settled(window, qtbot, len(window.document.scenarios))
    assert window.editor.undo_stack.count() == steps + 2
    taken = {s.title: s.id for s in window.document.scenarios if s.plan is not None}
    first, other = (f"FIFO, as plan {place + 1} of {last + 1}" for place in (0, last))
    assert set(taken) == {first, other}
    for title, place in ((first, 0), (other, last)):
        schedule = window.charts.views[taken[title]].content.rows.schedule
        assert naive_values(schedule) == pytest.approx(picture.points[place].values)
    assert window.view_state.active_scenario == taken[other]
    legend = [entry.text for entry in picture.legend.entries]
    assert legend == ["plans found", "in the charts", "FIFO", "Johnson", "no other is better in both"]
    assert f"In the charts as {other}" in picture.card.text(), "what is pointed at follows the document"
    QTest.mouseClick(picture.plot.viewport(), LEFT, pos=pixel(picture, 0))
    assert window.view_state.active_scenario == taken[first]
    assert window.editor.undo_stack.count() == steps + 2, "taken twice it is one scenario"
    window.actions_by_id["undo"].trigger()
    assert len(window.document.scenarios) == before + 1


def test_arrow_keys_go_from_plan_to_plan_and_return_takes_one(searched, qtbot):
    window, picture = searched, searched.optimize.front.panel.picture
    plot = picture.plot
    plot.setFocus()
    plot.point_to(0)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.spot.about == ("plan", 1)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.spot.about == ("plan", 0)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.spot.about == ("plan", 0), "there is none before the first"
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Return)
    settled(window, qtbot, 3)
    active = window.document.scenario(window.view_state.active_scenario)
    assert active.plan == picture.points[1].plan
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.spot.about == ("plan", 0), "keys go on where they were"


def test_the_card_stays_inside_of_a_picture_that_shrinks(searched):
    picture = searched.optimize.front.panel.picture
    picture.plot.point_to(len(picture.points) - 1)
    picture.resize(picture.width(), picture.card.geometry().bottom() - 10)
    assert picture.rect().contains(picture.card.geometry())


def test_six_scenarios_and_the_plans_look_apart(searched, qtbot):
    window, picture = searched, searched.optimize.front.panel.picture
    while window.editor.can_add_scenario:
        window.editor.duplicate_scenario(1)
    settled(window, qtbot, 6)
    signs = [(entry.symbol, entry.colours) for entry in picture.legend.entries if entry.colours]
    assert len(signs) == 7
    assert all(signs.count(sign) == 1 for sign in signs)


def test_a_seventh_scenario_is_refused_in_a_sentence(searched, qtbot):
    window = searched
    while window.editor.can_add_scenario:
        window.editor.duplicate_scenario(1)
    with qtbot.waitSignal(window.optimize.front.failed) as refused:
        window.optimize.front.panel.taken.emit(0)
    assert "there are 6 scenarios already" in str(refused.args[0])
    assert all(s.plan is None for s in window.document.scenarios)


def test_other_jobs_or_another_cluster_empty_the_picture(searched):
    window, panel = searched, searched.optimize.front.panel
    window.editor.edit_cluster(map_slots=10)
    assert panel.picture.points == ()
    assert panel.picture.nothing.isVisible()
    assert panel.note.text() == front_panel.STALE
    assert not panel.export_button.isEnabled()


def test_a_scenario_on_a_cluster_of_its_own_is_no_mark(searched, qtbot):
    window = searched
    cluster = window.document.state.cluster
    window.editor.set_cluster(type(cluster)(map_slots=12, reduce_slots=12), 2)
    assert window.runner.wait_until_idle(60_000)
    qtbot.waitUntil(lambda: [mark.scenario for mark in window.optimize.front.panel.picture.marks] == [1])
    assert window.optimize.front.panel.picture.points


def test_a_scenario_that_beats_the_plans_is_on_the_front(searched):
    picture = searched.optimize.front.panel.picture
    ours = picture.points
    better = tuple(value - 1 for value in ours[0].values)
    picture.show_marks([ScenarioMark(1, "Better", better, None)])
    *plans, mark = picture.plot.dots
    assert mark.is_best
    assert not plans[0].is_best
    picture.plot.point_to(0)
    QTest.keyClick(picture.plot, Qt.Key.Key_Right)
    assert picture.plot.spot.about == ("plan", 1), "keys go through all plans"


def test_one_that_beats_all_plans_says_what_no_plan_does_and_no_line_goes_through_it_alone(searched):
    picture = searched.optimize.front.panel.picture
    assert NO_OTHER in [sign.text for sign in picture.legend.entries]
    picture.show_marks([ScenarioMark(1, "Lends", (0.0, 0.0), None, "slots are lent")])
    assert NO_OTHER not in [sign.text for sign in picture.legend.entries]
    assert "Here slots are lent, which no plan does" in picture.plot.dots[-1].text


def test_marks_know_what_no_plan_does(qtbot, window):
    window.editor.add_scenario(PolicyChoice("dynamic-fifo-pd"))
    search(window, qtbot)
    marks = window.optimize.front.panel.picture.marks
    assert [mark.beyond for mark in marks] == ["", "", "slots are lent"]


def test_a_search_waits_for_compiled_code_and_then_begins(qtbot, tmp_path, monkeypatch):
    window = open_window(qtbot, tmp_path, compiled=False)
    started = []
    window.actions_by_id["front"].trigger()
    panel = window.optimize.front.panel
    monkeypatch.setattr(panel, "start", lambda *_: started.append(True))
    QTest.mouseClick(panel.start_button, LEFT)
    assert panel.note.text() == compiling.THEN_BEGINS
    assert not started
    window.use_compiled()
    assert started
    window.use_compiled()
    assert len(started) == 1


def test_goals_that_make_no_front_are_refused_before_a_search(window):
    panel = window.optimize.front.panel
    assert panel.start_button.isEnabled()
    panel.goal_fields[1].setCurrentIndex(panel.goal_fields[0].currentIndex())
    assert (panel.start_button.isEnabled(), panel.note.text()) == (False, front_panel.SAME)
    panel.goal_fields[1].setCurrentIndex(panel.goal_fields[1].findData("tardiness"))
    assert (panel.start_button.isEnabled(), panel.note.text()) == (False, front_panel.NO_DEADLINE)
    panel.goal_fields[1].setCurrentIndex(panel.goal_fields[1].findData("stretch"))
    assert (panel.start_button.isEnabled(), panel.note.text()) == (True, "")
    window.editor.follow_job(1, window.document.workload.jobs[0].name)
    assert (panel.start_button.isEnabled(), panel.note.text()) == (False, front_panel.LINKED)
    window.editor.undo_stack.undo()
    assert (panel.start_button.isEnabled(), panel.note.text()) == (True, "")


def test_stop_keeps_what_was_found_and_the_newest_search_wins(window, qtbot, monkeypatch):
    panel, stopped = window.optimize.front.panel, Event()
    calls = []

    def scripted(wanted, goals, points, should_stop, doing, on_front):
        calls.append(goals)
        plan = wanted.wishes["start"]
        front = [FrontPoint((1.0, 2.0), (1.0, 0.0), 1.0, 1.0, 0.0, plan)]
        on_front(front)
        doing("search 2 of 3: 1 % above its bound")
        while not should_stop():
            stopped.wait(0.001)
        return front

    monkeypatch.setattr(front_panel, "search_front", scripted)
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: panel.note.text() == "Search 2 of 3: 1 % above its bound")
    assert len(panel.picture.points) == 1, "the picture fills while the search goes on"
    panel.goal_fields[1].setCurrentIndex(panel.goal_fields[1].findData("stretch"))
    panel.wanted.emit()
    qtbot.waitUntil(lambda: len(calls) == 2 and bool(panel.picture.points))
    assert panel.picture.goals == ("makespan", "stretch")
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: not panel.is_running)
    assert calls == [("makespan", "mean-response"), ("makespan", "stretch")]
    assert panel.picture.goals == ("makespan", "stretch")
    assert len(panel.picture.points) == 1


def test_picture_and_numbers_are_exported(searched, tmp_path):
    panel = searched.optimize.front.panel
    panel.export_button.save(str(tmp_path / "front.png"))
    panel.export_button.save(str(tmp_path / "front.csv"))
    assert (tmp_path / "front.png").stat().st_size > 1000
    header, *rows = (tmp_path / "front.csv").read_text().splitlines()
    heads, _ = plan_front.front_table(panel.shown_goals, ())
    assert header.split(",") == ["schedule", *heads]
    assert len(rows) == len(panel.picture.points) + 2
    first = panel.picture.points[0]
    assert [float(cell) for cell in rows[0].split(",")[1:3]] == pytest.approx(list(first.values))


def test_it_says_what_to_do_before_a_search_and_closes_by_its_action(window):
    picture = window.optimize.front.panel.picture
    assert picture.nothing.isVisible()
    assert "press Start" in picture.nothing.text()
    assert not picture.plot.isVisible()
    assert window.optimize.front.page.is_open
    window.actions_by_id["front"].trigger()
    assert not window.optimize.front.page.is_open


def test_a_plan_of_a_plan_is_named_once(searched, qtbot):
    window, panel = searched, searched.optimize.front.panel
    panel.taken.emit(0)
    settled(window, qtbot, 3)
    search(window, qtbot)
    new = [place for place, point in enumerate(panel.picture.points) if not is_there(window, point.plan)]
    assert new
    panel.taken.emit(new[0])
    active = window.document.scenario(window.view_state.active_scenario)
    assert active.title == f"FIFO, as plan {new[0] + 1} of {len(panel.picture.points)}"


def is_there(window, plan):
    return any(scenario.plan == plan for scenario in window.document.scenarios)
