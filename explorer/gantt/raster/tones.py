"""The colours of the jobs that a chart shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.gantt.raster.palette import fitting_positions, job_tones

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.widgets.theme import Theme

GREY = 0x8A8F98


def tones_of(content: ChartContent, theme: Theme) -> NDArray[np.int64]:
    """Return the tones of each job, (jobs, 6); jobs of a record that the document has no more are grey."""
    count, places = content.places or (content.jobs, None)
    tones = job_tones(count, fitting_positions(content.positions, count), theme.is_dark, content.mode)
    if places is None:
        return tones
    shown = np.full((len(places), tones.shape[1]), GREY, np.int64)
    shown[places >= 0] = tones[places[places >= 0]]
    return shown
