"""Why this task, and what does this job wait for: asked by clicks, answered in a worker, with links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest

from core.explain.start_cause import StartCause, start_of
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.simulation.simulate import simulate
from explorer.document.view_state import SelectedIdle
from explorer.explain.decision_view import Replays
from explorer.explain.explanations import GoTo, idle_explanation, task_explanation, waiting_explanation
from explorer.explain.why_panel import NO_CURSOR, NOTHING
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.explorer.window_fixtures import block_point

if TYPE_CHECKING:
    from explorer.explain.why_panel import WhyPanel
    from explorer.gantt.gantt_view import GanttView

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(window, qtbot) -> WhyPanel:
    if not window.why.why_panel.isVisible():  # a window that is only looked at has shown it before
        window.actions_by_id["why_task"].trigger()
        qtbot.waitUntil(window.why.why_panel.isVisible)
    return window.why.why_panel


def shown(panel, qtbot, *titles):
    qtbot.waitUntil(lambda: [explanation.title for explanation in panel.explanations] == list(titles))


def follow(panel, text):
    """Click the link that says something."""
    place = next(i for i, link in enumerate(panel.text.links) if text in link.text)
    panel.text.anchorClicked.emit(QUrl(str(place)))


# ---- what is said


@pytest.fixture(scope="module")
def schedule():
    return run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))


def test_a_task_that_waited_leads_to_who_held_its_slot_and_what_let_it_start(schedule):
    columns = schedule.workload.columns
    task = int(columns.first[4, REDUCE]) + 2
    explanation = task_explanation(schedule, task, Replays())
    assert explanation.title == "Reduce 3 of 30 of J5"
    assert [paragraph.heading for paragraph in explanation.paragraphs] == [
        "Why at 1:11",
        "Why this job",
        "Why on R3",
    ]
    then, why, here = explanation.paragraphs
    assert why.sentences[1] == "J5: arrived at 0:00, 5th in the queue."
    assert then.links == (
        GoTo("map 1 of J5", task=int(columns.first[4, MAP])),
        GoTo("when it was ready, 0:43", seconds=43.0),
        GoTo("its start, 1:11", seconds=71.0),
    )
    holder = int(columns.first[3, REDUCE]) + 2
    assert here.links == (GoTo("reduce 3 of J4, which held the slot", task=holder),)
    assert "meanwhile" in explanation.to_text()


def test_of_a_graph_of_stages_no_word_is_of_maps_or_reduces():
    """Three tasks of 5 s, then one of 5 s that waits for all, on two slots: it starts at 10 s."""
    graph = StageGraph(TASK_TYPES, (Edge(MAP, REDUCE, 1.0),))
    job = Job("Q", stages=(Stage.of(3, 5.0), Stage.of(1, 5.0)), graph=graph)
    schedule = run(make_workload(job), Cluster(0, 0, containers=2))
    last = task_explanation(schedule, 3, Replays())
    assert last.title == "Task 1 of 1 of stage 1 of Q"
    assert "gave it to Q for its next task." in last.to_text()
    waits = waiting_explanation(schedule, 0, 2.0, Replays())
    first, later = waits.paragraphs[:2]
    assert (first.heading, later.heading[:6]) == ("Tasks: 2 running, 1 waiting", "Tasks:")
    for text in (last.to_text(), first.to_text(), later.to_text()):
        assert "map" not in text.lower()
        assert "reduce" not in text.lower()


def test_a_waiting_job_leads_to_the_holders_of_its_slots(schedule):
    explanation = waiting_explanation(schedule, 4, 50.0, Replays())
    assert explanation.title == "J5 at 0:50"
    waiting, standing = explanation.paragraphs
    assert standing.sentences == ("J5: arrived at 0:00, 5th in the queue.",)
    assert waiting.heading == "Reduces: 30 waiting"
    assert waiting.links == (GoTo("J4", job="J4"), GoTo("its next reduce, 1:11", seconds=71.0))


def test_a_job_that_has_not_arrived_or_is_done_says_one_thing():
    workload = two_stage_workload(FIVE_JOBS[:1])
    schedule = run(workload, Cluster(30, 30))
    done = waiting_explanation(schedule, 0, 100.0, Replays())
    assert [paragraph.heading for paragraph in done.paragraphs] == ["Maps: 30 done"]


def test_where_the_policy_holds_back_it_is_asked():
    """MinEDF gives J1 the slots that its deadline needs; the others stay free until then."""
    workload = make_workload(
        make_job("J1", (6, 10.0), (1, 1.0), deadline=100.0),
        make_job("J2", (6, 10.0), (1, 1.0), deadline=200.0),
    )
    schedule = run(workload, Cluster(4, 1), "edf-min")
    explanation = waiting_explanation(schedule, 0, 5.0, Replays())
    assert explanation.paragraphs[-1].heading == "What the policy answers"
    assert "declines it" in explanation.paragraphs[-1].sentences[0]
    assert "slack" in explanation.paragraphs[-1].sentences[-1]
    lazy = run(workload, Cluster(4, 2, slowstart=0.1), "ako")
    held = [task for task in range(lazy.tasks) if start_of(lazy, task).cause is StartCause.POLICY]
    assert held
    for task in held:
        headings = [paragraph.heading for paragraph in task_explanation(lazy, task, Replays()).paragraphs]
        assert headings[1] == "What the policy answers"


# ---- asking


@pytest.mark.only_looks
def test_it_says_what_to_do_until_something_is_asked(panel, window, qtbot):
    assert panel.empty.isVisible()
    assert panel.empty.text() == NOTHING
    window.view_state.select_job("J4")
    qtbot.waitUntil(lambda: panel.empty.text() == NO_CURSOR.format("J4"))


@pytest.mark.only_looks
def test_a_click_on_a_task_explains_it_under_the_scenario_of_its_chart(panel, window, qtbot):
    view = window.charts.views[2]
    qtbot.mouseClick(view, LEFT, pos=block_point(view, 2) + QPoint(2, 20))
    qtbot.waitUntil(lambda: bool(panel.explanations))
    assert panel.explanations[0].title.endswith("of 30 of J3")
    assert panel.explanations[0].paragraphs[0].heading == "Why at 0:13"
    assert panel.scope.text() == "Under Johnson"
    assert "J3" in panel.text.toPlainText()


@pytest.mark.only_looks
def test_a_selected_job_is_explained_at_the_cursor_and_follows_it(panel, window, qtbot):
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "J5 at 0:50")
    window.view_state.time_cursor.show_at(60.0)
    shown(panel, qtbot, "J5 at 1:00")
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: panel.scope.text() == "Under Johnson")
    window.view_state.select_job(None)
    shown(panel, qtbot)


@pytest.mark.only_looks
def test_links_select_tasks_and_jobs_and_move_the_cursor(panel, window, qtbot):
    view = window.charts.views[1]
    qtbot.mouseClick(view, LEFT, pos=block_point(view, 3))
    qtbot.waitUntil(lambda: any("held the slot" in link.text for link in panel.text.links))
    follow(panel, "held the slot")
    task = window.view_state.selected_task
    assert window.document.workload.columns.job[task.task] == 2
    assert window.view_state.selected_job == "J3"
    assert window.view_state.time_cursor.seconds == 5.0
    shown(panel, qtbot, f"Map {task.task - 2 * 60 + 1} of 30 of J3", "J3 at 0:05")
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "J5 at 0:50")
    follow(panel, "its next reduce")
    assert window.view_state.time_cursor.seconds == 71.0
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "J5 at 0:50")
    follow(panel, "J4")
    assert window.view_state.selected_job == "J4"


@pytest.mark.only_looks
def test_links_can_be_reached_by_keyboard(panel, window, qtbot):
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "J5 at 0:50")
    panel.text.setFocus()
    qtbot.keyClick(panel.text, Qt.Key.Key_Tab)
    qtbot.keyClick(panel.text, Qt.Key.Key_Return)
    assert window.view_state.selected_job == "J4"


@pytest.mark.own_window
def test_out_of_sight_nothing_is_computed(window, qtbot):
    panel = window.why.why_panel
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(50.0)
    panel.refresh()
    assert not panel._worker.is_busy
    window.actions_by_id["why_task"].trigger()
    shown(panel, qtbot, "J5 at 0:50")


def test_an_edit_explains_the_new_schedule(panel, window, qtbot):
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(44.0)
    shown(panel, qtbot, "J5 at 0:44")
    window.editor.make_baseline(2)
    window.editor.drop_order(1, ("J5", "J1", "J2", "J3", "J4"))
    qtbot.waitUntil(lambda: "30 done" in panel.explanations[0].paragraphs[0].heading)


@pytest.mark.only_looks
def test_everything_is_copied_with_the_scenario(panel, window, qtbot):
    window.view_state.select_job("J5")
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "J5 at 0:50")
    qtbot.mouseClick(panel.copy_button, LEFT)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Under FIFO\n\nJ5 at 0:50\n\nReduces: 30 waiting\n")
    assert "The reduce slots are held by J4 (30)." in text


def test_names_are_shown_as_they_are(panel, window, qtbot):
    window.editor.edit_job(4, "name", "<b>&J5")
    assert window.runner.wait_until_idle(60_000)
    window.view_state.select_job("<b>&J5")
    window.view_state.time_cursor.show_at(50.0)
    shown(panel, qtbot, "<b>&J5 at 0:50")
    assert panel.text.toPlainText().startswith("■ <b>&J5 at 0:50")


# ---- answering


# ---- idle slots


def idle_point(view: GanttView, slot: int, seconds: float) -> QPoint:
    frame = view.frame()
    return QPoint(round(frame.x(seconds)), sum(frame.row(slot)) // 2)


@pytest.mark.own_window
def test_a_click_on_an_idle_slot_says_why_it_idles(window, qtbot):
    """Under FIFO R1 idles from 13 s to 35 s: J3's maps run until then."""
    window.actions_by_id["why_task"].trigger()
    view, panel = window.charts.views[1], window.why.why_panel
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    assert window.view_state.selected_idle == SelectedIdle(1, 30, 13.0, 35.0)
    assert view.content.selected_idle == window.view_state.selected_idle
    assert window.charts.views[2].content.selected_idle is None
    qtbot.waitUntil(lambda: bool(panel.explanations))
    assert panel.explanations[0].title == "R1 idles from 0:13 to 0:35"
    text = panel.to_text()
    assert "no reduce is ready; those of J3 are the next, at 0:35, when its map stage ends." in text
    assert "Before that it ran reduce 1 of J2." in text
    assert "Next it runs reduce 1 of J3." in text


