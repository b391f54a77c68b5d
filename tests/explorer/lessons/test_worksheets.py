"""Worksheets of every shipped lesson: full pages, nothing of keys and clicks, no answer with its question."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from core.lessons.lesson_document import lesson_from_bytes, lesson_paths, read_lesson
from core.lessons.questions.options import ChoiceQuestion
from core.lessons.questions.times import MakespanQuestion, SecondsQuestion
from core.model.time_text import exact_clock, exact_duration
from explorer.lessons.lesson_pages import lesson_pages
from explorer.lessons.worksheet import FOOT, LINE_HEIGHT, Sheet, paint_worksheet
from explorer.lessons.worksheet_blocks import answer_text, asking, head_text, question_text, step_text
from explorer.widgets.painted_text import markdown_of
from explorer.window.lessons.lesson_handouts import circles_of
from tests.core.lessons.lesson_examples import question_of, right_answer
from tests.explorer.lessons.conftest import STEPS, lesson_text

A4, LETTER = QSize(850, 1261), QSize(878, 1178)
"""Between their margins, at 120 dots an inch."""
MIN_FULL = 0.6
WORDS_OF_A_WINDOW = re.compile(
    r"\b(click|drag|press|scroll|hover|double-click|keyboard|mouse|pointer|button|menu|dialog|pane"
    r"|shift|ctrl|alt|escape|hold (?:shift|ctrl|alt)|f\d{1,2}|view >|lessons >)\b",
    re.IGNORECASE,
)
each_lesson = pytest.mark.parametrize("name", lesson_paths())


@cache
def lesson_of(name):
    return read_lesson(lesson_paths()[name])


@cache
def pages_of(name):
    return lesson_pages(lesson_of(name))


def texts_of(name):
    pages = list(enumerate(asking(pages_of(name)), 1))
    yield head_text(lesson_of(name))
    for number, page in pages:
        yield step_text(number, page)
        yield question_text(page)
    yield from (answer_text(number, page) for number, page in pages)


def drawn_pages(name, paper):
    """Return each page of a worksheet as a picture."""
    images = []
    painter = QPainter()

    def turn():
        if painter.isActive():
            painter.end()
        images.append(QImage(paper, QImage.Format.Format_RGB32))
        images[-1].fill(0xFFFFFF)
        painter.begin(images[-1])

    turn()
    paint_worksheet(painter, paper, lesson_of(name), pages_of(name), turn, circles_of)
    painter.end()
    return images


def fullness(image):
    """Return down to where a page is drawn on, 0 to 1, without its foot."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    body = pixels[: image.height() - FOOT] & 0xFFFFFF
    drawn = np.flatnonzero((body != 0xFFFFFF).any(axis=1))
    return (drawn.max() + 1) / len(body)


@each_lesson
@pytest.mark.parametrize("paper", [A4, LETTER], ids=["A4", "Letter"])
def test_every_page_but_the_last_is_full(qapp, name, paper):
    """Waves once had seven half-empty ones."""
    images = drawn_pages(name, paper)
    assert len(images) <= len(asking(pages_of(name))) + 2
    full = [round(fullness(image), 2) for image in images[:-1]]
    assert min(full) >= MIN_FULL, full


@each_lesson
def test_a_worksheet_speaks_of_no_keys_and_clicks(qapp, name):
    for text in texts_of(name):
        found = WORDS_OF_A_WINDOW.search(text)
        assert found is None, (found[0], text)


def test_what_is_to_be_done_with_keys_and_mouse_is_only_in_the_window(qapp):
    pages = [page for name in lesson_paths() for page in pages_of(name)]
    told = [page for page in pages if page.read.hands_on]
    assert len(told) >= 5
    for page in told:
        assert WORDS_OF_A_WINDOW.search(page.read.hands_on)
        assert page.read.window_text.endswith(page.read.hands_on)
        assert page.read.hands_on not in page.markdown


def numbers_by_page(name):
    """Return which questions stand on each page, by the pages of the lesson."""
    sheet = Sheet(A4, lesson_of(name), pages_of(name), circles_of)
    found = [[each.block.page for each in page if each.block.page is not None] for page in sheet.pages()]
    return [page for page in found if page]


