"""An author makes a lesson of views, edits its steps, saves it, and loses nothing unasked."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox

from core.lessons.lesson_document import read_lesson
from explorer.lessons.step_dialog import LessonDialog, StepDialog
from tests.explorer.lessons.conftest import TINY, go, lesson_text, open_lesson, settle


@pytest.fixture
def answers(monkeypatch):
    """Answers to questions, and the texts of those that were asked."""
    given: list[QMessageBox.StandardButton] = []
    asked: list[str] = []

    def answer(box):
        asked.append(box.text())
        box.deleteLater()
        return given.pop(0)

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return given, asked


def walk(window):
    return window.lessons.steps.walk


def dialog_of(kind):
    return next(
        each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()
    )


def accept(dialog):
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def save_to(window, path, monkeypatch):
    monkeypatch.setattr("explorer.window.lessons.lesson_writing.ask_where_to_save", lambda *_: path)
    window.actions_by_id["save_lesson"].trigger()


def test_views_become_a_lesson_that_shows_them_again(window, qtbot, tmp_path, monkeypatch):
    with qtbot.waitSignal(window.files.opened):
        window.files.open("two-jobs-order")
    assert window.runner.wait_until_idle()
    window.actions_by_id["add_step"].trigger()
    first = dialog_of(LessonDialog)
    first.name.setText("Mine")
    first.summary.setText("What I teach.")
    accept(first)
    settle(qtbot, window)
    window.view_state.select_job("J2")
    window.view_state.time_cursor.show_at(20.0)
    window.axis.show_span(5.0, 30.0)
    window.view_state.activate_scenario(window.document.scenarios[1].id)
    window.actions_by_id["add_step"].trigger()
    dialog = dialog_of(StepDialog)
    dialog.title.setText("The second")
    dialog.text.setPlainText("It takes {{makespan 0}}.")
    dialog.veil.setChecked(True)
    dialog.question.kind.setCurrentIndex(dialog.question.kind.findData("makespan"))
    dialog.question.text.setText("How long?")
    accept(dialog)
    settle(qtbot, window)
    assert window.lessons.steps.pane.place.text() == "Step 2 of 2"
    assert window.view_state.veil.is_down
    assert "It takes 42 s." in window.lessons.steps.pane.text.toPlainText()
    path = tmp_path / "mine"
    save_to(window, path, monkeypatch)
    saved = read_lesson(tmp_path / "mine.lesson.json")
    assert (saved.name, saved.summary, len(saved.steps)) == ("Mine", "What I teach.", 2)
    assert [(each.name, each.sample) for each in saved.workloads] == [("two-jobs-order", "two-jobs-order")]
    view = saved.steps[1].view
    assert (view.cursor, view.selected_job, view.zoom, view.active) == ((20.0, 0), "J2", (5.0, 30.0), 1)
    assert not walk(window).is_modified
    open_lesson(qtbot, window, tmp_path / "mine.lesson.json")
    go(qtbot, window, 2)
    assert window.axis.range.start == 5.0
    assert window.view_state.time_cursor.seconds == 20.0


def test_an_edited_workload_is_taken_into_the_lesson(window, qtbot):
    go(qtbot, window, 4)
    window.editor.edit_job(0, "map_count", 5)
    assert window.runner.wait_until_idle()
    window.actions_by_id["take_view"].trigger()
    settle(qtbot, window)
    assert [each.name for each in walk(window).lesson.workloads] == ["tiny", "tiny 2"]
    assert walk(window).step.view.workload == "tiny 2"
    assert not window.isWindowModified()


def test_texts_questions_and_places_of_steps_are_edited(window, qtbot):
    window.actions_by_id["edit_step"].trigger()
    dialog = dialog_of(StepDialog)
    assert dialog.question.kind.currentData() == "makespan"
    dialog.title.setText("Renamed")
    dialog.question.kind.setCurrentIndex(dialog.question.kind.findData("choice"))
    dialog.question.own["choice"]["choices"].widget.setPlainText("yes\nno\n")
    dialog.question.own["choice"]["right"].widget.setValue(2)
    dialog.question.own["choice"]["why"].widget.setText("Since it is so.")
    dialog.veil.setChecked(False)
    accept(dialog)
    settle(qtbot, window)
    question = window.lessons.steps.pane.question
    assert [question.list.item(i).text() for i in range(2)] == ["yes", "no"]
    assert not window.view_state.veil.is_down
    window.actions_by_id["step_later"].trigger()
    titles = [step.title for step in walk(window).lesson.steps]
    assert titles[:2] == ["Which job", "Renamed"]
    window.actions_by_id["delete_step"].trigger()
    assert [step.title for step in walk(window).lesson.steps][:2] == ["Which job", "A guest"]
    assert window.lessons.steps.pane.title.text() == "A guest"
    for title, names in (
        ("Renamed", titles),
        ("Renamed", ["Renamed", "Which job"]),
        ("How long", ["How long"]),
    ):
        window.actions_by_id["undo_lesson"].trigger()
        assert [step.title for step in walk(window).lesson.steps][: len(names)] == names
        assert window.lessons.steps.pane.title.text() == title
    assert not walk(window).is_modified


def test_a_lesson_is_renamed(window, qtbot):
    window.actions_by_id["rename_lesson"].trigger()
    dialog = dialog_of(LessonDialog)
    assert dialog.summary.text() == "All kinds."
    dialog.name.setText("Otherwise")
    accept(dialog)
    assert window.lessons.steps.pane.name.text() == "Otherwise *"


def test_what_leaves_the_step_as_it_is_leaves_its_question(window, qtbot, tmp_path, monkeypatch):
    pane = window.lessons.steps.pane
    with qtbot.waitSignal(window.lessons.steps.step_changed):  # what is kept for a killed window follows it
        walk(window).rename("Other", "")
    window.actions_by_id["step_later"].trigger()
    save_to(window, tmp_path / "mine.lesson.json", monkeypatch)
    assert (pane.name.text(), pane.place.text()) == ("Other", "Step 2 of 5")
    assert pane.back_button.isEnabled()
    assert not pane.question.isHidden()
    assert "It takes 16 s" in pane.text.toPlainText()


def test_the_text_is_shown_as_students_see_it(window, qtbot):
    window.actions_by_id["edit_step"].trigger()
    dialog = dialog_of(StepDialog)
    dialog.text.setPlainText("Some **bold** words and {{makespan 0}}")
    qtbot.waitUntil(lambda: dialog.preview.toPlainText() == "Some bold words and …")
    dialog.title.clear()
    assert not dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.reject()


def test_an_unsaved_lesson_is_asked_about(window, qtbot, answers, tmp_path, monkeypatch):
    given, asked = answers
    window.actions_by_id["step_later"].trigger()
    given.append(QMessageBox.StandardButton.Cancel)
    window.files.open("two-jobs-order")
    assert walk(window) is not None
    assert asked == ["Save the lesson “Tiny”?"]
    given.append(QMessageBox.StandardButton.Save)
    window.actions_by_id["close_lesson"].trigger()
    assert window.lessons.steps.walk is None
    assert [step.title for step in read_lesson(tmp_path / "tiny.lesson.json").steps][:1] == ["Which job"]


def test_a_step_that_breaks_rules_is_refused(window, qtbot):
    window.view_state.time_cursor.hide()
    window.actions_by_id["edit_step"].trigger()
    dialog = dialog_of(StepDialog)
    dialog.question.kind.setCurrentIndex(dialog.question.kind.findData("choice"))
    dialog.question.own["choice"]["choices"].widget.setPlainText("yes\nno")
    dialog.question.own["choice"]["right"].widget.setValue(3)
    with qtbot.waitSignal(window.lessons.failed) as failed:
        accept(dialog)
    assert "right" in str(failed.args[0])
    assert walk(window).step.question.kind == "makespan"


def test_a_lesson_saved_elsewhere_keeps_the_workloads_of_its_files(window, qtbot, tmp_path, monkeypatch):
    (tmp_path / "jobs.workload.json").write_text(json.dumps(TINY))
    document = json.loads(lesson_text()) | {"workloads": {"tiny": {"file": "jobs.workload.json"}}}
    (tmp_path / "tiny.lesson.json").write_text(json.dumps(document))
    open_lesson(qtbot, window, tmp_path / "tiny.lesson.json")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr("explorer.window.lessons.lesson_writing.ask_where_to_save", lambda *_: other / "x")
    window.actions_by_id["save_lesson_as"].trigger()
    (known,) = read_lesson(other / "x.lesson.json").workloads
    assert (known.file, known.workload) == ("", window.document.workload)
    window.actions_by_id["step_later"].trigger()
    window.actions_by_id["save_lesson"].trigger()
    assert read_lesson(other / "x.lesson.json").steps[0].title == "Which job"
