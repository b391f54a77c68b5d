"""What the colours of the chain mean, in the line of a chart's title: the causes with the largest shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt

from explorer.gantt.geometry.chart_frame import colour
from explorer.widgets.cause_style import LOOKS

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from core.explain.critical_path import Cause, CriticalPath
    from explorer.gantt.geometry.chart_frame import ChartFrame

LINE, THICKNESS = 18, 4
GAP, SPACING = 5, 12
DASH, SPACE = 5, 3


def legend_texts(chain: CriticalPath) -> list[tuple[Cause, str]]:
    """Return the causes that take any time with their shares, the largest first."""
    totals = chain.totals()
    whole = sum(totals.values())
    ranked = sorted(totals.items(), key=lambda item: -item[1])
    return [
        (cause, f"{cause.value} {100 * seconds / whole:.0f} %") for cause, seconds in ranked if seconds > 0
    ]


def paint_chain_legend(painter: QPainter, frame: ChartFrame, chain: CriticalPath, room: QRect) -> None:
    """Draw as many causes as fit."""
    left = float(room.left())
    painter.setFont(frame.fonts.small)
    for cause, text in legend_texts(chain):
        width = frame.fonts.small_metrics.horizontalAdvance(text)
        if left + LINE + GAP + width > room.right():
            return
        _paint_sample(painter, cause, left, room.center().y())
        painter.setPen(frame.theme.muted)
        place = QRectF(left + LINE + GAP, room.top() + 1, width + 1, room.height())
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)
        left += LINE + GAP + width + SPACING


def _paint_sample(painter: QPainter, cause: Cause, left: float, middle: int) -> None:
    """Draw a piece of the path: dashes for waiting."""
    look = LOOKS[cause]
    length = DASH if look.is_waiting else LINE
    for x in range(0, LINE, DASH + SPACE if look.is_waiting else LINE):
        painter.fillRect(
            QRectF(left + x, middle - THICKNESS / 2, min(length, LINE - x), THICKNESS), colour(look.colour)
        )