@each_lesson
def test_no_answer_stands_on_the_page_of_its_question(qapp, name):
    """What a text says of a later step is a time; a chart shows it where no veil hides it."""
    for on_page in numbers_by_page(name):
        for place, asked in enumerate(on_page):
            question = question_of(asked.read.simulated)
            for later in on_page[place + 1 :]:
                assert not isinstance(question, ChoiceQuestion)
                if not isinstance(question, SecondsQuestion):
                    continue
                right = right_answer(asked.read.simulated)
                words = markdown_of(step_text(0, later) + question_text(later), 1.0).toPlainText()
                answers = {exact_clock(right)}
                if isinstance(question, MakespanQuestion):
                    answers.add(exact_duration(right))
                assert not [each for each in answers if re.search(rf"(?<![\d:]){each}(?![\d:])", words)]
                own = asked.read.simulated.schedule(question.chart)
                for chart in later.charts:
                    same = chart.rows.schedule
                    if np.array_equal(same.start, own.start) and np.array_equal(same.end, own.end):
                        assert chart.veil <= right


def test_the_makespan_is_not_below_the_question_for_it(qapp):
    """It once stood under question 2 of the first lesson: 42 s."""
    numbers = [[page.number for page in on_page] for on_page in numbers_by_page("why-order-matters")]
    asked = next(on_page for on_page in numbers if 2 in on_page)
    assert 3 not in asked


def test_questions_come_in_their_order_and_all_of_them(qapp):
    for name in lesson_paths():
        numbers = [page.number for on_page in numbers_by_page(name) for page in on_page]
        assert numbers == [page.number for page in asking(pages_of(name))]


def test_an_answer_has_room_in_its_form(qapp):
    blanks = {question_of(p.read.simulated).kind: question_text(p) for p in pages_of("why-order-matters")[:5]}
    assert blanks["next-job"].endswith(r"Answer (J1 or J2): " + r"\_" * 12)
    assert blanks["makespan"].endswith(r"Answer: " + r"\_" * 12 + " s")
    assert blanks["choice"].endswith("Answer (its number): " + r"\_" * 6)
    assert blanks["order"].endswith(r"Order: 1. " + r"\_" * 6 + "   2. " + r"\_" * 6)
    (idle,) = (question_text(p) for p in pages_of("idle-slots-next-door")[:1])
    assert idle.endswith("Answer: " + r"\_" * 12)  # 90 slots are not listed


def test_circles_are_on_paper_where_the_text_speaks_of_them(qapp):
    sheet = Sheet(A4, lesson_of("sharing-a-scan"), pages_of("sharing-a-scan"), circles_of)
    blocks = [each.block for page in sheet.pages() for each in page if each.block.page is not None]
    shown = [block.page.read.simulated.shown.view.scans is not None for block in blocks]
    assert [block.picture is not None for block in blocks] == shown
    assert any(shown)


def height_of(placed):
    block = placed.block
    return block.other_height + placed.chart * block.chart_count + placed.lines * LINE_HEIGHT


LONG = "\n\n".join("A sentence about slots and the jobs that wait for them. " * 5 for _ in range(40))
SIX = {"workload": "tiny", "scenarios": [{"policy": "fifo", "title": f"No. {i}"} for i in range(6)]}


@pytest.mark.parametrize(
    "changes", [{"text": LONG}, {"view": SIX}, {"text": LONG, "view": SIX}], ids=["long", "six", "both"]
)
@pytest.mark.parametrize("paper", [A4, LETTER], ids=["A4", "Letter"])
def test_nothing_lies_below_the_page_however_long_a_step_is(qapp, changes, paper):
    asked = {"kind": "makespan", "text": "How long?"}
    step = STEPS[0] | {"veil": {"from": 4}, "question": asked} | changes
    lesson = lesson_from_bytes(lesson_text([step, step]).encode(), "long")
    sheet = Sheet(paper, lesson, lesson_pages(lesson))
    for page in sheet.pages():
        assert sum(map(height_of, page)) <= paper.height() - FOOT


@each_lesson
@pytest.mark.parametrize("paper", [A4, LETTER], ids=["A4", "Letter"])
def test_nothing_lies_below_the_page_of_a_shipped_lesson(qapp, name, paper):
    for page in Sheet(paper, lesson_of(name), pages_of(name), circles_of).pages():
        assert sum(map(height_of, page)) <= paper.height() - FOOT
