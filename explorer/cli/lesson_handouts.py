"""`slotscope lesson slides` and `worksheet`: what is given to a room, drawn without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from explorer.cli.render import picture_size
from explorer.cli.requests import add_command
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage

SIZE, TEXT_PERCENT = (1920, 1080), 160.0
PAPERS = ("A4", "Letter")


def add_actions(actions: Any, source: str) -> None:  # Any: argparse has no public name for it
    """Add the actions to those of `slotscope lesson`; `source` says what a lesson may be."""
    text = "draw one picture (PNG) for each step: title, text, question and charts"
    slides = add_command(actions, "slides", text, _slides)
    slides.add_argument("lesson", metavar="F", help=source)
    slides.add_argument(
        "--out", metavar="FOLDER", dest="folder", required=True, help="where to; it is made if need be"
    )
    slides.add_argument("--size", metavar="WxH", help="pixels (default 1920x1080)")
    text = "size of letters in percent, 50 to 300 (default 160)"
    slides.add_argument("--text-size", metavar="PERCENT", type=float, default=TEXT_PERCENT, help=text)
    slides.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    text = "write a PDF for students: questions with charts and lines to write on; the answers come last"
    sheet = add_command(actions, "worksheet", text, _worksheet)
    sheet.add_argument("lesson", metavar="F", help=source)
    sheet.add_argument("--out", metavar="F.pdf", required=True, help="the document; - for standard output")
    sheet.add_argument("--paper", choices=PAPERS, default="A4", help="default A4")


def _pages(lesson: Lesson) -> list[LessonPage]:
    from core.engine.jit import compiled_is_ready
    from explorer.gantt.export import headless_application
    from explorer.gantt.raster import raster
    from explorer.lessons.lesson_pages import lesson_pages

    headless_application()
    if compiled_is_ready():
        raster.use_compiled()
    with progress(f"Simulating {lesson.name}") as show:
        return lesson_pages(lesson, show)


def _application() -> None:
    """Start a Qt application without a display that can have widgets: circles of shared scans are some."""
    import os

    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        QApplication([])


def _slides(options: Namespace) -> int:
    from core.lessons.lesson_document import find_lesson
    from explorer.gantt.stage import Style
    from explorer.lessons.lesson_pages import write_slides
    from explorer.widgets.theme import theme
    from explorer.window.lessons.lesson_handouts import circles_of

    style = Style(theme(options.theme == "dark"), SIZE, options.text_size / 100)
    if options.size is not None:
        style = replace(style, size=picture_size(options.size))
    style.check()
    lesson = find_lesson(options.lesson)
    _application()
    pages = _pages(lesson)
    with progress("Drawing the slides") as show:
        for done, _path in enumerate(write_slides(pages, style, Path(options.folder), circles_of), 1):
            show(done / len(pages))
    print_line(f"{len(pages)} slides of {lesson.name} are in {options.folder}")
    return 0


def _worksheet(options: Namespace) -> int:
    from core.files.atomic import replace_file
    from core.lessons.lesson_document import find_lesson
    from explorer.lessons.worksheet import worksheet

    path = Path(options.out)
    if path.suffix.lower() not in (".pdf", ""):
        raise InputError(f"--out {options.out}: a worksheet ends in .pdf")
    lesson = find_lesson(options.lesson)
    replace_file(path, worksheet(lesson, _pages(lesson), options.paper))
    print_line(f"Worksheet of {lesson.name} written to {path}")
    return 0
