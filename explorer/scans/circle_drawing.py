"""One dataset as a circle (003 Figures 2 and 3): subjobs as sectors, jobs as rings, scans as hands."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from core.model.time_text import duration_text
from explorer.scans.circle_places import on_circle, sector
from explorer.scans.scan_colours import FADED_ALPHA, Marked, frame, shade
from explorer.scans.scan_words import describe_hand, describe_subjob, subjob_name, work_text
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from core.shared_scans.dataset_clock import ClockHand, DatasetClock
    from core.shared_scans.scan_track import ScannedArc
    from core.shared_scans.subjobs_left import SubjobLeft
    from explorer.scans.scan_story import ScanStory
    from explorer.widgets.theme import Theme

BAND_SHARE, MIN_BAND, MAX_BAND = 0.13, 5.0, 18.0
"""How wide the band of subjobs is, of the radius, and in pixels."""
GAP, RING_GAP = 5.0, 4.0
MIN_RING, MAX_RING, FINEST_RING, NAMED_RING = 5.0, 20.0, 2.5, 6.0
"""Pixels of rings: with room for a name, at most, in small circles, and where each is to have a name."""
HUB = 0.2
"""Of the radius, free of rings."""
PILL, PILL_AIR, PILL_EDGE = 15.0, 4.0, 3.0
KNOB, HAND_OUT = 4.2, 6.0
LABEL_OUT = 13.0
WINDOW_OUT, WINDOW_THICK = 8.0, 4.0
NARROWEST = 0.02
"""Turns of a sector that has a radius at its end."""


class DrawnPlace(NamedTuple):
    """A place that can be pointed at: what it marks, and what it says."""

    path: QPainterPath
    marked: Marked
    tip: str


@dataclass
class Canvas:
    """What a drawing needs to know, and what it leaves behind.

    Attributes
    ----------
    painter, theme, story, time : where, in which colours, of which schedule at which second
    marked : what stands out
    small, bold : fonts of labels
    spots : what can be pointed at, the topmost last
    taken : where text stands
    """

    painter: QPainter
    theme: Theme
    story: ScanStory
    time: float
    marked: Marked
    small: QFont
    bold: QFont
    spots: list[DrawnPlace] = field(default_factory=list)
    taken: list[QRectF] = field(default_factory=list)

    def jobs(self, entries: tuple[int, ...]) -> frozenset[int]:
        """Return the workload's jobs of some entries of the schedule."""
        return frozenset(int(self.story.job[entry]) for entry in entries)

    def tone(self, colour: QColor, jobs: frozenset[int]) -> QColor:
        """Return a colour, fainter if something else is marked."""
        if self.marked.shows(jobs):
            return colour
        return translucent(colour, min(FADED_ALPHA, colour.alpha()))

    def is_free(self, box: QRectF) -> bool:
        """Return whether no text stands there."""
        return not any(box.intersects(other) for other in self.taken)

    def write(self, box: QRectF, text: str, colour: QColor, *, is_bold: bool = False) -> None:
        """Write a line in the middle of a box."""
        self.painter.setFont(self.bold if is_bold else self.small)
        self.painter.setPen(colour)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def write_left(self, at: QPointF, text: str, colour: QColor, *, is_bold: bool = False) -> None:
        """Write a line from a point on, which is its upper left corner."""
        self.painter.setFont(self.bold if is_bold else self.small)
        self.painter.setPen(colour)
        box = QRectF(at.x(), at.y(), self.width(text, is_bold=is_bold) + 2, self.line)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def width(self, text: str, *, is_bold: bool = False) -> float:
        """Return how wide a text is."""
        return QFontMetricsF(self.bold if is_bold else self.small).horizontalAdvance(text)

    @property
    def line(self) -> float:
        """The height of a line."""
        return QFontMetricsF(self.small).height()


