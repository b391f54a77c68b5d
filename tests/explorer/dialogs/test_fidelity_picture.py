"""Fidelity as a picture: dots about the diagonal, two bars for each job, a click that goes to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from core.fidelity.fidelity import SIMMR, ModelReplay
from core.fidelity.log_replays import DrawnRuns, LogRun
from core.model.cluster import Cluster
from explorer.dialogs.fidelity_dialog import FidelityDialog
from explorer.dialogs.fidelity_scatter import FidelityScatter, job_sentence, near_words
from explorer.dialogs.fidelity_times import FidelityTimes, FidelityTimesView
from explorer.widgets.theme import theme_of
from tests.core.fidelity.test_fidelity import recorded_workload

Key = Qt.Key
RECORDED = np.array([10.0, 100.0, 1000.0, 60.0])
SIMULATED = np.array([10.0, 110.0, 400.0, 90.0])
"""Exact, near, far too short (−60 %), too long (+50 %)."""
REPLAY = ModelReplay(
    SIMMR,
    Cluster(1, 1),
    ("job_1", "job_2", "job_3", "job_4"),
    np.array([0.0, 20.0, 50.0, 900.0]),
    np.array([0.0, 20.0, 50.0, 900.0]),
    RECORDED,
    SIMULATED,
    990.0,
    1050.0,
)
DRAWN = DrawnRuns(
    LogRun(REPLAY.cluster, REPLAY.arrival, SIMULATED, REPLAY.errors, 990.0),
    (0.1, 0.3),
    (-0.1, 0.0),
    SIMULATED * 0.8,
    SIMULATED * 1.2,
)


@pytest.fixture
def scatter(shown) -> FidelityScatter:
    picture = FidelityScatter()
    picture.resize(400, 360)
    picture.show_replay(REPLAY)
    return shown(picture)


@pytest.fixture
def times(shown) -> FidelityTimes:
    picture = FidelityTimes()
    picture.resize(500, 200)
    picture.show_replay(REPLAY)
    return shown(picture)


def test_what_is_exact_lies_on_the_diagonal_and_what_is_too_short_below(scatter):
    area = QRectF(scatter.rect())
    dots, inside = scatter.dots(area), scatter._area(area)
    across = [(dot.x() - inside.left()) / inside.width() for dot in dots]
    up = [(inside.bottom() - dot.y()) / inside.height() for dot in dots]
    assert across[0] == pytest.approx(up[0])
    assert up[1] > across[1]
    assert up[2] < across[2]
    assert across[0] < across[3] < across[1] < across[2]
    assert all(inside.contains(dot) for dot in dots)


def test_what_is_far_off_is_red(scatter):
    picture, colours = scatter.grab().toImage(), theme_of(scatter)
    dots = scatter.dots(QRectF(scatter.rect()))
    inks = [picture.pixelColor(dot.toPoint()) for dot in dots]
    assert inks == [colours.link, colours.link, colours.worse, colours.worse]
    assert near_words(REPLAY) == "2 of 4 jobs within 25 %"


def test_the_worst_are_named_where_nothing_else_is(scatter):
    named = dict(scatter._named(QRectF(scatter.rect())))
    assert list(named) == [2, 3]
    dots = scatter.dots(QRectF(scatter.rect()))
    assert not any(place.contains(dot) for place in named.values() for dot in dots)


def test_a_click_near_a_dot_chooses_it_and_one_beside_all_does_not(scatter, qtbot):
    dots = scatter.dots(QRectF(scatter.rect()))
    with qtbot.waitSignal(scatter.chosen) as chosen:
        QTest.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=(dots[2] + QPointF(3, -3)).toPoint())
    assert chosen.args == [2]
    with qtbot.assertNotEmitted(scatter.chosen):
        QTest.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))


def test_keys_go_from_the_worst_on(scatter, qtbot):
    chosen: list[int] = []
    scatter.chosen.connect(chosen.append)
    scatter.chosen.connect(scatter.mark)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Up):
        QTest.keyClick(scatter, key)
    assert chosen == [2, 3, 1, 3]
    with qtbot.waitSignal(scatter.wanted) as wanted:
        QTest.keyClick(scatter, Key.Key_Return)
    assert wanted.args == [3]


def test_the_range_of_the_draws_is_said_in_words(scatter):
    assert job_sentence(REPLAY, 2).splitlines()[1] == "recorded 16 min 40 s, simulated 6 min 40 s: −60.0 %"
    assert "draw" not in job_sentence(REPLAY, 2)
    ranged = replace(REPLAY, spread=DRAWN)
    lines = job_sentence(ranged, 1).splitlines()
    assert lines[2] == "between the least and the largest draw: 1 min 28 s to 2 min 12 s"
    scatter.show_replay(ranged)
    assert scatter.table().rows[0] == ("job_3", 1000.0, 400.0, 320.0, 480.0, -0.6)


def test_rows_are_worst_first_with_both_bars_and_the_error(times):
    assert [
        times.job_at(QPointF(0, times.head + times.row_height * (place + 0.5))) for place in range(5)
    ] == [
        2,
        3,
        1,
        0,
        -1,
    ]
    picture, colours, scale = times.grab().toImage(), theme_of(times), times._scale()
    row = times.row_of(2)
    x = round(scale.x(50 + 600))  # the simulation has ended by then, the log has not
    inks = {picture.pixelColor(x, y).rgb() for y in range(round(row.top()) + 1, round(row.bottom()))}
    assert colours.third_text.rgb() in inks
    assert colours.worse.rgb() not in inks
    x = round(scale.x(50 + 200))
    inks = {picture.pixelColor(x, y).rgb() for y in range(round(row.top()) + 1, round(row.bottom()))}
    assert {colours.third_text.rgb(), colours.worse.rgb()} <= inks


def test_a_row_is_scrolled_into_view_below_the_axis(shown):
    times = FidelityTimes()
    view = FidelityTimesView(times)
    view.resize(420, 110)
    times.show_replay(REPLAY)
    shown(view)
    view.show_job(0)
    assert view.verticalScrollBar().value() > 0
    assert times.row_of(0).bottom() <= view.verticalScrollBar().value() + view.viewport().height()
    view.show_job(2)
    assert times.row_of(2).top() - times.head >= view.verticalScrollBar().value()


def test_a_click_in_the_dialog_goes_to_the_job_and_marks_it_in_both(qtbot):
    dialog = FidelityDialog(recorded_workload())
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.is_checking)
    place = dialog.times.row_of(4).center().toPoint()
    with qtbot.waitSignal(dialog.job_wanted) as wanted:
        QTest.mouseClick(dialog.times, Qt.MouseButton.LeftButton, pos=place)
    assert wanted.args == ["J4"]
    assert dialog.scatter.current == dialog.times.current == 4
    before = dialog.scatter.table().rows
    dialog.models.selectRow(2)  # the overheads read from this log: exact
    assert before != dialog.scatter.table().rows
    assert "12 of 12 jobs within 25 %" in dialog.scatter.accessibleDescription()


def test_the_window_shows_the_job_that_was_clicked(qtbot, tmp_path):
    from explorer.window.files.document_work import new_document
    from tests.explorer.window_fixtures import open_window

    window = open_window(qtbot, tmp_path)
    window.editor.load(new_document(recorded_workload()))
    assert window.runner.wait_until_idle(60_000)
    window.actions_by_id["fidelity"].trigger()
    (dialog,) = window.findChildren(FidelityDialog)
    qtbot.waitUntil(lambda: not dialog.is_checking)
    dialog.times.chosen.emit(7)
    assert window.view_state.selected_job == "J7"
    dialog.reject()
    assert window.runner.wait_until_idle(60_000)
