"""What stands beside the circles: the scans saved, the precedence of subjobs, and perceived waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainterPath, QPen, QPolygonF

from core.model.time_text import clock_text, duration_text
from explorer.scans.circle_drawing import Canvas, DrawnPlace
from explorer.scans.scan_colours import Marked, frame, shade, text_upon
from explorer.scans.scan_story import blocks_text, bytes_text
from explorer.scans.scan_words import describe_subjob, is_waiting, left_text, subjob_name
from explorer.widgets.theme import translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.shared_scans.dataset_clock import DatasetClock
    from core.shared_scans.subjobs_left import SubjobLeft

NODE_HIGH, ARROW, NODE_AIR, ROW_GAP = 20.0, 13.0, 5.0, 3.0
WHOLE_ALPHA = 77
"""Of what is saved later than the instant: 30 %."""
BAR, MIN_BAR = 7.0, 9.0


class Placed(NamedTuple):
    """A node of the graph: its clock, its subjob, what is written into it, and where it is."""

    clock: DatasetClock
    subjob: SubjobLeft
    text: str
    box: QRectF


# ---- what is saved


def draw_saved(canvas: Canvas, box: QRectF, big: QFont, datasets: Sequence[int]) -> None:
    """Draw what sharing has saved by the instant and in all: a figure, and an area by dataset over time."""
    story, theme, line = canvas.story, canvas.theme, canvas.line
    saved = max(story.saved.until(canvas.time), 0.0)
    _left(canvas, box, 0.0, "Slot time saved", theme.second_text)
    painter, figure = canvas.painter, duration_text(saved)
    is_wide = QFontMetricsF(big).horizontalAdvance(figure) <= box.width()
    write_with(painter, big if is_wide else canvas.bold, theme.better if saved > 0 else theme.second_text)
    down = line + float(painter.fontMetrics().height())
    painter.drawText(QRectF(box.left(), box.top() + line, box.width(), down), 0, figure)
    reads = story.saved_until(canvas.time)
    facts = [f"by {clock_text(canvas.time, largest=story.end)}"]
    facts.append(blocks_text(round(reads.blocks)) if saved > 0 else "none")
    facts += [bytes_text(reads.bytes)] if reads.bytes is not None else []
    for text in _in_lines(canvas, facts, box.width()):
        _left(canvas, box, down, text, theme.second_text)
        down += line
    top = box.top() + down + 3
    plot = QRectF(box.left(), top, box.width(), box.bottom() - top - line - 2)
    if plot.height() >= 16:
        _draw_area(canvas, plot, datasets)
        whole = f"{duration_text(max(story.schedule.saved_work, 0.0))} in all"
        _right(canvas, box, box.height() - line, whole)


def _in_lines(canvas: Canvas, parts: Sequence[str], width: float) -> list[str]:
    """Return texts joined by commas, in lines of at most a width where they are not wider alone."""
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}, {part}"
        lines[-1:] = [longer] if canvas.width(longer) <= width else [lines[-1], part]
    return lines


def _left(
    canvas: Canvas, box: QRectF, down: float, text: str, colour: QColor, *, is_bold: bool = False
) -> None:
    canvas.write_left(box.topLeft() + QPointF(0, down), text, colour, is_bold=is_bold)


def _right(canvas: Canvas, box: QRectF, down: float, text: str, *, is_bold: bool = False) -> None:
    canvas.painter.setFont(canvas.bold if is_bold else canvas.small)
    canvas.painter.setPen(canvas.theme.text)
    place = QRectF(box.left(), box.top() + down, box.width(), canvas.line)
    canvas.painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _draw_area(canvas: Canvas, plot: QRectF, datasets: Sequence[int]) -> None:
    story, painter, theme = canvas.story, canvas.painter, canvas.theme
    painter.fillRect(plot, theme.lane)
    most = max(story.schedule.saved_work, 1e-9)
    curves = [story.saved.curve(dataset) for dataset in datasets]
    times = np.unique(np.concatenate([[0.0, story.end, canvas.time], *(curve[0] for curve in curves)]))
    xs = plot.left() + times / max(story.end, 1e-9) * plot.width()
    under = np.zeros(len(times))
    now = plot.left() + canvas.time / max(story.end, 1e-9) * plot.width()
    for dataset, curve in zip(datasets, curves, strict=True):
        over = under + np.interp(times, *curve)
        colour = shade(dataset, 2, theme)
        low, high = (plot.bottom() - each / most * plot.height() for each in (under, over))
        points = [*zip(xs.tolist(), high.tolist(), strict=True)]
        points += [*zip(xs[::-1].tolist(), low[::-1].tolist(), strict=True)]
        area = QPolygonF([QPointF(x, y) for x, y in points])
        pale = translucent(colour, WHOLE_ALPHA)
        painter.setPen(Qt.PenStyle.NoPen)
        for fill, right in ((pale, plot.right()), (colour, now)):
            painter.save()
            painter.setClipRect(QRectF(plot.left(), plot.top(), right - plot.left(), plot.height() + 1))
            painter.setBrush(fill)
            painter.drawPolygon(area)
            painter.restore()
        under = over
    painter.setPen(QPen(theme.line, 1))
    painter.drawLine(plot.bottomLeft(), plot.bottomRight())
    painter.setPen(QPen(theme.cursor, 1.5))
    painter.drawLine(QLineF(now, plot.top(), now, plot.bottom()))


# ---- precedence


def draw_precedence(canvas: Canvas, box: QRectF, clocks: Sequence[DatasetClock]) -> None:
    """Draw the subjobs that are left, and which must come before which; the first clock's with its sum."""
    heading = {"circumflex": "Precedence", "flex": "No precedence"}.get(
        canvas.story.policy, "Batches, any order"
    )
    total = left_text(canvas.story, clocks[0])
    room = box.width() - canvas.width(heading) - 10
    _left(canvas, box, 0.0, heading, canvas.theme.second_text)
    down = canvas.line + 4
    if canvas.width(total, is_bold=True) <= room:
        _right(canvas, box, 0.0, total, is_bold=True)
    else:
        is_whole = canvas.width(total, is_bold=True) <= box.width()
        for text in [total] if is_whole else total.split(": ", 1):
            _left(canvas, box, down - 4, text, canvas.theme.text, is_bold=True)
            down += canvas.line
    place = box.adjusted(0, down, 0, 0)
    nodes, left_out = place_nodes(canvas, place, clocks)
    _draw_arrows(canvas, nodes)
    for node in nodes:
        _draw_node(canvas, node)
    if left_out:
        seconds = duration_text(sum(subjob.seconds for subjob in left_out))
        more = f"and {len(left_out)} more, {seconds}"
        _left(canvas, box, box.height() - canvas.line, more, canvas.theme.second_text)


