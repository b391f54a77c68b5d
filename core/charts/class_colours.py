"""The colours of classes of jobs: hues for what is only different, a scale from pale to deep for sizes.

Any two hues differ for every kind of sight, and they stand in an order in which neighbours differ most, as
neighbours in it are neighbours in time. Failed and killed attempts have colours that no job has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.inks import DARK, LIGHT, SCALE, Squeeze
from core.charts.painted_rows import classes_of
from core.charts.palette import SHUFFLE_SHARE, lane_colour, mixed, tones_of_colours
from core.charts.raster_kernel import MAP_TONE
from core.measures.job_classes import ClassedBy
from core.model.execution_history import LOOKS, OPEN_LOOKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.appearance import Appearance
    from core.charts.chart import DrawnChart
    from core.charts.painted_rows import PaintedRows
    from core.measures.job_classes import JobClasses

LIGHT_HUES = (
    0x007EBD,
    0xBB850C,
    0x07777D,
    0x7A54CE,
    0x5394CC,
    0x864121,
    0x4450B2,
    0xB54B85,
    0x6C8552,
)
DARK_HUES = (
    0x7194F8,
    0xE8BF5E,
    0x21B7A6,
    0xA685D8,
    0x6FC2E9,
    0xBA8A1D,
    0x7274E2,
    0xE78BB4,
    0xA6BB1C,
)
"""Blue, gold, teal, purple, sky, brown, indigo, pink and olive."""
DATASET_HUES = (0, 1, 2, 3, 7, 8, 5, 4, 6)
"""Of datasets in turn, of those: what has shades for shared scans stands first, as sky is a pale blue."""
LIGHT_REST, DARK_REST = 0x7C6B5A, 0xB19981
"""Taupe, of what was left over."""
LIGHT_SIZES = (0xB8860B, 0x6E9A1F, 0x128A7D, 0x2F7DBB, 0x3F4FA8)
DARK_SIZES = (0xF6E58A, 0xA5D46A, 0x45B8A0, 0x3F8FCB, 0x5868C2)
"""From small to large."""
LIGHT_SHADES = (0xB4CFF2, 0x85AEE6, 0x5B8FDA, 0x2F6FC4, 0x12346B)
DARK_SHADES = (0x24406B, 0x2F63A8, 0x5A9BE6, 0x9CC3F2, 0xE3EEFC)
"""From little to much: of waits and of depths of stages."""
LIGHT_SIDES = (0x0E7F74, 0x62ADA4, 0xA3A9B3, 0xD79B35, 0x9A4B00)
DARK_SIDES = (0x35B8A6, 0x2F7A70, 0x5F6875, 0xB07A2A, 0xF2B45C)
"""From earlier over alike to later."""
LIGHT_ENDS, DARK_ENDS = (0x2F6FC4, 0xBC8512), (0x5A9BE6, 0xE8BE5C)
"""In time and late."""
SERVICE_SHARE = 0.4
"""How much grey setup and cleanup have in their colour."""
ALTERNATE_SHARE = 0.17
"""How much white every second job of a class has in its colour, so that neighbours in time differ."""
SIZE_SHUFFLE_SHARE = 0.66
GREY = 0x8A8F98
"""Of a job that the document does not have, and of one whose tasks are of several classes."""


SCALES = {
    ClassedBy.SIZE: (LIGHT_SIZES, DARK_SIZES),
    ClassedBy.STAGE: (LIGHT_SHADES, DARK_SHADES),
    ClassedBy.WAIT: (LIGHT_SHADES, DARK_SHADES),
    ClassedBy.DEVIATION: (LIGHT_SIDES, DARK_SIDES),
    ClassedBy.OUTCOME: (LIGHT_ENDS, DARK_ENDS),
}
"""What has an order, with its colours in light and in dark charts."""


def class_colours(classes: JobClasses, theme: Appearance) -> NDArray[np.int64]:
    """Return the colour of each class as 0xRRGGBB, (classes,)."""
    count, is_dark = len(classes.classes), theme.is_dark
    if classes.by in SCALES:
        steps = np.array(SCALES[classes.by][is_dark])
        return steps[_spread(count, len(steps))]
    if classes.by is ClassedBy.DATASET:
        return np.array([dataset_colour(each.dataset, theme) for each in classes.classes], np.int64)
    hues = np.resize(np.array(DARK_HUES if is_dark else LIGHT_HUES), count)
    rest = np.array([each.is_rest for each in classes.classes], bool)
    return np.where(rest, DARK_REST if is_dark else LIGHT_REST, hues)


def dataset_colour(dataset: int, theme: Appearance) -> int:
    """Return the colour of a dataset by its number as 0xRRGGBB; that of what is left over for -1."""
    if dataset < 0:
        return DARK_REST if theme.is_dark else LIGHT_REST
    return (DARK_HUES if theme.is_dark else LIGHT_HUES)[DATASET_HUES[dataset % len(DATASET_HUES)]]


def _spread(count: int, steps: int) -> NDArray[np.int64]:
    """Return so many steps of a scale, as far apart as they can be."""
    if count == 1:
        return np.array([steps // 2])
    return np.linspace(0, steps - 1, count).round().astype(np.int64)


def job_colours(classes: JobClasses, theme: Appearance) -> NDArray[np.int64]:
    """Return the colour of each job as 0xRRGGBB, (jobs,): that of its class, paler for every second one."""
    colours = np.append(class_colours(classes, theme), GREY)[classes.of_job]
    return np.where(classes.turn % 2 == 1, mixed(colours, 0xFFFFFF, ALTERNATE_SHARE), colours)


def tones_of(chart: DrawnChart, theme: Appearance) -> NDArray[np.int64]:
    """Return the tones of each job, (jobs, 6); jobs of a record that the document has no more are grey."""
    classes, rows = classes_of(chart), chart.rows
    if classes is None or rows is None:
        return tones_of_colours(np.zeros(0, np.int64), theme)
    colours = job_colours(classes, theme)
    if chart.places is not None:
        places = chart.places[1]
        colours = np.where(places >= 0, np.append(colours, GREY)[places], GREY)
    elif len(colours) != chart.jobs:
        colours = np.full(chart.jobs, GREY)  # a moment before the document's classes follow
    both = any(pool.has_both_kinds for pool in rows.pools)
    return tones_of_colours(colours, theme, shuffle_share(classes), deepens_reduces=both)


def group_tones(
    chart: DrawnChart, theme: Appearance, painted: PaintedRows, owners: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the tones of each group of what is painted, (groups, 6).

    Parameters
    ----------
    owners : the tones of jobs or stages; their tasks have them if all of a job are of one class, (owners, 6)
    """
    classes = classes_of(chart)
    own = tones_of(chart, theme)[: painted.jobs]
    if classes is not None and classes.of_tasks is not None:
        colours = class_colours(classes, theme) if classes.classes else np.array([GREY])
        tones = tones_of_colours(colours, theme, shuffle_share(classes))
        owners = np.tile(tones, (painted.owners, 1))
    service = mixed(theme.rgb("third_text"), lane_colour(theme), 1 - SERVICE_SHARE)
    looks = [theme.rgb("failed"), theme.rgb("killed"), *[int(service)] * 4]
    plain = np.repeat(np.array(looks, np.int64), painted.jobs + 1)
    attempts = np.repeat(plain[:, np.newaxis], owners.shape[1], axis=1)
    for look in OPEN_LOOKS:
        first = LOOKS.index(look) * (painted.jobs + 1)
        attempts[first : first + len(own)] = own[:, [MAP_TONE]]
    return np.concatenate([owners, attempts])


def squeeze_of(chart: DrawnChart, theme: Appearance) -> Squeeze:
    """Return how tasks of a chart share a pixel: the colours of a scale mix."""
    classes = classes_of(chart)
    if classes is not None and classes.by in SCALES:
        return SCALE
    return DARK if theme.is_dark else LIGHT


def shuffle_share(classes: JobClasses | None) -> float:
    """Return how much of the lane shuffles have in their colour."""
    is_scale = classes is not None and classes.by in SCALES
    return SIZE_SHUFFLE_SHARE if is_scale else SHUFFLE_SHARE
