"""`slotscope scans`: shared scans of a workload by the fluid model, policy beside policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.policies.registry import describe
from core.scans.block_sets import schedule_block_sets
from core.scans.fluid import SCAN_POLICIES, schedule_scans
from core.scans.metric import check_metric, metric_named
from core.scans.workload_scans import workload_block_sets, workload_scans
from explorer.command_line.requests import open_named_workload
from explorer.command_line.screen import percent, print_json, print_line, print_table, seconds

if TYPE_CHECKING:
    from argparse import Namespace

    import numpy as np
    from numpy.typing import NDArray

    from core.scans.metric import Metric
    from core.scans.scan_jobs import ScanJobs
    from core.workload import Workload

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
SHOWN = ("average-response", "average-stretch", "max-stretch", "makespan")


@dataclass(frozen=True, eq=False)
class _Row:
    """One policy's outcome; `waited` are the seconds that jobs waited for windows."""

    policy: str
    finish: NDArray[np.float64]
    work: float
    waited: float


def scans(options: Namespace) -> int:
    """Compare the policies on one workload."""
    workload = open_named_workload(options.workload)
    if not workload.datasets:
        raise InputError(f"{workload.name} describes no datasets; try the sample ten-scans")
    slots = options.map_slots or workload.cluster.stage_slots[0]
    if any(job.blocks for job in workload.jobs):
        metric = check_metric(options.metric or "max-stretch", semi_shared=True)
        jobs, rows = _by_sets(workload, slots, metric, options.window)
    else:
        metric = check_metric(options.metric or "average-response")
        jobs, rows = _by_chains(workload, slots, metric, options.window)
    if options.json:
        print_json(_json(jobs, rows, slots, metric))
    else:
        _print(workload, jobs, rows, slots, metric)
    return 0


def _by_chains(workload: Workload, slots: int, metric: Metric, window: float) -> tuple[ScanJobs, list[_Row]]:
    """Schedule whole datasets."""
    jobs = workload_scans(workload).jobs
    rows = []
    for policy in SCAN_POLICIES:
        one = schedule_scans(jobs, slots, policy, metric.id, window=window, with_pieces=False)
        rows.append(_Row(policy, one.finish, one.work, float((one.boarded - jobs.arrival).sum())))
    return jobs, rows


def _by_sets(workload: Workload, slots: int, metric: Metric, window: float) -> tuple[ScanJobs, list[_Row]]:
    """Schedule sets of blocks that overlap."""
    sets = workload_block_sets(workload)
    jobs, ranges = sets.jobs, sets.ranges
    rows = []
    for policy in SCAN_POLICIES:
        one = schedule_block_sets(jobs, ranges, slots, metric.id, policy, window=window)
        rows.append(_Row(policy, one.finish, one.work, float((one.boarded - jobs.arrival).sum())))
    return jobs, rows


def _print(workload: Workload, jobs: ScanJobs, rows: list[_Row], slots: int, metric: Metric) -> None:
    metrics = [metric, *(m for m in map(metric_named, SHOWN) if m != metric)]
    header = ["policy", *(m.title.lower() for m in metrics), "change", "work", "waited for windows"]
    base = metric.value(jobs, slots, rows[0].finish)
    body = [
        [
            describe(row.policy).title,
            *(seconds(m.value(jobs, slots, row.finish)) for m in metrics),
            "" if row is rows[0] else percent(metric.value(jobs, slots, row.finish) / base - 1),
            seconds(row.work),
            seconds(row.waited),
        ]
        for row in rows
    ]
    print_table(f"{workload.name} · {slots} map slots · optimised: {metric.title.lower()}", header, body)
    print_line("times in s, work in slot-seconds; fluid model: slots are divisible")


def _json(jobs: ScanJobs, rows: list[_Row], slots: int, metric: Metric) -> dict[str, Any]:
    return {
        "version": VERSION,
        "metric": metric.id,
        "slots": slots,
        "rows": [
            {
                "policy": row.policy,
                "value": metric.value(jobs, slots, row.finish),
                **{
                    name.replace("-", "_"): metric_named(name).value(jobs, slots, row.finish)
                    for name in SHOWN
                },
                "work": row.work,
                "waited": row.waited,
            }
            for row in rows
        ],
    }