def place_nodes(
    canvas: Canvas, place: QRectF, clocks: Sequence[DatasetClock]
) -> tuple[list[Placed], list[SubjobLeft]]:
    """Return where the nodes of some clocks are, and the subjobs that have no room.

    Chains go from left to right, and on in the next row; sets of blocks stand in columns by depth.
    """
    row = NODE_HIGH + canvas.line + ROW_GAP
    placed: list[Placed] = []
    left_out: list[SubjobLeft] = []
    top = place.top()
    for clock in clocks:
        if not clock.left:
            continue
        texts = [subjob_name(canvas.story, clock, each) for each in clock.left]
        depths = [each.depth for each in clock.left]
        is_chain = all(len(each.after) <= 1 for each in clock.left) and not any(
            depths.count(d) > 1 and d > 0 for d in depths
        )
        if not is_chain:
            texts = _column_texts(canvas, place, clock, texts)
        spots, rows = (_flow if is_chain else _columns)(canvas, place.width(), clock, texts)
        for subjob, text, (x, line, wide) in zip(clock.left, texts, spots, strict=True):
            box = QRectF(place.left() + x, top + line * row, wide, NODE_HIGH)
            if box.bottom() + canvas.line > place.bottom() + 1:
                left_out.append(subjob)
            else:
                placed.append(Placed(clock, subjob, text, box))
        top += rows * row
    room = place.bottom() - canvas.line
    while left_out and placed and placed[-1].box.bottom() + canvas.line > room:
        left_out.append(placed.pop().subjob)
    return placed, left_out


