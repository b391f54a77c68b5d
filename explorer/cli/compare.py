"""`slotscope compare`: several policies side by side; the first one is the baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.time_text import duration_text
from explorer.cli.requests import (
    WORKLOAD,
    add_choices,
    add_columns,
    add_command,
    add_json,
    add_run_options,
    several_runs,
)
from explorer.cli.screen import estimates_json, percent, print_estimates, print_json, print_line, print_table

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.schedule import Schedule
    from explorer.cli.parser import Parser
    from explorer.cli.requests import Commands


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "run several policies; the first one is the baseline"
    add_options(add_command(commands, "compare", text, run))


def add_options(parser: Parser) -> None:
    """Add what the command understands."""
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    add_columns(parser)
    add_choices(parser)
    add_run_options(parser)
    add_json(parser)


def run(options: Namespace) -> int:
    """Run several policies and print them side by side."""
    from core.measures.compare import comparison_row, lacks_overheads
    from core.measures.metrics import measure
    from core.model.schedule import planned_on
    from core.planning.johnson import estimate, estimate_of

    runs = several_runs(options)
    schedules = [run.simulate() for run in runs]
    metrics = [measure(schedule) for schedule in schedules]
    beside = [schedule.choice.id for schedule in schedules]
    rows = [
        comparison_row(schedule.choice.id, figures, metrics[0])
        | {"estimated": estimate_of(schedule), "interpreted_because": schedule.interpreted_because or None}
        | {"lacks_overheads": lacks_overheads(schedule.choice.id, schedule.cluster, beside)}
        | estimates_json(schedule)
        for schedule, figures in zip(schedules, metrics, strict=True)
    ]
    estimates = estimate(runs[0].workload, runs[0].cluster)
    if options.json:
        bounds = estimates and {"min": estimates.minimum, "max": estimates.maximum}
        print_json({"baseline": schedules[0].choice.id, "estimates": bounds, "rows": rows})
        return 0
    print_comparison(schedules, rows)
    if estimates is not None:
        true = ", of the true durations" if any(map(planned_on, schedules)) else ""
        print_line(
            f"Estimated without simulating: Johnson's order {duration_text(estimates.minimum)} (Min), "
            f"reversed {duration_text(estimates.maximum)} (Max){true}"
        )
    return 0


def print_comparison(schedules: list[Schedule], rows: list[dict[str, Any]]) -> None:
    """Print the table of `slotscope compare`; what is late only where jobs have deadlines."""
    from core.measures.compare import NO_OVERHEADS, NO_OVERHEADS_WHY

    columns: tuple[str, ...] = (
        "policy",
        ">makespan",
        ">change",
        ">gap",
        ">estimated",
        ">response",
        ">stretch",
    )
    cells = [
        (
            f"{row['policy']}, {NO_OVERHEADS}" if row["lacks_overheads"] else row["policy"],
            row["makespan"],
            "baseline" if i == 0 else percent(row["change"], signed=True),
            percent(row["gap"]),
            math.nan if row["estimated"] is None else row["estimated"],
            row["mean_response"],
            f"{row['mean_stretch']:.2f}",
            row["late_jobs"],
            f"{row['deadline_utility']:.3g}",
        )
        for i, row in enumerate(rows)
    ]
    first = schedules[0]
    if any(job.deadline is not None for job in first.workload.jobs):
        columns += (">late", ">utility")
    clusters = dict.fromkeys(slots_text(each.cluster) for each in schedules[::-1])
    title = f"{first.workload.name} · {next(iter(clusters))}"
    if len(clusters) > 1:
        title += f" ({first.choice.id}: {slots_text(first.cluster)}, as many as each host ran at once)"
    ends = sorted({row["lower_bound"] for row in rows}, reverse=True)
    bounds = " or ".join(dict.fromkeys(map(duration_text, ends)))
    note = (
        " (each its own: lower where slots are lent or scans shared, and for what really ran)"
        if " or " in bounds
        else ""
    )
    shown = [row[: len(columns)] for row in cells]
    print_table(title, columns, shown, f"lower bound {bounds}{note}")
    if any(row["lacks_overheads"] for row in rows):
        how = "'slotscope fidelity LOG' estimates them; give them with --overheads"
        print_line(f"{NO_OVERHEADS}: {NO_OVERHEADS_WHY}. {how}.")
    print_estimates(schedules)
