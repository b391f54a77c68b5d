"""The dialog of what-ifs: what each change is worth, and what is taken over."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.study.what_ifs import changed
from explorer.dialogs.what_if_dialog import WhatIfDialog

CLUSTER = Cluster(0, 0, 1.0, containers=2)
ONE_STAGE = StageGraph((MAP,))
# 4 tasks of 10 s on two slots, 5 s of thinking, then two of 10 s
WORKLOAD = Workload(
    "app",
    (
        Job("A", stages=(Stage.of(4, 10.0),), graph=ONE_STAGE),
        Job("B", stages=(Stage.of(2, 10.0),), graph=ONE_STAGE, after=(Link("A", 5.0),)),
    ),
    CLUSTER,
)


@pytest.fixture
def dialog(shown, qtbot):
    dialog = WhatIfDialog(WORKLOAD, CLUSTER, Scenario(7, PolicyChoice("fifo")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(dialog)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    return dialog


def texts(dialog, title):
    return [cell.text() for cell in dialog._results[title]]


def type_into(dialog, qtbot, name, text):
    field = dialog.fields[name]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert not dialog.ok_button.isEnabled()
    qtbot.waitUntil(dialog.ok_button.isEnabled)


def test_return_does_not_cancel_while_nothing_is_computed(shown):
    dialog = WhatIfDialog(WORKLOAD, CLUSTER, Scenario(7, PolicyChoice("fifo")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(dialog)
    dialog.ok_button.setEnabled(False)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_each_change_has_its_worth(dialog):
    assert texts(dialog, "") == ["35 s", "", "35 s"]
    assert texts(dialog, "executors or slots") == ["25 s", "−28.6 %", "25 s"]
    assert texts(dialog, "think time") == ["30 s", "−14.3 %", "30 s"]
    assert texts(dialog, "all together")[0] == "12 s"  # on 4 slots 8 tasks of 4 s, then 4


def test_what_is_typed_is_simulated(dialog, qtbot):
    type_into(dialog, qtbot, "slots", "1")
    assert texts(dialog, "executors or slots") == ["", "", ""]
    type_into(dialog, qtbot, "task-times", "2")
    assert texts(dialog, "task times") == ["1 min 05 s", "+85.7 %", "1 min 05 s"]


def test_all_changes_are_taken_over(dialog, qtbot):
    with qtbot.waitSignal(dialog.taken) as emitted:
        QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    taken = emitted.args[0]
    assert (taken.workload, taken.cluster) == changed(WORKLOAD, CLUSTER, dialog.values)
    assert taken.scenario == 7
    assert taken.text.startswith("executors or slots × 2, task times × 0.8")


def test_too_many_tasks_are_a_sentence(dialog, qtbot):
    field = dialog.fields["partitions"]
    dialog._workload = Workload("big", (Job("A", Stage.of(1_000_000, 1.0)),), CLUSTER)
    field.setValue(1000)
    qtbot.waitUntil(lambda: "are more than" in dialog.problem.text())
    assert texts(dialog, "") == ["", "", ""]
    assert not dialog.ok_button.isEnabled()
