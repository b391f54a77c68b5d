"""Policies that are nothing but an order of the jobs: by arrival, by hand, or by estimated stage durations.

Sources: FIFO 001 section IV; Johnson and shortest job first 000 section 3.2, with stage durations by ARIA's
model, 000 section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, UnknownName
from core.model.parameters import Parameter, names_in
from core.planning.aria import StageProfiles, stage_estimates
from core.planning.johnson import johnson_order
from core.policies.explains import ARRIVAL, ARRIVED, BACK, FROM_END, FRONT, LONGER, NOT_LONGER, SINCE, STAGES
from core.policies.policy import Explains, Number, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


NOT_FRONT = NOT_LONGER + ": {from_end:nth shortest} at Johnson's front, so served {from_end:nth last} here"
NOT_BACK = LONGER + ": {place:nth shortest} at Johnson's back, so served {place:nth} here"


ESTIMATE = Parameter(
    "estimate",
    "choice",
    "printed",
    "How long a stage is taken to last: the middle of the paper's two bounds as printed, or that, but no "
    "longer than its longest task where every task has a slot.",
    choices=("printed", "capped"),
)


def stages(workload: Workload, cluster: Cluster) -> dict[str, NDArray[np.float64]]:
    """Return the abstraction (m, r) of every job: how long its stages take on all slots, in seconds."""
    return dict(zip(("maps", "reduces"), stage_estimates(workload, cluster), strict=True))


def stages_by_estimate(workload: Workload, cluster: Cluster, estimate: str) -> dict[str, NDArray[np.float64]]:
    """Return the same by the estimate that a policy's parameter names."""
    if estimate == "printed":
        return stages(workload, cluster)
    capped = StageProfiles.of(workload, cluster).durations(*cluster.stage_slots)
    return dict(zip(("maps", "reduces"), capped, strict=True))


class Fifo(Policy):
    """Serve the earliest arriving job that has a task for the slot.

    Hadoop's default.
    """

    id = "fifo"
    title = "FIFO"
    order = "arrival"
    explains = Explains(f"The job that arrived first goes first; {SINCE}.", (ARRIVAL,), ARRIVED)


def order_of_names(workload: Workload, names: Sequence[str]) -> NDArray[np.int64]:
    """Return the jobs in the order of their names; jobs not named follow in input order, (jobs,).

    Raises
    ------
    UnknownName
        a name is not a job of the workload
    InputError
        a name stands twice
    """
    index = workload.job_index
    for name in names:
        if name not in index:
            raise UnknownName("job in the order", name, index)
    named = [index[name] for name in names]
    if len(set(named)) < len(named):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"job '{twice}' stands twice in the order; name each job once")
    rest = np.setdiff1d(np.arange(len(workload.jobs)), named)
    return np.concatenate([np.array(named, np.int64), rest])


class LongestTask(Policy):
    """Serve the earliest arriving job, and start the longest task of its stage first, or the shortest.

    A job with maps of 1, 1, 1, 1 and 4 s takes 6 s on two slots in the order given, and 4 s longest first.
    A reduce is as long as its shuffle in a later wave and its reduce phase together.
    """

    id = "longest-task"
    title = "Longest task first"
    explains = Explains(
        "The job that arrived first goes first; inside its stage the longest task starts first, or the "
        "shortest, or the first one given, as the parameter says.",
        (ARRIVAL,),
        ARRIVED,
    )
    parameters = (
        Parameter(
            "order",
            "choice",
            "longest",
            "Which task of a stage starts first: the one given first, the longest, or the shortest.",
            choices=("given", "longest", "shortest"),
        ),
    )

    @staticmethod
    def task_key(
        duration: NDArray[np.float64], typical_shuffle: NDArray[np.float64], order: str
    ) -> NDArray[np.float64]:
        """Ascending or descending by length; equal keys leave the tasks as given."""
        return {"given": 0.0, "longest": -1.0, "shortest": 1.0}[order] * (duration + typical_shuffle)


class ExplicitOrder(Policy):
    """Serve the jobs in a given order, each as far as slots go."""

    id = "order"
    title = "Explicit order"
    reads_durations = False
    explains = Explains(
        "The jobs are served in the order given, each as far as slots go.",
        (Number("place", "nth", "Place", "The job's place in the order given"),),
        "{place} in the order given",
    )
    parameters = (
        Parameter(
            "order",
            "text",
            "",
            "Job names separated by commas, first served first; the others follow in input order.",
        ),
    )

    @staticmethod
    def order(workload: Workload, cluster: Cluster, order: str) -> NDArray[np.int64]:
        """Read the names (a name with a comma in it stands in double quotes)."""
        return order_of_names(workload, names_in(order))


class Johnson(Policy):
    """Serve the jobs in Johnson's order, which gives the smallest two-stage makespan."""

    id = "johnson"
    title = "Johnson"
    explains = Explains(
        "Jobs whose maps are not longer than their reduces go to the front, the shortest maps first; the "
        "others go to the back, the shortest reduces last.",
        (*STAGES, FROM_END),
        lambda maps, reduces: FRONT if maps <= reduces else BACK,
    )
    parameters = (ESTIMATE,)
    figures = stages_by_estimate

    @staticmethod
    def order(maps: NDArray[np.float64], reduces: NDArray[np.float64]) -> NDArray[np.int64]:
        """Short maps first, short reduces last."""
        return johnson_order(maps, reduces)


class JohnsonReverse(Policy):
    """Serve the jobs in the reverse of Johnson's order: how bad an order can be."""

    id = "johnson-reverse"
    title = "Reverse Johnson"
    explains = Explains(
        "Johnson's order backwards: first the jobs whose reduces are shorter than their maps, the shortest "
        "reduces first; then the others, the shortest maps last.",
        (*STAGES, FROM_END),
        lambda maps, reduces: NOT_FRONT if maps <= reduces else NOT_BACK,
    )
    parameters = (ESTIMATE,)
    figures = stages_by_estimate

    @staticmethod
    def order(maps: NDArray[np.float64], reduces: NDArray[np.float64]) -> NDArray[np.int64]:
        """Johnson's order, backwards."""
        return johnson_order(maps, reduces)[::-1]


class ShortestJobFirst(Policy):
    """Serve the job with the shortest estimated length (all its stages together) first."""

    id = "sjf"
    title = "Shortest job first"
    explains = Explains(
        "The job whose two stages together are shortest goes first.",
        (
            *STAGES,
            Number(
                "length",
                "s",
                "Length",
                "Both stages together",
                value=lambda maps, reduces: maps + reduces,
            ),
        ),
        "maps estimated {maps}, reduces {reduces}, together {length}: {place:nth shortest} of {jobs:job}",
    )
    figures = stages

    @staticmethod
    def order(maps: NDArray[np.float64], reduces: NDArray[np.float64]) -> NDArray[np.int64]:
        """Ascending by estimated length, ties in input order."""
        return np.argsort(maps + reduces, kind="stable")
