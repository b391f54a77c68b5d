"""What both pictures of a search share: a trial is pointed at, by the mouse or the keys, and taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from explorer.widgets.export import Picture

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

    from core.planning.pool_cut import Trial
    from explorer.widgets.theme import Theme


class TrialPicture(Picture):
    """Shows trials; a click or Enter takes one.

    Signals
    -------
    pointed : the Trial that is looked at, or None
    chosen : the Trial that is taken
    """

    pointed = Signal(object)
    chosen = Signal(object)

    def __init__(self, export_name: str, theme: Theme) -> None:
        super().__init__(export_name)
        self.current: Trial | None = None
        self.set_theme(theme)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # ---- what a picture says

    def trial_at(self, position: QPointF) -> Trial | None:
        """Return the trial that stands for a pixel."""
        raise NotImplementedError

    def beside(self, key: Qt.Key) -> Trial | None:
        """Return the trial that a key leads to from the one that is looked at; None for another key."""
        raise NotImplementedError

    # ---- events

    def look_at(self, trial: Trial | None) -> None:
        """Mark another trial, or none."""
        if trial != self.current:
            self.current = trial
            self.pointed.emit(trial)
            self.update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.look_at(self.trial_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        trial = self.trial_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and trial is not None:
            self.chosen.emit(trial)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            self.look_at(None)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if (trial := self.beside(key)) is not None:
            self.look_at(trial)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.chosen.emit(self.current)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # ---- painting

    @property
    @override
    def background(self) -> QColor:
        return self.colours.window

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.colours.accent, 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
