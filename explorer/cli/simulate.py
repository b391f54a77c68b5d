"""`slotscope simulate`: one policy, and what came out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.errors import PolicyFault
from core.model.time_text import clock_text, duration_text, makespan_text
from explorer.cli.command import Command, flag, option
from explorer.cli.requests import RunOptions, Source, json_option, policy_option
from explorer.cli.screen import (
    more_text,
    picked,
    print_estimates,
    print_json,
    print_limit,
    print_line,
    print_table,
    title_of,
)

if TYPE_CHECKING:
    from core.model.partition import Partition
    from core.model.schedule import Schedule

VERSION = 1
"""Of the JSON that `simulate --json` prints; grows when a field changes its meaning."""
MAX_ROWS = 40


class SimulateCommand(Command, name="simulate"):
    """Run one policy and print what came out."""

    source: Source
    policy: str | None = policy_option()
    changes: RunOptions
    tasks: bool = flag("with --json: every task with its slot and times")
    csv: str | None = option("F", "write every task to this CSV file")
    json: bool = json_option()

    def run(self) -> None:
        """Print the schedule, or how the run failed."""
        run = self.changes.single_run(self.source, self.policy)
        try:
            schedule = run.simulate()
        except PolicyFault as error:
            if self.json:
                print_json(failure_json(error))
            raise
        if self.csv:
            from core.files.schedule_file import task_table, write_csv

            write_csv(task_table(schedule), Path(self.csv))
        if self.json:
            print_json(schedule_json(schedule, with_tasks=self.tasks))
            return
        _print_schedule(schedule)
        if self.csv:
            print_line(f"Tasks written to {self.csv}")


def failure_json(error: PolicyFault) -> dict[str, Any]:
    """Return what `simulate --json` prints of a run that failed; its time is in seconds, unrounded."""
    place, run = error.place, error.run
    record: dict[str, Any] = {"sentence": error.sentence}
    if place is not None:
        record |= {"file": place.path, "line": place.line, "code": place.text.strip()}
    if run is not None:
        record |= picked(run, "time hook") | {"values": dict(run.values)}
        record["tasks_started"] = len(run.schedule.sequence)
    return {"version": VERSION, "error": record}


def schedule_json(schedule: Schedule, *, with_tasks: bool) -> dict[str, Any]:
    """Return what `simulate --json` prints; times are seconds, unrounded."""
    from core.files.plan_document import PLAN
    from core.files.workload_writing import cluster_to_json
    from core.measures.compare import estimates_json
    from core.measures.metrics import bound_of
    from core.optimize.premise import premise_of
    from core.planning.estimated_makespan import estimate_of

    workload = schedule.workload
    described: dict[str, Any] = {
        "version": VERSION,
        "workload": {"name": workload.name, "jobs": len(workload.jobs)}
        | picked(workload, "maps=map_count reduces=reduce_count"),
        "cluster": cluster_to_json(schedule.cluster),
        "policy": {
            "id": schedule.choice.id,
            "parameters": dict(schedule.choice.parameters),
            **estimates_json(schedule),
        },
        "makespan": schedule.makespan,
        "lower_bound": bound_of(schedule),
        "premise": premise_of(schedule).words,
        "estimated": estimate_of(schedule),
        **picked(schedule, "events simulate_seconds"),
        "interpreted_because": schedule.interpreted_because or None,
        "jobs": _jobs_json(schedule),
    }
    if schedule.order is not None:
        described["policy"]["order"] = list(schedule.order)
    if schedule.plan is not None:
        described["policy"]["plan"] = PLAN.write(schedule.plan)
    if schedule.partition is not None:
        described["policy"]["pools"] = _pools_json(schedule, schedule.partition)
    return described | ({"tasks": _tasks_json(schedule)} if with_tasks else {})


def _pools_json(schedule: Schedule, partition: Partition) -> list[dict[str, Any]]:
    return [
        picked(pool, "name map_slots reduce_slots") | {"makespan": end, "jobs": list(pool.jobs)}
        for pool, end in zip(partition.pools, schedule.pool_finish.tolist(), strict=True)
    ]


def _jobs_json(schedule: Schedule) -> list[dict[str, Any]]:
    times = (schedule.arrival, schedule.job_start, schedule.stage_end, schedule.finish)
    columns = zip(schedule.workload.jobs, *(each.tolist() for each in times), strict=True)
    return [
        {"name": job.name, "arrival": arrival, "start": start, "map_end": map_end, "end": end}
        | {"deadline": job.deadline}
        for job, arrival, start, map_end, end in columns
    ]


def _tasks_json(schedule: Schedule) -> list[dict[str, Any]]:
    from core.model.task_types import KIND_WORDS

    columns, jobs = schedule.workload.columns, schedule.workload.jobs
    written = (columns.number, schedule.slot, schedule.start, schedule.shuffled, schedule.end)
    rows = zip(*(each.tolist() for each in (columns.job, columns.kind, *written)), strict=True)
    names = ("job", "kind", "index", "slot", "start", "shuffle_end", "end")
    found = [
        dict(zip(names, (jobs[job].name, KIND_WORDS[kind], *values), strict=True))
        for job, kind, *values in rows
    ]
    if not schedule.workload.is_map_reduce:  # the index counts in the stage
        numbers = columns.stages.number[columns.stage].tolist()
        return [task | {"stage": number} for task, number in zip(found, numbers, strict=True)]
    return found


def _print_schedule(schedule: Schedule) -> None:
    from core.measures.compare import own_standing
    from core.measures.metrics import METRICS, SHOWN_FIRST, measure, suits
    from core.model.submissions import ONE_AFTER_THE_OTHER
    from core.planning.estimated_makespan import estimate_of

    metrics = measure(schedule)
    workload, estimated = schedule.workload, estimate_of(schedule)
    rows = [
        ("makespan", makespan_text(metrics.makespan)),
        ("lower bound", f"{makespan_text(metrics.lower_bound)} {metrics.premise.words}"),
        ("", own_standing(metrics)),
        ("estimated without simulating", "–" if estimated is None else duration_text(estimated)),
        *(
            (metric.title_for(workload), metric.text(metrics[name]))
            for name, metric in METRICS.items()
            if name not in SHOWN_FIRST and suits(metric, workload) and (metrics[name] or not metric.of_losses)
        ),
        ("simulated", f"{schedule.events} events in {1000 * schedule.simulate_seconds:.1f} ms"),
    ]
    followed = schedule.choice.id if schedule.plan is None else "by a plan"
    title = title_of(workload.name, followed, slots_text(schedule.cluster))
    print_table(title, ("figure", "value"), rows)
    if metrics.premise.as_submitted:
        print_line(ONE_AFTER_THE_OTHER)
    else:
        print_limit(schedule.given, schedule.cluster)
    print_estimates([schedule])
    if schedule.partition is not None:
        _print_pools(schedule, schedule.partition)
    stops = schedule.job_start, schedule.stage_end, schedule.finish
    jobs = [
        (job.name, *map(clock_text, times))
        for job, *times in zip(workload.jobs, schedule.arrival, *stops, strict=True)
    ]
    columns: tuple[str, ...] = ("job", ">arrival", ">start", ">maps end", ">end")
    if not workload.is_map_reduce:
        columns, jobs = (*columns[:3], columns[4]), [(*job[:3], job[4]) for job in jobs]
    print_table("Jobs", columns, jobs[:MAX_ROWS], more_text(len(jobs) - MAX_ROWS, "more jobs"))


def _print_pools(schedule: Schedule, partition: Partition) -> None:
    pools = [
        (pool.name, pool.map_slots, pool.reduce_slots, len(pool.jobs), makespan_text(end, schedule.makespan))
        for pool, end in zip(partition.pools, schedule.pool_finish.tolist(), strict=True)
    ]
    columns = ("pool", ">map slots", ">reduce slots", ">jobs", ">makespan")
    print_table("Pools", columns, pools)
