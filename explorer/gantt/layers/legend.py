"""The legend of a window's charts: which colour is which job, and what tones, hatches and lines mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from explorer.document.view_state import PaletteMode
from explorer.gantt.geometry.chart_content import short_names
from explorer.gantt.geometry.chart_frame import ChartFonts, colour, draw_elided
from explorer.gantt.geometry.row_columns import RowColumns
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.decision_marks import DIFFERENCE
from explorer.gantt.layers.labels import WAVE_DASH, WAVE_SPACE
from explorer.gantt.layers.layer import SWATCH_HEIGHT, Sign, paint_dashes
from explorer.gantt.layers.task_rows import STAGES
from explorer.gantt.raster import raster_numpy
from explorer.gantt.raster.palette import depth_tones, fitting_positions, job_tones
from explorer.gantt.raster.raster_kernel import EDGE_TONE, MAP_TONE, REDUCE_TONE, Frame
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QFontMetrics, QMouseEvent, QPaintEvent

    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.widgets.theme import Theme


LEGEND_HEIGHT = 30
MAX_JOBS = 12
"""Of more than two beyond that, the rest is only counted."""

SWATCH_WIDTH, JOB_SWATCH = 26, 17
SIGN_WIDTH = 16
GAP, SPACING, MAX_NAME = 6, 15, 110
PHASES_SHARE = 0.7
VEILED_SIGNS = ("map", "reduce", STAGES.text, "makespan", "lower bound")
"""Signs that tell nothing of what a veil hides."""


WAVE = Sign(
    "wave",
    3,
    dashes=(WAVE_DASH, WAVE_SPACE),
    tip="here a wave of the selected job begins: tasks on all their slots, one after another",
)


class Legend(QWidget):
    """One line that explains the charts.

    Signals:
        job_clicked: index of the job whose entry was clicked
    """

    job_clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = LegendContent((), theme)
        self._entries: list[tuple[QRectF, int]] = []
        self._change(signs=legend_signs(()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(LEGEND_HEIGHT)
        self.setAccessibleName("Legend")

    def show_jobs(
        self,
        names: Sequence[str],
        positions: NDArray[np.int64] | None = None,
        shown: Iterable[ScheduleRows | None] = (),
        selected: int = -1,
        *,
        is_veiled: bool = False,
    ) -> None:
        """List jobs, coloured and ordered by their places in the baseline's queue, and what charts draw.

        One job stands out; -1 for none. Under a veil neither the order nor what is to come is told.
        """
        signs, selected = legend_signs(shown), selected if selected < len(names) else -1
        if is_veiled:
            signs = unveiled_signs(signs)
        known = {"names": tuple(names), "positions": positions, "is_veiled": is_veiled}
        self._change(**known, signs=signs, selected=selected)

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._change(theme=theme)

    def set_palette_mode(self, mode: PaletteMode) -> None:
        """Colour more than seven jobs in another way."""
        self._change(mode=PaletteMode(mode))

    def set_selected_job(self, job: int) -> None:
        """Let one job stand out; -1 for none."""
        self._change(selected=job if job < len(self._content.names) else -1)

    def explain_differences(self, *, are_marked: bool) -> None:
        """Explain, or no longer explain, the marks above the rows."""
        self._change(are_marked=are_marked)

    def entry_rect(self, job: int) -> QRectF:
        """Return where a job was last listed; empty if it was not."""
        return next((rect for rect, listed in self._entries if listed == job), QRectF())

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, LEGEND_HEIGHT)

    def _change(self, **fields: Any) -> None:  # Any: fields of LegendContent, by name
        self._content = content = replace(self._content, **fields)
        listed = ", ".join(content.names[job] for job in content.order[:MAX_JOBS])
        signs = ", ".join(sign.text for sign in content.shown_signs)
        self.setAccessibleDescription(f"{len(content.names)} jobs: {listed}. Signs: {signs}.")
        self.update()

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(12, 0, -14, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._content.theme.window)
            self._entries = paint_legend(painter, self._area(), ChartFonts(self.font()), self._content)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip(self.tip_at(event.pos().toPointF())), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """Return what the entry at a place means; nothing beside the entries."""
        if not self._content.names:
            return ""
        _, signs = _sign_places(self._area(), ChartFonts(self.font()), self._content)
        for rect, sign in signs:
            if rect.contains(place):
                return f"{sign.text}: {sign.tip}"
        job = next((job for rect, job in self._entries if rect.contains(place)), -1)
        name = self._content.names[job] if job >= 0 else ""
        parts = "first, middle and last stages" if self._content.shows_stages else "maps, then of its reduces"
        return f"{name}: colour of its {parts}; click to select the job" if name else ""

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        for rect, job in self._entries:
            if rect.contains(event.position()):
                self.job_clicked.emit(job)
                return


def unveiled_signs(signs: tuple[Sign, ...]) -> tuple[Sign, ...]:
    """Return the entries that show nothing of what a veil hides."""
    return tuple(sign for sign in signs if sign.text in VEILED_SIGNS)


@dataclass(frozen=True, eq=False)
class LegendContent:
    """What a legend lists.

    Attributes
    ----------
    names : of all jobs
    theme, mode : how they are coloured
    positions : their places in the baseline's queue, (jobs,), or None for the workload's order
    selected : index of the job that stands out, or -1
    signs : the entries beside the jobs
    is_veiled : whether the order of the queue is to be guessed: jobs are listed as the workload has them
    are_marked : whether charts mark decisions that differ
    """

    names: tuple[str, ...]
    theme: Theme
    positions: NDArray[np.int64] | None = None
    mode: PaletteMode = PaletteMode.SAFE
    selected: int = -1
    signs: tuple[Sign, ...] = ()
    is_veiled: bool = False
    are_marked: bool = False

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """The names without what they all start with."""
        return short_names(self.names)

    @cached_property
    def shown_signs(self) -> tuple[Sign, ...]:
        """The entries beside the jobs, with those of the selected job's waves and of marked decisions."""
        waves = (WAVE,) if self.selected >= 0 and self.signs and not self.shows_stages else ()
        return (*self.signs, *waves, *((DIFFERENCE,) if self.are_marked else ()))

    @property
    def shows_stages(self) -> bool:
        """Whether tasks have the colours of their stages."""
        return STAGES in self.signs

    @cached_property
    def job_colours(self) -> NDArray[np.int64]:
        """The parts of each job's entry: first, middle and last stage, or maps and reduces, (jobs, parts)."""
        if self.shows_stages:
            return depth_tones(self.tones[:, MAP_TONE], self.theme)
        return self.tones[:, [MAP_TONE, REDUCE_TONE]]

    @cached_property
    def _fitting(self) -> NDArray[np.int64] | None:
        return fitting_positions(self.positions, len(self.names))

    @cached_property
    def tones(self) -> NDArray[np.int64]:
        """The jobs' colours, (jobs, 6)."""
        return job_tones(len(self.names), self._fitting, self.theme.is_dark, self.mode)

    @cached_property
    def order(self) -> list[int]:
        """The jobs as they are listed."""
        fitting = None if self.is_veiled else self._fitting
        places = np.arange(len(self.names)) if fitting is None else fitting
        order: list[int] = np.argsort(places, kind="stable").tolist()
        return order


