"""Open the log of an application, to be run on other clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.fidelity.pool_weights import pools_as_recorded
from core.fidelity.prediction import application_of
from core.logs.open_log import open_trace
from core.model.errors import InputError
from core.model.progress import no_progress
from core.model.schedule import PolicyChoice
from core.policies.spark import SparkFair, policy_of_log

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from core.fidelity.prediction import LoggedApplication


def open_application(
    paths: Sequence[Path],
    *,
    progress: Callable[[float], None] = no_progress,
) -> LoggedApplication:
    """Read the log of an application.

    Raises
    ------
    InputError
        a file cannot be read or is of no known format, or the log has no times of tasks, or its slots are
        for maps or reduces alone
    """
    imported = open_trace(paths, progress=progress)
    workload, report = imported.workload, imported.report
    if workload.recorded is None or report.recorded_makespan is None:
        raise InputError(f"{workload.name}: the log does not say when tasks ran; give one that does")
    cluster = workload.cluster
    if not cluster.has_containers:
        raise InputError(
            f"{workload.name}: its tasks run on map slots and reduce slots, not on slots for any task; "
            "for such a log give 'slotscope simulate' a number of each"
        )
    policy = PolicyChoice(policy_of_log(report.scheduler))
    application = application_of(workload, policy)
    if policy.id == SparkFair.id:
        given = application.workload
        pools = pools_as_recorded(given, cluster, policy)
        application = replace(application, workload=given.with_pools(pools))
    return application
