"""What a class has seen of charts and read of figures by a step, and whether that answers its question."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.lessons.figures import FIGURE, figures_in, filled
from core.lessons.questions.order import OrderQuestion
from core.lessons.questions.times import MakespanQuestion, SecondsQuestion
from core.model.errors import Cancelled, SlotscopeError
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.lessons.questions.question import LessonQuestion
    from core.lessons.shown_step import SimulatedStep
    from core.lessons.step_view import ChartPlace
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.schedule import Schedule
    from core.model.workload import Workload


class _Setting(NamedTuple):
    """What makes a chart what it is, whatever it is called."""

    workload: Workload
    cluster: Cluster
    scenario: Scenario


@dataclass
class _SeenChart:
    """A chart as far as it was shown, in seconds, where, and the figures printed of it with where."""

    setting: _Setting
    schedule: Schedule
    until: float = -math.inf
    where: str = ""
    printed: dict[str, str] = field(default_factory=dict)


@dataclass
class _KnownOrder:
    """An order of the jobs that was shown as a solution, with its schedule."""

    names: tuple[str, ...]
    schedule: Schedule
    where: str


class Board:
    """What was drawn and printed so far; steps are put on it in their order."""

    def __init__(self) -> None:
        self._charts: list[_SeenChart] = []
        self._orders: list[_KnownOrder] = []

    def leaks_of(self, step: SimulatedStep, number: int) -> list[str]:
        """Put a step on the board, and return where the answer to its question stood already, as sentences.

        Parameters
        ----------
        step : every chart of it can be simulated
        number : of the step, from 0
        """
        shown = step.shown.step
        begin = math.inf if shown.veiled_from is None else shown.veiled_from
        self._draw(step, begin, "this step shows")
        question = shown.question
        texts = [shown.title, shown.text, *(mark.text for mark in shown.view.marks)]
        self._print(step, [*texts, *(question.early_texts if question else ())], "this step says")
        found: list[str] = []
        if question is not None:
            try:
                found = list(self._answered(question, step))
            except Cancelled:
                raise
            except SlotscopeError:
                return []  # it has no answer, which its check says
            if isinstance(question, SecondsQuestion):
                found += _spelled(question, step, [*texts[:2], question.text])
        self._finish(step, number)
        return list(dict.fromkeys(found))

    def _finish(self, step: SimulatedStep, number: int) -> None:
        """Lift the veil of a step as its answer does, and print what is said then."""
        question, place = step.shown.step.question, f"step {number + 1}"
        for chart in self._charts:  # what was of this step is of a numbered one from now on
            chart.where = chart.where.replace("this step", place)
            chart.printed = {text: at.replace("this step", place) for text, at in chart.printed.items()}
        if question is None:
            return
        self._draw(step, question.lifts_to(step), f"once it is answered, {place} shows")
        self._print(step, question.late_texts, f"once it is answered, {place} says")
        if isinstance(question, OrderQuestion):
            names = question.best(step)[1]
            known = question.in_order(step, names)
            self._orders.append(_KnownOrder(names, known, f"{place} asks for {', '.join(names)}"))

    def _seen(self, step: SimulatedStep, place: ChartPlace) -> _SeenChart:
        state, scenario = step.shown.of(place)
        plain = replace(scenario, id=0, title="", cluster=None)
        setting = _Setting(state.workload, state.cluster_of(scenario), plain)
        for chart in self._charts:
            if chart.setting == setting:
                return chart
        self._charts.append(_SeenChart(setting, step.schedule(place)))
        return self._charts[-1]

    def _draw(self, step: SimulatedStep, until: float, where: str) -> None:
        veil = step.shown.step.veil
        for place in step.shown.charts:
            chart, seconds = self._seen(step, place), until
            if veil is not None and not veil.hides(place):
                seconds = math.inf
            if seconds > chart.until:
                far = "to its end" if seconds == math.inf else f"until {exact_clock(seconds)}"
                chart.until, chart.where = seconds, f"{where} “{step.shown.title(place)}” {far}"

    def _print(self, step: SimulatedStep, texts: list[str] | tuple[str, ...], where: str) -> None:
        for text in texts:
            try:
                figures = figures_in(text, step)
            except Cancelled:
                raise
            except SlotscopeError:
                continue  # the check of the step's texts says so
            for figure in figures:
                for place in figure.charts:
                    printed = self._seen(step, place).printed
                    printed.setdefault(figure.text, f"{where} {figure.source}, which is '{figure.text}'")

    def _answered(self, question: LessonQuestion, step: SimulatedStep) -> Iterator[str]:
        """Yield where the answer to a question is drawn or printed, if it is in every chart it takes."""
        if isinstance(question, OrderQuestion):
            yield from self._answered_order(question, step)
            return
        times = question.answer_times(step)
        if not times:
            return
        needed, places = min(times.values()), []
        for place in times:
            chart, telling = self._seen(step, place), question.telling_texts(step, place)
            copy = next((o.where for o in self._orders if _is_same(o.schedule, step.schedule(place))), "")
            said = next((at for text, at in chart.printed.items() if text in telling), "")
            if chart.until > needed or chart.until == math.inf:
                places.append(chart.where)
            elif copy or said:
                places.append(copy or said)
            else:
                return
        yield f"the answer is to be seen already: {'; '.join(dict.fromkeys(places))}"

    def _answered_order(self, question: OrderQuestion, step: SimulatedStep) -> Iterator[str]:
        """Yield where an order that is good enough was shown."""
        goal, own = question.best(step)[0], self._seen(step, question.chart).setting
        known = [
            (order.names, order.where)
            for order in self._orders
            if order.schedule.given == own.workload and order.schedule.cluster == own.cluster
        ]
        for chart in self._charts:
            is_alike = chart.setting[:2] == own[:2]
            jobs = chart.schedule.workload.jobs
            names = tuple(jobs[i].name for i in np.argsort(chart.schedule.rank, kind="stable"))
            if is_alike and chart.until >= chart.schedule.makespan:
                known.append((names, chart.where))
            elif is_alike and ", ".join(names) in chart.printed:
                known.append((names, chart.printed[", ".join(names)]))
        for names, where in known:
            if question.is_reached(question.in_order(step, names), goal):
                yield f"the answer is to be seen already: {where}"
                return


def _is_same(one: Schedule, other: Schedule) -> bool:
    """Whether two charts show the same."""
    return (
        one.given == other.given
        and one.cluster == other.cluster
        and np.array_equal(one.start, other.start)
        and np.array_equal(one.end, other.end)
        and np.array_equal(one.slot, other.slot)
    )


def _spelled(question: SecondsQuestion, step: SimulatedStep, texts: list[str]) -> Iterator[str]:
    """Yield a time that an author wrote into the step of the question, and that is the answer."""
    right = question.right_answer(step)
    for text in texts:
        spans = (exact_duration(right),) if isinstance(question, MakespanQuestion) else ()
        for wanted in (exact_clock(right), *spans):
            plain = filled(FIGURE.sub("", text), step)
            if re.search(rf"(?<![\d:.]){re.escape(wanted)}(?![\w:])", plain):
                yield f"the answer is to be seen already: this step says '{wanted}'"
                return
