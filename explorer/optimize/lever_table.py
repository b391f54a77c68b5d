"""What each lever is worth, as a table: the best with the first alone, with the first two, and so on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton, QWidget

from core.model.errors import Cancelled
from core.model.levers import LEVERS
from core.model.time_text import fine_percent
from core.optimize.premise import PLAIN
from explorer.optimize.result_words import value_text
from explorer.widgets.export import ChartTable, ask_and_save_table
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.progress import BusyBar
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.worker import Worker, gently

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.optimize.lever_worths import LeverWorth
    from explorer.widgets.worker import Work

NOT_COMPARED = "Compare says how near to the bound each lever comes, beginning with the first alone."
SAME = 1e-9
"""Shares of the bound that are nothing: sums of durations may be wrong by that."""
PROVED = " ✓"
GAP_HELP = (
    f"How far that is above what no schedule can beat {PLAIN.words}; ✓: all orders were tried, and none is "
    "better"
)
STOPPED = "Stopped before all levers were tried."
COMPARE, COMPARING = "&Compare the levers", "Searching with one lever after the other …"


def lever_name(worths: Sequence[LeverWorth], place: int) -> str:
    """Return which levers a row allows: "order alone", "and slowstart"."""
    name = LEVERS[worths[place].lever].short or worths[place].lever
    return f"{name} alone" if place == 0 else f"and {name}"


class LeverTable(QWidget):
    """The table, with a button that has it computed and one that copies it.

    Signals
    -------
    wanted : the user wants it computed; answered with `start`
    reported : a sentence on what was copied, saved or went wrong
    """

    wanted = Signal()
    reported = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.unit, self.has_bound = "s", True
        self.worths: tuple[LeverWorth, ...] = ()
        self.model = RowsModel[int](self._columns(), self)
        self.table = ReadTable(self.model, "What each lever is worth", widest=0, lines=2)
        self.table.empty_text = NOT_COMPARED
        self.search_button = push_button(
            COMPARE,
            "Search with the first lever alone, then with one more each time",
            self._on_clicked,
        )
        self.copy_button = _small_button("Copy", "Copy the table, separated by tabs (Ctrl+C)", self.copy)
        self.save_button = _small_button(
            "CSV…", "Save the table as comma-separated values", self._ask_and_save
        )
        self._worker = Worker(self, threads=1, finished=self._on_found, failed=self._on_failed)
        self.busy = BusyBar("Comparing the levers", self._worker)
        self.table.setMinimumHeight((len(LEVERS) + 1) * self.table.verticalHeader().defaultSectionSize())
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table, self.copy)
        copy.setContext(copy.context().WidgetShortcut)
        buttons = row((self.search_button, 1), self.copy_button, self.save_button)
        column(buttons, self.busy, (self.table, 1), parent=self, margins=NO_MARGINS)
        self._show(())

    def _columns(self) -> tuple[Column[int], ...]:
        return (
            Column(
                "Levers",
                lambda at: lever_name(self.worths, at),
                "What the search may change",
                typical="slowstart",
            ),
            Column("Gap", self._standing, GAP_HELP, is_number=True, typical=f"19.8 %{PROVED}"),
            Column(
                "Best",
                lambda at: value_text(self.worths[at].best, self.unit),
                "The best that was found with these levers",
                is_number=True,
                typical="12 min 05 s",
            ),
        )

    def _standing(self, place: int) -> str:
        worth = self.worths[place]
        if not self.has_bound:
            return "–"
        if worth.proved and worth.gap <= SAME:
            return "none, proved"
        return f"{fine_percent(worth.gap)}{PROVED * worth.proved}"

    # ---- computing

    @property
    def is_busy(self) -> bool:
        """Whether levers are being compared."""
        return self._worker.is_busy

    def start(self, work: Work, unit: str, *, has_bound: bool = True) -> None:
        """Compute it in a thread: `work` takes (progress, should_stop) and returns the worths.

        Without a bound, values are those of noisy copies of the durations.
        """
        self.unit, self.has_bound = unit, has_bound
        self._show(())
        self.table.empty_text = COMPARING
        self.search_button.setText("Stop co&mparing")
        self._worker.follow(partial(gently, work))

    def stop(self) -> None:
        """End it soon."""
        self._worker.stop()

    def clear(self, sentence: str = NOT_COMPARED) -> None:
        """Forget what was found: the jobs or the rules are others now."""
        self._worker.cancel()
        self._end(sentence)
        self._show(())

    def _on_clicked(self) -> None:
        if self.is_busy:
            self.stop()
        else:
            self.wanted.emit()

    def _on_found(self, worths: tuple[LeverWorth, ...]) -> None:
        self._end(NOT_COMPARED)
        self._show(worths)

    def _on_failed(self, error: Exception) -> None:
        self._end(STOPPED if isinstance(error, Cancelled) else str(error))

    def _end(self, sentence: str) -> None:
        self.search_button.setText(COMPARE)
        self.table.empty_text = sentence
        self.table.viewport().update()

    def _show(self, worths: tuple[LeverWorth, ...]) -> None:
        self.worths = tuple(worths)
        self.model.show_rows(range(len(self.worths)))
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(self.worths))

    # ---- elsewhere

    def copy(self) -> None:
        """Put the table on the clipboard."""
        if self.worths:
            QGuiApplication.clipboard().setText(self.model.to_text())
            self.reported.emit("Copied the table of levers")

    def chart_table(self) -> ChartTable:
        """Return the numbers, unrounded."""
        header = ("levers", f"best ({self.unit})", "gap (share of the bound)", "nothing better with them")
        rows = [
            (lever_name(self.worths, at), worth.best, worth.gap, _why_nothing_better(worth))
            for at, worth in enumerate(self.worths)
        ]
        return ChartTable(header, tuple(rows))

    def _ask_and_save(self) -> None:
        report = self.reported.emit
        ask_and_save_table(self, self.chart_table, "levers.csv", saved=report, refused=report)


def _why_nothing_better(worth: LeverWorth) -> str:
    return "no" if not worth.proved else "proved" if worth.gap <= SAME else "all orders tried"


def _small_button(text: str, tip: str, slot: Callable[[], None]) -> QToolButton:
    button = named(QToolButton(), tip, tip)
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.clicked.connect(slot)
    return button
