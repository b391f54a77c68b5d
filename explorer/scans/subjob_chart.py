"""Subjobs as bars of slots over time, striped by the jobs they serve (003 Figures 3 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from core.model.time_text import duration_text
from explorer.scans.time_picture import EDGE, LEFT, TimePicture, dataset_colour
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import mixed, theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.shared_scans.subjob_bars import SubjobBar
    from explorer.scans.scan_story import ScanStory

LABEL_AIR = 4


class BarRun(NamedTuple):
    """Bars of one subjob that follow each other without a step: the first, and where the last ends."""

    bar: SubjobBar
    end: float


class SubjobChart(TimePicture):
    """How many slots each job holds when: one bar per subjob, one stripe per sharing job."""

    def __init__(self) -> None:
        super().__init__("Subjobs: slots over time, a stripe per sharing job")
        self._runs: list[BarRun] = []

    def show_story(self, story: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show another schedule."""
        self._runs = runs_of(story.bars)
        super().show_story(story, colour_of)

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw the bars; upon them each dataset's name once, and how many jobs share, where there is room."""
        seen = [bar for bar in story.bars if bar.end >= self.start and bar.start <= self.end]
        for bar in seen:
            self._draw_bar(painter, story, bar)
        labelled: set[tuple[int, ...]] = set()
        named: set[int] = set()
        for run in self._runs:
            key = (run.bar.dataset, *run.bar.sharing_jobs)
            if key in labelled:
                continue
            texts = [f"×{run.bar.concurrency}"] if run.bar.concurrency > 1 else []
            if run.bar.dataset not in named:
                texts.insert(0, " ".join([story.dataset_names[run.bar.dataset], *texts]))
            shown = self._label(painter, story, run, texts)
            if shown:
                labelled.add(key)
                named |= {run.bar.dataset} if shown == texts[0] else set()

    def _box(self, bar: SubjobBar, slots: float, end: float | None = None) -> QRectF:
        plot = self.plot
        unit = plot.height() / slots
        left, right = self.x_of(bar.start), self.x_of(bar.end if end is None else end)
        return QRectF(left, plot.bottom() - (bar.bottom + bar.slots) * unit, right - left, bar.slots * unit)

    def draw_frame(self, painter: QPainter, story: ScanStory) -> None:
        """Write the slots."""
        slots = story.schedule.slots
        painter.setPen(theme_of(self).second_text)
        plot, height = self.plot, QFontMetricsF(painter.font()).height()
        for value, text in ((slots, f"{slots:g}"), (slots / 2, "slots"), (0.0, "0")):
            y = plot.bottom() - value / slots * plot.height()
            y = min(max(y - height / 2, plot.top() - 2), plot.bottom() - height + 2)
            painter.drawText(QRectF(0, y, LEFT - 6, height), Qt.AlignmentFlag.AlignRight, text)

    def _draw_bar(self, painter: QPainter, story: ScanStory, bar: SubjobBar) -> None:
        box = self._box(bar, story.schedule.slots)
        stripe = box.height() / len(bar.sharing_jobs)
        for k, entry in enumerate(reversed(bar.sharing_jobs)):  # the oldest below, as bars are piled up
            job = int(story.job[entry])
            colour = self.colour_of(job)
            if self.selected not in (-1, job):
                colour = mixed(colour, theme_of(self).plot, 0.6)
            place = QRectF(box.left(), box.top() + k * stripe, box.width() + 0.5, stripe + 0.3)
            painter.fillRect(place, colour)
        foot = min(float(EDGE), box.height() / 3)
        painter.fillRect(box.adjusted(0, box.height() - foot, 0.5, 0), dataset_colour(bar.dataset))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme_of(self).plot, 1))
        painter.drawLine(box.topLeft(), box.topRight())
        if not bar.continues:
            painter.drawLine(box.topLeft(), box.bottomLeft())

    def _label(self, painter: QPainter, story: ScanStory, run: BarRun, texts: Sequence[str]) -> str:
        """Write the first of some texts that has room into a run of bars, lying or standing; return it."""
        box = self._box(run.bar, story.schedule.slots, run.end) & self.plot
        metrics = QFontMetricsF(painter.font())
        for text in texts:
            size = QSizeF(metrics.horizontalAdvance(text) + 2 * LABEL_AIR, metrics.height())
            if size.width() <= box.width() and size.height() <= box.height():
                self._write(painter, text, size, box.center(), 0)
                return text
            if size.width() <= box.height() and size.height() <= box.width():
                self._write(painter, text, size, box.center(), -90)
                return text
        return ""

    def _write(self, painter: QPainter, text: str, size: QSizeF, centre: QPointF, degrees: int) -> None:
        place = QRectF(QPointF(-size.width() / 2, -size.height() / 2), size)
        colours = theme_of(self)
        painter.save()
        painter.translate(centre)
        painter.rotate(degrees)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.card)
        painter.drawRoundedRect(place, 3, 3)
        painter.setPen(colours.text)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def bar_at(self, x: float, y: float) -> SubjobBar | None:
        """Return the bar at a place, or None."""
        if self.story is None:
            return None
        slots = self.story.schedule.slots
        return next((bar for bar in self.story.bars if self._box(bar, slots).contains(x, y)), None)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            bar = self.bar_at(event.pos().x(), event.pos().y())
            if bar is not None and self.story is not None:
                QToolTip.showText(event.globalPos(), tooltip(describe(self.story, bar)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


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
