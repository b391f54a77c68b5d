"""Slots that pools lend one another: an edge upon tasks that run on them, arrows at an instant, the balance.

Who lends to whom is defined in `core.measures.pool_loans`; here it is drawn, where rows belong to pools.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from typing_extensions import override

from core.charts.class_colours import class_colours
from core.charts.painted_rows import classes_of
from core.charts.raster_kernel import spacing_of, strip_height
from core.charts.row_columns import kept_with_rows
from core.measures.job_classes import ClassedBy
from core.measures.pool_loans import MAX_TASKS, PoolLoans, pool_loans
from core.model.time_text import duration_text
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.row_layout import NAME_LEFT
from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import write_with

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.measures.pool_loans import Loan
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

EDGE, RIM, MIN_EDGED_ROW, MIN_EDGED_TASK = 3.0, 1.0, 5.0, 9.0
"""Pixels of the edge of a task on a lent slot, of the line beside it, and of rows and tasks that have one."""
REACH, LINE, CASING, TIP, DOT = 62.0, 1.6, 4.0, 6.0, 3.0
"""Pixels from where an arrow begins to the instant, of its line, of the rim around it, of its tip and dot."""
PLATE_HEIGHT, PLATE_AIR, APART = 16.0, 6.0, 3.0
MAX_ARROWS, MAX_EDGES = 60, 4000
"""More are not drawn: nobody could follow them."""
HALF_BAR, BAR_HEIGHT, BAR_AIR = 35.0, 7.0, 8.0
"""Pixels of either side of the bar of a pool's balance, of its height, and of the air beside it."""


@kept_with_rows
def loans_of(rows: ScheduleRows) -> PoolLoans | None:
    """Return the loans among the pools of some rows; None where rows belong to none, or of many tasks."""
    if rows.by_pool is None or len(rows.by_pool.names) < 2 or rows.schedule.tasks > MAX_TASKS:
        return None
    return pool_loans(rows.schedule)


