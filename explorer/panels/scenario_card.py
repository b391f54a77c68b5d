"""One scenario on the bar: what it is called, how long it takes and how far its simulation is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from explorer.widgets.layouts import column, named, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

NARROWEST_PX, WIDEST_PX = 176, 300
CORNER_PX = 6.0
PROGRESS_PX = 3.0
UNKNOWN = "–"
GIVEN_BACK = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""The focus returns from a dialog or a menu: nobody chose a card."""


@dataclass(frozen=True, slots=True)
class ScenarioFacts:
    """What a card shows.

    Attributes
    ----------
    title, policy : what the scenario and its policy are called
    makespan : as text, `UNKNOWN` at first
    change : against the baseline as text, empty for the baseline itself
    verdict : -1 shorter than the baseline, 1 longer, 0 neither
    is_baseline, is_active : its part in the document and in the window
    progress : of the running simulation, 0 to 1, None if none runs
    error : why there is no result, empty if there is one
    is_waiting : whether that is only since the policy's file has not been run
    slow_because : why a user's policy runs interpreted, empty if it is compiled
    """

    title: str
    policy: str
    makespan: str = UNKNOWN
    change: str = ""
    verdict: int = 0
    is_baseline: bool = False
    is_active: bool = False
    progress: float | None = None
    error: str = ""
    is_waiting: bool = False
    slow_because: str = ""

    @property
    def result(self) -> str:
        """The makespan, or in a word why there is none."""
        if not self.error:
            return self.makespan
        return "not run" if self.is_waiting else "failed"

    def sentence(self) -> str:
        """Say everything for a tooltip or a screen reader."""
        parts = [self.title]
        if self.policy != self.title:
            parts.append(f"policy {self.policy}")
        if self.error:
            parts.append(f"{self.result}: {self.error}")
        else:
            parts.append(f"makespan {self.makespan}")
        if self.is_baseline:
            parts.append("the baseline")
        elif self.change:
            parts.append(f"{self.change} against the baseline")
        if self.slow_because:
            parts.append(f"interpreted, so slower with the same result: {self.slow_because}")
        if self.progress is not None:
            parts.append(f"simulating, {self.progress:.0%} done")
        return ", ".join(parts)


