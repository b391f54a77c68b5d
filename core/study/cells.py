"""From a cell's number to what it sets: a pure function, so that no list of cells is kept or sent anywhere.

Rows are worked through in another order than they are numbered: those of one workload come one after the
other, since drawing jobs may take longer than simulating them.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from core.generate.families import FAMILIES
from core.model.kept_answers import kept
from core.policies.registry import POLICIES, describe
from core.study.policy_names import FILE, is_file_policy
from core.study.study_fields import POLICY, RATES, SLOT_KINDS, SOURCES, WORKLOAD, typed_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from core.study.study import Changes, Study
    from core.study.study_fields import Value

VERSION_OF_RESULTS = 1
"""Goes up when a simulation gives other numbers than before: rows of older results then do not count."""
KEY_BYTES = 16
DEFAULT_POLICY = "fifo"
DRAWN_FROM = ("workload.", "deadlines.")
"""Fields that decide what is drawn before anything is simulated."""
TAKES = {f"{WORKLOAD}{f.id}": {p.name for p in f.parameters} for f in FAMILIES} | {
    f"{POLICY}{policy.id}": {p.name for p in policy.parameters} for policy in POLICIES
}
"""The parameters that each family and policy has."""
MASK = (1 << 64) - 1
Places = TypeVar("Places", int, "NDArray[np.int64]")
"""One place in the order of work, or many at once."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One simulation: a cell in one of its repetitions.

    Attributes
    ----------
    number, repetition : from 0
    seed : of the repetition
    position : its place on each axis
    settings : every field that counts with its value; those that mean nothing here are left out
    """

    number: int
    repetition: int
    seed: int
    position: tuple[int, ...]
    settings: Mapping[str, Value]


def settings_of(study: Study, number: int, repetition: int = 0) -> Cell:
    """Return a cell by its number.

    Parameters
    ----------
    study : one that breaks no rule
    number : from 0 to `Study.cell_count` - 1
    repetition : from 0 to `Study.repetitions` - 1
    """
    return _cells(study).cell(number, repetition)


def cell_at(study: Study, position: Iterable[int], repetition: int = 0) -> Cell:
    """Return the cell at a place on each axis, also where the design has none; numbers are those of a grid.

    In a list or a sample the number is -1.
    """
    cells, place = _cells(study), tuple(position)
    return cells.at(place, cells.number_of(place), repetition)


@dataclass(frozen=True, slots=True)
class CellRow:
    """What came of a cell.

    Attributes
    ----------
    values : of the measures, in their order; nan where there is none
    error : why there are none, as a sentence; empty if all went well
    """

    values: tuple[float, ...]
    error: str = ""


@kept(8)
def _cells(study: Study) -> Cells:
    return Cells(study)


class Cells:
    """The cells of one study, with what they share worked out once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._sizes = [len(axis.points) for axis in study.axes]
        self._base = _merged({}, [_in_types(study.base)])
        self._changes = [[point.changes for point in axis.points] for axis in study.axes]
        self._is_grid = study.design.kind == "grid"

    # ---- the order of work

    @cached_property
    def _work_order(self) -> list[int]:
        """The axes from the one that changes least often to the fastest; -1 stands for the repetition."""
        drawn = [
            place
            for place, axis in enumerate(self.study.axes)
            if any(name.startswith(DRAWN_FROM) for name in axis.sets)
        ]
        others = [place for place in range(len(self._sizes)) if place not in drawn]
        draws = any(name.startswith(DRAWN_FROM) for name in self.study.seeds)
        return [*drawn, -1, *others] if draws else [*drawn, *others, -1]

    def row_of_work(self, work: Places) -> tuple[Places, Places]:
        """Return which cell and repetition are the so-and-so-many-th to be worked through, from 0."""
        repetitions = self.study.repetitions
        if not self._is_grid:
            later, number = divmod(work, self.study.cell_count)
            return number, later
        position: list[Any] = [0] * len(self._sizes)
        repetition: Any = 0
        for place in reversed(self._work_order):
            work, digit = divmod(work, repetitions if place < 0 else self._sizes[place])
            if place < 0:
                repetition = digit
            else:
                position[place] = digit
        return self.number_of(position), repetition

    # ---- cells

    def number_of(self, position: Iterable[Any]) -> Any:
        """Return the number of the cell of a grid at a place on each axis; the last axis changes fastest."""
        if not self._is_grid:
            return -1
        number: Any = 0
        for size, digit in zip(self._sizes, position, strict=True):
            number = number * size + digit
        return number

    def position(self, number: int) -> tuple[int, ...]:
        """Return a cell's place on each axis."""
        design = self.study.design
        if design.kind == "list":
            return design.cells[number]
        if design.kind == "sample":
            number = _shuffled(number, self.study.grid_count, design.seed)
        position = []
        for size in reversed(self._sizes):
            number, digit = divmod(number, size)
            position.append(digit)
        return tuple(reversed(position))

    def cell(self, number: int, repetition: int) -> Cell:
        """Return a cell's repetition."""
        return self.at(self.position(number), number, repetition)

    def at(self, position: tuple[int, ...], number: int, repetition: int) -> Cell:
        """Return what is set at a place on each axis."""
        seed = self.study.first_seed + repetition
        changes = [of_axis[at] for of_axis, at in zip(self._changes, position, strict=True)]
        changes.append(tuple((name, seed) for name in self.study.seeds))
        return Cell(number, repetition, seed, position, _that_count(_merged(self._base, changes)))

    def key(self, cell: Cell, digests: Mapping[str, str]) -> bytes:
        """Return a hash of all that a row depends on; `digests` has those of files, by their names."""
        settings = dict(cell.settings)
        if (name := settings.get("workload.file")) is not None:
            settings["workload.file"] = digests.get(str(name), "")
        if is_file_policy(name := settings["policy.id"]):
            settings["policy.id"] = f"{FILE}{digests.get(str(name), '')}"
        parts = [VERSION_OF_RESULTS, sorted(settings.items()), sorted(self.study.measures)]
        return hashlib.sha256(json.dumps(parts).encode()).digest()[:KEY_BYTES]


