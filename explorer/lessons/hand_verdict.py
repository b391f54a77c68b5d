"""The line below a game that says what the last decision cost, or the one that is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from explorer.lessons.hand_judge import HandJudge
from explorer.widgets.layouts import NO_MARGINS, named, row
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from core.lessons.hand_costs import HandCost
    from core.lessons.hand_game import HandGame

JUDGING = "Looking how far one can still come…"
TIP = "After each decision, say by how much the best that can be reached became worse"


class HandVerdict(QWidget):
    """Judges a game as long as its tick is set, and shows the verdict.

    Attributes
    ----------
    judge : finds what decisions cost
    looked_at : the decision that is shown instead of the last one, or None
    costs : of all decisions, empty while they are not known

    Signals
    -------
    changed : other costs are known
    failed : something could not be judged; the exception
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game: HandGame | None = None
        self._aim = ""
        self.looked_at: HandCost | None = None
        self.costs: tuple[HandCost, ...] = ()
        self.judge = HandJudge(self)
        self.words = named(PlainLabel(wraps=True), "What the last decision cost")
        self.box = QCheckBox("Say what each decision &cost")
        self.box.setChecked(True)
        self.box.setToolTip(TIP)
        row((self.words, 1), self.box, parent=self, margins=NO_MARGINS)
        self.box.toggled.connect(self._on_box)
        self.judge.judged.connect(self._show)
        self.judge.failed.connect(self.failed)

    def begin(self, game: HandGame, aim: str) -> None:
        """Judge the whole of a game by an aim."""
        self._game, self._aim, self.looked_at = game, aim, None
        self._on_box()

    def follow(self) -> None:
        """Judge what was done last."""
        self.looked_at = None
        if self._game is not None and self.box.isChecked():
            self.judge.follow(self._game)
        self._show()

    def look_at(self, cost: HandCost | None) -> None:
        """Show what another decision cost, None for the last one."""
        self.looked_at = cost
        self._show()

    def _on_box(self) -> None:
        self.judge.forget()
        if self._game is not None and self.box.isChecked():
            self.judge.begin(self._game, self._aim)
        self._show()

    def _show(self) -> None:
        game = self._game
        if game is None:
            return
        self.costs = self.judge.costs(game)
        text = JUDGING if game.actions and self.judge.is_busy else ""
        if self.costs:
            text = (self.looked_at or self.costs[-1]).sentence
        self.words.setText(text)
        self.changed.emit()
