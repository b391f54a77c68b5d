"""The tornado: where its bars lie, what a click, a key and the card say, and what is exported."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.schedule import PolicyChoice
from core.study.sensitivity import Change, Sensitivity, Swing
from explorer.study.sensitivity_panel import SensitivityPanel
from explorer.study.tornado import Tornado
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.builders import FIVE_JOBS, two_stage_workload

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key
WORKLOAD = two_stage_workload(FIVE_JOBS)


def change(value, makespan, problem=""):
    return Change(value, Scenario(1, PolicyChoice("fifo")), Cluster(30, 30), WORKLOAD, makespan, problem)


ANSWER = Sensitivity(
    100.0,
    (
        Swing("map slots", "", "30", (change("27", 140.0), change("33", 90.0)), 100.0, is_lever=True),
        Swing("setup", "s", "10", (change("9", 100.0), change("11", 110.0)), 100.0),
        Swing("slowstart", "", "5 %", (change("0 %", 100.0), change("15 %", None, "not here")), 100.0),
    ),
)


GIVEN_FIRST = Sensitivity(
    3600.0,
    (
        Swing("durations of maps", "", "100 %", (change("90 %", 3000.0), change("110 %", 4200.0)), 3600.0),
        Swing("heartbeat", "s", "3", (change("2.7", 3480.0), change("3.3", 3720.0)), 3600.0, is_lever=True),
    ),
)


@pytest.fixture
def tornado(shown):
    tornado = Tornado()
    tornado.resize(420, 300)
    tornado.show_swings(ANSWER, "FIFO")
    return shown(tornado)


def test_bars_go_from_the_end_without_a_change_to_the_one_with_it(tornado):
    bars = tornado.bars(QRectF(tornado.rect()))
    assert [(bar.swing.title, bar.change.value) for bar in bars] == [
        ("map slots", "27"),
        ("map slots", "33"),
        ("setup", "9"),
        ("setup", "11"),
    ]
    later, sooner, same, _ = (bar.box for bar in bars)
    assert later.left() == pytest.approx(sooner.right())
    assert later.width() == pytest.approx(4 * sooner.width())
    assert same.width() == 0
    image = tornado.grab().toImage()
    colours = theme(dark=False)
    for box, colour in ((later, colours.worse), (sooner, colours.better)):
        assert image.pixelColor(box.center().toPoint()).name() == colour.name()


def test_what_an_administrator_can_turn_stands_first_whatever_moves_more(tornado):
    tornado.show_swings(GIVEN_FIRST, "FIFO")
    bars = tornado.bars(QRectF(tornado.rect()))
    assert [bar.swing.title for bar in bars] == ["heartbeat"] * 2 + ["durations of maps"] * 2
    assert bars[2].row.top() > bars[1].row.bottom() + 10, "a heading stands between"
    assert tornado.accessibleDescription().startswith("heartbeat: 4 min 00 s; durations of maps: 20 min 00 s")


def test_how_far_each_change_moves_the_end_is_written_on_the_free_side(tornado, monkeypatch):
    written: dict[str, QRectF] = {}
    draw = QPainter.drawText

    def note(painter, *given):
        if isinstance(given[0], QRectF):
            written[given[-1]] = given[0]
        draw(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", note)
    tornado.resize(600, 300)
    tornado.show_swings(GIVEN_FIRST, "FIFO")
    tornado.grab()
    boxes = {bar.change.value: bar.box for bar in tornado.bars(QRectF(tornado.rect()))}
    for value, text in (("2.7", "−2 min 00 s"), ("90 %", "−10 min 00 s")):
        assert written[text].left() > boxes[value].right()
    for value, text in (("3.3", "+2 min 00 s"), ("110 %", "+10 min 00 s")):
        assert written[text].right() < boxes[value].left()
    assert {"−10 min", "0", "+10 min"} <= written.keys(), "the axis"
    assert {"What you can set", "What jobs and model bring along"} <= written.keys()
    assert all(QRectF(tornado.rect()).contains(place) for text, place in written.items() if "min 00" in text)


@pytest.mark.parametrize("width", [240, 300, 420, 900])
def test_in_any_width_and_height_all_texts_stand_inside_and_apart(tornado, monkeypatch, width):
    written: list[tuple[str, QRectF]] = []
    draw = QPainter.drawText

    def note(painter, *given):
        if isinstance(given[0], QRectF):
            height, wide = painter.fontMetrics().height(), painter.fontMetrics().horizontalAdvance(given[-1])
            place = QRectF(given[0].left(), given[0].center().y() - height / 2, wide, height)
            if len(given) == 3 and given[1] & Qt.AlignmentFlag.AlignRight:
                place.moveRight(given[0].right())
            if given[0].height() < 3 * height:  # not the heading, which has the whole picture
                written.append((given[-1], place))
        draw(painter, *given)

    tornado.show_swings(GIVEN_FIRST, "FIFO")
    tornado.resize(width, 40)
    tornado.resize(width, tornado.minimumHeight())
    monkeypatch.setattr(QPainter, "drawText", note)
    tornado.grab()
    assert {"−10 min 00 s", "+2 min 00 s", "heartbeat"} <= {text for text, _ in written}
    for number, (text, place) in enumerate(written):
        assert QRectF(tornado.rect()).adjusted(0, -1, 1, 1).contains(place), text
        for other, there in written[:number]:
            assert not place.adjusted(0, 3, 0, -3).intersects(there.adjusted(0, 3, 0, -3)), (text, other)


@pytest.mark.parametrize("width", [260, 420, 900])
def test_bars_keep_some_length_in_any_width(tornado, width):
    tornado.resize(width, 300)
    tornado.show_swings(GIVEN_FIRST, "FIFO")
    assert max(bar.box.width() for bar in tornado.bars(QRectF(tornado.rect()))) >= 39


def test_a_click_or_enter_asks_for_a_change_as_a_scenario(tornado, qtbot):
    first, second = tornado.bars(QRectF(tornado.rect()))[:2]
    with qtbot.waitSignal(tornado.wanted) as wanted:
        QTest.mouseClick(tornado, LEFT, pos=second.row.center().toPoint())
    assert wanted.args == [ANSWER.swings[0], second.change]
    with qtbot.assertNotEmitted(tornado.wanted):
        QTest.mouseClick(tornado, LEFT, pos=QPoint(5, 295))
    tornado.setFocus()
    QTest.keyClick(tornado, Key.Key_Down)
    with qtbot.waitSignal(tornado.wanted) as wanted:
        QTest.keyClick(tornado, Key.Key_Return)
    assert wanted.args == [ANSWER.swings[0], first.change]


def test_numbers_are_exported_with_what_could_not_be_run(tornado):
    rows = tornado.table().rows
    assert rows[0] == ("map slots", "", "30", "27", 140.0, 40.0, "")
    assert rows[-1] == ("slowstart", "", "5 %", "15 %", None, None, "not here")
    assert "map slots: 50 s" in tornado.accessibleDescription()


def test_the_newest_question_wins_and_what_has_no_effect_is_said(shown, qtbot):
    panel = SensitivityPanel()
    shown(panel)
    fifo, johnson = (Scenario(1, PolicyChoice(policy)) for policy in ("fifo", "johnson"))
    panel.compute(WORKLOAD, Cluster(30, 30), fifo, "FIFO")
    panel.compute(WORKLOAD, Cluster(30, 30), johnson, "Johnson")
    qtbot.waitUntil(lambda: not panel.is_busy)
    assert panel.tornado.heading == "Johnson"
    assert panel.answer.swings[0].changes[0].scenario == johnson
    assert "Without effect: " in panel.note.text()
    assert panel.busy.isHidden()
    panel.compute(WORKLOAD, Cluster(30, 0), fifo, "FIFO")
    qtbot.waitUntil(lambda: not panel.is_busy)
    assert "the cluster no reduce slot" in panel.note.text()
    assert panel.answer is None
    shutdown_workers(panel)