def _in_types(changes: Changes) -> Changes:
    return tuple((name, typed_value(name, value)) for name, value in changes)


def _merged(settings: Mapping[str, Value], steps: Iterable[Changes]) -> dict[str, Value]:
    """Return the settings with changes one after the other; what a change takes the place of goes."""
    merged = dict(settings)
    for step in steps:
        for name, value in step:
            for other in DISPLACES.get(name, ()):
                merged.pop(other, None)
            merged[name] = value
    return merged


DISPLACES = {
    name: tuple(other for another in kinds if another is not kind for other in another)
    for kinds in (SLOT_KINDS, *(tuple((name,) for name in names) for names in (SOURCES, RATES)))
    for kind in kinds
    for name in kind
}
"""The fields that go when one is set: other sources of the workload, other rates, other kinds of slots."""


@lru_cache(maxsize=256)
def _plans(policy: str) -> bool:
    return describe(policy).plans


def _that_count(settings: dict[str, Value]) -> dict[str, Value]:
    """Return the settings without those that mean nothing beside the others; the order is that of names."""
    policy = str(settings.setdefault("policy.id", DEFAULT_POLICY))
    takes = {WORKLOAD: TAKES.get(f"{WORKLOAD}{settings.get('workload.family', '')}", set())}
    if not is_file_policy(policy):  # what a file takes is known where it runs
        takes[POLICY] = TAKES.get(f"{POLICY}{policy}", set())
    drops = set()
    if not settings.get("estimates.error") or not (is_file_policy(policy) or _plans(policy)):
        drops |= {"estimates.error", "estimates.per", "estimates.seed"}
    if "deadlines.factor" not in settings:
        drops.add("deadlines.seed")
    if not {"workload.family", *RATES} & settings.keys():
        drops.add("workload.seed")
    for prefix, known in takes.items():
        start = len(prefix)
        drops |= {name for name in settings if name.startswith(prefix) and name[start:] not in known}
    return {name: settings[name] for name in sorted(settings) if name not in drops}


# ---- samples: a permutation of all cells of a grid, of which the first are taken


def _shuffled(number: int, count: int, seed: int) -> int:
    """Return where a seeded permutation of 0 to count - 1 sends a number, without keeping the permutation.

    Halves of its bits are mixed with each other in rounds, which can be undone and so never gives one number
    twice; what falls outside is sent on until it falls inside.
    """
    half = max(1, math.ceil((count - 1).bit_length() / 2))
    low = (1 << half) - 1
    while True:
        left, right = number >> half, number & low
        for turn in range(6):
            left, right = right, left ^ (_mixed(right + (seed << 8) + (turn << 40)) & low)
        number = left << half | right
        if number < count:
            return number


def _mixed(number: int) -> int:
    """Return 64 bits that look random (the finaliser of SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & MASK
    return number ^ (number >> 31)
