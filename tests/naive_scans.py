"""Slow and obvious twins of FLEX, CIRCUMFLEX, BATCH and AKO, task by task, from the definitions of 003.

Jobs scan whole datasets, each block of which takes equally long, on typed slots.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.shared_scans.metric import metric_named
from core.shared_scans.scan_jobs import workload_scans
from core.shared_scans.windows import window_ends
from tests.naive import MAP, Job, Run, Slot

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

COSTS = {
    "makespan": lambda scan, time: time,
    "max-weighted-response": lambda scan, time: scan.job.weight * (time - scan.job.arrival),
}
"""What a job costs that completes at a time, where the largest cost is to be small."""


class Scan:
    """A job's scan: when it boards, with whom it shares, and what the last plan said about it."""

    def __init__(self, job: Job, given: Any, workload: Workload, slots: int) -> None:
        names = [dataset.name for dataset in workload.datasets]
        self.job = job
        self.is_listed = given.dataset in names
        self.dataset = names.index(given.dataset) if self.is_listed else len(names) + job.index
        self.fraction = workload.datasets[self.dataset].scan_fraction if self.is_listed else 1.0
        self.block_seconds = sum(task.seconds for task in job.maps) / max(len(job.maps), 1)
        self.least, self.most = float(given.min_slots), float(min(given.max_slots or math.inf, slots))
        self.boards = job.arrival
        self.has_boarded = False
        self.only_rides = False
        self.target = self.may_hold = self.should_hold = 0.0
        self.is_its_turn = False

    def needs(self) -> float:
        """Seconds of scan that are its own to run."""
        left = sum(not task.ended for task in self.job.maps)
        return 0.0 if self.only_rides else left * self.block_seconds


class Link:
    """One subjob: what the first scans of a chain need up to the completion of one of them."""

    def __init__(self, scan: Scan, length: float, behind: list[Scan]) -> None:
        served = [scan, *behind]
        self.scan = scan
        self.work = length * (scan.fraction + (1 - scan.fraction) * len(served))
        self.block_seconds = scan.block_seconds * (scan.fraction + (1 - scan.fraction) * len(served))
        self.least = max(each.least for each in served)
        self.most = max(min(each.most for each in served), self.least)
        self.ratio = 0.0


