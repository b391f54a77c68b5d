"""A given permutation of the jobs: what a hand-made schedule follows."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, UnknownName
from core.model.parameters import Parameter
from core.policies.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


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


class ExplicitOrder(Policy):
    """Serve the jobs in a given order, each as far as slots go."""

    id = "order"
    title = "Explicit order"
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
        names = next(csv.reader([order], skipinitialspace=True), [])
        return order_of_names(workload, [name.strip() for name in names if name.strip()])