Spots = list[tuple[float, int, float]]
"""X, row and width of each node."""


def _wide(canvas: Canvas, text: str) -> float:
    return canvas.width(text, is_bold=True) + 2 * NODE_AIR


def _flow(canvas: Canvas, width: float, clock: DatasetClock, texts: list[str]) -> tuple[Spots, int]:
    spots: Spots = []
    x, line = 0.0, 0
    for subjob, text in zip(clock.left, texts, strict=True):
        wide = max(_wide(canvas, text), canvas.width(duration_text(subjob.seconds)))
        if spots and x + wide > width:
            x, line = (ARROW if subjob.after else 0.0), line + 1
        spots.append((x, line, wide))
        x += wide + ARROW
    return spots, line + 1


def _column_texts(canvas: Canvas, place: QRectF, clock: DatasetClock, texts: list[str]) -> list[str]:
    """Return the names of nodes in columns: how many share alone, where the whole names have no room."""
    columns = max(each.depth for each in clock.left) + 1
    if columns * (max(_wide(canvas, text) for text in texts) + ARROW) - ARROW <= place.width():
        return texts
    return [f"{each.place}: ×{len(each.jobs)}" for each in clock.left]


def _columns(canvas: Canvas, width: float, clock: DatasetClock, texts: list[str]) -> tuple[Spots, int]:
    del width
    depths = [each.depth for each in clock.left]
    wide = max(_wide(canvas, text) for text in texts)
    seen: dict[int, int] = {}
    spots: Spots = []
    for depth in depths:
        line = seen.get(depth, 0)
        seen[depth] = line + 1
        spots.append((depth * (wide + ARROW), line, wide))
    return spots, max(seen.values())


def _draw_node(canvas: Canvas, node: Placed) -> None:
    clock, subjob, story, theme = node.clock, node.subjob, canvas.story, canvas.theme
    jobs = canvas.jobs(subjob.jobs)
    waits = is_waiting(clock, subjob)
    fill = theme.surface if waits else shade(clock.dataset, len(jobs), theme)
    ink = theme.text if waits else text_upon(fill)
    style = Qt.PenStyle.DashLine if waits else Qt.PenStyle.SolidLine
    painter = canvas.painter
    painter.setPen(QPen(canvas.tone(frame(clock.dataset, theme), jobs), 1, style))
    painter.setBrush(canvas.tone(fill, jobs))
    painter.drawRoundedRect(node.box, 4, 4)
    shown = canvas.marked.shows(jobs)
    canvas.write(node.box, node.text, ink if shown else canvas.tone(theme.text, jobs), is_bold=True)
    below = node.box.translated(0, NODE_HIGH)
    below.setHeight(canvas.line)
    canvas.write(below, duration_text(subjob.seconds), canvas.tone(theme.second_text, jobs))
    path = QPainterPath()
    path.addRect(node.box.adjusted(0, 0, 0, canvas.line))
    canvas.spots.append(DrawnPlace(path, Marked(jobs, True), describe_subjob(story, clock, subjob)))


