"""Semi-shared scans task by task: a block that several jobs wait for is one map of the first of them.

Source: 003 section 3.3 (precedence), appendices A.1 (the two layers) and C.3 (drivers and sharing jobs). A
job that boards shares the maps of others that have not started; the rest of its blocks are maps of its own.
If it shares any, one more map of no length ends its map stage, as the paper's NOOP map, when these are
complete.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from core.shared_scans.cells import CellPlanner
from core.shared_scans.metric import check_metric
from core.shared_scans.scan_jobs import shared_work, workload_block_sets
from core.shared_scans.shared_schedule import scan_sharing
from core.shared_scans.windows import boarding_times

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.replanning import Records
    from core.model.cluster import Cluster
    from core.model.job import ServiceLevels
    from core.model.scan_sharing import ScanSharing
    from core.model.workload import Workload
    from core.shared_scans.cells import Cell, CellPlan
    from core.shared_scans.windows import ScanPolicy


INFINITY = float("inf")
GOES_FIRST = -1.0
"""A target below 0: the map of no length that ends a map stage."""


@dataclass
class _Driver:
    """A job whose blocks are scanned, for itself and for those that share.

    `layout` has the blocks of its own maps, in the order in which they start; `noted` of them are known to
    have started. `shares` says whether maps of others serve it, and
    `shares_until` when the last of these that has started ends, seconds.
    """

    layout: list[int]
    shares: bool
    noted: int = 0
    shares_until: float = 0.0


@dataclass
class _Share:
    """What a plan gives to a job: slots, and ready blocks by the slots of their cell."""

    target: float = 0.0
    least: float = 0.0
    parts: list[tuple[float, list[int]]] = field(default_factory=list)
    later: list[int] = field(default_factory=list)


class CellAssignment:
    """Plans cells whenever something has happened; decides which block each map scans.

    Writes into the jobs' memory what `core.shared_scans.assignment.ScanAssignment` does.
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        policy: ScanPolicy,
        metric: str,
        *,
        window: float = 0.0,
        load: float = 0.9,
        steps: ServiceLevels = (),
    ) -> None:
        self._sets = workload_block_sets(workload, steps)
        self._jobs, self._index = self._sets.jobs, self._sets.index.tolist()
        slots = max(cluster.stage_slots[0], 1)
        chosen = check_metric(metric, semi_shared=True)
        self._planner = CellPlanner(self._jobs, chosen, slots)
        self._boarding = boarding_times(self._jobs, slots, policy, chosen, window, load)
        self._boards, self._group, self._order = (column.tolist() for column in self._boarding)
        self._first = workload.columns.stages.first[workload.columns.stages.begin[:-1]].tolist()
        self._next = 0
        self._remaining: dict[int, RemainingBlocks] = {}
        self._drivers: dict[int, _Driver] = {}
        self._running: list[tuple[float, Cell]] = []
        self._alone: dict[int, float] = {}
        self._served: tuple[int, ...] = ()
        self._block = np.full(len(workload.columns.job), -1, np.int32)

    @property
    def sharing(self) -> ScanSharing:
        """Which jobs may share scans, for the schedule."""
        wanted = dict(zip(self._index, self._sets.blocks, strict=True))
        blocks = tuple(wanted[job] for job in range(len(self._index)))
        return scan_sharing(self._boarding, self._sets.index, block=self._block, wanted=blocks)

    def planned(self) -> dict[str, NDArray[np.float64]]:
        """Return the last plan of every job, as `ScanAssignment` does."""
        columns = {name: np.full(len(self._index), np.nan) for name in ("priority", "ratio", "boards")}
        columns["boards"][self._index] = self._boards
        columns["priority"][[self._index[entry] for entry in self._served]] = range(1, len(self._served) + 1)
        return columns | {"planned": np.full(len(self._index), float(len(self._served)))}

    def copy(self) -> CellAssignment:
        """Return a copy that goes on by itself; nothing that is only read is copied."""
        twin = copy.copy(self)
        twin._remaining, twin._drivers = copy.deepcopy((self._remaining, self._drivers))
        twin._running, twin._block = list(self._running), self._block.copy()
        twin._alone = dict(self._alone)
        return twin

    def replan(self, run: Records) -> float:
        """See what has happened, let jobs board, plan, and write the targets."""
        self._note_starts(run)
        self._running = [(end, cell) for end, cell in self._running if end > run.now]
        for entry in [e for e in self._drivers if run.map_stage_has_ended(self._index[e])]:
            self._remaining[self._group[entry]].leave(entry)
            del self._drivers[entry]
        while self._next < len(self._order) and self._boards[self._order[self._next]] <= run.now:
            self._board(run, self._order[self._next])
            self._next += 1
        wake = self._boards[self._order[self._next]] if self._next < len(self._order) else INFINITY
        if self._drivers:
            wake = min(float(wake), self._plan(run))
        run.note_plan()
        return float(wake)

    def _note_starts(self, run: Records) -> None:
        """Note the maps that have started since the last plan, which jobs they serve and when they end."""
        for entry, driver in self._drivers.items():
            job, group = self._index[entry], self._group[entry]
            started = min(run.maps(job, "started"), len(driver.layout))
            for number in range(driver.noted, started):
                block, end = driver.layout[number], run.map_ends(job, number)
                sharing_jobs = self._remaining[group].start(block)
                self._block[self._first[job] + number] = block
                self._running.append((end, (group, sharing_jobs)))
                for other in sharing_jobs[1:]:
                    self._drivers[other].shares_until = max(self._drivers[other].shares_until, end)
            driver.noted = started

    def _board(self, run: Records, entry: int) -> None:
        """Share what others wait for; run the rest, and a map of no length if there is anything to share."""
        job, group, blocks = self._index[entry], self._group[entry], self._sets.blocks[entry]
        if run.map_stage_has_ended(job):
            return  # a job without maps
        if group not in self._remaining:
            self._remaining[group] = RemainingBlocks(int(self._sets.size[entry]))
        self._alone[entry] = run.map_seconds(job)
        own = self._remaining[group].board(entry, blocks).tolist()
        shares = len(own) < len(blocks)
        if shares:
            run.let_run(job, len(own) + 1)
            run.set_map_seconds(job, [self._alone[entry]] * len(own) + [0.0])
        self._drivers[entry] = _Driver(own, shares)

    # ---- planning

    def _plan(self, run: Records) -> float:
        """Plan the cells and write what follows for every job; return when to look again."""
        pending = {
            (group, sharing_jobs): blocks
            for group, remaining in self._remaining.items()
            for sharing_jobs, blocks in remaining.cells().items()
        }
        counts = {cell: len(blocks) for cell, blocks in pending.items()}
        for _, cell in self._running:
            counts[cell] = counts.get(cell, 0) + 1
        seconds = self._sets.block_seconds
        lengths = {cell: count * float(seconds[cell[1][0]]) for cell, count in counts.items()}
        plan = self._planner.plan(lengths, run.now)
        self._served = tuple(dict.fromkeys(entry for cell in plan.priority for entry in plan.keys[cell][1]))
        shares, permits = self._share_out(plan, pending)
        for entry in self._drivers:
            self._write(run, entry, shares.get(entry, _Share()))
        return self._next_look(plan, pending, permits, run.now)

    def _share_out(
        self, plan: CellPlan, pending: dict[Cell, list[int]]
    ) -> tuple[dict[int, _Share], dict[int, int]]:
        """Give the slots of each cell to the job that drives it; return also the blocks each may start."""
        ready = plan.ready(plan.priority)
        least, given = plan.minima(ready), plan.allocate(ready)
        permits = self._permits(plan, least, pending)
        shares: dict[int, _Share] = {}
        for cell in plan.priority:
            blocks, may_start = pending.get(plan.keys[cell], []), permits[cell]
            share = shares.setdefault(plan.keys[cell][1][0], _Share())
            share.target += given.get(cell, 0.0)
            share.least += least.get(cell, 0.0)
            share.parts.append((given.get(cell, 0.0), blocks[:may_start]))
            share.later += blocks[may_start:]
        return shares, permits

    def _permits(
        self, plan: CellPlan, least: dict[int, float], pending: dict[Cell, list[int]]
    ) -> dict[int, int]:
        """Return how many blocks of each cell may start before the next plan: as many as maxima allow.

        A cell may have its minimum all the same. One that is not ready has no target, but may use slots that
        would stay idle while the last maps of those before it run.
        """
        serving = np.zeros(len(self._index))
        held: dict[Cell, int] = {}
        for _, cell in self._running:
            serving[list(cell[1])] += 1
            held[cell] = held.get(cell, 0) + 1
        permits = {}
        for number in plan.priority:
            cell = plan.keys[number]
            sharing_jobs = list(cell[1])
            room = float((self._jobs.maximum[sharing_jobs] - serving[sharing_jobs]).min())
            room = max(room, least.get(number, 0.0) - held.get(cell, 0), 0.0)
            permits[number] = int(min(len(pending.get(cell, [])), room))
            serving[sharing_jobs] += permits[number]
        return permits

    def _write(self, run: Records, entry: int, share: _Share) -> None:
        """Write a job's target, how many of its maps may have started, and what its next blocks cost."""
        job, driver = self._index[entry], self._drivers[entry]
        is_last = driver.shares and driver.noted == len(driver.layout)
        if is_last:
            waits = self._remaining[self._group[entry]].waits(entry) or driver.shares_until > run.now
            run.remember(job, GOES_FIRST, INFINITY, driver.noted if waits else INFINITY, 0.0)
            return
        ready = interleave(share.parts)
        driver.layout[driver.noted :] = ready + share.later
        run.remember(job, share.target, INFINITY, float(driver.noted + len(ready)), share.least)
        fraction = float(self._jobs.scan_fraction[entry])
        if fraction < 1 and self._sets.is_listed[entry]:
            remaining = self._remaining[self._group[entry]]
            seconds = [
                shared_work(self._alone[entry], fraction, remaining.count(block))
                for block in driver.layout[driver.noted :]
            ]
            run.set_map_seconds(job, seconds + [0.0] * driver.shares)

    def _next_look(
        self, plan: CellPlan, pending: dict[Cell, list[int]], permits: dict[int, int], now: float
    ) -> float:
        """Return a time that no cell can be complete before, or at which a maximum may leave room again."""
        looks = [INFINITY]
        for number, cell in enumerate(plan.keys):
            blocks = len(pending.get(cell, []))
            if not blocks:
                looks.append(max(end for end, running in self._running if running == cell))
            else:
                looks.append(now + math.ceil(blocks / self._planner.slots) * self._alone[cell[1][0]])
                if permits[number] < blocks:
                    looks += [end for end, _ in self._running]
        return min(looks)


