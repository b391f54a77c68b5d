"""The page of the four pictures: waves, the first shuffle, pools, cyclic piggybacking; each moves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from docs.from_code.pictures.films import of_charts, of_widget
from docs.from_code.pictures.stories.explanations import INSTANT, show_scans
from docs.from_code.pictures.stories.window_page import nothing_more
from docs.from_code.pictures.story import Step, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image

    from docs.from_code.pictures.stage import Stage

PAGE = "explanation/four-pictures.md"
INSPECTED_MS = 120
"""After which the inspector has the numbers of a new schedule."""
IN_TASK = 12
"""Pixels behind the begin of the task that is pointed at: the card is to lie upon no first shuffle."""
SIZE, FILMED_SIZE = (1000, 600), (1366, 768)


def _select(job: str, stage: Stage) -> None:
    stage.window.view_state.select_job(job)
    stage.settle()


def _point_at_shuffle(stage: Stage) -> None:
    """Point at the part of a reduce's shuffle that hides behind maps."""
    _select("WordCount", stage)
    view = stage.view(0)
    frame, rows = view.frame(), view.content.rows
    assert rows is not None
    first = int(rows.schedule.workload.columns.stages.first[1])
    rect = frame.pool_rects[1]
    place = view.rect().topLeft()
    place.setX(round(frame.x(float(rows.schedule.start[first]))) + IN_TASK)
    place.setY(rect.center().y())
    stage.hover(view, place)


def _slowstart_film(stage: Stage) -> Iterator[Image.Image]:
    """Turn the slowstart up: reduces start later, and in the end less of their shuffles hides behind maps."""
    window = stage.window
    stage.unhover(stage.view(0))
    stage.select_nothing()
    _select("WordCount", stage)
    window.resize(*FILMED_SIZE)
    window.inspector_page.bring()
    window.side_dock.show()
    scenario = window.view_state.active_scenario
    window.editor.edit_cluster(scenario, shuffle_model="overlap")

    def turn(part: float) -> None:
        window.editor.edit_cluster(scenario, slowstart=round(1 - (1 - part) ** 3, 3))  # slower in the end
        window.runner.wait_until_idle()
        QTest.qWait(INSPECTED_MS)

    yield from of_widget(window, 1.0, turn)
    window.resize(*SIZE)


def _scans_film(stage: Stage) -> Iterator[Image.Image]:
    scans = stage.window.scans
    end = float(max(story.end for story in scans.stories))
    yield from of_widget(scans, end, scans.time.look_at)
    scans.time.look_at(INSTANT)


FOUR = (
    Story(
        PAGE,
        "wordcount",
        (
            Step("four-1-waves", partial(_select, "WordCount"), film=of_charts),
            Step("four-2-shuffle", _point_at_shuffle, film=_slowstart_film),
        ),
        SIZE,
    ),
    Story(
        PAGE,
        "five-jobs-pools",
        (Step("four-3-pools", nothing_more, film=of_charts),),
        SIZE,
    ),
    Story(
        PAGE,
        "ten-scans",
        (Step("four-4-scans", show_scans, shows=lambda stage: stage.window.scans, film=_scans_film),),
        SIZE,
    ),
)
