"""All layers of a chart in the order in which they are painted; a new one is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.charts.row_columns import kept_with_rows
from explorer.gantt.layers.closed_slots import ClosedSlotsLayer
from explorer.gantt.layers.critical_path import CriticalPathLayer, paint_path_legend
from explorer.gantt.layers.deadlines import DeadlinesLayer, LatePartsLayer
from explorer.gantt.layers.decision_marks import DecisionMarksLayer
from explorer.gantt.layers.execution_history import HistoryLayer
from explorer.gantt.layers.fact_and_forecast import ForecastLayer
from explorer.gantt.layers.idle_time import IdleTimeLayer
from explorer.gantt.layers.labels import NamesLayer
from explorer.gantt.layers.late_reports import LateReportsLayer
from explorer.gantt.layers.loans import LoansLayer
from explorer.gantt.layers.node_events import NodeEventsLayer
from explorer.gantt.layers.outdated import OutdatedLayer
from explorer.gantt.layers.overview import OverviewLayer
from explorer.gantt.layers.pointers import PointersLayer
from explorer.gantt.layers.remote_reads import RemoteReadsLayer
from explorer.gantt.layers.row_bands import JobPoolsLayer, RowBandsLayer
from explorer.gantt.layers.run_end import RunEndLayer
from explorer.gantt.layers.stage_bands import StageBandsLayer
from explorer.gantt.layers.stage_path import StagePathLayer
from explorer.gantt.layers.task_marks import BorrowedSlotsLayer, OverlapLayer, SharedScansLayer
from explorer.gantt.layers.task_rows import GhostLayer, TaskRowsLayer
from explorer.gantt.layers.time_marks import MarksLayer
from explorer.gantt.layers.title_and_axis import AxisLayer, GridLayer, paint_facts, paint_title
from explorer.gantt.layers.use_strips import UseStripsLayer
from explorer.gantt.layers.veil import VeilLayer
from explorer.gantt.layers.waves import WavesLayer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtGui import QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.layers.layer import HoverFacts, Layer, Sign
    from explorer.gantt.raster.kept_picture import Drawing

LAYERS: tuple[type[Layer], ...] = (
    TaskRowsLayer,
    ClosedSlotsLayer,
    SharedScansLayer,
    HistoryLayer,
    LateReportsLayer,
    RemoteReadsLayer,
    BorrowedSlotsLayer,
    NodeEventsLayer,
    LoansLayer,
    LatePartsLayer,
    OverlapLayer,
    UseStripsLayer,
    GridLayer,
    IdleTimeLayer,
    RowBandsLayer,
    JobPoolsLayer,
    GhostLayer,
    StagePathLayer,
    StageBandsLayer,
    WavesLayer,
    RunEndLayer,
    CriticalPathLayer,
    ForecastLayer,
    AxisLayer,
    DeadlinesLayer,
    MarksLayer,
    NamesLayer,
    DecisionMarksLayer,
    OverviewLayer,
    OutdatedLayer,
    VeilLayer,
    PointersLayer,
)
"""What is painted later lies upon what was painted before."""


class ChartLayers:
    """The layers of one chart; they keep their pictures between frames.

    Attributes
    ----------
    later : what the last frame left to a thread, in charts that may wait for pictures of many tasks
    """

    def __init__(self) -> None:
        self._layers = [layer() for layer in LAYERS]
        self.later: list[Drawing] = []

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers)

    def leave_much_for_later(self) -> None:
        """Let pictures of many tasks go into `later` from now on."""
        for layer in self._layers:
            layer.later = self.later

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """Paint everything that stays while only the pointer moves."""
        self.later.clear()
        painter.fillRect(frame.places.whole, frame.theme.window)
        if frame.places.title.height():
            _paint_line_above(painter, frame)
        if frame.content.rows is None:
            _paint_empty(painter, frame)
            return
        for layer in self._layers:
            layer.paint(painter, frame.unveiled if layer.stays_under_veil else frame, frame.content.rows)

    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> HoverFacts | None:
        """Return the description of a pixel, by the first layer that knows (see `Layer.facts_at`)."""
        answers = (layer.facts_at(rows, found, early, late) for layer in self._layers)
        return next((facts for facts in answers if facts is not None), None)


def _paint_line_above(painter: QPainter, frame: ChartFrame) -> None:
    """Draw title and comparison, and between them facts or the causes of the critical path."""
    room, path = paint_title(painter, frame), frame.content.shown_critical_path
    if path is not None:
        paint_path_legend(painter, frame, path, room)
    else:
        paint_facts(painter, frame, room)


def legend_signs(shown: Iterable[ScheduleRows | None]) -> tuple[Sign, ...]:
    """Return the legend entries that some charts need together: tasks and lines first, then what is drawn."""
    signs: list[Sign] = []
    for drawn in zip(*(_signs_of(rows) for rows in shown if rows is not None), strict=True):
        signs += sorted(dict.fromkeys(sign for each in drawn for sign in each), key=_place)
    return tuple(sorted(signs, key=lambda sign: sign.draw is not None))


def _place(sign: Sign) -> tuple[bool, float, float, int]:
    """Return what a layer's entries are sorted by: parts of tasks as they follow in time, else importance."""
    is_reduce, stage_end, shuffled = sign.phase or (False, 0.0, 0.0)
    return is_reduce, -stage_end, -shuffled, -sign.priority


@kept_with_rows
def _signs_of(rows: ScheduleRows) -> list[tuple[Sign, ...]]:
    """Return the legend entries of one chart by layer."""
    return [layer().signs(rows) for layer in LAYERS]


def _paint_empty(painter: QPainter, frame: ChartFrame) -> None:
    painter.setFont(frame.fonts.plain)
    painter.setPen(frame.theme.second_text)
    room = frame.places.whole.adjusted(20, 30, -20, -20)
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    painter.drawText(room, flags, frame.content.empty_text)
