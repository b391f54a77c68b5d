"""Which grip a press takes at a place of a chart, and how the pointer and words show it.

Looking never edits: a block is held only where its job is selected already or Shift is down; else one pans.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt

from core.charts.stage_boxes import stage_bands
from core.charts.stage_names import stage_names
from core.model.stage_order import places_of
from explorer.gantt.geometry.chart_content import names_in_sentences
from explorer.gantt.gestures.arrival_gesture import ArrivalGesture
from explorer.gantt.gestures.block_gesture import BlockGesture, drop_place, place_text
from explorer.gantt.gestures.gestures import Gesture, PanGesture, PreviewedDrag
from explorer.gantt.gestures.pool_gestures import EdgeGesture, PoolJobGesture, SharedPoolGesture
from explorer.gantt.gestures.row_gestures import LabelGesture, RowBarGesture
from explorer.gantt.gestures.stage_gestures import FoldGesture, StagesGesture, is_above, stage_at
from explorer.gantt.layers.arrival_mark import arrival_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPointF

    from explorer.gantt.gestures.gestures import Chart
    from explorer.gantt.gestures.pool_gestures import PoolDrags


LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEYS, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
Shape = Qt.CursorShape


FIXED = "This is what really ran, which cannot be changed any more; move the job in a simulated scenario"
RECORDED = "drag: pan · what really ran cannot be moved"


class Hold(Enum):
    """What a hand can hold: the pointer before the press, and while the button is down."""

    NOTHING = (Shape.ArrowCursor, Shape.ArrowCursor)
    BAR = (Shape.SizeVerCursor, Shape.SizeVerCursor)
    LABEL = (Shape.PointingHandCursor, Shape.ArrowCursor)
    EDGE = (Shape.SplitVCursor, Shape.SplitVCursor)
    FOLD = (Shape.PointingHandCursor, Shape.PointingHandCursor)
    STAGES = (Shape.ArrowCursor, Shape.ClosedHandCursor)
    ARRIVAL = (Shape.SizeHorCursor, Shape.SizeHorCursor)
    JOB = (Shape.SizeAllCursor, Shape.DragMoveCursor)
    VIEW = (Shape.OpenHandCursor, Shape.ClosedHandCursor)


class Grip(NamedTuple):
    """What a press at a place would hold.

    Attributes
    ----------
    hold : the kind of thing
    job, task : of the block there; -1 for none
    stage : number of the stage whose box is there, or -1
    edge : index of the pool of rows whose lower edge is there, or -1
    bands : indices of the pools of rows whose label is there
    can_move : whether the block's job could be moved at all
    clicks : whether a press without movement selects
    """

    hold: Hold
    job: int = -1
    task: int = -1
    stage: int = -1
    edge: int = -1
    bands: range = range(0)
    can_move: bool = False
    clicks: bool = True


NO_GRIP = Grip(Hold.NOTHING)


class Hands:
    """Decides for one chart which hand acts where.

    Attributes
    ----------
    order : names of the jobs in the order in which they are served; only these can be moved
    dragged : the job whose block was held last, by its name
    """

    def __init__(self, chart: Chart, pools: PoolDrags, block_at: Callable[[QPointF], int]) -> None:
        """Take the chart, its drags in pools, and what finds the place in the row columns under a pixel."""
        self.order: tuple[str, ...] = ()
        self.dragged = ""
        self._chart, self._pools, self._block_at = chart, pools, block_at

    def grip(self, position: QPointF, modifiers: Qt.KeyboardModifier, button: Qt.MouseButton = LEFT) -> Grip:
        """Return what a press here would hold; the middle button holds the view wherever it is pressed."""
        chart = self._chart
        if chart.content.rows is None:
            return NO_GRIP
        if button == MIDDLE:
            return Grip(Hold.VIEW, clicks=False)
        frame = chart.frame()
        if is_above(frame, position):
            if frame.fold_rect.contains(position.toPoint()):
                return Grip(Hold.FOLD)
            return self._stage_grip(stage_at(frame, position), modifiers)
        if self._pools.is_on_bar(position):
            return Grip(Hold.BAR)
        edge, bands = self._pools.edge_at(position), self._pools.labelled_at(position)
        if bands:
            return Grip(Hold.LABEL, edge=edge, bands=bands)
        if arrival_at(frame, position):
            return Grip(Hold.ARRIVAL)
        place = self._block_at(position)
        if place >= 0:
            return self._block_grip(place, modifiers)
        return Grip(Hold.EDGE, edge=edge) if edge >= 0 else Grip(Hold.VIEW)

    def _block_grip(self, place: int, modifiers: Qt.KeyboardModifier) -> Grip:
        rows = self._chart.content.rows
        assert rows is not None  # a block was found
        task, job = int(rows.task[place]), int(rows.columns.code[place]) >> 1
        can_move = rows.schedule.workload.jobs[job].name in self.order
        is_held = can_move and (job == self._chart.content.selected_job or bool(modifiers & SHIFT))
        return Grip(Hold.JOB if is_held else Hold.VIEW, job, task, can_move=can_move)

    def _stage_grip(self, stage: int, modifiers: Qt.KeyboardModifier) -> Grip:
        """Return what a press among the stages would hold: one that is selected, or the view."""
        content = self._chart.content
        if stage < 0 or content.rows is None:
            return Grip(Hold.STAGES)
        workload = content.rows.schedule.workload
        is_held = stage == content.selected_stage or bool(modifiers & SHIFT)
        can_move = workload.jobs[workload.columns.stages.job[stage]].name in self.order
        return Grip(Hold.JOB if is_held and can_move else Hold.STAGES, stage=stage, can_move=can_move)

    def gesture(self, grip: Grip, position: QPointF, modifiers: Qt.KeyboardModifier) -> Gesture | None:
        """Return what a press does with what it holds."""
        chart = self._chart
        match grip.hold:
            case Hold.BAR:
                return RowBarGesture(chart, position)
            case Hold.LABEL if grip.edge < 0:
                return LabelGesture(chart, position, grip.bands, PanGesture(chart, position))
            case Hold.LABEL | Hold.EDGE:
                edge = EdgeGesture(chart, self._pools, position, grip.edge, bool(modifiers & SHIFT))
                return LabelGesture(chart, position, grip.bands, edge) if grip.bands else edge
            case Hold.FOLD:
                return FoldGesture(chart, position)
            case Hold.STAGES:
                return StagesGesture(chart, position, grip.stage)
            case Hold.ARRIVAL:
                return ArrivalGesture(chart, position)
            case Hold.JOB if grip.stage >= 0:
                return StageOrderGesture(chart, position, grip.stage)
            case Hold.JOB:
                return self._job_gesture(grip.task, position)
            case Hold.VIEW:
                return PanGesture(
                    chart, position, grip.job, grip.task, clicks=grip.clicks, refused=self._why_not(grip)
                )
        return None

    def _why_not(self, grip: Grip) -> str:
        """Return why a drag does not move the selected job that is pressed; nothing where none is."""
        rows, job = self._chart.content.rows, grip.job
        if rows is None or rows.schedule.record is None or grip.can_move:
            return ""
        return FIXED if job >= 0 and job == self._chart.content.selected_job else ""

    def _job_gesture(self, task: int, position: QPointF) -> Gesture:
        chart, rows = self._chart, self._chart.content.rows
        assert rows is not None  # a block is held
        schedule = rows.schedule
        self.dragged = schedule.workload.jobs[schedule.workload.columns.job[task]].name
        if rows.schedule.partition is not None:
            return PoolJobGesture(chart, self._pools, position, task, rows.schedule.partition)
        if rows.by_pool is not None:
            return SharedPoolGesture(chart, self._pools, position, task, self.order)
        return BlockGesture(chart, position, task, self.order)

    def words(self, grip: Grip) -> str:
        """Return what a drag of a block would do, for the card of facts."""
        rows = self._chart.content.rows
        if grip.stage >= 0 and grip.can_move:
            held = "drag: serve it earlier or later"
            return held if grip.hold is Hold.JOB else "drag: pan · select it or hold Shift to move it"
        if grip.hold is Hold.ARRIVAL:
            return "drag, or keys E and L: let it come earlier or later"
        if rows is None or grip.job < 0:
            return ""
        name = names_in_sentences(rows)[grip.job]
        if grip.hold is Hold.JOB:
            return f"drag: move {name}"
        if grip.can_move:
            return f"drag: pan · select it or hold Shift to move {name}"
        return RECORDED if rows.schedule.record is not None else "drag: pan"


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
