"""Where circles of equal size stand side by side."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF


def places(room: QRectF, count: int, below: float) -> list[QRectF]:
    """Return a box for each of so many circles: in as many rows as make them largest.

    `below` are the pixels that the name below each takes.
    """

    def side(rows: int) -> float:
        return min(room.width() / math.ceil(count / rows), room.height() / rows - below)

    rows = max(range(1, count + 1), key=side)
    columns = math.ceil(count / rows)
    width, height = room.width() / columns, room.height() / rows
    return [
        QRectF(room.left() + k % columns * width, room.top() + k // columns * height, width, height)
        for k in range(count)
    ]