def _draw_arrows(canvas: Canvas, nodes: Sequence[Placed]) -> None:
    boxes = {(node.clock.dataset, node.subjob.jobs): node.box for node in nodes}
    painter = canvas.painter
    for node in nodes:
        for index in node.subjob.after:
            before = boxes.get((node.clock.dataset, node.clock.left[index].jobs))
            if before is None:
                continue
            jobs = canvas.jobs(node.subjob.jobs)
            painter.setPen(QPen(canvas.tone(canvas.theme.second_text, jobs), 1.2))
            end = QPointF(node.box.left() - 1, node.box.center().y())
            start = QPointF(before.right(), before.center().y())
            if end.x() < start.x():  # on in the next row
                start = QPointF(end.x() - ARROW + 3, end.y())
            painter.drawLine(QLineF(start, end))
            painter.drawLine(QLineF(end, end + QPointF(-4, -3)))
            painter.drawLine(QLineF(end, end + QPointF(-4, 3)))


# ---- waits


def draw_waits(canvas: Canvas, box: QRectF) -> None:
    """Draw by how much longer each job takes than it would alone: pale in all, full up to the instant."""
    story, theme = canvas.story, canvas.theme
    whole, so_far = story.schedule.perceived_wait(), story.schedule.perceived_wait(canvas.time)
    _left(canvas, box, 0.0, "Perceived wait", theme.second_text)
    mean = f"mean {duration_text(float(whole.mean()))}"
    if canvas.width(mean) + canvas.width("Perceived wait") + 10 <= box.width():
        _right(canvas, box, 0.0, mean, is_bold=True)
    room = box.height() - canvas.line - 2
    pitch = min(max(room / len(whole), MIN_BAR), canvas.line + 1)
    most = int(room // pitch)
    order = np.argsort(-whole, kind="stable") if most < len(whole) else np.arange(len(whole))
    shown = sorted(order[: most if most >= len(whole) else max(most - 1, 0)].tolist())
    names = max((canvas.width(story.entry_name(entry)) for entry in shown), default=0.0) + 6
    texts = max((canvas.width(duration_text(float(whole[entry]))) for entry in shown), default=0.0) + 4
    wide = max(box.width() - names - texts, 10.0)
    scale = wide / max(float(whole.max(initial=0.0)), 1e-9)
    for k, entry in enumerate(shown):
        row = QRectF(box.left(), box.top() + canvas.line + 2 + k * pitch, box.width(), pitch)
        _draw_wait(canvas, row, entry, (names, float(whole[entry]) * scale, float(so_far[entry]) * scale))
    if len(shown) < len(whole):
        more = f"and {len(whole) - len(shown)} more that wait less"
        _left(canvas, box, box.height() - canvas.line, more, theme.second_text)


def _draw_wait(canvas: Canvas, row: QRectF, entry: int, wide: tuple[float, float, float]) -> None:
    story, theme = canvas.story, canvas.theme
    names, whole, so_far = wide
    jobs, dataset = canvas.jobs((entry,)), int(story.schedule.jobs.dataset[entry])
    middle = row.center().y()
    text = QRectF(row.left(), middle - canvas.line / 2, names, canvas.line)
    canvas.painter.setFont(canvas.small)
    canvas.painter.setPen(canvas.tone(theme.text, jobs))
    canvas.painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, story.entry_name(entry))
    bar = QRectF(row.left() + names, middle - BAR / 2, whole, BAR)
    pale = translucent(shade(dataset, 2, theme), WHOLE_ALPHA)
    canvas.painter.fillRect(bar, pale)
    bar.setWidth(so_far)
    canvas.painter.fillRect(bar, canvas.tone(shade(dataset, 2, theme), jobs))
    seconds = duration_text(float(story.schedule.perceived_wait()[entry]))
    after = QRectF(row.left() + names + whole + 3, text.top(), 200, canvas.line)
    canvas.painter.drawText(after, Qt.AlignmentFlag.AlignVCenter, seconds)
    path = QPainterPath()
    path.addRect(row)
    tip = f"{story.entry_name(entry)} takes {seconds} longer than it would alone on the cluster"
    canvas.spots.append(DrawnPlace(path, Marked(jobs), tip))
