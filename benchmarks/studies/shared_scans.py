"""The experiment of 003 section 4: tables and plots as in Figures 5 and 6, beside the paper's numbers.

    python -m benchmarks.studies.shared_scans [--repetitions 10] [--max-slots N] [--csv F] [--plot F.png]

Runs the whole grid: three schedulers, three metrics, 225 settings, 1000 arrivals each. Ctrl-C stops it.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from typing import TYPE_CHECKING

import numpy as np
from rich.progress import Progress

from core.scans.experiment import METRIC_IDS, Experiment, run_experiment

if TYPE_CHECKING:
    from pathlib import Path

    from core.scans.experiment import Ratios

PAPER_FIGURE_5 = {0: ("0.81", "1.48"), 8: ("0.47", "1.11")}
"""Average response, CIRCUMFLEX and BATCH to FLEX, as the text of section 4 gives them."""


def main() -> None:
    """Run, print the tables, and write files where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument(
        "--max-slots", type=float, default=math.inf, help="slots that one job may use at most"
    )
    parser.add_argument("--scan-fraction", type=float, default=1.0)
    parser.add_argument("--load", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", help="write all ratios to this file")
    parser.add_argument("--plot", help="draw Figures 5 and 6 to this file (needs matplotlib)")
    options = parser.parse_args()
    experiment = Experiment(
        repetitions=options.repetitions,
        maximum=options.max_slots,
        scan_fraction=options.scan_fraction,
        load=options.load,
        seed=options.seed,
    )
    began = time.perf_counter()
    with Progress() as bar:
        task = bar.add_task("225 settings", total=1.0)
        results = run_experiment(experiment, progress=lambda done: bar.update(task, completed=done))
    seconds = time.perf_counter() - began
    limit = "no limit" if math.isinf(options.max_slots) else f"at most {options.max_slots:g}"
    print(f"\n{options.repetitions} repetitions in {seconds:.0f} s; slots of one job: {limit} of 100\n")
    print_figure_5(results)
    print_figure_6(results)
    if options.csv:
        write_csv(results, options.csv)
    if options.plot:
        plot(results, options.plot)


def print_figure_5(results: list[Ratios]) -> None:
    """Print response and work ratios for the most skewed case, by correlation."""
    print(
        "Figure 5: theta1 = theta2 = 1, average response and work, each divided by FLEX's (mean, deviation)\n"
    )
    print(
        "| correlation | CIRCUMFLEX | paper | BATCH | paper "
        "| work CIRCUMFLEX | work BATCH | jobs at once | in a batch |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for ratios in results:
        if ratios.setting.popularity_skew == ratios.setting.size_skew == 1:
            paper = PAPER_FIGURE_5.get(ratios.setting.correlation, ("", ""))
            one, other = ratios.circumflex[:, 0], ratios.batch[:, 0]
            work, jobs = ratios.work.mean(axis=0), ratios.concurrency.mean(axis=0)
            print(
                f"| {ratios.setting.correlation} | {one.mean():.2f} ± {one.std():.2f} | {paper[0]} "
                f"| {other.mean():.2f} ± {other.std():.2f} | {paper[1]} "
                f"| {work[0]:.2f} | {work[1]:.2f} | {jobs[0]:.1f} | {jobs[1]:.1f} |"
            )


def print_figure_6(results: list[Ratios]) -> None:
    """Print least, median and largest ratio over the nine correlations, for each pair of skews."""
    for m, metric in enumerate(METRIC_IDS):
        print(
            f"\nFigure 6 ({'abc'[m]}): {metric} divided by FLEX's; "
            "least, median, largest over the correlations\n"
        )
        print("| theta1 | theta2 | CIRCUMFLEX | BATCH |")
        print("| --- | --- | --- | --- |")
        for (popularity, size), group in by_skew(results).items():
            cells = [
                spread([getattr(r, policy)[:, m].mean() for r in group]) for policy in ("circumflex", "batch")
            ]
            print(f"| {popularity} | {size} | {cells[0]} | {cells[1]} |")
        worst = max(float(r.circumflex[:, m].mean()) for r in results)
        print(f"\nWorst CIRCUMFLEX ratio of the grid: {worst:.3f}")


def by_skew(results: list[Ratios]) -> dict[tuple[float, float], list[Ratios]]:
    """Group results that differ only in the correlation."""
    groups: dict[tuple[float, float], list[Ratios]] = {}
    for ratios in results:
        groups.setdefault((ratios.setting.popularity_skew, ratios.setting.size_skew), []).append(ratios)
    return groups


def spread(values: list[float]) -> str:
    """Write least, median and largest."""
    return " · ".join(f"{value:.2f}" for value in (min(values), float(np.median(values)), max(values)))


def write_csv(results: list[Ratios], path: str | Path) -> None:
    """Write one row per setting and repetition."""
    names = [f"{policy} {metric}" for policy in ("circumflex", "batch") for metric in METRIC_IDS]
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(
            ["theta1", "theta2", "correlation", "repetition", *names, "circumflex work", "batch work"]
        )
        for ratios in results:
            point = ratios.setting
            rows = np.hstack([ratios.circumflex, ratios.batch, ratios.work]).tolist()
            for i, row in enumerate(rows):
                table.writerow([point.popularity_skew, point.size_skew, point.correlation, i, *row])


def plot(results: list[Ratios], path: str) -> None:
    """Draw Figure 5 (a) and (b) and Figure 6 (a) to (c)."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(15, 8), layout="constrained")
    extreme = [r for r in results if r.setting.popularity_skew == r.setting.size_skew == 1]
    labels = range(len(extreme))
    for axis, title, column in (
        (axes[0, 0], "(5a) average response", None),
        (axes[0, 1], "(5b) work", "work"),
    ):
        for k, (policy, colour) in enumerate((("circumflex", "#0072B2"), ("batch", "#D55E00"))):
            values = [r.work[:, k] if column else getattr(r, policy)[:, 0] for r in extreme]
            axis.errorbar(
                labels,
                [v.mean() for v in values],
                [v.std() for v in values],
                color=colour,
                label=policy.upper(),
            )
        axis.set(title=title, xlabel="correlation, negative to positive", ylabel="ratio to FLEX")
        axis.axhline(1, color="grey", linewidth=0.8)
        axis.legend()
    axes[0, 2].axis("off")
    for m, metric in enumerate(METRIC_IDS):
        draw_summary(axes[1, m], results, m, f"({'abc'[m]}) {metric}")
    figure.savefig(path, dpi=100)


def draw_summary(axis: object, results: list[Ratios], m: int, title: str) -> None:
    """Draw least to largest ratio over the correlations for each pair of skews, with the median."""
    groups = by_skew(results)
    for shift, policy, colour in ((-0.15, "circumflex", "#0072B2"), (0.15, "batch", "#D55E00")):
        for i, group in enumerate(groups.values()):
            values = [float(getattr(r, policy)[:, m].mean()) for r in group]
            place = i + shift + i // 5
            axis.plot([place, place], [min(values), max(values)], color=colour, linewidth=3)  # type: ignore[attr-defined]
            axis.plot(place, np.median(values), "o", color=colour, markersize=4)  # type: ignore[attr-defined]
    axis.set(  # type: ignore[attr-defined]
        title=f"6 {title}",
        ylabel="ratio to FLEX",
        yscale="log",
        xlabel="theta1 (groups), theta2 (inside a group)",
    )
    axis.set_xticks([6 * g + 2 for g in range(5)], ["0", "0.25", "0.5", "0.75", "1"])  # type: ignore[attr-defined]
    axis.axhline(1, color="grey", linewidth=0.8)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
