"""What happens in shared scans at an instant, in one sentence per policy; as many as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.explain.explanation_words import listed
from core.model.time_text import clock_text, duration_text
from core.policies.registry import describe
from explorer.scans.scan_colours import sized_font
from explorer.scans.scan_story import blocks_text, bytes_text
from explorer.widgets.theme import theme_of, write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from core.shared_scans.dataset_clock import DatasetClock
    from explorer.scans.scan_story import ScanStory

SIDE, ONE_LINE, TWO_LINES = 6.0, 24, 40
TWO_LINES_BELOW = 1200
"""Pixels of width below which there are two lines."""
WORD_GAP = 5.0


class InstantSentence(QWidget):
    """Writes whole clauses from the first one on, whatever fits; its height depends on the width alone."""

    def __init__(self) -> None:
        super().__init__()
        self._clauses: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(ONE_LINE)

    def show_clauses(self, clauses: Sequence[str]) -> None:
        """Show other clauses."""
        self._clauses = tuple(clauses)
        self.setAccessibleName(" ".join(self._clauses))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(TWO_LINES if self.width() < TWO_LINES_BELOW else ONE_LINE)

    def shown(self) -> list[tuple[str, QRectF]]:
        """Return the clauses that fit, and the box of each: in one line, or in two."""
        metrics = QFontMetricsF(sized_font(self, 1.0))
        lines = 2 if self.height() > ONE_LINE else 1
        x, line = SIDE, 0
        found = []
        for clause in self._clauses:
            wide = metrics.horizontalAdvance(clause)
            if x + wide > self.width() - SIDE and x > SIDE:
                x, line = SIDE, line + 1
            if line >= lines or x + wide > self.width() - SIDE:
                break
            high = self.height() / lines
            found.append((clause, QRectF(x, line * high, wide + 1, high)))
            x += wide + WORD_GAP
        return found

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            write_with(painter, sized_font(self, 1.0), theme_of(self).text)
            for clause, box in self.shown():
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, clause)


def instant_clauses(story: ScanStory, clocks: Sequence[DatasetClock], time: float) -> list[str]:
    """Return what happens under a policy at an instant, the most telling first."""
    title = describe(story.policy).title
    clauses = []
    for clock in clocks:
        name = story.dataset_names[clock.dataset]
        shared = next((each for each in clock.left if len(each.jobs) > 1 and not each.after), None)
        if shared is not None and clock.sharing > 1 and shared.has_boarded:
            who = listed([story.entry_name(job) for job in shared.jobs])
            blocks = story.blocks(clock.dataset, shared.turns)
            what = f"next {blocks} of {name}" if round(shared.turns, 2) else f"scan of {name}"
            clauses.append(f"{title}: {who} share the {what}.")
    saved = max(story.saved.until(time), 0.0)
    if saved > 0:
        reads = story.saved_until(time)
        size = "" if reads.bytes is None else f", {bytes_text(reads.bytes)}"
        blocks = f"{blocks_text(round(reads.blocks))} ({duration_text(saved)}{size})"
        clauses.append(f"{title} has saved the reading of {blocks}.")
    for clock in clocks:
        again = sum(each.length * (each.times - 1) for each in clock.reads())
        if again > 0 and (blocks := story.blocks(clock.dataset, again)):
            clauses.append(f"{title} has read {blocks} of {story.dataset_names[clock.dataset]} again.")
    return clauses + _waits(story, clocks, title)


def _waits(story: ScanStory, clocks: Sequence[DatasetClock], title: str) -> list[str]:
    """Return the jobs that wait for slots, and those that wait for the end of a window."""
    hands = [hand for clock in clocks for hand in clock.hands]
    queued = [hand.job for hand in hands if hand.slots == 0 and hand.scanned == 0]
    waits = [(queued, "for slots")]
    for clock in clocks:
        until = float(max((story.schedule.boarded[job] for job in clock.waiting), default=0.0))
        waits.append((list(clock.waiting), f"until {clock_text(until)}"))
    clauses = []
    for jobs, what in waits:
        if jobs:
            names = listed([story.entry_name(job) for job in sorted(jobs)])
            clauses.append(f"{title}: {names} {'waits' if len(jobs) == 1 else 'wait'} {what}.")
    return clauses
