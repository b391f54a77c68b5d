"""Which column is what, said with mouse and keys; what comes of it is said at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest

from core.logs.column_map import ColumnMap
from core.logs.open_log import open_trace
from core.logs.unknown_table import TablePreview, first_table
from core.model.task_types import MAP, REDUCE
from explorer.dialogs.columns_dialog import ColumnsDialog
from tests.paths import DATA

TABLE = DATA / "mapped" / "export.psv"


@pytest.fixture(scope="module")
def table() -> TablePreview:
    return first_table([TABLE])


@pytest.fixture
def dialog(shown, table, qtbot) -> ColumnsDialog:
    made = ColumnsDialog(table)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(made)
    settled(made, qtbot)
    return made


def settled(dialog: ColumnsDialog, qtbot) -> str:
    qtbot.waitUntil(lambda: not dialog.progress.isVisible())
    return dialog.summary.text()


def choose(dialog: ColumnsDialog, meaning: str, column: str, qtbot) -> str:
    """Choose a column by its first letters, as one does with keys."""
    field = dialog.fields[meaning]
    field.setFocus()
    if column:
        QTest.keyClicks(field, column)
        assert field.currentText() == column
    else:
        QTest.keyClick(field, Qt.Key.Key_Home)
    return settled(dialog, qtbot)


def test_it_begins_with_the_guess_and_says_what_comes_of_it(dialog, table, qtbot):
    assert dialog.columns == table.guess
    said = settled(dialog, qtbot)
    assert said.startswith("4 tasks (1 reduce) of 2 jobs on 3 hosts")
    assert "from 2024-02-29 23:59:50 UTC" in said
    assert "4 left out: start is 'soon'" in said
    assert "never ended (1), killed (1), SETUP (neither map nor reduce) (1)." in said
    assert dialog.ok_button.isEnabled()
    titles = [column.title for column in dialog.model.columns]
    assert titles[:2] == ["Workflow\njob", "Task Attempt\ntask"]
    assert f"--columns '{table.guess.text()}'" == dialog.option.text()


def test_a_needed_column_that_is_not_chosen_is_told(dialog, qtbot):
    said = choose(dialog, "job", "", qtbot)
    assert said == "No column is named for job."
    assert not dialog.ok_button.isEnabled()
    assert "of 2 jobs" in choose(dialog, "job", "Workflow", qtbot)
    assert dialog.ok_button.isEnabled()


def test_end_and_duration_exclude_one_another(dialog, qtbot):
    said = choose(dialog, "duration", "Owner", qtbot)
    assert dialog.fields["end"].currentIndex() == 0
    assert "duration is 'mia', which is no time from 0 on" in said
    assert dialog.duration_unit.isEnabled()
    choose(dialog, "end", "Finished At", qtbot)
    assert dialog.fields["duration"].currentIndex() == 0
    assert not dialog.duration_unit.isEnabled()


def test_values_that_mean_reduce_are_checked_in_a_menu_that_stays(dialog, qtbot):
    menu = dialog.reduces.menu_of_values
    menu.popup(QPoint(0, 0))
    qtbot.waitUntil(menu.isVisible)
    by_value = {action.data(): action for action in menu.actions()}
    assert list(by_value) == ["MAP_TASK", "REDUCE_TASK", "SETUP"]
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(by_value["SETUP"]).center())
    assert menu.isVisible()
    assert dialog.columns.reduces == ("REDUCE_TASK", "SETUP")
    menu.setActiveAction(by_value["REDUCE_TASK"])
    QTest.keyClick(menu, Qt.Key.Key_Space)
    assert menu.isVisible()
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert dialog.columns.reduces == ("SETUP",)
    assert dialog.reduces.text() == "SETUP"
    assert "(1 reduce)" in settled(dialog, qtbot)


def test_the_wheel_scrolls_over_choices_that_have_not_the_keys(dialog):
    field = dialog.fields["user"]
    dialog.ok_button.setFocus()
    before = field.currentIndex()
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QGuiApplication.sendEvent(field, event)
    assert field.currentIndex() == before


def test_enter_hands_the_columns_over_and_they_give_what_was_said(dialog, qtbot):
    choose(dialog, "host", "", qtbot)
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == dialog.option.text()
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    (text,) = chosen.args
    assert "host" not in dict(ColumnMap.parse(text).columns)
    imported = open_trace([TABLE], parameters={"columns": text})
    assert (imported.report.tasks[MAP].kept, imported.report.tasks[REDUCE].kept) == (3, 1)


def test_what_is_known_is_shown_and_can_be_forgotten(shown, table, qtbot):
    known = "job=Task Type,start=Started At,end=Finished At,done=COMPLETED|GONE,outcome=State,unit=date"
    made = ColumnsDialog(table, known, is_remembered=True)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(made)
    assert made.columns == ColumnMap.parse(known)
    assert "of 3 jobs" in settled(made, qtbot)
    with qtbot.waitSignal(made.forgotten):
        QTest.mouseClick(made.forget_button, Qt.MouseButton.LeftButton)
    assert not made.forget_button.isEnabled()
    QTest.keyClick(made, Qt.Key.Key_Escape)
    assert not made.isVisible()


def test_what_is_remembered_and_makes_no_sense_is_guessed_anew(shown, table):
    assert shown(ColumnsDialog(table, "unit=years", is_remembered=True)).columns == table.guess


def test_only_what_is_remembered_can_be_forgotten(dialog):
    assert not dialog.forget_button.isVisible()
