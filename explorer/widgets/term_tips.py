"""Words of the glossary are explained wherever they stand: in labels, headings, tabs, buttons and legends.

A tip that nobody else shows is asked for at the window in the end. There one filter looks which text is under
the pointer, and says what its words mean. Headings of tables that have a help add the words to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QGroupBox,
    QHeaderView,
    QLabel,
    QTabBar,
    QToolTip,
    QWidget,
)
from typing_extensions import override

from core.files.glossary import with_terms
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QWindow

HIGHEST_TITLE_PX = 40
"""Of a dock: what lies below is its content."""


@runtime_checkable
class HasWordsAt(Protocol):
    """What paints its texts itself and has their places."""

    def words_at(self, place: QPointF) -> str:
        """Return the text at a place of the widget, or nothing."""


class TermTips(QObject):
    """Explains words in a window, and in the dialogs that it opens."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._watch)

    def _watch(self, shown: QWindow | None) -> None:
        """Look after a dialog as well; once more does no harm."""
        for widget in QApplication.topLevelWidgets():
            if shown is not None and widget.windowHandle() is shown:
                widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return isinstance(watched, QWidget) and self._explain(watched, event)
        return super().eventFilter(watched, event)

    def _explain(self, window: QWidget, event: QHelpEvent) -> bool:
        place = window.mapFromGlobal(event.globalPos())
        under = window.childAt(place) or window
        tip = with_terms(text_at(under, under.mapFrom(window, place)))
        if not tip:
            return False
        QToolTip.showText(event.globalPos(), tooltip(tip), under)
        return True


def text_at(widget: QWidget, place: QPoint) -> str:
    """Return the text that a widget shows at a place of it; nothing where it has none that explains."""
    header = widget.parentWidget()
    if isinstance(header, QHeaderView) and header.viewport() is widget:
        along = place.x() if header.orientation() == Qt.Orientation.Horizontal else place.y()
        section = header.logicalIndexAt(along)
        return str(header.model().headerData(section, header.orientation()) or "") if section >= 0 else ""
    if isinstance(widget, QLabel):
        text = widget.text()
        is_marked_up = widget.textFormat() != Qt.TextFormat.PlainText and "<" in text
        return QTextDocumentFragment.fromHtml(text).toPlainText() if is_marked_up else text.replace("&", "")
    if isinstance(widget, QTabBar):
        return widget.tabText(widget.tabAt(place)).replace("&", "")
    return _text_of(widget, place)


def _text_of(widget: QWidget, place: QPoint) -> str:
    if isinstance(widget, QAbstractButton):
        return widget.text().replace("&", "")
    if isinstance(widget, QGroupBox):
        return widget.title().replace("&", "")
    if isinstance(widget, QDockWidget):
        return widget.windowTitle() if place.y() < HIGHEST_TITLE_PX else ""
    return widget.words_at(place.toPointF()) if isinstance(widget, HasWordsAt) else ""
