"""What a policy printed, what is watched, and where it stops: tables beside one another, at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.explain.explanation_words import count
from core.model.number_text import grouped
from core.model.time_text import clock_text, exact_clock
from explorer.explain.explanation_panel import scope_label
from explorer.lab.tracing import STOP, Tracing
from explorer.lab.watch_list import WatchList
from explorer.widgets.export import ChartTable, ask_and_save_table
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, push_button
from explorer.widgets.progress import SHOW_AFTER_MS, ProgressLine, show_while_busy
from explorer.widgets.search_field import SearchField
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.explain.trace import Printed, Trace
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings

SILENT = (
    "The policy printed nothing. print(…) in a hook of a policy file lands here, with time, slot and job."
)
NO_MATCH = "No line has what is typed above."


class PrintedLine(NamedTuple):
    """A row of what was printed."""

    number: int
    time: float
    slot: str
    job: str
    where: str
    text: str
    of: Printed

    @property
    def is_in_run(self) -> bool:
        """Whether it was printed for a decision, not before the first one."""
        return self.of.decision >= 0


class LinesModel(RowsModel[PrintedLine]):
    """What was printed, line by line."""

    def __init__(self, largest: Callable[[], float]) -> None:
        super().__init__(
            (
                Column(
                    "Time",
                    lambda line: clock_text(line.time, largest=largest()) if line.is_in_run else "before",
                    "When the policy was asked; before: ahead of the run",
                    is_number=True,
                    typical="0:00:00.0",
                    tip=lambda line: exact_clock(line.time) if line.is_in_run else "Ahead of the run",
                ),
                Column(
                    "Slot",
                    lambda line: line.slot,
                    "The free slot that it was asked about",
                    typical="R100",
                    gives_way=True,
                ),
                Column(
                    "Job",
                    lambda line: line.job,
                    "The job that it looked at",
                    typical="job 0000",
                    gives_way=True,
                ),
                Column(
                    "Hook",
                    lambda line: line.where,
                    "Which hook, and the line of the file",
                    typical="key, line 00",
                    gives_way=True,
                ),
                Column(
                    "Text",
                    lambda line: line.text,
                    "What it printed",
                    narrow=lambda line: f"{', '.join(filter(None, (line.job, line.where)))}: {line.text}",
                ),
            )
        )


class TracePanel(QWidget):
    """Shows a `Tracing`; its `watch_list` has where its lines and stops lead.

    Signals
    -------
    reported : what was done
    failed : something could not be done; the exception
    """

    reported = Signal(str)
    failed = Signal(object)

    def __init__(
        self, tracing: Tracing, document: Document, view_state: ViewState, settings: WindowSettings
    ) -> None:
        super().__init__()
        self._tracing, self._document = tracing, document
        self._lines: tuple[PrintedLine, ...] = ()
        self.watch_list = WatchList(tracing, document, view_state, settings)
        self.watch_list.reported.connect(self.reported)
        self._make_tables()
        self._make_fields()
        self._lay_out()
        tracing.changed.connect(self._on_changed)
        self._on_changed()

    def _make_tables(self) -> None:
        self.lines = LinesModel(self._last_time)
        self.table = ReadTable(self.lines, "Printed lines", widest=4, narrows=True)
        self.table.chosen.connect(lambda line: self.watch_list.go_to(line.of))

    def _make_fields(self) -> None:
        self.scope = scope_label()
        self.filter = SearchField("Filter what was printed", hint="Filter: a text, a job or a hook")
        self.filter.textChanged.connect(self._filter)
        self.copy_button = push_button("Copy", "Copy the lines that are shown, separated by tabs", self.copy)
        self.save_button = push_button("Save CSV…", "Save the lines that are shown", self._ask_and_save)
        self.progress = ProgressLine("How far the traced run is", self._tracing.worker, SHOW_AFTER_MS)
        self.cancel_button = push_button("Cancel", "Give the traced run up", self._tracing.cancel)
        show_while_busy(self._tracing.worker, self.cancel_button, after_ms=SHOW_AFTER_MS)

    def _lay_out(self) -> None:
        left = QWidget()
        top = WrappedRow((self.filter, 1), self.copy_button, self.save_button)
        column(top, (self.table, 1), parent=left, margins=NO_MARGINS, spacing=3)
        self.halves = Halves(left, self.watch_list, shares=(13, 12))
        top = WrappedRow((self.scope, 1), self.progress, self.cancel_button)
        column(top, (self.halves, 1), parent=self, margins=(6, 2, 6, 4), spacing=3)

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 240)

    # ---- what is shown

    def _on_changed(self) -> None:
        trace = self._tracing.trace
        self._lines = () if trace is None else tuple(self._lines_of(trace))
        self.scope.setText(self._scope(trace))
        self._filter()

    def _scope(self, trace: Trace | None) -> str:
        if trace is None:
            return self._tracing.sentence
        decisions = trace.decisions
        decided = len(decisions.time) + decisions.left_out
        parts = [
            f"Asked {count(decided, 'time')}",
            f"{count(len(trace.printed) + trace.printed_left_out, 'line')} printed",
        ]
        if trace.printed_left_out:
            parts.append(f"the last {grouped(trace.printed_left_out)} of them left out")
        if trace.stops or any(whom == STOP for whom, _ in self._tracing.items):
            parts.append(count(len(trace.stops) + trace.stops_left_out, "stop"))
        scope = "; ".join(parts)
        return f"{scope}. {self._tracing.sentence}" if self._tracing.sentence else scope

    def _lines_of(self, trace: Trace) -> list[PrintedLine]:
        jobs, cluster = self._document.workload.jobs, self._tracing.request.cluster
        slots = trace.decisions.slot
        lines = []
        for number, printed in enumerate(trace.printed):
            slot = int(slots[printed.decision]) if 0 <= printed.decision < len(slots) else -1
            lines.append(
                PrintedLine(
                    number,
                    trace.time_of(printed.decision),
                    cluster.slot_name(slot) if slot >= 0 else "",
                    jobs[printed.job].name if 0 <= printed.job < len(jobs) else "",
                    f"{printed.function}, line {printed.line}" if printed.function else "",
                    printed.text,
                    printed,
                )
            )
        return lines

    def _filter(self) -> None:
        wanted = self.filter.text().casefold()
        shown = [
            line
            for line in self._lines
            if not wanted or any(wanted in part.casefold() for part in (line.text, line.job, line.where))
        ]
        self.table.empty_text = NO_MATCH if self._lines else self._nothing()
        self.lines.show_rows(shown)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(shown))
        self.table.viewport().update()

    def _nothing(self) -> str:
        return SILENT if self._tracing.trace is not None else self._tracing.sentence

    def _last_time(self) -> float:
        trace = self._tracing.trace
        return float(trace.decisions.time[-1]) if trace is not None and len(trace.decisions.time) else 0.0

    # ---- copying and saving

    def table_of_lines(self) -> ChartTable:
        """Return the lines that are shown, times in seconds."""
        rows = (
            (line.time if line.is_in_run else None, line.slot, line.job, line.where, line.text)
            for line in self.lines.rows
        )
        return ChartTable(("time (s)", "slot", "job", "hook", "text"), tuple(rows))

    def copy(self) -> None:
        """Put the lines on the clipboard."""
        QGuiApplication.clipboard().setText(self.table_of_lines().to_text())

    def _ask_and_save(self) -> None:
        ask_and_save_table(
            self,
            self.table_of_lines,
            "trace.csv",
            saved=self.reported.emit,
            refused=self.failed.emit,
            title="Save what was printed",
        )
