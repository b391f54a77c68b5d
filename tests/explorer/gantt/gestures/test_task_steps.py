"""Keys walk from task to task, Enter selects, and screen readers are told of every step."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.gestures.task_steps import row_of
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule, make_workload

SCHEDULE = make_schedule(make_workload(jobs=6, slots=8, seed=3), "fair")
NAME = QAccessible.Text.Name
RIGHT, LEFT, UP, DOWN = Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down


@pytest.fixture
def view(qtbot):
    axis = TimeAxis()
    axis.set_extent(0.0, SCHEDULE.makespan)
    axis.fit()
    view = GanttView(axis, theme(False))
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.set_schedule(SCHEDULE)
    view.show()
    view.setFocus()
    return view


def told(view):
    """The task that the card speaks of."""
    return None if view.facts is None else view.facts.task


def test_left_and_right_walk_along_a_slot(view):
    rows = view.content.rows
    first, last = int(rows.columns.offsets[0]), int(rows.columns.offsets[1])
    seen = []
    for _ in range(last - first + 2):  # twice beyond the end it stays
        QTest.keyClick(view, RIGHT)
        seen.append(told(view))
    tasks = rows.task[first:last].tolist()
    assert seen == [*tasks, tasks[-1], tasks[-1]]
    for task in tasks[-2::-1]:
        QTest.keyClick(view, LEFT)
        assert told(view) == task


def test_up_and_down_find_what_runs_at_that_time(view):
    """Against a search through all tasks of each row, for the time at which the walk began."""
    rows = view.content.rows
    QTest.keyClick(view, RIGHT)
    QTest.keyClick(view, RIGHT)
    time = view.steps._time
    for row in range(1, len(rows.columns.offsets) - 1):
        places = range(*rows.columns.offsets[row : row + 2].tolist())
        if not places:
            continue
        QTest.keyClick(view, DOWN)
        away = [
            max(rows.columns.start[place] - time, time - rows.columns.end[place], 0.0) for place in places
        ]
        assert view.steps.place == places[int(np.argmin(away))]
    QTest.keyClick(view, DOWN)  # below the last row there is none
    bottom = view.steps.place
    QTest.keyClick(view, UP)
    assert row_of(rows.columns, view.steps.place) < row_of(rows.columns, bottom)


def test_what_the_keys_stand_at_is_in_view(view):
    """Far along a slot and far down, at a zoom at which little is seen."""
    view.axis.zoom(0.1, 0.0)
    view.look.zoom_rows(6, 0)
    for key in [RIGHT] * 5 + [DOWN] * 7 + [RIGHT] * 4:
        QTest.keyClick(view, key)
        frame, columns = view.frame(), view.content.rows.columns
        place = view.steps.place
        assert columns.start[place] < frame.scale.end
        assert columns.end[place] > frame.scale.start
        top, bottom = frame.layout.slot_span(row_of(columns, place))
        assert top >= 0
        assert bottom <= frame.places.plot.height()


def test_folded_rows_are_passed_over(view):
    view.look.fold([0])
    QTest.keyClick(view, RIGHT)
    assert view.content.rows.schedule.workload.columns.kind[told(view)] == 1


def test_enter_selects_as_a_click_does(view, qtbot):
    QTest.keyClick(view, RIGHT)
    QTest.keyClick(view, DOWN)
    with qtbot.waitSignal(view.job_clicked) as clicked:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert clicked.args == [view.facts.job]
    assert view.clicked_task == told(view)


def test_walking_begins_at_the_selected_task_and_ends_with_escape(view):
    view.set_selected_task(20)
    QTest.keyClick(view, RIGHT)
    assert told(view) == 20
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert told(view) is None
    assert view.steps.place == -1


def test_another_schedule_is_walked_anew(view):
    QTest.keyClick(view, RIGHT)
    view.set_schedule(make_schedule(make_workload(jobs=2, slots=3), "fifo"))
    assert view.steps.place == -1
    QTest.keyClick(view, DOWN)
    assert view.steps.place == 0


@pytest.mark.parametrize("key", [RIGHT, UP, Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_without_a_schedule_keys_do_nothing(view, key):
    view.set_schedule(None)
    QTest.keyClick(view, key)
    assert told(view) is None


# ---- for screen readers


@pytest.fixture
def heard(monkeypatch):
    """Act as a screen reader: what is announced."""
    sentences = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: sentences.append(event.message()))
    return sentences


def test_every_step_is_said(view, heard):
    QTest.keyClick(view, RIGHT)
    assert heard[-1].startswith(f"{view.facts.title}, slot M1")
    assert "<" not in heard[-1]


def test_rows_and_tasks_in_view_are_accessible_children(view, heard, qtbot):
    view.accessible_tasks.refresh()
    table = view.findChild(QTableView)
    names = [QAccessible.queryAccessibleInterface(each).text(NAME) for each in (view, table)]
    assert names == ["Gantt chart", "Tasks of"]
    inside = QAccessible.queryAccessibleInterface(view)
    children = [inside.child(place).object() for place in range(inside.childCount())]
    assert table in children, "the chart's children are told"
    model = table.model()
    rows = view.content.rows
    assert model.rowCount() == SCHEDULE.cluster.slots
    for row in range(model.rowCount()):
        count = int(rows.columns.offsets[row + 1] - rows.columns.offsets[row])
        name = model.headerData(row, Qt.Orientation.Vertical, Qt.ItemDataRole.AccessibleTextRole)
        assert name.startswith(f"{SCHEDULE.cluster.slot_name(row)}, {count} task")
        cells = [model.index(row, column).data() for column in range(model.columnCount())]
        assert sum(cell is not None for cell in cells) == count
    view.axis.zoom(0.2, 0.0)
    qtbot.waitUntil(lambda: sum(len(tasks) for _, tasks in model._rows) < SCHEDULE.tasks)


def test_nobody_hears_nothing(view):
    view.axis.zoom(0.2, 0.0)
    QTest.keyClick(view, RIGHT)
    assert view.findChild(QTableView) is None
