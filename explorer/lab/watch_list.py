"""Expressions that are watched over a run and conditions to stop at, with their values at the cursor."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget
from typing_extensions import override

from core.model.number_text import grouped
from explorer.lab.tracing import ALL, STOP, WINNER, Tracing
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.theme import theme_of
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from core.explain.trace import Printed, Stop, Trace
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings

WATCH_KINDS = ((WINNER, "Watch"), (ALL, "Watch every job"), (STOP, "Stop when"))
EXAMPLES = {
    WINNER: "job.running[MAP], or J3: key(job, kind)",
    ALL: "key(job, kind)",
    STOP: "key of J3 < J4, or job.running[MAP] > 5",
}
NO_WATCH = (
    "Type an expression above, or a local name of a hook: its values are shown here, and as curves below "
    "the charts."
)
MAX_NAMED = 8


class WordCompleter(QCompleter):
    """Completes the last name of an expression; what stands before it stays."""

    _before = ""

    @override
    def splitPath(self, path: str) -> list[str]:
        word = re.search(r"[\w.\[\]]*$", path)
        assert word is not None  # an empty one is found, too
        self._before = path[: word.start()]
        return [word[0]]

    @override
    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        return self._before + super().pathFromIndex(index)


class WatchRow(NamedTuple):
    """A row of the watches: the expression, and its value at the cursor; `place` is -1 for a local name.

    `why` says why it has no value at some decisions.
    """

    place: int
    what: str
    text: str
    value: str
    is_wrong: bool
    why: str = ""

    @property
    def tip(self) -> str:
        """The value in full, and where there is none."""
        return "\n".join(filter(None, (f"At the cursor: {self.value or '–'}", self.why)))


class WatchList(QWidget):
    """The list, the field in which expressions are typed, and the ways from stop to stop.

    Signals
    -------
    place_chosen : seconds, and how many of that time's starts are over
    job_chosen : the name of a job
    reported : what was done
    """

    place_chosen = Signal(float, int)
    job_chosen = Signal(str)
    reported = Signal(str)

    def __init__(
        self, tracing: Tracing, document: Document, view_state: ViewState, settings: WindowSettings
    ) -> None:
        super().__init__()
        self._tracing, self._document, self._view_state = tracing, document, view_state
        self._settings = settings
        self._edited = -1
        self._make_table()
        self._make_fields()
        view_state.time_cursor.moved.connect(self.show_values)
        view_state.selected_job_changed.connect(self.show_values)
        tracing.changed.connect(self._on_changed)
        tracing.watch(settings.watches)
        self._on_changed()

    def _make_table(self) -> None:
        self.model: RowsModel[WatchRow] = RowsModel(
            (
                Column(
                    "", lambda each: each.what, "What is asked", typical="Watch every job", gives_way=True
                ),
                Column("Expression", lambda each: each.text, "As typed", typical="job.running[MAP]"),
                Column(
                    "At the cursor",
                    lambda each: each.value,
                    tip=lambda each: each.tip,
                    style=self._value_style,
                ),
            )
        )
        self.table = ReadTable(self.model, "Watches and stops", widest=2, narrows=True)
        self.table.empty_text = NO_WATCH
        self.table.doubleClicked.connect(self._on_edit)
        QShortcut(
            QKeySequence(QKeySequence.StandardKey.Delete),
            self.table,
            self.delete,
            context=Qt.ShortcutContext.WidgetShortcut,
        )

    def _make_fields(self) -> None:
        self.kind = named(QComboBox(), "Watch or stop")
        for whom, title in WATCH_KINDS:
            self.kind.addItem(title, whom)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.field = named(QLineEdit(), "Expression")
        self._names = QStringListModel(self)
        completer = WordCompleter(self._names, self.field)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.field.returnPressed.connect(self.add)
        self.add_button = push_button("Add", "Add the expression; Enter does the same", self.add)
        self.delete_button = push_button("Delete", "Delete the chosen watch or stop", self.delete)
        self.previous_button = push_button(
            "◂ Stop", "Go to the stop before the cursor", partial(self.go_to_stop, -1)
        )
        self.next_button = push_button(
            "Stop ▸", "Go to the next stop after the cursor", partial(self.go_to_stop, 1)
        )
        stops = WrappedRow(self.previous_button, self.next_button, self.delete_button)
        fields = WrappedRow(self.kind, (self.field, 1), self.add_button)
        column(fields, (self.table, 1), stops, parent=self, margins=NO_MARGINS, spacing=3)
        self.table.selectionModel().currentChanged.connect(self._allow_delete)
        self._allow_delete()
        self._on_kind_changed()

    def _on_changed(self) -> None:
        self._complete()
        self.show_values()

    # ---- what is asked

    @property
    def items(self) -> tuple[tuple[str, str], ...]:
        """What is watched, and where it stops: pairs of the jobs meant, and the text."""
        return self._tracing.items

    def add(self) -> None:
        """Watch what is typed, or stop there; or change what was chosen for that."""
        text = " ".join(self.field.text().split())
        if not text or self._takes_offered():
            return
        item = (str(self.kind.currentData()), text)
        items = list(self.items)
        if 0 <= self._edited < len(items):
            items[self._edited] = item
        elif item not in items:
            items.append(item)
        self._edited = -1
        self.field.clear()
        self.add_button.setText("Add")
        self._take(items)

    def _takes_offered(self) -> bool:
        """Whether Enter takes a name that is offered and marked."""
        offered = self.field.completer().popup()
        return offered is not None and offered.isVisible() and offered.currentIndex().isValid()

    def delete(self) -> None:
        """Delete the chosen watch or stop."""
        chosen = self._chosen()
        if chosen >= 0:
            self._edited = -1
            self.add_button.setText("Add")
            self._take([item for place, item in enumerate(self.items) if place != chosen])

    def _take(self, items: list[tuple[str, str]]) -> None:
        self._settings.watches = tuple(items)
        self._tracing.watch(items)
        self.show_values()

    def _chosen(self) -> int:
        index = self.table.currentIndex()
        return self.model.rows[index.row()].place if index.isValid() else -1

    def _on_edit(self, _index: QModelIndex) -> None:
        """Put the chosen one into the field, to be changed there."""
        self._edited = self._chosen()
        if self._edited >= 0:
            whom, text = self.items[self._edited]
            self.kind.setCurrentIndex([each for each, _ in WATCH_KINDS].index(whom))
            self.field.setText(text)
            self.field.setFocus()
            self.add_button.setText("Change")

    def _on_kind_changed(self) -> None:
        self.field.setPlaceholderText(EXAMPLES[str(self.kind.currentData())])

    def _complete(self) -> None:
        """Offer the names that mean something now."""
        self._names.setStringList(self._tracing.words())

    # ---- watches at the cursor

    def show_values(self) -> None:
        """Show what is watched as it is at the cursor, and the names where `breakpoint()` stands."""
        trace, rows = self._tracing.trace, []
        decision = self.decision_at_cursor()
        watched = () if trace is None else trace.watched
        titles = dict(WATCH_KINDS)
        counts = {WINNER: 0, STOP: 0}
        for place, (whom, text) in enumerate(self.items):
            kind = STOP if whom == STOP else WINNER
            of_kind = counts[kind]
            counts[kind] += 1
            value, is_wrong = self._stop_value(of_kind) if whom == STOP else self._value(of_kind, decision)
            why = watched[of_kind].why_no_value if kind == WINNER and of_kind < len(watched) else ""
            rows.append(WatchRow(place, titles[whom], text, value, is_wrong, why))
        stop = self._breakpoint_at(trace, decision)
        if stop is not None:
            rows.append(WatchRow(-1, "Paused", f"{stop.function}, line {stop.line}", "breakpoint()", False))
            rows += [WatchRow(-1, "", name, value, False) for name, value in stop.values]
        chosen = self.table.currentIndex().row()
        self.model.show_rows(rows)
        if 0 <= chosen < len(rows):
            self.table.selectRow(chosen)
        has_stops = trace is not None and bool(trace.stops)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(has_stops)
        self._allow_delete()

    def _allow_delete(self, *_current: object) -> None:
        self.delete_button.setEnabled(self._chosen() >= 0)

    def _breakpoint_at(self, trace: Trace | None, decision: int) -> Stop | None:
        """Return the first `breakpoint()` of a decision, if the cursor stands exactly there."""
        if trace is None or self._view_state.time_cursor.seconds != trace.time_of(decision):
            return None
        of_decision = (each for each in trace.stops if each.decision == decision and each.condition < 0)
        return next(of_decision, None)

    def decision_at_cursor(self) -> int:
        """Return the number of the decision that the cursor stands before, the last one without a cursor."""
        trace, cursor = self._tracing.trace, self._view_state.time_cursor
        if trace is None:
            return -1
        if cursor.seconds is None:
            return len(trace.decisions.time) - 1
        return trace.decision_at(cursor.seconds, cursor.decision)

    def _value(self, place: int, decision: int) -> tuple[str, bool]:
        trace = self._tracing.trace
        if trace is None or place >= len(trace.watched):
            return "", False
        watched = trace.watched[place]
        slot_kind = int(trace.decisions.slot_kind[decision]) if decision >= 0 else 0
        known = watched.known_at(decision, slot_kind)
        if watched.is_of_winner and decision >= 0:
            job = int(trace.decisions.job[decision])
            known = {job: known[job]} if job in known else {}
        if not known:
            return (watched.problem, True) if watched.problem else ("no job gets the slot", False)
        if not watched.is_of_winner and not watched.watch.of_all:
            (at,) = known.values()
            return watched.shown(at), watched.text.get(at, "") == watched.problem != ""
        if watched.watch.of_all:
            known = self._still_there(known, trace.time_of(decision))
        names = [job.name for job in self._document.workload.jobs]
        if max(known, default=-1) >= len(names):
            return "", False  # jobs were deleted, and the run is traced anew
        first = self._view_state.selected_job
        order = sorted(known.items(), key=lambda pair: (names[pair[0]] != first, pair[0]))
        values = [_with_name(names[job], watched.shown(at)) for job, at in order[:MAX_NAMED]]
        more = f" and {len(order) - MAX_NAMED} more" if len(order) > MAX_NAMED else ""
        return ", ".join(values) + more, bool(watched.problem)

    def _still_there(self, known: dict[int, int], time: float) -> dict[int, int]:
        """Leave out the jobs that have ended."""
        schedule = self._tracing.schedule
        if schedule is None or len(schedule.finish) <= max(known, default=-1):
            return known
        return {job: at for job, at in known.items() if job < 0 or schedule.finish[job] > time}

    def _stop_value(self, place: int) -> tuple[str, bool]:
        trace = self._tracing.trace
        if trace is None or place >= len(trace.stop_problems):
            return "", False
        found = sum(stop.condition == place for stop in trace.stops)
        problem = trace.stop_problems[place]
        if found:
            return f"begins to hold {grouped(found)} times" if found > 1 else "begins to hold once", False
        return (problem, True) if problem else ("never holds in this run", False)

    def _value_style(self, each: WatchRow, role: int) -> QColor | None:
        return theme_of(self).worse if role == Qt.ItemDataRole.ForegroundRole and each.is_wrong else None

    # ---- going there

    def go_to_stop(self, step: int) -> None:
        """Move the cursor to the next stop, or with -1 to the one before."""
        trace = self._tracing.trace
        if trace is None or not trace.stops:
            return
        cursor = self._view_state.time_cursor
        here = self.decision_at_cursor() if cursor.seconds is not None else -1 if step > 0 else 1 << 60
        stops = [stop for stop in trace.stops if (stop.decision > here if step > 0 else stop.decision < here)]
        if not stops:
            self.reported.emit("There is no later stop." if step > 0 else "There is no earlier stop.")
            return
        self.go_to(stops[0] if step > 0 else stops[-1])

    def go_to(self, where: Stop | Printed) -> None:
        """Select the job of a stop or of a line, and move the cursor to its decision."""
        trace, jobs = self._tracing.trace, self._document.workload.jobs
        assert trace is not None
        if 0 <= where.job < len(jobs):
            self.job_chosen.emit(jobs[where.job].name)
        self.place_chosen.emit(*trace.place_of(where.decision))


def _with_name(job: str, value: str) -> str:
    return value if job in value else f"{job} {value}"
