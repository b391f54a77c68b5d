"""The picture of a forecast: rows, bands on one axis, keys, clicks and the table."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from core.forecast.forecast import forecast
from core.model.cluster import Cluster
from explorer.forecast.ends_picture import EndsPicture
from tests.builders import make_job, make_workload, run
from tests.explorer.shown_texts import ShownTexts


@pytest.fixture
def found():
    """Return a forecast of four jobs, the first of which has ended; two have deadlines, one hopeless."""
    jobs = (
        make_job("J1", (4, 10.0)),
        make_job("J2", (8, [10.0, 12.0]), deadline=1e4),
        make_job("J3", (8, [10.0, 14.0]), deadline=21.0),
        make_job("J4", (8, 20.0)),
    )
    return forecast(run(make_workload(*jobs), Cluster(4, 0), "fifo"), 20.0, error=0.3, runs=30)


@pytest.fixture
def picture(qtbot, found):
    """Return it as a picture on the screen."""
    picture = EndsPicture()
    qtbot.addWidget(picture)
    picture.resize(500, 240)
    picture.show_forecast(found, "FIFO, from 0:20 on")
    picture.show()
    return picture


def test_rows_are_the_open_jobs_the_first_to_end_first(picture, found):
    assert [row.job for row in picture.rows] == ["J2", "J3", "J4"]
    middles = [row.middle for row in picture.rows]
    assert middles == sorted(middles)
    low, high = found.band(0.9)
    assert picture.rows[0].most == (low[1], high[1])
    assert picture.rows[0].in_time == 1.0
    assert picture.rows[1].in_time == 0.0


def test_the_axis_begins_now_and_holds_all_bands_of_half_the_draws(picture):
    scale = picture.scale(QRectF(picture.rect()))
    assert scale.low == 20.0
    assert scale.high >= max(row.half[1] for row in picture.rows)
    assert scale.x(scale.high) <= picture.width()


def test_a_band_stands_where_its_numbers_are(picture):
    """Pixels: left of a row's band there is the background, inside it is not."""
    image = picture.grab().toImage()
    scale, box = picture.scale(QRectF(picture.rect())), picture.row_box(2, QRectF(picture.rect()))
    row, y = picture.rows[2], round(box.center().y())
    inside = image.pixelColor(round(scale.x((row.half[0] + row.middle) / 2)), y)
    outside = image.pixelColor(round(scale.x(row.most[0])) - 4, y)
    assert outside == picture.background
    assert inside != outside


def test_clicks_and_keys_choose_a_job(picture, qtbot):
    middle = picture.row_box(1, QRectF(picture.rect())).center().toPoint()
    with qtbot.waitSignal(picture.chosen) as chosen:
        QTest.mouseClick(picture, Qt.MouseButton.LeftButton, pos=middle)
    assert chosen.args == ["J3"]
    assert picture.row_at(2) is None
    picture.setFocus()
    for _ in range(2):
        QTest.keyClick(picture, Qt.Key.Key_Down)
    with qtbot.waitSignal(picture.chosen) as chosen:
        QTest.keyClick(picture, Qt.Key.Key_Return)
    assert chosen.args == ["J3"]


def test_the_table_has_every_number_unrounded(picture, found):
    table = picture.table()
    assert len(table.rows) == 3
    last = dict(zip(table.header, table.rows[2], strict=True))
    assert last["job"] == "J4"
    assert last["90 % to (s)"] == np.sort(found.finish[:, 3])[-1]  # 0.05 of 31 places leaves none out above
    assert last["deadline (s)"] is None


def test_nothing_is_drawn_of_nothing(picture):
    picture.show_forecast(None)
    assert picture.rows == []
    assert picture.row_at(60) is None
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton, pos=QPoint(20, 60))
    colours = {picture.grab().toImage().pixelColor(x, 60).name() for x in range(picture.width())}
    assert colours == {picture.background.name()}


def test_names_leave_out_what_all_of_them_share(picture, monkeypatch):
    """However narrow the picture is: ten rows read "job …525)"."""
    names = [f"job {number}: count at Log.scala:36 (local-1795413597525)" for number in range(4)]
    jobs = [make_job(name, (8, 10.0)) for name in names]
    picture.show_forecast(forecast(run(make_workload(*jobs), Cluster(4, 0), "fifo"), 5.0, error=0.3, runs=30))
    picture.resize(260, 240)
    texts = ShownTexts(monkeypatch)
    texts.look("narrow", picture)
    assert {"job 0", "job 1", "job 2", "job 3"} <= set(texts.found)
