"""What an import did, in one line: how much was read, and by number what was not used as it stands."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from core.model.cut_logs import CUT_LOG
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.logs.report import ImportReport

MAX_REASONS = 3
"""So many reasons are named, those of most first; the others are counted together."""


def line_of(report: ImportReport, seconds: float) -> str:
    """Return it with how long it took: "Read 3 jobs, 8404 tasks in 0.4 s, nothing left out."."""
    tasks = sum(each.kept for each in report.tasks)
    whole = " of a log that is not whole" if report.cut else ""
    read = f"Read {_jobs(report)}, {_counted(tasks, 'task')}{whole} in {duration_text(seconds)}"
    problems = _problems(report)
    return f"{'; '.join((read, *problems))}." if problems else f"{read}, nothing left out."


def short_line_of(report: ImportReport) -> str:
    """Return only how many jobs were read: "18 of 19 jobs read"."""
    return f"{_jobs(report)} read{f', {CUT_LOG}' if report.cut else ''}"


def _jobs(report: ImportReport) -> str:
    left_out = len(report.jobs_left_out)
    every = _counted(report.jobs_kept + left_out, "job")
    return f"{report.jobs_kept} of {every}" if left_out else every


def _problems(report: ImportReport) -> list[str]:
    """Return by number what was left out, with its reasons, or changed."""
    jobs = Counter(why for _, why in report.jobs_left_out)
    tasks: Counter[str] = Counter()
    for each in report.tasks:
        tasks.update(each.left_out)
    clamped = sum(each.count for each in report.clamped.values())
    return [
        f"{_counted(count, what)} {then}"
        for count, what, then in (
            (jobs.total(), "job", f"left out: {_reasons(jobs)}"),
            (tasks.total(), "task", f"left out: {_reasons(tasks)}"),
            (report.damage_count, "place", "could not be read"),
            (clamped, "time", "below 0"),
            (sum(report.missing.values()), "time", "missing"),
            (report.repeated_names, "name", "made unique"),
        )
        if count
    ]


def _reasons(counts: Mapping[str, int]) -> str:
    """Return why something was left out, counted where there are several reasons: "4 killed, 1 failed"."""
    if len(counts) == 1:
        return next(iter(counts))
    in_turn = sorted(counts.items(), key=lambda item: -item[1])
    named = [f"{count} {why}" for why, count in in_turn[:MAX_REASONS]]
    others = sum(count for _, count in in_turn[MAX_REASONS:])
    return ", ".join([*named, f"{others} for other reasons"] if others else named)


def _counted(count: int, what: str) -> str:
    """Return a number with its noun, one or several: "1 job", "3 jobs"."""
    return f"{count} {what}{'s' * (count != 1)}"
