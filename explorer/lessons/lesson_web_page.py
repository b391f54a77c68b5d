"""A lesson as a page for a browser: its steps with their charts as far as they are shown, the rest sealed."""

from __future__ import annotations

import base64
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from core.charts.charts_page import THEMES, charts_page, role_colours
from core.charts.schedule_rows import schedule_rows
from core.files.lesson_page import lesson_html
from core.files.packed_columns import deflated
from core.files.sealed import salt_of, sealed
from core.lessons.page_answers import page_answers
from core.model.progress import never_stop, no_progress
from explorer.gantt.layers.pointers import stretch_of
from explorer.lessons.lesson_pages import lesson_pages, no_picture
from explorer.lessons.step_reader import pointers_of
from explorer.lessons.text_tree import text_tree
from explorer.widgets.export import blank_image, png_of
from explorer.widgets.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QImage

    from core.lessons.lesson import Lesson
    from core.model.schedule import Schedule
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.lessons.lesson_pages import LessonPage
    from explorer.widgets.painted_text import PictureBelow
    from explorer.widgets.theme import Theme

    Json = dict[str, Any]  # Any: JSON

PAGES_DONE = 0.3
"""Part of the work that is done when all steps are simulated: then every answer is judged."""
PIXELS = 2.0
"""Of a picture for one of the page."""


class WebStep(NamedTuple):
    """A step with what a page has of it, as JSON."""

    page: LessonPage
    facts: Json


def web_steps(
    lesson: Lesson,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> list[WebStep]:
    """Simulate every step and judge every answer that a page takes.

    Raises
    ------
    InputError
        a question has more answers than a page holds
    Others
        what `lesson_pages` raises
    """
    pages = lesson_pages(lesson, lambda fraction: progress(PAGES_DONE * fraction), should_stop)
    steps = []
    for page in pages:
        progress(PAGES_DONE + (1 - PAGES_DONE) * (page.number - 1) / page.count)
        steps.append(WebStep(page, _step_facts(lesson, page)))
    return steps


def web_page(
    lesson: Lesson,
    steps: Sequence[WebStep],
    picture_of: Callable[[LessonPage, Theme], PictureBelow | None] = no_picture,
) -> str:
    """Return the HTML file of a lesson; `picture_of` returns what stands below a step's text, or None."""
    facts = {
        "name": lesson.name,
        "roles": {name: role_colours(theme(name == "dark")) for name in THEMES},
        "steps": [{**step.facts, "circles": _pictures(step.page, picture_of)} for step in steps],
    }
    return lesson_html(lesson.name, lesson.summary, facts)


def _pictures(
    page: LessonPage, picture_of: Callable[[LessonPage, Theme], PictureBelow | None]
) -> dict[str, str]:
    """Return what stands below the text, in light and in dark, as addresses that hold the picture."""
    found = {}
    for name in THEMES:
        colours = theme(name == "dark")
        if (picture := picture_of(page, colours)) is not None:
            data = base64.b64encode(png_of(_drawn(picture))).decode("ascii")
            found[name] = f"data:image/png;base64,{data}"
    return found


def _drawn(picture: PictureBelow) -> QImage:
    image = blank_image(QSize(picture.width(), picture.height()), PIXELS)
    with QPainter(image) as painter:
        picture.paint_export(painter)
    return image


def _step_facts(lesson: Lesson, page: LessonPage) -> Json:
    read, view = page.read, page.read.simulated.shown.step.view
    salt = salt_of(f"{lesson.name}\n{page.number}\n{page.title}")
    hidden: Json = {}
    asked: Json | None = None
    if read.question is not None:
        answers = page_answers(read.question, read.simulated)
        asked = {
            "text": text_tree(read.question.text),
            "hint": text_tree(read.question.hint),
            **answers.asked,
        }
        hidden["judged"] = _with_trees(answers.judged)
        hidden["orders"] = {key: _order_json(own, page) for key, own in answers.orders.items()}
    charts = page.charts
    if any(chart.is_veiled for chart in charts):
        hidden["charts"] = _charts_json([replace(chart, veil=inf) for chart in charts], page)
    return {
        "title": page.title,
        "text": text_tree(read.text),
        "question": asked,
        "charts": _charts_json(charts, page),
        "cursor": None if view.cursor is None else view.cursor[0],
        "job": view.selected_job,
        "zoom": view.zoom,
        "salt": salt,
        "sealed": sealed(hidden, salt),
    }


def _order_json(schedule: Schedule, page: LessonPage) -> Json:
    """Return what is drawn once the chart in question has another order: what differs from its first one."""
    question, shown = page.read.question, page.read.simulated.shown
    assert question is not None
    place = shown.charts.index(question.chart)
    charts = [replace(chart, veil=inf) for chart in page.charts]
    rows = schedule_rows(schedule, by_pool=shown.step.view.rows == "pool")
    pointers = pointers_of(shown.step.view.marks, question.chart, schedule)
    charts[place] = replace(charts[place], rows=rows, pointers=pointers)
    drawn = _charts_json(charts, page)
    return {key: drawn["facts"][key] for key in ("tick", "inks", "runs")} | {"data": drawn["data"]}


def _with_trees(value: Any) -> Any:
    """Return what is known of answers with the texts that an author adds as trees."""
    if isinstance(value, dict):
        return {key: text_tree(each) if key == "after" else _with_trees(each) for key, each in value.items()}
    return [_with_trees(each) for each in value] if isinstance(value, list) else value


def _charts_json(charts: Sequence[ChartContent], page: LessonPage) -> Json:
    """Return what is drawn: the facts of the charts with their labels, and the packed columns."""
    packed = charts_page(charts)
    places = page.read.simulated.shown.charts
    is_any_veiled = any(chart.is_veiled for chart in charts)
    for run, chart, place in zip(packed.facts["runs"], charts, places, strict=True):
        run["labels"] = _labels(chart)
        if place.is_guest or is_any_veiled:
            run["change"] = ""
        jobs = page.read.simulated.schedule(place).workload.jobs
        if place.is_guest and len(jobs) == 1:  # see `selected_in`
            run["standIn"] = packed.facts["jobs"].index(jobs[0].name)
        if is_any_veiled:  # the bound of one chart may be the end of another
            run |= {"bound": None, "standing": "", "why": ""}
    for colours in packed.facts["themes"].values():
        del colours["roles"]  # the lesson has them once
    return {"facts": packed.facts, "data": deflated(packed.columns)}


def _labels(chart: ChartContent) -> list[Json]:
    """Return the labels of a chart that point at what is known, with their rows and times in seconds."""
    assert chart.rows is not None
    found = []
    for pointer in chart.pointers:
        stretch = stretch_of(chart.rows, pointer, 0.0, min(chart.end, chart.veil))
        if stretch is not None and not stretch.is_under(chart.veil):
            found.append(
                {
                    "text": pointer.text,
                    "row": stretch.row,
                    "last": max(stretch.row, stretch.last),
                    "begin": stretch.begin,
                    "end": min(stretch.end, chart.veil),
                }
            )
    return found
