"""The menu *Author* for writing lessons: its actions, and which of them can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from PySide6.QtGui import QAction

    from explorer.lessons.lesson_walk import LessonWalk

SAVE = "Sa&ve the lesson"
WITHOUT_LESSON = ("new_lesson", "add_step")
"""Actions for which no lesson has to be open."""


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
