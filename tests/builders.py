"""Short ways to build the jobs and workloads of tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.generate.families import generate
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.workload import Origin, Workload
from core.simulation.simulate import Engine, simulate

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan

Numbers = float | Sequence[float]


def make_stage(count: int, durations: Numbers = 1.0, first: Numbers = 0.0, typical: Numbers = 0.0) -> Stage:
    """Build a stage: tasks, their durations and, for reduces, both shuffles."""
    return Stage.of(count, durations, first, typical)


def make_job(name: str, maps: Sequence[Any] = (0,), reduces: Sequence[Any] = (0,), **fields: Any) -> Job:
    """Build a job from the arguments of `make_stage` for either stage and any field of `Job`."""
    return Job(name, make_stage(*maps), make_stage(*reduces), **fields)


def make_workload(*jobs: Job) -> Workload:
    """Build a workload from jobs."""
    return Workload("test", jobs)


def two_stage_workload(seconds: Sequence[tuple[float, float]], tasks: int | Sequence[int] = 30) -> Workload:
    """Build jobs J1, J2, … from (map, reduce) seconds; each has as many maps as reduces, no shuffle."""
    counts = [tasks] * len(seconds) if isinstance(tasks, int) else tasks
    return make_workload(
        *(
            make_job(f"J{i + 1}", (count, maps), (count, reduces))
            for i, ((maps, reduces), count) in enumerate(zip(seconds, counts, strict=True))
        )
    )


def regenerate(origin: Origin) -> Workload:
    """Draw a generated workload again."""
    return generate(origin.family, seed=origin.seed, parameters=dict(origin.parameters))


FIVE_JOBS = ((4, 5), (1, 4), (30, 4), (6, 30), (2, 3))
"""Map and reduce seconds of the five jobs of 000 Figure 6."""


def run(
    workload: Workload,
    cluster: Cluster,
    policy: str | PolicyChoice = "fifo",
    *,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    plan: Plan | None = None,
    engine: Engine = "interpreted",
    **parameters: Any,
) -> Schedule:
    """Simulate with a policy's default parameters and interpreted, unless asked otherwise.

    A parameter that is called as one of the arguments above comes in a choice.
    """
    choice = policy if isinstance(policy, PolicyChoice) else PolicyChoice(policy, parameters)
    return simulate(workload, cluster, choice, order=order, partition=partition, plan=plan, engine=engine)
