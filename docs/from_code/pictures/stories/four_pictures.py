"""The page of the four pictures: waves, the first shuffle, pools, cyclic piggybacking; each moves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from docs.from_code.pictures.films import of_charts, of_widget
from docs.from_code.pictures.stories.explanations import INSTANT, show_scans
from docs.from_code.pictures.stories.window_page import nothing_more
from docs.from_code.pictures.story import Step, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image

    from docs.from_code.pictures.stage import Stage

PAGE = "explanation/four-pictures.md"
SIZE = (1000, 600)


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
    start, ready = float(rows.schedule.start[first]), float(rows.schedule.stage_end[0])
    rect = frame.pool_rects[1]
    place = view.rect().topLeft()
    place.setX(round(frame.x((start + 2 * ready) / 3)))
    place.setY(rect.center().y())
    stage.hover(view, place)


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
            Step("four-2-shuffle", _point_at_shuffle),
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
