"""`slotscope compare`: several policies side by side; the first one is the baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.time_text import duration_text, makespan_text, percent, signed_percent
from explorer.cli.command import Command
from explorer.cli.compared import ComparedSchedules
from explorer.cli.requests import RunOptions, json_option
from explorer.cli.screen import (
    print_estimates,
    print_json,
    print_limit,
    print_line,
    print_table,
    title_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.measures.metrics import Metrics
    from core.model.schedule import Schedule
    from explorer.cli.requests import AsRecorded, Run


OWN_GAPS = "Each gap is above a bound of its own: "


class CompareCommand(Command, name="compare"):
    """Run several policies; the first one is the baseline.

    Without --policies these are what a log recorded, the policy that it ran under, else FIFO, and the three
    policies that end soonest.
    """

    compared: ComparedSchedules
    changes: RunOptions
    json: bool = json_option()

    def run(self) -> None:
        """Print the policies side by side."""
        self.show(self.compared.runs(self.changes, or_best=True))

    def show(self, runs: list[Run | AsRecorded]) -> list[Schedule]:
        """Simulate, print what came out side by side, and return it."""
        from core.measures.compare import comparison_rows, shared_bound
        from core.measures.metrics import measure
        from core.model.schedule import planned_on
        from core.planning.estimated_makespan import estimate

        schedules = [run.simulate() for run in runs]
        metrics = [measure(schedule) for schedule in schedules]
        rows = comparison_rows(schedules, metrics)
        estimates, shared = estimate(runs[0].workload, runs[0].cluster), shared_bound(metrics)
        if self.json:
            bounds = estimates and {"min": estimates.minimum, "max": estimates.maximum}
            bound = {"seconds": shared.seconds, "premise": shared.premise.words}
            about = {"baseline": rows[0]["policy"]}
            print_json(about | {"estimates": bounds, "shared_bound": bound, "rows": rows})
            return schedules
        print_comparison(schedules, metrics, rows)
        if estimates is not None:
            true = ", of the true durations" if any(map(planned_on, schedules)) else ""
            print_line(
                f"Estimated without simulating: Johnson's order {duration_text(estimates.minimum)} (Min), "
                f"reversed {duration_text(estimates.maximum)} (Max){true}"
            )
        return schedules


def print_comparison(schedules: list[Schedule], metrics: list[Metrics], rows: list[dict[str, Any]]) -> None:
    """Print the table of `slotscope compare`; what is late only where jobs have deadlines."""
    from core.measures.compare import NO_OVERHEADS, NO_OVERHEADS_WHY, below_sentences, shared_bound
    from core.measures.metrics import narrow_metrics
    from core.model.submissions import ONE_AFTER_THE_OTHER

    shared, first = shared_bound(metrics), schedules[0]
    longest = max(figures.makespan for figures in metrics)
    narrow = narrow_metrics(first.workload)
    headings = [f">{metric.heading}" for metric in narrow]
    columns = ("policy", ">makespan", ">change", ">gap", ">estimated", *headings)
    cells = [
        (
            f"{row['policy']}, {NO_OVERHEADS}" if row["lacks_overheads"] else row["policy"],
            makespan_text(row["makespan"], longest),
            "baseline" if i == 0 else signed_percent(row["change"]),
            "–" if metrics[i].premise.as_submitted else percent(metrics[i].gap),
            math.nan if row["estimated"] is None else row["estimated"],
            *(metric.text(row[metric.name]) for metric in narrow),
        )
        for i, row in enumerate(rows)
    ]
    clusters = dict.fromkeys(slots_text(each.cluster) for each in schedules[::-1])
    title = title_of(first.workload.name, next(iter(clusters)))
    if len(clusters) > 1:
        title += f" ({first.choice.id}: {slots_text(first.cluster)}, as many as each host ran at once)"
    of_all = "bound of all rows" if shared.differs else "lower bound"
    print_table(title, columns, cells, f"{of_all} {makespan_text(shared.seconds)} {shared.premise.words}")
    if shared.differs:
        print_line(f"{OWN_GAPS}{'; '.join(_own_bounds(metrics, rows))}.")
    for sentence in below_sentences([row["policy"] for row in rows], schedules, metrics):
        print_line(sentence)
    if shared.premise.as_submitted:
        print_line(ONE_AFTER_THE_OTHER)
    elif len(clusters) == 1:
        print_limit(first.given, first.cluster)
    if any(row["lacks_overheads"] for row in rows):
        how = "'slotscope fidelity LOG' estimates them; give them with --overheads"
        print_line(f"{NO_OVERHEADS}: {NO_OVERHEADS_WHY}. {how}.")
    print_estimates(schedules)


def _own_bounds(metrics: list[Metrics], rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield each own bound with what it takes for granted, and how far those whose it is are from it."""
    from core.measures.compare import own_standing

    standings: dict[tuple[float, str], list[str]] = {}
    for row, figures in zip(rows, metrics, strict=True):
        key = figures.lower_bound, figures.premise.words
        standings.setdefault(key, []).append(f"{row['policy']} {own_standing(figures)}")
    for (seconds, words), titles in standings.items():
        yield f"{makespan_text(seconds)} {words} ({', '.join(titles)})"
