"""The best schedule that a search finds, as a policy: so it stands beside the others in every table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.parameters import Parameter, check_parameters
from core.planning.kept_searches import KeptSearches
from core.policies.critical import Critical
from core.policies.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.planning.kept_searches import UnderWay
    from core.policies.policy import SearchControl

MOST_STEPS, LEAST_STEPS, TASK_STEPS = 2000, 20, 50_000_000
"""Of a usual search: about 3 s of two processors for 25 000 tasks and more, a moment for few tasks."""
OBJECTIVES = (
    *("makespan", "mean-response", "weighted-response", "tardiness", "late-jobs", "stretch"),
    "deadlines-makespan",
)


@dataclass(frozen=True)
class Wishes:
    """What is searched, and for how long.

    Attributes
    ----------
    objective : of `OBJECTIVES`
    levers : what may be changed, separated by commas, or "all"
    steps : of the search; they give the same plan on every machine; 0 for as many as `usual_steps` says
    seconds : by the clock instead; 0 for by steps
    seed : of what is drawn
    """

    objective: str
    levers: str
    steps: int
    seconds: float
    seed: int


if TYPE_CHECKING:
    FindPlan = Callable[[Workload, Cluster, Wishes, Callable[[float], None], Callable[[], bool]], Plan]


class Optimised(Policy):
    """Search the best schedule, and follow its plan: which task goes first, on which slots, and when.

    How far from optimal it may be is the gap to the lower bound.
    """

    id = "optimized"
    title = "Optimised"
    parameters = (
        Parameter(
            "steps",
            "integer",
            0,
            "How long to search; the same number finds the same schedule on every machine. 0: 2000, fewer "
            "for more than 25 000 tasks, and without pools where these alone take long: some 3 s.",
            0,
            10_000_000,
            "steps",
        ),
        Parameter(
            "seconds",
            "number",
            0.0,
            "Search so long by the clock instead; a faster machine then finds more. 0: by steps.",
            0.0,
            86_400.0,
            "s",
        ),
        Parameter(
            "levers",
            "text",
            "all",
            "What may be changed: order, slowstart, tasks, across, pools, separated by commas; or all.",
        ),
        Parameter(
            "objective", "choice", "makespan", "What is to be as small as possible.", choices=OBJECTIVES
        ),
        Parameter("seed", "integer", 1, "Another one finds another schedule that is about as good.", 0),
    )
    explains = Critical.explains

    @staticmethod
    def search(
        workload: Workload,
        cluster: Cluster,
        effort: SearchControl,
        objective: str,
        levers: str,
        steps: int,
        seconds: float,
        seed: int,
    ) -> Plan:
        """Search, or return what the same search has found before."""
        wishes = Wishes(objective, levers, steps, seconds, seed)

        def find(news: UnderWay[object]) -> Plan:
            assert effort.optimize is not None
            return effort.optimize(workload, cluster, wishes, news.note_fraction, effort.should_stop)

        return _kept.find((workload.digest, cluster, wishes), find, effort.progress, effort.should_stop)


def usual_steps(workload: Workload) -> int:
    """Return how many steps a search has if nothing is said: it depends on the workload alone."""
    tasks = max(1, workload.map_count + workload.reduce_count)
    return max(LEAST_STEPS, min(MOST_STEPS, TASK_STEPS // tasks))


def known_plan(workload: Workload, cluster: Cluster, parameters: Mapping[str, ParameterValue]) -> Plan | None:
    """Return what an earlier search with these parameters has found, or None."""
    values: dict[str, Any] = check_parameters(Optimised.parameters, parameters, "policy optimized")
    wishes = Wishes(**values)
    return _kept.known((workload.digest, cluster, wishes))


_kept: KeptSearches[Plan, object] = KeptSearches("the search for the best schedule")
