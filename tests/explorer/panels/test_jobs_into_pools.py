"""Jobs go into pools in the panels: by the list of pools in their row, or dropped on the row of a pool."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.model.partition import Partition, SlotPool
from explorer.document.editor import PoolEdits
from explorer.panels.job_columns import COLUMNS
from explorer.panels.jobs_panel import JobsPanel
from explorer.panels.jobs_table import PoolField
from explorer.panels.pools_panel import PoolsPanel

POOL = next(place for place, column in enumerate(COLUMNS) if column.field_id == "pool")


@pytest.fixture
def jobs(shown, editor, view_state):
    editor.edit_job(1, "pool", "nightly")
    editor.undo_stack.clear()
    panel = JobsPanel(editor, view_state)
    panel.resize(1300, 300)
    return shown(panel)


@pytest.fixture
def pools(shown, editor, view_state):
    def seen(scenario_id):
        return editor.document.state.partition_of(editor.document.state.scenario(scenario_id))

    panel = PoolsPanel(editor, view_state, PoolEdits(editor, seen, lambda _id: (), lambda _text: None))
    panel.resize(460, 380)
    return shown(panel)


def pool_field(panel, row):
    panel.table.setCurrentIndex(panel.model.index(row, POOL))
    panel.table.edit(panel.model.index(row, POOL))
    field = QApplication.focusWidget()
    assert isinstance(field, PoolField)
    return field


def pool_of(editor, name):
    workload = editor.document.workload
    return workload.jobs[workload.job_index[name]].pool


def test_the_pools_there_are_are_listed(jobs):
    field = pool_field(jobs, 0)
    assert [field.itemText(place) for place in range(field.count())] == ["default", "nightly"]
    assert field.currentText() == "default"
    assert field.accessibleName() == "Pool"


def test_choosing_a_pool_writes_it_at_once(jobs, editor, undo):
    field = pool_field(jobs, jobs.model.row_of("J1"))
    field.showPopup()
    field.view().setCurrentIndex(field.model().index(1, 0))
    QTest.keyClick(field.view(), Qt.Key.Key_Return)
    QApplication.sendPostedEvents()
    assert pool_of(editor, "J1") == "nightly"
    assert undo() == ["Set pool of J1 to nightly"]


def test_what_is_chosen_after_the_jobs_have_changed_comes_too_late(jobs, editor, undo, qtlog):
    field = pool_field(jobs, jobs.model.row_of("J1"))
    field.showPopup()
    editor.delete_jobs([0])
    field.activated.emit(field.findText("nightly"))
    assert undo() == ["Delete J1"]
    assert not [record for record in qtlog.records if "commitData" in record.message]


def test_arrows_go_through_the_pools_and_enter_takes_one(jobs, editor, undo):
    field = pool_field(jobs, jobs.model.row_of("J1"))
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert field.currentText() == "nightly"
    assert undo() == []
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.sendPostedEvents()
    assert pool_of(editor, "J1") == "nightly"


def test_a_beginning_is_completed_and_a_new_pool_can_be_typed(jobs, editor):
    field = pool_field(jobs, jobs.model.row_of("J1"))
    QTest.keyClicks(field, "igh")
    assert field.completer().currentCompletion() == "nightly"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    QApplication.sendPostedEvents()
    assert pool_of(editor, "J1") == "default"
    field = pool_field(jobs, jobs.model.row_of("J1"))
    QTest.keyClicks(field, "weekly")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.sendPostedEvents()
    assert pool_of(editor, "J1") == "weekly"


def drop(table, data, row, *, let_go=True):
    """Send what Qt sends while rows of the jobs panel are dragged over a row and dropped."""
    viewport = table.viewport()
    rect = table.visualRect(table.model().index(row, 0))
    at = QPointF(rect.center()) if row >= 0 else QPointF(20, viewport.height() - 3)
    how = Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(viewport, QDragEnterEvent(at.toPoint(), *how))
    move = QDragMoveEvent(at.toPoint(), *how)
    QApplication.sendEvent(viewport, move)
    if let_go:
        QApplication.sendEvent(viewport, QDropEvent(at, *how))
    return move


def rows_of(jobs, *names):
    return jobs.model.mimeData([jobs.model.index(jobs.model.row_of(name), 1) for name in names])


def test_jobs_dropped_on_a_pool_that_shares_slots_belong_to_it(jobs, pools, editor, undo):
    pools.tabs.setCurrentIndex(1)
    names = [pools.settings_model.name(row) for row in range(pools.settings_model.rowCount())]
    drop(pools.settings_table, rows_of(jobs, "J1", "J4"), names.index("nightly"))
    assert [pool_of(editor, name) for name in ("J1", "J2", "J4", "J5")] == [
        "nightly",
        "nightly",
        "nightly",
        "default",
    ]
    assert undo() == ["Move 2 jobs to pool nightly"]
    editor.undo_stack.undo()
    assert pool_of(editor, "J4") == "default"


def test_jobs_dropped_on_their_own_pool_change_nothing(jobs, pools, undo):
    pools.tabs.setCurrentIndex(1)
    names = [pools.settings_model.name(row) for row in range(pools.settings_model.rowCount())]
    drop(pools.settings_table, rows_of(jobs, "J2"), names.index("nightly"))
    assert undo() == []


def test_jobs_dropped_on_a_pool_with_slots_of_its_own_run_there(jobs, pools, editor, view_state, undo):
    parts = (SlotPool("Small", 15, 15, ("J4", "J3")), SlotPool("Large", 15, 15, ("J2", "J5", "J1")))
    editor.drop_partition(view_state.active_scenario, Partition(parts), "Make pools")
    drop(pools.slot_table, rows_of(jobs, "J1", "J5"), 0)
    found = editor.document.scenario(view_state.active_scenario).partition
    assert [set(pool.jobs) for pool in found.pools] == [{"J4", "J3", "J1", "J5"}, {"J2"}]
    assert undo()[1].startswith("Move 2 jobs to Small")
    assert len(undo()) == 2


def test_a_pool_without_slots_for_a_job_refuses_it(jobs, pools, editor, view_state):
    said = []
    pools.refused.connect(said.append)
    parts = (SlotPool("All", 30, 30, ("J1", "J2", "J3", "J4", "J5")), SlotPool("None", 0, 0))
    editor.drop_partition(view_state.active_scenario, Partition(parts), "Make pools")
    drop(pools.slot_table, rows_of(jobs, "J1"), 1)
    assert len(said) == 1
    assert "None" in said[0]


def test_beside_the_rows_and_of_other_things_nothing_is_taken(jobs, pools, undo):
    pools.tabs.setCurrentIndex(1)
    drop(pools.settings_table, rows_of(jobs, "J1"), -1)
    text = QMimeData()
    text.setText("J1")
    assert not drop(pools.settings_table, text, 0).isAccepted()
    assert undo() == []


def test_the_row_under_a_drag_is_outlined(jobs, pools):
    pools.tabs.setCurrentIndex(1)
    table = pools.settings_table
    before = table.viewport().grab().toImage()
    drop(table, rows_of(jobs, "J1"), 0, let_go=False)
    assert table.viewport().grab().toImage() != before
    QApplication.sendEvent(table.viewport(), QDragLeaveEvent())
    assert table.viewport().grab().toImage() == before


def test_the_list_has_room_for_names_of_pools_in_a_narrow_column(jobs):
    jobs.table.setColumnWidth(POOL, 40)
    field = pool_field(jobs, 0)
    assert field.width() >= field.sizeHint().width()
    assert jobs.table.viewport().rect().contains(field.geometry())
