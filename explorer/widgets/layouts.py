"""Widgets put together: rows and columns, buttons, and names for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QAction

Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None
"""A widget or a layout, perhaps with its share of the room that is left over; None is such room, empty.

A number is so many empty pixels.
"""
Margins = tuple[int, int, int, int]
NO_MARGINS = (0, 0, 0, 0)
HEADING_HEIGHT, HEADING_AIR, HEADING_SIDE = 24, 6, 8
"""Pixels of the line above a chart, at least around its letters, and at its sides."""
Named = TypeVar("Named", bound=QWidget)


def row(
    *parts: Part, parent: QWidget | None = None, margins: Margins | None = None, spacing: int = -1
) -> QHBoxLayout:
    """Put parts side by side, inside of a parent if one is given: ``row(label, (field, 1), button)``.

    Margins (left, top, right, bottom) and spacing are pixels, by default those of the style.
    """
    return _filled(QHBoxLayout(), parts, parent, margins, spacing)


def column(
    *parts: Part, parent: QWidget | None = None, margins: Margins | None = None, spacing: int = -1
) -> QVBoxLayout:
    """Put parts below one another, likewise."""
    return _filled(QVBoxLayout(), parts, parent, margins, spacing)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(
    box: Box, parts: tuple[Part, ...], parent: QWidget | None, margins: Margins | None, spacing: int
) -> Box:
    if parent is not None:
        parent.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, int(each is None))
        if isinstance(part, QWidget):
            box.addWidget(part, share)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif part is not None:
            box.addLayout(part, share)
        else:
            box.addStretch(share)
    return box


class _ScrolledArea(QScrollArea):
    """Shows what gets the keyboard; by itself Qt scrolls only where Tab goes from one part to another."""

    def __init__(self) -> None:
        super().__init__()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._show_focused)

    def _show_focused(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now) and now.visibleRegion().isEmpty():
            self.ensureWidgetVisible(now)


def scrolled(part: QWidget) -> QScrollArea:
    """Return an area without a frame in which a part as wide as the area scrolls where it is higher."""
    area = _ScrolledArea()
    area.setWidget(part)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


FRAME = QSize(4, 36)
"""Pixels that the desktop may put around a window that it has not shown yet."""


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window its first size, less where the screen is smaller."""
    window.resize(QSize(width, height).boundedTo(window.screen().availableSize() - FRAME))


class Dialog(QDialog):
    """A dialog that is gone once it is closed; its first size, if one is given, is less on small screens."""

    def __init__(
        self, title: str, parent: QWidget | None = None, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if size is not None:
            resize_on_screen(self, *size)


class OwnWindow(QWidget):
    """A window beside the main one."""

    def show_in_front(self) -> None:
        """Show the window, or bring it to the front."""
        self.show()
        self.raise_()
        self.activateWindow()


def push_button(
    text: str, tip: str, slot: Callable[..., object] | SignalInstance | None = None
) -> QPushButton:
    """Make a button that Enter in another field does not press."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    if slot is not None:
        button.clicked.connect(slot)
    return button


def tool_button(action: QAction) -> QToolButton:
    """Make a button of an action, which keys reach as well."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return named(button, action.toolTip())


def named(widget: Named, name: str, tip: str = "") -> Named:
    """Give a widget its accessible name and its tooltip, and return it."""
    widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)
    return widget


def closing(dialog: QDialog, *buttons: QPushButton) -> QDialogButtonBox:
    """Return the foot of a dialog that shows something: these buttons, and one that closes it."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    for button in buttons:
        box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
    box.rejected.connect(dialog.reject)
    return box


def deciding(dialog: QDialog, text: str = "") -> QDialogButtonBox:
    """Return the foot of a dialog that wants something: one button accepts it, of this text, one cancels."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    if text:
        box.button(QDialogButtonBox.StandardButton.Ok).setText(text)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
