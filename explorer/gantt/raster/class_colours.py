"""The colours of classes of jobs: hues for what is only different, a scale from pale to deep for sizes.

Hues stand in an order in which neighbours differ most for every kind of sight, as neighbours in it are
neighbours in time. Failed and killed attempts have colours that no job has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.measures.job_classes import ClassedBy, JobClasses, job_classes
from explorer.gantt.geometry.schedule_rows import kept_with_rows
from explorer.gantt.raster.inks import DARK, LIGHT, SCALE, Squeeze
from explorer.gantt.raster.palette import SHUFFLE_SHARE, mixed, tones_of_colours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.widgets.theme import Theme

LIGHT_HUES = (
    0x2F6FC4,
    0xBC8512,
    0x0E7F74,
    0x8057C8,
    0x2A94C4,
    0x8A5F00,
    0x3F4FB8,
    0xB64A82,
    0x68801A,
)
DARK_HUES = (
    0x5A9BE6,
    0xE8BE5C,
    0x35B8A6,
    0xA88BEA,
    0x6FC3EA,
    0xB98A2E,
    0x7C8CF0,
    0xDF86B8,
    0xA3BF4A,
)
"""Blue, gold, teal, purple, sky, brown, indigo, pink and olive."""
LIGHT_REST, DARK_REST = 0x7D6D5E, 0xA8998A
"""Taupe, of what was left over."""
LIGHT_SIZES = (0xB8860B, 0x6E9A1F, 0x128A7D, 0x2F7DBB, 0x3F4FA8)
DARK_SIZES = (0xF6E58A, 0xA5D46A, 0x45B8A0, 0x3F8FCB, 0x5868C2)
"""From small to large."""
ALTERNATE_SHARE = 0.17
"""How much white every second job of a class has in its colour, so that neighbours in time differ."""
SIZE_SHUFFLE_SHARE = 0.66
GREY = 0x8A8F98
"""Of a job that the document does not have, and of one whose tasks are of several classes."""


def class_colours(classes: JobClasses, theme: Theme) -> NDArray[np.int64]:
    """Return the colour of each class as 0xRRGGBB, (classes,)."""
    count, is_dark = len(classes.classes), theme.is_dark
    if classes.by is ClassedBy.SIZE:
        sizes = np.array(DARK_SIZES if is_dark else LIGHT_SIZES)
        return sizes[_spread(count, len(sizes))]
    hues = np.resize(np.array(DARK_HUES if is_dark else LIGHT_HUES), count)
    rest = np.array([each.is_rest for each in classes.classes], bool)
    return np.where(rest, DARK_REST if is_dark else LIGHT_REST, hues)


def _spread(count: int, steps: int) -> NDArray[np.int64]:
    """Return so many steps of a scale, as far apart as they can be."""
    if count == 1:
        return np.array([steps // 2])
    return np.linspace(0, steps - 1, count).round().astype(np.int64)


def job_colours(classes: JobClasses, theme: Theme) -> NDArray[np.int64]:
    """Return the colour of each job as 0xRRGGBB, (jobs,): that of its class, paler for every second one."""
    colours = np.append(class_colours(classes, theme), GREY)[classes.of_job]
    return np.where(classes.turn % 2 == 1, mixed(colours, 0xFFFFFF, ALTERNATE_SHARE), colours)


@kept_with_rows
def _own_classes(rows: ScheduleRows) -> JobClasses:
    return job_classes(rows.schedule.given)


def classes_of(content: ChartContent) -> JobClasses | None:
    """Return the classes of a chart's jobs; those of its own workload where nobody chose; None when empty."""
    if content.classes is not None or content.rows is None:
        return content.classes
    return _own_classes(content.rows)


def tones_of(content: ChartContent, theme: Theme) -> NDArray[np.int64]:
    """Return the tones of each job, (jobs, 6); jobs of a record that the document has no more are grey."""
    classes, rows = classes_of(content), content.rows
    if classes is None or rows is None:
        return tones_of_colours(np.zeros(0, np.int64), theme)
    colours = job_colours(classes, theme)
    if content.places is not None:
        places = content.places[1]
        colours = np.where(places >= 0, np.append(colours, GREY)[places], GREY)
    elif len(colours) != content.jobs:
        colours = np.full(content.jobs, GREY)  # a moment before the document's classes follow
    both = any(pool.own == BOTH_KINDS for pool in rows.pools)
    return tones_of_colours(colours, theme, shuffle_share(classes), deepens_reduces=both)


def squeeze_of(content: ChartContent, theme: Theme) -> Squeeze:
    """Return how tasks of a chart share a pixel: the colours of a scale mix."""
    classes = classes_of(content)
    if classes is not None and classes.by is ClassedBy.SIZE:
        return SCALE
    return DARK if theme.is_dark else LIGHT


def shuffle_share(classes: JobClasses | None) -> float:
    """Return how much of the lane shuffles have in their colour."""
    is_scale = classes is not None and classes.by is ClassedBy.SIZE
    return SIZE_SHUFFLE_SHARE if is_scale else SHUFFLE_SHARE


BOTH_KINDS = 2
"""`RowBand.own` of slots that run maps and reduces."""
