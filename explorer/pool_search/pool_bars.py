"""The best found for each number of pools: a box per pool, as wide as its slots and as high as it lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from core.model.time_text import change_text, makespan_text
from explorer.pool_search.trial_picture import TrialPicture
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.planning.pool_cut import PoolCut, Trial
    from explorer.widgets.theme import Theme

AIR, LEFT, RIGHT, ROW = 10.0, 74.0, 150.0, 54.0
GAP = 6.0
"""Pixels between two rows."""
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


def best_by_pools(tried: Sequence[Trial]) -> list[Trial]:
    """Return the shortest trial of each number of pools, ascending; a single pool among them."""
    best: dict[int, Trial] = {}
    for trial in sorted(tried):
        if trial.pools not in best or trial.makespan < best[trial.pools].makespan:
            best[trial.pools] = trial
    return [best[pools] for pools in sorted(best)]


class PoolBars(TrialPicture):
    """Shows the best trials."""

    def __init__(self, cut: PoolCut, theme: Theme) -> None:
        super().__init__("numbers of pools", theme)
        self._cut = cut
        self.trials: list[Trial] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("The best pools found, by their number")

    def set_tried(self, tried: Sequence[Trial]) -> None:
        """Show the best of what has been tried by now."""
        trials = best_by_pools(tried)
        if trials != self.trials:
            self.trials = trials
            self.look_at(self.current if self.current in trials else None)
            self.updateGeometry()
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(760, round(ROW * max(len(self.trials), 1) + AIR))

    @override
    def trial_at(self, position: QPointF) -> Trial | None:
        place = int(position.y() // ROW)
        return self.trials[place] if 0 <= place < len(self.trials) else None

    @override
    def beside(self, key: Qt.Key) -> Trial | None:
        if key not in STEPS or not self.trials:
            return None
        place = self.trials.index(self.current) + STEPS[key] if self.current else len(self.trials) - 1
        return self.trials[min(max(place, 0), len(self.trials) - 1)]

    def boxes(self, place: int, area: QRectF) -> list[QRectF]:
        """Return the box of every pool of a row."""
        trial, whole = self.trials[place], self._cut.whole
        longest = max(each.makespan for each in self.trials) or 1.0
        width = (area.width() - LEFT - RIGHT) / max(whole, 1)
        foot, high = area.top() + (place + 1) * ROW, ROW - GAP
        left, boxes = area.left() + LEFT, []
        for size, end in zip((*trial.sizes, whole - sum(trial.sizes)), trial.ends, strict=True):
            height = high * end / longest
            boxes.append(QRectF(left, foot - height, width * size, height))
            left += width * size
        return boxes

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        shortest = min((trial.makespan for trial in self.trials), default=0.0)
        for place, trial in enumerate(self.trials):
            self._paint_row(painter, area, place, is_best=trial.makespan == shortest)

    def _paint_row(self, painter: QPainter, area: QRectF, place: int, *, is_best: bool) -> None:
        trial, colours = self.trials[place], self.colours
        metrics = QFontMetricsF(painter.font())
        foot = area.top() + (place + 1) * ROW
        line = QRectF(area.left(), foot - ROW + GAP, LEFT - AIR, ROW - GAP)
        painter.setPen(colours.text)
        pools = f"{trial.pools} pool{'' if trial.pools == 1 else 's'}"
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, pools)
        fill = mixed(colours.field, colours.selection, 0.8 if is_best else 0.35)
        for box, (first, behind) in zip(self.boxes(place, area), self._cut.parts(trial.splits), strict=True):
            painter.fillRect(box, fill)
            painter.setPen(QPen(colours.window, 2))
            painter.drawRect(box)
            text = f"{behind - first} job{'' if behind - first == 1 else 's'}"
            if metrics.horizontalAdvance(text) + 6 <= box.width() and metrics.height() <= box.height():
                painter.setPen(colours.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        after = QRectF(area.right() - RIGHT + AIR, line.top(), RIGHT - AIR, line.height())
        change = "" if place == 0 else f"  {change_text(self.trials[0].makespan, trial.makespan)}"
        painter.setPen(colours.text if is_best else colours.second_text)
        text = f"{makespan_text(trial.makespan)}{change}"
        painter.drawText(after, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self.current is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            place = self.trials.index(self.current)
            painter.setPen(QPen(self.colours.text, 1.2))
            row = QRectF(
                QPointF(LEFT, place * ROW + GAP - 2), QPointF(self.width() - RIGHT, (place + 1) * ROW + 1)
            )
            painter.drawRect(row)
        super().paint_over(painter)

    @override
    def table(self) -> ChartTable:
        header = ("pools", "jobs before each cut", "slots of each pool but the last", "makespan (s)")
        rows = tuple((t.pools, _listed(t.splits), _listed(t.sizes), t.makespan) for t in self.trials)
        return ChartTable(header, rows)


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
