"""Subjobs as bars of slots over time, coloured by how many jobs they serve (003 Figures 3 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen
from typing_extensions import override

from core.model.time_text import duration_text
from explorer.scans.scan_colours import NOTHING, Marked, frame, shade, text_upon
from explorer.scans.time_picture import TimePicture
from explorer.widgets.theme import mixed, theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor

    from core.shared_scans.subjob_bars import SubjobBar
    from explorer.scans.scan_story import ScanStory

LABEL_AIR = 3
FADED = 0.65


class BarRun(NamedTuple):
    """Bars of one subjob that follow each other without a step: the first, and where the last ends."""

    bar: SubjobBar
    end: float


class SubjobChart(TimePicture):
    """How many slots each subjob holds when."""

    def __init__(self) -> None:
        super().__init__(has_axis=False)
        self._runs: list[BarRun] = []

    def show_story(self, story: ScanStory) -> None:
        """Show another schedule."""
        self._runs = runs_of(story.bars)
        super().show_story(story)

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw the bars; upon them what they are called, or how many jobs share, where there is room."""
        for bar in story.bars:
            if bar.end >= self.start and bar.start <= self.end:
                self._draw_bar(painter, story, bar)
        for run in self._runs:
            colour = self._colour(story, run.bar)
            painter.setPen(text_upon(colour))
            self._label(painter, story, run)

    def _colour(self, story: ScanStory, bar: SubjobBar) -> QColor:
        theme = theme_of(self)
        colour = shade(bar.dataset, bar.concurrency, theme)
        return colour if self.marked.shows(jobs_of(story, bar)) else mixed(colour, theme.plot, FADED)

    def _box(self, bar: SubjobBar, slots: float, end: float | None = None) -> QRectF:
        plot = self.plot
        unit = plot.height() / slots
        left, right = self.x_of(bar.start), self.x_of(bar.end if end is None else end)
        return QRectF(left, plot.bottom() - (bar.bottom + bar.slots) * unit, right - left, bar.slots * unit)

    def draw_frame(self, painter: QPainter, story: ScanStory) -> None:
        """Write the slots."""
        plot, height = self.plot, QFontMetricsF(painter.font()).height()
        painter.fillRect(plot, theme_of(self).lane)
        lines = (("Slots", theme_of(self).text), (f"{story.schedule.slots:g}", theme_of(self).second_text))
        for k, (text, colour) in enumerate(lines):
            painter.setPen(colour)
            place = QRectF(0, plot.top() + k * height, self.gutter - 6, height)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, text)

    def _draw_bar(self, painter: QPainter, story: ScanStory, bar: SubjobBar) -> None:
        box = self._box(bar, story.schedule.slots)
        theme = theme_of(self)
        painter.fillRect(box.adjusted(0, 0, 0.5, 0.3), self._colour(story, bar))
        line = frame(bar.dataset, theme)
        if not self.marked.shows(jobs_of(story, bar)):
            line = mixed(line, theme.plot, FADED)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(line, 0.7))
        painter.drawLine(box.topLeft(), box.topRight())
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        if not bar.continues:
            painter.setPen(QPen(theme.plot, 1))
            painter.drawLine(box.topLeft(), box.bottomLeft())

    def _label(self, painter: QPainter, story: ScanStory, run: BarRun) -> None:
        """Write the longest of a bar's names that has room into it, rather lying than standing."""
        box = self._box(run.bar, story.schedule.slots, run.end) & self.plot
        metrics = QFontMetricsF(painter.font())
        sizes = [
            (text, QSizeF(metrics.horizontalAdvance(text) + 2 * LABEL_AIR, metrics.height()))
            for text in bar_names(story, run.bar)
        ]
        for text, size in sizes:
            if size.width() <= box.width() and size.height() <= box.height():
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                return
        for text, size in sizes:
            if size.width() <= box.height() and size.height() <= box.width():
                painter.save()
                painter.translate(box.center())
                painter.rotate(-90)
                place = QRectF(QPointF(-size.width() / 2, -size.height() / 2), size)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                painter.restore()
                return

    def bar_at(self, x: float, y: float) -> SubjobBar | None:
        """Return the bar at a place, or None."""
        if self.story is None:
            return None
        slots = self.story.schedule.slots
        return next((bar for bar in self.story.bars if self._box(bar, slots).contains(x, y)), None)

    def _marked_at(self, event: QMouseEvent) -> Marked:
        bar = self.bar_at(event.position().x(), event.position().y())
        if bar is None or self.story is None:
            return NOTHING
        return Marked(jobs_of(self.story, bar), True)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._marked_at(event))
        super().mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons():
            self.pointed.emit(self._marked_at(event))
        super().mouseMoveEvent(event)

    @override
    def tip_at(self, place: QPointF) -> str:
        bar = self.bar_at(place.x(), place.y())
        return "" if bar is None or self.story is None else describe(self.story, bar)


def runs_of(bars: Sequence[SubjobBar]) -> list[BarRun]:
    """Join bars of one subjob that follow each other at the same height, the largest first."""
    open_runs: dict[tuple[object, ...], BarRun] = {}
    done: list[BarRun] = []
    for bar in bars:
        key = (bar.dataset, bar.sharing_jobs, bar.bottom, bar.slots)
        run = open_runs.get(key)
        if run is not None and run.end == bar.start:
            open_runs[key] = BarRun(run.bar, bar.end)
            continue
        if run is not None:
            done.append(run)
        open_runs[key] = BarRun(bar, bar.end)
    done += open_runs.values()
    return sorted(done, key=lambda run: (run.bar.start - run.end) * run.bar.slots)


def jobs_of(story: ScanStory, bar: SubjobBar) -> frozenset[int]:
    """Return the workload's jobs that a bar serves."""
    return frozenset(int(story.job[entry]) for entry in bar.sharing_jobs)


def bar_names(story: ScanStory, bar: SubjobBar) -> tuple[str, ...]:
    """Return what a bar may be called, the longest first."""
    name, count = story.dataset_names[bar.dataset], bar.concurrency
    if count == 1:
        alone = story.entry_name(bar.sharing_jobs[0])
        first = f"{alone} alone" if story.policy != "circumflex" else f"({name},{bar.place}) ×1"
        return (first, alone if story.policy != "circumflex" else "×1")
    if story.policy == "circumflex":
        return (f"({name},{bar.place}) ×{count}", f"×{count}")
    jobs = ", ".join(map(story.entry_name, bar.sharing_jobs))
    return (f"{jobs} ×{count}", f"×{count}")


def describe(story: ScanStory, bar: SubjobBar) -> str:
    """Return the description of a bar."""
    sharing_jobs = ", ".join(story.job_names[int(story.job[entry])] for entry in bar.sharing_jobs)
    length = duration_text(bar.end - bar.start)
    further = bar.concurrency - 1
    scans = "scan" if further == 1 else "scans"
    saves = f"\nit saves {further} further {scans} of these blocks" if further else ""
    return (
        f"Subjob ({story.dataset_names[bar.dataset]}, {bar.place}), concurrency {bar.concurrency}\n"
        f"{bar.slots:.3g} slots for {length}\nserves {sharing_jobs}{saves}"
    )
