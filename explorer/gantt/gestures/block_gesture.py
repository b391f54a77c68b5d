"""Dragging a job's block: which place in the order a pixel means, how it is called, and the drag itself.

Places are those of the picture: between the blocks of the rows under the pointer, as they were at the grab.
Left of the middle of a block is before it, right of it after; right of all blocks is the end of the queue.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from explorer.gantt.geometry.chart_content import names_in_sentences
from explorer.gantt.geometry.tasks_in_view import hit
from explorer.gantt.gestures.gestures import PreviewedDrag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QPointF

    from core.charts.schedule_rows import RowBand, ScheduleRows
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.gestures.gestures import Chart

    Spans = Mapping[str, tuple[float, float]]
    """When the maps, or the reduces, of each job start and end in seconds; jobs without any are left out."""


def stage_spans(rows: ScheduleRows, kind: int) -> dict[str, tuple[float, float]]:
    """Return when each job's first map starts and its last one ends, or its reduces do, by name."""
    schedule = rows.schedule
    columns, spans = schedule.workload.columns, {}
    for index, job in enumerate(schedule.workload.jobs):
        first, count = int(columns.first[index, kind]), int(columns.count[index, kind])
        if count:
            tasks = slice(first, first + count)
            spans[job.name] = (float(schedule.start[tasks].min()), float(schedule.end[tasks].max()))
    return spans


def drop_place(order: Sequence[str], moved: str, time: float, spans: Spans) -> int:
    """Return the place among the other jobs of an order at which a job dropped at a time stands.

    Where its own block is, as far as no other begins, and between the two blocks beside it, it stays.
    """
    others = [name for name in order if name != moved]
    shown = sorted((name for name in order if name in spans), key=lambda name: spans[name][0])
    seen = [name for name in shown if name != moved]
    passed = _blocks_passed(seen, time, spans)
    if moved in shown:
        home = shown.index(moved)
        begin, end = spans[moved]
        until = min(end, spans[seen[home]][0]) if home < len(seen) else end
        if passed == home or begin <= time <= until:
            return list(order).index(moved)
    if passed == len(seen):
        return len(others)
    return others.index(seen[passed - 1]) + 1 if passed else 0


def _blocks_passed(seen: Sequence[str], time: float, spans: Spans) -> int:
    """Return how many blocks, from the first to start on, have their middle before a time.

    Blocks that overlap count as far as the next one begins.
    """
    for place, name in enumerate(seen):
        begin, end = spans[name]
        following = spans[seen[place + 1]][0] if place + 1 < len(seen) else end
        if time < (begin + min(end, following)) / 2:
            return place
    return len(seen)


def place_text(order: Sequence[str], moved: str, called: Callable[[str], str] = str) -> str:
    """Return between which jobs a job stands: "after J3, to the end"; nothing if there are no others.

    `called` is what they are called there.
    """
    place = list(order).index(moved)
    before = [called(name) for name in order[max(place - 1, 0) : place]]
    after = [called(name) for name in order[place + 1 : place + 2]]
    if not before:
        return f"before {after[0]}, to the front" if after else ""
    return f"after {before[0]}, before {after[0]}" if after else f"after {before[0]}, to the end"


def nearest_band(layout: RowLayout, y: float) -> RowBand:
    """Return the rows of one kind that are nearest to a pixel of the plot."""

    def distance(index: int) -> float:
        top, bottom = layout.pool_spans[index]
        return max(top - y, y - bottom, 0.0)

    return layout.pools[min(range(len(layout.pools)), key=distance)]


class BlockGesture(PreviewedDrag):
    """Drags a job's block to another place in the order, with a preview of every place on the way.

    Attributes
    ----------
    order : job names in the order that would come of a drop now
    """

    def __init__(self, chart: Chart, start: QPointF, task: int, order: tuple[str, ...]) -> None:
        super().__init__(chart, start)
        columns = self.base.schedule.workload.columns
        self.job, self._task = int(columns.job[task]), task
        self.kind = self._held = int(columns.kind[task])
        self.order = self._before = order
        self._moved = self.base.schedule.workload.jobs[self.job].name
        self._known_spans: dict[int, Spans] = {}
        # a preview may give pools other rows: what is below the pointer is decided by those before
        self._layout = chart.frame().layout

    def _preview(self, position: QPointF) -> None:
        place = self._place_at(self._before, position)
        others = [name for name in self._before if name != self._moved]
        order = (*others[:place], self._moved, *others[place:])
        if order != self.order:
            self.order = order
            self._chart.order_previewed.emit(order)

    def _place_at(self, order: Sequence[str], position: QPointF) -> int:
        """Return the place among the other jobs of an order that a pixel means."""
        self.kind = self._kind_at(position)
        if self._moved in order and self._is_on_itself(position):
            return list(order).index(self._moved)
        return drop_place(order, self._moved, self._chart.frame().time(position.x()), self._spans())

    def _rows_as_before(self) -> RowLayout:
        """Return where the rows were at the grab; scrolled since, if they are still the same."""
        now = self._chart.frame().layout
        return now if now.pools == self._layout.pools else self._layout

    def _kind_at(self, position: QPointF) -> int:
        """Return which stage the rows under the pointer show; that of the held block where they show both."""
        y = position.y() - self._chart.frame().places.plot.top()
        own = nearest_band(self._rows_as_before(), y).own
        counts = self.base.schedule.workload.columns.count[self.job]
        return own if own < len(counts) and counts[own] else self._held

    def _is_on_itself(self, position: QPointF) -> bool:
        """Whether the job's own tasks were under a pixel at the grab."""
        frame = self._chart.frame()
        at = position - frame.places.plot.topLeft().toPointF()
        place = hit(self.base.columns, self._rows_as_before(), frame.scale, at.x(), at.y()).place
        return place >= 0 and int(self.base.columns.code[place]) >> 1 == self.job

    def _spans(self) -> Spans:
        if self.kind not in self._known_spans:
            self._known_spans[self.kind] = self._spans_of(self.kind)
        return self._known_spans[self.kind]

    def _spans_of(self, kind: int) -> Spans:
        return stage_spans(self.base, kind)

    def _press(self) -> None:
        self._chart.click(self.job, self._task)

    @property
    def _is_home(self) -> bool:
        return self.order == self._before

    def _emit_drop(self) -> None:
        self._chart.order_dropped.emit(self.order)

    def text(self) -> str:
        """Return what a drop now would do: "after J3, to the end: 47 s, −36.5 %"."""
        return f"{self._place_text()}: {self._outcome()}"

    def _place_text(self) -> str:
        return f"{self._called(self._moved)} stays where it is" if self._is_home else self._within(self.order)

    def _within(self, order: Sequence[str]) -> str:
        """Return between which jobs of an order the job stands, as sentences call them."""
        return place_text(order, self._moved, self._called)

    def _called(self, name: str) -> str:
        return names_in_sentences(self.base)[self.base.schedule.workload.job_index[name]]

    def drop_time(self) -> float:
        """Return where the block would begin: as previewed; by the old schedule until a preview is there."""
        rows = self._chart.content.rows
        if rows is None or rows is self.base:
            return self._old_time()
        columns = rows.schedule.workload.columns  # of the same jobs, or no gesture would go on
        first, count = int(columns.first[self.job, self.kind]), int(columns.count[self.job, self.kind])
        return float(rows.schedule.start[first : first + count].min())

    def _old_time(self) -> float:
        spans, place = self._spans(), self.order.index(self._moved)
        following = next((name for name in self.order[place + 1 :] if name in spans), None)
        if following is not None:
            return spans[following][0]
        return max((end for _, end in spans.values()), default=math.nan)