@pytest.mark.only_looks
def test_the_outline_of_an_idle_slot_is_painted_and_goes_away(window, qtbot):
    view = window.charts.views[1]
    before = view.grab().toImage()
    place = idle_point(view, 30, 20.0)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseMove(window.menuBar())
    assert view.grab().toImage() != before
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    assert window.view_state.selected_idle is None
    qtbot.mouseMove(window.menuBar())
    window.axis.set_cursor(None)
    assert view.content.selected_idle is None


@pytest.mark.only_looks
def test_a_task_and_an_idle_slot_are_not_selected_together(window, qtbot):
    view = window.charts.views[1]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=block_point(view, 2))
    assert window.view_state.selected_idle is None
    assert window.view_state.selected_task is not None
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    assert window.view_state.selected_task is None
    assert window.view_state.selected_job is None


def test_an_edit_lets_the_idle_slot_go(window, qtbot):
    view = window.charts.views[1]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    window.editor.make_baseline(2)
    window.editor.drop_order(1, ("J2", "J5", "J1", "J3", "J4"), shown=("J1", "J2", "J3", "J4", "J5"))
    qtbot.waitUntil(lambda: window.view_state.selected_idle is None)


def test_another_cluster_lets_the_idle_slot_go_where_it_runs_something(window, qtbot):
    """Slot 30 is R1 of 30 + 30 slots; of 60 containers it runs a map of J1 from 0 s on."""
    view, state = window.charts.views[1], window.view_state
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    window.editor.edit_cluster(None, slowstart=0.5)
    window.runner.wait_until_idle()
    assert state.selected_idle == SelectedIdle(1, 30, 13.0, 35.0)
    window.editor.edit_cluster(None, map_slots=0, reduce_slots=0, containers=60)
    qtbot.waitUntil(lambda: state.selected_idle is None)
    assert view.content.selected_idle is None


