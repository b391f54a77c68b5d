"""Numbers of the pictures of a study: rows gathered by axes, what is lost to the best, what nothing beats.

Everything here is pure: from rows as `StudyResults.frame` gives them to arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from core.study.study import Axis, Study

NEAR = 0.01
"""So little worse than the best counts as good as the best."""
PERCENT = "%"
PLACE = "place of "
"""Before the name of an axis: the column of the places of rows on it."""
SPREAD = ("mean", "min", "max", "count")


class PictureRows:
    """The rows that went well, with the place of each on every axis; fractions are of a hundred.

    Attributes
    ----------
    axes : of the study, by name
    rows : columns `cell`, `repetition`, ``place of AXIS`` for each axis, and the measures
    """

    def __init__(
        self,
        study: Study,
        frame: pd.DataFrame,
        measures: Iterable[str],
        where: Iterable[tuple[str, int]] = (),
    ) -> None:
        """Take the rows that lie at certain places: `where` has names of axes and places on them."""
        self.axes = {axis.name: axis for axis in study.axes}
        good = frame[frame["error"].isna()]
        columns = {f"{PLACE}{axis.name}": _places(axis, good[axis.name]) for axis in study.axes}
        values = {name: _in_percent(name, good[name]) for name in measures}
        rows = pd.DataFrame({"cell": good["cell"], "repetition": good["repetition"]} | columns | values)
        for name, place in where:
            rows = rows[rows[f"{PLACE}{name}"] == place]
        self.rows = rows

    def spread(self, measure: str, *names: str) -> pd.DataFrame:
        """Return `SPREAD` of a measure over the repetitions, by places on these axes; others are averaged."""
        keys = [f"{PLACE}{name}" for name in names]
        mean = self.rows.groupby([*keys, "repetition"], sort=True)[measure].mean()
        if not keys:
            return mean.agg(list(SPREAD)).to_frame().T
        return mean.groupby(level=keys).agg(list(SPREAD))

    def table(self, measure: str, *names: str) -> NDArray[np.float64]:
        """Return the means as an array with a dimension for each axis, nan where nothing is known."""
        found = np.full([len(self.axes[name].points) for name in names], np.nan)
        spread = self.spread(measure, *names)
        index = spread.index.to_frame().to_numpy(np.int64)
        found[tuple(index.T)] = spread["mean"].to_numpy(np.float64)
        return found

    def at(self, fixed: Mapping[str, int]) -> pd.DataFrame:
        """Return the rows at these places on axes."""
        rows = self.rows
        for name, place in fixed.items():
            rows = rows[rows[f"{PLACE}{name}"] == place]
        return rows

    def position(self, fixed: Mapping[str, int]) -> tuple[int, ...]:
        """Return a cell with these places; on axes that are averaged it has those of the first such row."""
        rows = self.at(fixed)
        first = {} if not len(rows) else rows.iloc[0].to_dict()
        return tuple(int(fixed.get(name, first.get(f"{PLACE}{name}", 0))) for name in self.axes)

    def cells(self, measures: Iterable[str]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the places of every cell, (cells, axes), and the means of measures, (cells, measures)."""
        keys, wanted = [f"{PLACE}{name}" for name in self.axes], list(measures)
        means = self.rows.groupby(["cell", *keys])[list(dict.fromkeys(wanted))].mean().dropna().reset_index()
        return means[keys].to_numpy(np.int64), means[wanted].to_numpy(np.float64)


def _places(axis: Axis, column: pd.Series) -> NDArray[np.int64]:
    """Return at which point of its axis each row is."""
    return pd.Index(axis.column).get_indexer(pd.Index(column)).astype(np.int64)


def _in_percent(name: str, values: pd.Series) -> pd.Series:
    return values * 100 if MEASURES[name].unit == PERCENT else values


def is_less_better(measure: str) -> bool:
    """Whether less of a measure is better; so it is where neither is known."""
    return MEASURES[measure].better != "more"


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
