"""Shared scans: FLEX, CIRCUMFLEX, BATCH and AKO (003).

The allocation layer plans how many slots each job should have, whenever a job arrives, a scan is complete or
a window ends (`core.shared_scans.assignment`). The assignment layer is what stands here: a free slot goes
to the job that has the least of its target, jobs below their minimum first, if the job may start one more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.parameters import Parameter
from core.policies.policy import MAP, Policy
from core.shared_scans.metric import optimised_metrics
from core.shared_scans.scan_jobs import LEAST, MAY_START, MOST, TARGET

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow
    from core.shared_scans.assignment import ScanAssignment
    from core.shared_scans.cell_assignment import CellAssignment
    from core.shared_scans.windows import ScanPolicy

NO_TARGET = 1e6
AUTOMATIC = "automatic"
METRIC = Parameter(
    "metric",
    "choice",
    AUTOMATIC,
    "What the plan makes as small as it can; automatic: average-response or, where jobs scan some of a "
    "dataset's blocks only, max-stretch: then only maxima can be chosen, but for FLEX.",
    choices=(AUTOMATIC, *(metric.id for metric in optimised_metrics())),
)
STEPS = Parameter(
    "service_levels",
    "text",
    "60:1, 300:5, 900:20",
    "For average-sla and max-sla, of jobs that have no service levels of their own: 'seconds:cost' pairs; a "
    "response longer than so many seconds costs so much.",
)
WINDOW = Parameter(
    "window",
    "number",
    0.0,
    "Length of the batching windows; 0 for a quarter of the last arrival, at most 120 s.",
    0,
    1e9,
    "s",
)
LOAD = Parameter("load", "number", 0.9, "Part of the map slots that the windows are planned for.", 0.01, 1.0)


class AllocatedScans(Policy):
    """Give slots by planned targets."""

    @staticmethod
    def watch(cluster: ClusterRow) -> bool:
        """Tell that there is a new plan."""
        is_new = cluster.memo[0] != cluster.memo[1]
        cluster.memo[1] = cluster.memo[0]
        return is_new

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        """Admit the maps whose turn it is, up to the most slots that all sharing jobs allow."""
        return kind != MAP or (job.started[MAP] < job.memo[MAY_START] and job.running[MAP] < job.memo[MOST])

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        """Jobs below their minimum first, then the most underallocated: lowest running/target.

        Jobs without a target take what is left.
        """
        if kind != MAP:
            return 0.0
        if job.running[MAP] < job.memo[LEAST]:
            return job.running[MAP] / job.memo[LEAST] - 1
        if job.memo[TARGET] < 0:
            return -2.0  # a map of no length
        if job.memo[TARGET] > 0:
            return job.running[MAP] / job.memo[TARGET]
        return NO_TARGET + job.running[MAP]


class Flex(AllocatedScans):
    """Give each job the slots that make a metric smallest; every job scans for itself."""

    id = "flex"
    title = "FLEX"
    parameters = (METRIC, STEPS)

    @staticmethod
    def replanner(
        workload: Workload, cluster: Cluster, compiled: bool, metric: str, service_levels: str
    ) -> ScanAssignment | CellAssignment:
        """Plan for every job alone."""
        return assign(workload, cluster, "flex", metric, service_levels, compiled=compiled)


class Circumflex(AllocatedScans):
    """As FLEX, but jobs that scan a dataset at the same time share the rest of the scan."""

    id = "circumflex"
    title = "CIRCUMFLEX"
    parameters = (METRIC, STEPS)

    @staticmethod
    def replanner(
        workload: Workload, cluster: Cluster, compiled: bool, metric: str, service_levels: str
    ) -> ScanAssignment | CellAssignment:
        """Plan for chains of subjobs."""
        return assign(workload, cluster, "circumflex", metric, service_levels, compiled=compiled)


class Batch(AllocatedScans):
    """Let the jobs of a dataset wait for the end of a fixed window, then scan for them together."""

    id = "batch"
    title = "BATCH"
    parameters = (METRIC, STEPS, WINDOW)

    @staticmethod
    def replanner(
        workload: Workload, cluster: Cluster, compiled: bool, metric: str, service_levels: str, window: float
    ) -> ScanAssignment | CellAssignment:
        """Plan for batches."""
        return assign(workload, cluster, "batch", metric, service_levels, window=window, compiled=compiled)


class Ako(AllocatedScans):
    """As BATCH, with windows by dataset that keep the mean wait small, or for maxima the longest."""

    id = "ako"
    title = "AKO"
    parameters = (METRIC, STEPS, LOAD)

    @staticmethod
    def replanner(
        workload: Workload, cluster: Cluster, compiled: bool, metric: str, service_levels: str, load: float
    ) -> ScanAssignment | CellAssignment:
        """Plan for batches of windows that differ by dataset."""
        return assign(workload, cluster, "ako", metric, service_levels, load=load, compiled=compiled)


def assign(
    workload: Workload,
    cluster: Cluster,
    policy: ScanPolicy,
    metric: str,
    service_levels: str,
    *,
    compiled: bool,
    window: float = 0.0,
    load: float = 0.9,
) -> ScanAssignment | CellAssignment:
    """Plan by chains or, where a shared scan is of some of its dataset's blocks only, by cells."""
    # imported here: only a run that shares scans needs them
    from core.shared_scans.assignment import ScanAssignment
    from core.shared_scans.cell_assignment import CellAssignment

    given = workload, cluster, policy, metric_for(workload, metric)
    steps = read_steps(service_levels)
    if policy != "flex" and any(job.blocks for job in workload.jobs):
        return CellAssignment(*given, window=window, load=load, steps=steps)
    return ScanAssignment(*given, window=window, load=load, steps=steps, compiled=compiled)


def metric_for(workload: Workload, metric: str) -> str:
    """Return the metric that is asked for, or one that can be optimised for the workload's scans."""
    if metric != AUTOMATIC:
        return metric
    return "max-stretch" if any(job.blocks for job in workload.jobs) else "average-response"


def read_steps(text: str) -> tuple[tuple[float, float], ...]:
    """Read service levels, "60:1, 300:5"; InputError says what they should look like."""
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)", part)
        if match is None:
            raise InputError(f"service_levels: '{part}' is not 'seconds:cost'; write for example 60:1, 300:5")
        pairs.append((float(match[1]), float(match[2])))
    return tuple(pairs)
