"""A run that is planned anew as it goes, by what is known when each plan is made.

When plans are made is said by parameters; `core.simulation.planning_anew` makes them. Between two plans the
run is as under the policy of the last one: tasks go by due dates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.levers import ALL_LEVERS, LEVERS
from core.model.objectives import OBJECTIVES
from core.model.parameters import Parameter
from core.policies.critical import Critical
from core.policies.explains import Number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.plan import Plan
    from core.model.workload import Workload

WHEN = ("arrivals", "failures", "both", "times")
DEFAULT_STEPS = 100


@dataclass(frozen=True)
class NewPlans:
    """When plans are made, and how.

    Attributes
    ----------
    at : what a plan is made at, of `WHEN`, beside the first one: when a job arrives, when something happens
        to a node, at both, or at times alone
    every : seconds between plans beside these; 0 for none
    steps : of the search for each plan; no clock, so that the same run has the same plans
    objective : what is to be small, of `core.model.objectives.OBJECTIVES`
    levers : what plans may change, separated by commas, or "all"
    seed : of what the searches draw
    """

    at: str
    every: float
    steps: int
    objective: str
    levers: str
    seed: int

    @property
    def at_arrivals(self) -> bool:
        """Whether when a job arrives."""
        return self.at in ("arrivals", "both")

    @property
    def at_failures(self) -> bool:
        """Whether when a node fails, is back, or runs slower or faster."""
        return self.at in ("failures", "both")


class Rolling(Critical):
    """Plan anew as the run goes: when a job arrives, when a node fails, and every so many seconds.

    Each plan is searched for what is left by then, and knows only what is known by then: jobs that have
    arrived, what has run, and estimates of the rest.
    """

    id = "rolling"
    title = "Planned anew"
    parameters = (
        Parameter(
            "at",
            "choice",
            "arrivals",
            "When a plan is made: when a job arrives, when a node fails, is back or changes its speed, at "
            "both, or once the first job has arrived, and then at times alone.",
            choices=WHEN,
        ),
        Parameter("every", "number", 0.0, "Seconds between plans. 0: none.", 0.0, 1e9, "s"),
        Parameter(
            "steps",
            "integer",
            DEFAULT_STEPS,
            "How long to search for each plan; the same number finds the same plan on every machine.",
            1,
            100_000,
            "steps",
        ),
        Parameter(
            "objective",
            "choice",
            "makespan",
            "What is to be as small as possible.",
            choices=tuple(name for name in OBJECTIVES if name != "stretch"),
        ),
        Parameter(
            "levers",
            "text",
            ALL_LEVERS,
            f"What plans may change: {', '.join(LEVERS)}, separated by commas; or {ALL_LEVERS}. Pools and "
            "starts stay as they are: what runs already does not fit them.",
        ),
        Parameter("seed", "integer", 1, "Another one finds other plans that are about as good.", 0),
    )
    explains = replace(
        Critical.explains,
        rule="A plan is searched anew for what is left, by what is known then. The task with the earliest "
        "due date of the last plan goes first, or with the earliest time at which it may start to be done by "
        "then.",
        numbers=(
            *Critical.explains.numbers,
            Number("planned", "at", "Planned", "When the plan was made", lambda planned_at: planned_at),
        ),
    )

    @staticmethod
    def figures(workload: Workload, cluster: Cluster, plan: Plan | None) -> dict[str, NDArray[Any]]:
        """Return what `Critical` does; before the first plan none was made at any time."""
        return planned_at(np.nan, Critical.figures(workload, cluster, plan))


def planned_at(time: float, figures: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return figures that say when the plan was made that they come from, seconds."""
    return {**figures, "planned_at": np.full(len(figures["place_in_plan"]), time)}


def new_plans(parameters: Mapping[str, ParameterValue]) -> NewPlans:
    """Return when plans are made, and how, by all of the policy's parameters."""
    values: dict[str, Any] = dict(parameters)
    return NewPlans(**values)
