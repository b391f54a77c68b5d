"""A policy against every policy that comes with Slotscope, on several workloads: ranks, gaps, best and worst.

A workload counts as much as any other: what is averaged are places, gaps to the lower bound, and how many
times the best makespan or the best mean response a policy takes.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from core.files.samples import load_sample, samples
from core.measures.metrics import METRICS
from core.model.errors import Cancelled, InputError, PolicyFault
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.policies.by_hand import ByHand
from core.policies.critical import Optimised, usual_steps
from core.policies.registry import POLICIES, policy_class
from core.policies.user_files.policy_process import call_apart
from core.policy_checks.one_workload import searches_before
from core.policy_checks.watched_run import without_prints
from core.simulation.simulate import simulate
from core.study.cell_run import CellRunner
from core.study.cells import settings_of
from core.study.run_study import open_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.model.workload import Workload
    from core.study.study import Study

MAX_OF_A_STUDY = 12
"""Workloads of a study that are taken, evenly spread; thousands of cells are a study of their own."""
MAX_STEPS = 1000
"""Of the search of `optimized`, which takes half a minute for the largest sample and finds no more there."""
AT_ONCE = 2
"""Runs at a time, each in a process of its own."""
SAME = 1e-9
"""Makespans that differ by so little of themselves share a place."""


@dataclass(frozen=True, slots=True)
class PolicyScore:
    """What a policy makes of a workload.

    Attributes
    ----------
    policy, workload : id and name
    makespan, mean_response : seconds; nan where it did not run
    gap : makespan / lower bound - 1; nan likewise
    error : why it did not run, empty if it did
    """

    policy: str
    workload: str
    makespan: float
    mean_response: float
    gap: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One policy over all workloads that it ran.

    Attributes
    ----------
    policy, title : id and title
    rank : its mean place by makespan, from 1; equal makespans share the mean of their places
    makespan, response : how many times the best makespan, and the best mean response, on average
    gap : to the lower bound, on average
    best, worst : where its place is best and worst, the names of the workloads; empty where it never ran
    ran : on how many workloads
    """

    policy: str
    title: str
    rank: float
    makespan: float
    response: float
    gap: float
    best: str
    worst: str
    ran: int


@dataclass(frozen=True)
class Scoreboard:
    """All scores.

    Attributes
    ----------
    choice : the policy that is looked at
    workloads : on their own clusters
    scores : one for each policy and workload
    """

    choice: PolicyChoice
    workloads: tuple[Workload, ...]
    scores: tuple[PolicyScore, ...]

    @cached_property
    def places(self) -> dict[tuple[str, str], float]:
        """The place of each policy on each workload that it ran."""
        found = {}
        for workload in self.workloads:
            ran = [s for s in self.scores if s.workload == workload.name and not s.error]
            for one in ran:
                slack = SAME * one.makespan
                ahead = sum(other.makespan < one.makespan - slack for other in ran)
                equal = sum(abs(other.makespan - one.makespan) <= slack for other in ran)
                found[one.policy, workload.name] = ahead + (equal + 1) / 2
        return found

    @cached_property
    def rows(self) -> tuple[ScoreRow, ...]:
        """A row for each policy, the best mean place first."""
        rows = [self._row(policy) for policy in dict.fromkeys(score.policy for score in self.scores)]
        return tuple(sorted(rows, key=lambda row: (math.isnan(row.rank), row.rank, row.policy)))

    def _row(self, policy: str) -> ScoreRow:
        ran = [score for score in self.scores if score.policy == policy and not score.error]
        places = {score.workload: self.places[policy, score.workload] for score in ran}
        return ScoreRow(
            policy,
            policy_class(policy).title,
            _mean(places.values()),
            _mean(_times(score.makespan, self._best(score.workload, "makespan")) for score in ran),
            _mean(_times(score.mean_response, self._best(score.workload, "mean_response")) for score in ran),
            _mean(score.gap for score in ran),
            min(places, key=places.__getitem__, default=""),
            max(places, key=places.__getitem__, default=""),
            len(ran),
        )

    def _best(self, workload: str, name: str) -> float:
        ran = (score for score in self.scores if score.workload == workload and not score.error)
        return min(float(getattr(score, name)) for score in ran)

    def where_they_differ(self, other: str) -> str:
        """Return the name of the workload on which the policy's makespan and another one's differ most.

        The first one where they are equal, or where one of them did not run.
        """
        of = {(score.policy, score.workload): score.makespan for score in self.scores if not score.error}

        def difference(name: str) -> float:
            mine, theirs = (of.get((policy, name), 0.0) for policy in (self.choice.id, other))
            return abs(math.log(mine / theirs)) if mine > 0 and theirs > 0 else 0.0

        return max((workload.name for workload in self.workloads), key=difference)

    def workload(self, name: str) -> Workload:
        """Return one of the workloads by its name."""
        return next(each for each in self.workloads if each.name == name)


