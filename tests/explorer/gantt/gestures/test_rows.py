"""Rows that do not all fit are scrolled; pools are folded into one row each, by mouse and keys."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from core.charts.schedule_rows import band_names
from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.row_layout import FOLDED_HEIGHT, HEADER_HEIGHT
from explorer.gantt.layers.row_bands import header_rect
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, two_stage_workload
from tests.core.charts.chart_builders import make_schedule
from tests.explorer.gantt.chart_builders import wheel_event

LEFT = Qt.MouseButton.LeftButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
WORKLOAD = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))
SMALL, LARGE = SlotPool("Small", 20, 20, ("J4", "J3")), SlotPool("Large", 10, 10, ("J2", "J5", "J1"))


@cache
def many():
    return make_schedule(jobs=3, slots=200)


def pooled(*pools):
    workload, cluster = WORKLOAD, Cluster(*Partition(pools).slots, 1.0)
    return simulate(workload, cluster, PolicyChoice("fifo"), partition=Partition(pools), engine="interpreted")


@pytest.fixture
def stack(qtbot):
    """What charts lie in: it scrolls where its content is higher."""
    stack = QScrollArea()
    qtbot.addWidget(stack)
    stack.resize(920, 420)
    stack.setWidget(QWidget())
    stack.widget().resize(890, 390)
    stack.show()
    return stack


@pytest.fixture
def view(stack):
    view = GanttView(TimeAxis(), theme(False), stack.widget())
    view.resize(890, 390)
    show(view, many())
    view.show()
    view.setFocus()
    return view


def show(view, schedule):
    view.axis.set_extent(0.0, schedule.makespan)
    view.axis.fit()
    view.set_schedule(schedule)
    view.set_order([job.name for job in schedule.workload.jobs])
    view.look.fit_rows(False)


def turn(view, steps, at=None, modifier=NONE, across=0, when=0):
    """Turn the wheel; whether the chart used it."""
    event = wheel_event(view, at or view.frame().places.plot.center(), steps, modifier, across, when)
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def layout(view):
    return view.frame().layout


def test_rows_are_two_pixels_high_and_what_does_not_fit_is_scrolled_by_the_wheel(view):
    assert layout(view).row_height == 2.0
    assert layout(view).pool_heights == (400.0, 400.0)
    shown = view.axis.range
    assert turn(view, -1)
    assert layout(view).scroll == 48
    assert turn(view, 1)
    assert layout(view).scroll == 0
    assert view.axis.range == shown


def test_at_the_ends_the_wheel_is_for_the_stack_and_nothing_zooms(view):
    shown = view.axis.range
    assert not turn(view, 1)
    view.look.scroll(1e9)
    assert not turn(view, -1)
    assert view.axis.range == shown


@pytest.mark.parametrize("is_tall", [False, True])
def test_where_all_rows_fit_the_wheel_is_for_a_stack_that_scrolls_else_it_zooms(stack, view, is_tall):
    show(view, pooled(SMALL, LARGE))
    view.look.set_folded(frozenset(band_names(view.content.rows)))
    stack.widget().resize(890, 1200 if is_tall else 390)
    span = view.axis.range.span
    assert turn(view, 1) is not is_tall
    assert view.axis.range.span == (span if is_tall else pytest.approx(0.85 * span))


def test_beside_the_plot_the_wheel_scrolls_a_stack_before_rows(stack, view):
    gutter = QPoint(12, view.frame().places.plot.center().y())
    assert turn(view, -1, gutter)
    assert layout(view).scroll == 48
    stack.widget().resize(890, 1200)
    assert not turn(view, -1, gutter)
    assert layout(view).scroll == 48


def test_a_wheel_that_turns_the_stack_is_not_stopped_by_a_chart_that_comes_below_it(stack, view):
    stack.widget().resize(890, 1200)
    gutter = QPoint(12, view.frame().places.plot.center().y())
    assert not turn(view, -1, gutter, when=1000)
    assert not turn(view, -1, when=1200)
    assert not turn(view, -1, when=1400)
    assert layout(view).scroll == 0
    assert turn(view, -1, when=1800)
    assert layout(view).scroll == 48
    assert not turn(view, -1, gutter, when=3000)
    stack.verticalScrollBar().setValue(stack.verticalScrollBar().maximum())
    assert turn(view, -1, when=3100)


def test_a_wheel_turned_sideways_moves_in_time(view):
    view.axis.zoom(0.3, 0.0)
    before = view.axis.t0
    assert turn(view, 0, across=-2)
    assert view.axis.t0 > before
    assert layout(view).scroll == 0


def test_touchpads_scroll_by_small_steps(view):
    for _ in range(5):
        turn(view, -1 / 120)
    assert layout(view).scroll == 5


@pytest.mark.parametrize(
    ("key", "modifier", "scroll"),
    [(Qt.Key.Key_PageDown, SHIFT, 246), (Qt.Key.Key_End, NONE, 0)],
)
def test_keys_scroll_rows(view, key, modifier, scroll):
    view.resize(890, 400)
    plot = view.frame().places.plot.height()
    QTest.keyClick(view, key, modifier)
    assert layout(view).scroll == (plot - 48 if modifier == SHIFT else scroll)


def test_fitted_rows_are_all_in_view_and_come_back(view):
    view.look.fit_rows(True)
    assert layout(view).most_scroll == 0
    assert layout(view).row_height < 1
    view.look.fit_rows(False)
    assert layout(view).row_height == 2.0


def test_a_few_rows_fill_the_plot_as_ever(view):
    show(view, make_schedule(jobs=3, slots=6))
    assert layout(view).most_scroll == 0
    assert layout(view).row_height > 15


# ---- the bar beside the plot


def on_bar(view, y):
    plot = view.frame().places.plot
    return QPoint(min(plot.right() + 7, view.width() - 1), plot.top() + round(y))


def test_the_bar_is_dragged_and_escape_puts_it_back(view):
    start = on_bar(view, 5)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, 40))
    assert layout(view).scroll > 0
    assert layout(view).thumb[0] == pytest.approx(40, abs=1)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert layout(view).scroll == 0
    QTest.mouseRelease(view, LEFT, NONE, start)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, 2000))
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert layout(view).scroll == layout(view).most_scroll


def test_a_click_on_the_bar_is_a_page(view):
    plot = view.frame().places.plot
    QTest.mouseClick(view, LEFT, NONE, on_bar(view, plot.height() - 3))
    assert layout(view).scroll == plot.height() - 48
    QTest.mouseClick(view, LEFT, NONE, on_bar(view, 1))
    assert layout(view).scroll == 0


def test_the_bar_is_there_only_where_rows_scroll(view):
    def ink():
        image, plot = view.grab().toImage(), view.frame().places.plot
        return {image.pixel(on_bar(view, y)) for y in range(0, plot.height(), 3)}

    assert len(ink()) > 2
    view.look.fit_rows(True)
    assert len(ink()) == 1


# ---- folding


def bands(view):
    return [rect.height() for rect in view.frame().pool_rects]


@pytest.mark.parametrize("index", [0, 1])
def test_a_click_on_a_label_folds_rows_and_opens_them(qtbot, view, index):
    show(view, make_schedule(jobs=3, slots=6))
    before = bands(view)
    label = QPoint(12, view.frame().pool_rects[index].center().y())
    QTest.mouseClick(view, LEFT, NONE, label)
    assert bands(view)[index] == FOLDED_HEIGHT
    assert bands(view)[1 - index] >= before[1 - index]
    folded = QPoint(12, view.frame().pool_rects[index].center().y())
    QTest.mouseClick(view, LEFT, NONE, folded)
    assert bands(view) == before


def test_the_name_of_a_pool_of_jobs_folds_it_and_the_pointer_says_so(view):
    show(view, pooled(SMALL, LARGE))
    name = header_rect(view.frame(), 1).topLeft() + QPoint(25, 8)
    QTest.mouseMove(view, name)
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor
    QTest.mouseClick(view, LEFT, NONE, name)
    assert layout(view).folded == {1}
    name = header_rect(view.frame(), 1).topLeft() + QPoint(25, 8)
    QTest.mouseClick(view, LEFT, NONE, name)
    assert layout(view).folded == set()


def test_the_edge_at_a_name_is_still_dragged(view):
    show(view, pooled(SMALL, LARGE))
    heard = []
    view.pools.previewed.connect(heard.append)
    name = header_rect(view.frame(), 1).topLeft() + QPoint(25, 8)
    QTest.mousePress(view, LEFT, NONE, name)
    QTest.mouseMove(view, name - QPoint(0, 4))
    QTest.mouseMove(view, name - QPoint(0, 40))
    QTest.mouseRelease(view, LEFT, NONE, name - QPoint(0, 40))
    assert heard[-1].pools[0].map_slots < 20
    assert layout(view).folded == set()


def test_a_folded_pool_shows_how_much_of_it_is_used_as_shade(view):
    view.look.fold([0])
    image, rect = view.grab().toImage(), view.frame().pool_rects[0]
    schedule = view.content.rows.schedule
    tasks = schedule.slot < 200
    y = rect.center().y()

    def lightness(seconds):
        return image.pixelColor(round(view.frame().x(seconds)), y).lightness()

    def busy(seconds):
        return int((tasks & (schedule.start <= seconds) & (seconds < schedule.end)).sum())

    times = np.linspace(1.0, 0.95 * schedule.makespan, 40).tolist()
    used = {round(busy(seconds), -1): lightness(seconds) for seconds in times}
    assert len(used) > 5
    assert [used[each] for each in sorted(used)] == sorted(used.values(), reverse=True)
    x, lines = round(view.frame().x(15.0)), range(rect.top() + 1, rect.bottom())
    assert len({image.pixel(x, line) for line in lines}) == 1


def test_over_a_folded_pool_a_card_says_how_much_of_it_is_busy_and_drops_still_find_it(view):
    show(view, pooled(SMALL, LARGE))
    view.look.fold([0])
    rect, schedule = view.frame().pool_rects[0], view.content.rows.schedule
    place = QPoint(round(view.frame().x(3.0)), rect.center().y())
    QTest.mouseMove(view, place)
    runs = (schedule.slot < 20) & (schedule.start <= 3.0) & (schedule.end > 3.0)
    assert view.facts is not None
    assert view.facts.title == "Small · map slots"
    assert view.facts.lines()[0] == ("busy", f"{runs.sum()} of 20")
    assert ("jobs", "J4") in view.facts.lines()
    assert view.job_at(place.toPointF()) == -1
    assert view.pools.named_at(place.toPointF()) == 0
    QTest.mouseMove(view, QPoint(place.x(), view.frame().pool_rects[1].center().y()))
    assert view.facts is None or view.facts.title != "Small · map slots"


def test_keys_mark_pools_and_fold_them(view):
    show(view, pooled(SMALL, LARGE))
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    assert layout(view).marked == 1
    QTest.keyClick(view, Qt.Key.Key_C)
    assert layout(view).folded == {1}
    QTest.keyClick(view, Qt.Key.Key_Up, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_C)
    assert layout(view).folded == {0, 1}
    QTest.keyClick(view, Qt.Key.Key_C, SHIFT)
    assert layout(view).folded == {0, 1, 2, 3}
    QTest.keyClick(view, Qt.Key.Key_C, SHIFT)
    assert layout(view).folded == set()


def test_a_marked_pool_comes_into_view(view):
    QTest.keyClick(view, Qt.Key.Key_Up, SHIFT)
    assert layout(view).marked == 1
    assert layout(view).pool_tops[1] < layout(view).height


def test_folded_pools_stay_folded_while_schedules_change(view):
    show(view, pooled(SMALL, LARGE))
    view.look.fold([1])
    view.set_schedule(pooled(SlotPool("Small", 22, 21, SMALL.jobs), SlotPool("Large", 8, 9, LARGE.jobs)))
    assert layout(view).folded == {1}
    assert layout(view).pools[0].slots == 22


def test_what_is_folded_keeps_its_place_on_the_screen(view):
    view.look.scroll(200)
    view.look.fold([1])
    assert layout(view).folded == {1}
    top = layout(view).pool_tops[1]
    view.look.fold([1])
    assert layout(view).pool_tops[1] == top


def test_a_pools_name_stays_at_the_top_while_its_rows_scroll(view):
    show(view, pooled(SMALL, LARGE))
    view.resize(890, 125)
    plot = view.frame().places.plot
    assert layout(view).most_scroll > 30
    view.look.scroll(30)
    assert layout(view).pool_tops[0] < 0
    assert header_rect(view.frame(), 0).top() == plot.top()
    QTest.mouseClick(view, LEFT, NONE, plot.topLeft() + QPoint(25, 6))
    assert layout(view).folded == {0}


def test_a_scrolled_name_is_pushed_out_by_the_next_one(view):
    show(view, pooled(SMALL, LARGE))
    view.resize(890, 125)
    line = layout(view)
    near = line.scrolled_to(line.pool_tops[1] - line.gap - 5)  # where the next line of a name begins
    assert near.name_line(0) == 5 - HEADER_HEIGHT


# ---- while something is dragged


def test_near_the_border_a_drag_scrolls_rows(qtbot, view):
    frame, schedule = view.frame(), view.content.rows.schedule
    task = int(schedule.workload.columns.first[0, 0]) + 20
    top, _bottom = frame.row(int(schedule.slot[task]))
    start = QPoint(round(frame.x(float(schedule.start[task] + schedule.end[task]) / 2)), top)
    QTest.mousePress(view, LEFT, SHIFT, start)
    QTest.mouseMove(view, start + QPoint(30, 0))
    QTest.mouseMove(view, QPoint(start.x() + 60, frame.places.plot.bottom() - 5))
    qtbot.waitUntil(lambda: layout(view).scroll >= 36)
    QTest.mouseMove(view, QPoint(start.x() + 60, frame.places.plot.top() + 5))
    qtbot.waitUntil(lambda: layout(view).scroll == 0)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, SHIFT, start)


def test_an_edge_that_is_dragged_while_rows_scroll_stays_under_the_pointer(view):
    show(view, pooled(SlotPool("Small", 300, 100, SMALL.jobs), SlotPool("Large", 300, 100, LARGE.jobs)))
    view.look.scroll(500)
    heard = []
    view.pools.previewed.connect(heard.append)
    start = header_rect(view.frame(), 1).center()
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, 20))
    view.look.scroll(100)
    QTest.mouseMove(view, start + QPoint(0, 21))
    assert heard[-1].pools[0].map_slots in (360, 361)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, NONE, start)
