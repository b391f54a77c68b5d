"""The cluster panel: spin, choose, reset; every change one step of undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.model.workload import Workload
from explorer.panels.cluster_fields import SHUFFLE_SENTENCES, STAGE_SHUFFLE_SENTENCES
from explorer.panels.cluster_panel import NODES, TYPED, UNTYPED, ClusterPanel

FIFO = (PolicyChoice("fifo"),)


@pytest.fixture
def panel(shown, editor, view_state):
    return shown(ClusterPanel(editor, view_state))


def type_number(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_shows_the_cluster(panel):
    assert (panel.map_field.value(), panel.reduce_field.value()) == (30, 30)
    assert panel.slowstart_field.text() == "100 %"
    assert panel.map_field.text() == "30 slots"
    assert not panel.container_field.isVisible()
    assert panel.shuffle_sentence.text() == SHUFFLE_SENTENCES["simmr"]
    assert not panel.reset_button.isEnabled()


@pytest.mark.parametrize("width", [170, 190, 230])
def test_the_kind_of_slots_is_legible_in_a_narrow_side_bar(panel, width):
    panel.resize(width, 500)
    QApplication.processEvents()
    field = panel.kind_field
    assert panel.width() == width
    assert field.width() >= field.fontMetrics().horizontalAdvance(TYPED) + 26  # its arrow


def test_typing_is_one_step(panel, editor, undo):
    type_number(panel.map_field, "45")
    assert editor.document.cluster == Cluster(45, 30, 1.0)
    assert undo() == ["Set map slots to 45"]


def test_spinning_merges_until_the_field_is_left(panel, editor, undo):
    panel.map_field.setFocus()
    for _ in range(5):
        QTest.keyClick(panel.map_field, Qt.Key.Key_Up)
    assert editor.document.cluster.map_slots == 35
    assert undo() == ["Set map slots to 35"]
    panel.reduce_field.setFocus()
    panel.map_field.setFocus()
    QTest.keyClick(panel.map_field, Qt.Key.Key_Down)
    assert undo() == ["Set map slots to 35", "Set map slots to 34"]
    editor.undo_stack.undo()
    assert panel.map_field.value() == 35


def test_slowstart_is_a_percentage(panel, editor):
    type_number(panel.slowstart_field, "5")
    assert editor.document.cluster.slowstart == 0.05
    assert panel.slowstart_field.text() == "5 %"
    editor.edit_cluster(slowstart=1 / 3)
    assert editor.document.cluster.slowstart == 1 / 3


def test_each_shuffle_model_has_a_sentence(panel, editor):
    for i in range(panel.shuffle_field.count()):
        panel.shuffle_field.setCurrentIndex(i)
        model = panel.shuffle_field.currentData()
        assert editor.document.cluster.shuffle_model == model
        assert panel.shuffle_sentence.text() == SHUFFLE_SENTENCES[model]


def test_of_stages_behind_a_barrier_there_is_no_slowstart_and_no_word_of_reduces(panel, editor):
    stages = Stage.of(2, 5.0), Stage.of(2, 5.0, 0.0, 2.0)
    job = Job("Q", stages=stages, graph=StageGraph(TASK_TYPES, (Edge(MAP, REDUCE, 1.0),)))
    editor.load(DocumentState.new(Workload("spark", (job,), Cluster(0, 0, 1.0, containers=4)), FIFO))
    assert not panel.slowstart_field.isVisible()
    assert panel.shuffle_sentence.isVisible()
    for i in range(panel.shuffle_field.count()):
        panel.shuffle_field.setCurrentIndex(i)
        sentence = panel.shuffle_sentence.text()
        assert sentence == STAGE_SHUFFLE_SENTENCES[panel.shuffle_field.currentData()]
        assert "reduce" not in sentence
        assert "map" not in sentence


def test_containers_and_back(panel, editor, undo):
    panel.kind_field.setCurrentText(UNTYPED)
    assert editor.document.cluster == Cluster(0, 0, 1.0, containers=60)
    assert panel.container_field.isVisible()
    assert not panel.map_field.isVisible()
    panel.kind_field.setCurrentIndex(0)
    assert editor.document.cluster == Cluster(30, 30, 1.0)
    assert undo() == ["Change the cluster", "Change the cluster"]


def test_a_cluster_without_slots_is_refused(panel, editor):
    sentences = []
    panel.refused.connect(sentences.append)
    type_number(panel.map_field, "0")
    type_number(panel.reduce_field, "0")
    assert "a cluster needs at least one slot" in sentences[0]
    assert editor.document.cluster == Cluster(0, 30, 1.0)
    assert panel.reduce_field.value() == 30


def test_reset_to_what_the_workload_suggests(panel, editor, undo):
    type_number(panel.map_field, "3")
    assert "30 map + 30 reduce slots, slowstart 100 %" in panel.reset_button.toolTip()
    QTest.mouseClick(panel.reset_button, Qt.MouseButton.LeftButton)
    assert editor.document.cluster == Cluster(30, 30, 1.0)
    assert not panel.reset_button.isEnabled()
    editor.undo_stack.undo()
    assert panel.map_field.value() == 3


def test_one_scenario_may_have_its_own(panel, editor, view_state, undo):
    view_state.activate_scenario(2)
    assert panel.own_box.text() == "Only for Johnson"
    panel.own_box.click()
    type_number(panel.map_field, "60")
    assert editor.document.cluster.map_slots == 30
    assert editor.document.scenario(2).cluster == Cluster(60, 30, 1.0)
    view_state.activate_scenario(1)
    assert panel.map_field.value() == 30
    assert not panel.own_box.isChecked()
    view_state.activate_scenario(2)
    panel.own_box.click()
    assert editor.document.scenario(2).cluster is None
    assert panel.map_field.value() == 30
    editor.undo_stack.undo()
    assert panel.map_field.value() == 60


def test_a_long_title_leaves_the_panel_as_wide_as_it_is(panel, editor, view_state):
    room = panel.sizeHint().width()
    view_state.activate_scenario(2)
    title = "Johnson on profile Last night, else estimates ±200 %"
    editor.rename_scenario(2, title)
    assert panel.own_box.text().startswith("Only for Johnson on")
    assert title in panel.own_box.toolTip()
    assert panel.own_box.minimumSizeHint().width() < room


def test_everything_has_a_name_and_a_tooltip(panel):
    fields = (
        panel.kind_field,
        panel.map_field,
        panel.reduce_field,
        panel.container_field,
        panel.slowstart_field,
        panel.shuffle_field,
    )
    assert all(field.accessibleName() and field.toolTip() for field in fields)


def type_text(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_nodes_instead_of_slots(panel, editor, undo):
    panel.kind_field.setCurrentText(NODES)
    assert editor.document.cluster == Cluster(0, 0, 1.0, nodes=(NodeGroup(8, 8192, 8),))
    assert panel.nodes_field.isVisible()
    assert not panel.container_field.isVisible()
    assert panel.nodes_field.text() == "8x8GB,8"
    type_text(panel.nodes_field, "2x16GB,4 + 1x8GB,2")
    assert editor.document.cluster.nodes == (NodeGroup(2, 16384, 4), NodeGroup(1, 8192, 2))
    type_text(panel.reduce_request_field, "2GB,2")
    assert editor.document.cluster.reduce_request == Request(2048, 2)
    assert undo() == ["Change the cluster", "Set nodes to 2x16GB,4 + 1x8GB,2", "Set reduce request to 2GB,2"]
    panel.kind_field.setCurrentText(UNTYPED)
    assert editor.document.cluster.containers == 10
    assert editor.document.cluster.nodes == ()


def test_reduces_in_the_contention_of_nodes(panel, editor, undo):
    panel.kind_field.setCurrentText(NODES)
    assert not panel.load_field.isVisible(), "there is no contention to count in"
    type_text(panel.contention_field, "1, 0.5")
    assert panel.load_field.isVisible()
    panel.load_field.setValue(0.7)
    assert editor.document.cluster.reduce_load == 0.7
    panel.contention_field.clear()
    QTest.keyClick(panel.contention_field, Qt.Key.Key_Return)
    assert (editor.document.cluster.contention, editor.document.cluster.reduce_load) == ((), 0)
    assert undo()[1:] == ["Set contention to 1, 0.5", "Count a reduce as 0.7 maps", "Change the cluster"]


def test_contention_of_nodes(panel, editor, undo):
    assert not panel.contention_field.isVisible()
    panel.kind_field.setCurrentText(NODES)
    type_text(panel.contention_field, "1, 1, 0.5")
    assert editor.document.cluster.contention == (1, 1, 0.5)
    sentences = []
    panel.refused.connect(sentences.append)
    type_text(panel.contention_field, "1, 2")
    assert "a speed is a number from 0.001 to 1" in sentences[0]
    assert panel.contention_field.text() == "1, 1, 0.5"
    panel.contention_field.clear()
    QTest.keyClick(panel.contention_field, Qt.Key.Key_Return)
    assert undo() == ["Change the cluster", "Set contention to 1, 1, 0.5", "Leave contention out"]
    type_text(panel.contention_field, "0.5")
    panel.kind_field.setCurrentText(TYPED)
    assert editor.document.cluster.contention == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("8 nodes", "give nodes as number x memory"), ("1x100MB,1", "no task fits on such a node")],
)
def test_nodes_that_make_no_sense_are_refused(panel, editor, text, sentence):
    panel.kind_field.setCurrentText(NODES)
    before, sentences = editor.document.cluster, []
    panel.refused.connect(sentences.append)
    type_text(panel.nodes_field, text)
    assert sentence in sentences[0]
    assert editor.document.cluster == before
    assert panel.nodes_field.text() == "8x8GB,8"


def test_fields_are_not_cut_off_where_there_is_a_scroll_bar(panel, qtbot):
    """In a low section as narrow as the side bar is in a small window."""
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidget(panel)
    area.setWidgetResizable(True)
    area.resize(200, 200)
    area.show()
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible())
    assert panel.minimumSizeHint().width() <= area.viewport().width()
    area.takeWidget()


def test_slots_that_come_and_go_are_said_and_stay(panel, editor):
    """Other numbers of slots keep them, another kind of slots leaves them out."""
    assert panel.come_and_go.isHidden()
    editor.edit_cluster(slot_times=(SlotTime(2, 1.0, 5.0, MAP),))
    assert panel.come_and_go.text() == "Besides 2 map slots that come and go, 2 of them at once."
    assert not panel.come_and_go.isHidden()
    panel.map_field.setValue(3)
    assert editor.document.cluster.slot_times
    panel.kind_field.setCurrentText(UNTYPED)
    assert not editor.document.cluster.slot_times
