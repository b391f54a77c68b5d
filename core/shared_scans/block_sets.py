"""Semi-shared scans: jobs that scan overlapping sets of blocks, in the fluid model (003 2.2, 3.3, Figure 4).

The remaining blocks fall into the cells of a Venn diagram, one per set of jobs that still need them; every
cell is a subjob (`core.shared_scans.cells`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.shared_scans.cells import CellPlanner
from core.shared_scans.fluid import ScanSchedule
from core.shared_scans.metric import check_metric
from core.shared_scans.windows import boarding_times

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.shared_scans.cells import Cell, CellPlan
    from core.shared_scans.scan_jobs import ScanJobs
    from core.shared_scans.windows import ScanPolicy

Ranges = Sequence[tuple[float, float]]
"""Blocks that a job scans, as half-open ranges of slot-seconds along its dataset."""
INFINITY = float("inf")
ALMOST_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class CellPiece:
    """From `start` to `end` (seconds) the blocks that just `sharing_jobs` need are scanned on `slots`.

    `place` counts the cells of the group at that plan by priority, from 1. `scanned` are the stretches of
    the dataset that are scanned meanwhile: from which slot-second on, and how many.
    """

    place: int
    sharing_jobs: tuple[int, ...]
    start: float
    end: float
    slots: float
    scanned: Ranges = ()

    @property
    def when(self) -> tuple[float, float, float]:
        """Start, end and slots."""
        return self.start, self.end, self.slots


@dataclass(frozen=True, eq=False)
class BlockSetSchedule(ScanSchedule):
    """What the fluid model gives for sets of blocks.

    Attributes
    ----------
    group : jobs of one group share their scans, (jobs,)
    pieces : who held how many slots when
    plans : when each plan was made, seconds, and the place of each cell among those of its group in it
    """

    group: NDArray[np.int64]
    pieces: tuple[CellPiece, ...]
    plans: tuple[tuple[float, Mapping[Cell, int]], ...]


@dataclass
class _Atom:
    """A range of blocks that no set divides: which jobs still need how much of it, first to board first."""

    group: int
    length: float
    start: float
    needs: list[tuple[int, float]]

    def subjobs(self) -> list[tuple[tuple[int, ...], float]]:
        """Return sharing jobs and length of each link of the atom's own chain."""
        lengths = np.diff([0.0, *(need for _, need in self.needs)])
        jobs = [job for job, _ in self.needs]
        return [(tuple(jobs[k:]), float(length)) for k, length in enumerate(lengths)]

    def scan(self, sharing_jobs: tuple[int, ...], length: float) -> None:
        """Scan a length for some jobs: they need that much less of it."""
        self.needs = [(job, need - length if job in sharing_jobs else need) for job, need in self.needs]
        self.needs = [(job, need) for job, need in self.needs if need > ALMOST_NOTHING * self.length]


def schedule_block_sets(
    jobs: ScanJobs,
    blocks: Sequence[Ranges],
    slots: float,
    metric: str = "max-stretch",
    policy: ScanPolicy = "circumflex",
    *,
    window: float = 0.0,
    load: float = 0.9,
) -> BlockSetSchedule:
    """Schedule scans over sets of blocks; a new plan whenever jobs board.

    Parameters
    ----------
    jobs : what arrives; each job's work must be that of its blocks
    blocks : the ranges of each job
    slots : map slots of the cluster
    metric : a minimax metric
    policy, window, load : as of `core.shared_scans.fluid.schedule_scans`

    Raises
    ------
    UnknownName, InputError
        the metric does not exist or cannot be optimised for sets; ranges and work disagree
    """
    chosen = check_metric(metric, semi_shared=True)
    _check_ranges(jobs, blocks)
    times = boarding_times(jobs, slots, policy, chosen, window, load)
    planner = CellPlanner(jobs, chosen, slots)
    atoms, order = _atoms(times.group, blocks), times.order.tolist()
    boards = [float(times.boards[job]) for job in order]
    finish = np.full(len(jobs.arrival), np.nan)
    pieces: list[CellPiece] = []
    plans: list[tuple[float, Mapping[Cell, int]]] = []
    for i, (job, now, until) in enumerate(zip(order, boards, [*boards[1:], INFINITY], strict=True)):
        _board(atoms, int(times.group[job]), blocks[job], job)
        if until > now:
            plan = planner.plan(cells_of(atoms), now)
            plans.append((now, {plan.keys[cell]: place for cell, place in plan.places().items()}))
            pieces += _follow(atoms, planner, plan, now, until)
            _note_finished(atoms, order[: i + 1], pieces, finish)
    for column in (finish, times.boards, times.group):
        column.flags.writeable = False
    return BlockSetSchedule(
        jobs=jobs,
        slots=slots,
        policy=policy,
        metric=chosen,
        boarded=times.boards,
        finish=finish,
        work=sum(piece.slots * (piece.end - piece.start) for piece in pieces),
        group=times.group,
        pieces=tuple(pieces),
        plans=tuple(plans),
    )


