"""A block lands where the picture says, and the label beside the pointer says the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from core.charts.schedule_rows import schedule_rows
from core.model.job import Job
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.gestures.block_gesture import drop_place, place_text, stage_spans
from explorer.gantt.layers.drag_marks import DragPreview, job_boxes, label_place, place_rows
from explorer.gantt.layers.overlays import Overlays
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule, make_workload

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
ORDER = ("A", "B", "C", "D")
BACK_TO_BACK = {"A": (0.0, 10.0), "B": (10.0, 20.0), "C": (20.0, 30.0), "D": (30.0, 40.0)}
APART = {"A": (0.0, 2.0), "B": (4.0, 6.0), "C": (30.0, 32.0), "D": (34.0, 40.0)}


def dropped(order, moved, time, spans):
    others = [name for name in order if name != moved]
    place = drop_place(order, moved, time, spans)
    return "".join((*others[:place], moved, *others[place:]))


@pytest.mark.parametrize(
    ("moved", "time", "expected"),
    [
        ("B", 0.0, "BACD"),
        ("B", 4.0, "BACD"),
        ("B", 6.0, "ABCD"),
        ("B", 15.0, "ABCD"),
        ("B", 20.0, "ABCD"),
        ("B", 24.0, "ABCD"),
        ("B", 26.0, "ACBD"),
        ("B", 34.0, "ACBD"),
        ("B", 36.0, "ACDB"),
        ("B", 999.0, "ACDB"),
        ("A", -5.0, "ABCD"),
        ("A", 19.0, "BACD"),
        ("D", 35.0, "ABCD"),
        ("D", 1.0, "DABC"),
    ],
)
def test_a_job_goes_between_the_blocks_that_it_is_between(moved, time, expected):
    assert dropped(ORDER, moved, time, BACK_TO_BACK) == expected


@pytest.mark.parametrize(("time", "expected"), [(7.0, "ABDC"), (20.0, "ABDC"), (29.0, "ABDC"), (3.0, "ADBC")])
def test_a_gap_belongs_to_the_blocks_beside_it(time, expected):
    """Not to the block that begins next: right of B is after B, however far C is."""
    assert dropped(ORDER, "D", time, APART) == expected


def test_right_of_all_blocks_is_the_end_even_long_before_the_makespan():
    """Also where the last of the queue has no block in these rows, or not the last one."""
    spans = {"A": (0.0, 4.0), "C": (4.0, 6.0), "B": (6.0, 8.0)}
    assert dropped(ORDER, "A", 7.5, spans) == "BCDA"
    assert dropped(ORDER, "A", 500.0, spans) == "BCDA"


def test_places_follow_the_picture_where_it_does_not_follow_the_queue():
    spans = {"B": (0.0, 10.0), "C": (10.0, 20.0), "A": (20.0, 30.0), "D": (30.0, 40.0)}
    assert dropped(ORDER, "D", 12.0, spans) == "ABDC"
    assert dropped(ORDER, "D", 18.0, spans) == "ABCD"
    assert dropped(ORDER, "D", 1.0, spans) == "DABC"


def test_overlapping_blocks_count_as_far_as_the_next_one_begins():
    spans = {"A": (0.0, 50.0), "B": (10.0, 60.0), "C": (20.0, 55.0), "D": (40.0, 44.0)}
    assert [dropped(ORDER, "D", time, spans) for time in (1.0, 8.0, 16.0, 33.0)] == [
        "DABC",
        "ADBC",
        "ABDC",
        "ABDC",
    ]


@given(
    st.permutations(ORDER),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), min_size=4, max_size=4),
    st.sampled_from(ORDER),
)
def test_the_own_block_changes_nothing_and_beyond_all_blocks_are_the_ends(order, begins, moved):
    spans = {name: (float(b), float(b + length)) for name, (b, length) in zip(ORDER, begins, strict=True)}
    home = list(order).index(moved)
    begin, end = spans[moved]
    following = min((b for name, (b, _) in spans.items() if name != moved and b >= begin), default=end)
    assert drop_place(order, moved, begin, spans) == home
    assert drop_place(order, moved, min(end, following), spans) == home
    assert drop_place(order, moved, 1e6, spans) in (home, 3)
    assert drop_place(order, moved, -1e6, spans) in (home, 0)


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("BACD", "before A, to the front"),
        ("ACBD", "after C, before D"),
        ("ACDB", "after D, to the end"),
        ("B", ""),
    ],
)
def test_a_place_in_words(order, text):
    assert place_text(tuple(order), "B") == text


def test_spans_of_maps_and_of_reduces():
    workload = make_workload(jobs=3)
    only_maps = Workload("w", (*workload.jobs, Job("maps", Stage.of(2, 1.0))), workload.cluster)
    schedule = make_schedule(only_maps)
    rows, columns = schedule_rows(schedule), schedule.workload.columns
    for kind in (MAP, REDUCE):
        spans = stage_spans(rows, kind)
        for index, job in enumerate(workload.jobs):
            tasks = slice(columns.first[index, kind], columns.first[index, kind] + columns.count[index, kind])
            assert spans[job.name] == (schedule.start[tasks].min(), schedule.end[tasks].max())
        assert ("maps" in spans) == (kind == MAP)


# ---- in a chart


def shown(qtbot, workload):
    schedule = make_schedule(workload)
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(False))
    view.resize(700, 360)
    view.set_schedule(schedule)
    view.set_order([job.name for job in workload.jobs])
    qtbot.addWidget(view)
    view.show()
    view.order_previewed.connect(
        lambda order: view.set_schedule(make_schedule(workload, "order", order=order))
    )
    return view


def on_task(view, job, kind):
    schedule, frame = view.content.rows.schedule, view.frame()
    task = int(schedule.workload.columns.first[job, kind])
    top, bottom = frame.row(int(schedule.slot[task]))
    return QPoint(round(frame.x(float(schedule.start[task] + schedule.end[task]) / 2)), (top + bottom) // 2)


def place_said(text, moved, order):
    """The order that a label means, read from its words alone; None for staying."""
    if "stays" in text:
        return None
    others = [name for name in order if name != moved]
    after, before = re.search(r"after (\w+)", text), re.search(r"before (\w+)", text)
    place = others.index(after[1]) + 1 if after else 0
    assert before is None or others[place] == before[1]
    assert ("to the end" in text) == (place == len(others))
    assert ("to the front" in text) == (place == 0)
    return (*others[:place], moved, *others[place:])


@pytest.mark.parametrize("kind", [MAP, REDUCE])
@pytest.mark.parametrize(("jobs", "slots", "seed"), [(2, 2, 1), (3, 3, 2), (4, 2, 3)])
def test_the_label_says_the_order_after_the_drop_and_the_own_block_changes_nothing(
    qtbot, jobs, slots, seed, kind
):
    workload = make_workload(jobs=jobs, slots=slots, seed=seed)
    view = shown(qtbot, workload)
    base, order, drops = view.content.rows.schedule, tuple(workload.job_index), []
    view.order_dropped.connect(drops.append)
    plot, reached = view.frame().places.plot, set()
    for job, moved in enumerate(order):
        start = on_task(view, job, kind)
        for x in range(plot.left(), plot.right(), 23):
            at = QPoint(x, start.y())
            is_own = view.job_at(QPointF(at)) == job
            QTest.mousePress(view, LEFT, SHIFT, start)
            QTest.mouseMove(view, start + QPoint(0, 30))  # now it is a drag
            QTest.mouseMove(view, at)
            said = place_said(view._drag.text(), moved, order)
            drops.clear()
            QTest.mouseRelease(view, LEFT, SHIFT, at)
            assert drops == ([] if said is None else [said])
            assert not (is_own and drops)
            reached.add((moved, said))
            if said is not None and kind == MAP:  # maps start in the order of the queue
                after = stage_spans(view.content.rows, MAP)
                assert sorted(order, key=lambda name: after[name][0]) == list(said)
            view.set_schedule(base, ghost=None)
    assert len(reached) == jobs * jobs  # every job at every place


def test_the_rows_under_the_pointer_say_the_places(qtbot):
    """One long map stage: right of it in the map rows is the end, and before it in the reduce rows."""
    one, long = Stage.of(2, 2.0), Stage.of(2, 30.0)
    jobs = [Job("J1", one, Stage.of(2, 2.0)), Job("J2", long, Stage.of(2, 2.0)), Job("J3", one, long)]
    view = shown(qtbot, Workload("w", tuple(jobs), make_workload(slots=2, slowstart=1.0).cluster))
    start, frame = on_task(view, 0, MAP), view.frame()
    reduces = frame.pool_rects[1].center().y()
    QTest.mousePress(view, LEFT, SHIFT, start)
    QTest.mouseMove(view, QPoint(round(frame.x(36.0)), start.y()))
    assert view._drag.text().startswith("after J3, to the end: ")
    QTest.mouseMove(view, QPoint(round(frame.x(36.0)), reduces))
    assert view._drag.text().startswith("after J2, before J3: ")
    assert view._drag.kind == REDUCE
    rows = place_rows(frame, view._overlays().drag)
    assert (rows.top(), rows.bottom()) == (frame.pool_rects[1].top(), frame.pool_rects[1].bottom())


def test_the_line_stands_where_the_block_begins_over_its_rows_only(qtbot):
    view = shown(qtbot, make_workload(jobs=3, slots=4))
    start = on_task(view, 2, MAP)
    QTest.mousePress(view, LEFT, SHIFT, start)
    QTest.mouseMove(view, QPoint(view.frame().places.plot.left() + 2, start.y()))
    assert view._drag.drop_time() == stage_spans(view.content.rows, MAP)["J3"][0] == 0.0
    picture, frame, accent = view.grab().toImage(), view.frame(), view.scene.theme.accent
    x, (maps, reduces) = round(frame.x(0.0)), frame.pool_rects
    assert picture.pixelColor(x, maps.top() + 20) == accent
    assert picture.pixelColor(x, reduces.top() + 20) != accent


@pytest.mark.parametrize("size", [(700, 360), (320, 200)])
def test_the_label_stays_inside_and_off_the_job(qtbot, size):
    view = shown(qtbot, make_workload(jobs=4, slots=3))
    view.resize(*size)
    frame = view.frame()
    plot, whole = frame.places.plot, QRectF(frame.places.whole)
    for job in range(4):
        matter = job_boxes(frame, view.content.rows, job)
        assert len(matter) == 2
        for x in range(plot.left(), plot.right(), 40):
            for y in range(plot.top(), plot.bottom(), 20):
                label = label_place(frame, QPointF(x, y), 160.0, matter)
                assert whole.contains(label)
                assert not label.contains(QPointF(x, y))
                assert not any(label.intersects(box) for box in matter)


def test_without_a_time_the_rows_of_the_pool_are_framed(qtbot):
    view = shown(qtbot, make_workload(jobs=3))
    view._overlays = lambda: Overlays(DragPreview(view.content.rows, 1, "to Pool 2", kind=MAP))
    picture, (maps, reduces) = view.grab().toImage(), view.frame().pool_rects
    accent = view.scene.theme.accent
    for y in (maps.top() + 1, maps.bottom() - 1):
        assert picture.pixelColor(maps.left() + 40, y) == accent
    assert picture.pixelColor(reduces.left() + 40, reduces.bottom() - 1) != accent


def test_jobs_are_called_as_in_sentences_and_the_end_is_said_to_the_second(qtbot):
    stages = Stage.of(2, 3000.4), Stage.of(2, 700.0)
    names = [f"job_200904211745_000{number}" for number in (1, 2, 3)]
    jobs = tuple(Job(name, *stages) for name in names)
    view = shown(qtbot, Workload("w", jobs, make_workload(slots=2, slowstart=1.0).cluster))
    start, frame = on_task(view, 0, MAP), view.frame()
    QTest.mousePress(view, LEFT, SHIFT, start)
    QTest.mouseMove(view, QPoint(frame.places.plot.right() - 2, start.y()))
    assert view._drag.text() == "after job 0003, to the end: 2 h 41 min 41 s, ±0 %"
    QTest.mouseMove(view, start)
    assert view._drag.text() == "job 0001 stays where it is: 2 h 41 min 41 s"
