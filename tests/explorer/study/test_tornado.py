"""The tornado: where its bars lie, what a click, a key and the card say, and what is exported."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.schedule import PolicyChoice
from core.study.sensitivity import Change, Sensitivity, Swing
from explorer.study.sensitivity_panel import SensitivityPanel
from explorer.study.tornado import Tornado
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, two_stage_workload

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key
WORKLOAD = two_stage_workload(FIVE_JOBS)


def change(value, makespan, problem=""):
    return Change(value, Scenario(1, PolicyChoice("fifo")), Cluster(30, 30), WORKLOAD, makespan, problem)


ANSWER = Sensitivity(
    100.0,
    (
        Swing("map slots", "", "30", (change("27", 140.0), change("33", 90.0)), 100.0),
        Swing("setup", "s", "10", (change("9", 100.0), change("11", 110.0)), 100.0),
        Swing("slowstart", "", "5 %", (change("0 %", 100.0), change("15 %", None, "not here")), 100.0),
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
    panel.shutdown()
