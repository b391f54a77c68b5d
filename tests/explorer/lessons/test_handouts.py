"""Slides, worksheets and files for students: from the command line, and from the menu."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.lessons.lesson_document import find_lesson, lesson_from_bytes, read_lesson
from core.lessons.questions.options import ChoiceQuestion
from core.model.errors import InputError, UnknownName
from explorer.cli.run import run
from explorer.document.time_axis import TimeRange
from explorer.gantt.stage import Style
from explorer.lessons.lesson_pages import lesson_pages, write_slides
from explorer.lessons.step_reader import step_markdown
from explorer.lessons.worksheet import worksheet
from explorer.widgets.painted_text import markdown_of
from explorer.widgets.theme import theme
from explorer.window.lessons.lesson_handouts import circles_of
from tests.explorer.lessons.conftest import STEPS, go, lesson_text

TINY_STYLE = Style(theme(False), (480, 270), 0.6)


def lesson_of(steps=None):
    return lesson_from_bytes(lesson_text(steps).encode(), "tiny")


@pytest.fixture(scope="module")
def pages(qapp):
    return lesson_pages(lesson_of())


def test_a_page_says_what_is_asked_and_what_is_right(pages):
    first, _, _, _, last = pages
    assert (first.number, first.count, first.title) == (1, 5, "How long")
    assert first.markdown.startswith("*1 of 5*\n\n## How long\n\nIt takes **16 s**")
    assert first.question == "**How long?**"
    assert first.answer.startswith("**16 s**\n\nThe makespan is 16 s.")
    assert first.answer.endswith("So *that* is it.")
    assert last.answer.startswith("**M2**")


def test_a_choice_is_numbered_and_figures_to_come_are_left_open():
    asked = ChoiceQuestion(text="Why?", choices=("So", "Or so"), right=0, why="")
    told = step_markdown("1 of 2", "A_title", "It takes {{makespan 0}}.", asked)
    assert told == "*1 of 2*\n\n## A\\_title\n\nIt takes ….\n\n**Why?**\n\n1. So\n2. Or so"


def test_a_page_has_the_charts_of_its_step(pages):
    first, second, third = pages[:3]
    assert first.charts[0].veil == 4
    assert [pointer.text for pointer in first.charts[0].pointers] == ["waits", "slot"]
    assert second.charts[0].selected_job == 1
    assert second.stage(TINY_STYLE).shown == TimeRange(0, 10)
    assert [chart.title for chart in third.charts] == ["FIFO", "Turned"]
    assert third.charts[1].rows.schedule.makespan == 11


def test_what_is_veiled_is_not_on_the_slide(pages):
    """A schedule that differs only behind the veil looks the same, to the pixel."""
    text = lesson_text([STEPS[0] | {"text": "", "view": STEPS[0]["view"] | {"marks": []}}])
    shorter = text.replace('"durations": 8', '"durations": 7')
    one, two = (lesson_pages(lesson_from_bytes(each.encode(), "tiny"))[0] for each in (text, shorter))
    assert (one.rows[0].schedule.makespan, two.rows[0].schedule.makespan) == (16, 15)
    assert one.slide(TINY_STYLE) == two.slide(TINY_STYLE)


def test_on_paper_a_veil_only_asks(pages):
    """Nobody can lift a veil on paper."""
    drawn, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(drawn)
    with QPainter(generator) as painter:
        pages[0].paint_charts(painter, Style(theme(False), (960, 540)), is_vector=True)
    svg = drawn.data().toStdString()
    assert ">What comes next?</text>" in svg
    assert "lift the veil" not in svg


def test_slides_are_pictures_by_number_and_title(pages, tmp_path):
    written = list(write_slides(pages, TINY_STYLE, tmp_path / "new" / "slides"))
    assert [path.name for path in written] == [
        "01-how-long.png",
        "02-which-job.png",
        "03-a-guest.png",
        "04-your-order.png",
        "05-idle.png",
    ]
    for path in written:
        with Image.open(path) as slide:
            assert slide.size == (480, 270)
            assert len(set(np.asarray(slide.convert("RGB")).reshape(-1, 3)[::7, 0].tolist())) > 10


def test_slides_go_into_no_file(pages, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no folder can be made there"):
        list(write_slides(pages, TINY_STYLE, tmp_path / "file" / "in"))


def count_pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def box_of(pdf: bytes) -> list[int]:
    found = re.search(rb"/MediaBox \[([^\]]*)\]", pdf)
    assert found
    return [round(float(number)) for number in found[1].split()]


@pytest.mark.parametrize(("paper", "box"), [("A4", [0, 0, 595, 842]), ("Letter", [0, 0, 612, 792])])
def test_a_worksheet_has_questions_and_at_last_the_answers(pages, paper, box):
    pdf = worksheet(lesson_of(), pages, paper)
    assert pdf.startswith(b"%PDF")
    assert b"%%EOF" in pdf[-10:]
    assert box_of(pdf) == box
    assert 4 <= count_pages(pdf) <= 6
    assert "Tiny: worksheet".encode("utf-16-be") in pdf


def test_a_longer_lesson_takes_more_paper(pages):
    short = worksheet(lesson_of(), pages[:1])
    assert count_pages(short) == 2  # the question, and its answer


def test_what_asks_nothing_has_no_worksheet(qapp):
    silent = lesson_of([{"title": "Silent", "text": "", "view": STEPS[3]["view"]}])
    with pytest.raises(InputError, match="Tiny asks nothing, so there is no worksheet"):
        worksheet(silent, lesson_pages(silent))


def test_only_known_paper(pages):
    with pytest.raises(UnknownName, match="unknown paper 'A44'; did you mean 'A4'"):
        worksheet(lesson_of(), pages, "A44")


def test_text_loads_nothing(qapp, tmp_path):
    picture = tmp_path / "secret.png"
    QImage(50, 50, QImage.Format.Format_RGB32).save(str(picture))
    document = markdown_of(f"![it]({picture.as_uri()})\n\n<b>no HTML</b>", 1.0)
    assert document.loadResource(2, picture.as_uri()) is None
    assert "<b>no HTML</b>" in document.toPlainText()


def test_the_command_line_draws_both(lesson_path, tmp_path, capsys):
    folder = tmp_path / "slides"
    words = ["lesson", "slides", str(lesson_path), "--out", str(folder), "--size", "320x180"]
    for _ in range(2):  # a folder that is there is filled again
        assert run([*words, "--text-size", "50", "--theme", "dark"]) == 0
    assert "5 slides of Tiny are in" in capsys.readouterr().out
    assert len(list(folder.iterdir())) == 5
    sheet = tmp_path / "tiny.pdf"
    assert run(["lesson", "worksheet", str(lesson_path), "--out", str(sheet), "--paper", "Letter"]) == 0
    assert box_of(sheet.read_bytes()) == [0, 0, 612, 792]
    assert run(["lesson", "worksheet", str(lesson_path), "--out", str(tmp_path / "x.doc")]) == 2
    assert "a worksheet ends in .pdf" in capsys.readouterr().err


# ---- in the window


def test_the_menu_writes_slides_a_worksheet_and_a_file(window, qtbot, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(folder))
    monkeypatch.setattr("explorer.window.lessons.lesson_handouts.SLIDE", (400, 225))
    for action, name in (
        ("lesson_slides", ""),
        ("lesson_worksheet", "sheet.pdf"),
        ("lesson_page", "page.html"),
        ("lesson_pack", "all.lesson.json"),
    ):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, n=name: (str(tmp_path / n), ""))
        with qtbot.waitSignal(window.lessons.done):
            window.actions_by_id[action].trigger()
    assert len(list(folder.iterdir())) == 5
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    assert read_lesson(tmp_path / "all.lesson.json").name == "Tiny"


def test_a_slide_has_the_circles_of_a_step_that_shows_them(qapp):
    steps = find_lesson("sharing-a-scan")
    first, second = lesson_pages(replace(steps, steps=steps.steps[:2]))
    colours = theme(True)
    assert circles_of(first, colours) is None
    circles = circles_of(second, colours)
    assert len(circles.clocks()) == 1
    style = replace(TINY_STYLE, theme=colours)
    plain, drawn = second.slide(style), second.slide(style, circles)
    changed = [
        (x, y) for x in range(0, 480, 4) for y in range(0, 270, 4) if plain.pixel(x, y) != drawn.pixel(x, y)
    ]
    assert changed
    assert max(x for x, _y in changed) < 480 * 0.34
    circles.deleteLater()


def test_a_presentation_shows_the_step_and_goes_on(window, qtbot):
    window.actions_by_id["present"].trigger()
    shown = window.lessons.presenter
    shown.resize(900, 500)
    assert shown.stage.style.size[0] == 900 - round(900 * 0.34)
    assert shown.caption() == ""  # a veil is down
    assert window.lessons.presented.texts()[0].startswith("*1 of 5*\n\n## How long\n\nIt takes **16 s**")
    assert shown.stage.charts[0].is_veiled
    QTest.keyClick(shown, Qt.Key.Key_V)
    assert not shown.stage.charts[0].is_veiled
    go(qtbot, window, 2)
    QTest.keyClick(shown, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: window.lessons.steps.walk.number == 2)
    qtbot.waitUntil(lambda: len(shown.stage.charts) == 2)
    assert [chart.title for chart in shown.stage.charts] == ["FIFO", "Turned"]
    shown.leave()
