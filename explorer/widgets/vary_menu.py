"""Fields that a study can vary: their context menus offer it, and the window is notified.

A field is tagged with the name that studies have for it. What is chosen goes up to the main window as an
event, so that neither the field nor what it stands in knows who answers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QMenu, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent

VARY_TEXT = "&Vary this in a study…"
VARY_TIP = "Open the study window with this field as one of its axes"


class VaryEvent(QEvent):
    """A request to vary a field; sent to the window that everything stands in.

    Attributes
    ----------
    field : as studies call it, ``cluster.map_slots``
    """

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, field: str) -> None:
        super().__init__(self.KIND)
        self.field = field


class _VaryMenu(QObject):
    """Adds the offer to the context menu of one field."""

    def __init__(self, widget: QWidget, field: str) -> None:
        super().__init__(widget)
        self.widget, self.field = widget, field
        for part in (widget, *widget.findChildren(QLineEdit)):
            part.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ContextMenu:
            return False
        menu_event: QContextMenuEvent = event  # type: ignore[assignment]  # it is one by its type
        menu = vary_menu(self.widget, self.field)
        menu.popup(menu_event.globalPos())
        return True


def can_be_varied(widget: QWidget, field: str) -> None:
    """Have the context menu of a widget offer to vary a field of studies; each widget is tagged once."""
    _VaryMenu(widget, field)


def vary_menu(widget: QWidget, field: str) -> QMenu:
    """Return the usual menu of a field with the offer below it; it ends when it closes."""
    line = widget.findChild(QLineEdit) if isinstance(widget, QAbstractSpinBox) else widget
    menu = line.createStandardContextMenu() if isinstance(line, QLineEdit) else QMenu(widget)
    if not menu.isEmpty():
        menu.addSeparator()
    add_vary_action(menu, widget, field)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def add_vary_action(menu: QMenu, widget: QWidget, field: str) -> None:
    """Offer in a menu to vary a field."""
    menu.setToolTipsVisible(True)
    action = menu.addAction(VARY_TEXT)
    action.setToolTip(VARY_TIP)
    action.triggered.connect(partial(ask_to_vary, widget, field))


def ask_to_vary(widget: QWidget, field: str) -> None:
    """Notify the window at the top, above any dialog or popup that the widget stands in."""
    top = widget
    while (above := top.parentWidget()) is not None:
        if top.isWindow():
            top.close()  # a popup that the field dropped down with
        top = above
    QCoreApplication.sendEvent(top, VaryEvent(field))
