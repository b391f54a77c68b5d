"""Shared scans: FLEX, CIRCUMFLEX, BATCH and AKO (003).

The allocation layer plans how many slots each job should have, whenever a job arrives, a scan is complete or
a window ends (`core.shared_scans.assignment`). The assignment layer is what stands here: a free slot goes
to the job that has the least of its target, jobs below their minimum first, if the job may start one more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.parameters import Parameter
from core.model.service_levels import read_service_levels
from core.policies.policy import MAP, Explains, Number, Policy
from core.shared_scans.metric import metric_named, optimised_metrics
from core.shared_scans.scan_jobs import MAX, MAY_START, MIN, TARGET

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow
    from core.shared_scans.assignment import ScanAssignment
    from core.shared_scans.cell_assignment import CellAssignment
    from core.shared_scans.windows import ScanPolicy

NO_LENGTH, BELOW_MIN, ON_TARGET, NO_TARGET = 0, 1, 2, 3
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


BY_STATE = {
    NO_LENGTH: "others scan all its blocks, so its map takes no time and goes first",
    BELOW_MIN: "runs {running:map}, fewer than the {least:slot} that it should have at least",
    ON_TARGET: "runs {running:map} on {target:slot} planned",
    NO_TARGET: "runs {running:map}; the plan has no slots for it now, so it takes what is left",
}
SCANNED = "its maps have ended; {place:nth} by arrival"


def where_planned(key: tuple[int, float], kind: int, priority: float, ratio: float) -> str:
    """Return the phrase for a job by its state, with its priority in the last plan."""
    if kind != MAP:
        return SCANNED
    text = BY_STATE[int(key[0])]
    if priority > 0:
        text += "; {priority:nth} of {planned:job} by {aim}"
    return text + (" with {ratio:slot-second} left per weight" if ratio > 0 else "")


def why_not_yet(job: JobRow, kind: int, cluster: ClusterRow, boards: float) -> str:
    """Return why no further task of a job may start."""
    if kind != MAP:
        return "its maps go first, or reduces that wait for them could take all slots"
    if cluster.now < boards:
        return "the job waits for its batching window to end, at {boards:at}"
    if job.started[MAP] >= job.memo[MAY_START]:
        return "jobs before it scan the dataset first"
    return "the job holds the {most:slot} that it may hold at most"


PLANNED = Explains(
    "The plan orders the jobs such that the metric becomes smallest and shares the slots out in that "
    "order; a free slot goes to a job below its minimum, else to the one that runs least of its planned "
    "slots.",
    (
        Number("running", "", "Running", "Maps that the job runs", value=lambda job: job.running[MAP]),
        Number(
            "target",
            "",
            "Planned",
            "Slots that the last plan has for the job",
            value=lambda job: max(job.memo[TARGET], 0.0),
        ),
        Number("priority", "nth", "Priority", "The job's place in the last plan, by the metric"),
        Number("ratio", "", "Work left", "Slot-seconds of scan left per weight: the smallest first"),
        Number("least", value=lambda job: job.memo[MIN]),
        Number("most", value=lambda job: job.memo[MAX]),
    ),
    where_planned,
    admits=why_not_yet,
)


WAIT_FOR_WINDOW = "The jobs of a dataset wait for the end of a window, and one scan serves them all. "


def also(rule: str) -> Explains:
    """Return the same with a sentence more."""
    return replace(PLANNED, rule=f"{PLANNED.rule} {rule.strip()}")


class AllocatedScans(Policy):
    """Give slots by planned targets."""

    @staticmethod
    def figures(workload: Workload, metric: str) -> dict[str, NDArray[Any]]:
        """Return the metric's name, the same for every job."""
        aim = metric_named(metric_for(workload, metric)).title.lower()
        return {"aim": np.full(len(workload.jobs), aim)}

    @staticmethod
    def watch(cluster: ClusterRow) -> bool:
        """Note that there is a new plan."""
        is_new = cluster.memo[0] != cluster.memo[1]
        cluster.memo[1] = cluster.memo[0]
        return is_new

    @staticmethod
    def admits(job: JobRow, kind: int, cluster: ClusterRow) -> bool:
        """Admit the maps whose turn it is, up to the most slots that all sharing jobs allow.

        On untyped slots reduces come after the maps: with slowstart 0 they could take all while maps wait.
        """
        if kind != MAP:
            return cluster.containers == 0 or job.started[MAP] == job.tasks[MAP]
        return job.started[MAP] < job.memo[MAY_START] and job.running[MAP] < job.memo[MAX]

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[int, float]:
        """Jobs below their minimum first, then the most underallocated: lowest running/target.

        Maps of no length go before all others; jobs without a target take what is left.
        """
        if kind != MAP:
            return ON_TARGET, 0.0
        if job.running[MAP] < job.memo[MIN]:
            return BELOW_MIN, job.running[MAP] / job.memo[MIN]
        if job.memo[TARGET] < 0:
            return NO_LENGTH, 0.0
        if job.memo[TARGET] > 0:
            return ON_TARGET, job.running[MAP] / job.memo[TARGET]
        return NO_TARGET, float(job.running[MAP])


class Flex(AllocatedScans):
    """Give each job the slots that make a metric smallest; every job scans for itself."""

    id = "flex"
    title = "FLEX"
    explains = PLANNED
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
    explains = also("Jobs that scan a dataset at the same time share the rest of the scan.")
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
    explains = also(WAIT_FOR_WINDOW)
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
    explains = also(WAIT_FOR_WINDOW + "How long windows are follows from how often jobs arrive.")
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
    steps = read_service_levels(service_levels)
    if policy != "flex" and any(job.blocks for job in workload.jobs):
        return CellAssignment(*given, window=window, load=load, steps=steps)
    return ScanAssignment(*given, window=window, load=load, steps=steps, compiled=compiled)


def metric_for(workload: Workload, metric: str) -> str:
    """Return the metric of the parameter, or one that can be optimised for the workload's scans."""
    if metric != AUTOMATIC:
        return metric
    return "max-stretch" if any(job.blocks for job in workload.jobs) else "average-response"
