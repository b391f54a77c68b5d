"""At this instant: the state and the decision at the cursor, replayed in a worker, row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from core.model.cluster import Cluster
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.policies.registry import describe
from explorer.explain.decision_view import Replays
from explorer.explain.explanations import free_text, instant_explanation, slot_ranges, task_explanation
from explorer.explain.instant_panel import NOTHING, CodeLinesModel
from explorer.explain.job_tables import ANSWER, JOB, CandidatesModel, QueueModel
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

if TYPE_CHECKING:
    from explorer.explain.instant_panel import InstantPanel

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton
FAIR = describe("fair").title


@pytest.fixture
def panel(window, qtbot) -> InstantPanel:
    window.actions_by_id["at_instant"].trigger()
    qtbot.waitUntil(window.why.instant_panel.isVisible)
    return window.why.instant_panel


def look(schedule, seconds, number=0):
    return Replays().look(1, schedule, seconds, number)


def at(panel, qtbot, seconds, number=0):
    """Wait until the panel shows an instant."""
    qtbot.waitUntil(
        lambda: (
            panel.decision_view is not None
            and (panel.decision_view.instant.time, panel.decision_view.number) == (seconds, number)
        )
    )


# ---- looking, without a window


@pytest.fixture(scope="module")
def fair():
    return run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0), "fair")


def test_every_decision_of_a_time_is_looked_at_before_it_is_taken(fair):
    starts = [int(task) for task in fair.sequence if fair.start[task] == 8.0]
    for number, task in enumerate(starts):
        decision_view = look(fair, 8.0, number)
        assert (decision_view.decisions, decision_view.number) == (len(starts), number)
        winner = decision_view.reason.winner
        columns = fair.workload.columns
        assert (winner.job, winner.kind) == (columns.job[task], columns.kind[task])
        assert decision_view.reason.slot == fair.slot[task]
        assert decision_view.instant.slot_task[decision_view.reason.slot] == -1


def test_after_the_last_decision_the_slots_are_taken(fair):
    decision_view = look(fair, 8.0, 999)
    assert decision_view.number == decision_view.decisions
    assert instant_explanation(decision_view).title.endswith(f", after {decision_view.decisions} decisions")
    for task in (int(task) for task in fair.sequence if fair.start[task] == 8.0):
        assert decision_view.instant.slot_task[fair.slot[task]] == task


def test_between_events_nothing_is_decided():
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))
    decision_view = look(schedule, 16.0)
    assert (decision_view.decisions, decision_view.reason) == (0, None)
    assert (
        "No free slot fits a waiting task, so nothing is decided."
        in instant_explanation(decision_view).to_text()
    )


def test_a_full_and_an_empty_cluster_say_so():
    schedule = run(
        make_workload(make_job("J1", (2, 5.0)), make_job("J2", (1, 5.0), arrival=20.0)), Cluster(1, 0)
    )
    assert "No slot is free, so nothing is decided." in instant_explanation(look(schedule, 2.0)).to_text()
    assert "No task waits, so nothing is decided." in instant_explanation(look(schedule, 12.0)).to_text()


def test_a_job_that_is_being_launched_is_no_waiting_task():
    overheads = Overheads(launch_delay=3.0)
    cluster = Cluster(1, 0, overheads=overheads)
    schedule = run(make_workload(make_job("J1", (1, 5.0)), make_job("J2", (1, 5.0), arrival=20.0)), cluster)
    said = {seconds: instant_explanation(look(schedule, seconds)).to_text() for seconds in (2.0, 12.0, 21.0)}
    first = "Jobs that have arrived are launched and set up first, so nothing is decided."
    assert [first in said[seconds] for seconds in said] == [True, False, True]
    assert "No task waits, so nothing is decided." in said[12.0]


def test_free_slots_in_words():
    typed, untyped = Cluster(5, 2), Cluster(0, 0, containers=4)
    assert free_text(typed, ((0, 1, 2, 4), ())) == "4 of 5 map slots (M1–M3, M5), no reduce slot."
    assert free_text(typed, ((), (5, 6))) == "No map slot, 2 of 2 reduce slots (R1–R2)."
    assert free_text(untyped, ((1,), ())) == "1 of 4 containers (C2)."
    assert slot_ranges(Cluster(20, 0), (0, 2, 4, 6, 8)) == "M1, M3, M5, …"


# ---- the tables


@pytest.fixture
def candidates(qapp, fair):
    model = CandidatesModel()
    decision_view = look(fair, 8.0)
    model.show(fair.workload, decision_view.reason)
    return model


def test_candidates_are_a_proper_model_the_winner_and_the_next_stand_out(candidates):
    QAbstractItemModelTester(candidates, QAbstractItemModelTester.FailureReportingMode.Fatal)
    answers = [candidates.index(row, ANSWER).data() for row in range(candidates.rowCount())]
    assert answers[:2] == ["✓ gets it", "next"]
    assert set(answers[2:]) == {""}
    running = [int(candidates.index(row, ANSWER + 2).data()) for row in range(candidates.rowCount())]
    assert running == sorted(running)
    assert "runs " in candidates.index(0, JOB).data(Qt.ItemDataRole.ToolTipRole)
    tints = [candidates.index(row, JOB).data(Qt.ItemDataRole.BackgroundRole) for row in range(3)]
    assert tints[0].alpha() > tints[1].alpha() > 0
    assert tints[2] is None
    assert candidates.index(0, JOB).data(Qt.ItemDataRole.FontRole).bold()


def test_the_columns_are_what_the_policy_decides_by(candidates):
    def titles():
        return [column.title for column in candidates.columns]

    assert titles() == ["Job", "Answer", "Pool runs", "Running", "Waiting"]
    workload = make_workload(make_job("J1", (6, 10.0), deadline=100.0), make_job("J2", (6, 10.0)))
    view = look(run(workload, Cluster(4, 1), "edf-max"), 0.0, 0)
    candidates.show(workload, view.reason)
    assert titles() == ["Job", "Answer", "Deadline", "Takes", "Slack", "Waiting"]
    assert candidates.texts(1) == ("J2", "next", "–", "18.75 s", "–", "6")
    assert "J2: has no deadline" in candidates.index(1, JOB).data(Qt.ItemDataRole.ToolTipRole)


def test_who_is_not_admitted_says_so(qapp):
    workload = make_workload(
        make_job("J1", (6, 10.0), (1, 1.0), deadline=100.0),
        make_job("J2", (6, 10.0), (1, 1.0), deadline=200.0),
    )
    schedule = run(workload, Cluster(4, 1), "edf-min")
    model = CandidatesModel()
    refused = []
    for number in range(4):
        decision_view = look(schedule, 0.0, number)
        if decision_view.reason is not None:
            model.show(workload, decision_view.reason)
            refused += [model.texts(row)[ANSWER] for row in range(model.rowCount())]
    assert "not admitted" in refused


def test_queues_count_what_waits_runs_and_is_done(qapp, fair):
    decision_view = look(fair, 8.5)
    model = QueueModel(MAP)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(fair.workload, decision_view.instant)
    rows = {model.texts(row)[0]: tuple(map(int, model.texts(row)[1:])) for row in range(model.rowCount())}
    for name, (waiting, running, done) in rows.items():
        job = fair.workload.job_index[name]
        first = fair.workload.columns.first[job, MAP]
        start, end = fair.start[first : first + 30], fair.end[first : first + 30]
        assert (waiting, running, done) == (
            (start > 8.5).sum(),
            ((start <= 8.5) & (end > 8.5)).sum(),
            (end <= 8.5).sum(),
        )
    empty = QueueModel(REDUCE)
    assert empty.rowCount() == 0


# ---- in the window


def test_without_a_cursor_it_says_what_to_do(panel):
    assert panel.empty.isVisible()
    assert panel.empty.text() == NOTHING
    assert panel.to_text() == NOTHING
    assert not panel.copy_button.isEnabled()


def test_it_follows_the_cursor_and_the_steps(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0)
    assert panel.candidate_table.model().index(0, JOB).data() == "J1"
    assert panel.tabs.tabText(0) == "Candidates (5)"
    assert panel.tabs.tabText(1) == "Maps (5)"
    assert panel.tabs.tabText(2) == "Reduces"
    for _ in range(3):
        window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0, 3)
    assert "before decision 4 of 30" in panel.text.toPlainText()
    assert "M4 was free at 0:00" in panel.text.toPlainText()


def test_it_follows_the_active_scenario_and_edits(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0)
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: panel.scope.text() == "Under Johnson")
    assert panel.candidate_table.model().index(0, JOB).data() == "J2"
    window.editor.choose_policy(2, PolicyChoice("fair"))
    qtbot.waitUntil(lambda: panel.decision_view.schedule.choice.id == "fair")
    assert panel.scope.text() == f"Under {FAIR}"
    assert "Pool runs" in [column.title for column in panel.candidates.columns]


def test_the_offered_slot_is_marked_in_its_chart_alone(panel, window, qtbot):
    first, second = window.charts.views.values()
    window.view_state.time_cursor.show_at(4.0, 5)
    at(panel, qtbot, 4.0, 5)
    blue = window.charts.theme.cursor.rgb()

    def dots(view):
        picture, frame = view.grab().toImage(), view.frame()
        top, bottom = frame.row(panel.decision_view.reason.slot)
        x = round(frame.x(4.0))
        beside = [(x + dx, y) for dx in (2, 3) for y in range(top - 3, bottom + 3)]
        return sum(picture.pixel(*place) == blue for place in beside)

    assert dots(first) > 0
    assert dots(second) == 0


def test_a_click_on_a_row_selects_its_job(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0)
    table = panel.candidate_table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, ANSWER)).center())
    assert window.view_state.selected_job == "J3"
    panel.tabs.setCurrentIndex(1)
    queue = panel.queue_tables[0]
    queue.setFocus()
    queue.setCurrentIndex(queue.model().index(4, 0))
    qtbot.keyClick(queue, Qt.Key.Key_Return)
    assert window.view_state.selected_job == "J5"


def test_jobs_have_the_colours_of_the_charts(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0)
    shown = panel.candidate_table.model().index(3, JOB).data(Qt.ItemDataRole.DecorationRole)
    assert shown.rgb() & 0xFFFFFF == window.charts.map_colours()[3]


def test_playing_goes_on_while_it_looks(panel, window, qtbot):
    player, cursor = window.why.player, window.view_state.time_cursor
    player.set_sweep(5)
    player.play()
    seen = set()
    qtbot.waitUntil(lambda: panel.decision_view is not None)

    def moved():
        seen.add(panel.decision_view.instant.time)
        return len(seen) > 5

    qtbot.waitUntil(moved)
    player.pause()
    qtbot.waitUntil(lambda: panel.decision_view.instant.time == cursor.seconds)


def test_everything_is_copied_as_text(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    at(panel, qtbot, 0.0)
    qtbot.mouseClick(panel.copy_button, LEFT)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Under FIFO\n\nAt 0:00, before 30 decisions\n")
    assert "J1\t✓ gets it\t0:00\t30" in text.splitlines()
    assert "Maps\nJob\tWaiting\tRunning\tDone\nJ1\t30\t0\t0" in text


def test_a_task_leads_to_its_decision_line_by_line(panel, window, qtbot):
    window.editor.choose_policy(1, PolicyChoice("fair"))
    qtbot.waitUntil(lambda: (found := window.runner.outcome(1)) and found.schedule.choice.id == "fair")
    schedule = window.runner.outcome(1).schedule
    task = int(schedule.sequence[40])
    explanation = task_explanation(schedule, task, window.why.replays)
    (link,) = [link for part in explanation.paragraphs for link in part.links if link.is_stepped]
    window.why._on_link_chosen(link, 1)
    qtbot.waitUntil(lambda: panel.lines.rowCount() > 0)
    assert panel.tabs.currentWidget() is panel.lines_table
    reason = panel.decision_view.reason
    assert reason.start == 40
    assert panel.lines.rows[0].name == schedule.workload.jobs[reason.winner.job].name
    assert "Line by line" in panel.to_text()
    panel.tabs.setCurrentIndex(0)


def test_a_closing_window_stops_its_replays(panel, window, qtbot):
    window.actions_by_id["next_decision"].trigger()
    window.editor.undo_stack.setClean()
    window.close()
    assert window.why.replays.should_stop()
    assert not panel._worker.is_busy


def test_slots_that_pools_lend_one_another_are_said():
    jobs = make_job("etl", (6, 5.0), pool="etl"), make_job("late", (1, 5.0), arrival=4.0, pool="ad hoc")
    schedule = run(make_workload(*jobs), Cluster(4, 0))
    text = instant_explanation(look(schedule, 2.0)).to_text()
    assert "etl works on 4 slots, 2 of them lent: 2 by ad hoc." in text
    assert "lent" not in instant_explanation(look(schedule, 12.0)).to_text()


# ---- line by line


def test_lines_are_followed_only_while_they_are_read(fair):
    assert look(fair, 0.0, 3).lines == ()
    seen = Replays().look(1, fair, 0.0, 3, with_lines=True)
    model = CodeLinesModel()
    QAbstractItemModelTester(model)
    model.show(fair.workload, seen.lines)
    assert model.rows[0].whom
    assert model.rows[0].code.startswith("if inside == FIFO")
    answers = [row.code for row in model.rows if not row.line]
    assert any(text.startswith("key answers ") for text in answers)
    assert any(text.startswith("pool_key answers 1, ") for text in answers), "no part of a key is left out"


def test_a_long_key_has_room_for_all_of_it(five_jobs):
    schedule = run(five_jobs, five_jobs.cluster, "fair")
    reason = look(schedule, 0.0, 3).reason
    (key,) = [number for number in reason.numbers if number.name == "running"][:1] or reason.numbers[:1]
    long = [
        replace(each, standing=each.standing._replace(numbers={key.name: (0.0, -1.123456, 1234.5)}))
        for each in reason.candidates
    ]
    model = CandidatesModel()
    model.show(schedule.workload, replace(reason, candidates=tuple(long), winner=long[0], runner_up=None))
    column = next(each for each in model.columns if each.title == key.title)
    assert len(column.typical) >= len(column.text(model.rows[0]))
