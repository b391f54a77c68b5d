"""Results as pages for browsers, and inside notebooks."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING

from core.files.html_text import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.schedule import Schedule

MAX_TASKS = 100_000
"""Of all charts that a notebook shows: it would keep 0.5 MB of them."""
FRAME_PX, CHART_PX, MAX_PX = 300, 220, 900


def page_text(titled: Sequence[tuple[str, Schedule]]) -> str:
    """Return the file that shows schedules in a browser, each with what it is called."""
    from core.charts.chart import charts_of
    from core.charts.charts_page import page_of

    return page_of(charts_of(titled))


def fits_notebook(titled: Sequence[tuple[str, Schedule]]) -> bool:
    """Whether a notebook shows charts of schedules: there is something to draw, and not too much to keep."""
    tasks = [len(schedule.start) for _, schedule in titled]
    return bool(tasks) and min(tasks) > 0 and sum(tasks) <= MAX_TASKS


def framed(titled: Sequence[tuple[str, Schedule]], title: str) -> str:
    """Return the page inside a frame of its own, as notebooks show HTML: it sees nothing of the notebook."""
    height = min(FRAME_PX + CHART_PX * len(titled), MAX_PX)
    return (
        f'<iframe srcdoc="{html.escape(page_text(titled))}" title="{escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0" loading="lazy"></iframe>'
    )


def save(titled: Sequence[tuple[str, Schedule]], path: str | os.PathLike[str]) -> None:
    """Write schedules to a file, whose ending says the format.

    Raises
    ------
    InputError
        the ending is of no format, or the file cannot be written
    """
    from core.files.schedule_file import format_for, write_schedules
    from core.files.schedule_page import write_page

    if os.fspath(path).endswith(".html"):
        write_page(page_text(titled), path)
    else:
        write_schedules(list(titled), path, format_for(path))