def paint_legend(
    painter: QPainter, area: QRectF, fonts: ChartFonts, content: LegendContent
) -> list[tuple[QRectF, int]]:
    """Draw a legend; return the places of the jobs that are listed."""
    if not content.names:
        return []
    painter.setFont(fonts.small)
    left, signs = _sign_places(area, fonts, content)
    jobs = QRectF(area.left(), area.top(), left - SPACING - area.left(), area.height())
    entries = _paint_jobs(painter, jobs, fonts, content)
    for rect, sign in signs:
        _paint_sign(painter, rect, content, sign)
    return entries


def _sign_places(
    area: QRectF, fonts: ChartFonts, content: LegendContent
) -> tuple[float, list[tuple[QRectF, Sign]]]:
    """Return where the signs begin, and the place of each that fits."""
    free = area.width() - sum(_job_widths(fonts, content))
    signs = fitting_signs(max(area.width() * PHASES_SHARE, free), fonts, content.shown_signs)
    left = begin = area.right() - sum(_sign_width(sign, fonts) for sign in signs) + SPACING
    places = []
    for sign in signs:
        width = _sign_width(sign, fonts)
        places.append((QRectF(left, area.top(), width, area.height()), sign))
        left += width
    return begin, places


def _sign_width(sign: Sign, fonts: ChartFonts) -> float:
    swatch = SWATCH_WIDTH if sign.phase else SIGN_WIDTH if sign.draw else 4
    return swatch + GAP + fonts.small_metrics.horizontalAdvance(sign.text) + SPACING


def fitting_signs(room: float, fonts: ChartFonts, signs: tuple[Sign, ...]) -> tuple[Sign, ...]:
    """Return the signs that fit, in order."""
    kept = list(signs)
    for sign in sorted(signs, key=lambda sign: sign.priority):
        if sum(_sign_width(each, fonts) for each in kept) > room:
            kept.remove(sign)
    return tuple(kept)