class RemainingBlocks:
    """The blocks of one group of jobs that share: the jobs that wait for the start of their maps.

    Of the jobs that wait for a block the first to board has it among its own maps; it serves the others too.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._wanted: dict[int, NDArray[np.bool_]] = {}

    def board(self, job: int, blocks: NDArray[np.int32]) -> NDArray[np.int32]:
        """Let a job board; return the blocks that no other job waits for: its own."""
        taken = np.zeros(self._size, np.bool_)
        for wanted in self._wanted.values():
            taken |= wanted
        self._wanted[job] = np.zeros(self._size, np.bool_)
        self._wanted[job][blocks] = True
        return blocks[~taken[blocks]]

    def start(self, block: int) -> tuple[int, ...]:
        """Note that a block's map has started; return the jobs that it serves, the first to board first."""
        sharing_jobs = tuple(job for job, wanted in self._wanted.items() if wanted[block])
        for job in sharing_jobs:
            self._wanted[job][block] = False
        return sharing_jobs

    def leave(self, job: int) -> None:
        """Let a job go."""
        del self._wanted[job]

    def waits(self, job: int) -> bool:
        """Whether a job still waits for blocks to start."""
        return bool(self._wanted[job].any())

    def count(self, block: int) -> int:
        """Return how many jobs wait for a block."""
        return sum(bool(wanted[block]) for wanted in self._wanted.values())

    def cells(self) -> dict[tuple[int, ...], list[int]]:
        """Return the blocks that have not begun, by the jobs that wait for them."""
        if not self._wanted:
            return {}
        table = np.stack(list(self._wanted.values()))
        blocks = np.flatnonzero(table.any(axis=0))
        kinds, which = np.unique(np.packbits(table[:, blocks], axis=0), axis=1, return_inverse=True)
        which = which.reshape(-1)
        return {
            tuple(compress(self._wanted, np.unpackbits(kinds[:, k], count=len(table)))): blocks[
                which == k
            ].tolist()
            for k in range(kinds.shape[1])
        }


def interleave(parts: list[tuple[float, list[int]]]) -> list[int]:
    """Merge lists so that at any point each has given in proportion to its weight; weight 0 comes last."""
    turns = [
        ((i + 1) / weight if weight > 0 else float("inf"), part, block)
        for part, (weight, blocks) in enumerate(parts)
        for i, block in enumerate(blocks)
    ]
    return [block for _, _, block in sorted(turns)]
