"""The handouts of a lesson: slides, a worksheet, a page, and one file for students; made in the window."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QSize, Qt, QTimer
from PySide6.QtWidgets import QFileDialog
from typing_extensions import override

from core.files.atomic import replace_file
from core.lessons.lesson import packed
from core.lessons.lesson_writing import write_lesson
from core.model.errors import Cancelled, InputError, SlotscopeError
from explorer.gantt.stage import Style
from explorer.scans.circle_chart import CircleChart
from explorer.widgets.progress import ProgressDialog
from explorer.widgets.save_dialog import LAST_FOLDER, ask_where_to_save
from explorer.widgets.theme import application_palette, theme
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.lessons.lesson_steps import NO_LESSON
from explorer.window.lessons.step_stage import step_story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QMainWindow

    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage
    from explorer.lessons.lesson_web_page import WebStep
    from explorer.widgets.theme import Theme
    from explorer.widgets.worker import Call
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.lessons.lesson_steps import LessonSteps
    from explorer.window.window_menus import ActionSpec

SLIDE, SLIDE_TEXT = (1920, 1080), 1.6
CIRCLES = QSize(300, 190)
WORKSHEET_FILTER = "PDF document (*.pdf)"
PAGE_FILTER = "Page (*.html)"
LESSON_FILTER = "Slotscope lesson (*.lesson.json)"


def circles_of(page: LessonPage, colours: Theme) -> CircleChart | None:
    """Return the circles of shared scans that a step shows, in its colours; None where it shows none."""
    shown = page.read.simulated.shown
    if shown.step.view.scans is None:
        return None
    circles = CircleChart()
    circles.setPalette(application_palette(colours))
    circles.resize(CIRCLES)
    circles.show_story(step_story(shown))
    circles.set_time(shown.step.view.scans)
    return circles


class LessonHandouts(Area):
    """Simulates every step in a thread, and draws page after page in between."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, steps: LessonSteps, charts: ChartArea
    ) -> None:
        super().__init__(model, window)
        self._steps, self._charts = steps, charts
        self._worker = Worker(self)
        self._drawn: Iterator[object] = iter(())

    def specs(self, lesson: Callable[..., ActionSpec]) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        # fmt: off
        return (
            lesson("lesson_slides", "Sl&ides…", "", self.ask_for_slides,
                "Draw each step as a picture with its title, text, question and charts, into a folder"),
            lesson("lesson_worksheet", "&Worksheet…", "", self.ask_for_worksheet,
                "Write the questions with charts and lines to write on as PDF; the answers come last"),
            lesson("lesson_page", "P&age for a browser…", "", self.ask_for_page,
                "Write the lesson as one HTML file that a class walks through in a browser, with questions"),
            lesson("lesson_pack", "File for st&udents…", "", self.ask_to_pack,
                "Write the lesson with all its workloads into one file"),
        )
        # fmt: on

    @override
    def close(self) -> None:
        self._worker.stop()
        self._drawn = iter(())

    def _lesson(self) -> Lesson | None:
        if self._steps.walk is None:
            self.failed.emit(InputError(NO_LESSON))
            return None
        return self._steps.walk.lesson

    def ask_for_slides(self) -> None:
        """Let the user choose a folder, and draw a picture of each step into it."""
        lesson = self._lesson()
        if lesson is None:
            return
        from explorer.lessons.lesson_pages import write_slides  # few windows draw any

        folder = QFileDialog.getExistingDirectory(self._window, "Folder for the slides", LAST_FOLDER.place())
        if folder:
            style = Style(theme(self._charts.theme.is_dark), SLIDE, SLIDE_TEXT)
            message = f"{len(lesson.steps)} slides of {lesson.name} are in {folder}"
            self._simulate(
                lesson,
                partial(write_slides, style=style, folder=Path(folder), picture_of=circles_of),
                message,
            )

    def ask_for_worksheet(self) -> None:
        """Let the user choose a name, and write a worksheet on the paper that this country uses."""
        lesson = self._lesson()
        if lesson is None:
            return
        path = ask_where_to_save(self._window, "Worksheet", "worksheet.pdf", WORKSHEET_FILTER)
        if path is not None:
            message = f"The worksheet of {lesson.name} is {path}"
            self._simulate(lesson, partial(_write_worksheet, lesson, path), message)

    def ask_for_page(self) -> None:
        """Let the user choose a name, and write the lesson as a page for a browser."""
        lesson = self._lesson()
        if lesson is None:
            return
        from explorer.lessons.lesson_web_page import web_steps  # few windows write one

        path = ask_where_to_save(self._window, "Page for a browser", "lesson.html", PAGE_FILTER)
        if path is not None:
            message = f"The page of {lesson.name} is {path}"
            self._simulate(lesson, partial(_write_page, lesson, path), message, web_steps)

    def ask_to_pack(self) -> None:
        """Let the user choose a name, and write the lesson with its workloads."""
        lesson = self._lesson()
        if lesson is None:
            return
        path = ask_where_to_save(self._window, "File for students", "lesson.lesson.json", LESSON_FILTER)
        if path is None:
            return
        try:
            write_lesson(packed(lesson), path)
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.done.emit(f"{lesson.name} with all its workloads is {path}")

    def _simulate(
        self,
        lesson: Lesson,
        write: Callable[[list[Any]], Iterator[object]],  # Any: what `read` returns of each step
        message: str,
        read: Callable[..., list[Any]] | None = None,
    ) -> None:
        """Simulate every step, then let `write` draw it; each thing that it yields is one turn.

        `read` returns what is drawn of each step, in a thread; its pages if None.
        """
        from explorer.lessons.lesson_pages import lesson_pages

        self._worker.cancel()
        dialog = ProgressDialog(f"Simulating {lesson.name}", self._worker, self._window)
        self._worker.ended.connect(
            partial(self._on_simulated, dialog, write, message), Qt.ConnectionType.SingleShotConnection
        )
        self._worker.follow(partial(read or lesson_pages, lesson))

    def _on_simulated(
        self,
        dialog: ProgressDialog,
        write: Callable[[list[Any]], Iterator[object]],
        message: str,
        call: Call,
    ) -> None:
        dialog.end()
        if call.error is None:
            self._drawn = write(call.answer)
            self._draw(message)
        elif not isinstance(call.error, Cancelled):
            self.failed.emit(call.error)

    def _draw(self, message: str) -> None:
        """Draw the next page; the window goes on in between."""
        try:
            for _page in self._drawn:
                QTimer.singleShot(0, self, partial(self._draw, message))
                return
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.done.emit(message)


def _write_worksheet(lesson: Lesson, path: Path, pages: list[LessonPage]) -> Iterator[object]:
    from explorer.lessons.worksheet import worksheet

    is_american = QLocale().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    replace_file(path, worksheet(lesson, pages, "Letter" if is_american else "A4", circles_of))
    yield from ()


def _write_page(lesson: Lesson, path: Path, steps: list[WebStep]) -> Iterator[object]:
    from core.files.schedule_page import write_page
    from explorer.lessons.lesson_web_page import web_page

    write_page(web_page(lesson, steps, circles_of), path)
    yield from ()
