"""A student goes through a lesson: steps, veils, questions, edits that stay, and the way back."""

from __future__ import annotations

import json
import math
import shutil
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.lessons.lesson_document import lesson_paths
from core.lessons.questions.times import MakespanQuestion
from core.measures.job_classes import ClassedBy, job_classes
from explorer.lessons.question_box import ONCE_MORE, QuestionBox
from explorer.lessons.scores import scores_path
from explorer.session.autosave import Autosave
from explorer.session.session_folder import recoverable_sessions
from explorer.window.files.document_work import remembered_lesson
from explorer.window.recovery import Recovery, about_window
from tests.explorer.lessons.conftest import check, go, lesson_text, open_lesson, settle
from tests.explorer.window_fixtures import drag


def steps(window):
    return window.lessons.steps


def pane(window):
    return window.lessons.steps.pane


def view(window):
    return next(iter(window.charts.views.values()))


def header(window):
    return window.headers.active.makespan.text()


def test_a_step_shows_its_text_its_view_and_what_it_points_at(window):
    assert pane(window).isVisible()
    assert pane(window).title.text() == "How long"
    assert pane(window).place.text() == "Step 1 of 5"
    assert "It takes 16 s, they say." in pane(window).text.toPlainText()
    assert "16\N{NO-BREAK SPACE}s" in pane(window).text.document().toRawText()
    assert window.view_state.time_cursor.seconds == 4
    assert [pointer.text for pointer in view(window).content.pointers] == ["waits", "slot"]
    assert not window.isWindowModified()
    assert window.editor.undo_stack.count() == 0


