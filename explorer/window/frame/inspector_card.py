"""Where the inspector is: on a card over the charts while something is selected, or in a dock of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QToolButton, QWidget
from typing_extensions import override

from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import icon, theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from explorer.document.view_state import ViewState
    from explorer.gantt.gantt_view import GanttView
    from explorer.panels.inspector import Inspector
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.frame.centre import Centre

MIN = QSize(220, 120)
MAX_WIDTH, MAX_HEIGHT = 0.6, 0.75
"""Parts of the charts' place that the card may cover."""
DOCK_WIDTH = 280


class InspectorCard(QFrame):
    """A card that can be dragged by any part of it that is no text.

    Signals
    -------
    dock_wanted, close_wanted : its buttons were pressed
    """

    dock_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._grabbed: QPoint | None = None
        self._dragged_to: QPoint | None = None
        self.setAccessibleName("Inspector")
        self.setAutoFillBackground(True)  # opaque, so that painting a chart leaves it alone
        self.setBackgroundRole(self.palette().ColorRole.ToolTipBase)
        self.dock_button = _button("dock", "Dock", "Put the inspector into a dock beside the charts")
        self.close_button = _button("close", "Close", "Close until something else is selected (Escape)")
        self.dock_button.clicked.connect(self.dock_wanted)
        self.close_button.clicked.connect(self.close_wanted)
        grip = PlainLabel("Inspector", is_faint=True)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.inside = column(margins=NO_MARGINS)
        head = row(grip, None, self.dock_button, self.close_button, spacing=2)
        column(head, (self.inside, 1), parent=self, margins=(8, 4, 4, 4), spacing=0)
        self.hide()

    def settle(self, room: QRect, wanted: QSize, avoid: QRect) -> None:
        """Lie inside of a room, as large as wanted if that is possible, and beside what is to be seen.

        Where the user dragged it comes first, then the corners at the right, then those at the left.
        """
        most = QSize(round(room.width() * MAX_WIDTH), round(room.height() * MAX_HEIGHT))
        size = wanted.expandedTo(MIN).boundedTo(most.expandedTo(MIN)).boundedTo(room.size())
        right, bottom = room.right() + 1 - size.width(), room.bottom() + 1 - size.height()
        corners = [QPoint(x, y) for x in (right, room.left()) for y in (bottom, room.top())]
        dragged = [] if self._dragged_to is None else [_inside(QRect(self._dragged_to, size), room)]
        boxes = [*dragged, *(QRect(corner, size) for corner in corners)]
        self.setGeometry(min(boxes, key=lambda box: _area(box.intersected(avoid))))
        self.raise_()

    # ---- dragging

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed = event.position().toPoint()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            place = self.mapToParent(event.position().toPoint()) - self._grabbed
            box = _inside(QRect(place, self.size()), self._parent.rect())
            self._dragged_to = box.topLeft()
            self.move(box.topLeft())

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setPen(theme_of(self).line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class InspectorPlace(QObject):
    """Moves the inspector between its card and its dock; an open dock means that it is docked."""

    def __init__(
        self,
        inspector: Inspector,
        view_state: ViewState,
        charts: ChartArea,
        centre: Centre,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._inspector, self._view_state, self._centre = inspector, view_state, centre
        self._charts = charts
        self._is_wanted = self._is_new = False
        self.card = InspectorCard(centre)
        self.dock = QDockWidget("Inspector", window)
        self.dock.setObjectName("inspector")
        inside = QWidget()
        self._docked = column(parent=inside, margins=NO_MARGINS)
        inside.setMinimumSize(MIN)
        self.dock.setWidget(inside)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.hide()
        self._move()
        self.dock.visibilityChanged.connect(self._move)
        self.card.dock_wanted.connect(self.dock_it)
        self.card.close_wanted.connect(self.close_card)
        for signal in (
            view_state.selected_job_changed,
            view_state.selected_task_changed,
            view_state.selected_idle_changed,
        ):
            signal.connect(self._on_selection_changed)
        inspector.refreshed.connect(self._fit)
        centre.installEventFilter(self)

    @property
    def is_docked(self) -> bool:
        """Whether it is in the dock."""
        return not self.dock.isHidden()

    def dock_it(self) -> None:
        """Put it into the dock."""
        self.close_card()
        self.dock.show()
        self._move()
        window = self.parent()
        assert isinstance(window, QMainWindow)
        window.resizeDocks([self.dock], [DOCK_WIDTH], Qt.Orientation.Horizontal)
        self.dock.raise_()

    def close_card(self) -> bool:
        """Close the card; whether it was open."""
        was_open, self._is_wanted = self._is_wanted, False
        self.card.hide()
        return was_open

    def _move(self) -> None:
        """Let the inspector be where it belongs now."""
        self._inspector.follow_pointer(self.is_docked)
        (self._docked if self.is_docked else self.card.inside).addWidget(self._inspector)
        if self.is_docked:
            self.close_card()

    def _on_selection_changed(self) -> None:
        self._is_wanted = self._view_state.selected_job is not None and not self.is_docked
        self._is_new = True
        self.card.setVisible(self._is_wanted and self.card.isVisible())  # a new one comes with its text

    def _fit(self) -> None:
        if self._is_wanted:
            self.card.show()
            room, air = self._centre.room, self.card.sizeHint() - self._inspector.sizeHint()
            text = self._inspector.size_of_text(round(room.width() * MAX_WIDTH) - air.width())
            self.card.settle(room, text + air, self._selected_box())
            if self._is_new:  # else the user may have scrolled it
                self._inspector.text.verticalScrollBar().setValue(0)
            self._is_new = False

    def _selected_box(self) -> QRect:
        """Return where the selected task is, in pixels of the centre."""
        task = self._view_state.selected_task
        view = None if task is None else self._charts.views.get(task.scenario_id)
        if task is None or view is None:
            return QRect()
        return box_of(view, task.task).translated(view.mapTo(self._centre, QPoint()))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)


def box_of(view: GanttView, task: int) -> QRect:
    """Return where a chart shows a task, in pixels of the chart; empty if it has no such task."""
    rows = view.content.rows
    if rows is None or not 0 <= task < rows.schedule.tasks:
        return QRect()
    place, frame = rows.place_of(task), view.frame()
    top, bottom = frame.row(int(rows.row[rows.task[place]]))
    left, right = (frame.x(float(seconds[place])) for seconds in (rows.columns.start, rows.columns.end))
    box = QRect(round(left), top, max(round(right - left), 1), max(bottom - top, 1))
    return box.intersected(frame.places.plot)


def _button(sign: str, name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(sign))
    button.setAutoRaise(True)
    button.setCursor(Qt.CursorShape.ArrowCursor)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return named(button, name, tip)


def _inside(box: QRect, room: QRect) -> QRect:
    """Move a box into a room."""
    left = max(room.left(), min(box.left(), room.right() + 1 - box.width()))
    top = max(room.top(), min(box.top(), room.bottom() + 1 - box.height()))
    return QRect(QPoint(left, top), box.size())


def _area(box: QRect) -> int:
    return max(box.width(), 0) * max(box.height(), 0)
