"""The window as a person uses it: open, look, drag, undo, save, and survive bad files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from core.files.session_document import read_session
from core.files.workload_document import read_workload
from core.measures.job_classes import ClassedBy
from explorer.document.view_state import Arrangement
from explorer.gantt.stage import Style
from explorer.widgets.theme import theme
from explorer.window.window_menus import SEPARATOR
from tests.explorer.window_fixtures import block_point, drag, forget_changes, x_of

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

pytestmark = pytest.mark.only_edits


def makespans(window: MainWindow) -> list[float]:
    window.runner.wait_until_idle()
    return [window.runner.outcome(scenario.id).makespan for scenario in window.document.scenarios]


@pytest.mark.only_looks
def test_opens_on_two_scenarios_ready_to_drag(window):
    assert makespans(window) == [74, 47]
    views, pictures = list(window.charts.views.values()), window.charts.contents()
    assert [view.content.title for view in views] == ["FIFO", "Johnson"]
    assert [picture.comparison for picture in pictures] == ["baseline", "−36.5 % vs FIFO"]
    assert window.headers.header(2).facts.standing[0] == "−36.5 % vs FIFO"
    assert views[0].axis is views[1].axis
    assert window.windowTitle() == "Five jobs[*] — Slotscope"


def test_the_first_drag_in_the_baseline_stands_beside_it_and_is_one_step(window):
    view = window.charts.views[1]
    before = window.document.state
    previews = []
    window.runner.preview_ready.connect(lambda _id, outcome: previews.append(outcome.makespan))
    drag(view, block_point(view, 2), x_of(view, 74))
    assert previews
    assert [scenario.id for scenario in window.document.scenarios] == [1, 3, 2]
    edited = window.charts.views[3]
    assert edited.content.rows.schedule.makespan == previews[-1] < 74  # nothing is simulated again
    assert edited.content.ghost.schedule.makespan == view.content.rows.schedule.makespan == 74
    assert window.document.scenario(3).order == ("J1", "J2", "J4", "J5", "J3")
    assert window.document.scenario(1).order is None
    assert window.editor.undo_stack.count() == 1
    assert makespans(window) == [74, previews[-1], 47]
    titles = [each.content.title for each in window.charts.views.values()]
    assert titles == ["FIFO", "FIFO, edited", "Johnson"]
    assert window.view_state.active_scenario == 3
    window.actions_by_id["undo"].trigger()
    assert window.document.scenarios == before.scenarios
    assert makespans(window) == [74, 47]
    assert window.view_state.active_scenario == 1
    window.actions_by_id["redo"].trigger()
    assert makespans(window) == [74, previews[-1], 47]
    assert window.view_state.active_scenario == 3


def test_the_next_drag_goes_on_in_the_edited_scenario(window):
    view = window.charts.views[1]
    drag(view, block_point(view, 2), x_of(view, 74))
    window.runner.wait_until_idle()
    view = window.charts.views[3]
    drag(view, block_point(view, 0), x_of(view, 74))
    assert len(window.document.scenarios) == 3
    assert window.document.scenario(3).order == ("J2", "J4", "J5", "J3", "J1")
    assert window.editor.undo_stack.undoText() == "Move J1 to the end in FIFO, edited"


def test_with_six_scenarios_the_baseline_itself_is_edited_and_a_message_says_so(window):
    for _ in range(4):
        window.editor.duplicate_scenario(2)
    said = []
    window.editor.reported.connect(said.append)
    window.view_state.activate_scenario(1)
    window.view_state.select_job("J3")
    window.actions_by_id["later"].trigger()
    assert window.document.scenario(1).order == ("J1", "J2", "J4", "J3", "J5")
    assert said == ["FIFO itself was edited: there are 6 scenarios already, the most that fit"]
    assert window.centre.foot.note.text() == said[0]
    window.actions_by_id["later"].trigger()
    assert len(said) == 1


def test_a_drop_in_the_list_of_the_baseline_ends_its_preview(window):
    """The other scenario is the active one before the list says that its drag has ended."""
    view, panel = window.charts.views[1], window.jobs_panel
    order = ("J2", "J5", "J1", "J4", "J3")
    panel.order_previewed.emit(order)
    window.editor.drop_order(1, order, panel.model.order)
    panel.preview_ended.emit()
    assert (view.content.rows.schedule.makespan, view.content.ghost) == (74, None)
    assert window.charts.views[3].content.rows.schedule.makespan == 47
    assert panel.model.order == order


@pytest.mark.only_looks
def test_escape_during_a_drag_restores_everything(window, qtbot):
    view = window.charts.views[1]
    before = window.document.state
    drag(view, block_point(view, 2), x_of(view, 74), release=False)
    assert view.content.rows.schedule.makespan < 74
    assert view.content.ghost.schedule.makespan == 74
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.content.rows.schedule.makespan == 74
    assert view.content.ghost is None
    assert window.document.state == before
    assert window.editor.undo_stack.count() == 0


def test_dragging_under_johnson_keeps_the_computed_order_within_reach(window):
    view = window.charts.views[2]
    drag(view, block_point(view, 2), x_of(view, 0))
    assert view.content.title == "Johnson, edited"
    assert makespans(window)[1] > 47
    window.view_state.activate_scenario(2)
    window.actions_by_id["reset_order"].trigger()
    assert makespans(window)[1] == 47
    assert view.content.title == "Johnson"


def test_the_computed_schedule_stands_behind_an_order_made_by_hand(window):
    window.editor.drop_order(2, ("J1", "J2", "J3", "J4", "J5"), shown=("J2", "J5", "J1", "J4", "J3"))
    assert makespans(window)[1] == 74
    assert window.charts.views[2].content.ghost.schedule.makespan == 47
    window.actions_by_id["undo"].trigger()
    assert makespans(window)[1] == 47
    assert window.charts.views[2].content.ghost is None


@pytest.mark.only_looks
def test_dragging_rows_of_the_jobs_panel_previews_in_the_active_chart(window):
    view = window.charts.views[1]
    window.jobs_panel.order_previewed.emit(("J2", "J5", "J1", "J4", "J3"))
    assert view.content.rows.schedule.makespan == 47
    assert view.content.ghost.schedule.makespan == 74
    assert window.headers.header(2).facts.standing[0] == "±0 % vs FIFO"
    window.jobs_panel.preview_ended.emit()
    assert view.content.rows.schedule.makespan == 74
    assert view.content.ghost is None
    assert window.headers.header(2).facts.standing[0] == "−36.5 % vs FIFO"
    assert window.editor.undo_stack.count() == 0


@pytest.mark.only_looks
def test_a_click_selects_the_job_everywhere(window, qtbot):
    first, second = window.charts.views.values()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=block_point(first, 3))
    assert window.view_state.selected_job == "J4"
    assert first.content.selected_job == second.content.selected_job == 3
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=block_point(first, 3))
    assert window.view_state.selected_job is None


@pytest.mark.only_looks
def test_a_click_selects_the_task_too_and_outlines_it_in_all_charts(window, qtbot):
    first, second = window.charts.views.values()
    first.leaveEvent(QEvent(QEvent.Type.Leave))
    before = second.grab().toImage()
    one = block_point(first, 2)
    other = QPoint(one.x(), one.y() + 20)
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=one)
    task = window.view_state.selected_task
    assert task.scenario_id == 1
    assert window.document.workload.columns.job[task.task] == 2
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=other)
    assert window.view_state.selected_task.task > task.task
    assert window.view_state.selected_job == "J3"
    with_both = second.grab().toImage()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=other)
    assert window.view_state.selected_task is None
    window.view_state.select_job("J3")
    assert second.grab().toImage() != with_both
    window.view_state.select_job(None)
    first.leaveEvent(QEvent(QEvent.Type.Leave))  # the time at the pointer stands in all charts
    assert second.grab().toImage() == before


def test_jobs_move_by_keyboard_in_the_active_scenario(window):
    window.view_state.select_job("J3")
    window.view_state.activate_scenario(2)
    window.actions_by_id["earlier"].trigger()
    assert window.document.scenarios[1].order == ("J2", "J5", "J1", "J3", "J4")
    window.actions_by_id["later"].trigger()
    assert makespans(window)[1] == 47
    window.view_state.activate_scenario(1)
    for _ in range(2):
        window.actions_by_id["earlier"].trigger()
    assert window.document.scenario(1).order is None
    assert window.document.scenario(3).order == ("J3", "J1", "J2", "J4", "J5")


@pytest.mark.own_window
def test_a_note_over_the_charts_says_how_far_compiling_is(window):
    label = window.centre.foot.note
    assert not label.isVisible()
    window.show_compiling("Getting the other policies ready: 3 of 25.")
    assert label.isVisible()
    assert label.text() == "Getting the other policies ready: 3 of 25."
    window.show_compiling("")
    assert not label.isVisible()


@pytest.mark.only_looks
def test_an_action_without_a_job_says_what_to_do(window):
    window.actions_by_id["delete_job"].trigger()
    assert "select" in window.messages.message.sentence


def test_scenarios_are_added_compared_and_removed(window):
    actions = window.actions_by_id
    actions["add_scenario"].trigger()
    popup = QApplication.activePopupWidget()
    QTest.keyClicks(popup.list.field, "shortest")
    QTest.keyClick(popup.list.field, Qt.Key.Key_Return)
    assert window.document.scenarios[-1].choice.id == "sjf"
    assert len(window.charts.views) == 3
    assert window.view_state.active_scenario == 3
    makespans(window)
    actions["make_baseline"].trigger()
    assert window.document.baseline == 3
    assert window.headers.header(1).facts.standing[0].endswith(window.charts.views[3].content.title)
    actions["undo"].trigger()
    actions["remove_scenario"].trigger()
    assert list(window.charts.views) == [1, 2]
    for _ in range(4):
        actions["duplicate_scenario"].trigger()
    assert len(window.charts.views) == 6
    actions["add_scenario"].trigger()
    assert len(window.charts.views) == 6
    assert "6" in window.messages.message.sentence
    actions["next_scenario"].trigger()
    makespans(window)


@pytest.mark.only_looks
def test_zoom_is_shared_and_has_a_history(window):
    views = list(window.charts.views.values())
    full = window.axis.range
    window.actions_by_id["zoom_in"].trigger()
    assert window.axis.range.span < full.span
    assert views[0].time_at(700) == views[1].time_at(700)
    window.actions_by_id["zoom_back"].trigger()
    assert window.axis.range == full
    window.view_state.select_job("J4")
    window.actions_by_id["zoom_job"].trigger()
    assert window.axis.range.span < full.span
    window.actions_by_id["fit"].trigger()
    assert window.axis.range == full


def test_dropping_a_file_opens_it(window, qtbot, tmp_path):
    path = tmp_path / "mine.workload.json"
    job = {"name": "only", "maps": {"count": 3, "durations": 2}}
    path.write_text(json.dumps({"format": "slotscope-workload", "version": 1, "name": "Mine", "jobs": [job]}))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(window.files.opened):
        window.dropEvent(event)
    assert window.document.workload.name == "Mine"
    assert makespans(window) == [2, 2]


@pytest.mark.only_looks
def test_a_broken_file_gets_its_sentence_and_the_window_stays(window, qtbot, tmp_path):
    path = tmp_path / "broken.workload.json"
    path.write_bytes(b"\x1f\x8b\x08broken")
    with qtbot.waitSignal(window.files.failed):
        window.files.open(path)
    assert "broken.workload.json" in window.messages.message.sentence
    assert makespans(window) == [74, 47]
    assert not window.files.is_busy


@pytest.mark.own_window
def test_saving_and_opening_a_session_brings_everything_back(window, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "mine.slotscope"
    window.editor.drop_order(1, ("J2", "J1", "J3", "J4", "J5"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_named: (str(path), ""))
    window.actions_by_id["save"].trigger()
    assert not window.isWindowModified()
    saved = window.document.state
    assert read_session(path).state == saved
    window.editor.drop_order(1, ("J5", "J2", "J1", "J3", "J4"))
    assert window.isWindowModified()
    forget_changes(window)
    with qtbot.waitSignal(window.files.opened):
        window.files.open(path)
    assert window.document.state == saved
    assert window.windowTitle() == "mine.slotscope[*] — Slotscope"
    assert window.settings.recent_files == (path,)


def test_unsaved_changes_are_asked_about(window, monkeypatch):
    window.editor.drop_order(1, ("J2", "J1", "J3", "J4", "J5"))
    asked = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", answer)
    window.close()
    assert asked == ["Save the changes to Five jobs?"]
    assert window.isVisible()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.findChild(QMessageBox) is None, "a question is not kept until the window closes"


@pytest.mark.only_looks
def test_the_workload_is_exported(window, tmp_path, monkeypatch):
    def choose(name: str) -> None:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_n: (str(tmp_path / name), ""))

    choose("five.workload.json")
    window.actions_by_id["export_workload"].trigger()
    assert read_workload(tmp_path / "five.workload.json").jobs == window.document.workload.jobs
    window.actions_by_id["copy_picture"].trigger()


@pytest.mark.only_looks
def test_a_bad_picture_name_is_refused_with_a_sentence(window, tmp_path):
    window.pictures.export(tmp_path / "picture.bmp", Style(window.charts.theme))
    assert "picture.bmp" in window.messages.message.sentence


def test_appearance_is_chosen_and_remembered(window, tmp_path):
    window.set_theme(theme(dark=True))
    for name, value in (("colour_by", ClassedBy.USER), ("arrangement", Arrangement.SIDE_BY_SIDE)):
        for action in window.menus.menus[name].actions():
            if action.data() == value.value:
                action.trigger()
    assert window.view_state.colour_by is ClassedBy.USER
    assert window.settings.arrangement is Arrangement.SIDE_BY_SIDE
    first, second = window.charts.views.values()
    window.charts.layout().activate()
    assert first.mapTo(window, QPoint(0, 0)).y() == second.mapTo(window, QPoint(0, 0)).y()


@pytest.mark.only_looks
def test_every_action_is_in_a_menu_once_and_no_key_has_two(window):
    ids = [spec.id for spec in window.action_specs if spec.id != SEPARATOR]
    assert len(set(ids)) == len(ids)
    keys = [QKeySequence(spec.key).toString() for spec in window.action_specs if spec.key]
    assert len(set(keys)) == len(keys)
    assert all(keys)
    assert set(ids) == set(window.actions_by_id) | set(window.menus.menus)