@kept_with_rows
def _tasks_and_lenders(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the task and the lender of each loan, (2, loans)."""
    loans = loans_of(rows)
    found = [] if loans is None else [(loan.task, loan.lender) for loan in loans.loans]
    return np.array(found, np.int64).reshape(-1, 2).T


def lender_of(rows: ScheduleRows, task: int) -> str:
    """Return the name of the pool whose slot a task runs on; nothing where that is its own."""
    loans = loans_of(rows)
    found = () if loans is None else (loan.lender for loan in loans.loans if loan.task == task)
    return next((loans.names[lender] for lender in found if loans is not None), "")


def pool_inks(frame: ChartFrame, rows: ScheduleRows, otherwise: QColor) -> list[QColor]:
    """Return the colour of each pool where jobs are coloured by pool, else the same one for all."""
    classes, workload = classes_of(frame.content), rows.schedule.workload
    inks = [otherwise] * len(workload.pools)
    if classes is None or classes.by is not ClassedBy.POOL or len(classes.of_job) != len(workload.jobs):
        return inks
    colours = class_colours(classes, frame.theme)
    pools, first = np.unique(workload.columns.pool, return_index=True)
    for pool, job in zip(pools.tolist(), first.tolist(), strict=True):
        inks[pool] = colour(int(colours[classes.of_job[job]]))
    return inks


class LoansLayer(Layer):
    """An edge at the left of each task on a slot that another pool has lent, in the colour of the lender."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        loans = loans_of(rows)
        if loans is None or frame.layout.row_height < MIN_EDGED_ROW:
            return
        if frame.content.shown_critical_path is not None:
            return
        scale, selected = frame.scale, frame.content.selected_job
        task, lender = _tasks_and_lenders(rows)
        begin, end = loans.times
        row, seconds = rows.row[task], MIN_EDGED_TASK / scale.pixels_per_second
        seen = (
            (scale.start <= begin) & (begin < scale.end) & (end - begin >= seconds) & frame.layout.shows(row)
        )
        if selected >= 0:
            seen &= rows.schedule.workload.columns.job[task] == selected
        places = np.flatnonzero(seen)[:MAX_EDGES]
        inks = pool_inks(frame, rows, frame.theme.second_text)
        painter.save()
        painter.setClipRect(frame.places.plot)
        height = frame.layout.row_height
        foot = strip_height(height) + spacing_of(height)  # where slots of the other kind are marked
        boxes = frame.boxes(row[places], begin[places], end[places])
        for owner, (left, right, top, bottom) in zip(lender[places].tolist(), boxes, strict=True):
            place = QRectF(left, top, right - left, bottom - top - foot)
            _paint_edge(painter, place, inks[owner], frame.theme)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        loans = loans_of(rows)
        return LOAN_SIGNS if loans is not None and loans.loans else ()


def _paint_edge(painter: QPainter, task: QRectF, ink: QColor, theme: Theme) -> None:
    painter.fillRect(QRectF(task.left(), task.top(), EDGE + RIM, task.height()), theme.window)
    painter.fillRect(QRectF(task.left(), task.top(), EDGE, task.height()), ink)


def _draw_loan_sign(painter: QPainter, swatch: QRectF, job: QColor, theme: Theme) -> None:
    painter.fillRect(swatch, job)
    _paint_edge(painter, swatch, theme.text, theme)


LOAN_SIGNS = (
    Sign(
        "lent by a pool",
        8,
        draw=_draw_loan_sign,
        tip="beyond its share of the slots the pool uses one of another pool's, which its colour names",
    ),
)


# ---- at an instant


def loan_rect(frame: ChartFrame, rows: ScheduleRows | None, seconds: float) -> QRect:
    """Return what arrows at an instant may cover; nothing where there are none."""
    if rows is None or not frame.shows(seconds) or not _shown_loans(frame, rows, seconds):
        return QRect()
    plot, x = frame.places.plot, round(frame.x(seconds))
    plates = _plates(rows, _shown_loans(frame, rows, seconds))
    reach = round(REACH + DOT + APART + _widest(frame, plates)) + 2
    return QRect(x - reach, plot.top(), 2 * reach, plot.height())


def _plates(rows: ScheduleRows, found: Sequence[Loan]) -> dict[int, str]:
    """Return for each pool that lends slots how many go where: "2 to pipeline, 1 to reports"."""
    texts: dict[int, list[str]] = {}
    for (lender, borrower), count in Counter((loan.lender, loan.borrower) for loan in found).items():
        texts.setdefault(lender, []).append(f"{count} to {rows.groups[borrower].name}")
    return {lender: ", ".join(parts) for lender, parts in texts.items()}


def _widest(frame: ChartFrame, plates: Mapping[int, str]) -> float:
    return max(map(frame.fonts.small_metrics.horizontalAdvance, plates.values())) + 2 * PLATE_AIR


def _shown_loans(frame: ChartFrame, rows: ScheduleRows, seconds: float) -> list[Loan]:
    loans = loans_of(rows)
    if loans is None or seconds > frame.content.veil:
        return []
    return loans.net_at(seconds)[:MAX_ARROWS]


def paint_loans(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, seconds: float) -> bool:
    """Draw an arrow from each pool that lends a slot at an instant to the task on it; return if any."""
    found = _shown_loans(frame, rows, seconds) if frame.shows(seconds) else []
    if not found:
        return False
    plot, x, plates = frame.places.plot, frame.x(seconds), _plates(rows, found)
    names = max(frame.fonts.small_bold_metrics.horizontalAdvance(group.name) for group in rows.groups)
    room = x - plot.left() - REACH - DOT - APART - _widest(frame, plates)
    side = -1.0 if room > NAME_LEFT + names else 1.0  # upon no name of a pool
    inks, starts = pool_inks(frame, rows, frame.theme.cursor), _lender_heights(frame)
    painter.save()
    painter.setClipRect(plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for loan in found:
        middle = sum(frame.row(int(rows.row[loan.task]))) / 2
        if loan.lender in starts and plot.top() <= middle <= plot.bottom():
            begin = QPointF(x + side * REACH, starts[loan.lender])
            _paint_arrow(painter, frame, begin, QPointF(x + side, middle), inks[loan.lender])
    for lender in starts.keys() & plates.keys():
        at = QPointF(x + side * (REACH + DOT + APART), starts[lender])
        _paint_plate(painter, frame, at, side, plates[lender], inks[lender])
    painter.restore()
    return True


def _lender_heights(frame: ChartFrame) -> dict[int, float]:
    """Return the pixel at which each pool of jobs that is in view is named, or its rows begin."""
    layout, plot = frame.layout, frame.places.plot
    heights = {}
    for index in layout.named_in_view:
        line = layout.name_line(index) if layout.has_header_lines else layout.pool_tops[index]
        y = plot.top() + line + PLATE_HEIGHT / 2
        if plot.top() <= y <= plot.bottom():
            heights[layout.pools[index].group] = y
    return heights


def _paint_arrow(painter: QPainter, frame: ChartFrame, begin: QPointF, end: QPointF, ink: QColor) -> None:
    """Draw a curve that leaves one point and arrives at another level, with a dot and a tip."""
    bend, back = (end.x() - begin.x()) * 0.55, TIP if end.x() > begin.x() else -TIP
    foot = QPointF(end.x() - back, end.y())
    path = QPainterPath(begin)
    path.cubicTo(begin + QPointF(bend, 0), foot - QPointF(bend, 0), foot)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(frame.theme.window, CASING), QPen(ink, LINE)):
        painter.setPen(pen)
        painter.drawPath(path)
    painter.setPen(QPen(frame.theme.window, 1.0))
    painter.setBrush(ink)
    painter.drawPolygon(
        QPolygonF([end, QPointF(foot.x(), foot.y() - TIP / 2), QPointF(foot.x(), foot.y() + TIP / 2)])
    )
    painter.drawEllipse(begin, DOT, DOT)


def _paint_plate(
    painter: QPainter, frame: ChartFrame, at: QPointF, side: float, text: str, edge: QColor
) -> None:
    """Write at the outer side of a point how many slots go where."""
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 2 * PLATE_AIR
    left = at.x() - width if side < 0 else at.x()
    rect = QRectF(left, at.y() - PLATE_HEIGHT / 2, width, PLATE_HEIGHT)
    painter.setPen(QPen(edge, 1.0))
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    write_with(painter, frame.fonts.small, frame.theme.text)
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)


