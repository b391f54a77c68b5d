"""How large a study is, and how far a run of it, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.model.number_text import grouped
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from core.study.run_study import StudyProgress
    from core.study.study import Study


def size_text(study: Study, seconds: float, workers: int) -> str:
    """Return how many cells a study has and how long they take: "60 cells × 5 = 300 simulations, 12 s"."""
    cells, rows = grouped(study.cell_count), grouped(study.row_count)
    each = f"{cells} cells" if study.cell_count != 1 else "1 cell"
    text = each if study.repetitions == 1 else f"{each} × {study.repetitions} = {rows} simulations"
    if not math.isfinite(seconds):
        return f"{text}."
    how = f"on {workers} processes" if workers > 1 else "on one process"
    about = "less than a second" if seconds < 1 else f"about {duration_text(float(f'{seconds:.2g}'))}"
    return f"{text}, {about} {how}."


def progress_text(progress: StudyProgress) -> str:
    """Return how far a run is."""
    text = f"{grouped(progress.done)} of {grouped(progress.total)} simulations"
    if progress.is_complete and progress.kept == progress.done:
        return f"{text}, all of them from before"
    if progress.is_complete:
        text += f" in {duration_text(round(progress.seconds, 1))}"
    elif math.isfinite(progress.seconds_left):
        text += f", {duration_text(math.ceil(progress.seconds_left))} left"
    kept = f", {grouped(progress.kept)} of them from before" if progress.kept else ""
    failed = f", {grouped(progress.failed)} failed" if progress.failed else ""
    return f"{text}{kept}{failed}"
