"""Dragging a stage before or behind another one of its job: which is served first of those that may start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.stage_boxes import stage_bands
from core.charts.stage_names import stage_names
from core.model.stage_order import places_of
from explorer.gantt.gestures.block_gesture import drop_place, place_text
from explorer.gantt.gestures.gestures import PreviewedDrag

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from explorer.gantt.gestures.gestures import Chart


class StageOrderGesture(PreviewedDrag):
    """Drags a stage to another place in the order of its job, as far as what it waits for lets it.

    Attributes
    ----------
    order : the numbers of the job's stages in the order that would come of a drop now
    """

    def __init__(self, chart: Chart, start: QPointF, stage: int) -> None:
        super().__init__(chart, start)
        workload, bands = self.base.schedule.workload, stage_bands(self.base)
        stages = workload.columns.stages
        self.job, self._stage, self._number = int(stages.job[stage]), stage, int(stages.number[stage])
        first, last = stages.begin[self.job : self.job + 2].tolist()
        self.order = self._before = tuple(range(last - first))
        self._places = places_of(workload.jobs[self.job].graph, self._number)
        self._names = stage_names(self.base)[first:last]
        boxes = () if bands is None else bands.box_of[first:last].tolist()
        self._spans = {
            str(number): (float(bands.boxes.start[box]), float(bands.boxes.end[box]))
            for number, box in enumerate(boxes)
            if bands is not None and box >= 0
        }

    def _preview(self, position: QPointF) -> None:
        time, numbers = self._chart.frame().time(position.x()), list(map(str, self._before))
        wanted = drop_place(numbers, str(self._number), time, self._spans)
        place = min(max(wanted, self._places.start), self._places.stop - 1)
        others = [number for number in self._before if number != self._number]
        order = (*others[:place], self._number, *others[place:])
        if order != self.order:
            self.order = order
            self._chart.stages_previewed.emit(self.job, order)

    def _press(self) -> None:
        self._chart.click_stage(self._stage)

    @property
    def _is_home(self) -> bool:
        return self.order == self._before

    def _emit_drop(self) -> None:
        self._chart.stages_dropped.emit(self.job, self.order)

    def text(self) -> str:
        """Return what a drop now would do: "stage 4: after 2, before 3: 47 s, −6.5 %"."""
        name = self._names[self._number]
        named = f"stage {name}" if name.isdecimal() else name
        if self._is_home:
            only = len(self._places) == 1
            return f"{named} {'can only be served here' if only else 'stays where it is'}: {self._outcome()}"
        place = place_text([self._names[number] for number in self.order], name)
        return f"{named} {place}: {self._outcome()}"