# ---- the balance of a pool


def paint_balance(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, room: QRect, group: int) -> None:
    """Write a pool's share, what it lent and borrowed, and the difference, in columns as of other pools."""
    loans = loans_of(rows)
    if loans is None or not loans.loans or frame.content.is_veiled:
        return
    bold, small = frame.fonts.small_bold_metrics, frame.fonts.small_metrics
    nets = [_net_text(seconds) for seconds in loans.balance.tolist()]
    tail = max(map(bold.horizontalAdvance, nets)) + 2 * (BAR_AIR + HALF_BAR)
    for facts in (3, 1, 0):
        texts = [" · ".join(balance_facts(loans, pool)[:facts]) for pool in range(len(nets))]
        width = max(map(small.horizontalAdvance, texts)) + BAR_AIR + tail
        if width <= room.width():
            break
    else:
        return
    place, middle = QRectF(room.left(), room.top(), width, room.height()), Qt.AlignmentFlag.AlignVCenter
    write_with(painter, frame.fonts.small, frame.theme.second_text)
    painter.drawText(place, int(middle), texts[group])
    write_with(painter, frame.fonts.small_bold, frame.theme.text)
    zero = QPointF(place.right() - tail + BAR_AIR + HALF_BAR, place.center().y())
    place.setLeft(zero.x() + HALF_BAR + BAR_AIR)
    painter.drawText(place, int(middle), nets[group])
    _paint_bar(painter, frame, zero, loans, pool_inks(frame, rows, frame.theme.second_text), group)


def balance_facts(loans: PoolLoans, pool: int) -> list[str]:
    """Return in words how many slots a pool has and what it lent and borrowed."""
    lent, borrowed = (duration_text(float(each[pool])) for each in (loans.lent, loans.borrowed))
    return [f"share {loans.share[pool]} of {loans.share.sum()}", f"lent {lent}", f"borrowed {borrowed}"]


def _net_text(seconds: float) -> str:
    sign = "+" if seconds > 0 else "\N{MINUS SIGN}" if seconds < 0 else ""
    return f"{sign}{duration_text(abs(seconds))}"


def _paint_bar(
    painter: QPainter, frame: ChartFrame, zero: QPointF, loans: PoolLoans, inks: Sequence[QColor], pool: int
) -> None:
    """Draw what a pool lent as frames to the left and what it borrowed to the right, by the other pool."""
    scale = HALF_BAR / max(float(loans.lent.max()), float(loans.borrowed.max()), 1e-9)
    top, right, left = zero.y() - BAR_HEIGHT / 2, zero.x(), zero.x()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for other, ink in enumerate(inks):
        width = float(loans.seconds[other, pool]) * scale
        painter.fillRect(QRectF(right, top, width, BAR_HEIGHT), ink)
        right += width
        width = float(loans.seconds[pool, other]) * scale
        painter.setPen(QPen(ink, 1.0, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if width >= 1:
            painter.drawRect(QRectF(left - width, top, width - 1, BAR_HEIGHT - 1))
        left -= width
    painter.fillRect(QRectF(zero.x() - 0.5, top - 2, 1, BAR_HEIGHT + 4), frame.theme.text)
