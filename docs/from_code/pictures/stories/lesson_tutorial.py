"""The tutorial for teachers: a lesson from its first question to a step of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from docs.from_code.pictures.story import Step, Story
from explorer.lessons.lesson_gallery import LessonGallery
from explorer.lessons.step_editor import CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage

ANSWER = 42
"""What the class works out on paper, in seconds."""
TEXT = "J1 has maps of 20 s, J2 of 2 s; there are slots for one of them. **Who should go first?**"
"""What a step of one's own says."""
ROOM = (1280, 860)
"""Pixels of the screen that a class looks at."""


def _gallery(stage: Stage) -> None:
    stage.choose("lessons")


def _take(stage: Stage) -> None:
    gallery = stage.dialog()
    assert isinstance(gallery, LessonGallery)
    stage.open_by(lambda: stage.click(gallery.open_button), "the lesson")
    _wait_for_question(stage)


def _wait_for_question(stage: Stage) -> None:
    pane = stage.window.lessons.steps.pane
    stage.wait_until(pane.question.isVisible, "the question of the step")


def _go_on(stage: Stage) -> None:
    """Go to the next step."""
    pane = stage.window.lessons.steps.pane
    before = pane.title.text()
    stage.choose("next_step")
    stage.wait_until(lambda: pane.title.text() != before, "the next step")
    _wait_for_question(stage)


def _predict(stage: Stage) -> None:
    """Go to the question for the makespan and answer it."""
    _go_on(stage)
    box = stage.window.lessons.steps.pane.question
    stage.write(box.number, str(ANSWER))
    stage.press(Qt.Key.Key_Return, on=box.number)
    stage.wait_until(box.verdict.text, "the verdict")


def _reorder(stage: Stage) -> None:
    """Go to the step in which the order is changed, and drag J2 before J1."""
    _go_on(stage)
    _go_on(stage)
    stage.drag_job("J2", 1.0, drop=True)
    stage.wait_until(lambda: len(stage.window.document.scenarios) > 1, "the order made by hand")
    stage.wait_until(lambda: stage.is_simulated(1), "its schedule")
    box = stage.window.lessons.steps.pane.question
    stage.click(box.check_button)
    stage.wait_until(box.verdict.text, "the verdict")


def _be_scheduler(stage: Stage) -> None:
    stage.choose("close_lesson")
    stage.let_go()
    stage.open("two-jobs-order")
    stage.choose("be_scheduler")
    stage.wait_until(lambda: stage.window.lessons.hand is not None, "the window of the game")
    stage.press(Qt.Key.Key_2, on=stage.window.lessons.hand)


def _hand(stage: Stage) -> QWidget:
    hand = stage.window.lessons.hand
    assert hand is not None
    return hand


def _present(stage: Stage) -> None:
    _hand(stage).close()
    stage.settle()
    stage.choose("present")
    presenter = stage.window.lessons.presenter
    presenter.resize(*ROOM)
    for _ in range(4):
        stage.press(Qt.Key.Key_Right, on=presenter)
    for _ in range(4):
        stage.let_think()  # until the keys are not told any more


def _write_step(stage: Stage) -> None:
    stage.window.lessons.presenter.leave()
    stage.settle()
    stage.choose("write_lessons")
    stage.window.lessons.writing.begin("My first lesson", "Who goes first?", "J1 first")
    stage.settle()
    stage.choose("add_step")
    editor = stage.window.lessons.writing.editor
    stage.write(editor.title, "Who goes first?")
    stage.write(editor.text, TEXT)
    stage.let_think()
    stage.wait_until(lambda: editor.standing.text() != CHECKING, "the check of the lesson")


LESSON = Story(
    "tutorials/a-lesson-in-ten-minutes.md",
    "two-jobs-order",
    (
        Step("lesson-1-choose", _gallery, shows=lambda stage: stage.dialog()),
        Step(
            "lesson-2-veil",
            _take,
            numbered=(
                lambda stage: stage.window.lessons.steps.pane.text,
                lambda stage: stage.window.lessons.steps.pane.question,
                lambda stage: stage.view(0),
                lambda stage: stage.window.lessons.steps.pane.next_button,
            ),
        ),
        Step("lesson-3-predict", _predict, figures=lambda stage: (stage.makespan(0),)),
        Step("lesson-4-reorder", _reorder, figures=lambda stage: (stage.makespan(1),)),
        Step("lesson-5-be-the-scheduler", _be_scheduler, shows=_hand),
        Step("lesson-6-present", _present, shows=lambda stage: stage.window.lessons.presenter),
        Step("lesson-7-write", _write_step),
    ),
    size=(1280, 720),
)
