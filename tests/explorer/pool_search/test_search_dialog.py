"""The dialog of a search: fills live, stops, reads out, hands pools over, exports."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from shiboken6 import isValid

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.partition import check_partition
from core.planning import pool_searches
from core.planning.kept_searches import KeptSearches
from core.planning.pool_cut import Trial
from explorer.pool_search import search_dialog
from explorer.pool_search.search_dialog import SearchDialog
from explorer.pool_search.search_picture import SIDE_WIDTH, ends, labelled, search_places, shade_colour
from explorer.widgets.export import write_chart
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, make_job, make_workload, two_stage_workload

WORKLOAD = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))
CLUSTER = Cluster(30, 30, 1.0)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _forget_searches(monkeypatch):
    monkeypatch.setattr(pool_searches, "_kept", KeptSearches("a search"))


@pytest.fixture
def opened(qtbot):
    """Open a dialog; closed, it deletes itself as soon as its search has ended."""
    made = []

    def open_dialog(workload=WORKLOAD, cluster=CLUSTER, dark=False):
        dialog = SearchDialog(workload, cluster, "FIFO", theme(dark), compiled=False)
        made.append(dialog)
        dialog.start()
        with qtbot.waitExposed(dialog):
            dialog.show()
        return dialog

    yield open_dialog
    for dialog in made:
        if isValid(dialog):
            dialog.reject()
    qtbot.waitUntil(lambda: not any(isValid(dialog) for dialog in made))


@pytest.fixture
def dialog(opened, qtbot):
    """A dialog whose search is over."""
    dialog = opened()
    qtbot.waitUntil(lambda: not dialog.is_searching)
    return dialog


def taken(dialog):
    chosen = []
    dialog.taken.connect(lambda partition, trial: chosen.append((partition, trial)))
    return chosen


def test_it_tells_what_was_found(dialog):
    assert dialog.summary.text() == (
        "20 ways to make two pools were tried. "
        "One pool for all jobs, in Johnson's order, takes 47 s. "
        "Best: 2 small jobs on 20 + 20 slots until 0:40, 3 large jobs on 10 + 10 slots until 0:39: "
        "makespan 40 s (−14.9 % against one pool)."
    )
    assert dialog.progress.isHidden()
    assert dialog.stop_button.isHidden()


def test_what_was_found_before_is_there_at_once(dialog, opened, qtbot, monkeypatch):
    monkeypatch.setattr(pool_searches, "balanced_pools", None)
    again = opened()
    qtbot.waitUntil(lambda: not again.is_searching)
    assert again.picture.map.tried == dialog.picture.map.tried


def test_the_best_is_taken(dialog):
    chosen = taken(dialog)
    QTest.mouseClick(dialog.take_button, LEFT)
    (partition, trial) = chosen[0]
    assert trial == Trial((2,), (20,), (40.0, 39.0))
    assert [pool.slots for pool in partition.pools] == [(20, 20), (10, 10)]


def test_a_click_takes_the_trial_under_the_pointer(dialog):
    chosen = taken(dialog)
    trial = dialog.picture.map.rows[3][0]
    point = dialog.picture.place_of(trial).toPoint()
    QTest.mouseMove(dialog.picture, point)
    QTest.mouseClick(dialog.picture, LEFT, pos=point)
    assert chosen[0][1] == trial
    check_partition(chosen[0][0], WORKLOAD, CLUSTER)
    assert chosen[0][0].pools[0].slots == (trial.size, trial.size)
    QTest.mouseClick(dialog.picture, LEFT, pos=QPoint(3, 3))
    assert len(chosen) == 1


def test_pointing_reads_a_trial_out(dialog, qtbot):
    trial = dialog.picture.map.rows[2][0]
    QTest.mouseMove(dialog.picture, dialog.picture.place_of(trial).toPoint())
    qtbot.waitUntil(lambda: dialog.picture.current == trial)
    assert dialog.reading.text() == dialog.text_of(trial)
    assert dialog.reading.text().startswith("2 small jobs on 15 + 15 slots until ")
    assert dialog.picture.accessibleDescription() == dialog.reading.text()
    dialog.picture.clearFocus()
    dialog.picture.leaveEvent(None)
    assert dialog.reading.text() == search_dialog.HINT


def test_keys_go_from_trial_to_trial(dialog):
    chosen = taken(dialog)
    picture = dialog.picture
    picture.setFocus()
    expected = [picture.map.best]
    for key, method, step in (
        (Qt.Key.Key_Right, "beside", 1),
        (Qt.Key.Key_Down, "above", 1),
        (Qt.Key.Key_Left, "beside", -1),
        (Qt.Key.Key_Up, "above", -1),
    ):
        if len(expected) == 1:
            QTest.keyClick(picture, Qt.Key.Key_Right)  # the first key begins at the best
            assert picture.current == expected[0]
        expected.append(getattr(picture.map, method)(expected[-1], step))
        QTest.keyClick(picture, key)
        assert picture.current == expected[-1]
    QTest.keyClick(picture, Qt.Key.Key_Return)
    assert chosen[0][1] == expected[-1]


def test_it_fills_while_it_runs_and_can_be_stopped(opened, qtbot):
    workload = generate("synthetic1", parameters={"jobs": 30})
    dialog = opened(workload, Cluster(40, 40))
    qtbot.waitUntil(lambda: len(dialog.picture.map.rows) >= 2)
    assert dialog.is_searching
    assert 0 < dialog.progress.value() < 1000
    assert dialog.summary.text().startswith("Searching: ")
    assert not dialog.take_button.isEnabled()
    QTest.mouseClick(dialog.stop_button, LEFT)
    qtbot.waitUntil(lambda: not dialog.is_searching)
    assert dialog.summary.text().startswith("Stopped. One pool for all jobs, in Johnson's order, takes ")
    assert len(dialog.picture.map.rows) < 29


def test_closing_it_stops_the_search(opened, qtbot):
    workload = generate("synthetic1", parameters={"jobs": 30})
    dialog = opened(workload, Cluster(40, 40))
    qtbot.waitUntil(lambda: len(dialog.picture.map.rows) >= 1)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    assert pool_searches.known_search(workload, Cluster(40, 40)) is None


def test_where_nothing_can_be_divided_it_says_so(opened, qtbot):
    dialog = opened(cluster=Cluster(1, 1))
    qtbot.waitUntil(lambda: not dialog.is_searching)
    assert "no two pools are better" in dialog.summary.text()
    assert not dialog.take_button.isEnabled()
    QTest.keyClick(dialog.picture, Qt.Key.Key_Right)
    assert dialog.picture.current is None


@pytest.mark.parametrize("dark", [False, True])
def test_cells_have_the_colour_of_their_makespan(opened, qtbot, dark):
    dialog = opened(dark=dark)
    qtbot.waitUntil(lambda: not dialog.is_searching)
    picture = dialog.picture
    image = picture.grab().toImage()
    places = search_places(picture.rect().toRectF(), picture.map, picture.font())
    for split in picture.map.rows:
        for low, high, trial in picture.map.spans(split):
            if places.x(high) - places.x(low) > 30:
                x, y = (places.x(low) + places.x(high)) / 2 + 8, places.y(split) + 12
                wanted = shade_colour(picture.map.shade(trial.makespan), theme(dark))
                assert image.pixelColor(round(x), round(y)) == wanted, trial


def test_better_than_one_pool_and_worse_have_other_hues():
    for dark in (False, True):
        colours = [shade_colour(shade, theme(dark)) for shade in (1.0, 0.0, -0.5)]
        assert colours[0].saturation() > 100 > 60 > colours[2].saturation()
        assert colours[1] == theme(dark).field


def test_axes_are_labelled_with_round_numbers():
    assert labelled(29, 600, 46.0) == [1, 5, 10, 15, 20, 25]
    assert labelled(4, 600, 46.0) == [1, 2, 3, 4]
    assert labelled(255, 400, 46.0) == [1, 50, 100, 150, 200, 250]
    assert labelled(1, 60, 46.0) == [1]


def test_the_ends_of_the_narrow_axis_have_room_side_by_side(dialog):
    """Five hours and nine minutes more were written over each other."""
    assert ends(40.0, 68.5) == ("0:40", "1:08")
    assert ends(18_000.0, 18_540.0) == ("5:00:00", "5:09:00")
    letters = dialog.fontMetrics()
    for low, high in ((40.0, 68.5), (727.0, 3599.0), (18_000.0, 185_400.0)):
        assert sum(map(letters.horizontalAdvance, ends(low, high))) < SIDE_WIDTH


def test_picture_and_numbers_can_be_taken_elsewhere(dialog, tmp_path):
    for ending in ("png", "svg", "csv"):
        write_chart(dialog.picture, str(tmp_path / f"x.{ending}"))
        assert (tmp_path / f"x.{ending}").stat().st_size > 400
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == "small jobs,slots,end of small jobs (s),end of large jobs (s),makespan (s)"
    assert lines[1] == "0,0,0.0,47.0,47.0"
    assert "2,20,40.0,39.0,40.0" in lines
    dialog.export_button.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()
    assert dialog.reading.text() == "Copied the picture"


# ---- more than two pools

THREE = make_workload(
    make_job("J1", (1, 5.0), (1, 5.0)), make_job("J2", (4, 2.0), (1, 6.0)), make_job("J3", (3, 1.0), (1, 6.0))
)
"""Of three pools on 4 + 4 slots: `tests/core/planning/test_balanced_pools.py` works it out by hand."""


@pytest.fixture
def three(opened, qtbot):
    """A dialog that has searched three pools after two."""
    dialog = opened(THREE, Cluster(4, 4, 1.0))
    qtbot.waitUntil(lambda: not dialog.is_searching)
    assert dialog.bars.isHidden()
    dialog.pools.setValue(3)
    qtbot.waitUntil(lambda: not dialog.is_searching)
    return dialog


def test_three_pools_are_searched_shown_and_taken(three):
    assert three.bars.isVisible()
    assert three.about_map.text() == "Two pools only: every split and size that was tried."
    assert [(trial.pools, trial.makespan) for trial in three.bars.trials] == [(1, 12), (2, 11), (3, 10)]
    assert all(trial.pools <= 2 for trial in three.picture.map.tried)
    assert three.summary.text().endswith(
        "ways to make two pools were tried, and up to 3 pools. "
        "One pool for all jobs, in Johnson's order, takes 12 s. "
        "Best: 1 small job on 1 + 1 slots until 0:10, 1 medium job on 1 + 1 slots until 0:09, "
        "1 large job on 2 + 2 slots until 0:10: makespan 10 s (−16.7 % against one pool)."
    )
    chosen = taken(three)
    three.take_best()
    assert chosen[0][1] == Trial((1, 2), (1, 1), (10.0, 9.0, 10.0))
    assert [pool.slots for pool in chosen[0][0].pools] == [(1, 1), (1, 1), (2, 2)]


def test_boxes_are_as_wide_as_slots_and_as_high_as_pools_last(three):
    area = three.bars.rect().toRectF()
    first, second, third = three.bars.boxes(2, area)
    assert second.width() == pytest.approx(first.width())
    assert third.width() == pytest.approx(2 * first.width())
    (whole,) = three.bars.boxes(0, area)
    assert whole.width() == pytest.approx(4 * first.width())
    assert [box.height() / whole.height() for box in (first, second, third)] == pytest.approx(
        [10 / 12, 9 / 12, 10 / 12]
    )
    image = three.bars.grab().toImage()
    inside, above = first.center(), QPointF(first.center().x() + 4, first.top() - 3)
    assert image.pixelColor(round(inside.x()) + 20, round(inside.y())) != image.pixelColor(above.toPoint())


def test_rows_of_pools_are_reached_by_pointer_and_keys(three):
    chosen = taken(three)
    bars = three.bars
    QTest.mouseClick(bars, LEFT, pos=QPoint(200, 70))
    assert chosen[-1][1].pools == 2
    bars.setFocus()
    bars.look_at(None)
    for key, pools in ((Qt.Key.Key_Up, 3), (Qt.Key.Key_Up, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_Up, 1)):
        QTest.keyClick(bars, key)
        assert bars.current.pools == pools
    assert three.reading.text() == "3 all jobs on 4 + 4 slots until 0:12: makespan 12 s"
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert [pool.name for pool in chosen[-1][0].pools] == ["All jobs"]
    assert bars.table().rows[-1] == (3, "1 2", "1 1", 10.0)


def test_fewer_pools_again_are_there_at_once(three, qtbot, monkeypatch):
    monkeypatch.setattr(pool_searches, "balanced_pools", None)
    three.pools.setValue(2)
    qtbot.waitUntil(lambda: not three.is_searching)
    assert three.bars.isHidden()
    assert "makespan 11 s" in three.summary.text()
