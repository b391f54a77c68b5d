"""Stages above the rows: boxes in the colours of their jobs and depths, names, lines, think times."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from core.charts.palette import contrast, ink_on
from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import EMPTY, Edge, Stage, StageGraph
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.stage_bands import StageLabels
from explorer.gantt.stage import Style, to_image
from explorer.widgets.theme import theme
from explorer.widgets.type_face import headless_application
from tests.core.charts.chart_builders import make_schedule

CHAIN = StageGraph((0, 0, 0), (Edge(0, 1, 1.0), Edge(1, 2, 1.0)))


def chain(name, **fields):
    stages = Stage.of(2, 10.0), Stage.of(2, [10.0, 6.0]), Stage.of(1, 10.0)
    return Job(name, stages=stages, graph=CHAIN, **fields)


def rows_of(*jobs, slots=4):
    cluster = Cluster(0, 0, 1.0, containers=slots)
    return schedule_rows(simulate(Workload("test", jobs), cluster, PolicyChoice("fifo")))


TWO = rows_of(chain("Q1"), chain("Q2", after=(Link("Q1", 20.0),)))
"""Stages of 10 s each from 0 to 30 and from 50 to 80 s: the driver thinks for 20 s between."""


def frame_of(rows, dark=False, size=(900, 500), **content):
    """Return the frame of a chart of 80 s and its picture."""
    headless_application()
    scene = ChartScene(theme(dark), QGuiApplication.font(), ChartContent(rows, **content))
    scene.resize(*size)
    frame = scene.frame(TimeRange(0.0, 80.0), TimeRange(0.0, 80.0))
    return frame, scene.still(frame).toImage()


def pixel(image, x, y):
    return image.pixel(round(x), round(y)) & 0xFFFFFF


@pytest.mark.parametrize("dark", [False, True])
def test_boxes_have_the_colour_of_their_stage(dark):
    frame, image = frame_of(TWO, dark)
    boxes = frame.bands.bands.boxes
    assert len(boxes.stage) == 6
    for place, stage in enumerate(boxes.stage.tolist()):
        left, right = frame.x(boxes.start[place]), frame.x(boxes.end[place])
        top = frame.places.bands.top() + int(frame.bands.box_tops[place])
        assert pixel(image, left + 6, top + 4) == frame.stage_tones[stage, MAP_TONE]
        assert pixel(image, right - 6, top + frame.bands.box - 4) == frame.stage_tones[stage, MAP_TONE]


def test_tasks_have_the_colours_of_their_stages():
    """On the first slot Q1 runs one task of each of its stages; in vector formats, too, they look so."""
    frame, image = frame_of(TWO)
    top, bottom = frame.row(0)
    for seconds, stage in ((3.0, 0), (13.0, 1), (23.0, 2), (53.0, 3)):
        assert pixel(image, frame.x(seconds), top + 3) == frame.stage_tones[stage, MAP_TONE]
    assert len({int(tone) for tone in frame.stage_tones[:, MAP_TONE]}) == 6
    assert bottom > top


def test_a_selected_stage_stands_out_with_those_around_it():
    frame, image = frame_of(TWO, selected_job=0, selected_stage=1)
    tones, vivid = frame.shown_stage_tones[:, MAP_TONE], frame.stage_tones[:, MAP_TONE]
    assert [bool(same) for same in tones == vivid] == [False, True, False, False, False, False]
    y = frame.places.bands.top() + int(frame.bands.box_tops[0]) + 4
    colours = [pixel(image, frame.x(seconds), y) for seconds in (1.5, 11.5, 21.5, 51.5)]
    assert colours == [*vivid[:3].tolist(), tones[3]]


def test_without_stages_to_show_nothing_moves():
    frame, _ = frame_of(schedule_rows(make_schedule()))
    assert frame.bands is None
    assert frame.places.bands.isNull()
    assert frame.stage_tones is frame.tones
    assert frame.places.flags.top() == frame.places.title.bottom() + 1


def test_folded_bands_leave_the_path():
    frame, _ = frame_of(TWO)
    folded, _ = frame_of(TWO, folds_stages=True)
    assert folded.places.bands.height() == 0
    assert folded.places.path.height() == frame.places.path.height()
    assert folded.places.plot.top() < frame.places.plot.top()


def test_what_is_veiled_has_no_bands():
    assert frame_of(TWO, veil=20.0)[0].bands is None


def test_a_think_time_is_dotted():
    frame, image = frame_of(TWO)
    y = frame.places.bands.top() + frame.bands.band_spans[0][0] + 4 + frame.bands.box // 2
    line = [pixel(image, x, y) for x in range(round(frame.x(31.0)), round(frame.x(36.0)))]
    assert {line.count(colour) > 3 for colour in set(line)} == {True}
    assert len(set(line)) == 2


@pytest.mark.parametrize(("room", "text"), [(200, "Stage 5 · 12"), (50, "5 · 12"), (16, "5"), (5, "")])
def test_a_label_is_as_long_as_fits(room, text):
    headless_application()
    labels = StageLabels()
    labels.use(QGuiApplication.font())
    assert labels.fitting("5", 12, room) == text


def test_a_stage_with_a_name_has_that(qapp):
    labels = StageLabels()
    labels.use(QGuiApplication.font())
    assert labels.fitting("read orders", 12, 300) == "read orders · 12"
    assert labels.fitting("read orders", 12, 80) == "read orders"
    assert labels.fitting("read orders", 12, 45).endswith("…")
    assert labels.fitting("read orders", 12, 12) == ""


@pytest.mark.parametrize("dark", [False, True])
def test_labels_are_readable_on_every_depth(dark):
    stages = tuple(Stage.of(1, 1.0) for _ in range(9))
    graph = StageGraph((0,) * 9, tuple(Edge(i, i + 1, 1.0) for i in range(8)))
    frame, _ = frame_of(rows_of(*(Job(f"J{i}", stages=stages, graph=graph) for i in range(9))), dark)
    for tone in np.unique(frame.stage_tones[:, MAP_TONE]).tolist():
        assert contrast(ink_on(tone), tone) >= 4.5


def test_linked_jobs_of_two_stages_keep_their_colours():
    one = Stage.of(2, 3.0), Stage.of(1, 2.0)
    frame, _ = frame_of(rows_of(Job("J1", *one), Job("J2", *one, after=(Link("J1", 5.0),))))
    assert frame.bands is not None
    assert frame.stage_tones is frame.tones


def test_exported_pictures_have_them():
    style = Style(theme(False), (900, 500))
    shown, folded = (to_image([ChartContent(TWO, folds_stages=fold)], style) for fold in (False, True))
    assert shown != folded


def test_the_legend_explains_the_path():
    texts = [sign.text for sign in legend_signs([TWO])]
    assert {"on the path to the end", "driver thinks"} <= set(texts)
    assert "waits for slots" not in texts
    narrow = rows_of(chain("Q1"), Job("Q2", Stage.of(9, 9.0), EMPTY), slots=1)
    assert "waits for slots" in [sign.text for sign in legend_signs([narrow])]
    assert "driver thinks" not in [sign.text for sign in legend_signs([schedule_rows(make_schedule())])]


def test_a_box_that_is_scrolled_half_out_has_no_label():
    """Ink on the first box where it is whole, and none but its own colour where its upper half is out."""
    rows = rows_of(*(chain(f"Q{i}") for i in range(9)))
    headless_application()
    scene = ChartScene(theme(False), QGuiApplication.font(), ChartContent(rows))
    scene.resize(900, 300)
    colours = []
    for scroll in (0, 4 + 7):
        scene.scroll_bands(scroll - scene.bands.scroll)
        frame = scene.frame(TimeRange(0.0, 80.0), TimeRange(0.0, 80.0))
        image, top = scene.still(frame).toImage(), frame.places.bands.top()
        y = top + int(frame.bands.box_tops[0]) + 9
        across = range(round(frame.x(2.0)), round(frame.x(8.0)))
        colours.append({pixel(image, x, y) for x in across})
    assert len(colours[0]) > 3
    assert colours[1] == {frame.stage_tones[0, MAP_TONE]}