def test_slots_of_a_pool_without_jobs_idle_for_that(schedule):
    """Nobody waits for them, so there is no cause of any job."""
    everybody = tuple(job.name for job in schedule.workload.jobs)
    pools = Partition((SlotPool("All", 20, 30, everybody), SlotPool("Empty", 10, 0)))
    divided = simulate(schedule.workload, schedule.cluster, PolicyChoice("fifo"), partition=pools)
    told = idle_explanation(divided, SelectedIdle(1, 25, 0.0, divided.makespan))
    assert told.paragraphs[0].sentences == ("No job runs in the slot's pool.",)


def test_a_removed_scenario_takes_its_idle_slot_along(window, qtbot):
    view = window.charts.views[1]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=idle_point(view, 30, 20.0))
    window.editor.remove_scenario(1)
    assert window.view_state.selected_idle is None


@pytest.mark.only_looks
def test_a_finding_of_idle_slots_selects_one(window, qtbot):
    window.actions_by_id["findings"].trigger()
    panel = window.why.findings_panel
    qtbot.waitUntil(lambda: len(panel.model.rows) == 4)
    table = panel.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert window.view_state.selected_idle == SelectedIdle(1, 0, 43.0, 74.0)


@pytest.mark.only_looks
def test_the_answer_is_said_to_screen_readers(window, panel, qtbot, monkeypatch):
    """Arrows to a task, Enter, and what *Why* shows is announced, without markup."""
    heard = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: heard.append(event.message()))
    view = window.charts.views[1]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    qtbot.waitUntil(lambda: any(sentence.startswith("Under FIFO") for sentence in heard))
    (answer,) = (sentence for sentence in heard if sentence.startswith("Under FIFO"))
    assert "of 30 of J2" in answer
    assert "<" not in answer
