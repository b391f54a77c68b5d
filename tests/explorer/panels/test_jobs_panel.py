"""The jobs panel as people use it: type, press keys, drag, undo."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeySequence,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QStyle

from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.panels.job_columns import CHANGE, COLUMNS
from explorer.panels.jobs_model import MIME_TYPE
from explorer.panels.jobs_panel import JobsPanel
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of

JOHNSON = ("J2", "J1", "J4", "J3", "J5")
COLUMN = {column.field_id or column.title: i for i, column in enumerate(COLUMNS)}


@pytest.fixture
def panel(shown, editor, view_state):
    panel = JobsPanel(editor, view_state)
    panel.resize(900, 400)
    return shown(panel)


@pytest.fixture
def refused(panel):
    sentences = []
    panel.refused.connect(sentences.append)
    return sentences


def column(panel, field_id):
    return [panel.model.index(row, COLUMN[field_id]).data() for row in range(panel.model.rowCount())]


def names(panel):
    return tuple(column(panel, "name"))


def centre(panel, row, field_id="name", below=0):
    rect = panel.table.visualRect(panel.model.index(row, COLUMN[field_id]))
    return QPoint(rect.center().x(), rect.center().y() + below)


def select(panel, row, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, modifier, centre(panel, row))


def type_into(panel, row, field_id, text, key=Qt.Key.Key_Return):
    """Open a cell, replace what is there, press a key."""
    panel.table.setCurrentIndex(panel.model.index(row, COLUMN[field_id]))
    panel.table.edit(panel.model.index(row, COLUMN[field_id]))
    field = QApplication.focusWidget()
    QTest.keyClicks(field, text)  # type: ignore[arg-type]
    QTest.keyClick(field, key)  # type: ignore[arg-type]
    QApplication.sendPostedEvents()  # the view commits when the key has been dealt with
    return field


def drag(panel, rows, target_row, below=0, drop=True):
    """Send what Qt sends while rows are dragged to a row and dropped (or not)."""
    indexes = [panel.model.index(row, 1) for row in rows]
    data = panel.model.mimeData(indexes)
    return drag_data(panel, data, target_row, below, drop)


def drag_data(panel, data, target_row, below=0, drop=True):
    viewport = panel.table.viewport()
    position = QPointF(centre(panel, target_row, below=below))
    how = (Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, QDragEnterEvent(position.toPoint(), *how))
    QApplication.sendEvent(viewport, QDragMoveEvent(position.toPoint(), *how))
    if drop:
        QApplication.sendEvent(viewport, QDropEvent(position, *how))
    return data


# Showing


def test_rows_follow_the_active_scenario(panel, editor, view_state):
    assert names(panel) == ("J1", "J2", "J3", "J4", "J5")
    panel.set_computed_order(2, JOHNSON)
    assert names(panel) == ("J1", "J2", "J3", "J4", "J5")
    view_state.activate_scenario(2)
    assert names(panel) == JOHNSON
    assert column(panel, "#") == ["1", "2", "3", "4", "5"]
    assert panel.heading.text() == "In the order of Johnson"
    editor.drop_order(2, JOHNSON[::-1], JOHNSON)
    assert names(panel) == JOHNSON[::-1]
    assert panel.heading.text() == "Edited by hand, from Johnson"


def test_cells_have_units(panel, editor):
    editor.edit_job(0, "map_durations", "4, 5, 6")
    editor.edit_job(1, "map_durations", "1, 2, 3, 6")
    editor.edit_job(2, "reduce_count", 0)
    assert column(panel, "map_durations") == ["4 s, 5 s, 6 s", "mean 3 s", "30 s", "6 s", "2 s"]
    assert column(panel, "reduce_durations")[2] == "–"
    assert column(panel, "deadline") == ["–"] * 5
    tip = panel.model.index(1, COLUMN["map_durations"]).data(Qt.ItemDataRole.ToolTipRole)
    assert "4 values from 1 s to 6 s, mean 3 s" in tip


def test_every_cell_says_what_it_is(panel):
    index = panel.model.index(0, COLUMN["arrival"])
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Arrival of J1: 0:00"
    for i, each in enumerate(COLUMNS):
        header = panel.model.headerData(i, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert each.help.split()[0] in header


def test_a_job_without_service_levels_says_so(panel, editor):
    index = panel.model.index(0, COLUMN["service_levels"])
    assert index.data() == "–"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "J1: No service levels of its own"
    assert index.data(Qt.ItemDataRole.EditRole) == ""
    editor.edit_job(0, "service_levels", "60:1, 120:5")
    assert index.data() == "60:1, 120:5"
    assert "60:1, 120:5" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_names_are_never_markup(panel, editor):
    editor.edit_job(0, "name", "<b>bold</b> & co")
    assert names(panel)[0] == "<b>bold</b> & co"
    tip = panel.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tooltip("<b>bold</b> & co") in tip
    assert "<b>" not in tip


def test_the_swatch_has_the_colour_of_the_job(panel, view_state):
    colours = [QColor(hue, 40, 60) for hue in (10, 60, 110, 160, 210)]
    panel.set_colours(colours.__getitem__)
    panel.set_computed_order(2, JOHNSON)
    view_state.activate_scenario(2)
    assert panel.model.index(0, 0).data(Qt.ItemDataRole.DecorationRole) == colours[1]
    picture = panel.table.viewport().grab().toImage()
    rect = panel.table.visualRect(panel.model.index(0, 0))
    assert picture.pixelColor(rect.left() + 12, rect.center().y()) == colours[1]


def test_tab_walks_from_the_filter_to_the_table_to_the_buttons(panel, editor):
    editor.load(many(30))
    panel.filter_field.setFocus()
    QTest.keyClick(panel.filter_field, Qt.Key.Key_Tab)
    assert panel.table.hasFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_Tab)
    assert QApplication.focusWidget().text() == "Add"


# Editing


def test_a_count_is_typed(panel, editor, undo):
    field = type_into(panel, 0, "map_count", "12")
    assert isinstance(field, CountField)
    assert field.suffix() == " maps"
    assert editor.document.workload.jobs[0].maps.count == 12
    assert undo() == ["Set maps of J1 to 12"]
    editor.undo_stack.undo()
    assert column(panel, "map_count")[0] == "30"


@pytest.mark.parametrize(
    ("typed", "expected"), [("5", [5]), ("4.5", [4.5]), ("4, 5, 6", [4, 5, 6]), ("4;5", [4, 5])]
)
def test_durations_are_a_number_or_a_list(panel, editor, typed, expected):
    type_into(panel, 1, "reduce_durations", typed)
    assert editor.document.workload.jobs[1].reduces.durations.tolist() == expected


@pytest.mark.parametrize("typed", ["abc", "1e", "4,", ""])
def test_what_is_no_list_of_durations_cannot_be_entered(panel, editor, undo, typed):
    field = type_into(
        panel, 1, "map_durations", typed, key=Qt.Key.Key_Delete if not typed else Qt.Key.Key_Return
    )
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert editor.document.workload.jobs[1].maps.durations.tolist() == [1]
    assert undo() == []


def test_arrival_deadline_pool_weight(panel, editor, undo):
    assert isinstance(type_into(panel, 0, "arrival", "2.5"), NumberField)
    type_into(panel, panel.model.row_of("J1"), "deadline", "60")
    type_into(panel, panel.model.row_of("J1"), "pool", "night")
    type_into(panel, panel.model.row_of("J1"), "weight", "2")
    job = editor.document.workload.jobs[0]
    assert (job.arrival, job.deadline, job.pool, job.weight) == (2.5, 60, "night", 2)
    assert len(undo()) == 4
    panel.table.edit(panel.model.index(panel.model.row_of("J1"), COLUMN["deadline"]))
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    field.clear()
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.sendPostedEvents()
    assert editor.document.workload.jobs[0].deadline is None


def test_a_refused_edit_says_why_and_changes_nothing(panel, editor, refused, undo):
    type_into(panel, 0, "arrival", "50")
    type_into(panel, panel.model.row_of("J1"), "deadline", "40")
    type_into(panel, panel.model.row_of("J1"), "name", "J2")
    assert [sentence.split("; ", 1)[1] for sentence in refused] == [
        "a deadline must be later than the job's arrival, and at most 1e+12 s (null for none)",
        "another job has this name; give every job its own",
    ]
    assert undo() == ["Set arrival of J1 to 50"]


def test_opening_a_cell_and_leaving_it_is_no_edit(panel, editor, undo):
    precise = 4.123456789012345
    job = replace(editor.document.workload.jobs[0], maps=Stage.of(2, [precise, 1 / 3]), arrival=1 / 3)
    editor.replace_job(0, job)
    for field_id in ("map_durations", "arrival", "map_count", "name", "deadline"):
        type_into(panel, panel.model.row_of("J1"), field_id, "")
    assert editor.document.workload.jobs[0] == job
    assert len(undo()) == 1


def test_escape_leaves_a_cell_as_it_was(panel, editor, undo):
    type_into(panel, 0, "map_count", "99", key=Qt.Key.Key_Escape)
    assert editor.document.workload.jobs[0].maps.count == 30
    assert undo() == []


def test_two_edits_of_one_cell_are_two_steps(panel, undo):
    type_into(panel, 0, "map_count", "12")
    type_into(panel, 0, "map_count", "13")
    assert undo() == ["Set maps of J1 to 12", "Set maps of J1 to 13"]


def test_very_long_lists_are_not_unfolded(panel, editor, undo):
    editor.replace_job(0, replace(editor.document.workload.jobs[0], maps=Stage.of(5000, range(5000))))
    panel.table.edit(panel.model.index(0, COLUMN["map_durations"]))
    field = QApplication.focusWidget()
    assert field.text() == ""
    assert field.placeholderText() == "5000 values; type to replace them"
    QTest.keyClicks(field, "7")  # type: ignore[arg-type]
    QTest.keyClick(field, Qt.Key.Key_Return)  # type: ignore[arg-type]
    QApplication.sendPostedEvents()
    assert editor.document.workload.jobs[0].maps.durations.tolist() == [7]


# Adding and deleting


def test_insert_adds_a_job_and_asks_for_its_name(panel, editor, undo):
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_Insert)
    assert names(panel)[-1] == "J6"
    field = QApplication.focusWidget()
    QTest.keyClicks(field, "Nightly")  # type: ignore[arg-type]
    QTest.keyClick(field, Qt.Key.Key_Return)  # type: ignore[arg-type]
    QApplication.sendPostedEvents()
    assert [job.name for job in editor.document.workload.jobs][-1] == "Nightly"
    assert undo() == ["Add J6", "Rename J6 to Nightly"]
    editor.undo_stack.undo()
    editor.undo_stack.undo()
    assert names(panel) == ("J1", "J2", "J3", "J4", "J5")


def test_duplicate_and_delete_the_selected(panel, editor, view_state, undo):
    select(panel, 1)
    select(panel, 3, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert [job.name for job in editor.document.workload.jobs] == [
        "J1", "J2", "J2 copy", "J3", "J4", "J4 copy", "J5",
    ]  # fmt: skip
    select(panel, panel.model.row_of("J2"))
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    assert "J2" not in names(panel)
    assert view_state.selected_job is not None
    assert undo() == ["Duplicate 2 jobs", "Delete J2"]


def test_the_last_job_stays(panel, editor, refused):
    panel.table.selectAll()
    panel.delete_action.trigger()
    assert len(names(panel)) == 5
    assert "a workload needs at least one" in refused[0]


def test_buttons_know_what_they_can_do(panel):
    panel.table.clearSelection()
    assert not panel.delete_action.isEnabled()
    select(panel, 0)
    assert panel.delete_action.isEnabled()
    assert not panel.up_action.isEnabled()
    assert panel.down_action.isEnabled()


# Selection


def test_selection_is_shared(panel, view_state):
    select(panel, 2)
    assert view_state.selected_job == "J3"
    view_state.select_job("J5")
    assert panel.selected_rows() == [4]
    panel.set_computed_order(1, JOHNSON[::-1])
    assert view_state.selected_job == "J5"
    assert panel.selected_rows() == [0]
    view_state.select_job(None)
    assert panel.selected_rows() == []


def test_selection_stays_with_a_renamed_job(panel, view_state, editor):
    select(panel, 2)
    editor.edit_job(2, "name", "Third")
    assert view_state.selected_job == "Third"
    assert panel.selected_rows() == [2]


def test_a_renamed_job_keeps_its_place_in_the_computed_order(panel, editor, view_state):
    view_state.activate_scenario(2)
    panel.set_computed_order(2, JOHNSON)
    editor.edit_job(3, "name", "Fourth")
    assert names(panel) == ("J2", "J1", "Fourth", "J3", "J5")


# Reordering


def test_alt_arrows_move_the_selected_job(panel, editor, view_state, undo):
    panel.set_computed_order(2, JOHNSON)
    view_state.activate_scenario(2)
    select(panel, 2)
    QTest.keyClick(panel.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert editor.document.scenario(2).order == ("J2", "J4", "J1", "J3", "J5")
    assert names(panel) == ("J2", "J4", "J1", "J3", "J5")
    assert panel.selected_rows() == [1]
    QTest.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert names(panel) == JOHNSON
    assert undo() == ["Move J4 before J1 in Johnson", "Move J4 before J3 in Johnson, edited"]


def test_a_drag_previews_and_drops_one_step(panel, editor, view_state, qtbot, undo):
    panel.set_computed_order(2, JOHNSON)
    view_state.activate_scenario(2)
    previews, ends = [], []
    panel.order_previewed.connect(previews.append)
    panel.preview_ended.connect(lambda: ends.append(True))
    drag(panel, [4], 0, below=-5)
    assert previews == [("J5", "J2", "J1", "J4", "J3")]
    assert editor.document.scenario(2).order == ("J5", "J2", "J1", "J4", "J3")
    assert editor.document.scenario(1).order is None
    assert names(panel) == ("J5", "J2", "J1", "J4", "J3")
    assert ends == [True]
    assert undo() == ["Move J5 before J2 in Johnson"]
    editor.undo_stack.undo()
    assert editor.document.scenario(2).order is None
    assert names(panel) == JOHNSON


def test_several_rows_are_dragged_as_a_block(panel, editor, view_state):
    drag(panel, [0, 2], 4, below=5)
    assert editor.document.scenario(view_state.active_scenario).order == ("J2", "J4", "J5", "J1", "J3")


def test_a_drag_that_leaves_takes_the_preview_back(panel, editor, undo):
    previews, ends = [], []
    panel.order_previewed.connect(previews.append)
    panel.preview_ended.connect(lambda: ends.append(True))
    drag(panel, [0], 3, below=5, drop=False)
    assert previews == [("J2", "J3", "J4", "J1", "J5")]
    QApplication.sendEvent(panel.table.viewport(), QDragLeaveEvent())
    assert ends == [True]
    assert undo() == []
    assert names(panel) == ("J1", "J2", "J3", "J4", "J5")


def test_a_drop_where_it_was_changes_nothing(panel, undo):
    drag(panel, [1], 1, below=5)
    assert undo() == []


def test_rows_of_another_document_and_other_things_are_ignored(panel, undo):
    foreign, text = QMimeData(), QMimeData()
    foreign.setData(MIME_TYPE, b'["Unknown"]')
    text.setText("J1")
    for data in (foreign, text):
        drag_data(panel, data, 3)
    assert undo() == []
    assert panel.model.rowCount() == 5


def test_back_to_the_computed_order(panel, editor, view_state):
    view_state.activate_scenario(2)
    panel.set_computed_order(2, JOHNSON)
    assert not panel.back_button.isVisible()
    drag(panel, [4], 0, below=-5)
    assert panel.back_button.isVisible()
    QTest.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    assert editor.document.scenario(2).order is None
    assert names(panel) == JOHNSON


def test_keys_of_the_panel_win_over_the_same_keys_of_the_window(qtbot, panel, editor, undo):
    window = QMainWindow()
    qtbot.addWidget(window)
    heard = []
    for key in ("Ctrl+D", "Alt+Down"):
        action = QAction(key, window)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _=False, key=key: heard.append(key))
        window.addAction(action)
    window.setCentralWidget(panel)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    select(panel, 0)
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(panel.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert undo() == ["Move J1 before J3 in FIFO, edited", "Duplicate J1"]
    assert heard == []
    panel.filter_field.setFocus()
    panel.setFocus()
    QTest.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["Ctrl+D"]
    window.takeCentralWidget()


# Many jobs


def many(count):
    jobs = tuple(Job(f"J{i}", Stage.of(1, 5), Stage.of(1, 5), pool=f"p{i % 7}") for i in range(count))
    return DocumentState.new(Workload("many", jobs), (PolicyChoice("fifo"),))


def test_the_place_of_every_job_is_legible(panel, editor):
    editor.load(many(250))
    letters = panel.table.fontMetrics()
    room = panel.table.visualRect(panel.model.index(249, 0)).width() - 12  # the square
    assert room > letters.horizontalAdvance("250") + 10


def test_a_selected_job_that_an_edit_moves_stays_in_view(panel, editor, view_state):
    editor.load(many(100))
    view_state.select_job("J99")
    editor.move_job(editor.document.scenarios[0].id, "J99", 0)
    assert panel.model.row_of("J99") == 0
    assert panel.table.viewport().rect().contains(centre(panel, 0))


def test_the_filter_appears_with_many_jobs_and_stops_reordering(panel, editor, qtbot, undo):
    assert not panel.filter_field.isVisible()
    editor.load(many(30))
    assert panel.filter_field.isVisible()
    QTest.keyClicks(panel.filter_field, "j2")
    assert names(panel) == ("J2", *(f"J{i}" for i in range(20, 30)))
    assert column(panel, "#")[1] == "21"
    assert panel.note.isVisible()
    assert panel.note.text() == "11 of 30 jobs. Clear the filter to change the order."
    select(panel, 1)
    assert not panel.up_action.isEnabled()
    drag(panel, [1], 0, below=-5)
    assert undo() == []
    assert not panel.model.flags(panel.model.index(0, 0)) & Qt.ItemFlag.ItemIsDragEnabled
    type_into(panel, 1, "map_count", "9")
    assert editor.document.workload.jobs[20].maps.count == 9
    panel.filter_field.setText("no such job")
    assert panel.model.rowCount() == 0
    panel.table.viewport().grab()
    panel.filter_field.clear()
    assert len(names(panel)) == 30
    assert not panel.note.isVisible()


def test_twenty_four_thousand_jobs_open_and_reorder(panel, editor, view_state):
    editor.load(many(24_000))
    assert panel.model.rowCount() == 24_000
    panel.set_computed_order(1, [f"J{i}" for i in range(24_000)][::-1])
    assert panel.model.rows[0] == "J23999"
    view_state.select_job("J12000")
    assert panel.selected_rows() == [11_999]
    panel.down_action.trigger()
    assert panel.selected_rows() == [12_000]


def test_under_a_veil_it_tells_neither_ends_nor_the_computed_order(panel, view_state):
    panel.set_computed_order(1, ("J5", "J4", "J3", "J2", "J1"))
    panel.set_ends(1, {f"J{i}": 60.0 - 10 * i for i in range(1, 6)})
    told = column(panel, "Ends")
    view_state.veil.hide_from(5.0)
    assert panel.model.order == ("J1", "J2", "J3", "J4", "J5")
    assert not set(column(panel, "Ends")) & set(told)
    view_state.veil.lift()
    assert panel.model.order == ("J5", "J4", "J3", "J2", "J1")
    assert column(panel, "Ends") == told


# The change against the baseline


ENDS = {
    1: {f"J{i}": 10.0 * i for i in range(1, 6)},
    2: {"J1": 55.0, "J2": 20.0, "J3": 4.0, "J4": 40.0, "J5": 20.0},
}


@pytest.fixture
def compared(panel, view_state):
    for scenario, ends in ENDS.items():
        panel.set_ends(scenario, ends)
    view_state.activate_scenario(2)
    return panel


def test_each_job_has_its_change_against_the_baseline(compared, view_state):
    assert not compared.table.isColumnHidden(CHANGE)
    assert column(compared, "Change") == ["+45 s", "±0 s", "−26 s", "±0 s", "−30 s"]
    colours = theme_of(compared)
    inks = [compared.model.index(row, CHANGE).data(Qt.ItemDataRole.ForegroundRole) for row in range(5)]
    assert inks == [colours.worse, None, colours.better, None, colours.better]
    tips = [compared.model.index(row, CHANGE).data(Qt.ItemDataRole.ToolTipRole) for row in (0, 1, 4)]
    for tip, words in zip(tips, ("45 s later", "when it is in the baseline", "30 s earlier"), strict=True):
        assert words in tip
    view_state.activate_scenario(1)
    assert compared.table.isColumnHidden(CHANGE)


def test_a_job_that_the_baseline_lacks_has_no_change(compared):
    compared.set_ends(1, {"J2": 20.0, "J3": 30.0})
    assert column(compared, "Change") == ["–", "±0 s", "−26 s", "–", "–"]
    compared.set_ends(1, {"other": 7.0})
    assert compared.table.isColumnHidden(CHANGE)


def test_the_whole_change_has_room(compared):
    compared.set_ends(2, {"J1": 4000.0})
    table = compared.table
    needed = table.fontMetrics().horizontalAdvance("+1 h 06 min")
    assert column(compared, "Change")[0] == "+1 h 06 min"
    assert table.columnWidth(CHANGE) > needed
    table.setColumnWidth(CHANGE, 50)  # by hand
    compared.set_ends(2, {"J1": 5000.0})
    assert table.columnWidth(CHANGE) == 50


def test_another_baseline_is_another_change(compared, editor):
    editor.make_baseline(2)
    assert compared.table.isColumnHidden(CHANGE)
    editor.undo_stack.undo()
    assert column(compared, "Change")[0] == "+45 s"


def test_a_click_on_the_heading_sorts_by_change_and_a_third_one_ends_it(compared, view_state):
    header = compared.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(CHANGE) + 8, header.height() // 2)

    def click():
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)

    view_state.select_job("J3")
    click()
    assert names(compared) == ("J1", "J2", "J4", "J3", "J5")  # what ends later first
    assert column(compared, "#") == ["1", "2", "4", "3", "5"]
    assert compared.selected_names() == ("J3",)
    assert compared.note.isVisible()
    assert not compared.model.flags(compared.model.index(0, 1)) & Qt.ItemFlag.ItemIsDragEnabled
    compared.set_ends(2, ENDS[2] | {"J5": 99.0})
    assert names(compared) == ("J5", "J1", "J2", "J4", "J3")
    click()
    assert names(compared) == ("J3", "J2", "J4", "J1", "J5")
    click()
    assert names(compared) == ("J1", "J2", "J3", "J4", "J5")
    assert not compared.note.isVisible()


def test_other_columns_sort_as_well_and_what_has_nothing_there_comes_last(panel, editor):
    editor.edit_job(1, "deadline", 90)
    editor.edit_job(3, "deadline", 30)
    panel.model.sort(COLUMN["deadline"], Qt.SortOrder.AscendingOrder)
    assert names(panel) == ("J4", "J2", "J1", "J3", "J5")
    panel.model.sort(COLUMN["name"], Qt.SortOrder.DescendingOrder)
    assert names(panel) == ("J5", "J4", "J3", "J2", "J1")
    panel.model.sort(0, Qt.SortOrder.AscendingOrder)
    assert names(panel) == ("J1", "J2", "J3", "J4", "J5")


def test_sorting_ends_where_nothing_is_compared_any_more(compared, view_state):
    compared.model.sort(CHANGE, Qt.SortOrder.DescendingOrder)
    view_state.activate_scenario(1)
    assert names(compared) == ("J1", "J2", "J3", "J4", "J5")
    assert not compared.model.is_sorted


APPLICATION = " (local-1623281203390)"


def named(names):
    jobs = tuple(Job(name, Stage.of(1, 1.0), Stage.of(0, 1.0)) for name in names)
    return DocumentState.new(Workload("named", jobs), (PolicyChoice("fifo"),))


@pytest.mark.parametrize(
    "given",
    [
        [f"job {number}: collect at Main.scala:45{APPLICATION}" for number in range(12)],
        [f"etl-{year}-{way}-load-of-all-customers" for year in (2024, 2025) for way in ("north", "south")],
        ["load 10 of the week", "load 10 of the month", "load 12 of the week", "load 12 of the month"],
    ],
)
def test_names_differ_at_the_width_of_their_column(panel, editor, given):
    editor.load(named(given))
    margin = panel.table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
    width = panel.table.columnWidth(COLUMN["name"]) - 2 * margin
    metrics = panel.table.fontMetrics()
    cut = [metrics.elidedText(name, panel.table.textElideMode(), width) for name in names(panel)]
    assert len(set(cut)) == len(given)


def test_the_application_of_all_jobs_is_said_once(panel, editor):
    names_of = ("job 0: read", "job 1: write")
    editor.load(named(name + APPLICATION for name in names_of))
    assert names(panel) == ("0: read", "1: write")
    assert panel.note.isVisible()
    assert panel.note.text() == "All of local-1623281203390"
    index = panel.model.index(0, COLUMN["name"])
    assert f"job 0: read{APPLICATION}" in index.data(Qt.ItemDataRole.ToolTipRole)