def test_however_narrow_the_pane_is_no_button_is_cut(window):
    window.resizeDocks([window.lessons.steps.dock], [1], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    asked = pane(window).question
    buttons = asked.check_button, asked.hint_button, pane(window).lift_button, pane(window).restore_button
    assert all(button.width() >= button.sizeHint().width() for button in buttons)


def test_the_question_follows_the_text_under_one_line_of_title(window):
    shown, dock = pane(window), steps(window).dock
    assert dock.titleBarWidget() is shown.header
    assert shown.header.height() < 2 * shown.close_button.height()
    assert shown.text.verticalScrollBar().maximum() == 0
    assert shown.question.isVisible()
    assert 0 <= shown.question.y() - shown.text.geometry().bottom() < 2 * shown.fontMetrics().height()


def test_the_cross_closes_the_pane_and_a_key_brings_it_back(window):
    QTest.mouseClick(pane(window).close_button, Qt.MouseButton.LeftButton)
    assert steps(window).dock.isHidden()
    assert not window.actions_by_id["lesson_pane"].isChecked()
    window.actions_by_id["lesson_pane"].trigger()
    assert pane(window).isVisible()


def test_links_lead_nowhere(window, monkeypatch):
    opened = []
    monkeypatch.setattr("PySide6.QtGui.QDesktopServices.openUrl", opened.append)
    text = pane(window).text
    text.anchorClicked.emit(QUrl("https://example.org"))
    assert text.source().isEmpty()
    assert opened == []
    assert text.loadResource(2, QUrl("file:///etc/hostname")) is None


def test_under_the_veil_nothing_tells_the_answer(window):
    window.comparison_page.bring()
    assert view(window).content.veil == 4.0
    assert header(window) == "?"
    assert "16" not in window.headers.active.accessibleName()
    assert "16" not in view(window).accessibleDescription()
    assert window.comparison.isHidden()
    assert window.axis.extent[1] == 20.0
    window.view_state.select_job("b")
    window.inspector.refresh()
    assert not any(
        "16" in cell for section in window.inspector.sections for cell in section.to_text().split()
    )
    window.why.player.to_end()
    assert window.view_state.time_cursor.seconds == 4.0
    assert window.why.time_bar.place.text() == "at 0:04"
    assert not window.actions_by_id["export_animation"].isEnabled()  # its captions know what comes
    QTest.mouseClick(pane(window).lift_button, Qt.MouseButton.LeftButton)
    assert view(window).content.veil == math.inf
    assert header(window) == "16 s"
    assert not window.comparison.isHidden()
    assert pane(window).lift_button.isHidden()
    window.comparison_page.shut()


def test_under_the_veil_a_drag_says_where_and_not_how_long(window):
    chart = view(window)
    row = chart.frame().row(0)
    start = QPoint(round(chart.frame().x(2.0)), (row[0] + row[1]) // 2)
    drag(chart, start, start.x() + 60, release=False)
    assert chart._drag.text().endswith(": ?")
    assert "16" not in chart._drag.text()
    chart.cancel_gesture()
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton)
    assert not window.actions_by_id["shared_scans"].isEnabled()
    steps(window).lift()
    assert window.actions_by_id["shared_scans"].isEnabled()


def test_under_the_veil_the_legend_tells_neither_the_queue_nor_what_is_to_come(window):
    legend = window.charts.legend
    assert legend.accessibleDescription() == "2 jobs: a, b. Signs: makespan, lower bound."
    jobs = window.document.workload
    queue = job_classes(jobs, ClassedBy.JOB, np.array([1, 0]))
    legend.show_jobs(["a", "b"], queue, is_veiled=True)
    assert legend.accessibleDescription().startswith("2 jobs: a, b.")
    legend.show_jobs(["a", "b"], queue)
    assert legend.accessibleDescription().startswith("2 jobs: b, a.")
    steps(window).lift()


def test_a_number_is_judged_and_the_score_is_kept(window, qtbot):
    question = pane(window).question
    assert not question.check_button.isEnabled()
    question.number.setFocus()
    QTest.keyClicks(question.number, "15")
    assert question.check_button.isEnabled(), "it can be checked with the mouse, too"
    QTest.keyClick(question.number, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not question.miss.isHidden())
    assert question.miss.text().startswith("✘ Not right: 15 s. ")
    assert question.miss.text().endswith(ONCE_MORE)
    assert header(window) == "?", "a first wrong answer shows nothing of what happens"
    assert question.verdict.isHidden()
    assert "16" not in question.miss.text()
    question.number.setValue(14)
    check(qtbot, window)
    assert question.verdict.text().startswith("✘ Not right: 14 s. 2 s")
    assert "So that is it." in question.reason.toPlainText()
    assert header(window) == "16 s"
    question.again_button.click()
    assert header(window) == "?"
    question.number.setValue(16)
    check(qtbot, window)
    assert question.verdict.text() == "✔ Right. Exactly. The makespan is 16 s."
    rows = [line.split(",") for line in scores_path().read_text().splitlines()]
    assert rows[0] == ["when", "lesson", "step", "question", "answer", "right", "tries", "seconds"]
    assert [row[1:7] for row in rows[1:]] == [
        ["Tiny", "1", "makespan", "15 s", "no", "1"],
        ["Tiny", "1", "makespan", "14 s", "no", "2"],
        ["Tiny", "1", "makespan", "16 s", "yes", "3"],
    ]


def test_a_click_on_a_job_is_an_answer_and_show_me_goes_there(window, qtbot):
    go(qtbot, window, 2)
    chart = view(window)
    frame = chart.frame()
    point = QPointF(frame.x(2.0), sum(frame.row(0)) / 2)
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point.toPoint())
    assert pane(window).question.list.answer == ("a", "a")
    check(qtbot, window)
    assert pane(window).question.verdict.text() == "✔ Right. a gets the next slot, at 0:04."
    window.view_state.select_job(None)
    pane(window).question.show_button.click()
    assert window.view_state.selected_job == "a"
    assert window.view_state.selected_task is not None


def test_a_click_on_a_slot_is_an_answer(window, qtbot):
    go(qtbot, window, 5)
    chart = view(window)
    frame = chart.frame().unveiled
    point = QPointF(frame.x(9.0), sum(frame.row(1)) / 2)
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point.toPoint())
    assert pane(window).question.list.answer == (1, "M2")
    check(qtbot, window)
    assert pane(window).question.verdict.text().startswith("✔ Right. M2 stands idle first, from 0:06 on.")


def test_a_guest_is_a_chart_to_look_at(window, qtbot):
    go(qtbot, window, 3)
    guest = window.charts.stack.guests[-1]
    assert (guest.title.text(), guest.makespan.text()) == ("Turned", "11 s")
    assert guest.view.axis is view(window).axis
    assert not guest.view.hands.order
    assert window.why.why_page.isVisible()
    question = pane(window).question
    question.list.setCurrentRow(1)
    check(qtbot, window)
    assert question.verdict.text().startswith("✔ Right.")
    go(qtbot, window, 4)
    assert not window.charts.stack.guests
    assert window.why.why_page.is_open is False


