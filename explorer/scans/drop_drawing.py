"""Circles on which a dragged job can be dropped, and at the pointer what that does or why it does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.scans.circle_drawing import Canvas

REACH, TINT, LABEL_AIR = 6.0, 40, 7.0
"""Pixels of the outline around a circle; how opaque the one under the pointer is filled, of 255."""
BESIDE = 16.0
"""Pixels from the pointer to what is said of it."""


class Drop(NamedTuple):
    """A job that is being dragged.

    Attributes
    ----------
    targets : numbers of the datasets on whose circles it can be dropped
    over : the dataset that the pointer is upon, -1 for none
    text : what a drop there does, or why it does nothing; empty where another pane says it
    at : where the pointer is, in the chart
    """

    targets: tuple[int, ...]
    over: int
    text: str
    at: QPointF


def draw_drop(canvas: Canvas, drop: Drop, discs: Sequence[tuple[QPointF, float, int]], room: QRectF) -> None:
    """Draw an outline around each circle that takes the job, a full one where it would go, and the words."""
    painter, accent = canvas.painter, canvas.theme.accent
    for centre, radius, dataset in discs:
        if dataset not in drop.targets:
            continue
        is_over = dataset == drop.over
        fill = translucent(accent, TINT if is_over else 0)
        style = Qt.PenStyle.SolidLine if is_over else Qt.PenStyle.DashLine
        painter.setPen(QPen(accent, 3.0 if is_over else 1.6, style))
        painter.setBrush(fill)
        painter.drawEllipse(centre, radius + REACH, radius + REACH)
    if drop.text:
        wide = canvas.width(drop.text, is_bold=True) + 2 * LABEL_AIR
        left = min(max(drop.at.x() + BESIDE, room.left() + 2), max(room.right() - wide - 2, room.left() + 2))
        top = drop.at.y() + BESIDE
        if top + canvas.line + 6 > room.bottom():
            top = drop.at.y() - BESIDE - canvas.line - 6
        box = QRectF(left, top, min(wide, room.width() - 4), canvas.line + 6)
        painter.setPen(QPen(canvas.theme.line, 1))
        painter.setBrush(canvas.theme.surface)
        painter.drawRoundedRect(box, 4, 4)
        canvas.write(box, drop.text, canvas.theme.text, is_bold=True)
