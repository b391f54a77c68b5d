"""What the numbers of a picture come to: what is lost to the best, which is best, what is worst.

Everything here is pure, on arrays as `PictureRows.table` gives them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 0.01
"""So little worse than the best counts as good as the best."""


def regret(values: NDArray[np.float64], *, less_is_better: bool) -> NDArray[np.float64]:
    """Return by which part each value along the last dimension is worse than the best of its cell.

    A cell is known where all of its values are; nan elsewhere.
    """
    best = values.min(-1, keepdims=True) if less_is_better else values.max(-1, keepdims=True)
    apart = np.abs(values - best)
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = np.where(apart == 0, 0.0, apart / np.abs(best))
    known: NDArray[np.float64] = np.where(np.isfinite(values).all(-1, keepdims=True), lost, np.nan)
    return known


class WhichBest(NamedTuple):
    """Which one is best or nearly so most often.

    Attributes
    ----------
    place : of it
    part : of the known cells in which it is, 0 to 1
    cells : how many cells are known
    later : from this place of x on another one is nearly the best most often; -1 if none is
    other : that one, -1 if none
    """

    place: int
    part: float
    cells: int
    later: int = -1
    other: int = -1


def which_best(lost: NDArray[np.float64]) -> WhichBest | None:
    """Return which one to take; None where nothing is known, or there is nothing to choose from.

    Parameters
    ----------
    lost : the regret, (x, y, compared)
    """
    known = np.asarray(np.isfinite(lost).all(-1), np.bool_)
    if lost.shape[-1] < 2 or not known.any():
        return None
    is_good = np.where(lost[known] <= NEAR, 1.0, 0.0)
    good: NDArray[np.float64] = is_good.mean(0)
    most, cells = int(good.argmax()), int(known.sum())
    found = WhichBest(most, float(good[most]), cells)
    columns = [np.where(lost[i][known[i]] <= NEAR, 1, 0).sum(0) for i in range(len(lost))]
    winners = [int(counts.argmax()) if known[i].any() else -1 for i, counts in enumerate(columns)]
    later = next((i for i in range(len(winners), 0, -1) if winners[i - 1] != winners[-1]), 0)
    is_another = 0 < later < len(winners) and winners[-1] not in (most, -1) and found.part < 1
    return found._replace(later=later, other=winners[-1]) if is_another else found


def unbeaten(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points no other one beats in both numbers, where less is better, (points,)."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    least = np.concatenate([[np.inf], np.minimum.accumulate(points[order, 1])[:-1]])
    found = np.zeros(len(points), bool)
    found[order] = points[order, 1] < least
    return found


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
