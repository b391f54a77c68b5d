"""Dragging in pools: the edge between two of them, or a job to another place or into another pool."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.errors import InputError
from core.model.partition_edits import with_job_moved, with_slots_moved
from core.model.task_types import KIND_WORDS, MAP, REDUCE
from core.model.time_text import clock_text, signed_duration
from explorer.document.titles import describe_job_move
from explorer.gantt.geometry.row_layout import NAME_LEFT
from explorer.gantt.gestures.block_gesture import BlockGesture
from explorer.gantt.gestures.gestures import PreviewedDrag
from explorer.gantt.gestures.row_gestures import MIN_PIXELS

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from core.model.partition import Partition
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.gestures.block_gesture import Spans
    from explorer.gantt.gestures.gestures import Chart


class PoolDrags(QObject):
    """What is done to the pools of one chart by dragging.

    Signals:
        previewed: the partition that a drop now would give, while an edge or a job is dragged
        dropped: the same when it is dropped, and what was done as text
        job_previewed: a job and the pool it would belong to, while it is dragged among pools that share slots
        job_dropped: the same when it is dropped
    """

    previewed = Signal(object)
    dropped = Signal(object, str)
    job_previewed = Signal(str, str)
    job_dropped = Signal(str, str)

    def __init__(self, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self._chart = chart

    def is_on_bar(self, position: QPointF) -> bool:
        """Whether the bar of the rows is at a pixel."""
        frame = self._chart.frame().unveiled
        plot = frame.places.plot
        is_beside = position.x() > plot.right() and plot.top() <= position.y() <= plot.bottom()
        return is_beside and frame.layout.most_scroll > 0

    def edge_at(self, position: QPointF) -> int:
        """Return the index of the pool of rows whose lower edge a press here would drag, or -1."""
        frame = self._chart.frame()
        if self._chart.content.rows is None or not frame.places.plot.contains(position.toPoint()):
            return -1
        return frame.layout.edge_at(position.y() - frame.places.plot.top())

    def labelled_at(self, position: QPointF) -> range:
        """Return the indices of the pools of rows whose label is at a pixel: beside them, or their name."""
        frame, rows = self._chart.frame(), self._chart.content.rows
        plot, layout = frame.places.plot, frame.layout
        y = position.y() - plot.top()
        if rows is None or not 0 <= y < plot.height() or position.x() >= plot.right():
            return range(0)
        if position.x() < plot.left():
            index = layout.pool_at(y)
            return range(index, index + 1) if index >= 0 else range(0)
        index = layout.named_at(y) if rows.is_grouped else -1
        if index < 0:
            return range(0)
        name = rows.groups[layout.pools[index].group].name
        width = NAME_LEFT + frame.fonts.small_bold_metrics.horizontalAdvance(name)
        return layout.named_together(index) if position.x() - plot.left() < width else range(0)

    def named_at(self, position: QPointF) -> int:
        """Return the pool of the partition whose name or rows are at a pixel, or -1."""
        frame, rows = self._chart.frame(), self._chart.content.rows
        inside = frame.places.plot.contains(position.toPoint())
        if rows is None or rows.schedule.partition is None or not inside:
            return -1
        y = position.y() - frame.places.plot.top()
        for index, pool in enumerate(frame.layout.pools):
            top = frame.layout.pool_tops[index]
            if top - frame.layout.gap <= y < top + frame.layout.pool_heights[index]:
                return pool.group
        return -1


class EdgeGesture(PreviewedDrag):
    """Drags the edge between two pools: slots go from one to the other, of both kinds in proportion.

    Attributes
    ----------
    partition : what would come of a drop now
    """

    def __init__(self, chart: Chart, pools: PoolDrags, start: QPointF, edge: int, of_one_kind: bool) -> None:
        super().__init__(chart, start)
        assert self.base.schedule.partition is not None  # there is an edge
        self.partition = self._before = self.base.schedule.partition
        self._drags = pools
        above, below = chart.frame().layout.pools[edge], chart.frame().layout.pools[edge + 1]
        self._moved = 0
        self._kind = MAP if above.name == "MAP" else REDUCE
        self._scroll = chart.frame().layout.scroll
        self._above, self._below, self._of_one_kind = above.group, below.group, of_one_kind

    def _is_drag(self, position: QPointF) -> bool:
        return abs(position.y() - self._start.y()) >= MIN_PIXELS

    def _preview(self, position: QPointF) -> None:
        """Preview the sizes at the pointer."""
        layout = self._chart.frame().layout
        by = position.y() - self._start.y() + layout.scroll - self._scroll
        self._moved = moved = round(by / layout.row_height)
        workload = self.base.schedule.workload
        partition = with_slots_moved(self._before, workload, self._below, self._above, self._slots(moved))
        if partition != self.partition:
            self.partition = partition
            self._drags.previewed.emit(partition)

    def _slots(self, moved: int) -> tuple[int, int]:
        """Return map and reduce slots that go to the upper pool when so many of the dragged kind do."""
        wholes = self._before.slots
        other = 0 if self._of_one_kind or not wholes[self._kind] else 1
        moves = [other * round(moved * whole / max(wholes[self._kind], 1)) for whole in wholes]
        moves[self._kind] = moved
        return moves[MAP], moves[REDUCE]

    @property
    def _is_home(self) -> bool:
        return self.partition == self._before

    def _emit_drop(self) -> None:
        pool = self.partition.pools[self._above]
        self._drags.dropped.emit(
            self.partition, f"Resize {pool.name} to {_size(self.partition, self._above)}"
        )

    def text(self) -> str:
        """Return what a drop now would do."""
        sizes = (
            f"{self.partition.pools[place].name} {_size(self.partition, place)}"
            for place in (self._above, self._below)
        )
        return f"{' · '.join((*sizes, *self._kept_text()))}: {self._outcome()}"

    def _kept_text(self) -> list[str]:
        """Return which pool gave all that it can spare, if the pointer is beyond that."""
        before, now = (each.pools[self._above].slots[self._kind] for each in (self._before, self.partition))
        if now - before == self._moved:
            return []
        giver = self.partition.pools[self._below if self._moved > 0 else self._above]
        kept, word = giver.slots[self._kind], KIND_WORDS[self._kind]
        return [f"{giver.name} keeps {kept} {word} slot{'s' if kept != 1 else ''}"]


class PoolJobGesture(BlockGesture):
    """Drags a job's block to another place in its pool, or into the pool under the pointer.

    Attributes
    ----------
    partition : what would come of a drop now
    """

    def __init__(
        self, chart: Chart, pools: PoolDrags, start: QPointF, task: int, partition: Partition
    ) -> None:
        super().__init__(chart, start, task, partition.jobs)
        self.partition = self._pools = partition
        self.group = partition.place_of(self._moved)
        self._drags = pools
        self._refusal = ""

    def _preview(self, position: QPointF) -> None:
        """Preview the place nearest to the pointer."""
        frame = self._chart.frame()
        pool = nearest_group(frame.layout, position.y() - frame.places.plot.top())
        place = self._place_at(self._pools.pools[pool].jobs, position)
        workload = self.base.schedule.workload
        try:
            partition = with_job_moved(self._pools, workload, self._moved, pool, place)
            self._refusal = ""
        except InputError as error:
            partition, self._refusal = self._pools, str(error)
        if partition != self.partition:
            self.partition, self.order = partition, partition.jobs
            self.group = partition.place_of(self._moved)
            self._drags.previewed.emit(partition)

    def _emit_drop(self) -> None:
        text = describe_job_move(self._pools, self.partition, [self._moved])
        self._drags.dropped.emit(self.partition, text)

    @property
    def _is_home(self) -> bool:
        return self.partition == self._pools

    def _outcome(self) -> str:
        return super()._outcome() + pool_ends(self, self._pools.place_of(self._moved), self.group)

    def text(self) -> str:
        """Return what a drop now would do."""
        if self._refusal:
            return self._refusal
        return super().text()

    def _place_text(self) -> str:
        if self._is_home:
            return super()._place_text()
        pool = self.partition.pools[self.group]
        to = "" if self._moved in self._pools.pools[self.group].jobs else f"to {pool.name}"
        return ", ".join(text for text in (to, self._within(pool.jobs)) if text)


def nearest_group(layout: RowLayout, y: float) -> int:
    """Return the pool of jobs whose rows are nearest to a pixel of the plot."""

    def distance(index: int) -> float:
        top = layout.pool_tops[index]
        bottom = top + layout.pool_heights[index]
        return max(top - y, y - bottom, 0.0)

    nearest = min(range(len(layout.pools)), key=distance)
    return layout.pools[nearest].group


def pool_ends(drag: PreviewedDrag, home: int, target: int) -> str:
    """Return when both pools end that a drag of a job changes, once the preview is there; else nothing.

    "; pipeline ends at 2:50 (−15 s), reports at 4:01 (+7 s)".
    """
    rows = drag.shown
    if rows is None or home == target or max(home, target) >= len(rows.groups):
        return ""
    ends = []
    for verb, group in ((" ends", home), ("", target)):
        name, before, after = (
            rows.groups[group].name,
            drag.base.groups[group].finish,
            rows.groups[group].finish,
        )
        change = f" ({signed_duration(after - before)})" if before else ""
        ends.append(f"{name}{verb} at {clock_text(after)}{change}" if after else f"{name} has no jobs")
    return f"; {', '.join(ends)}"


def _size(partition: Partition, place: int) -> str:
    maps, reduces = partition.pools[place].slots
    return f"{maps} + {reduces} slots"


class SharedPoolGesture(BlockGesture):
    """Drags a job's block: within its pool's band to another place in the order, else into another pool."""

    def __init__(
        self, chart: Chart, pools: PoolDrags, start: QPointF, task: int, order: tuple[str, ...]
    ) -> None:
        super().__init__(chart, start, task, order)
        self.group = self._home = self.base.group_of(self.job)
        self._drags = pools

    def _preview(self, position: QPointF) -> None:
        inside = position.y() - self._chart.frame().places.plot.top()
        pool = nearest_group(self._rows_as_before(), inside)
        if pool != self.group:
            self.group, self.order = pool, self._before
            self._drags.job_previewed.emit(self._moved, self._name)
        if pool == self._home:
            super()._preview(position)
        else:
            self.kind = -1  # all rows of the pool are where it goes

    def _spans_of(self, kind: int) -> Spans:
        """Only blocks of the pool's own rows are beside it."""
        index, spans = self.base.schedule.workload.job_index, super()._spans_of(kind)
        return {name: span for name, span in spans.items() if self.base.group_of(index[name]) == self._home}

    @property
    def _name(self) -> str:
        return self.base.groups[self.group].name

    @property
    def _is_home(self) -> bool:
        return self.group == self._home and super()._is_home

    def _emit_drop(self) -> None:
        if self.group == self._home:
            super()._emit_drop()
        else:
            self._drags.job_dropped.emit(self._moved, self._name)

    def _outcome(self) -> str:
        return super()._outcome() + pool_ends(self, self._home, self.group)

    def _place_text(self) -> str:
        return super()._place_text() if self.group == self._home else f"to {self._name}"

    def drop_time(self) -> float:
        """Return where the block would begin; nowhere in time while it goes to another pool."""
        return super().drop_time() if self.group == self._home else math.nan
