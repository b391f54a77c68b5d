"""Figures in texts of lessons, filled in by the simulator: ``{{makespan 0}}`` becomes "42 s".

The first word says which figure, then come the chart ("0" for the first scenario, "guest 0" for the first
guest) and what the figure needs; names with spaces stand in quotes: ``{{time 0 "big job" last map ends}}``.
"""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.lessons.step_view import TASK_KINDS, ChartPlace
from core.measures.metrics import METRICS, response_times
from core.model.errors import InputError, UnknownName
from core.model.task_types import KIND_WORDS
from core.model.time_text import duration_text, exact_clock, exact_duration, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.lessons.simulated_view import SimulatedView
    from core.model.schedule import Schedule

EVENTS = (
    "arrives",
    "first map starts",
    "last map ends",
    "first reduce starts",
    "first shuffle ends",
    "last reduce ends",
    "ends",
)
"""What happens to a job: questions ask when it does, and texts may say so."""
FIGURE = re.compile(r"\{\{((?:(?!\{\{).)*?)\}\}")  # braces that nothing closes are looked at once


class JobEvent(NamedTuple):
    """When something happens to a job: seconds, and the task that it happens to, -1 for none."""

    seconds: float
    task: int


def job_event(schedule: Schedule, job: int, event: str) -> JobEvent:
    """Return when one of `EVENTS` happens to a job.

    Raises
    ------
    InputError
        it never happens: the job has no task of that kind
    """
    columns, name = schedule.workload.columns, schedule.workload.jobs[job].name
    if event == "arrives":
        return JobEvent(float(schedule.arrival[job]), -1)
    own = np.flatnonzero(columns.job == job)
    if event != "ends":
        kind = KIND_WORDS.index("map" if "map" in event else "reduce")
        own = own[columns.kind[own] == kind]
        if not len(own):
            raise InputError(f"{name} has no {KIND_WORDS[kind]}s, so there is no time at which its {event}")
    elif not len(own):  # others scan for it
        return JobEvent(float(schedule.finish[job]), -1)
    times = schedule.shuffled if "shuffle" in event else schedule.start if "starts" in event else schedule.end
    place = np.argmin(times[own]) if "first" in event else np.argmax(times[own])
    task = int(own[place])
    seconds = float(schedule.finish[job]) if event == "ends" else float(times[task])
    return JobEvent(seconds, task)


def event_phrase(job: str, event: str) -> str:
    """Write one of `EVENTS` as the begin of a sentence: "The last map of J1 ends"."""
    *noun, verb = event.split()
    return f"The {' '.join(noun)} of {job} {verb}" if noun else f"{job} {verb}"


class _FigureReader:
    """The words of a figure, taken one by one; InputError names the wrong one."""

    def __init__(self, text: str, step: SimulatedView) -> None:
        self.text, self._step = text, step
        self.charts: list[ChartPlace] = []
        self.latest = math.inf
        try:
            self._left = shlex.split(text)
        except ValueError:
            raise self.wrong("a quotation mark is left open") from None

    def wrong(self, why: str) -> InputError:
        """Return what to raise."""
        return InputError(f"{{{{{self.text}}}}}: {why}")

    def word(self, what: str) -> str:
        """Take the next word."""
        if not self._left:
            raise self.wrong(f"{what} is missing")
        return self._left.pop(0)

    def rest(self) -> str:
        """Take all that is left."""
        rest, self._left = " ".join(self._left), []
        return rest

    def schedule(self) -> Schedule:
        """Take a chart, and return its schedule."""
        word = self.word("the number of the scenario")
        is_guest = word == "guest"
        number = self.word("the number of the guest") if is_guest else word
        chart = ChartPlace(int(number), is_guest) if number.isdecimal() else None
        if chart not in self._step.shown.charts:
            charts = ", ".join(
                f"guest {c.number}" if c.is_guest else str(c.number) for c in self._step.shown.charts
            )
            raise self.wrong(f"'{number}' is no chart of this step; it has {charts}")
        assert chart is not None
        self.charts.append(chart)
        return self._step.schedule(chart)

    def job(self, schedule: Schedule) -> int:
        """Take the name of a job."""
        name, known = self.word("the name of the job"), schedule.workload.job_index
        if name not in known:
            raise self.wrong(str(UnknownName("job", name, known)))
        return known[name]

    def one_of(self, what: str, known: dict[str, Any]) -> Any:
        """Take one of some words."""
        word = self.word(what)
        if word not in known:
            raise self.wrong(str(UnknownName(what, word, known)))
        return known[word]

    def end(self) -> None:
        """Refuse words that are left."""
        if self._left:
            raise self.wrong(f"'{' '.join(self._left)}' is too much")


