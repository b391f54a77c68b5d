"""The places of a study whose schedules a page shows: a cell with all its policies, for its first seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.chart import charts_of
from core.charts.charts_page import charts_page
from core.files.packed_columns import deflated
from core.files.schedule_page import deflated_json
from core.model.errors import SlotscopeError
from core.study.cell_run import CellRunner
from core.study.cells import cell_at
from core.study.measures import FLUID
from core.study.pictures import PLACE
from core.study.point_names import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.files.atomic import Watch
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.user_files.source import PolicySource
    from core.study.pictures import PictureRows
    from core.study.study import Axis, Study

    Position = tuple[int, ...]

MAX_CHARTS = 12
"""Policies whose schedules are shown of a place: the first ones."""
MIN_BYTES = 1.0
"""Of a task in a page: fewer are never needed."""
NO_TASKS = "its model shares slots like a fluid, so that there are no tasks to draw"


class ClickedPlace(NamedTuple):
    """A place of a study, and what a click on it shows.

    Attributes
    ----------
    label : where it is: "nodes 64, seed 1"
    positions : the cells with their policies, each by its place on every axis
    """

    label: str
    positions: tuple[Position, ...]


class Places:
    """Numbers the places that marks of pictures lie at, as they come."""

    def __init__(self, study: Study, rows: PictureRows) -> None:
        self._study = study
        axes = [axis.name for axis in study.axes]
        self._beside = compared_axis(study)
        self._at = -1 if self._beside is None else axes.index(self._beside.name)
        table = rows.rows[[f"{PLACE}{name}" for name in axes]].drop_duplicates().to_numpy(np.int64)
        self._policies: dict[Position, list[int]] = {}
        for cell in map(tuple, table.tolist()):
            key, policy = self._split(cell)
            self._policies.setdefault(key, []).append(policy)
        self._numbers: dict[Position, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, position: Position) -> int:
        """Return the number of the place in which a cell is."""
        key, _ = self._split(position)
        return self._numbers.setdefault(key, len(self._numbers))

    def opened(self) -> list[ClickedPlace]:
        """Return all places by their numbers."""
        return [ClickedPlace(self._label(key), self._positions(key)) for key in self._numbers]

    def _split(self, position: Position) -> tuple[Position, int]:
        """Return a cell without its policy, and its policy."""
        if self._at < 0:
            return position, -1
        return (*position[: self._at], -1, *position[self._at + 1 :]), position[self._at]

    def _positions(self, key: Position) -> tuple[Position, ...]:
        known = sorted(self._policies.get(key, ()))[:MAX_CHARTS]
        if self._at < 0:
            return (key,) if known else ()
        return tuple((*key[: self._at], policy, *key[self._at + 1 :]) for policy in known)

    def _label(self, key: Position) -> str:
        words = [
            f"{axis.name} {name_of(axis, place)}"
            for axis, place in zip(self._study.axes, key, strict=True)
            if place >= 0 and len(axis.points) > 1
        ]
        seed = [f"seed {self._study.first_seed}"] if self._study.seeds else []
        return ", ".join([*words, *seed]) or self._study.name


def compared_axis(study: Study) -> Axis | None:
    """Return the axis whose schedules stand beside one another: of policies that run the same jobs."""
    for axis in study.axes:
        if "policy.id" in axis.sets and not any(name.startswith("workload.") for name in axis.sets):
            return axis
    return None


@dataclass(frozen=True)
class PlaceSchedules:
    """What a page carries of schedules.

    Attributes
    ----------
    packed : facts and columns of each place that has them, deflated
    of_place : which of them a place has, -1 for none, by its number
    why_none : why places have none, by their numbers, where it is not for want of room
    """

    packed: list[tuple[str, str]]
    of_place: list[int]
    why_none: dict[int, str]

    @property
    def bytes(self) -> int:
        """How long they are together."""
        return sum(len(facts) + len(columns) for facts, columns in self.packed)


class ScheduleMaker:
    """Simulates the cells of places again, as far as there is room."""

    def __init__(
        self,
        study: Study,
        files: Mapping[str, Workload],
        policies: Mapping[str, PolicySource] | None = None,
    ) -> None:
        self._study, self._runner = study, CellRunner(files, policies)
        self._beside = compared_axis(study)

    def made(
        self, places: Sequence[ClickedPlace], first: int, most: int, room: float, watch: Watch
    ) -> PlaceSchedules:
        """Return the schedules of places until there are enough: of the first ones, then of the others.

        Parameters
        ----------
        places : all places, by their numbers
        first : so many of them come before the others; both are evenly spread among theirs
        most : so many places have schedules, at most
        room : bytes that they take together, at most
        watch : told how far it is

        Raises
        ------
        Cancelled
            the watch says so
        """
        found = PlaceSchedules([], [-1] * len(places), {})
        order = spread_order(first) + [first + each for each in spread_order(len(places) - first)]
        for number in watch.over(order, step=1):
            if len(found.packed) >= most:
                break
            left = room - found.bytes
            try:
                packed = self._packed(places[number], left)
            except SlotscopeError as error:
                found.why_none[number] = " ".join(str(error).split())
                continue
            if packed is None or sum(map(len, packed)) > left:
                break
            found.of_place[number] = len(found.packed)
            found.packed.append(packed)
        return found

    def _packed(self, place: ClickedPlace, left: float) -> tuple[str, str] | None:
        """Return the page of a place; None where there is certainly no room for it."""
        titled = []
        for position in place.positions:
            cell = cell_at(self._study, position)
            if cell.settings.get("simulation.model") == FLUID:
                raise SlotscopeError(NO_TASKS)
            wanted = self._runner.scenario_of(cell)
            if len(place.positions) * len(wanted.workload.columns.job) * MIN_BYTES > left:
                return None
            titled.append((self._title(position), self._runner.simulate(wanted)))
        return _page(titled)

    def _title(self, position: Position) -> str:
        """Return what the chart of a cell is called: its policy."""
        if self._beside is None:
            return self._study.name or "Schedule"
        at = [axis.name for axis in self._study.axes].index(self._beside.name)
        return name_of(self._beside, position[at])


def _page(titled: list[tuple[str, Schedule]]) -> tuple[str, str]:
    """Return the charts of a place, packed: facts, whose roles of colours the page has once, and columns."""
    page = charts_page(charts_of(titled))
    for colours in page.facts["themes"].values():
        del colours["roles"]
    return deflated_json(page.facts), deflated(page.columns)


def spread_order(count: int) -> list[int]:
    """Return 0 to count - 1 so that the first of them are spread evenly: places with their bits reversed.

    >>> spread_order(5)
    [0, 4, 2, 1, 3]
    """
    bits = max(count - 1, 1).bit_length()
    return sorted(range(count), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))
