"""Every picture that a page names is there, every shot is named by a page, and none is large."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter, QPixmap

from docs.from_code.pictures.films import HOLD_MS, SECONDS
from docs.from_code.pictures.indexed_png import MAX_BYTES, save_indexed
from docs.from_code.pictures.marks import INK, draw_numbers
from docs.from_code.pictures.stories import STORIES
from docs.from_code.tables import MANUAL
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = MANUAL / "pictures"
MAX_TOTAL = 6_000_000
MAX_FILM = 1_000_000
NAMED = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
PAGES = [*sorted(MANUAL.rglob("*.md")), ROOT / "README.md"]
ABOUT_THE_PROJECT = {"contributing.md", "changelog.md"}
"""Pages that are a file of the project's top folder."""
WIDEST = 3840


def named(page: Path) -> dict[Path, str]:
    """Return the pictures that a page names, each with its description."""
    found = NAMED.findall(page.read_text("utf-8"))
    return {(page.parent / target).resolve(): alt for alt, target in found}


STEPS = [step for story in STORIES for step in story.steps]


def test_every_picture_that_a_page_names_is_there_and_is_described() -> None:
    assert [path.name for page in PAGES for path in named(page) if not path.is_file()] == []
    assert [path.name for page in PAGES for path, alt in named(page).items() if len(alt) < 10] == []


def test_every_page_has_a_picture() -> None:
    bare = [page.relative_to(ROOT) for page in PAGES if not named(page)]
    assert {path.name for path in bare} == ABOUT_THE_PROJECT


def test_the_page_of_a_story_names_each_of_its_pictures() -> None:
    missing = [
        (story.page, step.picture)
        for story in STORIES
        for step in story.steps
        if (PICTURES / f"{step.picture}.png") not in named(MANUAL / story.page)
    ]
    assert missing == []


def test_every_picture_is_one_of_a_story_and_has_a_name_of_its_own() -> None:
    names = [step.picture for step in STEPS]
    assert len(names) == len(set(names))
    assert sorted(path.stem for path in PICTURES.glob("*.png")) == sorted(names)


def test_pictures_are_small_and_have_a_palette() -> None:
    sizes = {path.name: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert [name for name, size in sizes.items() if size > MAX_BYTES] == []
    assert sum(sizes.values()) < MAX_TOTAL
    for path in PICTURES.glob("*.png"):
        with Image.open(path) as image:
            assert image.mode == "P"
            assert 600 <= image.width <= WIDEST, path.name


def test_films_are_those_of_stories_last_twenty_seconds_and_are_small() -> None:
    filmed = sorted(step.picture for step in STEPS if step.film is not None)
    assert sorted(path.stem for path in PICTURES.glob("*.webp")) == filmed
    for story in STORIES:
        for step in story.steps:
            if step.film is None:
                continue
            path = PICTURES / f"{step.picture}.webp"
            assert path in named(MANUAL / story.page)
            assert path.stat().st_size < MAX_FILM
            with Image.open(path) as film:
                lasts = []
                for frame in ImageSequence.Iterator(film):
                    frame.load()
                    lasts.append(frame.info["duration"])
            assert len(lasts) > 50  # those that are alike are one
            assert sum(lasts) == pytest.approx(1000 * SECONDS + HOLD_MS, abs=50)


@pytest.mark.parametrize(
    ("story", "number"),
    [(story, i) for story in STORIES for i, step in enumerate(story.steps) if step.numbered],
    ids=lambda value: getattr(value, "page", value),
)
def test_every_number_of_a_picture_is_explained_below_it(story, number) -> None:
    step = story.steps[number]
    text = (MANUAL / story.page).read_text("utf-8")
    below = text.partition(f"/{step.picture}.png)")[2].partition("\n#")[0].partition("![")[0]
    numbers = [int(each) for each in re.findall(r"(?:^|[.] )(\d+)[.] (?=\S)", below, re.M)]
    assert numbers == list(range(1, len(step.numbered) + 1))


def test_a_number_is_drawn_at_the_corner_of_what_it_means(qapp) -> None:
    picture = QPixmap(400, 300)
    picture.fill(QColor("white"))
    draw_numbers(picture, [QRect(100, 80, 120, 60), QRect(104, 84, 50, 20)])
    image = picture.toImage()
    assert image.pixelColor(100 - 8, 80) == INK  # the disc
    assert image.pixelColor(160, 140).name() != "#ffffff"  # the ring
    assert image.pixelColor(104 + 50 + 8, 84) == INK  # the second disc is not upon the first
    assert image.pixelColor(300, 250).name() == "#ffffff"


def test_a_small_swatch_keeps_its_hue(qapp, tmp_path: Path) -> None:
    """Though thousands of shades are seen more often."""
    picture = QPixmap(256, 256)
    painter = QPainter(picture)
    for x in range(256):
        for y in range(0, 256, 8):
            painter.fillRect(x, y, 1, 8, QColor(x, y, 200))
    painter.fillRect(10, 10, 6, 6, QColor("#b8860b"))
    painter.end()
    save_indexed(picture, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.convert("RGB").getpixel((12, 12)) == (0xB8, 0x86, 0x0B)


def test_a_picture_keeps_its_colours(qapp, tmp_path: Path) -> None:
    picture = QPixmap(300, 100)
    picture.fill(QColor("#123456"))
    draw_numbers(picture, [QRect(10, 10, 50, 50)])
    save_indexed(picture, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (300, 100)
        assert image.convert("RGB").getpixel((200, 90)) == (0x12, 0x34, 0x56)
        assert image.convert("RGB").getpixel((2, 10)) == (INK.red(), INK.green(), INK.blue())
