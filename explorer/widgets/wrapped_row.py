"""A row of tools that goes on in a second line where the first has no room for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QLayoutItem

Line = list[tuple["QLayoutItem", int, int]]
"""Items, each with its width and its share of the room that is left."""
GAP_PX = 6


class WrappedRow(QLayout):
    """Lays widgets out like words of a text: each as wide as it likes to be, hidden ones left out."""

    def __init__(self, *parts: QWidget | tuple[QWidget, int]) -> None:
        """Take widgets, perhaps with shares of the room that is left: ``WrappedRow((note, 1), button)``."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._shares: list[int] = []
        self.setContentsMargins(0, 0, 0, 0)
        for each in parts:
            part, share = each if isinstance(each, tuple) else (each, 0)
            self._shares.append(share)
            self.addWidget(part)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        del self._shares[index]
        return self._items.pop(index)

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        heights = [_height(line) for line in self._lines(width)]
        return sum(heights) + GAP_PX * max(len(heights) - 1, 0)

    @override
    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(hint.width() for hint in hints) + GAP_PX * max(len(hints) - 1, 0)
        return QSize(wide, max((hint.height() for hint in hints), default=0))

    @override
    def minimumSize(self) -> QSize:
        least = [item.minimumSize() for item in self._items if not item.isEmpty()]
        wide, high = ([getattr(size, side)() for size in least] for side in ("width", "height"))
        return QSize(max(wide, default=0), max(high, default=0))

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            height, left = _height(line), rect.left()
            rest = rect.width() - sum(width for _, width, _ in line) - GAP_PX * (len(line) - 1)
            shares = sum(share for _, _, share in line)
            for item, width, share in line:
                wide = width + (rest * share // shares if shares else 0)
                high = min(item.sizeHint().height(), height)
                item.setGeometry(QRect(left, top + (height - high) // 2, wide, high))
                left += wide + GAP_PX
            top += height + GAP_PX

    def _lines(self, room: int) -> Iterator[Line]:
        """Yield what stands in each line of so many pixels."""
        line: Line = []
        used = 0
        for item, share in zip(self._items, self._shares, strict=True):
            if item.isEmpty():
                continue
            width = min(item.sizeHint().width(), max(room, item.minimumSize().width()))
            if line and used + GAP_PX + width > room:
                yield line
                line, used = [], 0
            used += width + (GAP_PX if line else 0)
            line.append((item, width, share))
        if line:
            yield line


def _height(line: Line) -> int:
    return max(item.sizeHint().height() for item, _, _ in line)
