"""One policy's column: its figures, its subjobs, its sharing jobs and its circles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QSplitter, QVBoxLayout

from core.model.time_text import change_text, duration_text
from core.policies.registry import describe
from core.shared_scans.metric import METRICS
from explorer.scans.circle_chart import CircleChart
from explorer.scans.sharing_chart import SharingChart
from explorer.scans.subjob_chart import SubjobChart
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.windows import ScanPolicy
    from explorer.scans.scan_story import ScanStory


MAX_WINDOWS = 6


class ScanColumn(QFrame):
    """Everything about the schedule of one policy."""

    def __init__(self, policy: ScanPolicy) -> None:
        super().__init__()
        self.policy = policy
        description = describe(policy)
        self.setAccessibleName(description.title)
        self.title = QLabel(f"<b>{description.title}</b>")
        self.title.setToolTip(description.summary)
        self.figures = QLabel()
        self.figures.setTextFormat(Qt.TextFormat.RichText)
        self.figures.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.figures.setFixedHeight(3 * self.figures.fontMetrics().lineSpacing() + 4)
        self.figures.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.subjobs, self.sharing, self.circles = SubjobChart(), SharingChart(), CircleChart()
        for part, name in (
            (self.subjobs, "subjobs: slots over time"),
            (self.sharing, "arrivals and departures by dataset"),
            (self.circles, "datasets as clocks"),
        ):
            part.setAccessibleName(f"{description.title}, {name}")
        charts = QSplitter(Qt.Orientation.Vertical)
        for part, stretch in ((self.subjobs, 4), (self.sharing, 4), (self.circles, 3)):
            charts.addWidget(part)
            charts.setStretchFactor(charts.count() - 1, stretch)
        charts.setSizes([240, 240, 170])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.title)
        layout.addWidget(self.figures)
        layout.addWidget(charts, 1)

    def show_story(self, story: ScanStory, base: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show a schedule beside FLEX's."""
        self.figures.setText(self._figures(story, base))
        self.figures.setToolTip(tooltip("\n".join((all_metrics(story), *windows_text(story)))))
        self.subjobs.show_story(story, colour_of)
        self.sharing.show_story(story, colour_of)
        self.circles.show_story(story, colour_of)

    def show_titles(self, *, is_first: bool) -> None:
        """Show in the charts what they are: the first column does, for all."""
        for chart in (self.subjobs, self.sharing):
            chart.show_title(is_shown=is_first)

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
        """Mark a job of the workload; -1 for none."""
        self.subjobs.select(job)
        self.sharing.select(job)

    def _figures(self, story: ScanStory, base: ScanStory) -> str:
        metric, colours = story.schedule.metric, theme_of(self)
        value, against = story.schedule.value, base.schedule.value
        value_line = f"{metric.title} <b>{value_text(metric, value)}</b>"
        if story is not base and against and math.isfinite(against) and math.isfinite(value):
            colour = colours.better if value <= against else colours.worse
            value_line += f' · <span style="color:{colour.name()}">{change_text(against, value)}</span>'
        saved = max(story.schedule.saved_work, 0.0)
        share = saved / float(story.schedule.jobs.work.sum())
        counter = (
            f"Scans saved <b>{duration_text(saved)}</b> of slot time ({100 * share:.0f}\N{NO-BREAK SPACE}%)"
        )
        waited = f'<span style="color:{colours.second_text.name()}">No windows</span>'
        if story.windows is not None:
            waited = f"Waited for windows <b>{duration_text(story.waited)}</b>"
        return "<br>".join((value_line, counter, waited))


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
