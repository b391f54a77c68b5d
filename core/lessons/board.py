"""What a class has seen of charts and read of figures by a step, and whether that answers its question."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.lessons.figures import FIGURE, figures_in
from core.lessons.questions.order import OrderQuestion
from core.lessons.questions.times import MakespanQuestion, SecondsQuestion
from core.lessons.step_view import ChartPlace
from core.model.errors import Cancelled, SlotscopeError
from core.model.time_text import exact_clock, exact_duration
from core.shared_scans.windows import SCAN_POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.lessons.questions.question import LessonQuestion
    from core.lessons.shown_step import SimulatedStep
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


@dataclass
class _ReadText:
    """A text that was read beside charts, with where it stood."""

    text: str
    step: SimulatedStep
    where: str


class Board:
    """What was drawn and printed so far; steps are put on it in their order."""

    def __init__(self) -> None:
        self._charts: list[_SeenChart] = []
        self._orders: list[_KnownOrder] = []
        self._texts: list[_ReadText] = []

    def leaks_of(self, step: SimulatedStep, number: int) -> list[str]:
        """Put a step on the board, and return where the answer to its question stood already, as sentences.

        Parameters
        ----------
        step : every chart of it can be simulated
        number : of the step, from 0
        """
        shown = step.shown.step
        question = shown.question
        texts = self._show(step)
        found: list[str] = []
        if question is not None:
            try:
                found = list(self._answered(question, step))
            except Cancelled:
                raise
            except SlotscopeError:
                return []  # it has no answer, which its check says
            if isinstance(question, SecondsQuestion):
                found += _spelled(question, step, self._texts_about(question, step, texts[:2]))
        self._texts += (_ReadText(text, step, f"step {number + 1}") for text in texts)
        self._finish(step, number)
        return list(dict.fromkeys(found))

    def _show(self, step: SimulatedStep) -> list[str]:
        """Draw and print what a step shows before it is answered; return its texts, the question's last."""
        shown = step.shown.step
        question, begin = shown.question, math.inf if shown.veiled_from is None else shown.veiled_from
        self._draw(step, begin, "this step shows")
        texts = [shown.title, shown.window_text, *(mark.text for mark in shown.view.marks)]
        texts += question.early_texts if question else ()
        self._print(step, texts, "this step says")
        return texts

    def gives_away(self, asked: SimulatedStep) -> bool:
        """Whether what was shown answers the question of a step, which need not be on the board."""
        question = asked.shown.step.question
        try:
            return question is not None and any(self._answered(question, asked))
        except Cancelled:
            raise
        except SlotscopeError:
            return False

    def _finish(self, step: SimulatedStep, number: int) -> None:
        """Lift the veil of a step as its answer does, and add the texts that show then."""
        question, place = step.shown.step.question, f"step {number + 1}"
        for chart in self._charts:  # what was of this step is of a numbered one from now on
            chart.where = chart.where.replace("this step", place)
            chart.printed = {text: at.replace("this step", place) for text, at in chart.printed.items()}
        if question is None:
            return
        self._draw(step, question.lifts_to(step), f"once it is answered, {place} shows")
        self._print(step, question.late_texts, f"once it is answered, {place} says")
        self._texts += (_ReadText(text, step, place) for text in question.late_texts)
        if isinstance(question, OrderQuestion):
            names = question.best(step)[1]
            known = question.in_order(step, names)
            self._orders.append(_KnownOrder(names, known, f"{place} asks for {', '.join(names)}"))

    def _seen(self, step: SimulatedStep, place: ChartPlace) -> _SeenChart:
        setting = _setting(step, place)
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
        circled, scans = _circled(step), step.shown.view.scans
        if circled is not None and scans is not None and scans > (chart := self._seen(step, circled)).until:
            far = f"as circles at {exact_clock(scans)}"
            chart.until, chart.where = scans, f"{where} “{step.shown.title(circled)}” {far}"

    def _texts_about(
        self, question: LessonQuestion, step: SimulatedStep, own: list[str]
    ) -> Iterator[_ReadText]:
        """Yield the texts that were read beside the chart that is asked about, those of the step first."""
        yield from (_ReadText(text, step, "this step") for text in (*own, question.text))
        asked = _setting(step, question.chart)
        for each in self._texts:
            if any(_setting(each.step, place) == asked for place in each.step.shown.charts):
                yield each

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


def gives_away(step: SimulatedStep, asked: SimulatedStep) -> bool:
    """Return whether what a step shows, before it is answered, answers the question of another step."""
    board = Board()
    board._show(step)
    return board.gives_away(asked)


def _is_same(one: Schedule, other: Schedule) -> bool:
    """Whether two charts show the same."""
    return (
        one.given == other.given
        and one.cluster == other.cluster
        and np.array_equal(one.start, other.start)
        and np.array_equal(one.end, other.end)
        and np.array_equal(one.slot, other.slot)
    )


def _setting(step: SimulatedStep, place: ChartPlace) -> _Setting:
    state, scenario = step.shown.of(place)
    plain = replace(scenario, id=0, title="", cluster=None)
    return _Setting(state.workload, state.cluster_of(scenario), plain)


def _circled(step: SimulatedStep) -> ChartPlace | None:
    """Return the chart whose scans circles show: that of the last scenario that shares them."""
    policies = [each.choice.id for each in step.shown.state.scenarios]
    sharing = [number for number, policy in enumerate(policies) if policy in SCAN_POLICIES]
    return ChartPlace(sharing[-1]) if sharing and step.shown.view.scans is not None else None


def _spelled(question: SecondsQuestion, step: SimulatedStep, texts: Iterable[_ReadText]) -> Iterator[str]:
    """Yield a time that an author wrote beside the chart in question, and that is the answer."""
    right = question.right_answer(step)
    spans = (exact_duration(right),) if isinstance(question, MakespanQuestion) else ()
    for each, wanted in product(texts, (exact_clock(right), *spans)):
        plain = FIGURE.sub("", each.text)
        if re.search(rf"(?<![\d:.]){re.escape(wanted)}(?![\w:]|\.\d)", plain):
            yield f"the answer is to be seen already: {each.where} says '{wanted}'"
            return
