"""A panned picture equals a redrawn one to the last bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter

from core.charts.fold import NO_FOLD, Fold
from core.charts.painted_rows import painted_rows
from core.charts.palette import faded
from core.charts.schedule_rows import schedule_rows
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.raster import row_picture
from explorer.gantt.raster.kept_picture import drawn
from explorer.gantt.raster.row_picture import RowPicture, RowsShown
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_tones, make_schedule, make_workload

WIDTH = 400
ROWS = schedule_rows(make_schedule(make_workload(jobs=5, slots=6)))
END = ROWS.schedule.makespan
STEPS = {
    "right": [3.37] * 12,
    "left": [-5.9] * 12,
    "mixed": [40.2, -3.0, -90.5, 17.17, 0.3, -0.4, 260.0, -120.0],
}


def pixels(image):
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


class Viewer:
    def __init__(self, height, tones, span, dark=False, ratio=1.0):
        self.layout, self.tones, self.theme = RowLayout(ROWS.pools, height), tones, theme(dark)
        self.start, self.span, self.ratio = END * 0.3, span, ratio
        self.picture = RowPicture()

    @property
    def shown(self):
        scale = TimeScale(self.start, self.span, WIDTH, self.ratio)
        return RowsShown(painted_rows(ROWS, None), self.tones, self.theme, scale, self.layout)

    def painted(self, picture=None):
        return pixels((picture or self.picture).image(self.shown))

    def drawn(self, later):
        image = QImage(WIDTH, self.layout.height, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.red)
        with QPainter(image) as painter:
            is_drawn = self.picture.draw(painter, QPoint(0, 0), self.shown, later)
        return is_drawn, pixels(image)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("height", [300, 120, 40, 22], ids=["hatched", "detailed", "plain", "shared lines"])
def test_panning_equals_redrawing(steps, height):
    viewer = Viewer(height, job_tones(5), END * 0.4)
    viewer.painted()
    partly = 0
    for step in STEPS[steps]:
        viewer.start += step * viewer.span / WIDTH
        moved = viewer.painted()
        partly += 0 < viewer.picture.painted_columns < WIDTH
        assert np.array_equal(moved, viewer.painted(RowPicture()))
    assert partly >= 6


def test_panning_equals_redrawing_with_a_selected_job_dark_and_sharp():
    tones = faded(job_tones(5, dark=True), slice(2, 3), 0x1B2028)
    viewer = Viewer(300, tones, END * 0.1, dark=True, ratio=2.0)
    viewer.painted()
    for step in STEPS["mixed"]:
        viewer.start += step * viewer.span / WIDTH
        assert np.array_equal(viewer.painted(), viewer.painted(RowPicture()))


def test_a_shift_by_a_wrong_pixel_would_be_noticed():
    viewer = Viewer(300, job_tones(5), END * 0.4)
    viewer.painted()
    shown = viewer.picture.shown
    assert shown is not None
    a_pixel_later = replace(shown.scale, first=shown.scale.first + shown.scale.span / WIDTH)
    viewer.picture.shown = shown._replace(scale=a_pixel_later)
    viewer.start += 5 * viewer.span / WIDTH
    assert (viewer.painted() != viewer.painted(RowPicture())).sum() > 1000


def test_nothing_is_painted_while_nothing_changes():
    viewer = Viewer(300, job_tones(5), END)
    viewer.painted()
    assert viewer.picture.painted_columns == WIDTH
    viewer.painted()
    assert viewer.picture.painted_columns == 0


def test_other_colours_rows_or_scale_are_painted_anew():
    viewer = Viewer(300, job_tones(5), END)
    viewer.painted()
    viewer.tones = job_tones(5, dark=True)
    viewer.painted()
    assert viewer.picture.painted_columns == WIDTH
    viewer.layout = viewer.layout.zoomed(2.0, 0.0)
    viewer.painted()
    assert viewer.picture.painted_columns == WIDTH
    viewer.span *= 0.9
    viewer.painted()
    assert viewer.picture.painted_columns == WIDTH


def test_folded_rows_are_those_of_a_schedule_without_the_pause():
    """Jobs that come 600 s later, with that pause folded, look as if they came at once; panned too."""
    workload = make_workload(jobs=2, slots=4)
    first, second = workload.jobs
    together = replace(workload, jobs=(first, replace(second, arrival=100.0)))
    apart = replace(workload, jobs=(first, replace(second, arrival=1100.0)))
    one, other = (schedule_rows(make_schedule(each)) for each in (together, apart))
    fold = Fold(((99.0, 1100.0),), 1.0)
    layout, tones, picture = RowLayout(one.pools, 120), job_tones(2), RowPicture()
    for start in (0.0, 3.0, 41.0, 90.0, 80.0):
        scale = TimeScale(start, 120.0, WIDTH)
        plain = RowsShown(painted_rows(one, None), tones, theme(False), scale, layout)
        bent = plain._replace(painted=painted_rows(other, None), scale=replace(scale, fold=fold))
        assert np.array_equal(pixels(RowPicture().image(plain)), pixels(picture.image(bent)))
    painted, alike = painted_rows(other, None), Fold(fold.stretches, fold.pleat)
    one_time, again = (painted.placed(each, with_attempts=False) for each in (fold, alike))
    assert one_time is again, "kept for an equal fold"
    assert painted.placed(NO_FOLD, with_attempts=False) is painted.pools


def test_the_picture_has_device_pixels():
    viewer = Viewer(100, job_tones(5), END, ratio=1.5)
    assert viewer.painted().shape == (150, 600)


def test_many_tasks_are_left_and_taken_over(monkeypatch):
    monkeypatch.setattr(row_picture, "MANY_TASKS", 10)
    viewer, later = Viewer(120, job_tones(5), END), []
    is_drawn, empty = viewer.drawn(later)
    assert not is_drawn
    assert np.unique(empty).tolist() == [viewer.theme.gap.rgb()]
    [(picture, fresh)] = drawn(later)
    picture.take(fresh)
    later.clear()
    is_drawn, whole = viewer.drawn(later)
    assert is_drawn
    assert not later
    assert np.array_equal(whole, viewer.painted(RowPicture()))


def test_few_tasks_that_came_into_view_are_painted_at_once(monkeypatch):
    viewer, later = Viewer(120, job_tones(5), END * 0.5), []
    viewer.painted()
    monkeypatch.setattr(row_picture, "MANY_TASKS", ROWS.schedule.tasks / 4)
    viewer.start += END * 0.1
    _, panned = viewer.drawn(later)
    assert not later
    assert np.array_equal(panned, viewer.painted(RowPicture()))
    viewer.start += END * 0.3
    viewer.drawn(later)
    assert len(later) == 1


def test_the_older_picture_is_stretched_to_the_new_times_and_rows():
    viewer = Viewer(120, job_tones(5), END * 0.5)
    older = viewer.shown
    viewer.span, viewer.layout = END * 0.25, viewer.layout.zoomed(2.0, 0.0)
    place = viewer.shown.place_of(older)
    assert place.width() == 2 * WIDTH
    assert abs(place.left()) <= 1
    assert 1.7 * 120 < place.height() < 2.1 * 120
