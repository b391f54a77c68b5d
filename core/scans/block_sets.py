"""Semi-shared scans: jobs that scan overlapping sets of blocks (003 sections 2.2, 3.3 and Figure 4).

The remaining blocks fall into the cells of a Venn diagram, one per set of jobs that still need them. Every
cell is a subjob, and a cell comes before another if it serves a proper superset of the other's jobs. Smith's
rule needs chains, so only the largest of the jobs' penalties can be optimised here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.scans.metric import check_metric, penalties
from core.scans.packing import pack
from core.scans.priority import backwards_order
from core.scans.subjobs import Subjob, shared_limits, shared_work

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.scans.metric import Metric
    from core.scans.scan_jobs import ScanJobs

Ranges = Sequence[tuple[float, float]]
"""Blocks that a job scans, as half-open ranges of slot-seconds along its dataset."""
INFINITY = float("inf")
ALMOST_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class CellPiece:
    """From `start` to `end` (seconds) the blocks that just the jobs `riders` need are scanned on `slots`."""

    riders: tuple[int, ...]
    start: float
    end: float
    slots: float


@dataclass(frozen=True, eq=False)
class BlockSetSchedule:
    """What the fluid model gives for sets of blocks.

    Attributes
    ----------
    jobs, slots, metric : what was scheduled
    finish : seconds, (jobs,)
    work : slot-seconds used in all
    pieces : who held how many slots when
    """

    jobs: ScanJobs
    slots: float
    metric: Metric
    finish: NDArray[np.float64]
    work: float
    pieces: tuple[CellPiece, ...]

    @property
    def value(self) -> float:
        """The metric that was optimised."""
        return self.metric.value(self.jobs, self.slots, self.finish)


@dataclass
class _Atom:
    """A range of blocks that no set divides: who still needs how much of it, the oldest job first."""

    dataset: int
    length: float
    start: float
    needs: list[tuple[int, float]]

    def subjobs(self) -> list[tuple[tuple[int, ...], float]]:
        """Return riders and length of each link of the atom's own chain."""
        lengths = np.diff([0.0, *(need for _, need in self.needs)])
        jobs = [job for job, _ in self.needs]
        return [(tuple(jobs[k:]), float(length)) for k, length in enumerate(lengths)]

    def scanned(self, riders: tuple[int, ...], length: float) -> None:
        """Let these riders need so much less."""
        self.needs = [(job, need - length if job in riders else need) for job, need in self.needs]
        self.needs = [(job, need) for job, need in self.needs if need > ALMOST_NOTHING * self.length]


def schedule_block_sets(
    jobs: ScanJobs, blocks: Sequence[Ranges], slots: float, metric: str = "max-stretch", *, share: bool = True
) -> BlockSetSchedule:
    """Schedule scans over sets of blocks; a new plan at each arrival.

    Parameters
    ----------
    jobs : what arrives; each job's work must be that of its blocks
    blocks : the ranges of each job
    slots : map slots of the cluster
    metric : a minimax metric
    share : whether jobs share scans (else each scans for itself: FLEX)

    Raises
    ------
    UnknownName, InputError
        the metric does not exist or cannot be optimised for sets; ranges and work disagree
    """
    chosen = check_metric(metric, semi_shared=True)
    _check_ranges(jobs, blocks)
    atoms = _atoms(jobs, blocks)
    finish = np.full(len(jobs.arrival), np.nan)
    pieces: list[CellPiece] = []
    for i, now in enumerate(jobs.arrival):
        _board(atoms, jobs, blocks, i)
        until = jobs.arrival[i + 1] if i + 1 < len(jobs.arrival) else INFINITY
        if until > now:
            pieces += _follow(atoms, jobs, chosen, slots, float(now), float(until), share)
            _note_finished(atoms, i, pieces, finish)
    finish.flags.writeable = False
    work = sum(piece.slots * (piece.end - piece.start) for piece in pieces)
    return BlockSetSchedule(jobs, slots, chosen, finish, work, tuple(pieces))


def cells_of(atoms: Sequence[_Atom], share: bool = True) -> dict[tuple[int, tuple[int, ...]], float]:
    """Return the length of each cell, by dataset and riders; without sharing a cell serves one job."""
    cells: dict[tuple[int, tuple[int, ...]], float] = {}
    for atom in atoms:
        for riders, length in atom.subjobs():
            for served in [riders] if share else [(job,) for job in riders]:
                key = (atom.dataset, served)
                cells[key] = cells.get(key, 0.0) + length
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


