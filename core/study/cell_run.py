"""Run one cell: draw or open its workload, build its cluster, simulate, measure; what fails is a sentence."""

from __future__ import annotations

import math
import traceback
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.variants import RunKind
from core.files.samples import load_sample
from core.generate.deadlines import with_random_deadlines
from core.generate.families import generate
from core.generate.scaling import scale_workload
from core.model.errors import InputError, PolicyError, SlotscopeError
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.policies.registry import describe, policy_class
from core.simulation.engine_selection import use_compiled
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.simulate import simulate
from core.study.cells import DEFAULT_POLICY, CellRow
from core.study.fluid_cells import fluid_schedule
from core.study.load import HOUR, rate_at
from core.study.measures import FLUID, MEASURES
from core.study.policy_names import is_file_policy
from core.study.policy_sources import running
from core.study.study_fields import POLICY, WORKLOAD, cluster_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.user_files.source import PolicySource
    from core.shared_scans.fluid import FluidSchedule
    from core.study.cells import Cell
    from core.study.study_fields import Value

    Settings = Mapping[str, Value]

MAX_KEPT = 4
"""Workloads that a process keeps; neighbouring cells mostly share one."""
LOOK = "look."
"""Before the name of a field that says where a measure looks: the schedule does not depend on it."""
OUR_CODE = str(Path(__file__).parents[1])
NO_MEMORY = (
    "the simulation does not fit into this machine's memory; run failed cells again with fewer processes"
)
AGAIN = "run failed cells again, and report it if they fail once more"


@dataclass(frozen=True)
class CellScenario:
    """What a cell simulates: a scenario of a document has the same."""

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice


class CellRunner:
    """Runs cells in one process; keeps the few workloads that it met last, and nothing else.

    `files` has the workloads in files, `policies` the policy files that may run, each by the name that the
    study has for it.
    """

    def __init__(
        self, files: Mapping[str, Workload], policies: Mapping[str, PolicySource] | None = None
    ) -> None:
        self._files, self._policies = files, policies or {}
        self._kept: OrderedDict[object, Workload] = OrderedDict()
        self._runs: Counter[str] = Counter()
        self._looked: tuple[object, Schedule | FluidSchedule] | None = None

    def scenario_of(self, cell: Cell) -> CellScenario:
        """Return what a cell simulates; InputError or DocumentError where its values do not go together."""
        return CellScenario(*self.jobs_of(cell), self._choice(cell.settings))

    def jobs_of(self, cell: Cell) -> tuple[Workload, Cluster]:
        """Return the jobs of a cell and what they run on; no policy is looked at. Raises as `scenario_of`."""
        settings = cell.settings
        drawn = tuple(item for item in settings.items() if item[0].startswith("workload."))
        workload = self._keep(drawn, lambda: workload_of(settings, self._files))
        cluster = cluster_of(settings, workload.cluster)
        if (load := settings.get("workload.load")) is not None:
            bare, seed = workload, int(settings.get("workload.seed", 1))
            workload = self._keep(
                (drawn, cluster), lambda: _at_rate(bare, rate_at(bare, cluster, float(load)), seed)
            )
        if (factor := settings.get("deadlines.factor")) is not None:
            seed = int(settings.get("deadlines.seed", 1))
            plain = workload
            workload = self._keep(
                (drawn, cluster, factor, seed),
                lambda: with_random_deadlines(plain, cluster, float(factor), seed, isolated_runtimes),
            )
        return workload, cluster

    def _choice(self, settings: Settings) -> PolicyChoice:
        """Return the policy with what it takes of the settings; a policy file runs at its first use."""
        choice = choice_of(settings)
        if not is_file_policy(choice.id):
            return choice
        known = describe(running(self._policies[choice.id]))
        taken = {p.name for p in known.parameters}
        parameters = {name: value for name, value in choice.parameters.items() if name in taken}
        return PolicyChoice(known.id, parameters, choice.estimates if known.plans else None)

    def run(self, cell: Cell, measures: Sequence[str]) -> CellRow:
        """Simulate a cell and measure it."""
        try:
            schedule = self._schedule(cell)
            return CellRow(tuple(MEASURES[name].value(schedule, cell.settings) for name in measures))
        except Exception as error:  # whatever goes wrong in one cell must not end the others
            return CellRow((math.nan,) * len(measures), _sentence_of(error, cell))

    def _schedule(self, cell: Cell) -> Schedule | FluidSchedule:
        """Return the schedule of a cell; of cells that look at one at many places, it is simulated once."""
        simulated = tuple(item for item in cell.settings.items() if not item[0].startswith(LOOK))
        if self._looked is not None and self._looked[0] == simulated:
            return self._looked[1]
        wanted = self.scenario_of(cell)
        schedule: Schedule | FluidSchedule
        if cell.settings.get("simulation.model") == FLUID:
            schedule = fluid_schedule(wanted.workload, wanted.cluster, wanted.choice)
        else:
            schedule = self.simulate(wanted)
        self._looked = (simulated, schedule) if len(simulated) < len(cell.settings) else None
        return schedule

    def simulate(self, wanted: CellScenario) -> Schedule:
        """Simulate, compiled as soon as all runs so far would have been worth it."""
        policy = wanted.choice.id
        self._runs[policy] += 1
        kind = RunKind.of(wanted.cluster, located=wanted.workload.inputs is not None)
        pays = use_compiled(wanted.workload, policy_class(policy), kind, runs=self._runs[policy])
        engine: Any = "compiled" if pays else "auto"
        return simulate(wanted.workload, wanted.cluster, wanted.choice, engine=engine)

    def _keep(self, name: object, make: Callable[[], Workload]) -> Workload:
        if name not in self._kept:
            self._kept[name] = make()
            if len(self._kept) > 2 * MAX_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]