def cells_of(atoms: Sequence[_Atom]) -> dict[Cell, float]:
    """Return the length of each cell, by group and sharing jobs."""
    cells: dict[Cell, float] = {}
    for atom in atoms:
        for sharing_jobs, length in atom.subjobs():
            cells[atom.group, sharing_jobs] = cells.get((atom.group, sharing_jobs), 0.0) + length
    return {key: length for key, length in cells.items() if length > 0}


def _check_ranges(jobs: ScanJobs, blocks: Sequence[Ranges]) -> None:
    for i, ranges in enumerate(blocks):
        ordered = sorted(ranges)
        apart = all(a[1] <= b[0] for a, b in itertools.pairwise(ordered))
        if not ordered or not apart or any(not 0 <= begin < end for begin, end in ordered):
            raise InputError(f"scan job {i}: its blocks must be ranges from 0 on that do not overlap")
        whole = sum(end - begin for begin, end in ordered)
        if abs(whole - jobs.work[i]) > ALMOST_NOTHING * whole:
            raise InputError(
                f"scan job {i}: its work is {jobs.work[i]:g} slot-seconds and its blocks {whole:g}"
            )


def _atoms(group: NDArray[np.int64], blocks: Sequence[Ranges]) -> list[_Atom]:
    atoms = []
    for which in np.unique(group):
        own = [r for i, ranges in enumerate(blocks) if group[i] == which for r in ranges]
        cuts = sorted({cut for r in own for cut in r})
        atoms += [_Atom(int(which), b - a, a, []) for a, b in itertools.pairwise(cuts)]
    return atoms


def _board(atoms: Sequence[_Atom], group: int, ranges: Ranges, job: int) -> None:
    for atom in atoms:
        if atom.group == group and any(begin <= atom.start < end for begin, end in ranges):
            atom.needs.append((job, atom.length))


def _follow(
    atoms: Sequence[_Atom], planner: CellPlanner, plan: CellPlan, now: float, until: float
) -> list[CellPiece]:
    """Follow a plan until the next job boards, and bring the atoms up to date.

    Ready cells hold their slots from one completion to the next (ready-list malleable packing, 003 B.3).
    """
    places, left = plan.places(), dict(plan.work)
    pieces = []
    while left and now < until:
        given = plan.allocate(plan.ready(left))
        ends = {cell: now + left[cell] / held for cell, held in given.items() if held > 0}
        end = min(*ends.values(), until)
        for cell, held in given.items():
            key = plan.keys[cell]
            if held > 0 and end > now:
                scanned = _scan(atoms, key, held * (end - now) / planner.cost(key))
                pieces.append(CellPiece(places[cell], key[1], now, end, held, scanned))
            left[cell] -= held * (end - now)
            if ends.get(cell, INFINITY) <= end:
                del left[cell]
        now = end
    return pieces


def _scan(atoms: Sequence[_Atom], cell: Cell, length: float) -> Ranges:
    """Take a length off the atoms of a cell, one after the other; return how much of each from where."""
    group, sharing_jobs = cell
    scanned: list[tuple[float, float]] = []
    for atom in atoms:
        if atom.group == group and length > 0:
            own = sum(size for served, size in atom.subjobs() if served == sharing_jobs)
            if own > 0:
                scanned.append((atom.start, min(own, length)))
                atom.scan(sharing_jobs, min(own, length))
                length -= min(own, length)
    return tuple(scanned)


def _note_finished(
    atoms: Sequence[_Atom], boarded: Sequence[int], pieces: Sequence[CellPiece], finish: NDArray[np.float64]
) -> None:
    needed = {job for atom in atoms for job, _ in atom.needs}
    for job in boarded:
        if job not in needed and np.isnan(finish[job]):
            finish[job] = max(piece.end for piece in pieces if job in piece.sharing_jobs)
