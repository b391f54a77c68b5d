"""Semi-shared scans task by task: a block that several jobs wait for is one map of the first of them.

Source: 003 section 3.3 (precedence), appendices A.1 (the two layers) and C.3 (drivers and sharing jobs). A
job that boards rides the blocks whose maps have not started; the rest are maps of its own. If it rides at
all, one more map of no length ends its map stage, as the paper's NOOP map, when all that it rides is
complete.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.model.schedule import ScanSharing
from core.model.workload import MAP
from core.shared_scans.cells import allocate_cells, minima_of, plan_cells
from core.shared_scans.fluid import sharing_groups, window_ends
from core.shared_scans.metric import check_metric
from core.shared_scans.remaining_blocks import RemainingBlocks, interleave
from core.shared_scans.subjobs import shared_work
from core.shared_scans.workload_scans import workload_block_sets

if TYPE_CHECKING:
    from core.engine.replanning import Records
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.shared_scans.cells import Cell, CellPlan
    from core.shared_scans.fluid import ScanPolicy

INFINITY = float("inf")
GOES_FIRST = -1.0
"""A target below 0: the map of no length that ends a map stage."""


@dataclass
class _Driver:
    """A job on board.

    `layout` has the blocks of its own maps, in the order in which they start; `noted` of them are known to
    have started. `rides_until` is when the last ride that has started ends.
    """

    layout: list[int]
    rides: bool
    noted: int = 0
    rides_until: float = 0.0


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
        window: float = 120.0,
        load: float = 0.9,
        steps: tuple[tuple[float, float], ...] = (),
    ) -> None:
        self._sets = workload_block_sets(workload, steps)
        self._jobs, self._index = self._sets.jobs, self._sets.index.tolist()
        self._metric = check_metric(metric, semi_shared=True)
        self._slots = max(cluster.stage_slots[0], 1)
        ends = window_ends(self._jobs, self._slots, policy, window, load)
        self._boards = self._jobs.arrival if ends is None else ends
        self._group = sharing_groups(self._jobs, policy, ends).tolist()
        self._order = np.argsort(self._boards, kind="stable").tolist()
        self._first = workload.columns.first[:, MAP].tolist()
        self._next = 0
        self._remaining: dict[int, RemainingBlocks] = {}
        self._drivers: dict[int, _Driver] = {}
        self._running: list[tuple[float, Cell]] = []
        self._block = np.full(len(workload.columns.job), -1, np.int32)

    @property
    def sharing(self) -> ScanSharing:
        """Who may ride with whom, for the schedule."""
        count, index = len(self._index), self._sets.index
        group, boards, place = np.empty(count, np.int32), np.empty(count), np.empty(count, np.int64)
        group[index], boards[index], place[index[self._order]] = self._group, self._boards, np.arange(count)
        wanted = dict(zip(self._index, self._sets.blocks, strict=True))
        return ScanSharing(
            group, boards, place, block=self._block, wanted=tuple(wanted[job] for job in range(count))
        )

    def copy(self) -> CellAssignment:
        """Return a copy that goes on by itself; nothing that is only read is copied."""
        twin = copy.copy(self)
        twin._remaining, twin._drivers = copy.deepcopy((self._remaining, self._drivers))
        twin._running, twin._block = list(self._running), self._block.copy()
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
        """Note the maps that have started since the last plan, whom they serve and when they end."""
        for entry, driver in self._drivers.items():
            job, group = self._index[entry], self._group[entry]
            started = min(run.maps(job, "started"), len(driver.layout))
            for number in range(driver.noted, started):
                block, end = driver.layout[number], run.map_ends(job, number)
                sharing_jobs = self._remaining[group].start(block)
                self._block[self._first[job] + number] = block
                self._running.append((end, (group, sharing_jobs)))
                for rider in sharing_jobs[1:]:
                    self._drivers[rider].rides_until = max(self._drivers[rider].rides_until, end)
            driver.noted = started

    def _board(self, run: Records, entry: int) -> None:
        """Ride what others wait for; run the rest, and a map of no length if there is anything to ride."""
        job, group, blocks = self._index[entry], self._group[entry], self._sets.blocks[entry]
        if run.map_stage_has_ended(job):
            return  # a job without maps
        if group not in self._remaining:
            self._remaining[group] = RemainingBlocks(int(self._sets.size[entry]))
        own = self._remaining[group].board(entry, blocks).tolist()
        rides = len(own) < len(blocks)
        if rides:
            run.let_run(job, len(own) + 1)
            run.set_map_seconds(job, [float(self._sets.block_seconds[entry])] * len(own) + [0.0])
        self._drivers[entry] = _Driver(own, rides)

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
        lengths = {cell: count * self._seconds(cell) for cell, count in counts.items()}
        plan = plan_cells(lengths, self._jobs, self._metric, self._slots, run.now)
        shares, permits = self._share_out(plan, pending)
        for entry in self._drivers:
            self._write(run, entry, shares.get(entry, _Share()))
        return self._next_look(plan, pending, permits, run.now)

    def _seconds(self, cell: Cell) -> float:
        return float(self._sets.block_seconds[cell[1][0]])

    def _share_out(
        self, plan: CellPlan, pending: dict[Cell, list[int]]
    ) -> tuple[dict[int, _Share], dict[int, int]]:
        """Give the slots of each cell to the job that drives it; return also the blocks each may start."""
        ready = plan.ready()
        least = minima_of(ready, plan.subjobs, self._jobs)
        given = allocate_cells(ready, plan.subjobs, self._slots, self._jobs)
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
        is_last = driver.rides and driver.noted == len(driver.layout)
        if is_last:
            waits = self._remaining[self._group[entry]].waits(entry) or driver.rides_until > run.now
            run.remember(job, GOES_FIRST, INFINITY, driver.noted if waits else INFINITY, 0.0)
            return
        ready = interleave(share.parts)
        driver.layout[driver.noted :] = ready + share.later
        run.remember(job, share.target, INFINITY, float(driver.noted + len(ready)), share.least)
        fraction = float(self._jobs.scan_fraction[entry])
        if fraction < 1 and self._sets.is_listed[entry]:
            remaining = self._remaining[self._group[entry]]
            alone = float(self._sets.block_seconds[entry])
            seconds = [
                shared_work(alone, fraction, remaining.count(block))
                for block in driver.layout[driver.noted :]
            ]
            run.set_map_seconds(job, seconds + [0.0] * driver.rides)

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
                looks.append(now + math.ceil(blocks / self._slots) * self._seconds(cell))
                if permits[number] < blocks:
                    looks += [end for end, _ in self._running]
        return min(looks)
