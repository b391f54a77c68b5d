"""Scores: every answer that was checked, one line each, in a table on this machine and nowhere else."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from core.files.atomic import replace_file
from core.files.private_files import make_private_file, make_private_folder
from core.model.cell_text import table_text, text_of
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

COLUMNS = ("when", "lesson", "step", "question", "answer", "right", "tries", "seconds")


@dataclass(frozen=True)
class Score:
    """One answer of a student.

    Attributes
    ----------
    lesson, step, question : what was answered; steps are numbered from 1
    answer, is_right : what was said
    tries : how many answers were checked in this step by then
    seconds : how long the step was shown by then
    when : local time
    """

    lesson: str
    step: int
    question: str
    answer: str
    is_right: bool
    tries: int
    seconds: float
    when: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M:%S"))


def scores_path() -> Path:
    """Return the file of all scores, in the application's state."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    return Path(folder) / "scores.csv"


def add_score(score: Score) -> None:
    """Add an answer; InputError if it cannot be written."""
    path = scores_path()
    try:
        make_private_folder(path.parent)
        make_private_file(path)
        is_new = not path.exists() or path.stat().st_size == 0
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(table_text([COLUMNS] if is_new else []) + table_text([_row(score)]))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the score cannot be kept in '{path}': {reason}") from error


def read_scores() -> tuple[Score, ...]:
    """Return all scores, the oldest first; lines that are none are left out.

    InputError if they cannot be read.
    """
    try:
        text = scores_path().read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unreadable(error) from error
    rows = ([text_of(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline="")))
    return tuple(score for row in rows if (score := _score(row)) is not None)


def clear_scores() -> None:
    """Forget all scores; InputError if they cannot be removed."""
    try:
        scores_path().unlink(missing_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the scores in '{scores_path()}' cannot be cleared: {reason}") from error


def right_steps(scores: Iterable[Score]) -> dict[str, frozenset[int]]:
    """Return which steps of each lesson were answered rightly, from 1, by the name of the lesson."""
    found: dict[str, set[int]] = {}
    for score in scores:
        if score.is_right:
            found.setdefault(score.lesson, set()).add(score.step)
    return {lesson: frozenset(steps) for lesson, steps in found.items()}


def _score(row: list[str]) -> Score | None:
    """Return the score of a line; None if it is none."""
    if len(row) != len(COLUMNS):
        return None
    when, lesson, step, question, answer, right, tries, seconds = row
    try:
        return Score(lesson, int(step), question, answer, right == "yes", int(tries), float(seconds), when)
    except ValueError:
        return None


def _unreadable(error: OSError) -> InputError:
    reason = (error.strerror or str(error)).lower()
    return InputError(f"the scores in '{scores_path()}' cannot be read: {reason}")


def _row(score: Score) -> tuple[object, ...]:
    right = "yes" if score.is_right else "no"
    known = (score.when, score.lesson, score.step, score.question, score.answer)
    return (*known, right, score.tries, f"{score.seconds:.0f}")


def export_scores(path: Path) -> None:
    """Copy all scores into a file; InputError if there are none, or it cannot be written."""
    try:
        data = scores_path().read_bytes()
    except FileNotFoundError as error:
        raise InputError("there are no scores yet; answer a question of a lesson first") from error
    except OSError as error:
        raise _unreadable(error) from error
    replace_file(path, data)
