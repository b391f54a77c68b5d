"""`slotscope lesson slides`, `worksheet` and `page`: what is given to a room, drawn without a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model.errors import InputError
from explorer.cli.command import option
from explorer.cli.lesson import OneLesson
from explorer.cli.render import picture_size
from explorer.cli.requests import Theme, theme_option
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage

SIZE, TEXT_PERCENT = (1920, 1080), 160.0


def _pages(lesson: Lesson) -> list[LessonPage]:
    from core.charts import raster
    from core.engine.jit import compiled_is_ready
    from explorer.lessons.lesson_pages import lesson_pages
    from explorer.widgets.type_face import headless_application

    headless_application()
    if compiled_is_ready():
        raster.use_compiled()
    with progress(f"Simulating {lesson.name}") as show:
        return lesson_pages(lesson, show)


class SlidesCommand(OneLesson, name="lesson slides"):
    """Draw one picture (PNG) for each step: title, text, question and charts."""

    folder: str = option("FOLDER", "where to; it is made if need be", name="--out")
    size: str | None = option("WxH", "pixels (default 1920x1080)")
    text_size: float = option(
        "PERCENT", "size of letters in percent, 50 to 300 (default 160)", default=TEXT_PERCENT
    )
    theme: Theme = theme_option()

    def run(self) -> None:
        """Draw them."""
        from explorer.gantt.stage import Style
        from explorer.lessons.lesson_pages import write_slides
        from explorer.widgets.theme import theme
        from explorer.widgets.type_face import headless_application
        from explorer.window.lessons.lesson_handouts import circles_of

        size = SIZE if self.size is None else picture_size(self.size)
        style = Style(theme(self.theme == "dark"), size, self.text_size / 100)
        style.check()
        lesson = self.found()
        headless_application(has_widgets=True)
        pages = _pages(lesson)
        with progress("Drawing the slides") as show:
            for done, _path in enumerate(write_slides(pages, style, Path(self.folder), circles_of), 1):
                show(done / len(pages))
        print_line(f"{len(pages)} slides of {lesson.name} are in {self.folder}")


class WorksheetCommand(OneLesson, name="lesson worksheet"):
    """Write a PDF for students: questions with charts and lines to write on; the answers come last."""

    out: str = option("F.pdf", "the document; - for standard output")
    paper: Literal["A4", "Letter"] = option(None, "default A4", default="A4")

    def run(self) -> None:
        """Write it."""
        from core.files.atomic import replace_file
        from explorer.lessons.worksheet import worksheet
        from explorer.widgets.type_face import headless_application
        from explorer.window.lessons.lesson_handouts import circles_of

        path = Path(self.out)
        if path.suffix.lower() not in (".pdf", ""):
            raise InputError(f"--out {self.out}: a worksheet ends in .pdf")
        lesson = self.found()
        headless_application(has_widgets=True)
        replace_file(path, worksheet(lesson, _pages(lesson), self.paper, circles_of))
        print_line(f"Worksheet of {lesson.name} written to {path}")


class LessonPageCommand(OneLesson, name="lesson page"):
    """Write the lesson as one HTML file that is walked through in a browser: charts, questions, answers."""

    out: str = option("F.html", "the file; - for standard output")

    def run(self) -> None:
        """Write it."""
        from core.files.schedule_page import write_page
        from explorer.lessons.lesson_web_page import web_page, web_steps
        from explorer.widgets.type_face import headless_application
        from explorer.window.lessons.lesson_handouts import circles_of

        lesson = self.found()
        headless_application(has_widgets=True)
        with progress(f"Writing {Path(self.out).name}") as show:
            steps = web_steps(lesson, show)
        write_page(web_page(lesson, steps, circles_of), self.out)
        print_line(f"Page of {lesson.name} written to {self.out}")
