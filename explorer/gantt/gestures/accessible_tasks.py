"""The tasks in view as a table for screen readers: a row for each slot, a cell for each task that it runs.

Qt knows how to tell a table to those who hear it, so a chart has one inside, a pixel large, that nobody sees.
It is made when a screen reader is there, and follows what is in view.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QTableView
from typing_extensions import override

from explorer.gantt.geometry.tasks_in_view import tasks_between
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.layers.veil import veiled_facts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.gantt.gestures.gestures import Chart
    from explorer.gantt.layers.layer import HoverFacts

MAX_ROWS, MAX_TASKS = 100, 60
"""In the table; of more one hears the first, and zooms."""
PAUSE_MS = 150
NO_INDEX = QModelIndex()
AnyIndex = QModelIndex | QPersistentModelIndex


class AccessibleTasks(QObject):
    """Keeps a chart's table as long as a screen reader uses it.

    Attributes
    ----------
    table : None before it is needed
    """

    def __init__(self, chart: Chart, view: QWidget) -> None:
        super().__init__(view)
        self._chart, self._view = chart, view
        self.table: QTableView | None = None
        self._soon = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._soon.timeout.connect(self.refresh)
        chart.axis.range_changed.connect(self.change)
        chart.look.rows_moved.connect(self.change)

    def announce(self, facts: HoverFacts) -> None:
        """Notify screen readers of what the keys stand at."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, spoken(facts)))

    def change(self) -> None:
        """Something else is in view, or another schedule."""
        if QAccessible.isActive():
            self._soon.start()

    def refresh(self) -> None:
        """Show what is in view now."""
        if self.table is None:
            self.table = QTableView(self._view)
            self.table.setModel(TasksInView(self._chart, self.table))
            self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.table.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.table.setGeometry(0, self._view.height() - 1, 1, 1)
            self.table.show()
        self.table.setAccessibleName(f"Tasks of {self._chart.content.title}".strip())
        model = self.table.model()
        assert isinstance(model, TasksInView)
        model.refresh()


class TasksInView(QAbstractTableModel):
    """A row for each slot in view, a column for each task that it runs meanwhile, in the order of time."""

    def __init__(self, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self._chart = chart
        self._rows: list[tuple[int, range]] = []

    def refresh(self) -> None:
        """Read what is in view."""
        self.beginResetModel()
        self._rows = self._in_view()
        self.endResetModel()

    def _in_view(self) -> list[tuple[int, range]]:
        rows, frame = self._chart.content.rows, self._chart.frame()
        if rows is None:
            return []
        seen = (slot for first, last in frame.layout.slots_in_view for slot in range(first, last))
        slots = [slot for slot, _ in zip(seen, range(MAX_ROWS), strict=False)]
        found = ((s, tasks_between(rows.columns, s, frame.scale.start, frame.scale.end)) for s in slots)
        return [(slot, range(first, min(last, first + MAX_TASKS))) for slot, (first, last) in found]

    @override
    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: AnyIndex = NO_INDEX) -> int:
        return 0 if parent.isValid() else max((len(tasks) for _, tasks in self._rows), default=0)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # as in the base
        rows, (_, tasks) = self._chart.content.rows, self._rows[index.row()]
        is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
        if not is_text or rows is None or index.column() >= len(tasks) or tasks.stop > len(rows.task):
            return None
        place, veil = tasks[index.column()], self._chart.content.veil
        facts: HoverFacts | None = task_facts(rows, place)
        if veil < math.inf:
            facts = veiled_facts(facts, veil, float(rows.columns.start[place]))
        return None if facts is None else spoken(facts)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if orientation is Qt.Orientation.Horizontal:
            return f"task {section + 1}"
        slot, tasks = self._rows[section]
        return f"{self._name(slot)}, {len(tasks)} task{'' if len(tasks) == 1 else 's'} in view"

    def _name(self, row: int) -> str:
        """Return what the chart calls a row."""
        rows = self._chart.content.rows
        if rows is None or not rows.are_slots:
            return f"row {row + 1}"
        return rows.schedule.cluster.slot_name(row)


def spoken(facts: HoverFacts) -> str:
    """Return the card beside the pointer in one sentence."""
    words = (facts.title, *(f"{name} {value}" for name, value in facts.lines()), facts.note())
    return ", ".join(word for word in words if word)