def _sentence_of(error: Exception, cell: Cell) -> str:
    """Return why a cell has no results, and what to do; messages between modules are left out."""
    is_own = is_file_policy(cell.settings.get("policy.id"))
    if isinstance(error, SlotscopeError) and (is_own or not isinstance(error, PolicyError)):
        return " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return NO_MEMORY
    # what a policy of Slotscope raised is no mistake of the user either
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    frames = traceback.extract_tb(cause.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(OUR_CODE)] or frames
    place = f" in {Path(ours[-1].filename).name}, line {ours[-1].lineno}" if ours else ""
    where = f"policy {cell.settings.get('policy.id', DEFAULT_POLICY)}, seed {cell.seed}"
    return f"{where}: a failure of ours ({type(cause).__name__}{place}); {AGAIN}"


# ---- the workload


def workload_of(settings: Settings, files: Mapping[str, Workload]) -> Workload:
    """Draw, open or take a workload, and change it by the settings."""
    workload = _source(settings, files)
    if {"workload.first_job", "workload.last_job"} & settings.keys():
        workload = _some_jobs(workload, settings)
    if (factor := settings.get("workload.input_factor")) is not None:
        workload = scale_workload(workload, float(factor))
    if (rate := settings.get("workload.arrival_rate")) is not None:
        workload = _at_rate(workload, float(rate), int(settings.get("workload.seed", 1)))
    if (seed := settings.get("workload.order_seed")) is not None:
        workload = _in_another_order(workload, int(seed))
    return workload


def _source(settings: Settings, files: Mapping[str, Workload]) -> Workload:
    if (name := settings.get("workload.file")) is not None:
        return files[str(name)]
    if (name := settings.get("workload.sample")) is not None:
        return load_sample(str(name))
    return generate(
        str(settings["workload.family"]),
        seed=int(settings.get("workload.seed", 1)),
        parameters=_parameters(settings, WORKLOAD),
    )


def _parameters(settings: Settings, prefix: str) -> dict[str, Value]:
    start = len(prefix)
    return {name[start:]: value for name, value in settings.items() if name.startswith(prefix)}


def _some_jobs(workload: Workload, settings: Settings) -> Workload:
    first = int(settings.get("workload.first_job", 1))
    last = int(settings.get("workload.last_job", len(workload.jobs)))
    jobs = workload.jobs[first - 1 : last]
    if not jobs:
        has = f"{workload.name} has {len(workload.jobs)} jobs; none is from {first} to {last}"
        raise InputError(f"{has}; change first_job or last_job")
    return workload.with_jobs(jobs)


def _moved(job: Job, arrival: float) -> Job:
    """Return a job that arrives at another time; its deadline moves with it."""
    later = arrival - job.arrival
    return replace(
        job,
        arrival=arrival,
        deadline=None if job.deadline is None else job.deadline + later,
        service_levels=tuple((time + later, cost) for time, cost in job.service_levels),
    )


def _at_rate(workload: Workload, rate: float, seed: int) -> Workload:
    """Let so many jobs an hour arrive: in the rhythm that they have, else by chance."""
    arrivals = np.array([job.arrival for job in workload.jobs])
    gaps, span = len(arrivals) - 1, float(np.ptp(arrivals))
    if gaps < 1:
        return workload
    if span > 0:
        arrivals = (arrivals - arrivals.min()) * (gaps / rate * HOUR / span)
    else:
        random = np.random.Generator(np.random.PCG64(seed))
        arrivals = np.concatenate([[0.0], np.cumsum(random.exponential(HOUR / rate, gaps))])
    times = np.round(arrivals, 3).tolist()
    return workload.with_jobs(_moved(job, time) for job, time in zip(workload.jobs, times, strict=True))


def _in_another_order(workload: Workload, seed: int) -> Workload:
    """Let the jobs change their places in the order of arrival, every order being equally probable."""
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(workload.jobs)).tolist()
    arrivals = [job.arrival for job in workload.jobs]
    return workload.with_jobs(
        _moved(workload.jobs[place], arrival) for place, arrival in zip(order, arrivals, strict=True)
    )


# ---- the cluster and the policy


def choice_of(settings: Settings) -> PolicyChoice:
    """Return the policy with its parameters, and what it knows of durations."""
    estimates = None
    if (error := settings.get("estimates.error")) is not None:
        per, seed = str(settings.get("estimates.per", "job")), int(settings.get("estimates.seed", 1))
        estimates = DurationEstimates(float(error), per, seed)
    return PolicyChoice(str(settings["policy.id"]), _parameters(settings, POLICY), estimates)
