"""Slow and obvious twins of FRESH and OMO, written from the definitions of 004."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.naive import MAP, REDUCE, Job, Run, Slot

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload


class FreshRun(Run):
    """All maps first, then reduces of jobs whose maps are done; fewest containers of both kinds go first."""

    def __init__(self, workload: Workload, cluster: Cluster, **parameters: Any) -> None:
        super().__init__(workload, cluster, "fifo")
        self.workload = workload
        self.preference = self.prefer
        for slot in self.slots:
            slot.kinds = (MAP, REDUCE)
        self.prepare(**parameters)

    def prepare(self) -> None:
        """Read the parameters: FRESH has none."""

    def can_start(self, slot: Slot) -> list[tuple[Job, str]]:
        return [
            (job, kind) for job, kind in super().can_start(slot) if kind == MAP or job.stage_end is not None
        ]

    def prefer(self, job: Job, kind: str) -> Any:
        return kind != MAP, containers(job) / job.weight, job.arrival, job.index


class OmoRun(FreshRun):
    """Lazy start, else batch finish, else fair; the release of containers is observed in windows."""

    def prepare(
        self,
        lazy_start: bool = True,
        batch_finish: bool = True,
        window: float = 10.0,
        beta: float = 0.5,
        bandwidth: float = 35.0,
        prediction: str = "backlog",
    ) -> None:
        self.lazy_start, self.batch_finish = lazy_start, batch_finish
        self.prediction = prediction if batch_finish else "fair-share"
        self.window, self.beta, self.bytes_per_second = window, beta, bandwidth * 1e6
        self.windows = 0
        self.rate = self.available = 0.0

    def can_start(self, slot: Slot) -> list[tuple[Job, str]]:
        choices = Run.can_start(self, slot)
        return [(job, kind) for job, kind in choices if kind == MAP or self.may_start_reduce(job)]

    # ---- the monitor

    def apply_everything_now(self) -> None:
        """First end the windows of the time until now: nothing has changed since the last instant."""
        while (self.windows + 1) * self.window <= self.now:
            begin, end = self.windows * self.window, (self.windows + 1) * self.window
            ended = [task.end for task in self.tasks() if task.ended and task.end is not None]
            released = sum(begin <= time < end for time in ended)
            weight = self.beta if self.available > 0 else 1.0
            self.rate = weight * (released / self.window) + (1 - weight) * self.rate
            self.available = weight * self.available_now() + (1 - weight) * self.available
            self.windows += 1
        super().apply_everything_now()

    def available_now(self) -> int:
        """All containers but those whose reduces wait for their maps; on nodes, idle ones are of map size."""
        held = sum(job.running(REDUCE) for job in self.jobs if job.stage_end is None)
        if self.cluster.nodes:
            nodes = {id(slot.node): slot.node for slot in self.slots if slot.node}.values()
            running = sum(slot.task is not None for slot in self.slots)
            return running - held + sum(node.room(MAP) for node in nodes)
        return len(self.slots) - held

    # ---- lazy start

    def may_start_reduce(self, job: Job) -> bool:
        if job.stage_end is not None:
            return True
        if not any(other.running(MAP) for other in self.jobs):
            return False
        return not self.lazy_start or has_begun(job) or self.is_due(job)

    def is_due(self, job: Job) -> bool:
        """No smaller number of pending maps leaves a gap nearer to zero."""
        if self.rate_for_maps(job) == 0:
            return pending(job) == 0
        now, *later = (abs(self.gap(job, x)) for x in range(pending(job), -1, -1))
        return all(now <= gap for gap in later)

    def gap(self, job: Job, x: int) -> float:
        """Return how long the last shuffle lasts beyond the maps, if it starts when x of these wait."""
        before = x
        if self.prediction == "backlog":
            before += sum(pending(other) for other in self.jobs if has_begun(other))
        return self.last_shuffle(job) - (before / self.rate_for_maps(job) + self.map_seconds(job))

    def rate_for_maps(self, job: Job) -> float:
        """Return the containers per second that the job's maps get: all, or a fair share."""
        if not self.available:
            return 0.0
        rate = self.rate * max(self.available - len(job.reduces), 1.0) / self.available
        active = sum(other.arrived and other.finish is None for other in self.jobs)
        return rate / active if self.prediction == "fair-share" else rate

    def map_seconds(self, job: Job) -> float:
        """Return the average map, as it runs where every node is full of maps."""
        seconds = sum(task.seconds for task in job.maps) / len(job.maps) if job.maps else 0.0
        speeds = self.cluster.contention
        nodes = {id(slot.node): slot.node for slot in self.slots if slot.node}.values()
        full = [node.most_maps() for node in nodes if node.most_maps() > 0]
        if not speeds or not full:
            return seconds
        return seconds / (sum(full) / sum(most / speeds[min(most, len(speeds)) - 1] for most in full))

    def last_shuffle(self, job: Job) -> float:
        given = self.workload.jobs[job.index].shuffle_bytes
        if not job.reduces or self.cluster.shuffle_model == "mumak":
            return 0.0
        if given is None:
            return sum(task.typical_shuffle for task in job.reduces) / len(job.reduces)
        return given / len(job.reduces) / self.bytes_per_second

    # ---- the order

    def prefer(self, job: Job, kind: str) -> Any:
        tie = kind != MAP, job.arrival, job.index
        if self.lazy_start and kind == REDUCE:
            return (0 if has_begun(job) else 1), containers(job), *tie
        if self.batch_finish and kind == MAP and has_begun(job) and self.rate > 0:
            return 2, -self.gain(job), *tie
        return 3, containers(job) / job.weight, *tie

    def gain(self, job: Job) -> float:
        """Return how much sooner all others have had as much, if this job finishes its maps at once."""
        jobs = sum(other.arrived and other.finish is None for other in self.jobs)
        fair = jobs * pending(job) / self.rate + self.map_seconds(job)
        others = self.rate * (jobs - 1) / jobs * fair
        return fair - others * self.available / (self.rate * (self.available + len(job.reduces)))


def containers(job: Job) -> int:
    return job.running(MAP) + job.running(REDUCE)


def has_begun(job: Job) -> bool:
    return any(task.slot is not None for task in job.reduces)


def pending(job: Job) -> int:
    return sum(task.slot is None for task in job.maps)
