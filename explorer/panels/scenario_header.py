"""The line above a scenario's chart: what it is called, how long it takes, how far its simulation is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPalette
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget
from typing_extensions import override

from explorer.panels.scenario_facts import ScenarioFacts
from explorer.widgets.flat_button import FlatButton, paint_ring
from explorer.widgets.layouts import HEADING_AIR, HEADING_HEIGHT, HEADING_SIDE, named, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of
from explorer.widgets.vary_menu import can_be_varied

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
    )

LOW_HEIGHT = 22
"""Pixels of the line beside open details."""
SPACING, EDGE = 6, 2
"""Pixels between its parts, and of the bar at the left of the active one."""
WIDEST_NAME, DEFAULT_NAME, MIN_NAME = 320, 120, 64
"""Pixels that a name may take, that it gets before other texts do, and that it keeps."""
MIN_NOTES, MIN_GAP = 90, 4
"""Of an error or of what is lacking, and of the room between name and results."""
BAR_SIZE = QSize(44, 5)
LARGER = 1.08
"""The makespan against other text."""
QUIET_REASONS = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Nobody looks for the focus then."""
PROGRESS_PX = 2


class ScenarioHeader(QWidget):
    """Shows `ScenarioFacts`; what the user does is announced with the scenario's id.

    Where there is little room the least important gives way: the notes, the bar of the bound, the gap, the
    difference; name, makespan and buttons stay.

    Attributes
    ----------
    facts : what is shown

    Signals
    -------
    activated : it was pressed, or a key of it was
    policy_wanted, menu_wanted : its buttons (the menu also by right click or the menu key)
    maximise_wanted : its chart is to fill the room of all charts, or to give it back
    renamed : the user typed another title
    left : an arrow key asks for the scenario so many places further
    """

    activated = Signal(int)
    policy_wanted = Signal(int)
    menu_wanted = Signal(int)
    maximise_wanted = Signal(int)
    renamed = Signal(int, str)
    left = Signal(int, int)

    def __init__(self, scenario_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.scenario_id = scenario_id
        self.facts, self._shows_focus, self._is_low = ScenarioFacts("", ""), False, False
        self.setAccessibleDescription(
            "Enter chooses the policy, F2 renames, Delete removes, the menu key offers more"
        )
        self._make_texts()
        self._make_buttons()
        row(
            self.title,
            self.title_field,
            self.policy_button,
            (self.notes, 1),
            self.gap,
            self.bar,
            self.change,
            self.makespan,
            self.maximise_button,
            self.menu_button,
            parent=self,
            margins=(HEADING_SIDE, 0, 4, 0),
            spacing=SPACING,
        )
        self._fit_font()

    def _make_texts(self) -> None:
        self.title, self.notes = ElidedLabel(), ElidedLabel()
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.notes.setMinimumWidth(1)
        self.title_field = named(QLineEdit(), "Title of the scenario")
        self.title_field.setPlaceholderText("as the policy is called")
        self.title_field.setMaximumWidth(WIDEST_NAME)
        self.title_field.setFrame(False)
        self.title_field.hide()
        self.title_field.installEventFilter(self)
        self.title_field.editingFinished.connect(self._on_title_typed)
        self.gap, self.change, self.makespan = PlainLabel(), PlainLabel(), PlainLabel()
        self.bar = BoundBar()

    def _make_buttons(self) -> None:
        self.policy_button = _button("Policy and parameters")
        self.policy_button.show_chevron()
        self.policy_button.clicked.connect(self._on_policy_clicked)
        can_be_varied(self.policy_button, "policy.id")
        self.maximise_button = _button("")
        self.show_maximised(is_maximised=False)
        self.maximise_button.clicked.connect(self._on_maximise_clicked)
        self.menu_button = _button("More for this scenario", "Rename, duplicate, move, remove …")
        self.menu_button.show_sign("menu")
        self.menu_button.clicked.connect(self._on_menu_clicked)

    def _fit_font(self) -> None:
        bold = bold_font(self.font())
        self.title.setFont(bold)
        larger = QFont(bold)
        larger.setPixelSize(round(QFontInfo(bold).pixelSize() * LARGER))
        self.makespan.setFont(larger)
        least = LOW_HEIGHT if self._is_low else HEADING_HEIGHT
        self.setFixedHeight(max(least, self.fontMetrics().height() + HEADING_AIR))
        for button in (self.policy_button, self.maximise_button, self.menu_button):
            button.setFixedHeight(self.height() - 2)

    def show_low(self, *, is_low: bool) -> None:
        """Take a little less room, beside open details."""
        if is_low != self._is_low:
            self._is_low = is_low
            self._fit_font()

    # Showing

    def show_facts(self, facts: ScenarioFacts) -> None:
        """Show other facts."""
        if facts == self.facts:
            return
        self.facts = facts
        self.title.setText(facts.title)
        self.makespan.setText(facts.result)
        self.gap.setText(facts.gap_text)
        self.bar.show_share(facts.gap)
        self.maximise_button.setHidden(facts.is_alone)
        self.notes.setText(facts.line)
        for label in (self.title, self.notes):
            label.setToolTip("")  # that of the header says all of it
        self.policy_button.setToolTip(tooltip(f"Policy: {facts.policy}. Choose another, set its parameters"))
        sentence = facts.sentence()
        self.setToolTip(tooltip(sentence))
        self.setAccessibleName(sentence)
        self._colour_texts()
        self._fit()
        self.update()

    def show_maximised(self, *, is_maximised: bool) -> None:
        """Offer to show the chart alone, or all charts again."""
        name = "Show all charts again (Escape)" if is_maximised else "Show this chart alone"
        self.maximise_button.show_sign("restore" if is_maximised else "maximise")
        named(self.maximise_button, name, name)

    def _fit(self) -> None:
        """Show what there is room for, the most important first."""
        facts = self.facts
        gap = facts.gap_text
        self.change.setText(facts.difference)
        self.gap.setText(gap)
        name = self.title.sizeHint().width()
        self.title.setMinimumWidth(min(name, MIN_NAME))
        self.title.setMaximumWidth(min(name, WIDEST_NAME))
        name = min(name, DEFAULT_NAME)
        always = [self.policy_button, self.makespan, self.menu_button]
        always += [] if facts.is_alone else [self.maximise_button]
        room = (
            self.width() - HEADING_SIDE - 4 - name - sum(part.sizeHint().width() + SPACING for part in always)
        )
        room -= SPACING + (MIN_NOTES if facts.error or facts.lacks_overheads else MIN_GAP)
        wanted = ((self.change, facts.difference), (self.gap, gap), (self.bar, gap))
        for part, is_there in wanted:
            needed = part.sizeHint().width() + SPACING
            part.setVisible(bool(is_there) and needed <= room)
            room = room - needed if part.isVisibleTo(self) else (room if not is_there else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_texts()
        elif event.type() == QEvent.Type.FontChange:
            self._fit_font()
            self._fit()

    def _colour_texts(self) -> None:
        facts, colours = self.facts, theme_of(self)
        by_verdict = {-1: colours.better, 0: colours.second_text, 1: colours.worse}
        _colour(self.change, colours.second_text if facts.lacks_overheads else by_verdict[facts.verdict])
        _colour(self.gap, colours.second_text)
        by_result = colours.second_text if facts.is_waiting else colours.worse
        _colour(self.notes, by_result if facts.error else colours.second_text)
        _colour(self.makespan, by_result if facts.error else colours.text)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, progress = theme_of(self), self.facts.progress
        with QPainter(self) as painter:
            if self.facts.is_active and not self.facts.is_alone:
                painter.fillRect(0, 2, EDGE, self.height() - 4, colours.link)
            if self._shows_focus:  # around the name alone
                named = self.title.geometry().united(self.policy_button.geometry())
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_ring(painter, named.adjusted(-5, 0, 3, 0), colours.link)
            if progress is not None:
                # a little is filled from the start, so that running and waiting look different
                done = round(self.width() * min(max(progress, 0.03), 1.0))
                top = self.height() - PROGRESS_PX
                painter.fillRect(0, top, self.width(), PROGRESS_PX, colours.line)
                painter.fillRect(0, top, done, PROGRESS_PX, colours.accent)

    # What the user does

    def rename(self) -> None:
        """Let the user type another title."""
        self.title_field.setText(self.facts.title)
        self.title.hide()
        self.title_field.show()
        self.title_field.selectAll()
        self.title_field.setFocus()

    def _on_title_typed(self) -> None:
        if self.title_field.isHidden():
            return
        typed = self.title_field.text().strip()
        self._stop_renaming()
        if typed != self.facts.title:
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
        elif event.key() == Qt.Key.Key_Space:
            self.activated.emit(self.scenario_id)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Left):
            self.left.emit(self.scenario_id, -1)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Right):
            self.left.emit(self.scenario_id, 1)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._shows_focus = event.reason() not in QUIET_REASONS
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._shows_focus = False
        self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.activated.emit(self.scenario_id)
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.maximise_wanted.emit(self.scenario_id)
        event.accept()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._on_menu_clicked()
        event.accept()

    def _on_policy_clicked(self) -> None:
        self.activated.emit(self.scenario_id)
        self.policy_wanted.emit(self.scenario_id)

    def _on_maximise_clicked(self) -> None:
        self.activated.emit(self.scenario_id)
        self.maximise_wanted.emit(self.scenario_id)

    def _on_menu_clicked(self) -> None:
        self.activated.emit(self.scenario_id)
        self.menu_wanted.emit(self.scenario_id)


class BoundBar(QWidget):
    """A thin bar: how long the lower bound is against the makespan."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setFixedSize(BAR_SIZE)

    @override
    def sizeHint(self) -> QSize:
        return BAR_SIZE

    def show_share(self, gap: float | None) -> None:
        """Show the bound of a makespan that is longer by this share of it."""
        self._share = 0.0 if gap is None else 1 / (1 + max(gap, 0.0))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, whole = theme_of(self), QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for share, ink in ((1.0, colours.line), (self._share, colours.third_text)):
                painter.setBrush(ink)
                bar = QRectF(0, 0, whole.width() * share, whole.height())
                painter.drawRoundedRect(bar, whole.height() / 2, whole.height() / 2)


def _button(name: str, tip: str = "") -> FlatButton:
    return named(FlatButton(), name, tip)


def _colour(label: PlainLabel, colour: QColor) -> None:
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, colour)
    label.setPalette(palette)
