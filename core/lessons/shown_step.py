"""What a step puts into the window: a document, guests, and the schedules and places that come of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from core.explain.lints.idle_slots import idle_gap
from core.fidelity.history_schedule import history_schedule
from core.lessons.lesson import ChartPlace, LessonWorkload, StepView
from core.lessons.lesson_problems import slot_number
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.model.execution_history import RECORDED
from core.model.progress import never_stop
from core.simulation.fork import simulate_fork
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.lessons.lesson import Lesson, LessonMark, LessonStep
    from core.model.document_state import Scenario
    from core.model.schedule import Schedule


@dataclass(frozen=True)
class ShownStep:
    """A step as documents.

    Attributes
    ----------
    step : the step
    state : the document that is edited in it
    guests : a document of one scenario for each guest: to be simulated and drawn, never edited
    """

    step: LessonStep
    state: DocumentState
    guests: tuple[DocumentState, ...]

    @property
    def charts(self) -> tuple[ChartPlace, ...]:
        """Every chart, the scenarios first."""
        return self.step.view.charts

    def of(self, chart: ChartPlace) -> tuple[DocumentState, Scenario]:
        """Return the document and the scenario of a chart; IndexError if there is no such chart."""
        if chart.is_guest:
            return self.guests[chart.number], self.guests[chart.number].scenarios[0]
        return self.state, self.state.scenarios[chart.number]

    def title(self, chart: ChartPlace) -> str:
        """Return what a chart is called: the author's title, or the policy's."""
        from core.policies.registry import describe

        state, scenario = self.of(chart)
        if scenario.title or scenario.choice.id == RECORDED:
            return scenario.title or "As recorded"
        title = describe(scenario.choice.id).title
        return f"{state.workload.name}, {title}" if chart.is_guest else title


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
    return ShownStep(step, state, tuple(guests))


def view_of(lesson: Lesson, state: DocumentState, name: str = "") -> tuple[Lesson, StepView]:
    """Return a view of a document as it stands, for a new step, and the lesson that has its workload.

    Parameters
    ----------
    lesson : one that has the workload keeps its name, else it is taken into the lesson's own file
    state : scenarios are numbered anew
    name : what the workload is to be called, if it is new; the workload's own name if empty
    """
    known = next((each.name for each in lesson.workloads if each.workload == state.workload), None)
    if known is None:
        known = _free_name(name or state.workload.name or "workload", lesson)
        lesson = replace(lesson, workloads=(*lesson.workloads, LessonWorkload(known, state.workload)))
    scenarios = tuple(replace(scenario, id=i + 1) for i, scenario in enumerate(state.scenarios))
    own = None if state.cluster == state.workload.cluster else state.cluster
    return lesson, StepView(known, scenarios, own)


def _free_name(wanted: str, lesson: Lesson) -> str:
    taken = {known.name for known in lesson.workloads}
    names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def simulate_scenario(
    state: DocumentState, scenario: Scenario, should_stop: Callable[[], bool] = never_stop
) -> Schedule:
    """Simulate a scenario of a document; raises what `core.simulation.simulate.simulate` raises."""
    workload = state.workload
    if scenario.choice.id == RECORDED:
        if workload.recorded is None:
            raise InputError(f"{workload.name} does not say what really ran; choose a policy")
        return history_schedule(workload, workload.recorded)
    cluster, fork = state.cluster_of(scenario), state.fork_of(scenario)
    partition, plan = state.partition_of(scenario), state.plan_of(scenario)
    if fork is None:
        return simulate(
            workload,
            cluster,
            scenario.choice,
            order=scenario.order,
            partition=partition,
            plan=plan,
            should_stop=should_stop,
        )
    return simulate_fork(
        workload,
        cluster,
        scenario.choice,
        fork,
        order=scenario.order,
        partition=partition,
        plan=plan,
        should_stop=should_stop,
    )


@dataclass
class SimulatedStep:
    """A step with its schedules, each simulated when it is first asked for; for one thread at a time.

    Attributes
    ----------
    shown : the step
    schedules : those that are known already: what a window has simulated need not be simulated again
    should_stop : asked now and then while simulating; True raises Cancelled
    """

    shown: ShownStep
    schedules: dict[ChartPlace, Schedule] = field(default_factory=dict)
    should_stop: Callable[[], bool] = never_stop

    def schedule(self, chart: ChartPlace) -> Schedule:
        """Return the schedule of a chart; raises what `core.simulation.simulate.simulate` raises."""
        if chart not in self.schedules:
            self.schedules[chart] = simulate_scenario(*self.shown.of(chart), self.should_stop)
        return self.schedules[chart]


class PointedAt(NamedTuple):
    """Where a mark points in a schedule.

    Attributes
    ----------
    slot : number of the slot; -1 for a line through all slots, or a job
    begin, end : seconds
    task : the task, -1 where it points at none
    job : index of the job, -1 where it points at none
    """

    slot: int
    begin: float
    end: float
    task: int = -1
    job: int = -1


def pointed_at(mark: LessonMark, schedule: Schedule) -> PointedAt:
    """Return where a mark points; what it names is there, as `lesson_problems` says.

    Raises
    ------
    InputError
        the task does not run in this schedule, or the slot does not stand idle then
    """
    workload = schedule.workload
    if mark.task is not None:
        job = workload.job_index[mark.task.job]
        given = int(schedule.given.columns.first[job, mark.task.kind]) + mark.task.number - 1
        task = schedule.own_task(given)
        if task < 0:
            raise InputError(f"the mark '{mark.text}' points at a task that another one scans for")
        times = float(schedule.start[task]), float(schedule.end[task])
        return PointedAt(int(schedule.slot[task]), *times, task, job)
    if mark.job:
        job = workload.job_index[mark.job]
        return PointedAt(-1, float(schedule.job_start[job]), float(schedule.finish[job]), job=job)
    assert mark.time is not None
    slot = -1 if not mark.slot else slot_number(schedule.cluster, mark.slot)
    assert slot is not None
    if not mark.is_gap:
        return PointedAt(slot, mark.time, mark.time)
    gap = idle_gap(schedule, slot, mark.time)
    if gap is None:
        raise InputError(f"the mark '{mark.text}' points at a gap, and {mark.slot} is not idle then")
    return PointedAt(slot, gap.begin, gap.end)
