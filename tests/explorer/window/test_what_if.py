"""What-ifs in the window: slots alone become a scenario beside, other jobs an edit; both can be undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.dialogs.executors_dialog import ExecutorsDialog
from explorer.dialogs.what_if_dialog import WhatIfDialog
from explorer.document.titles import title_in

pytestmark = pytest.mark.only_edits


def take(window, qtbot, **values):
    window.actions_by_id["what_if"].trigger()
    (dialog,) = window.findChildren(WhatIfDialog)
    for name, field in dialog.fields.items():
        field.setValue(values.get(name.replace("-", "_"), 100.0 if name == "skew" else 1.0))
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)


def test_twice_the_slots_stand_beside(window, qtbot):
    before = window.document.state
    take(window, qtbot, slots=2)
    first, beside = window.document.scenarios[:2]
    assert window.document.workload is before.workload
    assert title_in(window.document.state, beside) == "FIFO, 60 map slots, 60 reduce slots"
    assert window.editor.undo_stack.undoText() == "Add FIFO, 60 map slots, 60 reduce slots"
    assert (beside.cluster.map_slots, beside.cluster.reduce_slots) == (60, 60)
    assert first == before.scenarios[0]
    window.editor.undo_stack.undo()
    assert window.document.state.scenarios == before.scenarios


def test_a_scenario_renames_itself_when_its_cluster_changes(window, qtbot):
    take(window, qtbot, slots=2)
    beside, header = window.document.scenarios[1].id, lambda: window.headers.header(beside).facts.title
    assert header() == "FIFO, 60 map slots, 60 reduce slots"
    window.editor.edit_cluster(beside, map_slots=50)
    assert header() == "FIFO, 50 map slots, 60 reduce slots"
    window.editor.edit_cluster(map_slots=50, reduce_slots=60)
    assert header() == "FIFO"
    window.editor.rename_scenario(beside, "Best plan on 50 map + 60 reduce slots")
    window.editor.edit_cluster(beside, map_slots=40)
    assert header() == "Best plan on 40 map + 60 reduce slots"
    window.editor.undo_stack.undo()
    assert header() == "Best plan on 50 map + 60 reduce slots"


def test_a_title_by_the_user_is_kept_and_says_what_changed(window, qtbot):
    window.editor.rename_scenario(1, "Mine")
    take(window, qtbot, slots=2)
    assert window.document.scenarios[1].title == "Mine, executors or slots × 2"


def test_shorter_tasks_are_an_edit_of_the_jobs(window, qtbot):
    before = window.document.state
    take(window, qtbot, task_times=0.5, slots=2)
    assert len(window.document.scenarios) == len(before.scenarios)
    assert window.document.cluster.map_slots == 60
    assert window.document.workload.jobs[0].maps.durations[0] == before.workload.jobs[0].maps.durations[0] / 2
    assert window.editor.undo_stack.undoText() == "What if: executors or slots × 2, task times × 0.5"
    window.editor.undo_stack.undo()
    assert window.document.state == before


def test_executors_need_containers(window, qtbot):
    with qtbot.waitSignal(window.actions_of_window.failed) as emitted:
        window.actions_by_id["executors"].trigger()
    assert "answers for containers" in str(emitted.args[0])


def test_a_number_of_executors_becomes_a_scenario(window, qtbot):
    window.editor.edit_cluster(None, map_slots=0, reduce_slots=0, containers=30, slots_per_executor=5)
    window.actions_by_id["executors"].trigger()
    (dialog,) = window.findChildren(ExecutorsDialog)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    dialog.picture.choose(8)
    QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    beside = window.document.scenarios[1]
    assert title_in(window.document.state, beside) == "FIFO, 40 containers"
    assert beside.cluster.slots_per_executor == 5
