"""Which stage is pointed at or stood at: its description, and walking from stage to stage by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.gantt.geometry.chart_content import path_of
from explorer.gantt.gestures.stage_gestures import stage_at
from explorer.gantt.layers.stage_facts import part_facts, stage_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPointF

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Chart
    from explorer.gantt.layers.layer import HoverFacts
    from explorer.gantt.layers.stage_facts import StageFacts


def facts_above(frame: ChartFrame, position: QPointF) -> StageFacts | None:
    """Return the description of the stage, or of the part of the path, under a pixel; None for neither."""
    rows, stage = frame.content.rows, stage_at(frame, position)
    if rows is None:
        return None
    if stage >= 0:
        return stage_facts(rows, stage)
    path = path_of(rows) if frame.places.path.contains(position.toPoint()) else None
    seconds = frame.time(position.x())
    parts = () if path is None else path.parts
    return next((part_facts(rows, part) for part in parts if part.begin <= seconds < part.end), None)


class StageSteps:
    """Walks from stage to stage by key: in the order of time, and along what waits for what."""

    def __init__(self, chart: Chart, announce: Callable[[HoverFacts], None]) -> None:
        """Set what is notified of every step."""
        self._chart, self._announce = chart, announce

    def along(self, step: int) -> None:
        """Select the stage that starts next, or the one before."""
        boxes = self._boxes_in_turn()
        if boxes:
            at = self._selected_box()
            place = boxes.index(at) + step if at in boxes else 0 if step > 0 else len(boxes) - 1
            self._take(boxes[min(max(place, 0), len(boxes) - 1)])

    def across(self, *, up: bool) -> None:
        """Select the stage that the selected one waited for longest, or the first one that waits for it."""
        bands, box = self._chart.frame().bands, self._selected_box()
        if bands is None:
            return
        if box < 0:
            self.along(1)
            return
        links, boxes = bands.bands.links, bands.bands.boxes
        beside = links[links[:, 1] == box, 0] if up else links[links[:, 0] == box, 1]
        if len(beside):
            best = np.argmax(boxes.end[beside]) if up else np.argmin(boxes.start[beside])
            self._take(int(beside[best]))

    def _boxes_in_turn(self) -> list[int]:
        bands = self._chart.frame().bands
        if bands is None:
            return []
        in_turn: list[int] = np.argsort(bands.bands.boxes.start, kind="stable").tolist()
        return in_turn

    def _selected_box(self) -> int:
        bands, stage = self._chart.frame().bands, self._chart.content.selected_stage
        return int(bands.bands.box_of[stage]) if bands and 0 <= stage < len(bands.bands.box_of) else -1

    def _take(self, box: int) -> None:
        """Select a stage, bring it into view, and notify screen readers of it."""
        bands, rows, scale = self._chart.frame().bands, self._chart.content.rows, self._chart.frame().scale
        if bands is None or rows is None:
            return
        stage = int(bands.bands.boxes.stage[box])
        start, end = float(bands.bands.boxes.start[box]), float(bands.bands.boxes.end[box])
        if end <= scale.start or start >= scale.end:
            self._chart.axis.reveal(start)
        self._chart.look.show_box(box)
        if stage != self._chart.content.selected_stage:
            self._chart.click_stage(stage)
        facts = stage_facts(rows, stage)
        if facts is not None:
            self._announce(facts)
