"""The experiment of 003 section 4: tables and plots as in Figures 5 and 6, beside the paper's numbers.

    python -m benchmarks.studies.shared_scans [--max-slots none 20 4] [--csv F.csv] [--plot F.png]

Runs the whole grid for each limit on the slots of one job: three schedulers, three metrics, 225 settings,
1000 arrivals each. Ctrl+C stops it and writes no file.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.markdown import print_table
from benchmarks.studies.scan_experiment import METRIC_IDS, Experiment, run_experiment
from core.files.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from benchmarks.studies.scan_experiment import Ratios

PAPER = {
    "circumflex": {0: 0.81, 8: 0.47},
    "batch": {0: 1.48, 8: 1.11},
    "sharing jobs": {0: 2.8, 8: 4.3},
    "in a batch": {0: 4.8, 8: 5.0},
}
"""What the text of section 4 gives for both ends of Figure 5, by correlation."""
PAPER_WORST, PAPER_BEST = 0.98, 0.97
"""Figure 6(a): the worst ratio of CIRCUMFLEX and the best one of BATCH in the whole grid."""
CANCELLED = 130

Grids = dict[float, list["Ratios"]]
"""The results of the grid by the most slots that one job may use."""


def main() -> int:
    """Run, print the tables, and write files where asked to; 130 after Ctrl+C."""
    options = read_options()
    grids: Grids = {}
    try:
        for limit in options.max_slots:
            grids[limit] = run_grid(options, limit)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped; nothing was written.\n")
        return CANCELLED
    print_figure_5(grids)
    print_figure_6(grids)
    if options.csv:
        replace_file(options.csv, table_of(grids).encode())
    if options.plot:
        replace_file(options.plot, picture_of(grids))
    return 0


def read_options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument(
        "--max-slots",
        type=read_limit,
        nargs="+",
        default=[math.inf],
        metavar="N",
        help="slots that one job may use at most, or none; several to compare",
    )
    parser.add_argument("--scan-fraction", type=float, default=1.0)
    parser.add_argument("--load", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", help="write all ratios to this file")
    parser.add_argument("--plot", help="draw Figures 5 and 6 to this file (needs matplotlib)")
    return parser.parse_args()


def read_limit(text: str) -> float:
    """Read a number of slots, or none."""
    return math.inf if text == "none" else float(text)


def limit_text(limit: float) -> str:
    """Name a limit."""
    return "no limit" if math.isinf(limit) else f"at most {limit:g}"


def run_grid(options: argparse.Namespace, limit: float) -> list[Ratios]:
    """Run the grid with a limit on the slots of one job, telling how far it is."""
    experiment = Experiment(
        repetitions=options.repetitions,
        maximum=limit,
        scan_fraction=options.scan_fraction,
        load=options.load,
        seed=options.seed,
    )
    began = time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"225 settings, {limit_text(limit)}", total=1.0)
        results = run_experiment(experiment, progress=lambda done: bar.update(task, completed=done))
    seconds = time.perf_counter() - began
    print(f"{limit_text(limit)} of 100 slots: {options.repetitions} repetitions in {seconds:.0f} s")
    return results


# ---- tables


def print_figure_5(grids: Grids) -> None:
    """Print response and work ratios of the most skewed case, by correlation, limit beside limit."""
    titles = [limit_text(limit) for limit in grids]
    wanted: tuple[tuple[str, str, Callable[[Ratios], float]], ...] = (
        ("average response, CIRCUMFLEX", "circumflex", lambda r: r.circumflex[:, 0].mean()),
        ("average response, BATCH", "batch", lambda r: r.batch[:, 0].mean()),
        ("work, CIRCUMFLEX", "", lambda r: r.work[:, 0].mean()),
        ("work, BATCH", "", lambda r: r.work[:, 1].mean()),
        ("most sharing jobs, CIRCUMFLEX", "sharing jobs", lambda r: r.concurrency[:, 0].mean()),
        ("most jobs in a batch, BATCH", "in a batch", lambda r: r.concurrency[:, 1].mean()),
    )
    for title, key, value in wanted:
        paper = PAPER.get(key, {})
        rows = [
            [place, *(f"{value(extreme(grid)[place]):.2f}" for grid in grids.values()), paper.get(place, "")]
            for place in range(9)
        ]
        unit = "largest over the datasets" if "most" in title else "divided by FLEX's"
        print_table(
            f"Figure 5, theta1 = theta2 = 1: {title} ({unit})", ["correlation", *titles, "paper"], rows
        )


def extreme(grid: Sequence[Ratios]) -> list[Ratios]:
    """Return the results for the most skewed case, by correlation."""
    return [r for r in grid if r.setting.popularity_skew == r.setting.size_skew == 1]


def print_figure_6(grids: Grids) -> None:
    """Print least, median and largest ratio over the nine correlations, for each pair of skews."""
    for m, metric in enumerate(METRIC_IDS):
        columns = [f"{name}, {limit_text(limit)}" for limit in grids for name in ("CIRCUMFLEX", "BATCH")]
        groups = [by_skew(grid) for grid in grids.values()]
        rows = [
            [
                *skews,
                *(spread(group[skews], policy, m) for group in groups for policy in ("circumflex", "batch")),
            ]
            for skews in groups[0]
        ]
        title = f"Figure 6 ({'abc'[m]}): {metric} divided by FLEX's; least, median, largest"
        print_table(title, ["theta1", "theta2", *columns], rows)
    rows = [
        [metric, *(worst_and_best(grid, m) for grid in grids.values())] for m, metric in enumerate(METRIC_IDS)
    ]
    rows[0].append(f"{PAPER_WORST} and {PAPER_BEST}")
    title = "The whole grid: CIRCUMFLEX at its worst and BATCH at its best, divided by FLEX's"
    print_table(
        title, ["metric", *map(limit_text, grids), "paper"], [[*row, ""][: len(grids) + 2] for row in rows]
    )


def worst_and_best(grid: Sequence[Ratios], m: int) -> str:
    """Write the largest ratio of CIRCUMFLEX and the least one of BATCH."""
    worst = max(float(r.circumflex[:, m].mean()) for r in grid)
    best = min(float(r.batch[:, m].mean()) for r in grid)
    return f"{worst:.3f} and {best:.3f}"


def by_skew(results: Sequence[Ratios]) -> dict[tuple[float, float], list[Ratios]]:
    """Group results that differ only in the correlation."""
    groups: dict[tuple[float, float], list[Ratios]] = {}
    for ratios in results:
        groups.setdefault((ratios.setting.popularity_skew, ratios.setting.size_skew), []).append(ratios)
    return groups


def spread(group: Sequence[Ratios], policy: str, m: int) -> str:
    """Write least, median and largest."""
    values = [getattr(r, policy)[:, m].mean() for r in group]
    return " · ".join(f"{value:.2f}" for value in (min(values), float(np.median(values)), max(values)))


def table_of(grids: Grids) -> str:
    """Return one row per limit, setting and repetition, as CSV."""
    text = io.StringIO()
    names = [f"{policy} {metric}" for policy in ("circumflex", "batch") for metric in METRIC_IDS]
    table = csv.writer(text, lineterminator="\n")
    head = ["max_slots", "theta1", "theta2", "correlation", "repetition"]
    table.writerow([*head, *names, "circumflex work", "batch work"])
    for limit, results in grids.items():
        for ratios in results:
            point = ratios.setting
            place = [limit, point.popularity_skew, point.size_skew, point.correlation]
            rows = np.hstack([ratios.circumflex, ratios.batch, ratios.work]).tolist()
            for i, row in enumerate(rows):
                table.writerow([*place, i, *row])
    return text.getvalue()


# ---- pictures

COLOURS = {"circumflex": "#0072B2", "batch": "#D55E00"}
DASHES = ("-", "--", ":", "-.")


def picture_of(grids: Grids) -> bytes:
    """Draw Figure 5 (a) and (b) with the paper's points, and Figure 6 (a) to (c), as PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(15, 8), layout="constrained")
    draw_figure_5(axes[0, 0], grids, "(5a) average response", with_paper=True)
    draw_figure_5(axes[0, 1], grids, "(5b) work", with_paper=False)
    axes[0, 2].axis("off")
    axes[0, 2].legend(*axes[0, 0].get_legend_handles_labels(), loc="center", frameon=False)
    for m, metric in enumerate(METRIC_IDS):
        draw_figure_6(axes[1, m], grids, m, f"(6{'abc'[m]}) {metric}")
    for axis in axes.flat:
        for ticks in (axis.yaxis.set_major_formatter, axis.yaxis.set_minor_formatter):
            ticks(lambda value, _place: f"{value:g}")
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=100)
    return data.getvalue()


