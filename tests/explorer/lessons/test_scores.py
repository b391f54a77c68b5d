"""Own scores: read, shown, copied, cleared; ticks in the list of lessons; the lesson after the last step."""

from __future__ import annotations

import csv

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from core.model.errors import InputError
from explorer.lessons.lesson_gallery import LessonGallery, lesson_after, lesson_heads
from explorer.lessons.scores import (
    COLUMNS,
    Score,
    add_score,
    clear_scores,
    export_scores,
    read_scores,
    right_steps,
    scores_path,
)
from explorer.lessons.scores_dialog import ScoresDialog
from tests.explorer.lessons.conftest import leave_all, open_lesson

FIRST = lesson_heads()[0]
KEPT = (
    Score(FIRST.name, 1, "makespan", '42 s, "I think"', True, 1, 12.0, "2026-11-28 07:00:00"),
    Score(FIRST.name, 2, "order", "=J2, J1", False, 2, 70.0, "2026-11-28 07:01:00"),
)


@pytest.fixture(autouse=True)
def kept():
    clear_scores()
    for score in KEPT:
        add_score(score)
    yield
    clear_scores()


def test_scores_are_read_as_they_were_written_and_strange_lines_are_left_out() -> None:
    assert read_scores() == KEPT
    with scores_path().open("a", encoding="utf-8") as file:
        file.write("what,is,this\r\n1,2,three,4,5,6,7,8\r\n")
    assert read_scores() == KEPT
    assert right_steps(read_scores()) == {FIRST.name: {1}}
    clear_scores()
    clear_scores()
    assert read_scores() == ()
    with pytest.raises(InputError, match="there are no scores yet"):
        export_scores(scores_path().with_name("copy.csv"))


def test_a_file_that_cannot_be_read_gets_a_sentence() -> None:
    clear_scores()
    scores_path().mkdir()
    try:
        for what in (read_scores, clear_scores):
            with pytest.raises(InputError, match="the scores in"):
                what()
    finally:
        scores_path().rmdir()


def test_scores_are_shown_copied_and_cleared(qtbot) -> None:
    dialog, notes = ScoresDialog(), []
    qtbot.addWidget(dialog)
    dialog.reported.connect(notes.append)
    dialog.show_scores()
    assert dialog.summary.text() == "1 of 2 answers were right."
    assert dialog._model.texts(0)[1:6] == (FIRST.name, "2", "order", "=J2, J1", "no"), "the last one first"
    dialog.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [len(line.split("\t")) for line in lines] == [len(COLUMNS)] * 3
    assert "'=J2, J1" in lines[1], "no formula for a spreadsheet"
    dialog.ask_to_clear()
    box = dialog.findChild(QMessageBox)
    next(button for button in box.buttons() if button.text() == "C&lear").click()
    assert read_scores() == ()
    assert not dialog.clear_button.isEnabled()
    assert notes == ["The scores are on the clipboard", "All scores are cleared"]
    dialog.reject()


def test_scores_are_exported_by_the_window(qtbot, tmp_path, monkeypatch) -> None:
    path = tmp_path / "mine.csv"
    monkeypatch.setattr("explorer.lessons.scores_dialog.ask_where_to_save", lambda *_: path)
    dialog = ScoresDialog()
    qtbot.addWidget(dialog)
    dialog.show_scores()
    dialog.export_button.click()
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["right"] for row in rows] == ["yes", "no"]


def test_the_list_of_lessons_says_what_is_done(qtbot) -> None:
    def shown() -> list[str]:
        gallery = LessonGallery()
        texts = [row.text for row in gallery.model.rows]
        gallery.deleteLater()
        return texts

    assert shown()[0].endswith(f". part done, 1 of {FIRST.questions} questions")
    assert "done" not in shown()[1]
    for step in FIRST.asking:
        add_score(Score(FIRST.name, step, "makespan", "", True, 1, 1.0))
    assert shown()[0].endswith(". ✔ done")


def test_the_last_step_offers_the_lesson_after_this_one(qtbot, window_of_module) -> None:
    window, opened = window_of_module, []
    open_lesson(qtbot, window, FIRST.path)
    pane, steps = window.lessons.steps.pane, window.lessons.steps
    assert pane.lesson_button.isHidden()
    steps.show_step(FIRST.steps - 1)
    second = lesson_heads()[1]
    assert pane.lesson_button.text() == f"Next lesson: {second.name} ▸"
    assert pane.end_words.text() == f"0 of {FIRST.questions} questions answered rightly."
    pane.lesson_wanted.connect(opened.append)
    pane.lesson_button.click()
    assert opened == [str(second.path)]
    qtbot.waitUntil(lambda: steps.walk is not None and steps.walk.lesson.name == second.name)
    assert pane.place.text() == f"Step 1 of {second.steps}"
    leave_all(window)


def test_no_lesson_comes_after_the_last_one_or_after_a_file_of_ones_own(tmp_path) -> None:
    assert lesson_after(str(lesson_heads()[-1].path)) is None
    assert lesson_after(str(tmp_path / "mine.lesson.json")) is None
    assert lesson_after("") is None
