"""Events on nodes in the cluster panel: listed by time, typed, removed, looked at, undone and refused."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.overheads import Overheads
from explorer.panels.cluster_panel import ClusterPanel
from explorer.panels.events_box import EMPTY, MAX_SHOWN


@pytest.fixture
def panel(shown, editor, view_state):
    panel = shown(ClusterPanel(editor, view_state))
    click(panel.events_box.header)
    return panel


@pytest.fixture
def box(panel):
    return panel.events_box


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def add(box, text: str) -> None:
    box.field.setFocus()
    box.field.selectAll()
    QTest.keyClicks(box.field, text)
    QTest.keyClick(box.field, Qt.Key.Key_Return)


def rows(box):
    return [box.model.texts(place) for place in range(box.model.rowCount())]


def point(box, place: int):
    """Return where a row is in the list's viewport."""
    return box.table.visualRect(box.model.index(place, 2)).center()


def select(box, place: int) -> None:
    QTest.mouseClick(box.table.viewport(), Qt.MouseButton.LeftButton, pos=point(box, place))


def test_the_empty_list_says_how_to_add_an_event(panel, box):
    assert box.header.text() == "Events: none"
    assert box.note.isVisible()
    assert box.note.text() == EMPTY
    assert not box.table.isVisible()
    assert not box.remove_button.isVisible()
    click(box.header)
    assert not box.field.isVisible()


def test_typed_events_are_listed_by_time_each_edit_one_step(panel, box, editor, undo):
    add(box, "6 nodes; N3 fails at 600; N3 returns at 900; N2 runs at 0.5 from 0")
    add(box, "N1 fails at 60")
    assert rows(box) == [
        ("0:00", "N2", "runs at 0.5"),
        ("1:00", "N1", "fails"),
        ("10:00", "N3", "fails"),
        ("15:00", "N3", "is back"),
    ]
    assert editor.document.cluster.events.nodes == 6
    assert undo() == ["Set 3 events on nodes", "Set 4 events on nodes"]
    assert box.field.text() == ""
    editor.undo_stack.undo()
    assert len(rows(box)) == 3
    editor.undo_stack.undo()
    assert box.note.isVisible()
    tip = box.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip is None
    editor.undo_stack.redo()
    assert "N3 fails at 600 s (10:00)" in box.model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_what_is_wrong_is_a_sentence_below_the_field_and_the_text_stays(panel, box, editor, undo):
    add(box, "N3 breaks at 5")
    assert box.fault.isVisible()
    assert box.fault.text().startswith("events are 'N3 breaks at 5'; give such parts")
    add(box, "6 nodes; N9 fails at 5")
    assert box.fault.text() == "N9 fails at 5: the cluster has the nodes N1 to N6"
    assert box.fault.text() == box.field.accessibleDescription()
    assert box.field.text() == "6 nodes; N9 fails at 5"
    assert undo() == []
    QTest.keyClick(box.field, Qt.Key.Key_Backspace)
    assert not box.fault.isVisible()


def test_delete_and_the_button_remove_the_selected_one(panel, box, editor, undo):
    add(box, "N3 fails at 600; N3 returns at 900; N2 runs at 0.5 from 0")
    assert not box.remove_button.isEnabled()
    select(box, 1)
    QTest.keyClick(box.table, Qt.Key.Key_Delete)
    assert rows(box) == [("0:00", "N2", "runs at 0.5")]  # the return went with its failure
    assert box.table.currentIndex().row() == 0
    click(box.remove_button)
    assert editor.document.cluster.events is None
    assert undo()[-2:] == ["Set 1 event on nodes", "Leave events on nodes out"]
    editor.undo_stack.undo()
    assert rows(box) == [("0:00", "N2", "runs at 0.5")]


def test_a_removal_that_cannot_be_is_said(panel, box, editor):
    add(box, "N3 fails at 600; N3 returns at 900; N3 fails at 1000")
    select(box, 1)
    QTest.keyClick(box.table, Qt.Key.Key_Delete)
    assert "N3 has failed at 600 s already" in box.fault.text()
    assert len(rows(box)) == 3


