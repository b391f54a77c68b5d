"""Rows of a study gathered by axes, for its pictures.

Everything here is pure: from rows as `StudyResults.frame` gives them to arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from core.study.study import Axis, Study

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