class ScanRun(Run):
    """Plans anew whenever a job arrives, a map stage ends or a window ends."""

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        policy: Any,
        metric: str = "average-response",
        window: float = 0.0,
        load: float = 0.9,
    ) -> None:
        super().__init__(workload, cluster, "fifo")
        self.preference = self.prefer
        self.shares, self.metric = policy != "flex", metric
        self.map_slots = max(cluster.map_slots, 1)
        pairs = zip(self.jobs, workload.jobs, strict=True)
        self.scans = [Scan(job, given, workload, self.map_slots) for job, given in pairs]
        self.by_arrival = sorted(self.scans, key=lambda scan: scan.job.arrival)
        if policy in ("batch", "ako"):
            scans = workload_scans(workload)
            goal = metric_named("makespan" if metric in COSTS else "average-response")
            ends = window_ends(scans.jobs, float(self.map_slots), policy, goal, window, load)
            assert ends is not None
            for entry, index in enumerate(scans.index):
                self.scans[index].boards = float(ends[entry])
        self.with_windows = policy in ("batch", "ako")
        self.on_board: list[Scan] = []

    def run(self, stops_before: int | None = None, until: float = math.inf) -> Run:
        """Go on until nothing is left to happen up to a time."""
        while True:
            self.hand_out_slots()
            times = [job.arrival for job in self.jobs if not job.arrived]
            times += [task.end for task in self.tasks() if task.is_running and task.end is not None]
            times += [scan.boards for scan in self.scans if not scan.has_boarded]
            if not times:
                self.stalled = any(job.finish is None for job in self.jobs)
                return self
            if min(times) > until:
                return self
            self.now = min(times)
            before = self.what_a_plan_depends_on()
            self.apply_everything_now()
            waiting = [scan for scan in self.by_arrival if not scan.has_boarded and scan.boards <= self.now]
            if waiting or self.what_a_plan_depends_on() != before:
                self.plan(sorted(waiting, key=lambda scan: scan.boards))

    def what_a_plan_depends_on(self) -> tuple[int, int]:
        return (
            sum(job.arrived for job in self.jobs),
            sum(job.stage_end is not None for job in self.jobs),
        )

    # ---- the slots

    def can_start(self, slot: Slot) -> list[tuple[Job, str]]:
        return [
            (job, kind) for job, kind in super().can_start(slot) if kind != MAP or self.may_run_a_map(job)
        ]

    def may_run_a_map(self, job: Job) -> bool:
        scan = self.scans[job.index]
        return scan.is_its_turn and job.running(MAP) < scan.may_hold

    def prefer(self, job: Job, kind: str) -> Any:
        return (self.need(job) if kind == MAP else 0.0), job.arrival, job.index

    def need(self, job: Job) -> float:
        """Below the minimum first, then what is furthest below its target, then the rest."""
        scan, running = self.scans[job.index], job.running(MAP)
        if running < scan.should_hold:
            return running / scan.should_hold - 1
        return running / scan.target if scan.target > 0 else 1e6 + running

    # ---- the plan

    def plan(self, waiting: list[Scan]) -> None:
        self.on_board = [scan for scan in self.on_board if scan.job.stage_end is None]
        for scan in waiting:
            scan.has_boarded = True
            if scan.job.stage_end is None:
                self.board(scan)
        chains = self.chains()
        order = self.smith([*chains]) if "average" in self.metric else self.backwards([*chains])
        self.share_out(chains, order)

    def board(self, scan: Scan) -> None:
        """Ride what others have yet to start; run the rest, or a map of no length if nothing is left."""
        if self.shares and scan.is_listed:
            older = [other for other in self.on_board if self.chain_of(other) == self.chain_of(scan)]
            rides = sum(
                task.slot is None for other in older if not other.only_rides for task in other.job.maps
            )
            own = len(scan.job.maps) - rides
            if rides:
                scan.job.maps = scan.job.maps[: max(own, 1)]
                if scan.job.maps_before_reduces:
                    scan.job.maps_before_reduces = len(scan.job.maps)
            if own <= 0:
                scan.job.maps[0].seconds = 0.0
                scan.only_rides = True
        self.on_board.append(scan)

    def chain_of(self, scan: Scan) -> tuple[float, ...]:
        """Name the scans that share with this one; by these names the chains stand in order."""
        if not self.shares:
            return (self.by_arrival.index(scan),)
        return (scan.dataset, scan.boards) if self.with_windows else (scan.dataset,)

    def chains(self) -> list[list[Link]]:
        """Return the links of every chain, in the order in which its scans boarded."""
        chains = []
        for name in sorted({self.chain_of(scan) for scan in self.on_board}):
            scans = [scan for scan in self.on_board if self.chain_of(scan) == name]
            chains.append([Link(scan, scan.needs(), scans[i + 1 :]) for i, scan in enumerate(scans)])
        return chains

    def weight(self, link: Link) -> float:
        return link.scan.job.weight if "weighted" in self.metric else 1.0

    def smith(self, chains: list[list[Link]]) -> list[Link]:
        """Order by the least ratio of work to weight that a beginning of what is left of a chain has."""
        for chain in chains:
            left = list(chain)
            while left:
                ratios = [
                    sum(link.work for link in left[:n]) / sum(self.weight(link) for link in left[:n])
                    for n in range(1, len(left) + 1)
                ]
                count = ratios.index(min(ratios)) + 1
                for link in left[:count]:
                    link.ratio = min(ratios)
                left = left[count:]
        return sorted((link for chain in chains for link in chain), key=lambda link: link.ratio)

    def backwards(self, chains: list[list[Link]]) -> list[Link]:
        """Put last whoever costs least there and has nobody behind it, then the one before, and so on."""
        left = [list(chain) for chain in chains]
        work = sum(link.work for chain in left for link in chain)
        order: list[Link] = []
        while any(left):
            time = self.now + work / self.map_slots
            costs = [
                (COSTS[self.metric](chain[-1].scan, time), -self.by_arrival.index(chain[-1].scan), chain)
                for chain in left
                if chain
            ]
            _, _, chain = min(costs, key=lambda cost: cost[:2])
            order.insert(0, chain.pop())
            work -= order[0].work
        return order

    def share_out(self, chains: list[list[Link]], order: list[Link]) -> None:
        """Give the first link of each chain its minimum, then the rest by priority up to the maxima."""
        first = [chain[0] for chain in chains]
        wanted = sum(link.least for link in first)
        scale = min(1.0, self.map_slots / wanted) if wanted else 1.0
        slack = self.map_slots - wanted * scale
        for link in order:
            scan = link.scan
            scan.is_its_turn = link in first
            scan.may_hold, scan.should_hold, scan.target = link.most, 0.0, 0.0
            if scan.is_its_turn:
                more = max(0.0, min(slack, link.most - link.least * scale))
                scan.should_hold, scan.target = link.least, link.least * scale + more
                slack -= more
            if scan.fraction < 1 and not scan.only_rides:
                for task in scan.job.maps:
                    if task.slot is None:
                        task.seconds = link.block_seconds