def _atoms(jobs: ScanJobs, blocks: Sequence[Ranges]) -> list[_Atom]:
    atoms = []
    for dataset in np.unique(jobs.dataset):
        own = [r for i, ranges in enumerate(blocks) if jobs.dataset[i] == dataset for r in ranges]
        cuts = sorted({cut for r in own for cut in r})
        atoms += [_Atom(int(dataset), b - a, a, []) for a, b in itertools.pairwise(cuts)]
    return atoms


def _board(atoms: Sequence[_Atom], jobs: ScanJobs, blocks: Sequence[Ranges], job: int) -> None:
    for atom in atoms:
        covered = any(begin <= atom.start < end for begin, end in blocks[job])
        if atom.dataset == jobs.dataset[job] and covered:
            atom.needs.append((job, atom.length))


def _follow(
    atoms: Sequence[_Atom],
    jobs: ScanJobs,
    metric: Metric,
    slots: float,
    now: float,
    until: float,
    share: bool,
) -> list[CellPiece]:
    """Plan the cells, follow the plan until the next arrival, and bring the atoms up to date."""
    cells = cells_of(atoms, share)
    if not cells:
        return []
    keys = sorted(cells, key=lambda cell: cell[1])  # ties: the cell of the older job comes first
    subjobs = {c: _subjob(jobs, key[1], cells[key]) for c, key in enumerate(keys)}
    successors = _successors(keys, share)
    work = {c: subjob.work / slots for c, subjob in subjobs.items()}

    def penalty(cell: int, end: float, later: Sequence[int]) -> float:
        closed = {job for c in later for job in subjobs[c].riders}
        ending = [job for job in subjobs[cell].riders if job not in closed]
        if not ending:
            return -INFINITY
        times = np.full(len(jobs.arrival), now + end)
        cost = metric.weights(jobs, slots) * penalties(metric.penalty, jobs, times)
        return float(cost[ending].max())

    priority = backwards_order(work, successors, penalty)
    intervals = pack(priority, subjobs, successors, slots, start=now, until=until)
    for interval in intervals:
        for cell, held in interval.slots.items():
            if held > 0:
                done = held * (interval.end - interval.start) / _cost(subjobs[cell])
                _scan(atoms, keys[cell], done, share)
    return [
        CellPiece(keys[cell][1], interval.start, interval.end, held)
        for interval in intervals
        for cell, held in interval.slots.items()
        if held > 0
    ]


def _subjob(jobs: ScanJobs, riders: tuple[int, ...], length: float) -> Subjob:
    work = shared_work(length, float(jobs.scan_fraction[riders[0]]), len(riders))
    lowest, highest = shared_limits(riders, jobs.minimum, jobs.maximum)
    return Subjob(riders, None, length, work, lowest, highest)


def _cost(subjob: Subjob) -> float:
    return subjob.work / subjob.length


def _successors(keys: Sequence[tuple[int, tuple[int, ...]]], share: bool) -> dict[int, set[int]]:
    """More-shared cells come before less-shared ones that they contain."""
    sets = [(dataset, set(riders)) for dataset, riders in keys]
    return {
        a: {b for b in range(len(keys)) if share and sets[a][0] == sets[b][0] and sets[a][1] > sets[b][1]}
        for a in range(len(keys))
    }


def _scan(atoms: Sequence[_Atom], cell: tuple[int, tuple[int, ...]], length: float, share: bool) -> None:
    """Take a length off the atoms of a cell, one after the other."""
    dataset, riders = cell
    for atom in atoms:
        if atom.dataset != dataset or length <= 0:
            continue
        if share:
            own = sum(size for served, size in atom.subjobs() if served == riders)
        else:
            own = sum(need for job, need in atom.needs if job == riders[0])
        if own > 0:
            part = min(own, length)
            atom.scanned(riders, part)
            length -= part


def _note_finished(
    atoms: Sequence[_Atom], last: int, pieces: Sequence[CellPiece], finish: NDArray[np.float64]
) -> None:
    needed = {job for atom in atoms for job, _ in atom.needs}
    for job in range(last + 1):
        if job not in needed and np.isnan(finish[job]):
            finish[job] = max(piece.end for piece in pieces if job in piece.riders)
