"""The legend of a window's charts: which colour is what, which parts tasks have, and what lines mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from core.charts import raster_numpy
from core.charts.inks import inks_of
from core.charts.palette import lane_colour
from core.charts.raster_kernel import Frame
from core.charts.row_columns import RowColumns
from explorer.gantt.geometry.chart_frame import ChartFonts, colour
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.layer import Sign, paint_dashes
from explorer.gantt.layers.legend_content import (
    GAP,
    PHASE_WIDTH,
    SWATCH,
    LegendContent,
    LegendEntry,
    LegendLine,
    PlacedEntry,
    legend_block,
    legend_line,
    shown_name,
    swatch_width,
    unveiled_signs,
    wanted_width,
)
from explorer.widgets.plain_labels import TipWidget

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from core.charts.schedule_rows import ScheduleRows
    from core.measures.job_classes import JobClasses
    from explorer.widgets.theme import Theme


LEGEND_HEIGHT = 24
ROW_HEIGHT, MAX_ROWS = 19, 5
"""Pixels of a line where there are several, and how many there are at most."""
SIDE = 12
NOTHING = -1
"""No class stands out."""
SIGN_HEIGHT = 11


class Legend(TipWidget):
    """Explains the charts, in one line or in several; a button in front chooses what decides of the colours.

    Signals:
        job_clicked: index of the job whose entry was clicked
        class_pointed: number of the class that is to stand out; NOTHING for none
        menu_wanted: the user wants to choose what decides of the colours; where a menu may stand above
    """

    job_clicked = Signal(int)
    class_pointed = Signal(int)
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = LegendContent(None, (), theme)
        self._line = LegendLine(())
        self._pointed, self._pinned = NOTHING, NOTHING
        self._has_rows = False
        self._change(signs=legend_signs(()))
        self.button = QToolButton(self, autoRaise=True)
        self.button.setToolTip("Choose what decides of the colour of a task")
        self.button.clicked.connect(self._ask_for_menu)
        self.button.setVisible(False)
        self.button.setMaximumHeight(LEGEND_HEIGHT)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, SIDE, 0)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(LEGEND_HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName("Legend")

    def show_jobs(
        self,
        names: Sequence[str],
        classes: JobClasses | None = None,
        shown: Iterable[ScheduleRows | None] = (),
        selected: int = -1,
        *,
        is_veiled: bool = False,
    ) -> None:
        """List the classes of the jobs, and what charts draw.

        One job stands out; -1 for none. Under a veil neither the order nor what is to come is told.
        """
        signs, selected = legend_signs(shown), selected if selected < len(names) else -1
        if is_veiled:
            signs = unveiled_signs(signs)
        if classes is not self._content.classes:
            self._point(NOTHING, pin=True)
        known = {"names": tuple(names), "classes": classes, "is_veiled": is_veiled}
        self._change(**known, signs=signs, selected=selected)
        self.button.setVisible(classes is not None)
        if classes is not None:
            self.button.setText(f"Colour: {classes.by.value} ▾")

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._change(theme=theme)

    def set_selected_job(self, job: int) -> None:
        """Let one job stand out; -1 for none."""
        self._change(selected=job if job < len(self._content.names) else -1)

    def explain_differences(self, *, are_marked: bool) -> None:
        """Explain, or no longer explain, the marks above the rows."""
        self._change(are_marked=are_marked)

    def class_rect(self, number: int) -> QRectF:
        """Return where a class is listed; empty if it is not in view."""
        return next((rect for rect, entry in self._line.placed if entry.number == number), QRectF())

    def show_in_rows(self, *, has_rows: bool) -> None:
        """Take as many lines as all needs, in a narrow place; else one line."""
        self._has_rows = has_rows
        self._lay_out()
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        if self._has_rows:
            return QSize(0, self.height())
        wanted = wanted_width(ChartFonts(self.font()), self._content)
        return QSize(round(self._area().left() + wanted) + SIDE, LEGEND_HEIGHT)

    def _change(self, **fields: Any) -> None:  # Any: fields of LegendContent, by name
        self._content = content = replace(self._content, **fields)
        listed = ", ".join(f"{entry.name} {entry.amount}".strip() for entry in content.class_entries)
        signs = ", ".join(f"{sign.text} {sign.amount}".strip() for sign in content.shown_signs)
        self.setAccessibleDescription(f"{len(content.names)} jobs: {listed}. Signs: {signs}.")
        self._lay_out()
        self.updateGeometry()

    def _lay_out(self) -> None:
        self._line = self._placed()
        height = LEGEND_HEIGHT + (self._line.rows - 1) * ROW_HEIGHT
        if height != self.height():
            self.setFixedHeight(height)
        self.update()

    def _placed(self) -> LegendLine:
        fonts, content = ChartFonts(self.font()), self._content
        if not self._has_rows:
            return legend_line(self._area(), fonts, content)
        first = QRectF(SIDE, (LEGEND_HEIGHT - ROW_HEIGHT) / 2, self.width() - 2 * SIDE, ROW_HEIGHT)
        return legend_block(first, self._area().left(), fonts, content, MAX_ROWS)

    def _area(self) -> QRectF:
        """Return the first line, behind the button."""
        begin = self.button.geometry().right() + SIDE if self._content.classes is not None else SIDE
        return QRectF(begin, 0, self.width() - SIDE - begin, LEGEND_HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if not self._has_rows:
                painter.fillRect(self.rect(), self._content.theme.window)
            self._line = self._placed()
            pointed = self._pointed if self._pointed != NOTHING else self._pinned
            last = self._area().translated(0, self.height() - LEGEND_HEIGHT)
            paint_line(painter, last, ChartFonts(self.font()), self._content, self._line, pointed)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    # ---- what stands out, and what is chosen

    def _entry_at(self, place: QPointF) -> LegendEntry | None:
        return next((entry for rect, entry in self._line.placed if rect.contains(place)), None)

    def _point(self, number: int, *, pin: bool = False) -> None:
        before = self._pointed if self._pointed != NOTHING else self._pinned
        if pin:
            self._pinned = number
        self._pointed = number
        after = self._pointed if self._pointed != NOTHING else self._pinned
        if after != before:
            self.class_pointed.emit(after)
            self.update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        entry = self._entry_at(event.position())
        self._point(NOTHING if entry is None else entry.number)
        is_class = entry is not None and entry.number >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_class else Qt.CursorShape.ArrowCursor)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._point(NOTHING)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the job of an entry; let a class of several stay in view until it is clicked again."""
        entry, classes = self._entry_at(event.position()), self._content.classes
        if entry is None or classes is None or entry.number < 0:
            return
        job = classes.classes[entry.number].job if entry.sign is None else -1
        if job >= 0:
            self.job_clicked.emit(job)
        else:
            self._point(NOTHING if self._pinned == entry.number else entry.number, pin=True)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn to other classes, where not all fit."""
        if self._line.pages == 1:
            event.ignore()
            return
        self._change(page=(self._line.page + (1 if event.angleDelta().y() < 0 else -1)) % self._line.pages)
        event.accept()

    def _ask_for_menu(self) -> None:
        self.menu_wanted.emit(self.button.mapToGlobal(QPoint(0, 0)))

    # ---- tips

    @override
    def tip_at(self, place: QPointF) -> str:
        """Return what the entry at a place means; nothing beside the entries."""
        entry, classes = self._entry_at(place), self._content.classes
        if entry is None or classes is None:
            return ""
        if entry.sign is not None:
            return f"{entry.sign.text}: {entry.sign.tip}"
        one = classes.classes[entry.number]
        if one.job >= 0:
            parts = "first, middle and last stages" if self._content.shows_stages else "tasks"
            return f"{self._content.names[one.job]}: colour of its {parts}; click to select the job"
        jobs = f"{one.jobs} job{'s' if one.jobs != 1 else ''}: " if one.jobs else ""
        return f"{one.name}: {jobs}click to let nothing else stand out, again to end that"


def paint_line(
    painter: QPainter,
    area: QRectF,
    fonts: ChartFonts,
    content: LegendContent,
    line: LegendLine,
    pointed: int = NOTHING,
) -> None:
    """Draw a legend; one class may stand out."""
    painter.setFont(fonts.small)
    stands_out = pointed if pointed != NOTHING else content.selected_class
    for placed in line.placed:
        number = placed.entry.number
        painter.setOpacity(0.4 if stands_out != NOTHING and number not in (NOTHING, stands_out) else 1.0)
        _paint_entry(painter, placed, fonts, content)
    painter.setOpacity(1.0)
    if line.pages > 1:
        painter.setPen(content.theme.second_text)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(area, flags, f"{line.page + 1}/{line.pages} ⇅")


def paint_legend(painter: QPainter, area: QRectF, fonts: ChartFonts, content: LegendContent) -> None:
    """Draw a legend without anything highlighted, as in exported pictures."""
    paint_line(painter, area, fonts, content, legend_line(area, fonts, content))


def _paint_entry(painter: QPainter, placed: PlacedEntry, fonts: ChartFonts, content: LegendContent) -> None:
    rect, entry = placed
    if entry.sign is None:
        _paint_swatch(painter, rect, content.swatches[entry.number].tolist())
    else:
        _paint_sign(painter, rect, content, entry.sign)
    left, flags = rect.left() + swatch_width(entry) + GAP, int(Qt.AlignmentFlag.AlignVCenter)
    name = shown_name(fonts.small_metrics, entry)
    painter.setPen(content.theme.text)
    painter.drawText(QRectF(left, rect.top(), 400, rect.height()), flags, name)
    if entry.amount:
        left += fonts.small_metrics.horizontalAdvance(name + " ")
        painter.setPen(content.theme.second_text)
        painter.drawText(QRectF(left, rect.top(), 400, rect.height()), flags, entry.amount)


def _paint_swatch(painter: QPainter, rect: QRectF, colours: list[int]) -> None:
    """Draw a square, in several colours beside one another."""
    top, width = round(rect.center().y()) - SWATCH // 2, SWATCH / len(colours)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for number, one in enumerate(colours):
        painter.setBrush(colour(one))
        left = rect.left() + number * width
        if len(colours) == 1:
            painter.drawRoundedRect(QRectF(left, top, SWATCH, SWATCH), 2, 2)
        else:
            painter.drawRect(QRectF(left, top, width, SWATCH))


def _paint_sign(painter: QPainter, rect: QRectF, content: LegendContent, sign: Sign) -> None:
    theme, tones = content.theme, content.sign_tones
    left, top = round(rect.left()), round(rect.center().y()) - SIGN_HEIGHT // 2
    if sign.phase:
        painter.drawImage(left, top, phase_image(tones, sign, theme))
    elif sign.draw:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        swatch = QRectF(left, top, PHASE_WIDTH, SIGN_HEIGHT)
        sign.draw(painter, swatch, colour(int(tones[0])), theme)
    else:
        thickness = 1 if sign.dashes[1] else 2
        paint_dashes(painter, left + 2, top, top + SIGN_HEIGHT, sign.dashes, thickness, theme.ink)


def phase_image(tones: NDArray[np.int64], sign: Sign, theme: Theme) -> QImage:
    """Return a picture of a task that is all one phase, drawn as the chart draws it."""
    is_reduce, stage_end, shuffled = sign.phase or (False, 0.0, 0.0)
    rows = RowColumns(
        offsets=np.array([0, 1]),
        shortest=np.array([1.0]),
        start=np.array([0.0]),
        shuffled=np.array([shuffled]),
        end=np.array([1.0]),
        code=np.array([int(is_reduce)], np.int32),
        stage_end=np.array([stage_end]),
    )
    lane = 0xFF000000 | lane_colour(theme)
    # one row, a little larger than the picture: its gap and edge stay outside
    frame = Frame(0, PHASE_WIDTH + 8.0, 0.0, SIGN_HEIGHT + 2.0, lane, lane, 1, lane)
    pixels = np.zeros((SIGN_HEIGHT, PHASE_WIDTH), np.uint32)
    raster_numpy.paint(pixels, rows, inks_of(tones[None, :]), frame)
    return QImage(
        pixels.tobytes(), PHASE_WIDTH, SIGN_HEIGHT, PHASE_WIDTH * 4, QImage.Format.Format_RGB32
    ).copy()
