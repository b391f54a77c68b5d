"""The plot of fits: how many samples take up to which time, and what each distribution expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.plots.axis import ValueScale, value_text
from explorer.widgets.export import ChartTable
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from explorer.plots.fit_curves import FitCurve, PartCurves
    from explorer.widgets.theme import Theme

MARGIN = 12
HUES = (("#0072b2", "#56b4e9"), ("#a8487f", "#e69bc8"), ("#007a57", "#3ecfa0"), ("#6b52ae", "#b9a6ff"))
"""Blue, pink, green and violet, for light and for dark backgrounds; the accent stands apart from all."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


class CdfPicture(QWidget):
    """Shows some curves of a `PartCurves`, the chosen one thick with its distance; exports itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: PartCurves | None = None
        self._curves: tuple[FitCurve, ...] = ()
        self._chosen: FitCurve | None = None
        self._is_log = False
        self._title = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Cumulative distribution of the durations and of the fits")

    def show_curves(
        self,
        shown: PartCurves | None,
        curves: Sequence[FitCurve] = (),
        chosen: FitCurve | None = None,
        title: str = "",
        *,
        is_log: bool = False,
    ) -> None:
        """Show the samples of a part and some of its curves, one of them chosen."""
        self._shown, self._curves, self._chosen = shown, tuple(curves), chosen
        self._title, self._is_log = title, is_log
        self.setAccessibleDescription("; ".join(self.legend_texts()))
        self.update()

    def legend_texts(self) -> list[str]:
        """Return what the lines are: the samples first, then each curve with its distance."""
        if self._shown is None:
            return []
        samples = len(self._shown.part.samples)
        recorded = f"recorded ({value_text(samples, 'tasks')} sample{'' if samples == 1 else 's'})"
        return [recorded, *(_curve_text(curve) for curve in self._curves)]

    @staticmethod
    def colour(place: int, colours: Theme) -> QColor:
        """Return the colour of the curve at a place among those shown."""
        return QColor(HUES[place % len(HUES)][colours.is_dark])

    def sizeHint(self) -> QSize:
        """Ask for room to tell curves apart."""
        return QSize(520, 380)

    def minimumSizeHint(self) -> QSize:
        """Need room for axes and legend."""
        return QSize(320, 240)

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the plot."""
        with QPainter(self) as painter:
            self._paint(painter, QRectF(self.rect()), theme_of(self))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme_of(self).line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint(self, painter: QPainter, whole: QRectF, colours: Theme) -> None:
        painter.setFont(self.font())
        painter.fillRect(whole, colours.plot)
        if self._shown is None:
            return
        line = QFontMetricsF(self.font()).height()
        painter.setPen(colours.text)
        heading = whole.adjusted(MARGIN, 8, -MARGIN, 0)
        title = QFontMetricsF(self.font()).elidedText(
            self._title, Qt.TextElideMode.ElideMiddle, heading.width()
        )
        painter.drawText(heading, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
        left = QFontMetricsF(self.font()).horizontalAdvance("100 %") + MARGIN + 6
        area = whole.adjusted(left, line + 20, -MARGIN - 6, -2 * line - 16)
        scale = self._scale(self._shown.part.samples, area)
        self._paint_axes(painter, whole, area, scale, colours)
        painter.save()
        painter.setClipRect(area.adjusted(-1, -2, 1, 2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_curves(painter, area, scale, colours)
        self._paint_samples(painter, area, scale, colours)
        self._paint_gap(painter, area, scale, colours)
        painter.restore()
        self._paint_legend(painter, area, colours)

    def _scale(self, samples: NDArray[np.float64], area: QRectF) -> ValueScale:
        high = float(samples[-1]) or 1.0
        if not self._is_log:
            return ValueScale(0.0, 1.05 * high, area.left(), area.right())
        low = float(samples[samples > 0][0])
        return ValueScale(low / 1.3, high * 1.3, area.left(), area.right(), is_log=True)

    def _paint_axes(
        self, painter: QPainter, whole: QRectF, area: QRectF, scale: ValueScale, colours: Theme
    ) -> None:
        line = QFontMetricsF(self.font()).height()
        for level in LEVELS:
            y = _y(area, level)
            painter.setPen(colours.grid)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(colours.muted)
            place = QRectF(whole.left(), y - line / 2, area.left() - whole.left() - 6, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, f"{100 * level:.0f} %")
        for tick, text in scale.labels("s"):
            x = scale.x(tick)
            painter.setPen(colours.grid)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4))
            painter.setPen(colours.muted)
            place = QRectF(x - 60, area.bottom() + 5, 120, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, text)
        below = QRectF(area.left(), area.bottom() + line + 7, area.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, "duration")

    def _paint_curves(self, painter: QPainter, area: QRectF, scale: ValueScale, colours: Theme) -> None:
        for place, curve in enumerate(self._curves):
            painter.setPen(self._pen(place, curve, colours))
            xs = scale.xs(curve.times)
            seen = curve.times > 0 if scale.is_log else np.ones(len(xs), bool)
            painter.drawPolyline(_polygon(xs[seen], _ys(area, curve.probabilities[seen])))

    def _pen(self, place: int, curve: FitCurve, colours: Theme) -> QPen:
        width = 2.6 if curve is self._chosen else 1.4
        return QPen(self.colour(place, colours), width, DASHES[place % len(DASHES)])

    def _paint_samples(self, painter: QPainter, area: QRectF, scale: ValueScale, colours: Theme) -> None:
        """Draw the samples' steps, as fine as pixels are."""
        assert self._shown is not None
        samples = self._shown.part.samples
        columns = np.arange(area.left(), area.right() + 0.5, 0.5)
        times = np.array([scale.value(x) for x in columns])
        part = np.searchsorted(samples, times * (1 + 1e-12), side="right") / len(samples)
        painter.setPen(QPen(colours.text, 1.6))
        painter.drawPolyline(_polygon(columns, _ys(area, part)))

    def _paint_gap(self, painter: QPainter, area: QRectF, scale: ValueScale, colours: Theme) -> None:
        """Mark where the chosen curve is farthest from the samples."""
        if self._chosen is None or self._chosen.gap is None:
            return
        at, found, expected = self._chosen.gap
        x = scale.x(at)
        painter.setPen(QPen(colours.accent, 3))
        painter.drawLine(QPointF(x, _y(area, found)), QPointF(x, _y(area, expected)))

    def _paint_legend(self, painter: QPainter, area: QRectF, colours: Theme) -> None:
        metrics = QFontMetricsF(self.font())
        texts = self.legend_texts()
        has_gap = self._chosen is not None and self._chosen.gap is not None
        texts += ["largest distance of the chosen one"] if has_gap else []
        width = max(metrics.horizontalAdvance(text) for text in texts) + 46
        height = len(texts) * (metrics.height() + 3) + 10
        box = QRectF(area.right() - width - 6, area.bottom() - height - 6, width, height)
        background = QColor(colours.plot)
        background.setAlpha(215)
        painter.fillRect(box, background)
        pens = [QPen(colours.text, 1.6)]
        pens += [self._pen(place, curve, colours) for place, curve in enumerate(self._curves)]
        pens.append(QPen(colours.accent, 3))
        for row, (text, pen) in enumerate(zip(texts, pens, strict=False)):
            y = box.top() + 5 + row * (metrics.height() + 3)
            painter.setPen(pen)
            middle = y + metrics.height() / 2
            painter.drawLine(QPointF(box.left() + 6, middle), QPointF(box.left() + 34, middle))
            painter.setPen(colours.text)
            painter.drawText(QPointF(box.left() + 40, y + metrics.ascent()), text)

    # ---- export

    @property
    def export_name(self) -> str:
        """A name for files."""
        return "distributions"

    @property
    def background(self) -> QColor:
        """What is behind the plot."""
        return theme_of(self).plot

    def export_size(self) -> QSize:
        """Return the size on the screen."""
        return self.size()

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw the plot into an area of a picture."""
        self._paint(painter, area, theme_of(self))

    def table(self) -> ChartTable:
        """Return each sample with the fraction up to it, and what every shown curve expects there."""
        if self._shown is None:
            return ChartTable((), ())
        samples = self._shown.part.samples
        found = np.searchsorted(samples, samples, side="right") / len(samples)
        columns = [curve.fit.distribution.cumulative(samples).tolist() for curve in self._curves]
        header = ("seconds", "recorded", *(str(curve.fit.distribution) for curve in self._curves))
        return ChartTable(header, tuple(zip(samples.tolist(), found.tolist(), *columns, strict=True)))


def _curve_text(curve: FitCurve) -> str:
    return f"{curve.fit.distribution.title}, distance {curve.fit.distance:.3f}"


def _y(area: QRectF, level: float) -> float:
    return area.bottom() - level * area.height()


def _ys(area: QRectF, levels: NDArray[np.float64]) -> NDArray[np.float64]:
    places: NDArray[np.float64] = area.bottom() - levels * area.height()
    return places


def _polygon(xs: NDArray[np.float64], ys: NDArray[np.float64]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)])
