"""An author makes a lesson of views, edits its steps, saves it, and loses nothing unasked."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMenu, QMessageBox

from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import read_lesson
from core.lessons.step_view import ChartPlace, StepVeil
from explorer.lessons.lesson_dialog import LessonDialog
from explorer.lessons.step_editor import CHECKING, VeilForm
from explorer.window.lessons.lesson_writing import IS_REFUSED
from explorer.window.search.entries import search_entries
from explorer.window.window_menus import AUTHOR
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


@pytest.fixture(autouse=True)
def _authors(window):
    writing = window.lessons.writing
    if not writing.is_on:
        window.actions_by_id["write_lessons"].trigger()
    yield
    writing.editor.clear()
    if writing.is_on:
        window.actions_by_id["write_lessons"].trigger()


def walk(window):
    return window.lessons.steps.walk


def editor_of(window):
    return window.lessons.writing.editor


def as_students_see_it(qtbot, window):
    window.actions_by_id["student_view"].trigger()
    settle(qtbot, window)


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
    settle(qtbot, window)
    editor = editor_of(window)
    assert editor.isVisible()
    QTest.keyClicks(editor.title, "The second")  # the title of before is selected
    editor.text.setPlainText("It takes {{makespan 0}}.")
    qtbot.waitUntil(lambda: editor.preview.toPlainText() == "It takes 42 s.")
    editor.veil.is_down.setChecked(True)
    editor.question.kind.setCurrentIndex(editor.question.kind.findData("makespan"))
    editor.question.text.setText("How long?")
    as_students_see_it(qtbot, window)
    assert not editor.isVisible()
    assert walk(window).step.title == "The second"
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
    editor = editor_of(window)
    assert editor.question.kind.currentData() == "makespan"
    editor.title.setText("Renamed")
    editor.question.kind.setCurrentIndex(editor.question.kind.findData("choice"))
    editor.question.own["choice"]["choices"].widget.setPlainText("yes\nno\n")
    editor.question.own["choice"]["right"].widget.setValue(2)
    editor.question.own["choice"]["why"].widget.setText("Since it is so.")
    editor.veil.is_down.setChecked(False)
    as_students_see_it(qtbot, window)
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


def test_figures_are_shown_as_their_values(window, qtbot):
    editor = editor_of(window)
    editor.text.setPlainText("Some **bold** words and {{makespan 0}}")
    qtbot.waitUntil(lambda: editor.preview.toPlainText() == "Some bold words and 16 s")
    assert walk(window).step.text == "Some **bold** words and {{makespan 0}}"


def test_what_is_typed_into_a_step_is_one_change(window, qtbot):
    editor, before = editor_of(window), walk(window).lesson
    for text in ("One", "One two", "One two three"):
        editor.text.setPlainText(text)
        editor.take()
    assert walk(window).step.text == "One two three"
    window.actions_by_id["undo_lesson"].trigger()
    settle(qtbot, window)
    assert walk(window).lesson is before
    assert editor.text.toPlainText() == before.steps[0].text
    window.actions_by_id["redo_lesson"].trigger()
    assert walk(window).step.text == "One two three"


def test_what_is_wrong_is_said_beside_the_charts(window, qtbot):
    """A figure that is none, then one that gives away what the question asks for."""
    editor = editor_of(window)
    qtbot.waitUntil(lambda: editor.standing.text() != CHECKING)
    editor.text.setPlainText("It takes {{makespam 0}}.")
    qtbot.waitUntil(lambda: any("makespam" in sentence for sentence in problems_of(editor)))
    editor.text.setPlainText("It takes {{makespan 0}}.")
    qtbot.waitUntil(lambda: any("of a chart that is veiled" in sentence for sentence in problems_of(editor)))
    checked = [
        (step.number, problem.sentence)
        for step in check_lesson(walk(window).lesson)
        for problem in step.problems
    ]
    assert problems_of(editor) == [f"Step {number + 1}: {problem}" for number, problem in checked]


def test_a_problem_leads_to_its_step(window, qtbot):
    editor = editor_of(window)
    window.lessons.steps.show_step(1)
    settle(qtbot, window)
    editor.text.setPlainText("{{nonsense}}")
    qtbot.waitUntil(lambda: any("nonsense" in sentence for sentence in problems_of(editor)))
    window.lessons.steps.show_step(0)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: any("nonsense" in sentence for sentence in problems_of(editor)))
    place = next(i for i, sentence in enumerate(problems_of(editor)) if "nonsense" in sentence)
    box = editor.problems.visualItemRect(editor.problems.item(place))
    QTest.mouseClick(editor.problems.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    assert walk(window).number == 1
    assert window.focusWidget() is editor.text


def click_problem(editor, words):
    place = next(i for i, sentence in enumerate(problems_of(editor)) if words in sentence)
    box = editor.problems.visualItemRect(editor.problems.item(place))
    QTest.mouseClick(editor.problems.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


def test_a_problem_leads_to_its_field(window, qtbot):
    go(qtbot, window, 2)
    editor = editor_of(window)
    editor.title.setText(" ")
    editor.hands_on.setPlainText("{{nonsense}}")
    editor.question.hint.setText("{{folly}}")
    wanted = {"no title": editor.title, "nonsense": editor.hands_on, "folly": editor.question.text}
    qtbot.waitUntil(lambda: all(any(w in p for p in problems_of(editor)) for w in wanted))
    for words, field in wanted.items():
        click_problem(editor, words)
        assert window.focusWidget() is field, words
    editor.veil.begin.setCurrentIndex(1)
    editor.veil.seconds.setValue(1000.0)
    qtbot.waitUntil(lambda: any("the veil begins" in sentence for sentence in problems_of(editor)))
    click_problem(editor, "the veil begins")
    assert window.focusWidget() is editor.veil.is_down


def test_each_field_that_was_typed_into_is_taken_back_by_itself(window, qtbot):
    editor, before = editor_of(window), walk(window).step
    undo = window.actions_by_id["undo_lesson"]
    assert not undo.isEnabled()
    for text in ("A", "A title"):
        editor.title.setText(text)
        editor.take()
    editor.text.setPlainText("A text.")
    editor.take()
    undo.trigger()
    settle(qtbot, window)
    assert (walk(window).step.title, walk(window).step.text) == ("A title", before.text)
    undo.trigger()
    settle(qtbot, window)
    assert walk(window).step == before
    assert not undo.isEnabled()
    assert window.actions_by_id["redo_lesson"].isEnabled()


def test_only_what_can_be_done_to_the_lesson_is_offered(window, qtbot):
    def offered(*names):
        return [name for name in names if window.actions_by_id[name].isEnabled()]

    ways = ("next_step", "previous_step", "restore_step", "lift_veil", "close_lesson")
    own = ("new_lesson", "add_step", "edit_step", "save_lesson", "step_earlier", "step_later", "delete_step")
    as_students_see_it(qtbot, window)
    assert offered(*ways) == ["next_step", "restore_step", "lift_veil", "close_lesson"]
    assert offered(*own) == [name for name in own if name != "step_earlier"]
    window.actions_by_id["lift_veil"].trigger()
    go(qtbot, window, 5)
    assert offered("next_step", "previous_step", "step_earlier", "step_later") == [
        "previous_step",
        "step_earlier",
    ]
    window.lessons.steps.leave()
    assert offered(*ways) == []
    assert offered(*own) == ["new_lesson", "add_step"]


def problems_of(editor):
    return [editor.problems.item(i).text() for i in range(editor.problems.count())]


def test_without_the_mode_nothing_of_it_is_there(window, qtbot):
    own = ("new_lesson", "add_step", "edit_step", "save_lesson", "undo_lesson", "student_view")
    menu = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == AUTHOR)
    assert menu.menuAction().isVisible()
    assert editor_of(window).isVisible()
    window.actions_by_id["write_lessons"].trigger()
    settle(qtbot, window)
    assert not menu.menuAction().isVisible()
    assert not editor_of(window).isVisible()
    assert not any(window.actions_by_id[name].isVisible() for name in own)
    assert window.view_state.veil.is_down
    found = [choice.name for choice in search_entries(window)]
    assert "Add this view as a step" not in found
    before = walk(window).lesson
    QTest.keyClick(
        window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert walk(window).lesson is before


def test_a_step_is_doubled_and_the_veil_hides_some_charts(window, qtbot):
    window.actions_by_id["duplicate_step"].trigger()
    settle(qtbot, window)
    assert [step.title for step in walk(window).lesson.steps][:2] == ["How long", "How long (2)"]
    assert walk(window).number == 1
    form = VeilForm(StepVeil(3.0, None), ("FIFO", "SJF"))
    qtbot.addWidget(form)
    assert form.value == StepVeil(3.0, None)
    form.charts[0].setChecked(False)
    assert form.value == StepVeil(3.0, (ChartPlace(1),))
    form.begin.setCurrentIndex(0)
    assert form.value == StepVeil(None, (ChartPlace(1),))
    form.is_down.setChecked(False)
    assert form.value is None


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


def test_a_step_that_breaks_rules_is_not_taken_over(window, qtbot):
    editor = editor_of(window)
    editor.question.kind.setCurrentIndex(editor.question.kind.findData("choice"))
    choices, right = (editor.question.own["choice"][key].widget for key in ("choices", "right"))
    choices.setPlainText("yes")
    editor.take()
    (sentence,) = problems_of(editor)
    assert sentence.startswith("Step 1: ")
    assert "steps[" not in sentence
    assert walk(window).step.question.kind == "makespan"
    choices.setPlainText("yes\nno")
    right.setValue(3)
    assert right.value() == 2  # there is no third one
    editor.take()
    assert walk(window).step.question.kind == "choice"


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


def test_the_last_letters_stay_with_their_step(window, qtbot):
    editor = editor_of(window)
    editor.text.setPlainText("Typed at the last moment")
    window.actions_by_id["next_step"].trigger()
    settle(qtbot, window)
    assert walk(window).number == 1
    assert walk(window).lesson.steps[0].text == "Typed at the last moment"


def break_rule(window):
    """Enter a choice of one answer."""
    editor = editor_of(window)
    editor.question.kind.setCurrentIndex(editor.question.kind.findData("choice"))
    editor.question.own["choice"]["choices"].widget.setPlainText("yes")


@pytest.mark.parametrize("action", ["next_step", "step_later", "add_step", "duplicate_step", "student_view"])
def test_what_breaks_a_rule_is_not_lost_without_a_word(window, qtbot, action):
    editor, before, told = editor_of(window), walk(window).lesson, []
    window.lessons.writing.failed.connect(told.append)
    break_rule(window)
    window.actions_by_id[action].trigger()
    settle(qtbot, window)
    assert [str(error) for error in told] == [IS_REFUSED]
    assert (walk(window).number, walk(window).lesson) == (0, before)
    assert editor.isVisible()
    assert editor.question.own["choice"]["choices"].widget.toPlainText() == "yes"


def test_what_breaks_a_rule_is_neither_saved_nor_left_unasked(window, qtbot, answers, tmp_path):
    given, asked = answers
    before = (tmp_path / "tiny.lesson.json").read_bytes()
    break_rule(window)
    window.actions_by_id["save_lesson"].trigger()
    assert (tmp_path / "tiny.lesson.json").read_bytes() == before
    window.actions_by_id["write_lessons"].trigger()
    assert window.lessons.writing.is_on
    assert window.actions_by_id["write_lessons"].isChecked()
    given.append(QMessageBox.StandardButton.Save)
    window.actions_by_id["close_lesson"].trigger()
    assert asked == ["Save the lesson “Tiny”?"]
    assert walk(window) is not None
    given.append(QMessageBox.StandardButton.Discard)
    window.actions_by_id["close_lesson"].trigger()
    assert walk(window) is None


def test_a_rule_that_is_kept_again_is_no_problem_any_more(window, qtbot):
    editor, before = editor_of(window), walk(window).lesson
    kind = editor.question.kind.currentIndex()
    break_rule(window)
    editor.take()
    assert any("2 to 9 answers" in sentence for sentence in problems_of(editor))
    editor.question.kind.setCurrentIndex(kind)
    qtbot.waitUntil(lambda: not any("2 to 9 answers" in sentence for sentence in problems_of(editor)))
    assert walk(window).lesson is before
    assert not walk(window).is_modified


def test_a_veil_from_the_cursor_gets_its_cursor_with_the_view(window, qtbot):
    go(qtbot, window, 4)
    editor = editor_of(window)
    editor.veil.is_down.setChecked(True)
    editor.take()
    assert any("the view has none" in sentence for sentence in problems_of(editor))
    assert walk(window).step.veil is None
    window.view_state.time_cursor.show_at(4.0)
    window.actions_by_id["take_view"].trigger()
    settle(qtbot, window)
    assert walk(window).step.veil == StepVeil()
    assert walk(window).step.view.cursor == (4.0, 0)
    assert editor.veil.is_down.isChecked()
    window.actions_by_id["next_step"].trigger()
    settle(qtbot, window)
    assert walk(window).number == 4
