"""Events of the mouse for the tests of charts."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent


def wheel_event(
    widget, point, steps, modifier=Qt.KeyboardModifier.NoModifier, across=0, when=0
) -> QWheelEvent:
    """The wheel turned by so many notches at a point of a widget; away from the user is more than 0."""
    event = QWheelEvent(
        QPointF(point),
        QPointF(widget.mapToGlobal(point)),
        QPoint(),
        QPoint(120 * across, round(120 * steps)),
        Qt.MouseButton.NoButton,
        modifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.setTimestamp(when)
    return event
