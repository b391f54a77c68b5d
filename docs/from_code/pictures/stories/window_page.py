"""The front page, and the page of the window: what is where, in both themes, and its larger parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.from_code.pictures.stories.real_log import REAL_LOG
from docs.from_code.pictures.story import Step, Story
from explorer.document.view_state import ThemeChoice

if TYPE_CHECKING:
    from docs.from_code.pictures.stage import Stage

SIZE = (1366, 768)


def nothing_more(_stage: Stage) -> None:
    """Look at what has opened."""


def _log_with_numbers(picture: str, theme: ThemeChoice) -> Story:
    """Return the story of the numbered window in a theme."""
    step = Step(
        picture,
        nothing_more,
        numbered=(
            lambda stage: stage.window.top_bar.menu_bar,
            lambda stage: stage.window.why.time_bar,
            lambda stage: stage.window.top_bar.search,
            lambda stage: stage.window.sentence.bar,
            lambda stage: stage.header(0),
            lambda stage: stage.view(0),
            lambda stage: stage.header(1),
            lambda stage: stage.window.charts.stack.axes[0],
            lambda stage: stage.window.centre.foot,
            lambda stage: stage.window.rail,
        ),
    )
    return Story("reference/window.md", str(REAL_LOG), (step,), SIZE, theme, REAL_LOG)


def _select_and_explain(stage: Stage) -> None:
    stage.choose("why_task")
    stage.click_job("J4", 0, kind=1)
    stage.let_think()


def _drag(stage: Stage) -> None:
    stage.drag_job("J3", 72.0, drop=False)


def _find(stage: Stage) -> None:
    stage.choose("search")
    field = stage.window.palette_of_commands.field
    stage.write(field, "map slots 40")


FRONT = Story("index.md", str(REAL_LOG), (Step("front", nothing_more),), SIZE, needs=REAL_LOG)
WINDOW = (
    _log_with_numbers("window-light", ThemeChoice.LIGHT),
    _log_with_numbers("window-dark", ThemeChoice.DARK),
    Story("reference/window.md", "five-jobs", (Step("window-details", _select_and_explain),), (1200, 680)),
    Story("reference/window.md", "five-jobs", (Step("window-drag", _drag),), (1000, 600)),
    Story(
        "reference/window.md",
        "spark-application",
        (Step("window-stages", nothing_more),),
        (1200, 700),
        ThemeChoice.DARK,
    ),
    Story("reference/window.md", "five-jobs", (Step("window-search", _find),), (1000, 600)),
)