def _mean(numbers: Iterable[float]) -> float:
    values = list(numbers)
    return sum(values) / len(values) if values else math.nan


def _times(value: float, best: float) -> float:
    return value / best if best > 0 else 1.0


def sample_workloads() -> tuple[Workload, ...]:
    """Return the samples, under their names on the command line."""
    return tuple(replace(load_sample(each.name), name=each.name) for each in samples())


def study_workloads(study: Study) -> tuple[Workload, ...]:
    """Return the workloads of a study on the clusters of its cells, `MAX_OF_A_STUDY` at most, evenly spread.

    Cells that differ only in the policy count once.

    Raises
    ------
    InputError
        no cell can be drawn, or a file of the study cannot be read
    """
    runner, step = CellRunner(open_files(study)), max(1, study.cell_count // (8 * MAX_OF_A_STUDY))
    found: dict[tuple[str, object], Workload] = {}
    why: InputError | None = None
    for number in range(0, study.cell_count, step):
        try:
            jobs, cluster = runner.jobs_of(settings_of(study, number))
        except InputError as error:
            why = error
            continue
        name = f"{jobs.name} ({number + 1})"
        workload = replace(jobs, name=name, cluster=cluster, checked_jobs=jobs.jobs)
        found.setdefault((jobs.digest, cluster), workload)
    if not found:
        raise why or InputError(f"study {study.name} has no cell")
    every = list(found.values())
    return tuple(every[:: max(1, -(-len(every) // MAX_OF_A_STUDY))])


def scoreboard(
    choice: PolicyChoice,
    workloads: Sequence[Workload],
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Scoreboard:
    """Simulate every built-in policy, and the one that is looked at, on every workload.

    They run in the process of policy files, so that nothing waits for them here.

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    left_out = (choice.id, ByHand.id)  # where nobody has picked anything, that is FIFO
    others = [PolicyChoice(policy.id) for policy in POLICIES if policy.id not in left_out]
    runs = [(each, workload) for workload in workloads for each in (choice, *others)]
    # searches take longest, and begin first, so that the rest runs beside them
    order = sorted(range(len(runs)), key=lambda place: not searches_before(policy_class(runs[place][0].id)))
    found: dict[int, PolicyScore] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        places = {pool.submit(_score_apart, *runs[place], should_stop): place for place in order}
        for future in as_completed(places):
            found[places[future]] = future.result()
            progress(len(found) / len(runs))
    return Scoreboard(choice, tuple(workloads), tuple(found[place] for place in range(len(runs))))


def _score_apart(choice: PolicyChoice, workload: Workload, should_stop: Callable[[], bool]) -> PolicyScore:
    """Measure a policy on a workload in a process of policy files, also one that ends its process."""
    if should_stop():
        raise Cancelled("the scoreboard was cancelled")
    limited = choice
    if choice.id == Optimised.id and not {"steps", "seconds"} & choice.parameters.keys():
        steps = min(usual_steps(workload), MAX_STEPS)
        limited = replace(choice, parameters={**choice.parameters, "steps": steps})
    try:
        score: PolicyScore = call_apart(score_of, (limited, workload), {"should_stop": should_stop})
    except PolicyFault as fault:
        return PolicyScore(choice.id, workload.name, math.nan, math.nan, math.nan, fault.sentence)
    return score


@without_prints
def score_of(
    choice: PolicyChoice, workload: Workload, should_stop: Callable[[], bool] = never_stop
) -> PolicyScore:
    """Simulate a policy on a workload and measure it; what fails is a sentence."""
    try:
        schedule = simulate(workload, workload.cluster, choice, should_stop=should_stop)
    except (InputError, PolicyFault) as error:
        return PolicyScore(choice.id, workload.name, math.nan, math.nan, math.nan, str(error))
    makespan, response, gap = (METRICS[name].of(schedule) for name in ("makespan", "mean_response", "gap"))
    return PolicyScore(choice.id, workload.name, makespan, response, gap)
