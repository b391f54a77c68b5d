"""The pools panel: pools of slots and settings of pools, edited as a person would."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.stages import Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from explorer.document.editor import PoolEdits
from explorer.panels import pool_models as pool_settings_model
from explorer.panels import pool_models as slot_pools_model
from explorer.panels.pools_panel import SHARING_TAB, SLOTS_TAB, PoolsPanel

POOLS = Partition((SlotPool("Small", 20, 20, ("J4", "J3")), SlotPool("Large", 10, 10, ("J2", "J5", "J1"))))


@pytest.fixture
def panel(editor, view_state, shown):
    """The panel; a scenario's pools are those made by hand, else what the test says was found."""
    found = {}

    def pools(scenario_id):
        state = editor.document.state
        return state.partition_of(state.scenario(scenario_id)) or found.get(scenario_id)

    def order(_scenario_id):
        return [job.name for job in editor.document.workload.jobs]

    told = []
    panel = PoolsPanel(editor, view_state, PoolEdits(editor, pools, order, told.append))
    panel.found, panel.reported = found, told  # type: ignore[attr-defined]
    panel.resize(420, 360)
    return shown(panel)


@pytest.fixture
def pooled(panel):
    """The active scenario has pools that its policy has found."""
    panel.found[1] = POOLS
    panel.set_ends(1, [40.0, 39.0])
    return panel


def test_the_tab_that_opens_holds_the_pools(panel, editor, view_state):
    assert panel.tabs.currentIndex() == SLOTS_TAB, "without pools, where one adds some"
    editor.add_pool()
    panel.hide()
    panel.show()
    assert panel.tabs.currentIndex() == SHARING_TAB
    panel.found[1] = POOLS
    panel.hide()
    panel.show()
    assert panel.tabs.currentIndex() == SLOTS_TAB


def refusals(panel):
    said = []
    panel.refused.connect(said.append)
    return said


def texts(table):
    model = table.model()
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in rows]


def type_into(table, row, column, text):
    """Open a cell, type over what is there, press Enter."""
    table.setCurrentIndex(table.model().index(row, column))
    table.edit(table.model().index(row, column))
    field = QApplication.focusWidget()
    QTest.keyClicks(field, text)  # type: ignore[arg-type]
    QTest.keyClick(field, Qt.Key.Key_Return)  # type: ignore[arg-type]
    QApplication.sendPostedEvents()  # the view commits when the key has been dealt with


def made(panel):
    """The pools made by hand in the active scenario: the first ones of the baseline stand beside it."""
    return panel._document.scenario(panel._view_state.active_scenario).partition


def slots(panel):
    return [pool.slots for pool in made(panel).pools]


def test_pools_are_listed_with_their_ends(pooled):
    assert texts(pooled.slot_table) == [
        ["Small", "20", "20", "2", "0:40"],
        ["Large", "10", "10", "3", "0:39"],
    ]


def test_without_pools_it_says_what_to_do(panel):
    assert texts(panel.slot_table) == []
    before = panel.slot_table.grab().toImage()
    panel.slot_table.empty_text = ""
    assert panel.slot_table.grab().toImage() != before


def test_the_first_pool_comes_with_one_for_all_others(panel, editor, undo):
    panel.add_action.trigger()
    assert undo() == ["Add Pool 2 in FIFO, edited"]
    assert texts(panel.slot_table) == [["All jobs", "15", "15", "5", "–"], ["Pool 2", "15", "15", "0", "–"]]
    assert panel.slot_table.row() == 1
    QTest.keyClick(panel.slot_table, Qt.Key.Key_Insert)
    assert slots(panel) == [(15, 15), (5, 5), (10, 10)]
    assert panel.reported == [
        "Pool 2 has 15 map and 15 reduce slots: 15 map and 15 reduce from All jobs",
        "Pool 3 has 10 map and 10 reduce slots: 10 map and 10 reduce from Pool 2",
    ]


def test_sizes_are_typed(pooled, editor, undo):
    type_into(pooled.slot_table, 0, slot_pools_model.MAPS, "12")
    type_into(pooled.slot_table, 1, slot_pools_model.REDUCES, "14")
    assert slots(pooled) == [(12, 16), (18, 14)]
    assert undo() == [
        "Resize Small to 12 + 20 slots in FIFO, edited",
        "Resize Large to 18 + 14 slots in FIFO, edited",
    ]


def test_a_size_that_is_impossible_is_refused(pooled, editor, undo):
    said = refusals(pooled)
    type_into(pooled.slot_table, 0, slot_pools_model.MAPS, "30")
    model = pooled.slot_table.model()
    assert not model.setData(model.index(0, slot_pools_model.MAPS), "x", Qt.ItemDataRole.EditRole)
    assert said == [
        "pool 'Large' would have 0 map slots and needs at least 1",
        "'x' is no number of slots; give a whole number, such as 10",
    ]
    assert undo() == []


def test_pools_are_renamed(pooled, editor, undo):
    said = refusals(pooled)
    type_into(pooled.slot_table, 1, slot_pools_model.NAME, "Night")
    assert made(pooled).names == ("Small", "Night")
    assert undo() == ["Rename pool Large to Night in FIFO, edited"]
    type_into(pooled.slot_table, 0, slot_pools_model.NAME, "Night")
    assert said == ["another pool is called 'Night'; give every pool its own name"]


