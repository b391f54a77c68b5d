"""The scoreboard: a policy against all others, as a table that sorts, and two schedules side by side."""

from __future__ import annotations

import math
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget
from typing_extensions import override

from core.model.errors import Cancelled
from core.model.time_text import fine_percent
from explorer.widgets.export import ChartTable, ask_and_save_table
from explorer.widgets.layouts import column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.progress import ProgressLine
from explorer.widgets.sorted_rows import SortedModel
from explorer.widgets.tables import Column, ReadTable, bold_font
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from core.model.schedule import PolicyChoice
    from core.policy_checks.scoreboard import Scoreboard, ScoreRow

RUN, STOP = "Co&mpare", "S&top"
RUN_TIP = "Simulate this policy and all of Slotscope's on every workload: ten seconds or so for the samples"
SAMPLES = "the samples"
EMPTY = "Compare says where the policy stands among all others, on the samples or the workloads of a study."
HEADER = ("policy", "place", "makespan (times the best)", "response (times the best)", "gap", "best", "worst")


class ScorePage(QWidget):
    """Shows a scoreboard.

    Signals
    -------
    pair_wanted : the policy is to be seen beside another one; the scoreboard and the other one's id
    reported : a sentence on what was saved or went wrong
    """

    pair_wanted = Signal(object, str)
    reported = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.board: Scoreboard | None = None
        self._subject: tuple[PolicyChoice, str] | None = None
        self._title = ""
        self._worker = Worker(self, threads=1, finished=self._on_finished, failed=self._on_failed)
        self.note = ElidedLabel()
        self.source = named(QComboBox(), "Workloads", "On which workloads the policies are compared")
        self.source.addItem(SAMPLES)
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.setMinimumContentsLength(14)
        self.run_button = push_button(RUN, RUN_TIP, self._on_run)
        self.progress = ProgressLine("How far the comparison is", self._worker)
        self.model = SortedModel[Any](self._columns(), self)  # ScoreRow: the start does not import it
        self.table = ReadTable(self.model, "Scoreboard of policies", widest=0)
        self.table.empty_text = EMPTY
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        self.table.selectionModel().currentRowChanged.connect(self._enable)
        for signal in (self.table.activated, self.table.doubleClicked):
            signal.connect(self._on_pair)
        tip = "Open the workload on which the two differ most, with both policies as scenarios"
        self.pair_button = push_button("Open these two side &by side", tip, self._on_pair)
        self.save_button = push_button("Save CSV…", "Save the table", self._ask_and_save)
        self._lay_out()
        self._enable()

    def _lay_out(self) -> None:
        top = row(
            (self.note, 1),
            self.progress,
            PlainLabel("On"),
            self.source,
            self.run_button,
        )
        foot = row(None, self.save_button, self.pair_button)
        column(top, (self.table, 1), foot, parent=self, margins=(4, 4, 4, 2), spacing=3)

    def _columns(self) -> tuple[Column[ScoreRow], ...]:
        style = self._style
        number = partial(Column[Any], is_number=True, style=style)

        def times_best(key: str, what: str) -> Column[Any]:
            tip = f"How many times the best {what} of all it takes, on average"
            text = "× {:.2f}"
            return number(
                key.capitalize(),
                lambda row: _text(getattr(row, key), text),
                tip,
                typical="× 00.00",
                key=key,
                value=attrgetter(key),
            )

        def where_it_is(key: str) -> Column[Any]:
            title, tip = f"{key.capitalize()} on", f"Where its place is {key}"
            return Column(
                title,
                attrgetter(key),
                tip,
                typical="overlapping-scans",
                key=key,
                style=style,
                value=attrgetter(key),
            )

        return (
            Column(
                "Policy",
                lambda row: row.title,
                "The one that is looked at is bold",
                key="title",
                style=style,
                value=attrgetter("title"),
            ),
            number(
                "Place",
                lambda row: _text(row.rank, "{:.1f}"),
                "Its mean place by makespan, from 1; equal makespans share the mean of their places",
                typical="00.0",
                key="rank",
                value=attrgetter("rank"),
            ),
            times_best("makespan", "makespan"),
            times_best("response", "mean response"),
            number(
                "Gap",
                lambda row: "–" if math.isnan(row.gap) else fine_percent(row.gap),
                "How far its makespan is above the bound of those that lend or share as it does",
                typical="000.0 %",
                key="gap",
                value=attrgetter("gap"),
            ),
            where_it_is("best"),
            where_it_is("worst"),
        )

    def _style(self, row: ScoreRow, role: int) -> Any:
        is_own = self.board is not None and row.policy == self.board.choice.id
        return bold_font() if role == Qt.ItemDataRole.FontRole and is_own else None

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.source.count() == 1:
            from core.study.study_document import preset_paths

            self.source.addItems(list(preset_paths()))

    def show_subject(self, choice: PolicyChoice | None, version: str, title: str) -> None:
        """Set which policy is compared, None for none; a table of another one stays and is marked."""
        self._subject = None if choice is None else (choice, version)
        self._title = title
        self.run_button.setEnabled(choice is not None or self.is_busy)
        self._show_note()

    def _show_note(self) -> None:
        if self.is_busy or self._subject is None:
            return
        if self.board is None:
            self.note.setText(f"{self._title} against all others")
        elif self.board.choice != self._subject[0]:
            self.note.setText(f"Press Compare for {self._title}; the table is of the policy in bold")
        else:
            count = len(self.board.workloads)
            self.note.setText(f"{self._title} on {count} workload{'' if count == 1 else 's'}")

    # ---- running it

    @property
    def is_busy(self) -> bool:
        """Whether policies are being compared."""
        return self._worker.is_busy

    def _on_run(self) -> None:
        if self.is_busy:
            self._worker.stop()
            return
        if self._subject is None:
            return
        self.note.setText(f"Comparing {self._title} with all others …")
        self.run_button.setText(STOP)
        self._worker.follow(partial(_compared, self._subject[0], self.source.currentText()))

    def stop(self) -> None:
        """Compare no more."""
        self._worker.stop()

    def _on_finished(self, board: Scoreboard) -> None:
        self.board = board
        self._end()
        self.model.show_rows(self.model.in_order(board.rows))
        self._show_note()
        self._enable()

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self.note.setText("Stopped." if isinstance(error, Cancelled) else str(error))

    def _end(self) -> None:
        self.run_button.setText(RUN)
        self.run_button.setEnabled(self._subject is not None)

    # ---- what it leads to

    def _chosen(self) -> str | None:
        """Return the policy of the selected row, None for the one that is looked at."""
        place = self.table.currentIndex().row()
        if self.board is None or not 0 <= place < len(self.model.rows):
            return None
        policy = self.model.rows[place].policy
        return None if policy == self.board.choice.id else policy

    def _enable(self) -> None:
        self.save_button.setEnabled(self.board is not None)
        self.pair_button.setEnabled(self._chosen() is not None)

    def _on_pair(self) -> None:
        other = self._chosen()
        if other is not None:
            self.pair_wanted.emit(self.board, other)

    def _ask_and_save(self) -> None:
        report = self.reported.emit
        ask_and_save_table(self, self._numbers, "scoreboard.csv", saved=report, refused=report)

    def _numbers(self) -> ChartTable:
        rows = (
            (row.policy, row.rank, row.makespan, row.response, row.gap, row.best, row.worst)
            for row in self.model.rows
        )
        return ChartTable(HEADER, tuple(rows))


def _text(value: float, form: str) -> str:
    return "–" if math.isnan(value) else form.format(value)


def _compared(
    choice: PolicyChoice, source: str, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> Scoreboard:
    from core.policy_checks.scoreboard import sample_workloads, scoreboard, study_workloads
    from core.study.study_document import find_study

    give_way()
    workloads = sample_workloads() if source == SAMPLES else study_workloads(find_study(source))
    return scoreboard(choice, workloads, progress, should_stop)
