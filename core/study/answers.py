"""What the numbers of a picture come to: where a curve is as good as it gets, and what lies farthest behind.

Everything here is pure, on arrays as `PictureRows.table` gives them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.study.pictures import NEAR, regret

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Course(NamedTuple):
    """How a measure goes along an axis; places of the axis.

    Attributes
    ----------
    first, last : the outermost places that are known
    best, worst : where the value is best and worst, the first of equal ones
    settles : from here on every value is within `NEAR` of the best one; -1 where the last one is not
    """

    first: int
    last: int
    best: int
    worst: int
    settles: int


def course_of(values: NDArray[np.float64], *, less_is_better: bool) -> Course | None:
    """Return how a measure goes along an axis; None where fewer than two of its values are known.

    Parameters
    ----------
    values : (places,), nan where nothing is known
    """
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < 2:
        return None
    lost = regret(values[known], less_is_better=less_is_better)
    bad = np.flatnonzero(lost > NEAR)
    after = int(bad[-1]) + 1 if len(bad) else 0
    order = values[known] if less_is_better else -values[known]
    return Course(
        int(known[0]),
        int(known[-1]),
        int(known[order.argmin()]),
        int(known[order.argmax()]),
        int(known[after]) if after < len(known) else -1,
    )


class Farthest(NamedTuple):
    """What lies farthest behind the best of its cell.

    Attributes
    ----------
    cell : the places of that cell, without the compared one
    place : of the compared one
    value, best : its value, and the best one there
    lost : by which part it is worse than the best; infinite where the best is 0
    """

    cell: tuple[int, ...]
    place: int
    value: float
    best: float
    lost: float


def farthest_behind(values: NDArray[np.float64], *, less_is_better: bool) -> Farthest | None:
    """Return what is worst beside the best of its cell; None where nothing is worse by more than `NEAR`.

    Parameters
    ----------
    values : (…, compared), nan where nothing is known; a cell counts where all its values are known
    """
    lost = np.nan_to_num(regret(values, less_is_better=less_is_better), nan=-1.0, posinf=np.inf)
    if not lost.size or float(lost.max()) <= NEAR:
        return None
    *cell, place = (int(k) for k in np.unravel_index(int(lost.argmax()), lost.shape))
    here = values[tuple(cell)]
    best = float(here.min() if less_is_better else here.max())
    return Farthest(tuple(cell), place, float(here[place]), best, float(lost[(*cell, place)]))
