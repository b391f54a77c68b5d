"""The table of schedulers as Markdown: the lines of the public page, and the one to enter one's own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.policy_checks.ranking import RankedFigure, RankedPolicy, Ranking

HEADINGS = (
    "policy",
    "gap to the bound",
    "makespan ÷ FIFO's",
    "mean response ÷ FIFO's",
    "slowest 5 % ÷ FIFO's",
    "largest stretch ÷ FIFO's",
    "workloads",
)


def markdown_table(ranking: Ranking) -> str:
    """Return all lines, with their headings."""
    head = [f"| {' | '.join(HEADINGS)} |", f"|{' --- |' * len(HEADINGS)}"]
    return "\n".join([*head, *(markdown_line(row, ranking) for row in ranking.rows)])


def markdown_line(row: RankedPolicy, ranking: Ranking) -> str:
    """Return the line of a policy: means, each with the interval about it."""
    cells = (row.policy, *figure_texts(row), ran_text(row, ranking))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def figure_texts(row: RankedPolicy) -> tuple[str, ...]:
    """Return the figures of a line as text, the gap in percent, each with the interval about it."""
    return tuple(
        f"{mean} ({low}–{high})" if low else mean
        for mean, low, high in (_texts(name, each) for name, each in row.figures.items())
    )


def mean_texts(row: RankedPolicy) -> tuple[str, ...]:
    """Return the same without intervals."""
    return tuple(_texts(name, each)[0] for name, each in row.figures.items())


def ran_text(row: RankedPolicy, ranking: Ranking) -> str:
    """Return on how many of the workloads a policy ran."""
    return f"{row.ran} of {len(ranking.workloads)}"


def _texts(name: str, estimate: RankedFigure) -> tuple[str, str, str]:
    """Return a figure's mean and the ends of its interval; empty ends where there is none."""
    if math.isnan(estimate.mean):
        return "–", "", ""
    scale, digits, unit = (100.0, 1, " %") if name == "gap" else (1.0, 2, "")
    mean, low, high = (f"{scale * x:.{digits}f}" for x in (estimate.mean, estimate.low, estimate.high))
    return f"{mean}{unit}", *(("", "") if math.isnan(estimate.low) else (low, high))
