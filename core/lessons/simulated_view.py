"""What a step shows, simulated: its documents, their schedules, and the places that its marks point at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from core.fidelity.history_schedule import history_schedule
from core.lessons.step_view import ChartPlace, slot_number
from core.model.errors import InputError
from core.model.progress import never_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.lessons.step_view import LessonMark, StepView
    from core.model.document_state import DocumentState, Scenario
    from core.model.schedule import Schedule


@dataclass(frozen=True)
class ShownView:
    """What a step shows, as documents.

    Attributes
    ----------
    view : what the author has chosen to be shown
    state : the document that is edited in it
    guests : a document of one scenario for each guest: to be simulated and drawn, never edited
    """

    view: StepView
    state: DocumentState
    guests: tuple[DocumentState, ...]

    @property
    def charts(self) -> tuple[ChartPlace, ...]:
        """Every chart, the scenarios first."""
        return self.view.charts

    def of(self, chart: ChartPlace) -> tuple[DocumentState, Scenario]:
        """Return the document and the scenario of a chart; IndexError if there is no such chart."""
        if chart.is_guest:
            return self.guests[chart.number], self.guests[chart.number].scenarios[0]
        return self.state, self.state.scenarios[chart.number]

    def title(self, chart: ChartPlace) -> str:
        """Return what a chart is called: the author's title, or the policy's."""
        from core.policies.registry import describe

        state, scenario = self.of(chart)
        if scenario.title or scenario.choice.is_record:
            return scenario.title or "As recorded"
        title = describe(scenario.choice.id).title
        return f"{state.workload.name}, {title}" if chart.is_guest else title


def simulate_scenario(
    state: DocumentState, scenario: Scenario, should_stop: Callable[[], bool] = never_stop
) -> Schedule:
    """Simulate a scenario of a document; raises what `core.simulation.simulate.simulate` raises."""
    from core.simulation.fork import simulate_fork
    from core.simulation.simulate import simulate  # who reads a lesson simulates nothing

    workload = state.workload
    if scenario.choice.is_record:
        if workload.recorded is None:
            raise InputError(f"{workload.name} does not say what really ran; choose a policy")
        return history_schedule(workload, workload.recorded)
    cluster, fork = state.cluster_of(scenario), state.fork_of(scenario)
    partition, plan = state.partition_of(scenario), state.plan_of(scenario)
    start = (workload, cluster, scenario.choice)
    run = partial(simulate, *start) if fork is None else partial(simulate_fork, *start, fork)
    return run(order=scenario.order, partition=partition, plan=plan, should_stop=should_stop)


@dataclass
class SimulatedView:
    """What a step shows with its schedules, each simulated when it is first needed; for one thread at a time.

    Attributes
    ----------
    shown : the documents
    schedules : those that are known already: what a window has simulated need not be simulated again
    should_stop : asked now and then while simulating; True raises Cancelled
    """

    shown: ShownView
    schedules: dict[ChartPlace, Schedule] = field(default_factory=dict)
    should_stop: Callable[[], bool] = never_stop

    def schedule(self, chart: ChartPlace) -> Schedule:
        """Return the schedule of a chart; raises what `core.simulation.simulate.simulate` raises."""
        if chart not in self.schedules:
            self.schedules[chart] = simulate_scenario(*self.shown.of(chart), self.should_stop)
        return self.schedules[chart]


def mark_begin(mark: LessonMark, schedule: Schedule) -> float:
    """Return when what a mark points at begins, in seconds; `lesson_problems` makes sure that it is there.

    Raises
    ------
    InputError
        the task does not run in this schedule, or the slot does not stand idle then
    """
    from core.explain.lints.idle_slots import idle_gap  # few marks point at a gap

    jobs = schedule.workload.job_index
    if mark.task is not None:
        first = schedule.given.columns.first[jobs[mark.task.job], mark.task.kind]
        task = schedule.own_task(int(first) + mark.task.number - 1)
        if task < 0:
            raise InputError(f"the mark '{mark.text}' points at a task that another one scans for")
        return float(schedule.start[task])
    if mark.job:
        return float(schedule.job_start[jobs[mark.job]])
    assert mark.time is not None
    if not mark.is_gap:
        return mark.time
    slot = slot_number(schedule.cluster, mark.slot)
    assert slot is not None
    gap = idle_gap(schedule, slot, mark.time)
    if gap is None:
        raise InputError(f"the mark '{mark.text}' points at a gap, and {mark.slot} is not idle then")
    return gap.begin