class ScenarioCard(QWidget):
    """Shows `ScenarioFacts`; what the user does is announced with the scenario's id.

    Signals
    -------
    activated : it was clicked or got the focus
    policy_wanted, menu_wanted : its buttons (the menu also by right click or the menu key)
    renamed : the user typed another title
    left : an arrow key asks for the card so many places further
    """

    activated = Signal(int)
    policy_wanted = Signal(int)
    menu_wanted = Signal(int)
    renamed = Signal(int, str)
    left = Signal(int, int)

    def __init__(self, scenario_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scenario_id = scenario_id
        self._facts = ScenarioFacts("", "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST_PX)
        self._make_parts()
        self._lay_out()

    def _make_parts(self) -> None:
        self.title = ElidedLabel()
        self.title.setFont(bold_font(self.font()))
        self.title_field = named(QLineEdit(), "Title of the scenario")
        self.title_field.setPlaceholderText("as the policy is called")
        self.title_field.hide()
        self.title_field.installEventFilter(self)
        self.title_field.editingFinished.connect(self._on_title_typed)
        self.makespan = PlainLabel()
        self.change = PlainLabel()
        self.slow = PlainLabel("interpreted")
        self.slow.hide()
        self.policy_button = named(QToolButton(), "Policy and parameters")
        self.policy_button.setText("Policy ▾")
        self.policy_button.setAutoRaise(True)
        self.policy_button.clicked.connect(self._on_policy_clicked)
        tip = "Rename, duplicate, move, remove …"
        self.menu_button = named(QToolButton(), "More for this scenario", tip)
        self.menu_button.setText("⋯")
        self.menu_button.setAutoRaise(True)
        self.menu_button.clicked.connect(self._on_menu_clicked)

    def _lay_out(self) -> None:
        top = row((self.title, 1), (self.title_field, 1), self.menu_button)
        bottom = row(self.makespan, self.change, self.slow, None, self.policy_button, spacing=8)
        column(top, bottom, parent=self, margins=(10, 5, 5, 7), spacing=0)

    @override
    def sizeHint(self) -> QSize:
        return QSize(max(220, super().sizeHint().width()), super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(max(NARROWEST_PX, least.width()), least.height())

    # Showing

    @property
    def facts(self) -> ScenarioFacts:
        """What is shown."""
        return self._facts

    def show_facts(self, facts: ScenarioFacts) -> None:
        """Show other facts."""
        if facts == self._facts:
            return
        self._facts = facts
        self.title.setText(facts.title)
        self.makespan.setText(facts.result)
        self.change.setText("baseline" if facts.is_baseline else facts.change)
        self.slow.setVisible(bool(facts.slow_because))
        self.slow.setToolTip(tooltip(f"Slower, with the same result: {facts.slow_because}"))
        self.policy_button.setToolTip(tooltip(f"Policy: {facts.policy}. Choose another, set its parameters"))
        self.setToolTip(tooltip(facts.sentence()))
        self.setAccessibleName(facts.sentence())
        self._colour_texts()
        self.update()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_texts()

    def _colour_texts(self) -> None:
        facts, colours = self._facts, theme_of(self)
        by_verdict = {-1: colours.good, 0: colours.muted, 1: colours.bad}
        _colour(self.change, colours.muted if facts.is_baseline else by_verdict[facts.verdict])
        _colour(self.slow, colours.muted)
        by_result = colours.muted if facts.is_waiting else colours.bad
        _colour(self.makespan, by_result if facts.error else colours.text)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, facts = theme_of(self), self._facts
        width = 2.0 if facts.is_active else 1.0
        edge = colours.selection if facts.is_active else colours.line
        card = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(colours.panel)
            painter.setPen(QPen(edge, width))
            painter.drawRoundedRect(card, CORNER_PX, CORNER_PX)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.muted, 1, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(card.adjusted(3, 3, -3, -3), CORNER_PX - 2, CORNER_PX - 2)
            if facts.progress is not None:
                self._draw_progress(painter, card, facts.progress)

    def _draw_progress(self, painter: QPainter, card: QRectF, progress: float) -> None:
        colours, foot = theme_of(self), card.bottom() - PROGRESS_PX - 1
        whole = QRectF(QPointF(card.left() + 8, foot), QPointF(card.right() - 8, foot + PROGRESS_PX))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.line)
        painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.setBrush(colours.accent)
        # a little is filled from the start, so that running and waiting look different
        done = whole.width() * min(max(progress, 0.03), 1.0)
        painter.drawRoundedRect(
            QRectF(whole.topLeft(), QPointF(whole.left() + done, whole.bottom())), 1.5, 1.5
        )

    # What the user does

    def rename(self) -> None:
        """Let the user type another title."""
        self.title_field.setText(self._facts.title)
        self.title.hide()
        self.title_field.show()
        self.title_field.selectAll()
        self.title_field.setFocus()

    def _on_title_typed(self) -> None:
        if self.title_field.isHidden():
            return
        typed = self.title_field.text().strip()
        self._stop_renaming()
        if typed != self._facts.title:
            self.renamed.emit(self.scenario_id, typed)

    def _stop_renaming(self) -> None:
        had_focus = self.title_field.hasFocus()
        self.title_field.hide()
        self.title.show()
        if had_focus:
            self.setFocus()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.title_field and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # type: ignore[assignment]  # its type says so
            if key.key() == Qt.Key.Key_Escape:
                self._stop_renaming()
                return True
            if key.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._on_title_typed()
                return True
        return super().eventFilter(watched, event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_policy_clicked()
        elif event.key() == Qt.Key.Key_Left:
            self.left.emit(self.scenario_id, -1)
        elif event.key() == Qt.Key.Key_Right:
            self.left.emit(self.scenario_id, 1)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() not in GIVEN_BACK:
            self.activated.emit(self.scenario_id)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.activated.emit(self.scenario_id)
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.rename()
        event.accept()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._on_menu_clicked()
        event.accept()

    def _on_policy_clicked(self) -> None:
        self.activated.emit(self.scenario_id)
        self.policy_wanted.emit(self.scenario_id)

    def _on_menu_clicked(self) -> None:
        self.activated.emit(self.scenario_id)
        self.menu_wanted.emit(self.scenario_id)


def _colour(label: PlainLabel, colour: QColor) -> None:
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, colour)
    label.setPalette(palette)
