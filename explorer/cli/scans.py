"""`slotscope scans`: shared scans of a workload by the fluid model, policy beside policy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.number_text import grouped
from core.model.time_text import duration_text
from explorer.cli.command import Command, flag, option
from explorer.cli.requests import Source, json_option
from explorer.cli.screen import picked, print_json, print_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.model.workload import Workload
    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.scan_jobs import ScanJobs

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
SHOWN = ("average-response", "average-stretch", "max-stretch", "makespan")


@dataclass(frozen=True, eq=False)
class _Row:
    """One policy's outcome; `waited` are the seconds that jobs waited for windows."""

    policy: str
    title: str
    finish: NDArray[np.float64]
    work: float
    waited: float


class ScansCommand(Command, name="scans"):
    """Compare FLEX, BATCH, AKO and CIRCUMFLEX on shared scans by the fluid model."""

    source: Source
    metric: str = option(
        "ID",
        "what is optimised (average-response; max-stretch where jobs scan some of a dataset's blocks)",
        default="automatic",
    )
    metrics: bool = flag("list all metrics: what optimises each, and their values")
    window: float = option(
        "S", "BATCH's window in seconds (a quarter of the last arrival, at most 120)", default=0.0
    )
    load: float = option("F", "part of the slots that AKO plans for (0.9)", default=0.9)
    service_levels: str = option(
        "S:COST,...",
        "what responses longer than so many seconds cost jobs without service levels of their own",
        default="60:1, 300:5, 900:20",
    )
    map_slots: int | None = option("N", "map slots instead of the suggested ones")
    json: bool = json_option()

    def run(self) -> None:
        """Compare the policies on one workload."""
        from core.policies.shared_scans import metric_for
        from core.shared_scans.metric import check_metric

        workload = self.source.open()
        if not workload.datasets:
            raise InputError(f"{workload.name} describes no datasets; try the sample ten-scans")
        slots = self.map_slots or workload.cluster.stage_slots[0]
        sets = any(job.blocks for job in workload.jobs)
        metric = check_metric(metric_for(workload, self.metric), semi_shared=sets)
        jobs, rows = self._scheduled(workload, slots, metric, sets=sets)
        if self.json:
            print_json(_json(jobs, rows, slots, metric))
            return
        _print(workload, jobs, rows, slots, metric)
        if self.metrics:
            _print_metrics(jobs, rows, slots, metric, sets=sets)

    def _scheduled(
        self, workload: Workload, slots: int, metric: ScanMetric, *, sets: bool
    ) -> tuple[ScanJobs, list[_Row]]:
        """Schedule whole datasets, or sets of blocks that overlap."""
        from core.model.service_levels import read_service_levels
        from core.policies.registry import describe
        from core.shared_scans.block_sets import schedule_block_sets
        from core.shared_scans.fluid import schedule_scans
        from core.shared_scans.scan_jobs import workload_block_sets, workload_scans
        from core.shared_scans.windows import SCAN_POLICIES

        steps = read_service_levels(self.service_levels)
        given: Any = {"window": self.window, "load": self.load}  # Any: arguments of either
        blocks = workload_block_sets(workload, steps) if sets else None
        jobs = blocks.jobs if blocks else workload_scans(workload, steps).jobs
        rows = []
        for policy in SCAN_POLICIES:
            one = (
                schedule_block_sets(jobs, blocks.ranges, slots, metric.id, policy, **given)
                if blocks
                else schedule_scans(jobs, slots, policy, metric.id, with_pieces=False, **given)
            )
            waited = float((one.boarded - jobs.arrival).sum())
            rows.append(_Row(policy, describe(policy).title, one.finish, one.work, waited))
        return jobs, rows


def _print(workload: Workload, jobs: ScanJobs, rows: list[_Row], slots: int, metric: ScanMetric) -> None:
    from core.shared_scans.metric import metric_named

    others = [metric_named(name) for name in SHOWN if name != metric.id]
    header = ["policy", f">{_short(metric)}", ">change", *(f">{_short(m)}" for m in others)]
    base, work = metric.value(jobs, slots, rows[0].finish), rows[0].work
    body = [
        [
            row.title,
            _value_text(metric, metric.value(jobs, slots, row.finish)),
            "" if row is rows[0] else _change(metric.value(jobs, slots, row.finish), base),
            *(_value_text(m, m.value(jobs, slots, row.finish)) for m in others),
            f"{100 * row.work / work:.0f} %",
            row.waited,
        ]
        for row in rows
    ]
    note = "work: of FLEX's; waited: for windows to end; fluid model: slots are divisible"
    title = f"{workload.name} · {slots} map slots · optimised: {metric.title.lower()}"
    print_table(title, [*header, ">work", ">waited"], body, note)


def _value_text(metric: ScanMetric, value: float) -> str:
    if metric.unit == "s":
        return duration_text(value)
    return grouped(value, 2) if math.isfinite(value) else "–"


def _short(metric: ScanMetric) -> str:
    short = metric.title.lower().replace("average ", "").replace("perceived ", "")
    return short.replace("maximum ", "max ")


def _change(value: float, base: float) -> str:
    return f"{100 * (value / base - 1):+.0f} %" if base > 0 and math.isfinite(value) else ""


def _print_metrics(jobs: ScanJobs, rows: list[_Row], slots: int, metric: ScanMetric, *, sets: bool) -> None:
    """List all metrics: which rule optimises each here, and what every schedule is worth by it."""
    from core.shared_scans.metric import METRICS, RULES, optimised_metrics

    possible = optimised_metrics(semi_shared=sets)
    body = [
        [
            m.id,
            "this one" if m == metric else RULES[m.rule].split()[0] if m in possible else "–",
            *(_value_text(m, m.value(jobs, slots, row.finish)) for row in rows),
        ]
        for m in METRICS
    ]
    header = ["metric", "optimised", *(f">{row.title}" for row in rows)]
    note = f"{len(possible)} of {len(METRICS)} can be optimised here; '–': only measured, or no deadlines"
    print_table("Metrics", header, body, note)


def _json(jobs: ScanJobs, rows: list[_Row], slots: int, metric: ScanMetric) -> dict[str, Any]:
    from core.shared_scans.metric import metric_named

    return {
        "version": VERSION,
        "metric": metric.id,
        "slots": slots,
        "rows": [
            {"policy": row.policy, "value": metric.value(jobs, slots, row.finish)}
            | {name.replace("-", "_"): metric_named(name).value(jobs, slots, row.finish) for name in SHOWN}
            | picked(row, "work waited")
            for row in rows
        ],
    }
