"""Random plans, and a slow and obvious twin of a run that replays one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from core.model.levers import ROOM_USES, TASK_ORDERS, JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from tests import naive
from tests.core.engine.strategies import cases

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload


@dataclass(frozen=True)
class Planned:
    """What a plan runs on."""

    workload: Workload
    cluster: Cluster
    plan: Plan


stages = st.builds(
    StagePlan,
    st.integers(-4, 12).map(lambda half: half / 2),
    st.sampled_from(TASK_ORDERS),
    st.none() | st.integers(1, 3),
)


@st.composite
def planned(draw: st.DrawFn, *, in_pools: bool = True) -> Planned:
    """Draw a workload, a cluster and a plan with every lever, full of ties; perhaps not of all jobs."""
    case = draw(cases(policies=("fifo",)))
    names = [job.name for job in case.workload.jobs]
    jobs = [
        JobPlan(
            name,
            draw(stages),
            draw(stages),
            draw(st.none() | st.integers(0, 8)),
            room=draw(st.sampled_from(ROOM_USES)),
        )
        for name in draw(st.permutations(names))[: draw(st.integers(0, len(names)))]
    ]
    partition = draw(partitions(case.workload, case.cluster)) if in_pools else None
    if partition is None and draw(st.booleans()):
        jobs = [draw(timed(case.workload, job)) for job in jobs]
    return Planned(case.workload, case.cluster, Plan(tuple(jobs), partition))


@st.composite
def timed(draw: st.DrawFn, workload: Workload, planned: JobPlan) -> JobPlan:
    """Draw starts for the tasks of some stages of a job's plan."""
    job = workload.jobs[workload.job_index[planned.name]]
    if not job.graph.is_map_reduce:
        return planned
    half = st.integers(0, 12).map(lambda each: each / 2)
    starts = [tuple(draw(half) for _ in range(each.count * draw(st.booleans()))) for each in job.stages]
    maps, reduces = (replace(old, starts=new) for old, new in zip(planned.stages, starts, strict=True))
    return replace(planned, maps=maps, reduces=reduces)


@st.composite
def partitions(draw: st.DrawFn, workload: Workload, cluster: Cluster) -> Partition | None:
    """Draw two pools with a slot of each kind or more, where the cluster has so many; else None."""
    maps, reduces = cluster.map_slots, cluster.reduce_slots
    if cluster.has_containers or min(maps, reduces) < 2 or draw(st.booleans()):
        return None
    first = [draw(st.integers(1, slots - 1)) for slots in (maps, reduces)]
    is_first = [draw(st.booleans()) for _ in workload.jobs]
    members = [
        tuple(job.name for job, at in zip(workload.jobs, is_first, strict=True) if at == side)
        for side in (True, False)
    ]
    small = SlotPool("A", first[0], first[1], members[0])
    return Partition((small, SlotPool("B", maps - first[0], reduces - first[1], members[1])))


class PlannedRun(naive.Run):
    """A run by the definition of a plan: a free slot takes the startable task with the smallest key."""

    def __init__(self, workload: Workload, cluster: Cluster, plan: Plan) -> None:
        super().__init__(workload, cluster, "fifo", partition=plan.partition)
        self._plans = {each.name: each for each in plan.jobs}
        unnamed = [name for name in workload.input_order if name not in self._plans]
        self._places = [*plan.names, *unnamed]
        self._lengths = {
            id(task): task.seconds + (0.0 if kind == naive.MAP else float(shuffles[i % len(shuffles)]))
            for job, given in zip(self.jobs, workload.jobs, strict=True)
            for kind, shuffles in ((naive.MAP, (0.0,)), (naive.REDUCE, given.reduces.typical_shuffle))
            for i, task in enumerate(job.tasks(kind))
        }
        for job in self.jobs:
            after = self._of(job).reduces_after
            if after is not None:
                job.maps_before_reduces = min(after, len(job.maps))
            job.task_key = self._place_in_stage
        self.preference = self._prefer

    def _of(self, job: naive.Job) -> JobPlan:
        last = StagePlan(float("inf"))
        return self._plans.get(job.name, JobPlan(job.name, last, last))

    def _stage(self, job: naive.Job, kind: str) -> StagePlan:
        return self._of(job).stages[kind == naive.REDUCE]

    def _start(self, task: naive.Task) -> float | None:
        """When the plan lets a task start; None where it says nothing of it."""
        starts = self._stage(task.job, task.kind).starts
        return starts[task.job.tasks(task.kind).index(task)] if starts else None

    def _place_in_stage(self, task: naive.Task) -> float:
        if (start := self._start(task)) is not None:
            return start
        return 0.0 if self._stage(task.job, task.kind).tasks == "given" else -self._lengths[id(task)]

    def asked_again(self) -> list[float]:
        """Return the starts that are to come, while there are jobs."""
        if all(job.finish is not None for job in self.jobs):
            return []
        starts = (start for plan in self._plans.values() for stage in plan.stages for start in stage.starts)
        return [start for start in starts if start > self.now]

    def _prefer(self, job: naive.Job, kind: str) -> Any:
        task, stage = job.next_task(kind), self._stage(job, kind)
        assert task is not None
        key = stage.due - self._lengths[id(task)] if stage.tasks == "latest-start" else stage.due
        if (start := self._start(task)) is not None:
            key = start
        return key, kind == naive.REDUCE, self._places.index(job.name)

    def can_start(self, slot: naive.Slot) -> list[tuple[naive.Job, str]]:
        """Leave out jobs at their caps and, on untyped slots, reduces of jobs that have maps to start."""
        return [(job, kind) for job, kind in super().can_start(slot) if not self._is_held(job, kind)]

    def that_may_go(
        self, choices: list[tuple[naive.Job, str]], kinds: list[str]
    ) -> list[tuple[naive.Job, str]]:
        """Leave out all while a task that goes before them, of a job that reserves room, finds none."""
        fitting = super().that_may_go(choices, kinds)
        for without in {naive.MAP, naive.REDUCE}.difference(kinds):
            ahead = min((c for c in choices if c[1] == without), key=lambda c: self._prefer(*c), default=None)
            if ahead is not None and self._of(ahead[0]).room == "reserved":
                fitting = [each for each in fitting if self._prefer(*each) < self._prefer(*ahead)]
        return fitting

    def _is_held(self, job: naive.Job, kind: str) -> bool:
        cap, task = self._stage(job, kind).cap, job.next_task(kind)
        start = None if task is None else self._start(task)
        if start is not None and start > self.now:
            return True
        maps_wait = job.next_task(naive.MAP) is not None
        takes_their_slots = kind == naive.REDUCE and self.cluster.has_containers and maps_wait
        return takes_their_slots or (cap is not None and job.running(kind) >= cap)