def _paint_sign(painter: QPainter, rect: QRectF, content: LegendContent, sign: Sign) -> None:
    theme = content.theme
    job = content.selected if content.selected >= 0 else content.order[0]
    middle = round(rect.center().y())
    left, top = round(rect.left()), middle - SWATCH_HEIGHT // 2
    if sign.phase:
        painter.drawImage(left, top, phase_image(content.tones[job], sign, theme))
        painter.setPen(colour(int(content.tones[job, EDGE_TONE]), 160))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawRect(left, top, SWATCH_WIDTH - 1, SWATCH_HEIGHT - 1)
        left += SWATCH_WIDTH
    elif sign.draw:
        swatch = QRectF(left, top, SIGN_WIDTH, SWATCH_HEIGHT)
        sign.draw(painter, swatch, colour(int(content.tones[job, MAP_TONE])), theme)
        left += SIGN_WIDTH
    else:
        ink, thickness = (theme.second_text, 1) if sign.dashes[1] else (theme.accent, 2)
        paint_dashes(painter, left + 2, top, top + SWATCH_HEIGHT, sign.dashes, thickness, ink)
        left += 4
    painter.setPen(theme.text)
    text = QRectF(left + GAP, rect.top(), 400, rect.height())
    painter.drawText(text, int(Qt.AlignmentFlag.AlignVCenter), sign.text)


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
    background = theme.window.rgb()
    # one row, a little larger than the picture: its gap and edge stay outside
    frame = Frame(0, SWATCH_WIDTH + 8.0, 0.0, SWATCH_HEIGHT + 2.0, background, background, 1, background)
    pixels = np.zeros((SWATCH_HEIGHT, SWATCH_WIDTH), np.uint32)
    raster_numpy.paint(pixels, rows, tones[None, :], frame)
    return QImage(
        pixels.tobytes(), SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_WIDTH * 4, QImage.Format.Format_RGB32
    ).copy()


def _paint_jobs(
    painter: QPainter, area: QRectF, fonts: ChartFonts, content: LegendContent
) -> list[tuple[QRectF, int]]:
    """List the jobs that fit, then show how many there are."""
    metrics = fonts.small_metrics
    total = len(content.order)
    rest = f"… {total} jobs"
    most = total if total <= MAX_JOBS + 2 else MAX_JOBS
    widths = _job_widths(fonts, content)
    room = area.width() - metrics.horizontalAdvance(rest)
    fitting = most
    if total > most or sum(widths) > area.width() + SPACING:
        fitting = next((i for i in range(most) if sum(widths[: i + 1]) > room), most)
    entries, left = [], area.left()
    for job, width in zip(content.order[:fitting], widths, strict=False):
        entries.append((QRectF(left, area.top(), width - SPACING / 2, area.height()), job))
        _paint_job(painter, entries[-1][0], content, job, _shown_name(metrics, content, job))
        left += width
    if fitting < total:
        painter.setPen(content.theme.second_text)
        draw_elided(painter, QRectF(left, area.top(), area.right() - left, area.height()), rest)
    return entries


def _job_widths(fonts: ChartFonts, content: LegendContent) -> list[float]:
    """Return the room that the entry of each job takes that may be listed, in their order."""
    metrics = fonts.small_metrics
    names = (_shown_name(metrics, content, job) for job in content.order[: MAX_JOBS + 2])
    return [JOB_SWATCH + GAP + metrics.horizontalAdvance(name) + SPACING for name in names]


def _shown_name(metrics: QFontMetrics, content: LegendContent, job: int) -> str:
    return metrics.elidedText(content.short_names[job], Qt.TextElideMode.ElideMiddle, MAX_NAME)


def _paint_job(painter: QPainter, rect: QRectF, content: LegendContent, job: int, name: str) -> None:
    top = round(rect.center().y()) - SWATCH_HEIGHT // 2
    fades = content.selected >= 0 and job != content.selected
    painter.setOpacity(0.4 if fades else 1.0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    parts = content.job_colours[job].tolist()
    for behind, tone in enumerate(reversed(parts)):  # each lies upon the next one, which looks out by 6
        painter.setBrush(colour(tone))
        painter.drawRoundedRect(QRectF(rect.left(), top, JOB_SWATCH - 6 * behind, SWATCH_HEIGHT), 3, 3)
    painter.setOpacity(1.0)
    painter.setPen(content.theme.second_text if fades else content.theme.text)
    text = QRectF(rect.left() + JOB_SWATCH + GAP, rect.top(), 400, rect.height())
    painter.drawText(text, int(Qt.AlignmentFlag.AlignVCenter), name)
