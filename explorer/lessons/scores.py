"""Scores: every answer that was checked, one line each, in a table on this machine and nowhere else."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from core.files.atomic import replace_file
from core.files.private_files import make_private_file, make_private_folder
from core.model.cell_text import cell_of
from core.model.errors import InputError

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
            file.write(_lines([COLUMNS] if is_new else []) + _lines([_row(score)]))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the score cannot be kept in '{path}': {reason}") from error


def _row(score: Score) -> tuple[object, ...]:
    right = "yes" if score.is_right else "no"
    known = (score.when, score.lesson, score.step, score.question, score.answer)
    return (*known, right, score.tries, f"{score.seconds:.0f}")


def _lines(rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([cell_of(str(cell)) for cell in row] for row in rows)
    return text.getvalue()


def export_scores(path: Path) -> None:
    """Copy all scores into a file; InputError if there are none, or it cannot be written."""
    try:
        data = scores_path().read_bytes()
    except FileNotFoundError as error:
        raise InputError("there are no scores yet; answer a question of a lesson first") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the scores in '{scores_path()}' cannot be read: {reason}") from error
    replace_file(path, data)