def draw_figure_5(axis: Axes, grids: Grids, title: str, *, with_paper: bool) -> None:
    """Draw mean and deviation by correlation, a line per policy and limit; stars are the paper's."""
    for k, (policy, colour) in enumerate(COLOURS.items()):
        for (limit, grid), dash in zip(grids.items(), DASHES, strict=False):
            values = [getattr(r, policy)[:, 0] if with_paper else r.work[:, k] for r in extreme(grid)]
            label = f"{policy.upper()}, {limit_text(limit)}"
            means, deviations = [v.mean() for v in values], [v.std() for v in values]
            axis.errorbar(range(9), means, deviations, color=colour, linestyle=dash, label=label)
        if with_paper:
            points = PAPER[policy]
            label = f"{policy.upper()}, the paper"
            axis.plot(list(points), list(points.values()), "*", color=colour, markersize=11, label=label)
    axis.set(title=title, xlabel="correlation, negative to positive", ylabel="ratio to FLEX", yscale="log")
    axis.axhline(1, color="grey", linewidth=0.8)


def draw_figure_6(axis: Axes, grids: Grids, m: int, title: str) -> None:
    """Draw least to largest ratio over the correlations for each pair of skews, with the median."""
    for k, (grid, dash) in enumerate(zip(grids.values(), DASHES, strict=False)):
        for shift, (policy, colour) in zip((-0.15, 0.15), COLOURS.items(), strict=True):
            for i, group in enumerate(by_skew(grid).values()):
                values = [float(getattr(r, policy)[:, m].mean()) for r in group]
                place = i + shift + i // 5 + 0.08 * k
                line = {"color": colour, "linewidth": 3 if k == 0 else 1.2, "linestyle": dash}
                axis.plot([place, place], [min(values), max(values)], **line)
                axis.plot(place, np.median(values), "o", color=colour, markersize=4)
    axis.set(
        title=title, ylabel="ratio to FLEX", yscale="log", xlabel="theta1 (groups), theta2 (inside a group)"
    )
    axis.set_xticks([6 * g + 2 for g in range(5)], ["0", "0.25", "0.5", "0.75", "1"])
    axis.axhline(1, color="grey", linewidth=0.8)


if __name__ == "__main__":
    sys.exit(main())
