"""The side bar: sections below one another that fold away, each as high as the user made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QSplitter,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from core.model.limits import is_whole
from explorer.widgets.layouts import NO_MARGINS, column, scrolled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QKeyEvent, QPaintEvent, QResizeEvent

WIDTH, MIN_LINES = 220, 9
"""Pixels of the bar at first; where letters are large, so many lines of text."""
MIN_FOR_BAR = 1400
"""Pixels of a window from which the bar is open at first."""
MIN_WIDTH, MIN_HEIGHT = 196, 80
"""Pixels of the bar, and of what an open section shows; the rest scrolls."""
MAX_PX = (1 << 24) - 1
"""Qt's own limit: as high as there is room."""


class _Header(QToolButton):
    """A line with a sign that opens and folds what is below it; Left and Right do, too."""

    def __init__(self, title: str) -> None:
        super().__init__(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setText(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        font = self.font()
        font.setBold(True)
        self.setFont(font)
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Ignored)  # it is as wide as the bar
        self.setSizePolicy(policy)
        self.toggled.connect(self._show_sign)
        self._show_sign()
        self.setMinimumWidth(self.sizeHint().width())  # the heading is whole

    def _show_sign(self) -> None:
        is_open = self.isChecked()
        self.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.setToolTip(f"{'Fold' if is_open else 'Open'} this part of the side bar")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.state &= ~QStyle.StateFlag.State_On  # it is no switch to the eye: its arrow tells
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.end()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        else:
            self.setChecked(wanted)


class BarSection(QWidget):
    """A header, and what it folds away; that scrolls where it has less room than it needs.

    Attributes
    ----------
    header : the button that opens and folds
    height_wanted : pixels of the whole section while it is open

    Signals
    -------
    toggled : it was opened or folded
    """

    toggled = Signal(bool)

    def __init__(self, title: str, part: QWidget, height: int) -> None:
        super().__init__()
        self.height_wanted = height
        self.header = _Header(title)
        self.area = scrolled(part)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumSize(MIN_WIDTH, MIN_HEIGHT)
        column(self.header, (self.area, 1), parent=self, margins=NO_MARGINS, spacing=0)
        self.header.toggled.connect(self._on_toggled)
        self._on_toggled(False)

    @property
    def is_open(self) -> bool:
        """Whether it shows more than its header."""
        return self.header.isChecked()

    @property
    def folded_height(self) -> int:
        """Pixels of the header."""
        return self.header.sizeHint().height()

    def open(self, is_open: bool = True) -> None:
        """Open or fold it."""
        self.header.setChecked(is_open)

    def _on_toggled(self, is_open: bool) -> None:
        self.area.setVisible(is_open)
        self.setMaximumHeight(MAX_PX if is_open else self.folded_height)
        self.toggled.emit(is_open)


class SideBar(QSplitter):
    """Sections by name, from top to bottom; the first that is open takes the room that is left over."""

    def __init__(self, sections: Mapping[str, BarSection]) -> None:
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self.sections = dict(sections)
        self.setAccessibleName("Side bar")
        for section in self.sections.values():
            self.addWidget(section)
            section.toggled.connect(self.lay_out)
        self._rest = QWidget()  # below the sections while all of them are folded
        self.addWidget(self._rest)
        self.splitterMoved.connect(self._on_moved)

    @override
    def sizeHint(self) -> QSize:
        return QSize(max(WIDTH, MIN_LINES * self.fontMetrics().height()), 500)

    def lay_out(self) -> None:
        """Give every section the height that was wanted for it."""
        sections = list(self.sections.values())
        are_open = [place for place, each in enumerate(sections) if each.is_open]
        room = self.height() - self.handleWidth() * len(sections)
        share = room // max(len(are_open), 1)  # at most, so that the first one keeps as much
        sizes = [min(each.height_wanted, share) if each.is_open else each.folded_height for each in sections]
        self._rest.setMaximumHeight(0 if are_open else MAX_PX)
        rest = max(room - sum(sizes), 0)
        if are_open:
            first = are_open[0]
            sizes[first], rest = max(room - sum(sizes) + sizes[first], 0), 0
        self.setSizes([*sizes, rest])

    def _on_moved(self) -> None:
        for section in self.sections.values():
            if section.is_open:
                section.height_wanted = section.height()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out()

    # ---- what is remembered

    def state(self) -> dict[str, Any]:
        """Return as a JSON value which sections are open, and how high they are."""
        return {
            name: {"is_open": section.is_open, "height": section.height_wanted}
            for name, section in self.sections.items()
        }

    def restore(self, state: object) -> None:
        """Open and fold by a state; what is missing or damaged in it stays."""
        for name, section in self.sections.items():
            kept = state.get(name) if isinstance(state, dict) else None
            if not isinstance(kept, dict):
                continue
            if is_whole(kept.get("height"), MIN_HEIGHT, MAX_PX):
                section.height_wanted = kept["height"]
            if isinstance(kept.get("is_open"), bool):
                section.open(kept["is_open"])
        self.lay_out()


class SideDock(QDockWidget):
    """The dock of the side bar: at the left, without a title, opened and closed by an action.

    Until the user opens or closes it, the width of the window decides: in a narrow one it is folded.

    Signals
    -------
    shown_changed : it, or a section of it, was opened or folded
    """

    shown_changed = Signal()

    def __init__(self, bar: SideBar, window: QMainWindow) -> None:
        super().__init__("Side bar", window, features=QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.setObjectName("side bar")
        self.bar = bar
        self.setWidget(bar)
        self.setTitleBarWidget(QWidget())
        self._actions: dict[str, QAction] = {}
        self._is_chosen = False

    def follow(self, action: QAction, **sections: QAction) -> None:
        """Let a checkable action show and set whether it is open, and others by section likewise."""
        self._actions = {"": action, **sections}
        self.visibilityChanged.connect(self._show_checks)
        for section in self.bar.sections.values():
            section.toggled.connect(self._show_checks)

    def follow_width(self, width: int) -> None:
        """Fold in a window of so many pixels if it is narrow, unless the user has opened or closed it."""
        if not self._is_chosen:
            self.setVisible(width >= MIN_FOR_BAR)

    def keep(self) -> None:
        """Stay as it is, whatever the width of the window."""
        self._is_chosen = True

    def toggle(self) -> None:
        """Open it, or close it."""
        self.keep()
        self.setVisible(self.isHidden())
        self._show_checks()

    def toggle_section(self, name: str) -> None:
        """Show a section, with the whole bar if need be; fold it if it is shown."""
        if self.isHidden() or not self.bar.sections[name].is_open:
            self.show_section(name)
        else:
            self.bar.sections[name].open(False)
        self._show_checks()

    def show_section(self, name: str) -> None:
        """Open a section, with the whole bar if need be, and go there."""
        self.keep()
        self.bar.sections[name].open()
        self.show()
        self.bar.sections[name].header.setFocus()

    def _show_checks(self) -> None:
        for name, action in self._actions.items():
            is_shown = not self.isHidden() and (not name or self.bar.sections[name].is_open)
            action.setChecked(is_shown)
        self.shown_changed.emit()
