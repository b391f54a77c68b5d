"""Orders computed from estimated stage durations: Johnson, its reverse, and shortest job first.

Source: 000 section 3.2; stage durations by ARIA's model, 000 section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.planning.aria import stage_estimates
from core.planning.johnson import johnson_order
from core.policies.policy import Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


class Johnson(Policy):
    """Serve the jobs in Johnson's order, which gives the smallest two-stage makespan."""

    id = "johnson"
    title = "Johnson"

    @staticmethod
    def order(workload: Workload, cluster: Cluster) -> NDArray[np.int64]:
        """Short maps first, short reduces last."""
        return johnson_order(*stage_estimates(workload, cluster))


class JohnsonReverse(Policy):
    """Serve the jobs in the reverse of Johnson's order: how bad an order can be."""

    id = "johnson-reverse"
    title = "Reverse Johnson"

    @staticmethod
    def order(workload: Workload, cluster: Cluster) -> NDArray[np.int64]:
        """Johnson's order, backwards."""
        return johnson_order(*stage_estimates(workload, cluster))[::-1]


class ShortestJobFirst(Policy):
    """Serve the job with the shortest estimated length (map stage plus reduce stage) first."""

    id = "sjf"
    title = "Shortest job first"

    @staticmethod
    def order(workload: Workload, cluster: Cluster) -> NDArray[np.int64]:
        """Ascending by estimated length, ties in input order."""
        maps, reduces = stage_estimates(workload, cluster)
        return np.argsort(maps + reduces, kind="stable")