def test_the_order_in_the_chart_is_an_answer_and_stays_for_the_step(window, qtbot):
    go(qtbot, window, 4)
    question = pane(window).question
    check(qtbot, window)
    assert question.miss.text() == f"✘ Not right: a, b. {ONCE_MORE}", "the best order is not said"
    question.check_button.click()
    qtbot.waitUntil(lambda: not question.verdict.isHidden())
    assert question.verdict.text().startswith(
        "✘ Not right: a, b. Your order takes 16 s; the best order takes 11 s"
    )
    window.view_state.select_job("b")
    window.actions_by_id["earlier"].trigger()
    assert window.runner.wait_until_idle()
    question.again_button.click()
    check(qtbot, window)
    assert question.verdict.text().startswith("✔ Right.")
    go(qtbot, window, 5)
    assert not window.isWindowModified()
    go(qtbot, window, 4)
    assert header(window) == "11 s"
    assert window.editor.undo_stack.canUndo()
    window.editor.undo_stack.undo()
    assert window.runner.wait_until_idle()
    assert header(window) == "16 s"
    window.editor.undo_stack.redo()
    pane(window).restore_button.click()
    settle(qtbot, window)
    assert header(window) == "16 s"
    assert window.editor.undo_stack.count() == 0


def test_keys_and_the_list_of_steps_walk(window, qtbot):
    window.actions_by_id["next_step"].trigger()
    settle(qtbot, window)
    assert pane(window).title.text() == "Which job"
    assert window.axis.range.end == 10.0
    assert window.view_state.selected_job == "b"
    window.actions_by_id["previous_step"].trigger()
    settle(qtbot, window)
    assert pane(window).title.text() == "How long"
    assert not pane(window).back_button.isEnabled()
    pane(window).steps_menu.aboutToShow.emit()
    texts = [action.text() for action in pane(window).steps_menu.actions()]
    assert texts[2] == "3  A guest ?"
    pane(window).steps_menu.actions()[4].trigger()
    settle(qtbot, window)
    assert pane(window).place.text() == "Step 5 of 5"
    assert not pane(window).next_button.isEnabled()


