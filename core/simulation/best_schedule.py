"""The best schedule that is found: what is wished, the search, what each lever is worth, what is proved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError, UnknownName
from core.model.levers import LEVERS
from core.model.plan import Plan
from core.model.progress import never_stop, no_progress
from core.optimize.constraints import Constraints
from core.optimize.lever_worths import best_of, lever_worths
from core.optimize.objectives import Objective, Robust, check_deadlines
from core.optimize.search import optimize
from core.simulation.proofs import proof_of, proved_worths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.lever_worths import LeverWorth
    from core.simulation.proof import Proof

MAX_SIGMA = 3


@dataclass(frozen=True)
class WantedSearch:
    """What is searched, for how long, and what all searches have in common."""

    workload: Workload
    cluster: Cluster
    objective: Objective
    levers: tuple[str, ...]
    robust: Robust | None
    effort: dict[str, Any]  # Any: arguments of a search
    wishes: dict[str, Any]


@dataclass(frozen=True)
class BestFound:
    """What came out: the best found, how long that took, what each lever is worth, and what is proved."""

    found: Found
    seconds: float
    levers: tuple[LeverWorth, ...]
    proof: Proof


def robust_of(sigma: float | None, per: str | None, dashes: str = "") -> Robust | None:
    """Return how durations are wrong, None where they are taken as they are.

    Parameters
    ----------
    sigma : by how much, 0.3 for 30 %; None for not at all
    per : what is wrong by a factor of its own, a job by default
    dashes : what stands before the names in messages: "--" for options of the command line

    Raises
    ------
    InputError
        `sigma` is no number from 0 to `MAX_SIGMA`, or is missing
    """
    if sigma is not None and not 0 <= sigma <= MAX_SIGMA:
        rule = f"give a number from 0 to {MAX_SIGMA}; 0.3 means durations wrong by 30 %"
        raise InputError(f"{dashes}robust is {sigma:g}; {rule}")
    if per is not None and sigma is None:
        given = "--robust 0.3" if dashes else "robust=0.3"
        name = "--robust-per" if dashes else "robust_per"
        raise InputError(f"{name} says how durations are wrong; give {given}, too")
    return None if sigma is None else Robust(sigma=sigma, per=per or "job")


def wanted_search(
    workload: Workload,
    cluster: Cluster,
    objective: Objective,
    *,
    effort: dict[str, Any],
    levers: Sequence[str] = tuple(LEVERS),
    start: Plan | Sequence[str] | None = None,
    pinned: Iterable[str] = (),
    before: Sequence[tuple[str, str]] = (),
    keep_deadlines: bool = False,
    robust: Robust | None = None,
    seed: int = 1,
) -> WantedSearch:
    """Return a search that is wished.

    Parameters
    ----------
    objective : what is to be small
    effort : `seconds` or `steps`, the other None
    levers : what may be changed
    start : a plan, or an order of names, to begin with
    pinned, before, keep_deadlines : as of `core.optimize.constraints.Constraints`
    robust : how durations are wrong, None where they are not
    seed : of the search

    Raises
    ------
    UnknownName
        there is no job of a name
    InputError
        jobs without deadlines are to be in time
    """
    check_deadlines(objective, workload)
    order = () if start is None or isinstance(start, Plan) else tuple(start)
    pinned, before = frozenset(pinned), tuple(before)
    for name in (*order, *pinned, *(name for pair in before for name in pair)):
        if name not in workload.job_index:
            raise UnknownName(f"job of {workload.name}", name, workload.job_index)
    constraints = Constraints(pinned=pinned, before=before, keep_deadlines=keep_deadlines)
    begins = start if start is None or isinstance(start, Plan) else order
    wishes = {"objective": objective, "constraints": constraints, "start": begins}
    wishes |= {"seed": seed, "robust": robust}
    return WantedSearch(workload, cluster, objective, tuple(levers), robust, effort, wishes)


def search_best(
    wanted: WantedSearch,
    should_stop: Callable[[], bool] = never_stop,
    on_found: Callable[[Found], None] = no_progress,
    doing: Callable[[str], None] = no_progress,
) -> BestFound:
    """Search what is wished, then what each lever is worth by itself, in as much time again.

    Parameters
    ----------
    should_stop : asked every few milliseconds
    on_found : called whenever something better was found
    doing : called with what comes after the search, in a few words
    """
    began, effort = time.monotonic(), wanted.effort | {"should_stop": should_stop}
    workload, cluster = wanted.workload, wanted.cluster
    found = optimize(workload, cluster, **effort, levers=wanted.levers, on_found=on_found, **wanted.wishes)
    took = time.monotonic() - began
    doing("searching what each lever is worth")
    levers = lever_worths(workload, cluster, found, levers=wanted.levers, **effort, **wanted.wishes)
    best = best_of(found, levers)
    doing("checking what is proved")
    proof = proof_of(workload, cluster, best, **wanted.wishes)
    levers = proved_worths(workload, cluster, levers, best.bound, **wanted.wishes)
    return BestFound(best, took, levers, proof)
