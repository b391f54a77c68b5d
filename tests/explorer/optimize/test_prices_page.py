"""The page of prices: a picture on the time axis of the charts, for pointer and keys, and its sentence."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QBoxLayout, QToolTip

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.progress import no_progress
from core.optimize.slot_worths import NO_PRICES, KindWorth, SlotWorths
from explorer.document.time_axis import TimeAxis
from explorer.optimize.price_picture import STYLES
from explorer.optimize.prices_page import EMPTY, STOPPED, PricesPage
from explorer.optimize.wish_search import prices_for, search_for
from explorer.optimize.wishes import Rules, Wish
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.builders import make_job, make_workload

Key = Qt.Key
MAPS = KindWorth(4, "map slots", np.array([0.0, 10.0, 20.0, 50.0]), np.array([1.0, 4.0, 3.0, 0.0]))
REDUCES = KindWorth(2, "reduce slots", np.array([0.0, 30.0, 60.0]), np.array([0.0, 0.5, 0.0]))
WORTHS = SlotWorths("mean-response", 100.0, 5.0, (MAPS, REDUCES))


@pytest.fixture
def axis(qapp):
    axis = TimeAxis()
    axis.set_extent(0.0, 100.0)
    return axis


@pytest.fixture
def page(axis, shown):
    page = PricesPage(axis)
    page.resize(400, 500)
    shown(page)
    yield page
    shutdown_workers(page)


def show(page, worths, qtbot):
    page.start(lambda _progress, _should_stop: worths)
    qtbot.waitUntil(lambda: page.worths is worths)


def room_of(picture):
    return picture.room(QRectF(picture.rect()), QFontMetricsF(picture.font()))


def test_it_shows_the_sentence_and_what_a_price_is(page, qtbot):
    assert page.picture.empty_text == EMPTY
    assert not page.sentence.isVisible()
    assert not page.export_button.isEnabled()
    show(page, WORTHS, qtbot)
    assert page.sentence.text() == WORTHS.sentence
    assert "bound" in page.note.text()
    assert page.note.isVisible()
    assert page.export_button.isEnabled()
    assert page.picture.accessibleDescription() == WORTHS.sentence
    assert not page.busy.isVisible()
    page.resize(800, 200)
    assert page._halves.direction() == QBoxLayout.Direction.LeftToRight
    assert not page.note.isVisible()  # the tooltip says it
    assert "no schedule is promised" in page.sentence.toolTip().replace("\n", " ")
    page.clear("other jobs")
    assert (page.worths, page.picture.empty_text) == (None, "other jobs")
    assert not page.sentence.isVisible()


def test_what_goes_wrong_is_said_in_the_place_of_the_picture(page, qtbot):
    def fail(error, _progress, _should_stop):
        raise error

    for error, text in ((Cancelled("x"), STOPPED), (InputError("no such job"), "no such job")):
        page.start(partial(fail, error))
        qtbot.waitUntil(lambda text=text: page.picture.empty_text == text)
        assert not page.export_button.isEnabled()


def test_curves_are_steps_on_the_time_axis_of_the_charts(page, axis, qtbot):
    show(page, WORTHS, qtbot)
    picture, room = page.picture, room_of(page.picture)
    times = picture.times(room)
    corners = picture.curve(MAPS, room)
    assert [round(times.value(point.x()), 6) for point in corners[:-1]] == [0, 10, 10, 20, 20, 50, 50]
    heights = [(room.bottom() - point.y()) / room.height() * picture.highest for point in corners]
    assert heights == pytest.approx([1, 1, 4, 4, 3, 3, 0, 0])
    axis.show_span(15.0, 40.0)
    corners = picture.curve(MAPS, room)
    assert (corners[0].x(), corners[-1].x()) == pytest.approx((room.left(), room.right()))
    assert [round(picture.times(room).value(point.x()), 6) for point in corners] == [15, 20, 20, 40]
    assert STYLES[0] != STYLES[1]


def test_values_that_are_marked_are_round(page, qtbot):
    show(page, WORTHS, qtbot)
    assert page.picture.values(100.0, 10.0) == [0.0, 1.0, 2.0, 3.0, 4.0]
    for highest in (0.07, 1.0, 1.9, 4.32, 99.0):  # never 0 alone
        page.picture.show_worths(WORTHS._replace(kinds=(MAPS._replace(worth=MAPS.worth * highest / 4.32),)))
        assert len(page.picture.values(10.0, 10.0)) > 1
    tenth = tuple(kind._replace(worth=kind.worth / 40) for kind in WORTHS.kinds)
    page.picture.show_worths(WORTHS._replace(kinds=tenth))
    assert page.picture.values(100.0, 10.0) == pytest.approx([0.0, 0.02, 0.04, 0.06, 0.08, 0.1])


def test_the_pointer_is_in_all_charts_and_a_card_has_values_and_units(page, axis, qtbot):
    show(page, WORTHS, qtbot)
    room = room_of(page.picture)
    x = round(page.picture.times(room).x(35.0))
    QTest.mouseMove(page.picture, QPoint(x, round(room.center().y())))
    assert axis.cursor == pytest.approx(35.0, abs=1.0)
    assert page.picture.text_at(35.0).splitlines() == [
        "At 0:35",
        "map slots (4): 3",
        "reduce slots (2): 0.5",
        "s of all responses for 1 slot-second",
    ]
    QTest.mouseMove(page.picture, QPoint(1, 1))
    assert axis.cursor is None


def test_keys_go_from_change_to_change(page, axis, qtbot):
    show(page, WORTHS, qtbot)
    picture = page.picture
    picture.setFocus()
    found = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_End):
        QTest.keyClick(picture, key)
        found.append(axis.cursor)
    assert found == [0.0, 10.0, 20.0, 30.0, 20.0, 60.0]
    QTest.keyClick(picture, Key.Key_Right)
    assert axis.cursor == 60.0
    assert QToolTip.text().startswith("At 1:00")
    QTest.keyClick(picture, Key.Key_Home)
    assert axis.cursor == 0.0
    QToolTip.hideText()


def test_the_picture_and_its_numbers_are_exported(page, qtbot, tmp_path):
    show(page, WORTHS, qtbot)
    page.export_button.save(str(tmp_path / "prices.csv"))
    lines = (tmp_path / "prices.csv").read_text().splitlines()
    assert lines[0] == "slots,from (s),worth (s of all responses for 1 slot-second)"
    assert lines[1:4] == ["map slots,0.0,1.0", "map slots,10.0,4.0", "map slots,20.0,3.0"]
    assert len(lines) == 1 + 4 + 3
    page.export_button.save(str(tmp_path / "prices.svg"))
    assert "Map slots are worth most" in (tmp_path / "prices.svg").read_text()
    for dark in (True, False):
        page.picture.set_theme(theme(dark=dark))
        page.export_button.save(str(tmp_path / f"{dark}.png"))
    assert (tmp_path / "True.png").read_bytes() != (tmp_path / "False.png").read_bytes()


def test_a_search_has_prices_where_seconds_of_jobs_count():
    workload = make_workload(*(make_job(f"J{i}", (4, 3.0), (2, 2.0)) for i in range(4)))
    cluster = Cluster(2, 1)
    for goal, sigma, has in (
        ("mean-response", 0.0, True),
        ("mean-response", 0.3, False),
        ("makespan", 0.0, False),
    ):
        wish = Wish(goal, sigma=sigma)
        prepared = search_for(wish, workload, cluster, (), None, None, compiled=False)
        assert (prepared.prices is not None) == has
    with pytest.raises(InputError, match=NO_PRICES.split(";", maxsplit=1)[0]):
        prices_for(Wish("makespan"), workload, cluster)
    wish = Wish("mean-response", rules=Rules(arrivals=(("J0", 100.0),)))
    plain, later = (
        prices_for(each, workload, cluster)(no_progress, lambda: False)
        for each in (Wish("mean-response"), wish)
    )
    assert later.bound != plain.bound
