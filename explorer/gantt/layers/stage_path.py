"""The path over stages to the end: a bar whose parts add up to it, and barriers that fall from it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter
from typing_extensions import override

from core.charts.raster_kernel import MAP_TONE
from core.charts.row_columns import kept_with_rows
from core.explain.stage_path import NO_STAGE, PartKind
from core.measures.stage_spans import stage_spans
from core.model.time_text import duration_text
from explorer.gantt.geometry.chart_content import path_of
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.layers.layer import DOT, DOT_STEP, Layer, Sign, paint_plate, paint_think
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.charts.schedule_rows import ScheduleRows
    from core.explain.stage_path import PathPart, StagePath
    from core.measures.stage_spans import StageSpans
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

DASHES = (4, 3)
MIN_APART = 4.0
"""Pixels between two barriers; of closer ones only the first is drawn."""
FOLD_WIDTH = 9
"""Pixels of the sign before the name that says whether the bands are folded away."""
WAITS = {
    PartKind.SLOT: "waits for slots",
    PartKind.CLOSED: "waits for an opening",
    PartKind.AWAY: "waits for nodes",
    PartKind.LOST: "lost work",
    PartKind.HELD: "held back",
}


class StagePathLayer(Layer):
    """The bar below the bands of stages, and the barriers of the path, or of the selected stage."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.bands is None:
            return
        _paint_name(painter, frame)
        path = path_of(rows)
        if path is None:
            return
        painter.save()
        painter.setClipRect(frame.places.path)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # hatches take long with it
        for part in path.parts:
            if part.end >= frame.scale.start and part.begin <= frame.scale.end:
                _paint_part(painter, frame, part)
        painter.restore()
        if frame.bands.height:
            _paint_barriers(painter, frame, rows, path)

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        path = path_of(rows)
        if path is None:
            return ()
        kinds = {part.kind for part in path.parts}
        return tuple(sign for kind, sign in SIGNS.items() if kind in kinds)


def _paint_name(painter: QPainter, frame: ChartFrame) -> None:
    place = frame.fold_rect
    text = frame.fonts.small_bold_metrics.horizontalAdvance("Path")
    write_with(painter, frame.fonts.small_bold, frame.theme.text)
    room = place.adjusted(0, 0, -5, 0)
    draw_elided(painter, room, "Path", Qt.AlignmentFlag.AlignRight)
    is_open = bool(frame.bands and frame.bands.height)
    sign = QRect(room.right() - text - FOLD_WIDTH - 3, room.top(), FOLD_WIDTH + 2, room.height())
    painter.setPen(frame.theme.second_text)
    painter.drawText(sign, int(Qt.AlignmentFlag.AlignCenter), "▾" if is_open else "▸")


def _paint_part(painter: QPainter, frame: ChartFrame, part: PathPart) -> None:
    bar, theme = frame.places.path, frame.theme
    seen = float(bar.left() - bar.width()), float(bar.right() + bar.width())
    left, right = (min(max(frame.x(seconds), seen[0]), seen[1]) for seconds in (part.begin, part.end))
    place = QRectF(left, bar.top(), right - left, bar.height())
    if part.kind is PartKind.STAGE:
        painter.fillRect(place, colour(int(frame.tones[part.job, MAP_TONE])))
        if right - left >= MIN_APART:
            painter.fillRect(QRectF(right - 1, bar.top(), 1, bar.height()), theme.window)
    elif part.kind is PartKind.DRIVER:
        paint_think(painter, frame, place.adjusted(2, 0, -2, 0), part.seconds, theme.text)
    elif part.kind is PartKind.ARRIVAL:
        painter.fillRect(QRectF(left, bar.center().y(), right - left, 1), theme.third_text)
    else:
        paint_wait(painter, place, part.kind, theme)
        text = f"{WAITS[part.kind]} {duration_text(part.seconds)}"
        paint_plate(painter, frame, place, text, (theme.window, theme.text))


