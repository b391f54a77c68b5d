"""Which band and row each stage stands in, and where that is in pixels."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.schedule_rows import schedule_rows
from core.charts.stage_boxes import stage_bands
from core.explain.stage_path import deciding_stages
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import EMPTY, Edge, Stage, StageGraph
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.gantt.geometry.stage_bands import BAND_GAP, BAND_PAD, BOX, ROW_GAP, BandLayout
from tests.core.charts.chart_builders import make_schedule
from tests.core.measures.test_stage_spans import random_schedules

ONE = Stage.of(1, 1.0), EMPTY
TREE = StageGraph((0,) * 5, tuple(Edge(*pair, 1.0) for pair in ((0, 3), (1, 3), (2, 4), (3, 4))))
"""Two stages, then a third; it and a stage that has waited for none are waited for by the last."""


def rows_of(*jobs, slots=8):
    cluster = Cluster(0, 0, 1.0, containers=slots)
    return schedule_rows(simulate(Workload("test", jobs), cluster, PolicyChoice("fifo")))


def tree(name="J1", **fields):
    seconds = (5.0, 2.0, 4.0, 3.0, 1.0)
    return Job(name, stages=tuple(Stage.of(1, each) for each in seconds), graph=TREE, **fields)


def test_jobs_of_maps_and_reduces_have_no_bands():
    assert stage_bands(schedule_rows(make_schedule())) is None


def test_the_first_row_is_the_path_and_others_follow_their_parents():
    bands = stage_bands(rows_of(tree(), Job("J2", *ONE)))
    boxes = bands.boxes
    assert [(band.name, band.jobs, band.rows) for band in bands.bands] == [("J1", (0,), 3), ("J2", (1,), 1)]
    at = dict(zip(boxes.stage.tolist(), boxes.row.tolist(), strict=True))
    assert at == {0: 0, 1: 1, 2: 2, 3: 0, 4: 0, 5: 0}
    joined = {(int(boxes.stage[a]), int(boxes.stage[b])) for a, b in bands.links}
    assert joined == {(0, 3), (1, 3), (2, 4), (3, 4)}
    assert bands.box_of.tolist() == [0, 1, 2, 3, 4, 5, -1]


def test_links_go_through_stages_without_tasks():
    graph = StageGraph((0, 0, 0), (Edge(0, 1), Edge(1, 2)))
    rows = rows_of(Job("J1", stages=(Stage.of(1, 1.0), EMPTY, Stage.of(1, 1.0)), graph=graph))
    assert stage_bands(rows).links.tolist() == [[0, 1]]


def test_threads_have_bands_of_their_own_and_other_jobs_share_some():
    jobs = (
        Job("A1", *ONE),
        Job("B1", *ONE),
        Job("A2", *ONE, after=(Link("A1", 2.0),)),
        Job("C1", *ONE, arrival=0.5),
        Job("C2", *ONE, arrival=4.0),
    )
    bands = stage_bands(rows_of(*jobs))
    assert [(band.name, band.jobs) for band in bands.bands] == [
        ("Driver", (0, 2)),
        ("2 jobs", (1, 4)),
        ("C1", (3,)),
    ]
    assert [tuple(think) for think in bands.thinks] == [(0, 1.0, 3.0, 2)]
    assert [band.short_name for band in bands.bands] == ["Driver", "2 jobs", "C1"]
    threads = stage_bands(rows_of(*jobs[:3], Job("B2", *ONE, after=(Link("B1"),)))).bands
    assert [(band.name, band.short_name) for band in threads] == [("Driver 1", "D1"), ("Driver 2", "D2")]


def test_no_boxes_of_a_row_overlap():
    seen = 0
    for schedule in random_schedules(5, 80):
        bands = stage_bands(schedule_rows(schedule))
        if bands is None:
            continue
        boxes, stages = bands.boxes, schedule.workload.columns.stages
        assert sorted(boxes.stage.tolist()) == np.flatnonzero(stages.count).tolist()
        places = list(zip(*(column.tolist() for column in boxes), strict=True))
        for i, (_, start, end, *place) in enumerate(places):
            for _, begin, last, *other in places[i + 1 :]:
                assert place != other or end <= begin or last <= start
        decides = deciding_stages(schedule)[boxes.stage]
        assert decides[boxes.row == 0].all()
        seen += int((boxes.row > 0).sum())
    assert seen > 50


BANDS = stage_bands(rows_of(tree(), tree("J2"))) or pytest.fail("there are bands")
STEP = BOX + ROW_GAP
WHOLE = 2 * (3 * STEP - ROW_GAP + 2 * BAND_PAD) + BAND_GAP


def test_bands_are_as_high_as_they_need_to_be():
    layout = BandLayout.of(BANDS, chart_height=600, spare=0, line=13)
    assert (layout.height, layout.content_height, layout.most_scroll) == (WHOLE, WHOLE, 0)
    assert layout.box_tops.tolist()[:2] == [BAND_PAD, BAND_PAD + STEP]
    assert layout.band_spans == ((0, (WHOLE - BAND_GAP) // 2), ((WHOLE + BAND_GAP) // 2, WHOLE))


@pytest.mark.parametrize(("chart_height", "spare", "line", "box"), [(900, 0, 13, 20), (600, 0, 18, 18)])
def test_boxes_are_higher_in_high_charts_and_with_large_letters(chart_height, spare, line, box):
    assert BandLayout.of(BANDS, chart_height, spare, line).box == box


def test_what_does_not_fit_is_scrolled():
    layout = BandLayout.of(BANDS, chart_height=200, spare=0, line=13)
    assert (layout.height, layout.most_scroll) == (90, WHOLE - 90)
    last = len(BANDS.boxes.stage) - 1
    shown = layout.with_box(last)
    assert 0 <= shown.box_tops[last] <= 90 - BOX
    assert shown.with_box(0).scroll == 0
    assert layout.scrolled_to(1e6).scroll == layout.most_scroll
    assert layout.scrolled_to(-5).scroll == 0
    assert shown.scrolled_to(layout.most_scroll).thumb[0] == pytest.approx(90 - shown.thumb[1])
    assert BandLayout.of(BANDS, 200, spare=WHOLE, line=13).most_scroll == 0


def test_a_box_is_found_under_the_pointer():
    layout = BandLayout.of(BANDS, chart_height=600, spare=0, line=13)
    assert layout.box_at(2.0, BAND_PAD + 1, 0.0) == 0
    assert layout.box_at(2.0, BAND_PAD - 1, 0.0) == -1
    assert layout.box_at(20.0, BAND_PAD + 1, 0.0) == -1
    end = float(BANDS.boxes.end.max())
    assert layout.box_at(end + 0.1, BAND_PAD + 1, 0.2) >= 0
    assert layout.box_at(2.0, -1, 0.0) == layout.box_at(2.0, WHOLE, 0.0) == -1


def test_only_boxes_in_view_are_in_view():
    layout = BandLayout.of(BANDS, chart_height=200, spare=0, line=13)
    boxes, tops = BANDS.boxes, layout.box_tops
    found = set(layout.in_view(0.0, 1.0).tolist())
    for place, (start, top) in enumerate(zip(boxes.start.tolist(), tops.tolist(), strict=True)):
        assert (place in found) == (start <= 1.0 and top < 90)
