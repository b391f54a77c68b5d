"""A step of a lesson with what it shows; and the other way round, what is shown as a view of a step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.files.samples import samples
from core.lessons.lesson import LessonWorkload
from core.lessons.simulated_view import ShownView, SimulatedView
from core.lessons.step_view import StepView
from core.model.document_state import DocumentState

if TYPE_CHECKING:
    from core.lessons.lesson import Lesson, LessonStep
    from core.model.workload import Workload


@dataclass(frozen=True)
class ShownStep(ShownView):
    """A step with the documents that it shows."""

    step: LessonStep


@dataclass
class SimulatedStep(SimulatedView):
    """A step with its schedules, each simulated at its first use; for one thread at a time."""

    shown: ShownStep


def shown_step(lesson: Lesson, number: int) -> ShownStep:
    """Return what a step shows; steps are numbered from 0.

    Raises
    ------
    InputError
        its scenarios do not go together
    """
    step = lesson.steps[number]
    view = step.view
    workload = lesson.workload(view.workload)
    state = DocumentState(
        workload, view.cluster or workload.cluster, view.scenarios, 1, len(view.scenarios) + 1
    )
    guests = []
    for guest in view.guests:
        jobs = lesson.workload(guest.workload)
        own = replace(guest.scenario, cluster=None)
        guests.append(DocumentState(jobs, guest.scenario.cluster or jobs.cluster, (own,), own.id, own.id + 1))
    return ShownStep(view, state, tuple(guests), step)


def view_of(lesson: Lesson, state: DocumentState) -> tuple[Lesson, StepView]:
    """Return a view of a document as it stands, for a new step, and the lesson that has its workload.

    Parameters
    ----------
    lesson : one that has the workload keeps its name, else it is taken into the lesson's own file
    state : scenarios are numbered anew
    """
    known = next((each.name for each in lesson.workloads if each.workload == state.workload), None)
    if known is None:
        known = _free_name(state.workload.name or "workload", lesson)
        lesson = replace(lesson, workloads=(*lesson.workloads, LessonWorkload(known, state.workload)))
    scenarios = tuple(replace(scenario, id=i + 1) for i, scenario in enumerate(state.scenarios))
    own = None if state.cluster == state.workload.cluster else state.cluster
    return lesson, StepView(known, scenarios, own)


def _free_name(wanted: str, lesson: Lesson) -> str:
    taken = {known.name for known in lesson.workloads}
    names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def with_workload(lesson: Lesson, workload: Workload) -> Lesson:
    """Return a lesson with a workload among its own, by the name of the sample if it is one."""
    if any(known.workload == workload for known in lesson.workloads):
        return lesson
    for sample in samples():
        if sample.jobs == len(workload.jobs) and sample.state.workload == workload:
            known = LessonWorkload(sample.name, workload, sample=sample.name)
            return replace(lesson, workloads=(*lesson.workloads, known))
    return lesson