def paint_wait(painter: QPainter, place: QRectF, kind: PartKind, theme: Theme) -> None:
    """Hatch a wait: for a busy slot one way, for one that is closed the other, beside a free one crossed.

    For a node that is away it is hatched upright, and work that is lost level.
    """
    patterns = {
        PartKind.SLOT: Qt.BrushStyle.BDiagPattern,
        PartKind.CLOSED: Qt.BrushStyle.FDiagPattern,
        PartKind.AWAY: Qt.BrushStyle.VerPattern,
        PartKind.LOST: Qt.BrushStyle.HorPattern,
        PartKind.HELD: Qt.BrushStyle.DiagCrossPattern,
    }
    painter.fillRect(place, theme.map_rows[0])
    painter.fillRect(place, QBrush(theme.text, patterns[kind]))


def _paint_barriers(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, path: StagePath) -> None:
    """Draw where stages of the path end; of a selected stage only when it was ready and when it ends."""
    plot, chosen = frame.places.plot, frame.content.selected_stage
    spans = _spans(rows)
    if 0 <= chosen < len(spans.end):
        times, ink, apart = [float(spans.ready[chosen]), float(spans.end[chosen])], frame.theme.cursor, 0.0
    else:
        times = [
            part.end for part, later in pairwise(path.parts) if part.stage not in (NO_STAGE, later.stage)
        ]
        ink, apart = frame.theme.text, MIN_APART
    last, top, step = -1e9, frame.places.path.bottom() + 1, sum(DASHES)
    dashes: list[QRect] = []
    for seconds, x in zip(times, frame.xs(times), strict=True):
        if frame.shows(seconds) and x - last >= apart:
            last = x
            left, bottom = round(x), plot.bottom() - DASHES[0]
            dashes += [QRect(left, y, 1, DASHES[0]) for y in range(top, bottom, step)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    fill_with(painter, ink)
    painter.drawRects(dashes)  # one call: there may be thousands


@kept_with_rows
def _spans(rows: ScheduleRows) -> StageSpans:
    return stage_spans(rows.schedule)


def _draw_stage(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.text)
    painter.setBrush(fill)
    painter.drawRoundedRect(place.adjusted(0.5, 1.5, -0.5, -1.5), 3, 3)


def _draw_dots(painter: QPainter, place: QRectF, _fill: QColor, theme: Theme) -> None:
    for x in range(int(place.left()), int(place.right()), DOT_STEP):
        painter.fillRect(x, round(place.center().y()) - DOT // 2, DOT, DOT, theme.text)


def _draw_wait(kind: PartKind) -> Callable[[QPainter, QRectF, QColor, Theme], None]:
    def draw(painter: QPainter, place: QRectF, _fill: QColor, theme: Theme) -> None:
        paint_wait(painter, place, kind, theme)

    return draw


SIGNS = {
    PartKind.STAGE: Sign(
        "on the path to the end",
        4,
        draw=_draw_stage,
        tip="a stage that decides, with the waits between, when all ends; dashed lines fall from their ends",
    ),
    PartKind.DRIVER: Sign(
        "driver thinks", 4, draw=_draw_dots, tip="from the end of a job until its driver submits the next one"
    ),
    PartKind.SLOT: Sign(
        "waits for slots",
        4,
        draw=_draw_wait(PartKind.SLOT),
        tip="a stage is ready, none of its tasks runs, and the slot it gets next runs another task",
    ),
    PartKind.CLOSED: Sign(
        "waits for an opening",
        3,
        draw=_draw_wait(PartKind.CLOSED),
        tip="a stage is ready, none of its tasks runs, and the slot it gets next has not opened yet",
    ),
    PartKind.AWAY: Sign(
        "waits for nodes",
        3,
        draw=_draw_wait(PartKind.AWAY),
        tip="a stage is ready, none of its tasks runs, and the slot it gets next is away with its node",
    ),
    PartKind.LOST: Sign(
        "lost work",
        3,
        draw=_draw_wait(PartKind.LOST),
        tip="nothing of a stage runs but tasks that are lost with their nodes",
    ),
    PartKind.HELD: Sign(
        "held back",
        2,
        draw=_draw_wait(PartKind.HELD),
        tip="a stage is ready and its slot free: the policy or the cluster's own work holds it back",
    ),
}
