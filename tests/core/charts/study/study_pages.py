"""Results of a small study as a page, and what a page has inside: read as its script reads it."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.charts.study.page_places import ScheduleMaker
from core.charts.study.study_web_page import PageLimits, StudySource, study_page
from core.study.batches import rows_of
from core.study.cell_run import CellRunner
from core.study.cells import Cells
from core.study.results import frame_of
from core.study.study import StudyFigure
from tests.core.study.study_examples import small_study
from tests.unpacked_page import part

if TYPE_CHECKING:
    import pandas as pd

    from core.charts.study.study_web_page import StudyPage
    from core.study.study import Study

FIGURES = (
    StudyFigure("Makespans", "lines", "000, Figure 99", "nodes", "makespan", by="policy"),
    StudyFigure("Bars", "bars", x="nodes", y="makespan", by="policy", also=("lower_bound",)),
    StudyFigure("Means", "heat-map", x="nodes", y="policy", z="makespan"),
)


def page_study(**changes: Any) -> Study:
    """Return six cells in two repetitions, with figures."""
    return replace(small_study(**changes), figures=FIGURES)


@cache
def rows(study: Study | None = None) -> pd.DataFrame:
    """Return the rows of a study, simulated here."""
    import pyarrow as pa

    study = study or page_study()
    cells, runner = Cells(study), CellRunner({})
    ran = [
        (cell, runner.run(cell, study.measures))
        for number in range(study.cell_count)
        for cell in [cells.cell(number, k) for k in range(study.repetitions)]
    ]
    return frame_of(study, pa.Table.from_batches([rows_of(cells, ran, {})]))


def written(study: Study | None = None, limits: PageLimits | None = None, **changes: Any) -> StudyPage:
    """Return the page of a study, with schedules."""
    study = study or page_study()
    frame = changes.pop("frame", None)
    source = StudySource(
        study, rows(study) if frame is None else frame, "Slotscope 0", ScheduleMaker(study, {})
    )
    return study_page(replace(source, **changes), limits or PageLimits())


@cache
def usual_page() -> StudyPage:
    """Return the page of the study of six cells."""
    return written()


def inflated(packed: str) -> Any:
    """Return the JSON value of a deflated one in base64."""
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def pictures_of(text: str) -> dict[str, Any]:
    """Return the pictures and places of a page."""
    found: dict[str, Any] = inflated(part(text, "pictures"))
    return found
