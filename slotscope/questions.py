"""Searches: the best schedule, and the fewest slots that are enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from slotscope.runs import run_policy
from slotscope.sentences import in_sentences
from slotscope.workloads import ClusterChanges, changed, opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.cluster_sizes import Varied
    from core.optimize.fewest_slots import Fewest
    from core.simulation.best_schedule import BestFound, WantedSearch
    from slotscope.schedules import ScheduleResult
    from slotscope.workloads import Source

SEARCH_SECONDS, QUESTION_SECONDS = 3.0, 10.0


@dataclass(frozen=True)
class BestResult:
    """The best schedule that a search has found, and how much better any could be.

    Attributes
    ----------
    wanted : what was searched
    answer : all that came out, as `core.simulation.best_schedule` has it

    Examples
    --------
    >>> import slotscope
    >>> best = slotscope.optimize("five-jobs", steps=200)
    >>> best.best, best.bound, best.is_proved
    (47.0, 47.0, True)
    >>> best.schedule.makespan
    47.0
    """

    wanted: WantedSearch
    answer: BestFound

    @property
    def best(self) -> float:
        """The value of the objective, in seconds where that is a time."""
        return self.answer.found.best

    @property
    def bound(self) -> float:
        """A value that no schedule is below, under `premise`."""
        return self.answer.found.bound

    @property
    def gap(self) -> float:
        """By which part of the bound the best is above it: 0.03 for 3 %."""
        return self.answer.found.gap

    @property
    def premise(self) -> str:
        """What the bound takes for granted, in words."""
        from core.optimize.premise import premise_on

        return premise_on(self.wanted.workload, self.wanted.cluster).words

    @property
    def is_proved(self) -> bool:
        """Whether a certificate proves that nothing is better."""
        return bool(self.answer.proof)

    @property
    def plan(self) -> Plan:
        """The plan of the best schedule: ``slotscope.simulate(workload, plan=best.plan)`` replays it."""
        return self.answer.found.plan

    @cached_property
    def schedule(self) -> ScheduleResult:
        """The best schedule."""
        return run_policy(self.wanted.workload, self.wanted.cluster, "critical", plan=self.plan)

    @cached_property
    def levers(self) -> pd.DataFrame:
        """One row per lever, with those before it: the best value, the gap, and whether it is proved."""
        import pandas as pd

        rows = [(each.lever, each.best, each.gap, each.proved) for each in self.answer.levers]
        return pd.DataFrame(rows, columns=["lever", "best", "gap", "proved"])

    def __repr__(self) -> str:
        proved = ", proved" if self.is_proved else ""
        return f"<BestResult {self.wanted.objective.name} {self.best:g}, bound {self.bound:g}{proved}>"


@in_sentences
def optimize(
    workload: Source,
    objective: str = "makespan",
    *,
    levers: str = "all",
    start: Plan | Sequence[str] | None = None,
    pin: Iterable[str] = (),
    before: Sequence[tuple[str, str]] = (),
    keep_deadlines: bool = False,
    robust: float | None = None,
    robust_per: str | None = None,
    seconds: float | None = None,
    steps: int | None = None,
    seed: int = 1,
    **cluster: Unpack[ClusterChanges],
) -> BestResult:
    """Search the best schedule, and say how much better any could be.

    Parameters
    ----------
    workload : as of `simulate`
    objective : what is to be small: makespan, mean-response, weighted-response, tardiness, late-jobs,
        stretch …, or a mix: ``"makespan=1,mean-response=0.5"``
    levers : what may be changed, ``"order,slowstart"`` for instance
    start : begin with this order of jobs, or with a plan
    pin : jobs that stay where they are
    before : pairs of jobs, of which the first goes before the second
    keep_deadlines : no job ends after its deadline
    robust : durations are guesses, wrong by so much (0.3: ±30 %); the mean over noisy copies counts
    robust_per : what is wrong by a factor of its own: "job" (usual), "task" or "correlated"
    seconds, steps : how long to search, 3 s if neither is given; what so many steps find is the same on every
        machine
    seed : of the search
    cluster : what differs from the workload's cluster, as of `simulate`

    Raises
    ------
    InputError
        something that is given is wrong

    Examples
    --------
    >>> import slotscope
    >>> best = slotscope.optimize("five-jobs", steps=200, levers="order")
    >>> best
    <BestResult makespan 47, bound 47, proved>
    >>> slotscope.compare("five-jobs", ["fifo", best.schedule]).table["makespan"].tolist()
    [74.0, 47.0]
    """
    from core.optimize.chains import load_compiled
    from core.simulation.best_schedule import robust_of, search_best

    kept = {"start": start, "pinned": pin, "before": before, "keep_deadlines": keep_deadlines}
    effort, wrong = _effort(seconds, steps), robust_of(robust, robust_per)
    wanted = _wanted(
        opened(workload).workload, cluster, objective, levers, effort, robust=wrong, seed=seed, **kept
    )
    load_compiled()
    return BestResult(wanted, search_best(wanted))


def _effort(seconds: float | None, steps: int | None) -> dict[str, Any]:
    from core.optimize.short_searches import clock_seconds

    return {"seconds": clock_seconds(seconds, steps, SEARCH_SECONDS), "steps": steps}


def _wanted(
    workload: Workload,
    cluster: ClusterChanges,
    objective: str,
    levers: str,
    effort: dict[str, Any],
    **wishes: Any,  # as of `wanted_search`
) -> WantedSearch:
    """Return what is to be searched."""
    from core.model.levers import levers_in
    from core.optimize.objectives import Objective
    from core.simulation.best_schedule import wanted_search

    on = changed(workload.cluster, cluster)
    return wanted_search(
        workload, on, Objective.of(objective), effort=effort, levers=levers_in(levers), **wishes
    )


@in_sentences
def fewest(
    workload: Source,
    until: float,
    vary: Varied | None = None,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    seed: int = 1,
    **cluster: Unpack[ClusterChanges],
) -> Fewest:
    """Return the fewest slots, or nodes, with which all jobs end by a time, and whether fewer cannot.

    Parameters
    ----------
    workload : as of `simulate`
    until : seconds from the workload's start
    vary : maps, reduces, both (as many of each), total (any split of them), containers or nodes; by default
        what the cluster has
    seconds, steps : how long to search, 10 s if neither is given
    seed : of the searches
    cluster : what differs from the workload's cluster, as of `simulate`

    Returns
    -------
    Fewest
        with `enough`, `too_few`, `is_proved`, the `plan` and the `cluster` on which it ends in time, and its
        `sentence`

    Raises
    ------
    InputError
        something that is given is wrong

    Examples
    --------
    >>> import slotscope
    >>> answer = slotscope.fewest("five-jobs", 47, steps=200)
    >>> answer.sentence
    '30 + 30 slots; fewer are proved to be too few to end by 0:47.'
    """
    from core.optimize.chains import load_compiled
    from core.optimize.cluster_sizes import usual_varied
    from core.optimize.fewest_slots import fewest as search
    from core.optimize.short_searches import clock_seconds, searches_for
    from core.simulation.proofs import prove_fewest

    by_clock = clock_seconds(seconds, steps, QUESTION_SECONDS)
    given = opened(workload).workload
    on = changed(given.cluster, cluster)
    load_compiled()
    known = search(given, on, until, vary or usual_varied(on), searches_for(by_clock, steps, seed))
    return prove_fewest(given, on, known)[0]