def test_a_lesson_is_opened_by_dropping_it_and_ends_with_another_document(window, lesson_path, qtbot):
    window.lessons.close_lesson()
    assert not pane(window).isVisible()
    assert view(window).content.pointers == ()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(lesson_path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(window.files.opened):
        window.dropEvent(event)
    settle(qtbot, window)
    assert pane(window).isVisible()
    with qtbot.waitSignal(window.files.opened):
        window.files.open("two-jobs-order")
    assert not pane(window).isVisible()
    assert not window.view_state.veil.is_down


def test_a_session_remembers_the_lesson_and_its_step(window, lesson_path, qtbot, tmp_path):
    go(qtbot, window, 4)
    window.view_state.select_job("b")
    window.actions_by_id["earlier"].trigger()
    saved = tmp_path / "mine.slotscope"
    assert window.files._write(saved)
    with qtbot.waitSignal(window.files.opened):
        window.files.open("two-jobs-order")
    open_lesson(qtbot, window, saved)
    assert pane(window).title.text() == "Your order"
    assert header(window) == "11 s"
    pane(window).restore_button.click()
    settle(qtbot, window)
    assert header(window) == "16 s"


def test_a_lesson_that_is_gone_leaves_the_session_as_it_is(window, lesson_path, qtbot, tmp_path):
    saved = tmp_path / "mine.slotscope"
    assert window.files._write(saved)
    lesson_path.unlink()
    with qtbot.waitSignal(window.files.opened):
        window.files.open(saved)
    assert steps(window).walk is None
    assert window.document.workload.name == "tiny"


@pytest.mark.parametrize(
    "kept",
    [
        None,
        [],
        {"lesson": 3},
        {"lesson": {"source": 5, "step": 0}},
        {"lesson": {"source": "", "step": 0}},
        {"lesson": {"source": "", "step": 0, "document": 5}},
        {"lesson": {"source": "", "step": 99, "document": json.loads(lesson_text())}},
        {"lesson": {"source": "", "step": True, "document": json.loads(lesson_text())}},
    ],
)
def test_what_a_damaged_session_says_of_a_lesson_is_left(kept):
    assert remembered_lesson(kept) is None


def test_numbers_need_no_unit(qtbot, shown):
    box = shown(QuestionBox())
    box.show_question(MakespanQuestion(text="?"), [])
    assert not box.check_button.isEnabled()  # an empty field is no answer
    assert not box.number.text().strip()
    with qtbot.waitSignal(box.answered) as answered:
        box.number.setFocus()
        QTest.keyClicks(box.number, "12.5")
        QTest.keyClick(box.number, Qt.Key.Key_Return)
    assert answered.args == [12.5, "12.5 s"]


def test_a_killed_window_comes_back_to_its_step(window, qtbot, tmp_path):
    autosave = Autosave(window.editor, partial(about_window, window), tmp_path / "sessions")
    steps(window).step_changed.connect(autosave.note)
    go(qtbot, window, 4)
    window.view_state.select_job("b")
    window.actions_by_id["earlier"].trigger()
    go(qtbot, window, 2)
    autosave.flush()
    shutil.copytree(autosave.path, tmp_path / "killed" / "one")
    steps(window).step_changed.disconnect(autosave.note)
    autosave.close()
    (session,) = recoverable_sessions(tmp_path / "killed")
    assert session.title == "Tiny, step 2"
    with qtbot.waitSignal(window.files.opened):
        window.files.open("two-jobs-order")
    later = Autosave(window.editor, partial(about_window, window), tmp_path / "sessions")
    recovery = Recovery(window, later)
    recovery._open(session, session.restore())
    settle(qtbot, window)
    assert pane(window).title.text() == "Which job"
    assert view(window).content.veil == 4.0
    session.discard()
    later.close()
    recovery.deleteLater()


def test_a_killed_window_that_had_left_its_lesson_comes_back_without_it(window, qtbot, tmp_path):
    """Restoring once showed Johnson's lesson beside the charts of other jobs, which were opened later."""
    autosave = Autosave(window.editor, partial(about_window, window), tmp_path / "sessions")
    steps(window).step_changed.connect(autosave.note)
    open_lesson(qtbot, window, lesson_paths()["johnson-and-where-he-fails"])
    autosave.flush()
    with qtbot.waitSignal(window.files.opened):
        window.files.open("three-pools")
    assert window.runner.wait_until_idle(60_000)
    window.editor.edit_cluster(map_slots=7)
    autosave.flush()
    shutil.copytree(autosave.path, tmp_path / "killed" / "one")
    steps(window).step_changed.disconnect(autosave.note)
    autosave.close()
    window.editor.undo_stack.setClean()
    open_lesson(qtbot, window, lesson_paths()["waves"])  # what is restored comes upon another lesson
    (session,) = recoverable_sessions(tmp_path / "killed")
    later = Autosave(window.editor, partial(about_window, window), tmp_path / "sessions")
    recovery = Recovery(window, later)
    recovery._open(session, session.restore())
    assert window.document.workload.name == "Three pools"
    assert steps(window).walk is None
    assert not steps(window).dock.isVisible()
    assert not window.view_state.veil.is_down
    session.discard()
    later.close()
    recovery.deleteLater()
    window.editor.undo_stack.setClean()


def test_a_session_never_joins_a_lesson_to_other_charts(window, qtbot):
    """When another document is loaded, and so written anew by the autosave, the lesson has gone."""
    kept = []
    window.document.reset.connect(lambda: kept.append(window.lessons.values()))
    with qtbot.waitSignal(window.files.opened):
        window.files.open("three-pools")
    assert kept == [{}]


@pytest.mark.parametrize("presents", [False, True])
def test_the_pane_goes_with_the_document(window, qtbot, presents):
    presenter = window.lessons.presenter
    if presents:
        window.actions_by_id["present"].trigger()
        presenter.resize(900, 500)
        assert not presenter._places()[0].isEmpty()
    with qtbot.waitSignal(window.files.opened):
        window.files.open("three-pools")
    assert window.runner.wait_until_idle(60_000)
    assert not steps(window).dock.isVisible()
    assert steps(window).walk is None
    assert window.lessons.presented.texts() == ()
    if presents:
        assert presenter._places()[0].isEmpty()  # all of the width is the charts'
        assert [chart.pointers for chart in presenter.stage.charts] == [()] * len(presenter.stage.charts)
        assert not any(chart.is_veiled for chart in presenter.stage.charts)
        presenter.leave()


def test_waves_of_a_guest_are_told_apart_as_those_of_the_chart_above(window, qtbot):
    """Where the number of waves is asked for, every chart shows where they begin."""
    open_lesson(qtbot, window, lesson_paths()["waves"])
    for number, name in ((2, "A"), (5, "WordCount")):
        go(qtbot, window, number)
        (guest,) = window.charts.stack.guests.values()
        content = guest.view.content
        assert content.rows.schedule.workload.jobs[content.selected_job].name == name
        window.view_state.select_job(None)
        assert guest.view.content.selected_job == -1


def test_the_text_shows_that_it_has_the_keyboard(window, qtbot):
    text = pane(window).text
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    pane(window).next_button.setFocus()
    without = text.grab().toImage()
    text.setFocus(Qt.FocusReason.TabFocusReason)
    assert text.grab().toImage() != without
    pane(window).next_button.setFocus()
    assert text.grab().toImage() == without
