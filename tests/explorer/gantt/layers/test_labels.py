"""What is written upon a chart: nothing over anything else, and no names of what recedes."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from core.charts.palette import contrast
from core.charts.raster_kernel import MAP_TONE
from core.explain.critical_path import critical_path
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.blocks import blocks_in
from explorer.gantt.layers import labels, layer, time_marks, waves
from explorer.widgets.theme import theme

SAMPLES = (("five-jobs", "fifo"), ("facebook", "fair"), ("three-pools", "fair"), ("wikitrends", "edf-max"))
SIZES = ((300, 150), (640, 220), (960, 480), (1300, 700))


@pytest.fixture
def written(monkeypatch):
    """What is written where: rectangles with their texts, of the frame painted last."""
    found: list[tuple[QRectF, str]] = []
    flag, pill, tag = time_marks._paint_flag, labels._paint_pill, layer.draw_tag

    def noted_flag(painter, frame, place, text, mark):
        found.append(
            (QRectF(place.left, frame.places.flags.top(), place.width, time_marks.FLAG_HEIGHT), text)
        )
        flag(painter, frame, place, text, mark)

    def noted_pill(painter, frame, label):
        found.append((label.spot & QRectF(frame.places.plot), label.text))
        pill(painter, frame, label)

    def noted_tag(painter, frame, rect, text, *colours):
        found.append((rect, text))
        tag(painter, frame, rect, text, *colours)

    monkeypatch.setattr(time_marks, "_paint_flag", noted_flag)
    monkeypatch.setattr(labels, "_paint_pill", noted_pill)
    monkeypatch.setattr(waves, "draw_tag", noted_tag)
    return found


@pytest.mark.parametrize(("sample", "policy"), SAMPLES)
def test_nothing_is_written_over_anything_else(qtbot, written, sample, policy):
    workload = load_sample(sample)
    assert workload.cluster is not None
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy))
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.axis.set_extent(0.0, schedule.makespan)
    bound = 0.9 * schedule.makespan
    view.set_schedule(schedule, lower_bound=bound, estimates=(("estimated", 0.95 * schedule.makespan),))
    for width, height in SIZES:
        view.resize(width, height)
        for selected in (-1, 0, len(workload.jobs) - 1):
            view.change(selected_job=selected)
            for start, end in ((0.0, 1.0), (0.3, 0.5)):
                view.axis.show_span(start * schedule.makespan, end * schedule.makespan)
                written.clear()
                view.grab()
                flags = [area for area, _ in written if area.height() == time_marks.FLAG_HEIGHT]
                assert flags or not view.frame().places.flags.height()
                for (one, text), (other, beside) in combinations(written, 2):
                    assert not one.intersects(other), (text, beside, width, height, selected)


@pytest.mark.parametrize("room", range(10, 90, 4))
@pytest.mark.parametrize("name", ["J005", "nightly load"])
def test_a_name_that_is_cut_keeps_enough_letters_to_know_the_job(qapp, name, room):
    text = labels._legible(name, QFontMetricsF(qapp.font()), room)
    assert text in ("", name) or len(text.replace("…", "")) >= labels.MIN_LETTERS


@pytest.mark.parametrize("height", [420, 1300])
def test_only_what_stands_out_is_named(qtbot, monkeypatch, height):
    """Names of what recedes would be as loud as those of what is looked at."""
    workload = load_sample("five-jobs")
    assert workload.cluster is not None
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    named: list[str] = []
    monkeypatch.setattr(labels, "_paint_pill", lambda *given: named.append(given[2].text))
    monkeypatch.setattr(
        labels,
        "_paint_task_label",
        lambda *given: named.append(f"J{(given[2].columns.code[given[3]] >> 1) + 1}"),
    )
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(1200, height)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.grab()
    assert set(named) == {"J1", "J2", "J3", "J4", "J5"}
    named.clear()
    view.change(selected_job=2)
    view.grab()
    assert set(named) == {"J3"}
    view.change(selected_job=-1)
    view.grab()
    everything = len(named)
    path = critical_path(schedule)
    view.set_critical_path(schedule, path)
    named.clear()
    view.grab()
    jobs = {int(workload.columns.job[link.task]) for link in path.links if link.task >= 0}
    assert set(named) <= {workload.jobs[job].name for job in jobs}
    assert height < 1000 or len(named) < everything, "the tasks of the path alone"


@pytest.fixture
def two_jobs(qtbot):
    """A chart of rows 8 px tall: the first job on all twelve slots for 100 s, then the second for as long."""
    jobs = tuple(Job(name, Stage.of(12, 100.0), Stage.of(0, 1.0)) for name in ("first", "second"))
    workload = Workload("two", jobs, Cluster(12, 0))
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.resize(900, 140)
    view.grab()
    return view


def pills(view):
    rows = view.content.rows
    return [
        label for index in view.scene.layout.in_view for label in labels.job_labels(view.frame(), rows, index)
    ]


def test_a_name_stands_upon_its_block_on_a_plate_with_an_edge_in_the_colour_of_the_job(two_jobs):
    view, frame = two_jobs, two_jobs.frame()
    assert frame.layout.row_height < labels.TASK_LABEL_ROW
    first, second = pills(view)
    assert (first.text, second.text) == ("first", "second")
    for label, (start, end) in ((first, (0.0, 100.0)), (second, (100.0, 200.0))):
        block = QRectF(frame.x(start), frame.pool_rects[0].top(), frame.x(end) - frame.x(start), 1000)
        assert block.contains(label.spot)
        assert label.spot.left() == pytest.approx(block.left() + labels.PILL_INSET, abs=1)
        image = view.grab().toImage()
        y = round(label.spot.center().y())
        edge = image.pixel(round(label.spot.left()) + 1, y) & 0xFFFFFF
        assert edge == frame.tones[label.job, MAP_TONE]
        plate = image.pixel(round(label.spot.left()) + 5, y) & 0xFFFFFF
        surface = frame.theme.surface.rgb() & 0xFFFFFF
        assert contrast(plate, surface) < 1.3
    height = frame.pool_rects[0].height()
    assert first.spot.center().y() == pytest.approx(frame.pool_rects[0].top() + height / 2, abs=3)


def test_a_name_stands_above_the_line_of_the_time_cursor(two_jobs):
    view, (first, _) = two_jobs, pills(two_jobs)
    x, y = round(first.spot.right() - labels.PILL_AIR / 2), round(first.spot.center().y())
    cursor = TimeCursor()
    cursor.set_end(200.0)
    view.set_time_cursor(cursor, EndLine())
    cursor.show_at(view.frame().scale.time(x + 0.5 - view.frame().places.plot.left()))
    image, theme = view.grab().toImage(), view.frame().theme
    assert image.pixelColor(x, round(first.spot.bottom()) + 5) == theme.cursor
    assert contrast(image.pixel(x, y) & 0xFFFFFF, theme.surface.rgb() & 0xFFFFFF) < 1.3


@pytest.mark.parametrize("what", ["bound", "end"])
def test_a_name_stands_above_the_lines_of_times(two_jobs, what):
    """The lines of the bound and of the time by which all is to end crossed its letters."""
    view, (first, _) = two_jobs, pills(two_jobs)
    place, column = first.spot.toRect(), round(first.spot.left() + 12)
    seconds = view.frame().scale.time(column + 0.5 - view.frame().places.plot.left())
    before = view.grab().toImage()
    if what == "bound":
        view.change(lower_bound=seconds)
    else:
        view.set_time_cursor(TimeCursor(), line := EndLine())
        line.set_end(200.0)
        line.show_at(seconds)
    after = view.grab().toImage()
    heights = range(place.top() + 2, place.bottom() - 1)
    above = range(view.frame().places.plot.top() + 8, place.top() - 2)
    assert any(before.pixel(column, y) != after.pixel(column, y) for y in above)
    pairs = [(before.pixel(column, y) & 0xFFFFFF, after.pixel(column, y) & 0xFFFFFF) for y in heights]
    assert max(contrast(*pair) for pair in pairs) < 1.3


def test_a_block_that_is_narrower_than_its_name_has_none(two_jobs):
    two_jobs.axis.set_extent(0.0, 4000.0)
    two_jobs.axis.fit()
    two_jobs.grab()
    assert pills(two_jobs) == []


def test_blocks_are_looked_for_once_for_the_same_times_and_rows(two_jobs, monkeypatch):
    looked = []
    monkeypatch.setattr(labels, "blocks_in", lambda *given: looked.append(given[3]) or blocks_in(*given))
    two_jobs.change(selected_job=1)
    two_jobs.grab()
    two_jobs.change(selected_job=-1)
    two_jobs.grab()
    assert looked == []
    two_jobs.axis.zoom(0.5, 150.0)
    two_jobs.grab()
    assert looked == [0]


def test_no_name_lies_upon_the_selected_task(two_jobs):
    (first, _), frame = pills(two_jobs), two_jobs.frame()
    rows = two_jobs.content.rows
    slot = next(s for s in range(12) if frame.row(s)[0] <= first.spot.center().y() < frame.row(s)[1])
    task = int(rows.task[rows.columns.offsets[slot]])
    two_jobs.change(selected_task=task)
    assert [label.text for label in pills(two_jobs)] == ["second"]


def test_a_job_that_is_late_says_so_where_there_is_room(qtbot):
    job = Job("report", Stage.of(12, 100.0), Stage.of(0, 1.0), deadline=40.0)
    other = Job("tiny", Stage.of(1, 1.0), Stage.of(0, 1.0), arrival=100.0)
    workload = Workload("late", (job, other), Cluster(12, 0))
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.resize(900, 140)
    assert [label.text for label in pills(view)] == ["report late by 1 min 00 s"]
    view.axis.set_extent(0.0, 900.0)
    view.axis.fit()
    assert [label.text for label in pills(view)] == ["report"]


def test_an_only_job_is_not_named_upon_its_tasks(qtbot):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    workload = Workload("one", (Job("report", Stage.of(12, 100.0), Stage.of(0, 1.0)),), Cluster(12, 0))
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.resize(900, 140)
    view.grab()
    assert pills(view) == []


@pytest.mark.parametrize("height", [260, 420, 700])
def test_jobs_of_short_tasks_are_named_in_tall_rows_as_in_low_ones(qtbot, written, height):
    """Of ten scans no task, 12 pixels wide, has room for a name: the block of each job has it."""
    workload = load_sample("ten-scans")
    assert workload.cluster is not None
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    view = GanttView(TimeAxis(), theme(True))
    qtbot.addWidget(view)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.resize(1000, height)
    written.clear()
    view.grab()
    assert view.frame().layout.row_height >= labels.TASK_LABEL_ROW
    assert sorted(text for _, text in written if text.startswith("J")) == sorted(
        f"J{i + 1}" for i in range(10)
    )
    for spot, text in written:
        if text.startswith("J"):
            corners = (spot.left() + 1, spot.right() - 1)
            jobs = {view.job_at(QPointF(x, spot.center().y())) for x in corners}
            assert jobs == {int(text[1:]) - 1}, "upon tasks of its own"


def test_a_job_whose_tasks_are_named_has_no_other_name(qtbot, written):
    jobs = (Job("wide", Stage.of(2, 50.0)), Job("short", Stage.of(40, 2.0)))
    view = GanttView(TimeAxis(), theme(True))
    qtbot.addWidget(view)
    schedule = simulate(Workload("two", jobs), Cluster(2, 0), PolicyChoice("fifo"))
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.resize(900, 200)
    written.clear()
    view.grab()
    assert [text for _, text in written if text in ("wide", "short")] == ["short"]