def test_a_pool_is_removed_by_key(pooled, editor, undo):
    pooled.slot_table.select(0)
    QTest.keyClick(pooled.slot_table, Qt.Key.Key_Delete)
    assert made(pooled).names == ("Large",)
    assert undo() == ["Remove pool Small in FIFO, edited"]
    assert not pooled.remove_action.isEnabled()


def test_the_selected_job_is_put_into_the_selected_pool(pooled, editor, view_state, undo):
    pooled.slot_table.select(0)
    assert not pooled.move_action.isEnabled()
    view_state.select_job("J4")
    assert not pooled.move_action.isEnabled()
    view_state.select_job("J1")
    assert pooled.move_action.isEnabled()
    pooled.move_action.trigger()
    assert made(pooled).pools[0].jobs == ("J4", "J3", "J1")
    assert undo() == ["Move J1 to Small in FIFO, edited"]


def test_it_follows_the_active_scenario_and_undo(pooled, editor, view_state):
    view_state.activate_scenario(2)
    assert texts(pooled.slot_table) == []
    view_state.activate_scenario(1)
    pooled.slot_table.select(0)
    pooled.remove_action.trigger()
    editor.undo_stack.undo()
    assert [row[0] for row in texts(pooled.slot_table)] == ["Small", "Large"]


def test_an_edit_keeps_the_selected_row(pooled):
    pooled.slot_table.select(1)
    type_into(pooled.slot_table, 1, slot_pools_model.MAPS, "12")
    assert pooled.slot_table.row() == 1


def test_containers_have_no_pools(panel, editor, undo):
    said = refusals(panel)
    editor.set_cluster(Cluster(0, 0, containers=9))
    panel.add_action.trigger()
    assert said == ["pools divide slots of two types, and this cluster has one kind of slots"]
    assert undo() == ["Change the cluster"]


def test_a_search_can_be_asked_for(panel, qtbot):
    with qtbot.waitSignal(panel.search_wanted):
        panel.search_action.trigger()


# ---- settings


@pytest.fixture
def settings(panel, editor):
    editor.edit_job(0, "pool", "night")
    panel.tabs.setCurrentIndex(1)
    return panel.settings_table


def test_settings_are_listed_with_units(settings):
    assert texts(settings) == [
        ["night", "1", "1", "0", "0", "50 %", "100 %", "1", "no limit"],
        ["default", "4", "1", "0", "0", "50 %", "100 %", "1", "no limit"],
    ]


def test_settings_are_typed(settings, editor, undo):
    type_into(settings, 0, pool_settings_model.FIRST_FIELD, "2.5")
    type_into(settings, 1, pool_settings_model.FIRST_FIELD + 3, "70")
    assert [row[2] for row in texts(settings)] == ["2.5", "1"]
    assert [row[5] for row in texts(settings)] == ["30 %", "70 %"]
    assert undo()[1:] == ["Set weight of pool night to 2.5", "Set capacity of pool default to 70"]


def test_a_setting_that_is_wrong_is_refused(settings, panel, undo):
    said = refusals(panel)
    type_into(settings, 0, pool_settings_model.FIRST_FIELD, "heavy")
    assert said == ["pool night: Weight is 'heavy'; give a number"]
    assert len(undo()) == 1


def test_a_pools_name_is_that_of_its_jobs(settings, editor):
    type_into(settings, 0, pool_settings_model.NAME, "day")
    assert editor.document.workload.jobs[0].pool == "day"
    assert [row[0] for row in texts(settings)] == ["day", "default"]


def test_pools_are_added_and_removed_by_key(settings, editor, undo):
    QTest.keyClick(settings, Qt.Key.Key_Insert)
    assert [row[0] for row in texts(settings)] == ["night", "default", "pool 3"]
    settings.select(2)
    QTest.keyClick(settings, Qt.Key.Key_Delete)
    assert [row[0] for row in texts(settings)] == ["night", "default"]
    assert undo()[1:] == ["Add pool 3", "Remove pool 3"]


def test_the_number_of_jobs_is_not_to_be_typed(settings):
    index = settings.model().index(0, pool_settings_model.JOB_COUNT)
    assert not settings.model().flags(index) & Qt.ItemFlag.ItemIsEditable


def test_every_cell_can_be_heard(pooled, settings):
    for table in (pooled.slot_table, settings):
        model = table.model()
        for column in range(model.columnCount()):
            said = model.index(0, column).data(Qt.ItemDataRole.AccessibleTextRole)
            title = model.headerData(column, Qt.Orientation.Horizontal)
            assert said.startswith(f"{title} of ")
            assert model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)


def test_columns_have_room_for_names_and_times_that_searches_give(panel):
    table = panel.slot_table
    for column, text in ((0, "Small jobs"), (slot_pools_model.END, "4 h 57 min")):
        assert table.columnWidth(column) > table.fontMetrics().horizontalAdvance(text)


def test_headings_are_whole_in_the_words_of_the_jobs(panel, editor):
    graph = StageGraph((MAP,))
    jobs = (Job("J1", stages=(Stage.of(1, 1.0),), graph=graph),)
    editor.load(
        DocumentState.new(Workload("app", jobs, Cluster(0, 0, containers=2)), (PolicyChoice("fifo"),))
    )
    table, letters = panel.slot_table, panel.slot_table.horizontalHeader().fontMetrics()
    heads = [table.model().headerData(place, Qt.Orientation.Horizontal) for place in range(3)]
    assert heads[1:] == ["First stages", "Later stages"]
    for place, head in enumerate(heads):
        assert table.columnWidth(place) > letters.horizontalAdvance(head)
