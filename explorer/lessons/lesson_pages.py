"""The steps of a lesson without a window: charts, text and answer, for slides and worksheets."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QPainter

from core.charts.schedule_rows import schedule_rows
from core.files.atomic import replace_file
from core.lessons.shown_step import shown_step
from core.lessons.solution import solution_of
from core.measures.job_classes import job_classes
from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.model.time_text import change_text
from explorer.document.time_axis import TimeRange
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.stage import ChartsStage
from explorer.lessons.lesson_text import literal
from explorer.lessons.step_reader import pointers_of, read_step, selected_in, step_markdown
from explorer.widgets.export import blank_image, png_of
from explorer.widgets.painted_text import paint_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from core.charts.schedule_rows import ScheduleRows
    from core.lessons.lesson import Lesson
    from core.lessons.step_view import ChartPlace
    from core.model.schedule import Schedule
    from explorer.gantt.stage import Style
    from explorer.lessons.step_reader import ReadStep
    from explorer.widgets.painted_text import PictureBelow
    from explorer.widgets.theme import Theme

TEXT_SHARE = 0.34
"""Of a slide's width, for the text."""
MAX_LETTERS = 60
"""Of a step's title, in the name of its slide."""


@dataclass(frozen=True)
class LessonPage:
    """A step with what is simulated for it.

    Attributes
    ----------
    number, count : which of how many steps it is, from 1
    read : the step, its text and its question with their figures
    rows : of every chart, the scenarios first
    answer : the right answer, what the simulator does and why, in Markdown; empty where nothing is asked
    """

    number: int
    count: int
    read: ReadStep
    rows: tuple[ScheduleRows, ...]
    answer: str

    @property
    def title(self) -> str:
        """What the step is called."""
        return self.read.simulated.shown.step.title

    @property
    def question(self) -> str:
        """The question with its choices, in Markdown; empty where there is none."""
        return "" if self.read.question is None else self.read.question.markdown

    @property
    def markdown(self) -> str:
        """The text of a slide beside the charts."""
        place = f"{self.number} of {self.count}"
        return step_markdown(place, self.title, self.read.text, self.read.question)

    @cached_property
    def charts(self) -> tuple[ChartContent, ...]:
        """The charts as the step shows them: with its marks, and its veil."""
        shown = self.read.simulated.shown
        first = self.rows[0].schedule
        return tuple(
            self._chart(place, rows, first) for place, rows in zip(shown.charts, self.rows, strict=True)
        )

    def _chart(self, place: ChartPlace, rows: ScheduleRows, first: Schedule) -> ChartContent:
        shown, schedule = self.read.simulated.shown, rows.schedule
        step, job = shown.step, shown.step.view.selected_job
        is_veiled = step.veil is not None and step.veil.hides(place)
        veil = step.veiled_from if is_veiled else None
        own = schedule if place.is_guest else first
        shows_change = place.number > 0 and not place.is_guest and not self._is_any_veiled
        return ChartContent(
            rows,
            title=shown.title(place),
            comparison=change_text(first.makespan, schedule.makespan) if shows_change else "",
            classes=job_classes(own.given, places=own.rank.astype(np.int64)),
            selected_job=selected_in(job, schedule, is_guest=place.is_guest),
            veil=math.inf if veil is None else veil,
            pointers=pointers_of(step.view.marks, place, schedule),
        )

    @property
    def _is_any_veiled(self) -> bool:
        return self.read.simulated.shown.step.veil is not None

    def stage(self, style: Style) -> ChartsStage:
        """Return the charts in a size, over the times that the step shows."""
        zoom = self.read.simulated.shown.step.view.zoom
        shown = None if zoom is None else TimeRange(zoom[0], zoom[1] - zoom[0])
        return ChartsStage(self.charts, style, shown)

    def paint_charts(self, painter: QPainter, style: Style, *, is_vector: bool = False) -> None:
        """Draw the charts, and the time cursor if the step has one, from the painter's corner on."""
        stage, cursor = self.stage(style), self.read.simulated.shown.step.view.cursor
        stage.paint(painter, is_vector)
        if cursor is not None:
            stage.paint_instant(painter, cursor[0], covers=False)

    def slide(self, style: Style, picture: PictureBelow | None = None) -> QImage:
        """Return the step as a picture: its text and question at the left, its charts at the right.

        What the step shows besides, as circles of shared scans, stands below the text.
        """
        style.check()
        width, height = style.size
        wide = round(width * TEXT_SHARE)
        image = blank_image(QSize(width, height), 1.0, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            paint_page(painter, QRect(0, 0, wide, height), style.theme, style.text, self.markdown, picture)
            painter.translate(wide, 0)
            self.paint_charts(painter, replace(style, size=(width - wide, height), heading=""))
        return image


def no_picture(_page: LessonPage, _theme: Theme) -> None:
    """Show that nothing stands below the text of a step."""


def write_slides(
    pages: Sequence[LessonPage],
    style: Style,
    folder: Path,
    picture_of: Callable[[LessonPage, Theme], PictureBelow | None] = no_picture,
) -> Iterator[Path]:
    """Write every step as a picture into a folder, which is made if need be; yield the files.

    `picture_of` returns what stands below the text of a step, or None.
    InputError where the folder cannot be made, or a file in it not be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: no folder can be made there: {error.strerror}") from error
    for page in pages:
        words = re.sub(r"[^\w]+", "-", page.title.lower()).strip("-")[:MAX_LETTERS].rstrip("-")
        path = folder / f"{page.number:02d}-{words or 'step'}.png"
        replace_file(path, png_of(page.slide(style, picture_of(page, style.theme))))
        yield path


def lesson_pages(
    lesson: Lesson,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> list[LessonPage]:
    """Simulate every step; raises what `LessonQuestion.judge` and `simulate` raise."""
    pages, count = [], len(lesson.steps)
    for number in range(count):
        progress(number / count)
        read = read_step(shown_step(lesson, number), no_progress, should_stop)
        shown = read.simulated.shown
        by_pool = shown.step.view.rows == "pool"
        rows = tuple(schedule_rows(read.simulated.schedule(place), by_pool) for place in shown.charts)
        pages.append(LessonPage(number + 1, count, read, rows, _answer(read)))
    return pages


def _answer(read: ReadStep) -> str:
    step = read.simulated
    question = step.shown.step.question
    if question is None:
        return ""
    solution = solution_of(question, step)
    why = literal(" ".join(solution.sentences))
    return "\n\n".join(filter(None, (f"**{literal(solution.text)}**", why, solution.verdict.after)))
