"""One policy's pane: its figures, its circles, its subjobs over time and its jobs by dataset."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget
from typing_extensions import override

from core.model.time_text import change_text, duration_text
from core.policies.registry import describe
from core.shared_scans.metric import METRICS
from explorer.scans.circle_chart import CircleChart
from explorer.scans.scan_colours import sized_font
from explorer.scans.sharing_chart import SharingChart
from explorer.scans.subjob_chart import SubjobChart
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of, write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont, QPaintEvent

    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.windows import ScanPolicy
    from explorer.scans.scan_colours import Marked
    from explorer.scans.scan_story import ScanStory

MAX_WINDOWS = 6
HEADER_HIGH = 24
WAYS = {
    "flex": "every job scans alone",
    "batch": "jobs gather in windows, alike for all datasets",
    "ako": "jobs gather in windows, long ones for large datasets",
    "circumflex": "who arrives boards the running scan",
}


class PaneHeader(QWidget):
    """One line: the policy, how it works where there is room, and at the right its figure and the change."""

    def __init__(self, policy: ScanPolicy) -> None:
        super().__init__()
        self._policy = policy
        self._facts: tuple[str, ...] = ()
        self._figure = self._metric = self._change = ""
        self._is_better = True
        self.setFixedHeight(HEADER_HIGH)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_story(self, story: ScanStory, base: ScanStory) -> None:
        """Show the figures of a schedule beside FLEX's."""
        metric = story.schedule.metric
        value, against = story.schedule.value, base.schedule.value
        self._metric, self._figure, self._change = metric.title, value_text(metric, value), ""
        if story is not base and against and math.isfinite(against) and math.isfinite(value):
            self._change, self._is_better = change_text(against, value), value <= against
        way = WAYS[self._policy]
        waited = f"{duration_text(story.waited)} waited for windows" if story.windows is not None else ""
        self._facts = (f"{way} · {waited}", waited) if waited else (way,)
        saved = max(story.schedule.saved_work, 0.0)
        share = saved / float(story.schedule.jobs.work.sum())
        whole = f"Scans saved: {duration_text(saved)} of slot time ({100 * share:.0f} %)"
        lines = (describe(self._policy).summary, whole, all_metrics(story), *windows_text(story))
        self.setToolTip(tooltip("\n".join(lines)))
        self.setAccessibleName(self.text())
        self.update()

    def text(self) -> str:
        """Return all that it says."""
        parts = (describe(self._policy).title, *self._facts[:1], self._change, self._metric, self._figure)
        return " · ".join(filter(None, parts))

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint_export(painter)

    def paint_export(self, painter: QPainter) -> None:
        """Draw the line, in the widget's own coordinates; what has no room is left out whole."""
        theme = theme_of(self)
        bold, plain = sized_font(self, 1.04, is_bold=True), sized_font(self, 0.96)
        title = describe(self._policy).title
        change = theme.better if self._is_better else theme.worse
        wide = QFontMetricsF(bold).horizontalAdvance(title)
        right = self.width() - 6.0
        for text, colour, font in (
            (self._figure, theme.text, bold),
            (self._change, change, plain),
            (self._metric, theme.second_text, plain),
        ):
            needed = QFontMetricsF(font).horizontalAdvance(text)
            if text and right - needed >= wide + 14:
                write_with(painter, font, colour)
                place = QRectF(right - needed, 0, needed + 2, self.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
                right -= needed + 8
        self._write(painter, 6.0, title, bold, theme.text)
        left = 6.0 + wide + 10
        for fact in self._facts:
            if left + QFontMetricsF(plain).horizontalAdvance(fact) + 8 <= right:
                self._write(painter, left, fact, plain, theme.second_text)
                break

    def _write(self, painter: QPainter, left: float, text: str, font: QFont, colour: QColor) -> None:
        write_with(painter, font, colour)
        painter.drawText(QRectF(left, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, text)


class ScanPane(QFrame):
    """Everything about the schedule of one policy."""

    def __init__(self, policy: ScanPolicy) -> None:
        super().__init__()
        self.policy = policy
        title = describe(policy).title
        self.setAccessibleName(title)
        self.header = PaneHeader(policy)
        self.circles, self.subjobs, self.sharing = CircleChart(), SubjobChart(), SharingChart()
        for part, name in (
            (self.circles, "datasets as circles"),
            (self.subjobs, "subjobs: slots over time"),
            (self.sharing, "jobs by dataset"),
        ):
            part.setAccessibleName(f"{title}, {name}")
        charts = ((self.circles, 11), 4, (self.subjobs, 4), self.sharing)
        column(self.header, *charts, parent=self, margins=NO_MARGINS, spacing=0)
        self.sharing.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(210, 300)

    @property
    def charts(self) -> tuple[CircleChart, SubjobChart, SharingChart]:
        """What is marked together."""
        return self.circles, self.subjobs, self.sharing

    def show_story(self, story: ScanStory, base: ScanStory) -> None:
        """Show a schedule beside FLEX's."""
        self.header.show_story(story, base)
        for chart in self.charts:
            chart.show_story(story)
        gutter = self.sharing.wanted_gutter(story)
        self.subjobs.set_gutter(gutter)
        self.sharing.set_gutter(gutter)

    def show_times(self, start: float, end: float) -> None:
        """Show another stretch of time, in seconds."""
        self.subjobs.show_times(start, end)
        self.sharing.show_times(start, end)

    def set_time(self, seconds: float) -> None:
        """Look at an instant."""
        self.subjobs.set_cursor_time(seconds)
        self.sharing.set_cursor_time(seconds)
        self.circles.set_time(seconds)

    def select(self, job: int) -> None:
        """Take a job of the workload as the one that keys move; -1 for none."""
        self.subjobs.select(job)
        self.sharing.select(job)

    def mark(self, marked: Marked) -> None:
        """Let some jobs or a subjob stand out in every chart."""
        for chart in self.charts:
            chart.mark(marked)

    def point_at(self, marked: Marked) -> None:
        """Let what is pointed at stand out in every chart."""
        for chart in self.charts:
            chart.point_at(marked)


def all_metrics(story: ScanStory) -> str:
    """Show a schedule's value of every metric, those that cannot be optimised among them."""
    schedule = story.schedule
    rows = [
        f"{metric.title}: {value_text(metric, metric.value(schedule.jobs, schedule.slots, schedule.finish))}"
        for metric in METRICS
    ]
    return "\n".join(rows)


def windows_text(story: ScanStory) -> tuple[str, ...]:
    """Return how long each dataset's windows are, of the first few datasets."""
    if story.windows is None:
        return ()
    lines = [line.dataset for line in story.timelines[:MAX_WINDOWS]]
    lengths = (f"{story.dataset_names[d]} {duration_text(float(story.windows.length[d]))}" for d in lines)
    more = ", …" if len(story.timelines) > MAX_WINDOWS else ""
    return ("", f"Windows: {', '.join(lengths)}{more}")


def value_text(metric: ScanMetric, value: float) -> str:
    """Write a metric's value with its unit; without deadlines nothing is late."""
    if not math.isfinite(value):
        return "no deadlines"
    return duration_text(value) if metric.unit == "s" else f"{value:.3g}"
