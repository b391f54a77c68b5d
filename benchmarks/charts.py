"""Frames of the Gantt chart with a million tasks, and the same chart drawn by matplotlib beside it.

    python -m benchmarks.charts [--tasks N] [--json] [--no-matplotlib]

1600x900, 512 rows, every decoration. A frame is one paint of an exposed window from the change to the last
pixel; paints are counted, so that a frame that was not drawn cannot look fast. Many tasks are painted in a
thread: beside the frame stands the longest time that the window's own thread took for one.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.million import packed_schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis

SIZE = (1600, 900)
FRAMES = 120


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--no-matplotlib", action="store_true", help="leave out the slow comparison")
    options = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    schedule = packed_schedule(options.tasks)
    rows = measure_chart(schedule)
    if not options.no_matplotlib:
        rows += measure_matplotlib(schedule)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{schedule.tasks} tasks, {SIZE[0]}x{SIZE[1]}, ms")
    print(f"{'what':44}{'median':>9}{'p95':>9}{'worst':>9}{'own':>9}{'frames':>8}")
    for row in rows:
        print(
            f"{row['what']:44}{row['median']:9.1f}{row['p95']:9.1f}{row['worst']:9.1f}{row['own']:9.1f}{row['frames']:8}"
        )


def _shown_view(axis: TimeAxis, schedule: Schedule) -> Any:
    """Show an empty chart that counts in `paints` how often it is painted."""
    from PySide6.QtTest import QTest

    from core.charts import raster
    from explorer.gantt.gantt_view import GanttView
    from explorer.widgets.theme import theme

    class CountingView(GanttView):
        paints = 0

        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            self.paints += 1

    raster.use_compiled()
    axis.set_extent(0.0, schedule.makespan)
    view = CountingView(axis, theme(dark=False))
    view.resize(*SIZE)
    view.change(
        title="A million tasks",
        lower_bound=0.97 * schedule.makespan,
        estimates=(("estimated", 0.95 * schedule.makespan),),
    )
    view.show()
    QTest.qWaitForWindowExposed(view)
    return view


def measure_chart(schedule: Schedule) -> list[dict[str, Any]]:
    """Measure first picture, pan, zoom, redraw and crosshair of our chart."""
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from explorer.document.time_axis import TimeAxis, TimeCursor

    application = QApplication.instance() or QApplication([])
    axis = TimeAxis()
    view = _shown_view(axis, schedule)

    def frame(change: Callable[[], object]) -> tuple[float, float]:
        painted = view.paints
        began = time.perf_counter()
        change()
        view.repaint()
        own = 1000 * (time.perf_counter() - began)
        assert view.paints > painted, "nothing was painted"
        while not view.is_drawn:
            application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        took = 1000 * (time.perf_counter() - began)
        application.processEvents()
        return took, own

    first = [frame(lambda: view.set_schedule(schedule))]
    span = axis.full_range.span
    axis.zoom(0.9, span / 2)
    step = 0.9 * span / (SIZE[0] - 90)
    pans = [frame(partial(axis.pan, step * (7 if i % 2 else -5))) for i in range(FRAMES)]
    zooms = [
        frame(partial(axis.zoom, 0.93 if i < FRAMES // 2 else 1 / 0.93, span / 3)) for i in range(FRAMES)
    ]
    axis.fit()
    selects = [frame(partial(view.change, selected_job=i % 100)) for i in range(FRAMES)]
    time_cursor = TimeCursor()
    time_cursor.set_end(span)
    view.set_time_cursor(time_cursor)
    played = [frame(partial(time_cursor.show_at, span * i / FRAMES)) for i in range(FRAMES)]
    cursors = [frame(partial(axis.set_cursor, span * i / FRAMES)) for i in range(FRAMES)]
    view.close()
    return [
        _row("first picture, from a schedule in memory", first),
        _row("pan (90 % of the span in view)", pans),
        _row("zoom (all to 1/75 and back)", zooms),
        _row("full redraw (select another job)", selects),
        _row("time cursor (playing)", played),
        _row("crosshair", cursors),
    ]


def measure_matplotlib(schedule: Schedule) -> list[dict[str, Any]]:
    """Draw the same rectangles with `broken_barh`, one call per slot, in memory."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    began = time.perf_counter()
    figure, axes = pyplot.subplots(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    colours = pyplot.get_cmap("tab20")(schedule.workload.columns.job % 20)
    order = schedule.by_slot
    for slot in range(schedule.cluster.slots):
        tasks = order.tasks[order.offsets[slot] : order.offsets[slot + 1]]
        spans = np.column_stack([schedule.start[tasks], schedule.end[tasks] - schedule.start[tasks]])
        axes.broken_barh(spans, (slot, 0.9), facecolors=colours[tasks])
    axes.set_xlim(0, schedule.makespan)
    axes.set_ylim(schedule.cluster.slots, 0)
    figure.canvas.draw()
    first = 1000 * (time.perf_counter() - began)
    began = time.perf_counter()
    axes.set_xlim(0, 0.9 * schedule.makespan)
    figure.canvas.draw()
    redraw = 1000 * (time.perf_counter() - began)
    pyplot.close(figure)
    return [
        _row("matplotlib: first picture", [(first, first)]),
        _row("matplotlib: pan or zoom", [(redraw, redraw)]),
    ]


def _row(what: str, frames_and_own: list[tuple[float, float]]) -> dict[str, Any]:
    frames, own = zip(*frames_and_own, strict=True)
    return {
        "what": what,
        "median": float(np.median(frames)),
        "p95": float(np.percentile(frames, 95)),
        "worst": max(frames),
        "own": max(own),
        "frames": len(frames),
    }


if __name__ == "__main__":
    main()