class CircleDrawing:
    """Draws the circle of a dataset at an instant into a canvas."""

    def __init__(
        self,
        canvas: Canvas,
        clock: DatasetClock,
        centre: QPointF,
        radius: float,
        finest: float = FINEST_RING,
    ) -> None:
        """Decide which jobs have rings, none of which is thinner than the finest, in pixels."""
        self._canvas, self._clock, self._centre, self._radius = canvas, clock, centre, radius
        story = canvas.story
        self._band = min(max(BAND_SHARE * radius, MIN_BAND), MAX_BAND)
        self._frame = frame(clock.dataset, canvas.theme)
        self._members = (*(hand.job for hand in clock.hands), *clock.waiting)
        room = radius - self._band - GAP - max(HUB * radius, 6.0)
        pitch = room / max(len(self._members), 1)
        gap = RING_GAP if pitch >= 8 + RING_GAP else min(pitch / 4, RING_GAP)
        self._is_named = finest >= MIN_RING
        self._ring = min(max(pitch - gap, finest), MAX_RING)
        self._pitch = self._ring + gap
        self._members = self._with_marked()
        self._is_alone = story.policy == "flex"

    def _with_marked(self) -> tuple[int, ...]:
        """Return the jobs by rings; one that stands out has the innermost if there was none for it."""
        shown, hidden = self._members[: self._shown()], self._members[self._shown() :]
        marked = [entry for entry in hidden if self._canvas.jobs((entry,)) & self._canvas.marked.jobs]
        marked = marked[: len(shown)]
        kept, gone = shown[: len(shown) - len(marked)], shown[len(shown) - len(marked) :]
        return (*kept, *marked, *gone, *(entry for entry in hidden if entry not in marked))

    @property
    def hidden_jobs(self) -> tuple[int, ...]:
        """The entries of the jobs that have no room for a ring."""
        return self._members[self._shown() :]

    @property
    def hidden(self) -> int:
        """How many jobs have no room for a ring."""
        hub = max(HUB * self._radius, 6.0) if self._is_named else 0.0
        room = self._radius - self._band - GAP - hub
        return max(len(self._members) - int(room / self._pitch + 1e-9), 0)

    def draw(self, *, has_labels: bool) -> None:
        """Draw all of it; labels of subjobs outside of the circle only where there is room."""
        painter = self._canvas.painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_window()
        self._draw_track()
        if self._is_alone:
            self._draw_reads()
        else:
            self._draw_sectors()
        self._draw_rings()
        self._draw_hands()
        self._draw_names()
        if has_labels and not self._is_alone:
            self._draw_labels()
        elif has_labels:
            self._label_reads()

    # ---- the band

    def _fill(self, path: QPainterPath, colour: QColor, line: QColor, width: float = 0.7) -> None:
        painter = self._canvas.painter
        painter.setPen(QPen(line, width))
        painter.setBrush(colour)
        painter.drawPath(path)

    def _draw_track(self) -> None:
        track = sector(self._centre, self._radius - self._band, self._radius, 0.0, 1.0)
        self._fill(track, self._canvas.theme.faint_line, self._canvas.theme.line)
        painter = self._canvas.painter
        painter.setPen(QPen(self._canvas.theme.line, 1))
        for k in range(4 if self._radius < 60 else 12):
            turn = k / (4 if self._radius < 60 else 12)
            a, b = (on_circle(self._centre, self._radius + out, turn) for out in (1.5, 4.5))
            painter.drawLine(QLineF(a, b))

    def _sub_bands(self) -> dict[tuple[int, ...], tuple[float, float]]:
        """Return the inner and outer radius of each subjob: scans that run at once lie within one another."""
        group_of = {hand.job: hand.group for hand in self._clock.hands}
        left = [each for each in self._clock.left if each.has_boarded]
        groups = list(dict.fromkeys(group_of[each.jobs[0]] for each in left))
        wide = self._band / max(len(groups), 1)
        bands = {}
        for each in left:
            k = groups.index(group_of[each.jobs[0]])
            bands[each.jobs] = (self._radius - (k + 1) * wide, self._radius - k * wide)
        return bands

    def _draw_sectors(self) -> None:
        canvas, clock = self._canvas, self._clock
        bands = self._sub_bands()
        tinted = self._ring_of(max(self._shown() - 1, 0))[0] - 1
        for subjob in clock.left:
            if not subjob.has_boarded:
                continue
            jobs = canvas.jobs(subjob.jobs)
            colour = canvas.tone(shade(clock.dataset, len(jobs), canvas.theme), jobs)
            line = canvas.tone(self._frame, jobs)
            tip = describe_subjob(canvas.story, clock, subjob)
            for begin, length in subjob.where:
                path = sector(self._centre, *bands[subjob.jobs], begin, length)
                self._fill(path, colour, line)
                tint = translucent(colour, min(colour.alpha(), 34))
                within = sector(self._centre, 0.0, tinted, begin, length)
                self._fill(within, tint, QColor(0, 0, 0, 0))
                canvas.spots += [DrawnPlace(each, Marked(jobs, True), tip) for each in (within, path)]
            self._draw_end(subjob)

    def _draw_end(self, subjob: SubjobLeft) -> None:
        """Draw a dotted line where a subjob ends."""
        begin, length = subjob.where[-1]
        if subjob.turns < NARROWEST or subjob.turns > 1 - NARROWEST:
            return
        painter, turn = self._canvas.painter, begin + length
        painter.setPen(QPen(self._canvas.theme.text, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(self._centre, on_circle(self._centre, self._radius, turn)))

    def _draw_reads(self) -> None:
        """Draw which blocks have been read once and which more often, where no reads are shared."""
        canvas = self._canvas
        for stretch in self._clock.reads():
            path = sector(
                self._centre, self._radius - self._band, self._radius, stretch.begin, stretch.length
            )
            once = shade(self._clock.dataset, 1, canvas.theme)
            self._fill(path, once, self._frame)
            if stretch.times > 1:
                hatch = QBrush(self._frame, Qt.BrushStyle.BDiagPattern)
                canvas.painter.setBrush(hatch)
                canvas.painter.drawPath(path)
            times = "once" if stretch.times == 1 else f"{stretch.times} times"
            canvas.spots.append(DrawnPlace(path, Marked(), f"Blocks that have been read {times}"))

    # ---- rings

    def _ring_of(self, k: int) -> tuple[float, float]:
        outer = self._radius - self._band - GAP - k * self._pitch
        return outer - self._ring, outer

    def _shown(self) -> int:
        return len(self._members) - self.hidden

    def _draw_rings(self) -> None:
        canvas, clock = self._canvas, self._clock
        hands = {hand.job: hand for hand in clock.hands}
        for k, entry in enumerate(self._members[: self._shown()]):
            inner, outer = self._ring_of(k)
            jobs, hand = canvas.jobs((entry,)), hands.get(entry)
            line = canvas.tone(self._frame, jobs)
            whole = sector(self._centre, inner, outer, 0.0, 1.0)
            canvas.painter.setBrush(canvas.theme.surface)
            is_served = hand is not None and (hand.scanned > 0 or hand.slots > 0)
            style = Qt.PenStyle.SolidLine if is_served else Qt.PenStyle.DashLine
            canvas.painter.setPen(QPen(line, 0.7, style))
            for radius in (outer, inner):
                canvas.painter.drawEllipse(self._centre, radius, radius)
            if hand is not None and not _is_whole(hand):
                self._mark_own(hand, inner, outer, line)
            for stretch in hand.stretches if hand else ():
                colour = canvas.tone(shade(clock.dataset, stretch.times, canvas.theme), jobs)
                self._fill(self._arc(stretch, inner, outer), colour, line, 0.5)
            canvas.spots.append(DrawnPlace(whole, Marked(jobs), describe_hand(canvas.story, clock, entry)))

    def _arc(self, stretch: ScannedArc, inner: float, outer: float) -> QPainterPath:
        return sector(self._centre, inner, outer, stretch.begin, stretch.length)

    def _mark_own(self, hand: ClockHand, inner: float, outer: float, line: QColor) -> None:
        """Tint the blocks that a job needs, where it does not need all of them."""
        pale = translucent(line, min(line.alpha(), 40))
        for arc in hand.arcs:
            self._fill(sector(self._centre, inner, outer, arc.begin, arc.length), pale, line, 0.5)

    def _draw_names(self) -> None:
        """Write each job's name into its ring where it boarded, or further on where others stand."""
        canvas = self._canvas
        boarded = {hand.job: hand.boarded for hand in self._clock.hands}
        if self._ring < MIN_RING:
            return
        for k, entry in enumerate(self._members[: self._shown()]):
            inner, outer = self._ring_of(k)
            name = canvas.story.entry_name(entry)
            wide = canvas.width(name, is_bold=True) + 2 * PILL_AIR + PILL_EDGE
            if wide > 1.6 * self._radius:
                continue
            for step in range(40):
                turn = boarded.get(entry, 0.0) + step / 40
                point = on_circle(self._centre, (inner + outer) / 2, turn)
                box = QRectF(point.x() + 1, point.y() - PILL / 2, wide, PILL)
                if canvas.is_free(box):
                    self._draw_pill(box, name, canvas.jobs((entry,)))
                    break

    def _draw_pill(self, box: QRectF, name: str, jobs: frozenset[int]) -> None:
        canvas = self._canvas
        canvas.taken.append(box)
        behind = translucent(canvas.theme.surface, 230)
        canvas.painter.setPen(Qt.PenStyle.NoPen)
        canvas.painter.setBrush(behind)
        canvas.painter.drawRoundedRect(box, 2, 2)
        edge = QRectF(box.left(), box.top() + 1, PILL_EDGE, box.height() - 2)
        canvas.painter.fillRect(edge, canvas.tone(self._frame, jobs))
        canvas.write(
            box.adjusted(PILL_EDGE, 0, 0, 0), name, canvas.tone(canvas.theme.text, jobs), is_bold=True
        )

    # ---- hands

    def _draw_hands(self) -> None:
        canvas, painter = self._canvas, self._canvas.painter
        scans = self._clock.scans
        painter.setPen(QPen(canvas.theme.ink, 2.2))
        places = {entry: k for k, entry in enumerate(self._members)}
        for scan in scans:
            jobs = canvas.jobs(scan.jobs)
            ink = canvas.tone(canvas.theme.ink, jobs)
            painter.setPen(QPen(ink, 2.2))
            painter.setBrush(ink)
            is_own = self._is_alone or len(scans) > 1
            if not is_own:
                out = 0.0 if canvas.story.windows is not None else HAND_OUT
                end = on_circle(self._centre, self._radius + out, scan.position)
                painter.drawLine(QLineF(self._centre, end))
                painter.drawEllipse(end, KNOB, KNOB)
            elif places[scan.jobs[0]] < self._shown():
                inner, outer = self._ring_of(places[scan.jobs[0]])
                end = on_circle(self._centre, (inner + outer) / 2, scan.position)
                painter.drawLine(QLineF(self._centre, end))
                self._draw_knob(end, canvas.story.entry_name(scan.jobs[0]), ink)
        if scans:
            fill_with(painter, canvas.theme.ink)
            painter.drawEllipse(self._centre, KNOB, KNOB)

    def _draw_knob(self, end: QPointF, name: str, ink: QColor) -> None:
        """Draw the end of a hand in its job's ring, with the name where it is short."""
        canvas = self._canvas
        canvas.painter.setPen(QPen(ink, 1.6))
        canvas.painter.setBrush(canvas.theme.surface)
        wide = canvas.width(name, is_bold=True) + 6
        if wide > 30 or self._ring < MIN_RING:
            canvas.painter.drawEllipse(end, KNOB, KNOB)
            return
        box = QRectF(end.x() - max(wide, 18) / 2, end.y() - 9, max(wide, 18), 18)
        canvas.painter.drawRoundedRect(box, 9, 9)
        canvas.taken.append(box)
        canvas.write(box, name, ink, is_bold=True)

    def _draw_window(self) -> None:
        """Draw the window in which jobs gather: an arc that is full when they board."""
        canvas, story = self._canvas, self._canvas.story
        if story.windows is None:
            return
        begin, end = story.windows.around(self._clock.dataset, canvas.time)
        inner = self._radius + WINDOW_OUT - WINDOW_THICK / 2
        outer = inner + WINDOW_THICK
        self._fill(sector(self._centre, inner, outer, 0.0, 1.0), canvas.theme.faint_line, canvas.theme.line)
        part = (canvas.time - begin) / (end - begin)
        path = sector(self._centre, inner, outer, 0.0, part)
        self._fill(path, canvas.theme.second_text, canvas.theme.second_text)
        for entry in self._clock.waiting:
            turn = (float(story.schedule.jobs.arrival[entry]) - begin) / (end - begin)
            canvas.painter.setPen(QPen(canvas.theme.text, 1.6))
            a, b = (on_circle(self._centre, radius, turn) for radius in (inner - 3, outer + 3))
            canvas.painter.drawLine(QLineF(a, b))
        tip = f"The window that ends in {duration_text(end - canvas.time)}; a tick for each job that waits"
        canvas.spots.append(DrawnPlace(sector(self._centre, inner, outer, 0.0, 1.0), Marked(), tip))

    # ---- labels

    def _draw_labels(self) -> None:
        canvas, clock = self._canvas, self._clock
        for subjob in sorted(clock.left, key=lambda each: -each.turns):
            if not subjob.has_boarded:
                continue
            begin, length = max(subjob.where, key=lambda each: each[1])
            name = subjob_name(canvas.story, clock, subjob)
            self._label(begin + length / 2, (name, work_text(canvas.story, clock, subjob)), subjob.jobs)

    def _label_reads(self) -> None:
        twice = [each for each in self._clock.reads() if each.times > 1]
        count = self._canvas.story.blocks(self._clock.dataset, sum(e.length * (e.times - 1) for e in twice))
        if twice and count:
            longest = max(twice, key=lambda each: each.length)
            self._label(longest.begin + longest.length / 2, (count, "read again"), ())

    def _label(self, turn: float, lines: tuple[str, str], entries: tuple[int, ...]) -> None:
        """Write two lines, or one, outside of the circle where nothing else stands."""
        canvas, jobs = self._canvas, self._canvas.jobs(entries)
        out = LABEL_OUT + (WINDOW_OUT if canvas.story.windows is not None else 0)
        for count, moved in itertools.product((2, 1), (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)):
            point = on_circle(self._centre, self._radius + out, turn + moved)
            texts = lines[:count]
            wide = max(canvas.width(texts[0], is_bold=True), *(canvas.width(t) for t in texts)) + 2
            side = math.sin(2 * math.pi * turn)
            left = point.x() - (0 if side > 0.2 else wide if side < -0.2 else wide / 2)
            tall = count * canvas.line
            up = (1 - -math.cos(2 * math.pi * turn)) / 2
            box = QRectF(left, point.y() - tall * up, wide, tall)
            if canvas.is_free(box) and self._room.contains(box):
                canvas.taken.append(box)
                for k, text in enumerate(texts):
                    row = QRectF(box.left(), box.top() + k * canvas.line, wide, canvas.line)
                    colour = canvas.theme.text if k == 0 else canvas.theme.second_text
                    canvas.write(row, text, canvas.tone(colour, jobs), is_bold=k == 0)
                return

    _room = QRectF(-1e6, -1e6, 2e6, 2e6)

    def keep_within(self, room: QRectF) -> None:
        """Write no label outside of a box."""
        self._room = room


def _is_whole(hand: ClockHand) -> bool:
    return len(hand.arcs) == 1 and hand.arcs[0].length >= 1.0 - 1e-9
