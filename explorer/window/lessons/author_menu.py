"""The menu *Author* for writing lessons: its actions, and which of them can be done now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from explorer.window.window_menus import AUTHOR, SEPARATOR, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from PySide6.QtGui import QAction

    from explorer.lessons.lesson_walk import LessonWalk
    from explorer.window.lessons.lesson_writing import LessonWriting

SAVE = "Sa&ve the lesson"
WITHOUT_LESSON = ("new_lesson", "add_step")
"""Actions for which no lesson has to be open."""


def author_specs(writing: LessonWriting) -> tuple[ActionSpec, ...]:
    """Return the actions of the author's menu."""
    author = partial(ActionSpec, AUTHOR)
    # fmt: off
    return (
        author("new_lesson", "&New lesson…", "", writing.ask_for_new,
            "Begin a lesson of your own with this view as its first step"),
        author("rename_lesson", "Na&me of the lesson…", "", writing.ask_for_name,
            "Change what the lesson is called, and what one learns"),
        author("save_lesson", SAVE, "", writing.save, "Write the lesson to its file"),
        author("save_lesson_as", "Save the lesson as…", "", writing.save_as,
            "Write the lesson to another file"),
        author(SEPARATOR),
        author("edit_step", "&Write the step", "", writing.show_editor,
            "Show title, texts, veil and question of the step beside its charts, and what is wrong"),
        author("student_view", "As &students see it", "Ctrl+Shift+Q", writing.show_students,
            "Show the step with its question and veil, as a student opens it"),
        author("take_view", "&Let the step show this view", "", writing.take_view,
            "Replace what the step shows by these charts, this time, selection and zoom"),
        author(SEPARATOR),
        author("add_step", "&Add this view as a step", "Ctrl+Shift+A", writing.add_step,
            "Put a step with these charts, this time, selection and zoom behind the step that is shown"),
        author("duplicate_step", "Du&plicate the step", "", writing.duplicate,
            "Put the same step once more behind the one that is shown"),
        author("step_earlier", "Move the step &up", "", lambda: writing.move(-1),
            "Put the step that is shown before the one before it"),
        author("step_later", "Move the step &down", "", lambda: writing.move(1),
            "Put the step that is shown behind the one after it"),
        author("delete_step", "Delete the s&tep", "", writing.delete,
            "Take the step that is shown out of the lesson"),
        author(SEPARATOR),
        author("undo_lesson", "Ta&ke back the last change", "", writing.undo,
            "Have the lesson as it was before: a step, its texts, or its place"),
        author("redo_lesson", "Make it a&gain", "", writing.redo,
            "Make the change of the lesson that was taken back last again"),
    )
    # fmt: on


def offer(
    actions: Mapping[str, QAction], own: Iterable[QAction], walk: LessonWalk | None, *, is_refused: bool
) -> None:
    """Enable what can be done to the lesson that is open.

    Parameters
    ----------
    actions, own : all of the window by their names, and those of this menu
    walk : the lesson that is open, or None
    is_refused : whether what is entered breaks a rule, so that it can be taken back
    """
    for action in own:
        action.setEnabled(walk is not None or action.objectName() in WITHOUT_LESSON)
    if walk is not None:
        last = len(walk.lesson.steps) - 1
        can = {
            "undo_lesson": walk.can_undo or is_refused,
            "redo_lesson": walk.can_redo,
            "step_earlier": walk.number > 0,
            "step_later": walk.number < last,
            "delete_step": last > 0,
        }
        for name, is_possible in can.items():
            actions[name].setEnabled(is_possible)