def test_spot_nodes_have_a_row_with_rate_and_seed(panel, box, editor):
    add(box, "N1 fails at 5; 2 spot rate 0.5 seed 7 back 300")
    assert rows(box)[-1] == ("drawn", "2 spot", "fail 0.5/h, seed 7, back after 5:00")
    assert box.header.text() == "Events: 1, 2 spot nodes"
    assert box.table.rowHeight(1) > box.table.rowHeight(0)  # all of it can be read
    bottom = box.table.visualRect(box.model.index(1, 0)).bottom()
    assert abs(box.table.viewport().height() - bottom) <= 2
    add(box, "2 spot rate 1 seed 8")
    assert editor.document.cluster.events.spot == SpotNodes(2, 1.0, 8)
    select(box, 1)
    QTest.keyClick(box.table, Qt.Key.Key_Delete)
    assert editor.document.cluster.events.spot is None
    assert len(rows(box)) == 1


def test_lost_map_outputs_are_a_box_to_tick(panel, box, editor, undo):
    add(box, "N1 fails at 5")
    box.lost_box.setFocus()
    QTest.keyClick(box.lost_box, Qt.Key.Key_Space)
    assert editor.document.cluster.events.map_outputs == "lost"
    assert box.header.text() == "Events: 1"
    assert box.header.accessibleName() == "Events: 1 event on nodes, map outputs lost"
    editor.undo_stack.undo()
    assert not box.lost_box.isChecked()
    editor.edit_cluster(map_slots=0, reduce_slots=0, containers=12)
    click(box.lost_box)
    assert "untyped slots" in box.fault.text()
    assert not box.lost_box.isChecked()


def test_enter_and_a_double_click_put_the_time_cursor_there(panel, box, view_state):
    cursor = view_state.time_cursor
    cursor.set_end(2000)
    add(box, "N3 fails at 600; N3 returns at 900; 1 spot rate 1")
    select(box, 0)
    assert cursor.seconds is None
    QTest.keyClick(box.table, Qt.Key.Key_Return)
    assert cursor.seconds == 600
    select(box, 1)
    QTest.mouseDClick(box.table.viewport(), Qt.MouseButton.LeftButton, pos=point(box, 1))
    assert cursor.seconds == 900
    select(box, 2)
    QTest.keyClick(box.table, Qt.Key.Key_Return)  # when spot nodes fail is drawn
    assert cursor.seconds == 900


def test_an_event_after_all_has_ended_puts_the_cursor_at_the_end_and_says_so(panel, box, view_state):
    view_state.time_cursor.set_end(74)
    add(box, "N3 fails at 600; N1 fails at 20")
    select(box, 1)
    QTest.keyClick(box.table, Qt.Key.Key_Return)
    assert view_state.time_cursor.seconds == 74
    assert box.fault.text() == "All has ended by 1:14, before 10:00: the time cursor stands at the end."
    select(box, 0)
    QTest.keyClick(box.table, Qt.Key.Key_Return)
    assert not box.fault.isVisible()


def test_what_is_so_already_is_no_step(panel, box, editor, undo):
    add(box, "6 nodes; N3 fails at 600")
    add(box, "6 nodes; outputs kept")
    assert undo() == ["Set 1 event on nodes"]
    assert box.field.text() == ""


def test_keys_go_through_the_parts_in_the_order_in_which_they_stand(panel, box):
    add(box, "N3 fails at 600")
    select(box, 0)
    parts = (box.table, box.lost_box, box.remove_button, box.field)
    box.table.setFocus()
    for part in parts:
        assert part.hasFocus()
        assert part.accessibleName()
        QTest.keyClick(part, Qt.Key.Key_Tab)


def test_the_list_follows_the_document_and_the_active_scenario(panel, box, editor, view_state):
    happen = tuple(NodeEvent(float(time), 0, "speed", 0.5) for time in range(MAX_SHOWN + 2))
    editor.edit_cluster(events=NodeEvents(4, happen))
    assert len(rows(box)) == MAX_SHOWN + 2
    assert box.table.height() < 10 * box.table.rowHeight(0)
    panel.own_box.setChecked(True)
    add(box, "none")
    assert rows(box) == []
    assert editor.document.cluster.events is not None
    assert editor.document.scenario(view_state.active_scenario).cluster.events is None


def test_where_events_are_not_modelled_the_reason_is_said(panel, box, editor):
    editor.edit_cluster(overheads=Overheads(heartbeat=3.0))
    assert box.note.text() == "Events are modelled without overheads; leave one of both out."
    assert not box.field.isEnabled()
    editor.undo_stack.undo()
    assert box.field.isEnabled()
    assert box.note.text() == EMPTY
