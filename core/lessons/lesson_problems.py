"""The rules between values of a lesson, which its schema cannot see: what steps name is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.lessons.step_view import job_problems, numbers_rule, slot_number
from core.model.errors import Problem, name_problems, shorten, text_problems
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.lessons.lesson import Lesson, LessonStep
    from core.lessons.step_view import ChartPlace, LessonMark, StepView
    from core.model.cluster import Cluster
    from core.model.workload import Workload


def lesson_problems(lesson: Lesson) -> list[Problem]:
    """Return every rule between values that a lesson breaks, none for a right one; nothing is simulated."""
    found = name_problems("name", lesson.name) + text_problems("summary", lesson.summary)
    for i, step in enumerate(lesson.steps):
        found += _step_problems(lesson, step, f"steps[{i}]")
    return found


def chart_workload(lesson: Lesson, view: StepView, chart: ChartPlace) -> tuple[Workload, Cluster]:
    """Return what a chart of a step shows: its workload, and the cluster that it runs on.

    Raises
    ------
    IndexError
        there is no such chart
    """
    if chart.is_guest:
        guest = view.guests[chart.number]
        workload = lesson.workload(guest.workload)
        return workload, guest.scenario.cluster or workload.cluster
    workload = lesson.workload(view.workload)
    return workload, view.scenarios[chart.number].cluster or view.cluster or workload.cluster


def _step_problems(lesson: Lesson, step: LessonStep, where: str) -> Iterator[Problem]:
    view = step.view
    yield from name_problems(f"{where}.title", step.title)
    yield from text_problems(f"{where}.text", step.text)
    yield from text_problems(f"{where}.hands_on", step.hands_on)
    yield from _view_problems(lesson, view, f"{where}.view")
    for i, mark in enumerate(view.marks):
        yield from _mark_problems(lesson, view, mark, f"{where}.view.marks[{i}]")
    if step.veil is not None:
        if step.veil.begin is None and view.cursor is None:
            rule = "the veil begins at the time cursor, and the view has none; give it a cursor, or seconds"
            yield Problem(f"{where}.veil.from", "", rule)
        for chart in step.veil.charts or ():
            yield from view.chart_problems(chart, f"{where}.veil")
    if step.question is not None:
        workloads = {chart: chart_workload(lesson, view, chart)[0] for chart in view.charts}
        yield from step.question.problems(view, workloads, f"{where}.question")


def _view_problems(lesson: Lesson, view: StepView, where: str) -> Iterator[Problem]:
    jobs = lesson.workload(view.workload).job_index
    if view.active >= len(view.scenarios):
        yield Problem(f"{where}.active", str(view.active), numbers_rule("scenario", len(view.scenarios)))
    if view.selected_job:
        yield from job_problems(jobs, view.selected_job, f"{where}.selected_job")
    if view.zoom is not None and view.zoom[0] >= view.zoom[1]:
        yield Problem(f"{where}.zoom", shorten(list(view.zoom)), "its end must be later than its begin")
    if view.scans is not None and not lesson.workload(view.workload).datasets:
        rule = "the workload describes no datasets, so there are no circles to show; leave it out"
        yield Problem(f"{where}.scans", shorten(view.scans), rule)


def _mark_problems(lesson: Lesson, view: StepView, mark: LessonMark, where: str) -> Iterator[Problem]:
    yield from name_problems(f"{where}.text", mark.text)
    if mistakes := list(view.chart_problems(mark.chart, f"{where}.at")):
        yield from mistakes
        return
    workload, cluster = chart_workload(lesson, view, mark.chart)
    name = mark.task.job if mark.task else mark.job
    if name and name not in workload.job_index:
        yield from job_problems(workload.job_index, name, f"{where}.at")
    elif mark.task is not None:
        count = int(workload.columns.count[workload.job_index[name], mark.task.kind])
        if not 1 <= mark.task.number <= count:
            kind = KIND_WORDS[mark.task.kind]
            rule = f"{name} has {kind}s 1 to {count}" if count else f"{name} has no {kind}s"
            yield Problem(f"{where}.at.task.number", str(mark.task.number), rule)
    if mark.slot and slot_number(cluster, mark.slot) is None:
        last = cluster.slot_name(cluster.slots - 1)
        rule = f"no slot of this chart; they are called {cluster.slot_name(0)} to {last}"
        yield Problem(f"{where}.at.slot", shorten(mark.slot), rule)
