"""The overheads of the cluster: folded away, typed, undone, and refused where they cannot be."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.overheads import OVERHEAD_PARAMETERS, Overheads
from explorer.panels.cluster_panel import NODES, UNTYPED, ClusterPanel
from explorer.panels.overheads_box import NOT_HERE


@pytest.fixture
def panel(shown, editor, view_state):
    return shown(ClusterPanel(editor, view_state))


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def unfold(panel) -> None:
    click(panel.overheads_box.header)
    assert panel.overheads_box.form.isVisible()


def check(panel) -> None:
    panel.overheads_box.box.setFocus()
    QTest.keyClick(panel.overheads_box.box, Qt.Key.Key_Space)


def type_into(panel, name: str, text: str) -> None:
    field = panel.overheads_box.form.field(name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_they_are_folded_away_and_none_at_first(panel):
    box = panel.overheads_box
    assert not box.form.isVisible()
    assert box.header.text() == "Overheads: none"
    unfold(panel)
    assert not box.form.isEnabled()
    click(box.header)
    assert not box.form.isVisible()


def test_every_overhead_has_a_field_with_its_unit_and_meaning(panel):
    unfold(panel)
    for parameter in OVERHEAD_PARAMETERS:
        field = panel.overheads_box.form.field(parameter.name)
        value, unit = field.text().split(" ", 1)
        assert unit == (
            parameter.unit.removesuffix("s") if value == "1" and parameter.unit != "s" else parameter.unit
        )
        assert parameter.help in field.toolTip().replace("\n", " ")


def test_each_field_is_one_step_of_undo(panel, editor, undo):
    unfold(panel)
    check(panel)
    type_into(panel, "heartbeat", "3")
    type_into(panel, "hosts", "8")
    assert editor.document.cluster.overheads == Overheads(heartbeat=3.0, hosts=8)
    assert undo() == [
        "Set overheads: all 0",
        "Set overheads: heartbeat 3 s",
        "Set overheads: heartbeat 3 s, 8 hosts",
    ]
    assert panel.overheads_box.header.text() == "Overheads: heartbeat 3 s, 8 hosts"
    editor.undo_stack.undo()
    assert panel.overheads_box.form.values()["hosts"] == 1
    check(panel)
    assert editor.document.cluster.overheads is None
    assert undo()[-1] == "Leave overheads out"


def test_a_kind_of_slots_that_cannot_have_them_is_refused_with_the_reason(panel, editor, qtbot):
    unfold(panel)
    check(panel)
    panel.kind_field.setCurrentText(UNTYPED)
    assert editor.document.cluster.containers > 0
    assert panel.overheads_box.box.isEnabled()
    with qtbot.waitSignal(panel.refused) as refused:
        panel.kind_field.setCurrentText(NODES)
    assert "overheads are modelled for slots and containers, not for nodes" in refused.args[0]
    assert editor.document.cluster.containers > 0
    check(panel)
    panel.kind_field.setCurrentText(NODES)
    assert not panel.overheads_box.box.isEnabled()
    assert panel.overheads_box.note.text() == NOT_HERE


def test_a_scenario_may_have_overheads_of_its_own(panel, editor, view_state):
    panel.own_box.setChecked(True)
    unfold(panel)
    check(panel)
    type_into(panel, "setup", "1.5")
    own = editor.document.scenario(view_state.active_scenario).cluster
    assert own.overheads == Overheads(setup=1.5)
    assert editor.document.cluster.overheads is None
