"""`slotscope simulate` and `slotscope compare`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.workload_writing import cluster_to_json
from core.measures.compare import comparison_row
from core.measures.metrics import bound_of, measure
from core.model.nodes import nodes_text, request_text
from core.planning.johnson import estimate, estimate_of
from explorer.cli.requests import several_runs, single_run
from explorer.cli.screen import percent, print_json, print_line, print_table, seconds

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.schedule import Schedule

VERSION = 1
"""Of the JSON that `simulate --json` prints; grows when a field changes its meaning."""
MOST_ROWS = 40
KINDS = ("map", "reduce")


def simulate(options: Namespace) -> int:
    """Run one policy and print what came out."""
    schedule = single_run(options).simulate()
    if options.csv:
        from core.files.schedule_file import task_table, write_csv

        write_csv(task_table(schedule), Path(options.csv))
    if options.json:
        print_json(schedule_json(schedule, with_tasks=options.tasks))
    else:
        _print_schedule(schedule)
        if options.csv:
            print_line(f"Tasks written to {options.csv}")
    return 0


def schedule_json(schedule: Schedule, *, with_tasks: bool) -> dict[str, Any]:
    """Return what `simulate --json` prints; times are seconds, unrounded."""
    workload = schedule.workload
    described: dict[str, Any] = {
        "version": VERSION,
        "workload": {
            "name": workload.name,
            "jobs": len(workload.jobs),
            "maps": workload.map_count,
            "reduces": workload.reduce_count,
        },
        "cluster": cluster_to_json(schedule.cluster),
        "policy": {"id": schedule.choice.id, "parameters": dict(schedule.choice.parameters)},
        "makespan": schedule.makespan,
        "lower_bound": bound_of(schedule),
        "estimated": estimate_of(schedule),
        "events": schedule.events,
        "simulate_seconds": schedule.simulate_seconds,
        "interpreted_because": schedule.interpreted_because or None,
        "jobs": _jobs_json(schedule),
    }
    if schedule.order is not None:
        described["policy"]["order"] = list(schedule.order)
    if schedule.partition is not None:
        described["policy"]["pools"] = _pools_json(schedule, schedule.partition)
    return described | ({"tasks": _tasks_json(schedule)} if with_tasks else {})


def _pools_json(schedule: Schedule, partition: Partition) -> list[dict[str, Any]]:
    return [
        {
            "name": pool.name,
            "map_slots": pool.map_slots,
            "reduce_slots": pool.reduce_slots,
            "makespan": end,
            "jobs": list(pool.jobs),
        }
        for pool, end in zip(partition.pools, schedule.pool_finish.tolist(), strict=True)
    ]


def _jobs_json(schedule: Schedule) -> list[dict[str, Any]]:
    columns = zip(
        schedule.workload.jobs,
        schedule.job_start.tolist(),
        schedule.stage_end.tolist(),
        schedule.finish.tolist(),
        strict=True,
    )
    return [
        {
            "name": job.name,
            "arrival": job.arrival,
            "start": start,
            "map_end": map_end,
            "end": end,
            "deadline": job.deadline,
        }
        for job, start, map_end, end in columns
    ]


def _tasks_json(schedule: Schedule) -> list[dict[str, Any]]:
    columns = schedule.workload.columns
    names = [job.name for job in schedule.workload.jobs]
    index = range(len(columns.job))
    first = columns.first[columns.job, columns.kind].tolist()
    rows = zip(
        index,
        columns.job.tolist(),
        columns.kind.tolist(),
        first,
        schedule.slot.tolist(),
        schedule.start.tolist(),
        schedule.shuffled.tolist(),
        schedule.end.tolist(),
        strict=True,
    )
    return [
        {
            "job": names[job],
            "kind": KINDS[kind],
            "index": i - begin,
            "slot": slot,
            "start": start,
            "shuffle_end": shuffled,
            "end": end,
        }
        for i, job, kind, begin, slot, start, shuffled, end in rows
    ]


def _print_schedule(schedule: Schedule) -> None:
    metrics = measure(schedule)
    workload, estimated = schedule.workload, estimate_of(schedule)
    rows = [
        ("makespan", f"{seconds(metrics.makespan)} s"),
        ("lower bound", f"{seconds(metrics.lower_bound)} s (gap {percent(metrics.gap)})"),
        ("estimated without simulating", "–" if estimated is None else f"{seconds(estimated)} s"),
        ("mean response", f"{seconds(metrics.mean_response)} s"),
        ("mean stretch", f"{metrics.mean_stretch:.2f}"),
        ("map slots in use", percent(metrics.map_utilisation)),
        ("reduce slots in use", percent(metrics.reduce_utilisation)),
        ("late jobs", f"{metrics.late_jobs} (deadline utility {metrics.deadline_utility:.3f})"),
        ("simulated", f"{schedule.events} events in {1000 * schedule.simulate_seconds:.1f} ms"),
    ]
    title = f"{workload.name} · {schedule.choice.id} · {describe_cluster(schedule.cluster)}"
    print_table(title, ("figure", "value"), rows)
    if schedule.partition is not None:
        _print_pools(schedule, schedule.partition)
    jobs = [
        (job.name, *map(seconds, (job.arrival, start, map_end, end)))
        for job, start, map_end, end in zip(
            workload.jobs, schedule.job_start, schedule.stage_end, schedule.finish, strict=True
        )
    ]
    note = f"{len(jobs) - MOST_ROWS} more jobs; --json lists all" if len(jobs) > MOST_ROWS else ""
    columns = ("job", ">arrival (s)", ">start (s)", ">maps end (s)", ">end (s)")
    print_table("Jobs", columns, jobs[:MOST_ROWS], note)


def _print_pools(schedule: Schedule, partition: Partition) -> None:
    pools = [
        (pool.name, str(pool.map_slots), str(pool.reduce_slots), str(len(pool.jobs)), seconds(end))
        for pool, end in zip(partition.pools, schedule.pool_finish.tolist(), strict=True)
    ]
    columns = ("pool", ">map slots", ">reduce slots", ">jobs", ">makespan (s)")
    print_table("Pools", columns, pools)


def describe_cluster(cluster: Cluster) -> str:
    """Describe a cluster in a few words."""
    if cluster.has_nodes:
        requests = (
            f"{request_text(cluster.map_request)} a map, {request_text(cluster.reduce_request)} a reduce"
        )
        return f"nodes {nodes_text(cluster.nodes)} ({requests})"
    if cluster.has_containers:
        return f"{cluster.containers} containers"
    return f"{cluster.map_slots} map + {cluster.reduce_slots} reduce slots"


def compare(options: Namespace) -> int:
    """Run several policies and print them side by side."""
    runs = several_runs(options)
    schedules = [run.simulate() for run in runs]
    metrics = [measure(schedule) for schedule in schedules]
    rows = [
        comparison_row(schedule.choice.id, figures, metrics[0])
        | {"estimated": estimate_of(schedule), "interpreted_because": schedule.interpreted_because or None}
        for schedule, figures in zip(schedules, metrics, strict=True)
    ]
    estimates = estimate(runs[0].workload, runs[0].cluster)
    if options.json:
        bounds = {"min": estimates.minimum, "max": estimates.maximum}
        print_json({"baseline": schedules[0].choice.id, "estimates": bounds, "rows": rows})
        return 0
    print_comparison(schedules, rows)
    print_line(
        f"Estimated without simulating: Johnson's order {seconds(estimates.minimum)} s (Min), "
        f"reversed {seconds(estimates.maximum)} s (Max)"
    )
    return 0


def print_comparison(schedules: list[Schedule], rows: list[dict[str, Any]]) -> None:
    """Print the table of `slotscope compare`; what is late only where jobs have deadlines."""
    columns = (
        "policy",
        ">makespan",
        ">change",
        ">gap",
        ">estimated",
        ">response",
        ">stretch",
        ">late",
        ">utility",
    )
    cells = [
        (
            row["policy"],
            seconds(row["makespan"]),
            "baseline" if i == 0 else percent(row["change"], signed=True),
            percent(row["gap"]),
            seconds(math.nan if row["estimated"] is None else row["estimated"]),
            seconds(row["mean_response"]),
            f"{row['mean_stretch']:.2f}",
            str(row["late_jobs"]),
            f"{row['deadline_utility']:.3g}",
        )
        for i, row in enumerate(rows)
    ]
    first = schedules[0]
    shown = len(columns) if any(job.deadline is not None for job in first.workload.jobs) else -2
    title = f"{first.workload.name} · {describe_cluster(first.cluster)}"
    bounds = " or ".join(
        seconds(bound) for bound in sorted({row["lower_bound"] for row in rows}, reverse=True)
    )
    note = (
        " (each its own: lower where slots are lent or scans shared, and for what really ran)"
        if " or " in bounds
        else ""
    )
    cells_shown = [row[:shown] for row in cells]
    print_table(title, columns[:shown], cells_shown, f"lower bound {bounds} s{note}; times in s")
