"""The scores of this machine in a table, to look at, to copy, to write into a file, and to clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from core.model.errors import InputError
from core.model.number_text import grouped
from core.model.time_text import duration_text
from explorer.lessons.scores import Score, clear_scores, export_scores, read_scores
from explorer.widgets.layouts import Dialog, closing, column, push_button
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.tables import Column, ReadTable, RowsModel

if TYPE_CHECKING:
    from collections.abc import Callable

SCORES_FILTER = "Tables (*.csv)"
NO_SCORES = "No answer was checked yet: open a lesson and answer its questions, or be the scheduler"
ABOUT = "Every answer that was checked on this machine, the last one first; they are kept nowhere else."
WORDS: tuple[Column[Score], ...] = (
    Column("When", lambda score: score.when, typical="2026-12-31 23:59:59"),
    Column("Lesson", lambda score: score.lesson, typical="Johnson, and where he fails"),
    Column("Step", lambda score: str(score.step), is_number=True, typical="10"),
    Column("Question", lambda score: score.question, "What was asked for", typical="ends-first by-hand"),
    Column("Answer", lambda score: score.answer),
    Column("Right", lambda score: "✔ yes" if score.is_right else "no", typical="✔ yes"),
    Column(
        "Tries",
        lambda score: str(score.tries),
        "How many answers were checked by then",
        is_number=True,
        typical="10",
    ),
    Column(
        "Time",
        lambda score: duration_text(score.seconds),
        "How long the step was shown by then",
        is_number=True,
        typical="59 min 59 s",
    ),
)
WIDEST = [each.title for each in WORDS].index("Answer")


class ScoresDialog(Dialog):
    """Shows the scores.

    Signals
    -------
    reported : a sentence on what was done
    failed : an exception to show
    """

    reported = Signal(str)
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("My scores", parent, (960, 520))
        self._model = RowsModel(WORDS, self)
        self.table = ReadTable(self._model, "Scores", widest=WIDEST)
        self.table.empty_text = NO_SCORES
        self.summary = PlainLabel(wraps=True)
        self.copy_button = push_button("&Copy", "Copy the table, for a spreadsheet or a mail", self.copy)
        self.export_button = push_button("&Export…", "Write the table into a file (CSV)", self.export)
        self.clear_button = push_button("C&lear…", "Forget all scores of this machine", self.ask_to_clear)
        foot = closing(self, self.copy_button, self.export_button, self.clear_button)
        column(PlainLabel(ABOUT, wraps=True, is_faint=True), self.summary, (self.table, 1), foot, parent=self)

    def show_scores(self) -> None:
        """Read the scores, and show them."""
        scores: tuple[Score, ...] = ()
        try:
            scores = read_scores()
        except InputError as error:
            self.failed.emit(error)
        self._model.show_rows(scores[::-1])
        right = sum(score.is_right for score in scores)
        self.summary.setText(
            f"{grouped(right)} of {grouped(len(scores))} answers were right." if scores else ""
        )
        self.summary.setVisible(bool(scores))
        for button in (self.copy_button, self.export_button, self.clear_button):
            button.setEnabled(bool(scores))

    def copy(self) -> None:
        """Put the table on the clipboard, separated by tabs."""
        QGuiApplication.clipboard().setText(self._model.to_text())
        self.reported.emit("The scores are on the clipboard")

    def export(self) -> None:
        """Let the user choose a name and write all scores."""
        path = ask_where_to_save(self, "Export scores", "scores.csv", SCORES_FILTER)
        if path is not None and self._is_done(lambda: export_scores(path)):
            self.reported.emit(f"All scores are in {path}")

    def ask_to_clear(self) -> None:
        """Ask whether all scores may be forgotten, and forget them if so."""
        box = QMessageBox(self)
        box.setObjectName("clear-scores")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Slotscope")
        box.setText("Forget all scores of this machine?")
        box.setInformativeText("This cannot be undone. The ticks in the list of lessons go with them.")
        clear = box.addButton("C&lear", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("&Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        clear.clicked.connect(self.clear)
        box.open()

    def clear(self) -> None:
        """Forget all scores."""
        if self._is_done(clear_scores):
            self.show_scores()
            self.reported.emit("All scores are cleared")

    def _is_done(self, what: Callable[[], None]) -> bool:
        try:
            what()
        except InputError as error:
            self.failed.emit(error)
            return False
        return True
