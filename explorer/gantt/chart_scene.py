"""The state of one chart between frames: content, colours, rows in view, the picture of what stands still."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont, QPainter, QPixmap

from core.charts.class_colours import group_tones, tones_of
from core.charts.painted_rows import classes_of, painted_rows
from core.charts.palette import FADED, POINTED_FADED, faded, lane_colour, stage_tones
from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import band_names
from core.charts.stage_boxes import stage_bands
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.chart_frame import ChartFonts, ChartFrame, ChartPlaces, height_above
from explorer.gantt.geometry.row_layout import MIN_ROW, RowLayout, tallest
from explorer.gantt.geometry.stage_bands import BandLayout
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.veil import veiled_facts
from explorer.gantt.raster.kept_picture import drawn
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from explorer.document.time_axis import TimeRange
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.layers.layer import HoverFacts
    from explorer.gantt.raster.kept_picture import Drawing, KeptPicture
    from explorer.widgets.theme import Theme


ARRANGED = frozenset(("rows", "compact", "folds_stages", "veil", "decisions", "lanes"))
"""The fields of a content that decide where the parts of a chart lie."""


class ChartScene:
    """Knows what a chart shows and how large it is; makes frames and paints them.

    Attributes
    ----------
    content : what is shown
    layout : the rows in view
    folded : names of the pools of rows that are folded into one row
    bands : where the stages above the rows lie, or None without any
    layers : paint it, and keep their pictures between frames
    theme : colours by role
    """

    def __init__(
        self, theme: Theme, font: QFont, content: ChartContent | None = None, *, in_stack: bool = False
    ) -> None:
        from explorer.gantt.layers.chart_layers import ChartLayers

        self.content = content or ChartContent()
        self.layers = ChartLayers()
        self.layout = RowLayout((), 1)
        self.folded: frozenset[str] = frozenset()
        self.bands: BandLayout | None = None
        self.theme, self._fonts = theme, ChartFonts(font)
        self._in_stack = in_stack
        self._size, self._ratio = (400, 300), 1.0
        self._emphasis = (self.content.selected_job, FADED)
        self._still = QPixmap()
        self._still_is_valid = False
        self._frame: tuple[object, ChartFrame] | None = None
        self._tones_key: tuple[object, ...] = ()
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self.theme = theme
        self.invalidate()

    def set_font(self, font: QFont) -> None:
        """Paint in another type."""
        self._fonts = ChartFonts(font)
        self._arrange()

    def resize(self, width: int, height: int, ratio: float = 1.0) -> None:
        """Paint in another size."""
        if ((width, height), ratio) != (self._size, self._ratio):
            self._size, self._ratio = (width, height), ratio
            self._arrange()

    def change(self, **fields: Any) -> None:
        """Show other content: fields of `ChartContent` by name."""
        self.content = replace(self.content, **fields)
        if self._emphasis[1] == FADED:
            self._emphasis = (self.content.selected_job, FADED)
        if fields.keys() & ARRANGED:
            self._arrange()
        self.invalidate()

    def emphasise(self, job: int, share: float = FADED) -> None:
        """Let every other job recede by a share of the background; none for -1."""
        if (job, share) != self._emphasis:
            self._emphasis = (job, share)
            self.invalidate()

    def set_layout(self, layout: RowLayout) -> None:
        """Show other rows."""
        if layout != self.layout:
            self.layout = layout
            self.invalidate()

    def fit_rows(self, fits: bool) -> None:
        """Squeeze all rows into the plot, or give each a height that can be seen and scroll them."""
        self.set_layout(self.layout.with_least(0.0 if fits else MIN_ROW))
        self._arrange()

    def fold(self, names: frozenset[str], kept: int = 0) -> None:
        """Show these pools of rows as one row each; the pool at index `kept` stays in its place."""
        self.folded = names
        if self.layout.pools:
            self.layout = self.layout.with_folded(self._folded_bands(), kept)
        self._arrange()

    def _folded_bands(self) -> frozenset[int]:
        if not self.folded or self.content.rows is None:
            return frozenset()
        names = band_names(self.content.rows)
        return frozenset(index for index, name in enumerate(names) if name in self.folded)

    def invalidate(self) -> None:
        """Paint what stands still anew next time."""
        self._still_is_valid = False
        self._frame = None

    def frame(self, shown: TimeRange, full: TimeRange, is_vector: bool = False) -> ChartFrame:
        """Return all that a painter needs for a range of time."""
        wanted = (shown, full, is_vector)
        if self._frame is None or self._frame[0] != wanted:
            self._frame = (wanted, self._new_frame(shown, full, is_vector))
        return self._frame[1]

    def _new_frame(self, shown: TimeRange, full: TimeRange, is_vector: bool) -> ChartFrame:
        self._recolour()
        width = self._places.plot.width()
        frame = ChartFrame(
            content=self.content,
            theme=self.theme,
            fonts=self._fonts,
            places=self._places,
            scale=TimeScale(shown.start, shown.span, width, self._ratio, shown.fold),
            layout=self.layout,
            full_scale=TimeScale(full.start, full.span, width, self._ratio, full.fold),
            tones=self._tones,
            shown_tones=self._shown_tones,
            stage_tones=self._stage_tones,
            shown_stage_tones=self._shown_stage_tones,
            task_tones=self._task_tones,
            shown_task_tones=self._shown_task_tones,
            bands=self.bands,
            is_vector=is_vector,
        )
        return frame.under_veil()

    def facts_at(self, found: Hit, early: float, late: float) -> HoverFacts | None:
        """Return the description of a pixel (see `Layer.facts_at`), and nothing that is veiled."""
        rows, veil = self.content.rows, self.content.veil
        facts = self.layers.facts_at(rows, found, early, late) if rows is not None else None
        return veiled_facts(facts, veil, late) if veil < math.inf else facts

    def still(self, frame: ChartFrame) -> QPixmap:
        """Return the picture of everything that does not follow the pointer."""
        if not self._still_is_valid:
            width, height = (round(length * self._ratio) for length in self._size)
            if self._still.width() != width or self._still.height() != height:
                self._still = QPixmap(width, height)
                self._still.setDevicePixelRatio(self._ratio)
            with QPainter(self._still) as painter:
                self.layers.paint(painter, frame)
            self._still_is_valid = True
        return self._still

    def _arrange(self) -> None:
        pools = self.content.rows.pools if self.content.rows else ()
        folded = self._folded_bands()
        lanes = self._lanes()
        most = tallest(pools, folded, lanes) if pools else self._size[1]
        self.bands = self._new_bands(most)
        self._places = self._new_places(most)
        if (pools, folded, lanes) != (self.layout.pools, self.layout.folded, self.layout.lanes):
            self.layout = self.layout.with_pools(pools, folded, lanes)
        self.layout = self.layout.resized(self._places.plot.height())
        self.invalidate()

    def _lanes(self) -> tuple[int, ...]:
        """Return for how many rows each lane is high; nothing where that is its own number."""
        rows, wanted = self.content.rows, self.content.lanes
        if rows is None or not wanted:
            return ()
        own = tuple(pool.slots for pool in rows.pools)
        names = band_names(rows)
        lanes = tuple(max(slots, wanted.get(name, 0)) for name, slots in zip(names, own, strict=True))
        return () if lanes == own else lanes

    def _new_places(self, tallest: int) -> ChartPlaces:
        bands = None if self.bands is None else self.bands.height
        if self._in_stack:
            return ChartPlaces.in_stack(*self._size, tallest, bands, **self._beside_rows)
        return ChartPlaces.of(*self._size, self.content.compact, tallest, bands)

    def _new_bands(self, tallest: int) -> BandLayout | None:
        """Lay out the stages above the rows; what is veiled has none, as they would show what comes."""
        rows = self.content.rows
        bands = stage_bands(rows) if rows is not None and not self.content.is_veiled else None
        if bands is None or self.content.folds_stages:
            return None if bands is None else BandLayout(bands, 0)
        height, line = self._size[1], self._fonts.small_metrics.height() + 1
        spare = height - tallest - height_above(0) - self._height_beside_rows()
        return BandLayout.of(bands, height, spare, line, self.bands.scroll if self.bands else 0)

    @property
    def _beside_rows(self) -> dict[str, bool]:
        """What has room above, below and beside the rows of a chart of a stack."""
        rows = self.content.rows
        return {
            "has_decisions": self.content.decisions is not None,
            "rows_scroll": self.layout.least > 0,
            "has_pennants": rows is not None and rows.schedule.workload.has_deadlines,
        }

    def _height_beside_rows(self) -> int:
        """Return the pixels of a chart without stages that are beside its rows: title, flags, axis."""
        plot = 1 << 16
        if self._in_stack:
            return plot - ChartPlaces.in_stack(400, plot, **self._beside_rows).plot.height()
        return self._size[1] - ChartPlaces.of(*self._size, self.content.compact).plot.height()

    def scroll_bands(self, by: float) -> bool:
        """Move the stages above the rows down by pixels; whether they were moved."""
        before = self.bands
        if before is not None:
            self.bands = before.scrolled_to(before.scroll + by)
        if self.bands == before:
            return False
        self.invalidate()
        return True

    def _recolour(self) -> None:
        content, jobs = self.content, self.content.jobs
        key = (jobs, id(content.classes), self.theme.is_dark, id(content.places), id(content.rows))
        if key != self._tones_key:
            self._tones_key = key
            self._coloured = content.classes, content.places, content.rows  # kept, so that ids stay theirs
            self._tones = tones_of(content, self.theme)
            self._stage_tones = self._tones_of_stages()
            self._task_tones = self._tones_of_tasks()
            self._shown_key: tuple[object, ...] = ()
        job, share = self._emphasis
        stage = content.selected_stage if share == FADED else -1
        recedes = content.shown_critical_path is not None
        pointed = content.pointed_class if share == FADED else -1
        if (job, share, recedes, stage, pointed) != self._shown_key:
            self._shown_key = (job, share, recedes, stage, pointed)
            self._shown_tones, self._shown_stage_tones = self._tones, self._stage_tones
            self._shown_task_tones = self._task_tones
            if content.rows is not None and pointed >= 0:
                self._fade_to_class(content.rows, pointed)
            elif content.rows is not None and (recedes or 0 <= job < jobs):
                self._fade(content.rows, np.array([job] if job >= 0 else [], np.int64), stage, share)

    def _tones_of_stages(self) -> NDArray[np.int64]:
        """Return the colours of what owns tasks: of their jobs or, where some are graphs, of their stages."""
        rows = self.content.rows
        if rows is None or not rows.has_graphs:
            return self._tones
        return stage_tones(self._tones[:, MAP_TONE], rows.schedule.workload.columns.stages, self.theme)

    def _tones_of_tasks(self) -> NDArray[np.int64]:
        rows = self.content.rows
        if rows is None:
            return self._tones
        painted = painted_rows(rows, classes_of(self.content))
        return group_tones(self.content, self.theme, painted, self._stage_tones)

    def _fade(self, rows: ScheduleRows, jobs: NDArray[np.int64], stage: int, share: float) -> None:
        """Let all but some jobs recede, or all but one stage."""
        painted = painted_rows(rows, classes_of(self.content))
        owners = jobs
        if rows.has_graphs:
            owners = np.flatnonzero(np.isin(rows.schedule.workload.columns.stages.job, jobs))
            owners = np.array([stage]) if 0 <= stage < painted.owners else owners
        self._fade_to(jobs, owners, painted.groups_of(owners, jobs), share)

    def _fade_to_class(self, rows: ScheduleRows, number: int) -> None:
        """Let all recede but one class; numbers behind those of classes are kinds of attempts."""
        classes, content = classes_of(self.content), self.content
        assert classes is not None  # there are rows
        painted, none = painted_rows(rows, classes), np.zeros(0, np.int64)
        if (look := number - len(classes.classes)) >= 0:
            self._fade_to(none, none, painted.groups_of_look(look), POINTED_FADED)
        elif classes.of_tasks is not None:
            groups = np.arange(number, painted.owners * painted.classes, painted.classes)
            self._fade_to(none, none, groups, POINTED_FADED)
        else:
            of_job = classes.of_job[: content.jobs]
            if content.places is not None:
                places = content.places[1]
                of_job = np.where(places >= 0, np.append(classes.of_job, -1)[places], -1)
            self._fade(rows, np.flatnonzero(of_job == number), -1, POINTED_FADED)

    def _fade_to(
        self,
        jobs: NDArray[np.int64],
        owners: NDArray[np.int64],
        groups: NDArray[np.int64],
        share: float,
    ) -> None:
        """Let all recede but some jobs, stages and groups of tasks."""
        lane = lane_colour(self.theme)
        self._shown_tones = self._shown_stage_tones = faded(self._tones, jobs, lane, share)
        if self._stage_tones is not self._tones:
            self._shown_stage_tones = faded(self._stage_tones, owners, lane, share)
        self._shown_task_tones = faded(self._task_tones, groups, lane, share)


class LaterPictures(QObject):
    """Has pictures of many tasks painted in a thread, which a frame left for later.

    Signals:
        drawn: they are there; what was painted without them is to be painted again
    """

    drawn = Signal()

    def __init__(self, later: list[Drawing], parent: QObject) -> None:
        super().__init__(parent)
        self._later, self._worker = later, Worker(self, finished=self._on_finished)

    @property
    def is_awaited(self) -> bool:
        """Whether something is still to come."""
        return bool(self._later) or self._worker.is_busy

    def start(self) -> None:
        """Draw what is missing; while something else is drawn, that comes first."""
        if self._later and not self._worker.is_busy:
            self._worker.start(partial(drawn, tuple(self._later)))

    def _on_finished(self, pictures: Sequence[tuple[KeptPicture[Any], KeptPicture[Any]]]) -> None:
        for picture, fresh in pictures:
            picture.take(fresh)
        self.drawn.emit()
