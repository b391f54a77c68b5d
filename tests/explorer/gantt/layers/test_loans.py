"""Slots that pools lend one another: edges of tasks, arrows at an instant, the balance beside the names."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QImage, QPainter

from core.charts.schedule_rows import schedule_rows
from core.files.samples import find_sample
from core.measures.job_classes import ClassedBy, job_classes
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.cursor_marks import CursorMark
from explorer.gantt.layers.labels import job_labels
from explorer.gantt.layers.loans import (
    _plates,
    _shown_loans,
    balance_facts,
    lender_of,
    loan_rect,
    loans_of,
    paint_loans,
    pool_inks,
)
from explorer.gantt.layers.overlays import Overlays, paint_overlays
from explorer.gantt.layers.task_facts import task_facts
from explorer.widgets.theme import theme


@pytest.fixture(scope="module")
def rows():
    workload = find_sample("three-pools").state.workload
    return schedule_rows(simulate(workload, workload.cluster, PolicyChoice("dhfs-pi")), by_pool=True)


def shown(rows, width=1200, **content):
    classes = job_classes(rows.schedule.workload, ClassedBy.POOL)
    scene = ChartScene(
        theme(True), QFont(), ChartContent(rows=rows, classes=classes, **content), in_stack=True
    )
    scene.resize(width, 420)
    span = TimeRange(0.0, rows.schedule.makespan)
    return scene, scene.frame(span, span)


def arrows(frame, rows, seconds):
    """Return which pixels arrows at an instant cover, and what is said beside their begins."""
    image = QImage(frame.places.whole.size(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_loans(painter, frame, rows, seconds)
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()
    return bits, _plates(rows, _shown_loans(frame, rows, seconds))


def test_arrows_lead_from_each_lender_to_the_tasks_on_its_slots(qapp, rows):
    _, frame = shown(rows)
    covered, plates = arrows(frame, rows, 25.0)
    # as in the design: pipeline works on four slots of reports and two of analysts, which lend reports one
    assert plates == {1: "2 to pipeline, 1 to reports", 2: "4 to pipeline"}
    inks = pool_inks(frame, rows, frame.theme.second_text)
    for loan in loans_of(rows).at(25.0):
        top, bottom = frame.row(int(rows.row[loan.task]))
        x = round(frame.x(25.0))
        beside = covered[(top + bottom) // 2, x - 8 : x + 9]
        assert any((beside & 0xFFFFFF) == (inks[loan.lender].rgb() & 0xFFFFFF)), loan
    ys, xs = np.nonzero(covered)
    place = loan_rect(frame, rows, 25.0)
    assert place.left() <= xs.min()
    assert xs.max() <= place.right()
    assert place.top() <= ys.min()
    assert ys.max() <= place.bottom()


@pytest.mark.parametrize("seconds", [10.0, 117.9, 500.0])
def test_where_nothing_is_lent_or_seen_there_is_no_arrow(qapp, rows, seconds):
    _, frame = shown(rows, veil=9.0 if seconds == 10.0 else math.inf)
    covered, _ = arrows(frame, rows, seconds)
    assert not covered.any()
    assert loan_rect(frame, rows, seconds).isEmpty()


def test_no_plate_covers_the_name_of_a_pool(qapp, rows):
    _, frame = shown(rows)
    names = frame.places.plot.left() + 16 + frame.fonts.small_bold_metrics.horizontalAdvance("pipeline")
    for seconds in (0.5, 5.0, 25.0, 60.0):
        covered, plates = arrows(frame, rows, seconds)
        if plates:
            assert np.nonzero(covered)[1].min() >= names - 8 or frame.x(seconds) < names


def test_the_balance_stands_beside_what_is_known_of_a_pool(qapp, rows):
    loans = loans_of(rows)
    assert loans is not None
    assert balance_facts(loans, 0) == ["share 3 of 12", "lent 2 min 12 s", "borrowed 8 min 36 s"]
    assert loans.balance.tolist() == [384.0, -352.0, -32.0]
    (scene, frame), (hidden, hidden_frame) = shown(rows), shown(rows, veil=1e9)
    pictures = [each.still(at).toImage() for each, at in ((scene, frame), (hidden, hidden_frame))]
    y = frame.layout.name_line(0) + frame.places.plot.top() + 8
    line = range(frame.places.plot.left() + 400, frame.places.plot.right() - 10)
    assert any(pictures[0].pixel(x, y) != pictures[1].pixel(x, y) for x in line), (
        "no result while it is veiled"
    )


def test_a_task_says_which_pool_lends_its_slot(qapp, rows):
    loans = loans_of(rows)
    lender = {loan.task: loans.names[loan.lender] for loan in loans.loans}
    for task in range(rows.schedule.tasks):
        assert lender_of(rows, task) == lender.get(task, "")
        said = dict(task_facts(rows, rows.place_of(task)).lines()).get("lent by", "")
        assert said == lender.get(task, "")


def test_the_edge_of_a_task_has_the_colour_of_its_lender(qapp, rows):
    scene, frame = shown(rows)
    image, inks = scene.still(frame).toImage(), pool_inks(frame, rows, frame.theme.second_text)
    wide = [loan for loan in loans_of(rows).loans if frame.x(loan.end) - frame.x(loan.begin) > 60]
    assert len(wide) > 20
    hits = 0
    for loan in wide:
        top = frame.row(int(rows.row[loan.task]))[0]
        at = QPointF(frame.x(loan.begin) + 1, top + 2).toPoint()
        hits += image.pixelColor(at).rgb() == inks[loan.lender].rgb()
    assert hits > 0.6 * len(wide)  # the others lie below names


def test_rows_of_slots_know_of_no_loans(qapp, rows):
    plain = schedule_rows(rows.schedule)
    assert loans_of(plain) is None
    texts = [[sign.text for sign in legend_signs([each])] for each in (rows, plain)]
    assert ["lent by a pool" in text for text in texts] == [True, False]
    assert loan_rect(shown(replace(rows))[1], plain, 25.0).isEmpty()


def test_arrows_cover_no_name_of_a_job(qapp):
    """At an instant the names stand above the arrows, as they are without them."""
    workload = find_sample("three-pools").state.workload
    rows = schedule_rows(simulate(workload, workload.cluster, PolicyChoice("dhfs-pd")), by_pool=True)
    scene, frame = shown(rows, width=1640)
    image = scene.still(frame).toImage()
    painter = QPainter(image)
    paint_overlays(painter, frame, Overlays(cursor=CursorMark(25.0)))
    painter.end()
    plain = scene.still(frame).toImage()
    x = round(frame.x(25.0))
    spots = [label.spot for index in frame.layout.in_view for label in job_labels(frame, rows, index)]
    covered, _ = arrows(frame, rows, 25.0)
    near = [
        spot.toRect()
        for spot in spots
        if covered[
            int(spot.top()) + 3 : int(spot.bottom()) - 2, int(spot.left()) + 5 : int(spot.right()) - 2
        ].any()
        and spot.right() < x - 3
    ]
    assert near, "a name that arrows pass"
    for spot in near:
        inner = [(x, spot.center().y()) for x in range(spot.left() + 5, spot.right() - 2)]
        ink = [image.pixelColor(*at).lightness() - plain.pixelColor(*at).lightness() for at in inner]
        assert max(map(abs, ink)) < 40
