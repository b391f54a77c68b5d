"""The curve over executors: its numbers by hand, the chosen size, cost and range, and what is taken over."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from explorer.dialogs.executors_dialog import ExecutorsDialog

CLUSTER = Cluster(0, 0, 1.0, containers=4, slots_per_executor=2)
ONE_STAGE = StageGraph((MAP,))
# 8 tasks of 9 s, 10 s of thinking, 4 tasks of 9 s
WORKLOAD = Workload(
    "app",
    (
        Job("A", stages=(Stage.of(8, 9.0),), graph=ONE_STAGE),
        Job("B", stages=(Stage.of(4, 9.0),), graph=ONE_STAGE, after=(Link("A", 10.0),)),
    ),
    CLUSTER,
)
ENDS = {1: 64.0, 2: 37.0, 3: 37.0, 4: 28.0, 6: 28.0, 8: 28.0, 12: 28.0}
"""Executors of two slots: on four slots 18 s, 10 s and 9 s; on eight 9 s, 10 s and 9 s."""


@pytest.fixture
def dialog(shown, qtbot):
    dialog = ExecutorsDialog(WORKLOAD, CLUSTER, Scenario(1, PolicyChoice("fifo")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(dialog)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    return dialog


def test_times_are_those_worked_out_by_hand(dialog):
    found = {size.executors: size.found.predicted_seconds for size in dialog.picture.sizes}
    assert found == {count: ENDS[count] for count in found}
    assert list(found) == [1, 2, 3, 4, 6, 8, 12][: len(found)]
    assert dialog.picture.enough == 4
    assert dialog.answer.text().startswith("4 executors are enough: about 28 s")
    assert "Not known: whether tasks slow one another down" in dialog.not_known.text()


def test_cost_is_executors_times_hours_times_price(dialog):
    costs = {size.executors: size.cost for size in dialog.picture.sizes}
    assert costs[4] == pytest.approx(4 * 28 / 3600)
    dialog.price_field.setValue(0.9)
    costs = {size.executors: size.cost for size in dialog.picture.sizes}
    assert costs[4] == pytest.approx(0.9 * 4 * 28 / 3600)
    header = dialog.picture.table().header
    assert header[-1] == "cost of a run"


def test_slots_of_an_executor_may_be_others(dialog, qtbot):
    dialog.unit_field.setValue(4)
    qtbot.waitUntil(lambda: dialog.ok_button.isEnabled() and dialog.picture.sizes[0].found.slots == 4)
    assert dialog.picture.sizes[0].found.predicted_seconds == 37.0
    dialog.unit_field.setValue(1)
    qtbot.waitUntil(lambda: dialog.ok_button.isEnabled() and dialog.picture.of == "slots")
    assert "slot hours" in dialog.picture.table().header


def test_a_click_chooses_and_is_taken_over(dialog, qtbot):
    picture = dialog.picture
    across = picture._across(picture._areas(QRectF(picture.rect()))[0])
    QTest.mouseClick(
        picture, Qt.MouseButton.LeftButton, pos=QPoint(round(across.x(2)), picture.height() // 2)
    )
    assert picture.chosen == 2
    assert dialog.ok_button.text() == "&Use 2 executors"
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert picture.chosen == 3
    with qtbot.waitSignal(dialog.taken) as emitted:
        QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    assert emitted.args == [6, "3 executors"]


def test_the_sentence_of_a_size_has_its_range_and_bound(dialog):
    sentence = dialog.picture.sentence(dialog.picture.sizes[1])
    assert sentence.splitlines()[0] == "2 executors, 4 tasks at once"
    assert sentence.splitlines()[1] == "37 s (35 s to 39 s)"
    assert sentence.splitlines()[2] == "at least 33 s"  # 37 s with tasks 10 % shorter


def test_nothing_is_clipped_at_the_smallest_size(dialog):
    picture = dialog.picture
    picture.resize(picture.minimumSize())
    time, cost = picture._areas(QRectF(picture.rect()))
    assert time.height() > 60
    assert cost.height() > 30
    assert QRectF(picture.rect()).contains(time)
    assert cost.bottom() + 2 * picture.fontMetrics().height() <= picture.height()
