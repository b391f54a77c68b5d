"""Shared scans task by task: the allocation layer plans targets, the engine's slots are given by them.

Source: 003 appendices A.1 (the two layers), A.4 (epochs) and C.3 (drivers and riders). When a job arrives,
blocks that others still wait to scan become rides; only the rest are tasks of its own. A job that has none
runs one task of no length, as the paper's NOOP map. A job's maps wait until those of all older jobs on its
dataset are complete, as one subjob precedes the next.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from core.scans import fluid_loop
from core.scans.fluid import (
    ScanPolicy,
    boarding_of,
    compiled_plan,
    fresh_progress,
    window_ends,
)
from core.scans.fluid_loop import SMITH
from core.scans.metric import PENALTIES, check_metric
from core.scans.riding import Riding
from core.scans.workload_scans import workload_scans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.cluster import Cluster
    from core.engine.replanning import Records
    from core.workload import Workload

INFINITY = float("inf")


class ScanAssignment:
    """Plans targets whenever something has happened; writes them into the jobs' memory.

    A job's memory then holds: its target in slots, the most slots it may hold, how many of its maps may have
    started (none if it is not its turn) and how many slots it should hold at least.
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
        compiled: bool = False,
    ) -> None:
        scans = workload_scans(workload, steps)
        chosen = check_metric(metric)
        self._slots = float(max(cluster.stage_slots[0], 1))  # without map slots there are no maps either
        self._penalty = SMITH if chosen.uses_smith else PENALTIES.index(chosen.penalty)
        self._scans, self._index = scans, scans.index.tolist()
        self._blocks = [max(job.maps.count, 1) for job in workload.jobs]
        ends = window_ends(scans.jobs, self._slots, policy, window, load)
        self._boards: NDArray[np.float64] = scans.jobs.arrival if ends is None else ends
        self._shares = policy != "flex"
        group = _groups(scans.jobs.dataset, ends) if self._shares else np.arange(len(self._index))
        self._order = np.argsort(self._boards, kind="stable").tolist()  # entries as they board
        self._boarding = boarding_of(scans.jobs, self._slots, chosen, group)
        self._progress = fresh_progress(len(self._index), 0)
        self._plan = compiled_plan() if compiled else fluid_loop.plan
        self._next = 0
        self._chains: dict[int, list[int]] = {}
        self._only_ride: set[int] = set()

    @property
    def riding(self) -> Riding:
        """Who may ride with whom, for the schedule."""
        count = len(self._index)
        group, boards, place = np.empty(count, np.int32), np.empty(count), np.empty(count, np.int64)
        group[self._scans.index], boards[self._scans.index] = self._boarding.chain, self._boards
        place[self._scans.index[self._order]] = np.arange(count)
        return Riding(group, boards, place, self._shares)

    def copy(self) -> ScanAssignment:
        """Return a copy that goes on by itself; nothing that is only read is copied."""
        twin = copy.copy(self)
        twin._chains = {group: list(chain) for group, chain in self._chains.items()}
        twin._only_ride = set(self._only_ride)
        twin._progress = fresh_progress(len(self._index), 0)
        return twin

    def replan(self, run: Records) -> float:
        """Let jobs board, drop those whose scan is complete, plan, and write the targets."""
        for group, chain in list(self._chains.items()):
            chain[:] = [entry for entry in chain if not run.map_stage_has_ended(self._index[entry])]
            if not chain:
                del self._chains[group]
        while self._next < len(self._order) and self._boards[self._order[self._next]] <= run.now:
            self._board(run, self._order[self._next])
            self._next += 1
        active = self._list_active(run)
        if active:
            self._plan(self._boarding, self._progress, active, run.now, self._slots, self._penalty)
            self._write(run, active)
        run.note_plan()
        return self._boards[self._order[self._next]] if self._next < len(self._order) else INFINITY

    def _board(self, run: Records, entry: int) -> None:
        """Ride what others still wait for; run the rest, or one task of no length if nothing is left."""
        job = self._index[entry]
        if run.map_stage_has_ended(job):
            return  # a job without maps
        chain = self._chains.setdefault(int(self._boarding.chain[entry]), [])
        if self._shares and self._scans.is_shared[entry]:
            older = [self._index[other] for other in chain if other not in self._only_ride]
            own = self._blocks[job] - sum(run.maps(i, "tasks") - run.maps(i, "started") for i in older)
            if own < self._blocks[job]:
                run.let_run(job, max(own, 1))
            if own <= 0:
                run.set_map_seconds(job, 0.0)
                self._only_ride.add(entry)
        chain.append(entry)

    def _list_active(self, run: Records) -> int:
        """Write the active entries, chain by chain, and what each still needs; return how many there are."""
        i = 0
        for group in sorted(self._chains):
            needs = 0.0
            for entry in self._chains[group]:
                job = self._index[entry]
                left = run.maps(job, "tasks") - run.maps(job, "done")
                if entry not in self._only_ride:
                    needs += left * float(self._scans.block_seconds[entry])
                self._progress.active[i] = entry
                self._progress.remaining[entry] = needs
                i += 1
        return i

    def _write(self, run: Records, active: int) -> None:
        """Write target, most slots and turn of every active job, and what its next blocks cost."""
        p, b = self._progress, self._boarding
        for i in range(active):
            entry = int(p.active[i])
            job = self._index[entry]
            is_first = i == 0 or b.chain[p.active[i - 1]] != b.chain[entry]
            may_start, least = (INFINITY, float(p.least[entry])) if is_first else (0.0, 0.0)
            run.remember(job, float(p.slots[i]), float(p.most[entry]), may_start, least)
            fraction = float(b.fraction[entry])
            if fraction < 1 and entry not in self._only_ride:
                cost = fraction + (1 - fraction) * float(p.shared[entry])
                run.set_map_seconds(job, float(self._scans.block_seconds[entry]) * cost)


def _groups(dataset: NDArray[np.int32], ends: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """Return which jobs share: those of a dataset or, with windows, of a dataset and window."""
    if ends is None:
        return dataset.astype(np.int64)
    _, group = np.unique(np.stack([dataset, ends], axis=1), axis=0, return_inverse=True)
    return group.reshape(-1).astype(np.int64)
