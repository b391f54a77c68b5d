"""Has the sentence above the charts computed beside the window, and goes where its links lead."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer
from typing_extensions import override

from core.explain.explanation_words import count, sentence_start
from core.explain.run_summary import LinkTo, ShownRun, run_summary
from core.model.errors import Cancelled
from core.model.task_types import OUTCOMES
from explorer.document.titles import title_in
from explorer.widgets.sentence_bar import SentenceBar
from explorer.widgets.worker import Worker
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMainWindow

    from core.explain.run_summary import Clause, Phrase
    from explorer.explain.explanation_view import Jumps
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.frame.centre import Centre


class SentenceArea(Area):
    """Follows the outcomes of all scenarios; the sentence of the latest ones wins.

    Attributes
    ----------
    bar : shows the sentence
    """

    def __init__(self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, jumps: Jumps) -> None:
        super().__init__(model, window)
        self._charts, self._jumps = charts, jumps
        self._found: dict[int, float] = {}
        self._about: tuple[object, ...] = ()
        self.bar = SentenceBar()
        self.bar.link_chosen.connect(self._follow)
        self._worker = Worker(self, threads=1, finished=self.bar.show_clauses, failed=self._on_failed)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._compute)
        self._join()

    def _join(self) -> None:
        runner, document = self._runner, self._document
        runner.preview_ready.connect(self._on_preview_ready)
        runner.preview_ended.connect(self._on_preview_ended)
        for signal in (
            runner.outcome_ready,
            runner.failed,
            runner.busy_changed,
            document.workload_changed,
            document.cluster_changed,
            document.scenarios_changed,
            document.scenario_changed,
            document.baseline_changed,
            document.reset,
            self._view_state.active_scenario_changed,
            self._view_state.veil.changed,
        ):
            signal.connect(self._look_soon)
        document.reset.connect(self._forget)

    def _forget(self) -> None:
        """Say nothing of the document before."""
        self._about = ()
        self._worker.cancel()
        self.bar.show_clauses(())

    def follow(self, details: DetailsDock, centre: Centre) -> None:
        """Be a card in open details at the right, where it costs the charts no line, else above them."""

        def place() -> None:
            is_card = not (details.isHidden() or details.is_below)
            self.bar.show_as_card(is_card=is_card)
            (details if is_card else centre).show_above(self.bar)
            self._charts.headers.show_low(is_low=is_card)

        details.toggled.connect(place)
        place()

    @override
    def set_theme(self, theme: Theme) -> None:
        self.bar.update()

    @override
    def close(self) -> None:
        self._timer.stop()

    def _look_soon(self) -> None:
        self._timer.start()

    def _on_preview_ready(self, scenario_id: int, outcome: Outcome) -> None:
        """Note how long the best plan of a search takes; a drag changes nothing before it is dropped."""
        if outcome.schedule.plan is not None and self._document.scenario(scenario_id).plan is None:
            self._found[scenario_id] = outcome.makespan
            self._look_soon()

    def _on_preview_ended(self, scenario_id: int) -> None:
        if self._found.pop(scenario_id, None) is not None:
            self._look_soon()

    # ---- computing

    def _runs(self) -> list[ShownRun]:
        """Return the scenarios that have a schedule; none while any of them is hidden, to be guessed."""
        scenarios, veil = self._document.scenarios, self._view_state.veil
        if any(veil.since(scenario.id) < math.inf for scenario in scenarios):
            return []
        outcomes = [(scenario, self._runner.outcome(scenario.id)) for scenario in scenarios]
        return [
            ShownRun(
                each.id,
                title_in(self._document.state, each),
                known.schedule,
                known.metrics,
                self._found.get(each.id),
            )
            for each, known in outcomes
            if known is not None
        ]

    def _compute(self) -> None:
        runs, baseline, active = self._runs(), self._document.baseline, self._view_state.active_scenario
        if any(self._runner.is_stale(scenario.id) for scenario in self._document.scenarios) and runs:
            self.bar.show_as_old()
            return  # what comes soon is told
        about = (
            *((run.key, run.title, id(run.schedule), run.metrics.lower_bound, run.found) for run in runs),
            baseline,
            active,
        )
        if about == self._about:
            self.bar.show_as_old(self._worker.is_busy)
            return
        self._about = about
        if not runs:
            self._worker.cancel()
            self.bar.show_clauses(())
            return
        self._worker.follow(partial(_sentence, runs, baseline, active))

    def _on_failed(self, error: Exception) -> None:
        self.bar.show_clauses(())
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    # ---- following links

    def _follow(self, phrase: Phrase) -> None:
        """Go where a link leads."""
        outcome = self._runner.outcome(phrase.key) if self._document.has_scenario(phrase.key) else None
        if phrase.link is LinkTo.JOB:
            self._jumps.to_job(phrase.name)
        elif phrase.link is LinkTo.RUN:
            self._view_state.activate_scenario(phrase.key)
            self._charts.stack.reveal(phrase.key)
        elif outcome is not None and phrase.link is LinkTo.TASK:
            self._jumps.to_task(phrase.key, outcome.schedule, phrase.task)
            self._charts.stack.reveal(phrase.key)
        elif outcome is not None and phrase.link is LinkTo.FAILED:
            self._show_failed(phrase.key, outcome)
        elif outcome is not None and phrase.link is LinkTo.BOUND:
            claim = sentence_start(outcome.metrics.premise.claim)
            self.done.emit(f"{claim}, since {outcome.bound_why}")

    def _show_failed(self, scenario_id: int, outcome: Outcome) -> None:
        """Show the stretch of time in which attempts of a record failed, and select the job with most."""
        record = outcome.schedule.record
        assert record is not None  # what the link is about
        extra = record.extra[np.array(record.looks) == OUTCOMES[1]]
        run = record.run
        (most, many), *_ = Counter(run.job[extra].tolist()).most_common(1)
        self._charts.stack.reveal(scenario_id)
        self._jumps.to_span(float(max(run.start[extra].min(), 0.0)), float(run.end[extra].max()))
        name = run.jobs[most]
        self._jumps.to_job(name)
        of = f"{many} of {count(len(extra), 'failed attempt')}" if many < len(extra) else "all"
        self.done.emit(f"{name} has {of}")


def _sentence(
    runs: list[ShownRun],
    baseline: int,
    active: int,
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> tuple[Clause, ...]:
    return run_summary(runs, baseline, active, should_stop)
