"""From a workload that shows something to the smallest one that still does.

Step by step something is left out or made simpler: slots, jobs, tasks, times. A step is kept if what was
found is found again. It ends where none of them is, or when so many workloads were tried.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster
from core.model.errors import DocumentError
from core.model.links import linked_past
from core.model.progress import never_stop
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.model.job import Job
    from core.model.workload import Workload
    from core.policy_checks.evidence import Evidence

MAX_TRIALS = 400
PLAIN = Cluster(1, 1)
NOTHING = Stage()


def smallest(
    first: Evidence,
    find: Callable[[Workload], Evidence | None],
    most: int = MAX_TRIALS,
    should_stop: Callable[[], bool] = never_stop,
) -> Evidence:
    """Return the evidence on the smallest workload that is reached from a first one.

    Parameters
    ----------
    first : what was found
    find : looks for the same on another workload
    most : workloads to try
    should_stop : asked before each; then what has been reached is returned
    """
    shrinking = _Shrinking(first, find, most, should_stop)
    before = None
    while shrinking.best is not before:
        before = shrinking.best
        for step in (shrinking.clusters, shrinking.all_jobs, shrinking.fewer_jobs, shrinking.each_job):
            step()
    return shrinking.best


class _Shrinking:
    """The smallest evidence so far, and what was tried."""

    def __init__(
        self,
        first: Evidence,
        find: Callable[[Workload], Evidence | None],
        most: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self.best = first
        self._find, self._left, self._should_stop = find, most, should_stop
        self._tried = {_seen(first.workload)}

    def _takes(self, **changes: Any) -> bool:
        """Try the workload with some changes; whether what was found is found there as well."""
        workload = self.best.workload
        try:
            changed = replace(workload, **changes, checked_jobs=workload.jobs)
        except DocumentError:  # no such workload: one job scans a dataset, and has its maps from there
            return False
        if _seen(changed) in self._tried or self._left <= 0 or self._should_stop():
            return False
        self._tried.add(_seen(changed))
        self._left -= 1
        found = self._find(changed)
        self.best = found or self.best
        return found is not None

    @property
    def _jobs(self) -> Sequence[Job]:
        return self.best.workload.jobs

    def clusters(self) -> None:
        """Take slots away, and settings of the cluster and of pools."""
        while any(self._takes(cluster=cluster) for cluster in _simpler_clusters(self.best.workload.cluster)):
            pass
        for i in reversed(range(len(self.best.workload.pool_settings))):
            pools = self.best.workload.pool_settings
            self._takes(pool_settings=(*pools[:i], *pools[i + 1 :]))

    def all_jobs(self) -> None:
        """Make one thing simpler of all jobs at once."""
        for simpler in STEPS:
            self._takes(jobs=tuple(map(simpler, self._jobs)))
        if all(job.dataset is None for job in self._jobs):
            self._takes(datasets=())

    def fewer_jobs(self) -> None:
        """Leave jobs out: half of them, a quarter, down to each by itself."""
        size = len(self._jobs) // 2
        while size > 0:
            begin = 0
            while begin < len(self._jobs):
                jobs = self._jobs
                if not self._takes(jobs=linked_past((*jobs[:begin], *jobs[begin + size :]), jobs)):
                    begin += size
            size //= 2

    def each_job(self) -> None:
        """Make one thing simpler of one job, as often as that goes."""
        for i in range(len(self._jobs)):
            for simpler in STEPS:
                jobs = self._jobs
                while self._takes(jobs=(*jobs[:i], simpler(jobs[i]), *jobs[i + 1 :])):
                    jobs = self._jobs


def _seen(workload: Workload) -> tuple[str, Cluster]:
    return workload.digest, workload.cluster


def _with_stages(change: Callable[[Stage], Stage], *names: str) -> Callable[[Job], Job]:
    def simpler(job: Job) -> Job:
        return replace(job, **{name: change(getattr(job, name)) for name in names})  # type: ignore[arg-type]  # stages

    return simpler


def _halved(stage: Stage) -> Stage:
    return replace(stage, count=stage.count // 2) if stage.count > 1 else stage


def _one_less(stage: Stage) -> Stage:
    return replace(stage, count=stage.count - 1) if stage.count > 1 else stage


def _without(_stage: Stage) -> Stage:
    return NOTHING


def _unit(stage: Stage) -> Stage:
    return Stage.of(stage.count, 1.0) if stage.count else NOTHING


def _no_shuffle(stage: Stage) -> Stage:
    return replace(stage, first_shuffle=NOTHING.durations, typical_shuffle=NOTHING.durations)


def _one_length(stage: Stage) -> Stage:
    parts = stage.durations[:1], stage.first_shuffle[:1], stage.typical_shuffle[:1]
    return Stage.of(stage.count, *parts)


def _whole_seconds(stage: Stage) -> Stage:
    parts = (stage.durations.round(), stage.first_shuffle.round(), stage.typical_shuffle.round())
    return Stage.of(stage.count, *parts)


def _arriving_at_once(job: Job) -> Job:
    return job.placed(job.name, 0.0)


def _arriving_at_a_second(job: Job) -> Job:
    return job.placed(job.name, float(round(job.arrival)))


STEPS: tuple[Callable[[Job], Job], ...] = (
    lambda job: replace(job, dataset=None),
    lambda job: replace(job, after=()),
    _with_stages(_without, "reduces"),
    _with_stages(_without, "maps"),
    _with_stages(_halved, "maps", "reduces"),
    _with_stages(_one_less, "maps"),
    _with_stages(_one_less, "reduces"),
    lambda job: replace(job, pool="default"),
    lambda job: replace(job, deadline=None),
    lambda job: replace(job, weight=1.0),
    _arriving_at_once,
    _with_stages(_unit, "maps", "reduces"),
    _with_stages(_no_shuffle, "reduces"),
    _with_stages(_one_length, "maps", "reduces"),
    _with_stages(_whole_seconds, "maps", "reduces"),
    _arriving_at_a_second,
)
"""What is made simpler of a job, the largest steps first."""


def _simpler_clusters(cluster: Cluster) -> Iterator[Cluster]:
    if cluster.has_containers:
        yield replace(PLAIN, slowstart=cluster.slowstart)
        if cluster.containers > 1:
            yield replace(cluster, containers=1)
            yield replace(cluster, containers=cluster.containers - 1)
    else:
        for name in ("map_slots", "reduce_slots"):
            slots = getattr(cluster, name)
            for fewer in dict.fromkeys((0, 1, slots - 1)):
                if 0 <= fewer < slots and cluster.slots - slots + fewer > 0:
                    yield replace(cluster, **{name: fewer})
    for name in ("slowstart", "shuffle_model"):
        if getattr(cluster, name) != getattr(PLAIN, name):
            yield replace(cluster, **{name: getattr(PLAIN, name)})
