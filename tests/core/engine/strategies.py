"""Random workloads full of ties, clusters that can run them, and every policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.estimates import DurationEstimates
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.pool import Pool
from core.model.stages import Stage
from core.model.workload import Workload
from core.shared_scans.windows import SCAN_POLICIES

if TYPE_CHECKING:
    from core.model.parameters import Parameter

POLICIES = ("fifo", "order", "sjf", "johnson", "johnson-reverse", "edf-max", "fair")
POOLS = ("red", "blue")
SLOWSTARTS = (0.0, 0.05, 0.5, 1.0)
CURVES = ((), (), (1.0, 1.0, 0.5), (1.0, 0.25), (0.5, 0.5, 0.125))
"""Of contention, twice none. All times remain fractions that floating point has exactly."""


@dataclass(frozen=True)
class Case:
    """Everything that decides a schedule."""

    workload: Workload
    cluster: Cluster
    policy: str
    order: tuple[str, ...] | None


def samples(most: int) -> st.SearchStrategy[list[int]]:
    """Whole seconds, often equal and often zero; often fewer than the stage has tasks."""
    return st.lists(st.integers(0, most), min_size=1, max_size=4)


@st.composite
def jobs(draw: st.DrawFn, name: str) -> Job:
    """A job of few tasks; one stage may be empty."""
    maps, reduces = draw(st.tuples(st.integers(0, 6), st.integers(0, 5)).filter(any))
    arrival = float(draw(st.integers(0, 5)))
    allowed = draw(st.none() | st.integers(1, 9))
    return Job(
        name,
        Stage.of(maps, draw(samples(4))),
        Stage.of(reduces, draw(samples(3)), draw(samples(2)), draw(samples(4))),
        arrival=arrival,
        deadline=None if allowed is None else arrival + allowed,
        weight=draw(st.sampled_from((1.0, 2.0, 0.5))),
        pool=draw(st.sampled_from(POOLS)),
    )


@st.composite
def pools(draw: st.DrawFn, name: str) -> Pool:
    """A pool with settings for every sharing policy; two of them guarantee no more than there is."""
    capacity = draw(st.sampled_from((None, None, 0.0, 0.25, 0.5)))
    return Pool(
        name,
        weight=draw(st.sampled_from((1.0, 2.0, 0.5))),
        min_map_slots=draw(st.integers(0, 3)),
        min_reduce_slots=draw(st.integers(0, 2)),
        capacity=capacity,
        max_capacity=draw(st.sampled_from((0.5, 0.75, 1.0))),
        spending_rate=draw(st.sampled_from((1.0, 2.0, 0.5))),
        budget=draw(st.none() | st.integers(0, 30).map(float)),
    )


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    """One to five jobs, and settings of up to two pools."""
    listed = draw(st.lists(st.sampled_from(POOLS), unique=True))
    return Workload(
        "random",
        tuple(draw(jobs(f"J{i}")) for i in range(draw(st.integers(1, 5)))),
        pool_settings=tuple(draw(pools(name)) for name in listed),
    )


def lasting_workloads() -> st.SearchStrategy[Workload]:
    """The same with a second more for every task: no two instants have one time."""
    return workloads().map(_lasting)


def _lasting(workload: Workload) -> Workload:
    def longer(stage: Stage) -> Stage:
        return replace(stage, durations=stage.durations + 1)

    return workload.with_jobs(
        replace(job, stages=(longer(job.maps), longer(job.reduces))) for job in workload.jobs
    )


@st.composite
def node_clusters(draw: st.DrawFn, slowstart: float = 0.05, model: str = "simmr") -> Cluster:
    """One to four nodes of one or two sizes, on one of which a task of each kind fits."""
    amount = st.integers(0, 3)
    requests = [Request(*draw(st.tuples(amount, amount).filter(any))) for _ in range(2)]
    enough = [max(getattr(r, name) for r in requests) for name in ("memory_mb", "cores")]
    large = [max(draw(st.integers(least, least + 4)), 1) for least in enough]
    groups = [NodeGroup(draw(st.integers(1, 2)), *large)]
    small = NodeGroup(draw(st.integers(1, 2)), draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    if any(request.fitting(small.memory_mb, small.cores) for request in requests):
        groups.insert(draw(st.integers(0, 1)), small)
    contention = draw(st.sampled_from(CURVES))
    load = draw(st.sampled_from((0.0, 1.0, 2.0))) if contention else 0.0
    maps, reduces = requests
    nodes = tuple(groups)
    return Cluster(0, 0, slowstart, model, 0, nodes, maps, reduces, None, contention, load)  # type: ignore[arg-type]


@st.composite
def clusters(draw: st.DrawFn, workload: Workload) -> Cluster:
    """One to four slots of each kind that the workload needs, or one to five containers, or a few nodes."""
    slowstart, model = draw(st.sampled_from(SLOWSTARTS)), draw(st.sampled_from(SHUFFLE_MODELS))
    form = draw(st.integers(0, 2))
    if form == 2:
        return draw(node_clusters(slowstart, model))
    if form == 1:
        return Cluster(0, 0, slowstart, model, containers=draw(st.integers(1, 5)))  # type: ignore[arg-type]
    maps = draw(st.integers(1 if workload.map_count else 0, 4))
    reduces = draw(st.integers(1 if workload.reduce_count or maps == 0 else 0, 4))
    return Cluster(maps, reduces, slowstart, model)  # type: ignore[arg-type]


def estimates() -> st.SearchStrategy[DurationEstimates | None]:
    """The true durations, and errors of either kind."""
    errors, kinds = st.sampled_from((0.3, 3.0)), st.sampled_from(("job", "task"))
    return st.none() | st.builds(DurationEstimates, errors, kinds, st.integers(0, 9))


@st.composite
def cases(draw: st.DrawFn, policies: tuple[str, ...] = POLICIES) -> Case:
    """A workload, a cluster that can run it, and a policy."""
    workload = draw(workloads())
    policy = draw(st.sampled_from(policies))
    names = [job.name for job in workload.jobs]
    order = tuple(draw(st.permutations(names)))[: draw(st.integers(0, len(names)))]
    cluster = draw(clusters(workload))
    if policy in SCAN_POLICIES:
        cluster = replace(cluster, contention=(), reduce_load=0)  # which they refuse
    return Case(workload, cluster, policy, order if policy == "order" else None)


FEW_STEPS = 4
"""Of a search of the best schedule."""


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Both or all choices; of a number its ends, its default and something between."""
    if parameter.type == "boolean":
        return st.booleans()
    if parameter.type == "choice":
        return st.sampled_from(parameter.choices)
    if parameter.name in ("steps", "seconds") or parameter.type == "text":
        return st.just(FEW_STEPS if parameter.name == "steps" else parameter.default)
    low = parameter.default if parameter.min is None else parameter.min
    high = parameter.default if parameter.max is None else parameter.max
    between: float | int | str = (float(low) + float(high)) / 3
    if parameter.type == "integer" or not float(low) <= float(between) <= float(high):
        between = low
    return st.sampled_from((low, between, parameter.default, high))
