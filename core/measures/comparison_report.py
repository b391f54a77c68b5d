"""Several schedules of a workload as one HTML report: charts, figures, when each job ends."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from core.files.html_report import ReportTable, html_report, themed_picture
from core.measures.compare import below_sentences, own_standing, shared_bound
from core.measures.metrics import measure, narrow_metrics
from core.model.cluster import cluster_sentence
from core.model.schedule import choices_of, planned_on, with_distinct_titles
from core.model.time_text import clock_text, duration_text, makespan_text
from core.policies.registry import policy_class

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule, Titled
    from core.model.workload import Workload

MAX_JOBS = 200
"""Jobs in the table of completions."""
MAX_LETTERS = 300
"""Of a parameter's value."""
HEADER = ("scenario", "makespan", "change", "above the bound of all", "own bound")


def comparison_report(
    titled: Sequence[Titled], light: bytes, dark: bytes, made_on: date | None = None
) -> str:
    """Return the report.

    Parameters
    ----------
    titled : schedules of one workload with their titles, the baseline first
    light, dark : pictures of all of them, as PNG
    made_on : the day that it names; without one it says none
    """
    titled = with_distinct_titles(titled)
    workload = titled[0][1].workload
    titles = [title for title, _ in titled]
    return html_report(
        workload.name or "Schedules",
        about(workload),
        themed_picture(light, dark, f"Schedules of {', '.join(titles)}"),
        (figures_table(titled), _completions(titled), settings_table(titled)),
        made_notes(workload, made_on),
    )


def about(workload: Workload) -> str:
    """Return what stands below the title of a workload's schedules: first what is missing of its log."""
    return "\n".join(filter(None, (workload.cut, workload.description)))


def made_notes(workload: Workload, made_on: date | None = None) -> tuple[str, ...]:
    """Return sentences that say what made schedules of a workload, and where that comes from."""
    return (
        f"Simulated by Slotscope {version('slotscope')}{f' on {made_on}' if made_on else ''}.",
        f"{workload.name or 'The workload'} has {len(workload.jobs)} jobs with {workload.size_text}.",
        *workload.source.splitlines(),
    )


def figures_table(titled: Sequence[Titled]) -> ReportTable:
    """Return the figures of schedules of one workload beside one another, the baseline first."""
    figures = [measure(schedule) for _, schedule in titled]
    longest = max(m.makespan for m in figures)
    shared, narrow = shared_bound(figures), narrow_metrics(titled[0][1].workload)
    rows = tuple(
        (
            title,
            makespan_text(m.makespan, longest),
            "baseline" if i == 0 else _percent(m.makespan, figures[0].makespan, "+"),
            "–" if m.premise.as_submitted else _percent(1 + shared.gap(m), 1.0),
            f"{makespan_text(m.lower_bound, longest)} {m.premise.words}: {own_standing(m)}",
            *(metric.text(m[metric.name]) for metric in narrow),
        )
        for i, ((title, _), m) in enumerate(zip(titled, figures, strict=True))
    )
    below = below_sentences([title for title, _ in titled], [schedule for _, schedule in titled], figures)
    about = (
        f"Makespan: when the last job ends. Change: of the makespan against {titled[0][0]}. "
        "Above the bound of all: how far the makespan is above the lower bound of "
        f"{makespan_text(shared.seconds, longest)} {shared.premise.words}, which holds for all scenarios "
        f"here: {shared.premise.claim}. Own bound: of schedules that do what this scenario does. "
        + " ".join([*below, *(f"{metric.title.capitalize()}: {metric.help}." for metric in narrow)])
    )
    return ReportTable("Comparison", about, (*HEADER, *(metric.title for metric in narrow)), rows)


def _arrival(job: Job) -> str:
    """Return a job's arrival in words: a job that follows others has another time under each scenario."""
    if not job.after:
        return clock_text(job.arrival)
    return "after " + ", ".join(f"{link.job} + {duration_text(link.think)}" for link in job.after)


def _completions(titled: Sequence[Titled]) -> ReportTable:
    jobs = titled[0][1].workload.jobs
    only = f" Only the first {MAX_JOBS} of {len(jobs)} jobs are listed." if len(jobs) > MAX_JOBS else ""
    rows = tuple(
        (job.name, _arrival(job), *(_finish(s, job.name) for _, s in titled)) for job in jobs[:MAX_JOBS]
    )
    about = f"When each job arrives and when it ends under each scenario.{only}"
    header = ("job", "arrival", *(title for title, _ in titled))
    return ReportTable("Completion of jobs", about, header, rows)


def settings_table(titled: Sequence[Titled]) -> ReportTable:
    """Return what each of some schedules was simulated with."""
    rows = tuple(
        (
            title,
            *_policy(schedule),
            cluster_sentence(schedule.cluster, has_slowstart=schedule.workload.is_map_reduce),
        )
        for title, schedule in titled
    )
    about = "What each scenario was simulated with: the same settings give the same schedule again."
    return ReportTable("Settings", about, ("scenario", "policy", "parameters", "cluster"), rows)


def _policy(schedule: Schedule) -> tuple[str, str]:
    """Return the ids of the policies that a schedule followed, and their parameters in words."""
    choices = choices_of(schedule)
    values = [f"{name} = {_cut(value)}" for choice in choices for name, value in _parameters(choice).items()]
    if schedule.order is not None:
        values.append("order by hand")
    if schedule.plan is not None:
        values.append(f"plan of due dates for {len(schedule.plan.jobs)} jobs")
    if schedule.partition is not None:
        values.append(f"{len(schedule.partition.pools)} pools with slots of their own")
    values += planned_on(schedule)
    return ", then ".join(choice.id for choice in choices), "; ".join(values) or "none"


def _cut(value: object) -> str:
    """Write a value; of thousands of picks by hand only the first."""
    text = str(value)
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1]}…"


def _parameters(choice: PolicyChoice) -> dict[str, object]:
    """Return all parameters of a policy, with those that were left at their defaults."""
    known = () if choice.is_record else policy_class(choice.id).parameters
    return {parameter.name: parameter.default for parameter in known} | dict(choice.parameters)


def _finish(schedule: Schedule, job: str) -> str:
    """Write when a job is done; what a log recorded may have other jobs than those edited since."""
    index = schedule.workload.job_index.get(job)
    return "–" if index is None else clock_text(float(schedule.finish[index]))


def _percent(value: float, base: float, sign: str = "") -> str:
    change = value / base - 1 if base else np.nan
    return f"{100 * change:{sign}.1f} %" if np.isfinite(change) else "–"
