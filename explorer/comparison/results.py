"""What is compared: the newest result of each scenario, in display order, and which one is the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.measures.compare import (
    NO_OVERHEADS,
    NO_OVERHEADS_WHY,
    lacks_overheads,
    relative_change,
    shared_bound,
)
from core.model.schedule import planned_on
from explorer.comparison.drawn_spreads import DrawnSpreads
from explorer.document.titles import title_in
from explorer.document.view_state import EstimateMarks

if TYPE_CHECKING:
    from core.measures.compare import SharedBound
    from core.measures.metrics import Metrics
    from core.model.document_state import Scenario
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.planning.estimated_makespan import Estimates
    from core.study.spread import DrawnSpread
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState


@dataclass(frozen=True, eq=False)
class Result:
    """One simulated scenario as the comparison shows it.

    Attributes
    ----------
    scenario_id, title : which scenario; the title says if it lacks overheads
    schedule, metrics : what came out
    estimates : makespans of the Min and Max strategies without simulation; None unless asked for and known
    change : of the makespan against the baseline (-0.2: a fifth shorter), None without a baseline
    is_baseline, is_active : its part in the document and in the window
    lacks_overheads : whether it stands beside what really ran and has none
    shared : the lower bound that holds for all results beside it
    spread : of the makespan over draws of the jobs, None where there are none
    """

    scenario_id: int
    title: str
    schedule: Schedule
    metrics: Metrics
    estimates: Estimates | None
    change: float | None
    is_baseline: bool
    is_active: bool
    lacks_overheads: bool = False
    shared: SharedBound = field(kw_only=True)
    spread: DrawnSpread | None = None

    @property
    def gap(self) -> float:
        """By which part of the bound that all share the makespan is longer."""
        return self.shared.gap(self.metrics)

    def details(self) -> str:
        """Return the title, what policies planned on instead of the true durations, and what is lacking."""
        lacking = (f"{NO_OVERHEADS_WHY[0].upper()}{NO_OVERHEADS_WHY[1:]}",) if self.lacks_overheads else ()
        return "\n".join((self.title, *planned_on(self.schedule), *lacking))


class Results(QObject):
    """Collects results, whatever shows them.

    Signals
    -------
    changed : anything differs; read `rows` again
    """

    changed = Signal()

    def __init__(self, document: Document, view_state: ViewState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._view_state = view_state
        self._outcomes: dict[int, tuple[Schedule, Metrics, Estimates | None]] = {}
        self._rows: list[Result] | None = None  # until something changes
        self.spreads = DrawnSpreads(document, self)
        self.spreads.changed.connect(self._on_changed)
        for signal in (
            document.scenario_changed,
            document.scenarios_changed,
            document.baseline_changed,
            document.cluster_changed,
        ):
            signal.connect(self._on_changed)
        document.reset.connect(self._on_reset)
        view_state.active_scenario_changed.connect(self._on_changed)
        view_state.estimate_marks_changed.connect(self._on_changed)

    def put(
        self, scenario_id: int, schedule: Schedule, metrics: Metrics, estimates: Estimates | None = None
    ) -> None:
        """Take the newest result of a scenario, and let go of those of scenarios that are gone."""
        there = self._document.has_scenario
        self._outcomes = {i: outcome for i, outcome in self._outcomes.items() if there(i)}
        self._outcomes[scenario_id] = (schedule, metrics, estimates)
        self._on_changed()

    def forget(self, scenario_id: int) -> None:
        """Drop the result of a scenario: its simulation failed."""
        if self._outcomes.pop(scenario_id, None) is not None:
            self._on_changed()

    @property
    def workload(self) -> Workload:
        """The jobs of the document."""
        return self._document.workload

    @property
    def rows(self) -> list[Result]:
        """The results there are, in display order."""
        if self._rows is None:
            baseline, active = self._document.baseline, self._view_state.active_scenario
            there = (s for s in self._document.scenarios if s.id in self._outcomes)
            beside = list(there)
            shared = shared_bound(self._outcomes[each.id][1] for each in beside) if beside else None
            self._rows = [self._row(each, baseline, active, shared) for each in beside if shared is not None]
        return self._rows

    @property
    def baseline(self) -> Result | None:
        """The result that others are compared to, if it is there."""
        return next((row for row in self.rows if row.is_baseline), None)

    @property
    def active(self) -> Result | None:
        """The active scenario's result, if it is there."""
        return next((row for row in self.rows if row.is_active), None)

    def _row(self, scenario: Scenario, baseline: int, active: int, shared: SharedBound) -> Result:
        schedule, metrics, estimates = self._outcomes[scenario.id]
        against = self._outcomes.get(baseline)
        guess = schedule.choice.estimates
        change = None if against is None else relative_change(metrics.makespan, against[1].makespan)
        lacks = lacks_overheads(
            scenario.choice.id, schedule.cluster, (each.choice.id for each in self._document.scenarios)
        )
        title = (
            f"{scenario.title} on {guess}"
            if scenario.title and guess
            else title_in(self._document.state, scenario)
        )
        return Result(
            scenario_id=scenario.id,
            title=f"{title}, {NO_OVERHEADS}" if lacks else title,
            schedule=schedule,
            metrics=metrics,
            estimates=estimates if self._view_state.estimate_marks is EstimateMarks.SHOWN else None,
            change=change,
            is_baseline=scenario.id == baseline,
            is_active=scenario.id == active,
            lacks_overheads=lacks,
            shared=shared,
            spread=self.spreads.found.get(scenario.id),
        )

    def _on_changed(self) -> None:
        self._rows = None
        self.changed.emit()

    def _on_reset(self) -> None:
        self._outcomes.clear()
        self._on_changed()
