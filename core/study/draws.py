"""What chance may change of a scenario: the jobs that a seed draws, and how long tasks really take.

A question under uncertainty is put to all draws, and how many of them say yes. Each draw depends on its seed
alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from core.engine.variants import ANY_KIND
from core.generate.deadlines import FACTOR, SEED, with_random_deadlines
from core.generate.families import generate
from core.model.document_state import DocumentState, Scenario
from core.model.errors import Cancelled, InputError, shorten
from core.model.estimates import LARGEST_ERROR, DurationEstimates
from core.model.limits import is_number, is_whole
from core.model.progress import never_stop, no_progress
from core.planning.estimated_workload import estimated_workload
from core.policies.registry import describe, policy_class
from core.simulation.engine_selection import use_compiled
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.fork import simulate_fork
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

MAX_DRAWS = 10_000
NOT_DRAWN = "was not generated, or was changed since, so that its jobs cannot be drawn again"
NO_RECORD = "what really ran is as it is; choose a simulated scenario"


@dataclass(frozen=True)
class Draws:
    """What is drawn by chance, and how sure an answer has to be.

    Attributes
    ----------
    count : how many draws
    confidence : the part of them that has to say yes, above 0 to 1
    error : standard deviation of the factor by which each job really takes longer or shorter than the
        workload says (mean 1); policies plan on what the workload says. 0: tasks take what it says
    redraw : whether the jobs of a generated workload are drawn anew as well
    first_seed : the draws have this seed and those that follow
    """

    count: int = 1
    confidence: float = 0.95
    error: float = 0.0
    redraw: bool = False
    first_seed: int = 1

    def __post_init__(self) -> None:
        for is_right, what, value, rule in (
            (is_whole(self.count, 1, MAX_DRAWS), "number of seeds", self.count, f"1 to {MAX_DRAWS}"),
            (0 < self.confidence <= 1, "confidence", self.confidence, "above 0 to 1; 0.95 is 95 %"),
            (is_number(self.error, 0, LARGEST_ERROR), "error", self.error, f"0 to {LARGEST_ERROR:g}"),
        ):
            if not is_right:
                raise InputError(f"the {what} is {shorten(value)}; give a number from {rule}")
        if self.count > 1 and not self.varies:
            nothing = f"{self.count} seeds would draw nothing: the jobs and their durations are as they are"
            raise InputError(f"{nothing}; give an error of the durations, or have generated jobs drawn anew")

    @property
    def varies(self) -> bool:
        """Whether one draw differs from another."""
        return self.error > 0 or self.redraw

    @property
    def needed(self) -> int:
        """How many draws have to meet the condition."""
        return math.ceil(self.confidence * self.count - 1e-9)

    @property
    def sentence(self) -> str:
        """What is drawn: "20 draws: durations ±30 %, seeds 1 to 20"; nothing where nothing is."""
        parts = ["jobs drawn anew"] * self.redraw
        parts += [f"durations ±{100 * self.error:g} %"] * (self.error > 0)
        last = self.first_seed + self.count - 1
        seeds = f"seed {last}" if self.count == 1 else f"seeds {self.first_seed} to {last}"
        return f"{self.count} draw{'s' * (self.count > 1)}: {', '.join([*parts, seeds])}" if parts else ""


class Draw(NamedTuple):
    """One draw: the jobs with the durations that tasks really take, and as they are planned on.

    `planned` is None where policies know the true durations.
    """

    workload: Workload
    planned: Workload | None

    def as_planned(self, scenario: Scenario) -> Scenario:
        """Return the scenario as it plans on this draw."""
        if self.planned is None or not describe(scenario.choice.id).plans:
            return scenario
        estimates = DurationEstimates(profile=self.planned)
        return replace(scenario, choice=replace(scenario.choice, estimates=estimates))


def drawn(workload: Workload, draws: Draws) -> tuple[Draw, ...]:
    """Return all draws of a workload, (count,).

    Raises
    ------
    InputError
        the jobs shall be drawn anew, and no generator made them as they are
    """
    if draws.redraw and (workload.origin is None or _redrawn(workload, 0).digest != workload.digest):
        raise InputError(f"{workload.name} {NOT_DRAWN}; give an error of the durations instead")
    return tuple(_draw(workload, draws, draws.first_seed + place) for place in range(draws.count))


def _draw(workload: Workload, draws: Draws, seed: int) -> Draw:
    assert workload.origin is not None or not draws.redraw
    jobs = _redrawn(workload, seed - workload.origin.seed) if draws.redraw and workload.origin else workload
    if not draws.error:
        return Draw(jobs, None)
    return Draw(estimated_workload(jobs, DurationEstimates(draws.error, seed=seed)), jobs)


def _redrawn(workload: Workload, further: int) -> Workload:
    """Draw a workload by its origin with a seed so much larger, and random deadlines if it has such."""
    assert workload.origin is not None
    origin, parameters = workload.origin, dict(workload.origin.parameters)
    factor, seed = parameters.pop(FACTOR, None), parameters.pop(SEED, None)
    anew = generate(origin.family, seed=origin.seed + further, parameters=parameters)
    if factor is None or seed is None:
        return anew
    return with_random_deadlines(anew, workload.cluster, factor, max(seed + further, 0), isolated_runtimes)


def engine_of(scenario: Scenario, workload: Workload, runs: int) -> Engine:
    """Return the engine for so many runs of a scenario: compiled where that is worth it."""
    policy = policy_class(scenario.choice.id)
    return "compiled" if use_compiled(workload, policy, ANY_KIND, runs=runs) else "auto"


def simulated(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    *,
    engine: Engine = "auto",
    should_stop: Callable[[], bool] = never_stop,
    on_compiling: Callable[[float], None] = no_progress,
) -> Schedule:
    """Run a scenario's policy, or what was made by hand there, on any jobs and cluster.

    Pools made by hand get slots in proportion to the cluster's.

    Raises
    ------
    InputError
        it cannot run there, or a log recorded it
    Cancelled
        `should_stop` said so
    """
    if scenario.choice.is_record:
        raise InputError(NO_RECORD)
    if should_stop():  # short runs do not ask
        raise Cancelled(f"the simulation of {workload.name} was cancelled")
    state = DocumentState(workload, cluster, (scenario,), scenario.id, scenario.id + 1)
    here = replace(scenario, cluster=None)
    fork = state.fork_of(here)
    run = partial(simulate, on_compiling=on_compiling) if fork is None else partial(simulate_fork, fork=fork)
    return run(
        workload,
        cluster,
        scenario.choice,
        order=scenario.order,
        partition=state.partition_of(here),
        plan=state.plan_of(here),
        should_stop=should_stop,
        engine=engine,
    )
