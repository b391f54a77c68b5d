"""Stories are performed: step by step in one window, each followed by what is made of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest

from docs.from_code.pictures.films import save_film
from docs.from_code.pictures.indexed_png import save_indexed
from docs.from_code.pictures.marks import draw_numbers
from docs.from_code.pictures.stage import Stage, open_window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QPixmap

    from docs.from_code.pictures.story import Step, Story


def performed(story: Story, folder: Path) -> Iterator[tuple[Step, Stage]]:
    """Yield each step when its user has done it, with the stage as it is then."""
    with _stage(story, folder) as stage:
        for step in story.steps:
            step.do(stage)
            stage.settle()
            yield step, stage


def draw(story: Story, pictures: Path, folder: Path) -> Iterator[Path]:
    """Perform a story, save the picture of each step, and yield the files."""
    for step, stage in performed(story, folder):
        shown = stage.window if step.shows is None else step.shows(stage)
        picture = shown.grab()
        if step.shows is None:
            _draw_popup(picture, stage)
        places = [place(stage) for place in step.numbered]
        draw_numbers(
            picture,
            [place if isinstance(place, QRect) else stage.rect_of(place, shown) for place in places],
        )
        path = pictures / f"{step.picture}.png"
        save_indexed(picture, path)
        yield path
        if step.film is not None:
            path = path.with_suffix(".webp")
            save_film(step.film(stage), path)
            yield path


def _draw_popup(picture: QPixmap, stage: Stage) -> None:
    """Draw the list or the menu that is open over the window upon its picture."""
    popup = stage.on_top()
    if popup is not None:
        painter = QPainter(picture)
        painter.drawPixmap(stage.window.mapFromGlobal(popup.pos()), popup.grab())
        painter.end()


@contextmanager
def _stage(story: Story, folder: Path) -> Iterator[Stage]:
    """Open a window for a story, and close it when the story is over."""
    folder.mkdir(parents=True, exist_ok=True)
    window = open_window(folder / "settings.ini", story.size, story.theme)
    stage = Stage(window, folder)
    window.show()
    QTest.qWaitForWindowExposed(window)
    try:
        if story.document:
            stage.open(story.document)
        yield stage
    finally:
        stage.leave()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
