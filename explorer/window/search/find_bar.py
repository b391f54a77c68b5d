"""Ctrl+F: a field that finds jobs, tasks and slots in the active chart, and steps from one to the next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame
from typing_extensions import override

from core.model.number_text import grouped
from explorer.document.schedule_jobs import document_job, has_same_tasks
from explorer.document.view_state import SelectedTask
from explorer.widgets.layouts import named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.search_field import SearchField
from explorer.window.search.found_in_schedule import ScheduleFinder

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from core.model.schedule import Schedule
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.search.found_in_schedule import FoundInSchedule

HINT = "J3, J3 task 12, task 12, slot M5, a host"
TIP = "A job's name, a task such as J3 task 12, a slot such as M5, or a host of a log"
FIELD_PX = 260


class ScheduleFindBar(QFrame):
    """Selects what fits, one after the other: Enter the next, Shift+Enter the one before, Escape ends it.

    Signals
    -------
    ended : it is not wanted any more
    """

    ended = Signal()

    def __init__(self, model: WindowModel, charts: ChartArea) -> None:
        super().__init__()
        self._model, self._charts = model, charts
        self._finder: tuple[Schedule, ScheduleFinder] | None = None
        self.found: list[FoundInSchedule] = []
        self.place = -1
        self.field = SearchField("Find jobs, tasks and slots", TIP, hint=HINT)
        self.field.setFixedWidth(FIELD_PX)
        self.count = named(PlainLabel(), "How many were found")
        self.text = ElidedLabel(is_faint=True)
        back = push_button("◂", "Go to the one before (Shift+Enter)", partial(self.step, -1))
        back.setAccessibleName("Go to the one before")
        on = push_button("▸", "Go to the next one (Enter)", partial(self.step, 1))
        on.setAccessibleName("Go to the next one")
        close = push_button("×", "Close (Escape)", self.end)
        close.setAccessibleName("Close the search")
        for button in (back, on, close):
            button.setMaximumWidth(30)
        row(self.field, back, on, self.count, (self.text, 1), close, parent=self, margins=(6, 3, 6, 3))
        self.setAutoFillBackground(True)
        self.field.textChanged.connect(self._look)
        self.hide()

    def begin(self) -> None:
        """Show the bar and let the user type, over what was looked for before."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._find()

    def end(self) -> None:
        """Put the bar away; what is selected stays."""
        self.hide()
        self.ended.emit()

    def _find(self) -> None:
        """Find anew in the chart that is active now, and show how many there are."""
        finder = self._finder_now()
        self.found = [] if finder is None else finder.found(self.field.text())
        self.place = -1
        self._show_count()

    def _look(self) -> None:
        """Go to the first that fits what was typed."""
        self._find()
        if self.found:
            self._go(0)

    def step(self, by: int) -> None:
        """Go to the next that fits, or the one before; after the last comes the first."""
        before, place = self.found, self.place
        self._find()
        if not self.found:
            return
        place = place if before == self.found else -1
        start = place if place >= 0 or by > 0 else 0
        self._go((start + by) % len(self.found))

    def _finder_now(self) -> ScheduleFinder | None:
        outcome = self._model.runner.outcome(self._model.view_state.active_scenario)
        if outcome is None:
            return None
        if self._finder is None or self._finder[0] is not outcome.schedule:
            self._finder = (outcome.schedule, ScheduleFinder(outcome.schedule))
        return self._finder[1]

    def _go(self, place: int) -> None:
        self.place = place
        self._show_count()
        assert self._finder is not None
        schedule, found = self._finder[0], self.found[place]
        state, workload = self._model.view_state, self._model.editor.document.workload
        job = document_job(schedule, found.job, workload)
        if job < 0:
            return
        state.select_job(workload.jobs[job].name)
        is_task = not found.is_job and (schedule.record is not None or has_same_tasks(schedule, workload))
        state.select_task(SelectedTask(state.active_scenario, found.task) if is_task else None)
        # the card of a job's first task would lie over the job
        self._charts.active_view.steps.go_to(found.task, has_card=not found.is_job)

    def _show_count(self) -> None:
        count, is_empty = len(self.found), not self.field.text().strip()
        shown = f"{self.place + 1} of {grouped(count)}" if self.place >= 0 else f"{grouped(count)} found"
        self.count.setText("" if is_empty else shown if count else "none found")
        self.text.setText(self.found[self.place].text if self.place >= 0 else "")

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)