def _time(reader: _FigureReader) -> str:
    schedule = reader.schedule()
    job, event = reader.job(schedule), reader.rest()
    if event not in EVENTS:
        raise reader.wrong(str(UnknownName("event", event, EVENTS)))
    reader.latest = job_event(schedule, job, event).seconds
    return exact_clock(reader.latest)


def _waves(reader: _FigureReader) -> str:
    schedule = reader.schedule()
    job, kind = reader.job(schedule), reader.one_of("kind of task", TASK_KINDS)
    return str(int(schedule.job_wave(job, kind).max(initial=0)))


def _shorter(reader: _FigureReader) -> str:
    schedule, than = reader.schedule(), reader.schedule()
    return percent(1 - schedule.makespan / than.makespan)


def _saved(reader: _FigureReader) -> str:
    schedule, than = reader.schedule(), reader.schedule()
    return duration_text(than.makespan - schedule.makespan)


def _order(reader: _FigureReader) -> str:
    schedule = reader.schedule()
    names = [job.name for job in schedule.workload.jobs]
    return ", ".join(names[i] for i in np.argsort(schedule.rank, kind="stable"))


def _slots(reader: _FigureReader) -> str:
    schedule, reader.latest = reader.schedule(), 0.0
    return str(schedule.cluster.stage_slots[reader.one_of("kind of task", TASK_KINDS)])


def _most_slots(reader: _FigureReader) -> str:
    """Return how many slots a job holds at most at a time."""
    schedule = reader.schedule()
    job, kind = reader.job(schedule), reader.one_of("kind of task", TASK_KINDS)
    columns = schedule.workload.columns
    own = (columns.job == job) & (columns.kind == kind)
    times, steps = np.r_[schedule.start[own], schedule.end[own]], np.repeat([1, -1], own.sum())
    held = np.cumsum(steps[np.lexsort((steps, times))])
    return str(int(held.max(initial=0)))


def _response(reader: _FigureReader) -> str:
    schedule = reader.schedule()
    return duration_text(float(response_times(schedule)[reader.job(schedule)]))


def _metric(name: str) -> Callable[[_FigureReader], str]:
    metric = METRICS[name]

    def written(reader: _FigureReader) -> str:
        value = metric.of(reader.schedule())
        return exact_duration(value) if name in EXACT else metric.text(value)

    return written


EXACT = ("makespan", "lower_bound")
"""Metrics that are read off the chart, so that they are written to the millisecond."""
SHORT_NAMES = {
    "bound": "lower_bound",
    "map-use": "map_utilisation",
    "reduce-use": "reduce_utilisation",
    "late": "late_jobs",
    "utility": "deadline_utility",
}
"""Metrics whose names are shorter in texts; all others are written with hyphens: mean-response."""
FIGURES: dict[str, Callable[[_FigureReader], str]] = {
    **{name.replace("_", "-"): _metric(name) for name in METRICS if name not in SHORT_NAMES.values()},
    **{short: _metric(name) for short, name in SHORT_NAMES.items()},
    "time": _time,
    "response": _response,
    "waves": _waves,
    "shorter": _shorter,
    "saved": _saved,
    "order": _order,
    "slots": _slots,
    "most-slots": _most_slots,
    "tasks-run": lambda reader: str(reader.schedule().tasks),
}
"""What texts may name. Of two charts, ``{{shorter 1 0}}``: by how many percent the first one is shorter."""


@dataclass(frozen=True)
class FilledFigure:
    """A figure of a text.

    Attributes
    ----------
    source : as it stands in the text, with its braces
    charts : what it is about
    text : what it becomes
    latest : seconds; it says nothing of what happens later in the charts
    """

    source: str
    charts: tuple[ChartPlace, ...]
    text: str
    latest: float


def filled(text: str, step: SimulatedView) -> str:
    """Return a text with its figures filled in.

    Raises
    ------
    InputError
        a figure is not known, or names what the step does not have
    SlotscopeError
        as `core.simulation.simulate.simulate` raises it
    """
    return FIGURE.sub(lambda found: _filled_figure(found, step).text, text)


def figures_in(text: str, step: SimulatedView) -> list[FilledFigure]:
    """Return the figures of a text; raises what `filled` raises."""
    return [_filled_figure(found, step) for found in FIGURE.finditer(text)]


def _filled_figure(found: re.Match[str], step: SimulatedView) -> FilledFigure:
    reader = _FigureReader(found[1], step)
    name = reader.word("what is to be filled in")
    if name not in FIGURES:
        raise reader.wrong(str(UnknownName("figure", name, FIGURES)))
    text = FIGURES[name](reader)
    reader.end()
    return FilledFigure(found[0], tuple(reader.charts), text, reader.latest)
