"""Where the charts of the scenarios lie: below one another or in two columns, scrolled, over one axis."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget
from typing_extensions import override

from core.model.document_state import MAX_SCENARIOS
from explorer.gantt.pinned_axis import HEIGHT as AXIS_HEIGHT
from explorer.gantt.pinned_axis import PinnedAxis
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.window.charts.guest_pane import GuestPane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.gantt.gantt_view import GanttView
    from explorer.panels.scenario_header import ScenarioHeader

MIN_PANE = 106
"""Pixels of a header and its chart: six are seen at once in a window of 1366x768, with two lanes of 30."""

MAX_COLUMNS = 2
COLUMN_GAP = 6
WHEEL_PX = 40
"""Pixels that a third of a notch scrolls by."""

EMPTY_TEXT = "Simulating…"
KEY_HELP: tuple[tuple[str, str, str], ...] = (
    ("Charts", "Ctrl+1 … Ctrl+6", "Go to this scenario"),
    ("Charts", "Page Up, Page Down", "Go to the scenario above or below"),
    ("Charts", "Double click on a name", "Show its chart alone; Escape shows all again"),
    ("Charts", "F2", "Rename the active scenario"),
    ("Charts", "Wheel over names and time axis", "Scroll the charts"),
)


class ScenarioPane(QWidget):
    """One scenario: its header, and its chart below."""

    def __init__(self, header: ScenarioHeader, view: GanttView, parent: QWidget) -> None:
        super().__init__(parent)
        self.header, self.view = header, view
        column(header, (view, 1), parent=self, margins=NO_MARGINS, spacing=0)
        header.show()

    @property
    def is_active(self) -> bool:
        """Whether its scenario is the active one."""
        return self.header.facts.is_active

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Where Tab stops, one after the other."""
        header = self.header
        return header, header.policy_button, header.maximise_button, header.menu_button, self.view

    def show_maximised(self, *, is_maximised: bool) -> None:
        """Set whether it is shown alone."""
        self.header.show_maximised(is_maximised=is_maximised)


class ChartStack(QScrollArea):
    """Panes in their order, each at least so high that something can be seen in it; the axis stays below.

    Attributes
    ----------
    maximised : the scenario whose chart is shown alone, or None
    """

    def __init__(self, view_state: ViewState, axis: TimeAxis, parent: QWidget) -> None:
        super().__init__(parent)
        self._view_state = view_state
        self._panes: dict[int, ScenarioPane | GuestPane] = {}
        self._columns = 1
        self.maximised: int | None = None
        self._pressed = -1
        self.axes = [
            PinnedAxis(axis, view_state.time_cursor, view_state.end_line, self) for _ in range(MAX_COLUMNS)
        ]
        for pinned in self.axes:
            pinned.idle_clicked.connect(view_state.toggle_idle_time)
        self._content = QWidget()
        self.setWidget(self._content)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setViewportMargins(0, 0, 0, AXIS_HEIGHT)
        self.verticalScrollBar().setSingleStep(WHEEL_PX)
        view_state.active_scenario_changed.connect(self._on_active_changed)
        view_state.veil.changed.connect(self._veil_guests)
        for place in range(MAX_SCENARIOS):
            QShortcut(QKeySequence(f"Ctrl+{place + 1}"), self).activated.connect(partial(self.go_to, place))

    # ---- what lies in it

    def add(self, scenario_id: int, header: ScenarioHeader, view: GanttView) -> None:
        """Take a chart in; `arrange` places it."""
        pane = self._panes[scenario_id] = ScenarioPane(header, view, self._content)
        view.changed.connect(self._follow)
        pane.show()

    def remove(self, scenario_id: int) -> None:
        """Give a chart up."""
        pane = self._panes.pop(scenario_id)
        if self.maximised == scenario_id:
            self.maximised = None
        pane.hide()
        pane.deleteLater()

    def show_guests(self, guests: Sequence[GuestPane]) -> None:
        """Show these below the scenarios, and no other guests; their ids are -1, -2 and so on."""
        for guest_id in self.guests:
            self.remove(guest_id)
        for place, pane in enumerate(guests):
            self._panes[-1 - place] = pane
            pane.setParent(self._content)
            pane.view.changed.connect(self._follow)
            pane.show()
        self._veil_guests()
        self._chain_focus()
        self._lay_out()

    @property
    def guests(self) -> dict[int, GuestPane]:
        """The guests by their ids."""
        return {i: pane for i, pane in self._panes.items() if isinstance(pane, GuestPane)}

    def other_ends(self) -> list[float]:
        """Return when schedules end that are no scenario's result: of guests, and those before an edit."""
        contents = {i: pane.view.content for i, pane in self._panes.items()}
        others = (content.rows if i < 0 else content.ghost for i, content in contents.items())
        return [rows.schedule.makespan for rows in others if rows is not None]

    def _veil_guests(self) -> None:
        for guest_id, pane in self.guests.items():
            pane.view.change(veil=self._view_state.veil.since(guest_id))
            pane.show_end()

    def arrange(self, wanted: Sequence[int], columns: int) -> None:
        """Place the charts in this order, in one column or two."""
        self._panes = {**{i: self._panes[i] for i in wanted}, **self.guests}
        self._columns = min(columns, MAX_COLUMNS, len(self._panes))
        self._chain_focus()
        self._lay_out()

    def _chain_focus(self) -> None:
        """Let Tab walk from header to chart, and on to the next pane."""
        before: QWidget | None = None
        for pane in self._panes.values():
            for part in pane.stops:
                if before is not None:
                    QWidget.setTabOrder(before, part)
                before = part

    # ---- what is in view

    def maximise(self, scenario_id: int | None) -> None:
        """Show one chart alone; all of them for None."""
        before, self.maximised = self.maximised, scenario_id
        if before != scenario_id:
            self._lay_out()
            for shown in (scenario_id, before):
                if shown is not None:
                    self.reveal(shown)
                    return

    def toggle(self, scenario_id: int) -> None:
        """Show one chart alone, or all of them again."""
        self.maximise(None if self.maximised is not None else scenario_id)

    @property
    def is_maximised(self) -> bool:
        """Whether one chart has the room of all."""
        return self.maximised is not None

    def toggle_active(self) -> None:
        """Show the active chart alone, or all of them again."""
        self.toggle(self._view_state.active_scenario)

    def reveal(self, scenario_id: int) -> None:
        """Scroll to a chart; one that is shown alone gives way to it."""
        if self.maximised not in (None, scenario_id):
            self.maximise(scenario_id)
        pane, bar = self._panes[scenario_id], self.verticalScrollBar()
        seen = range(bar.value(), bar.value() + self.viewport().height() + 1)
        if pane.y() not in seen or pane.y() + pane.height() not in seen:
            is_above = pane.y() < bar.value()
            bar.setValue(pane.y() - (0 if is_above else max(self.viewport().height() - pane.height(), 0)))

    def to_top(self) -> None:
        """Show the first chart at the top."""
        self.verticalScrollBar().setValue(0)

    # ---- which scenario is active

    def press(self, scenario_id: int) -> None:
        """Make a scenario the active one where it is: what is under the pointer stays there."""
        self._pressed = scenario_id
        self._view_state.activate_scenario(scenario_id)

    def go_to(self, place: int) -> None:
        """Make the scenario at a place, from 0, the active one and show it, if it is there."""
        ids = list(self._panes)
        if 0 <= place < len(ids):
            in_header = any(pane.stops[0].hasFocus() for pane in self._panes.values())
            self._view_state.activate_scenario(ids[place])
            self.reveal(ids[place])
            pane = self._panes[ids[place]]
            part = pane.stops[0] if in_header else pane.view
            part.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_active_changed(self) -> None:
        active = self._view_state.active_scenario
        for pane in self._panes.values():
            pane.update()
        self._follow()
        if active != self._pressed and active in self._panes:
            self.reveal(active)
            has_focus = self.window().focusWidget()
            if any(pane.view is has_focus for pane in self._panes.values()):  # keys reach what is active
                self._panes[active].view.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        self._pressed = -1

    # ---- places

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        active, top = self._view_state.active_scenario, self.verticalScrollBar().value()
        pane = self._panes.get(active)
        was_seen = pane is not None and top <= pane.y() <= top + event.oldSize().height() - pane.height()
        self._lay_out()
        if was_seen and self.maximised is None:  # a panel that opens is about this scenario
            self.reveal(active)

    def _lay_out(self) -> None:
        shown = [i for i in self._panes if self.maximised in (None, i)]
        for scenario_id, pane in self._panes.items():
            pane.setVisible(scenario_id in shown)
            pane.show_maximised(is_maximised=self.maximised is not None)
        self._place(shown)
        self._place(shown)  # the scroll bar may have come or gone, and with it some width
        self._follow()

    def _place(self, shown: Sequence[int]) -> None:
        area = self.viewport().size()
        columns = 1 if self.maximised is not None else self._columns
        places = pane_places(len(shown), columns, area.width(), area.height())
        self._content.resize(area.width(), max((place.bottom() + 1 for place in places), default=0))
        for scenario_id, place in zip(shown, places, strict=True):
            self._panes[scenario_id].setGeometry(place)

    def _follow(self) -> None:
        """Let the axis of each column show the times of a chart in it, the active one if it is there."""
        viewport = self.viewport().geometry()
        for place, axis in enumerate(self.axes):
            panes = [pane for pane in self._panes.values() if not pane.isHidden()]
            lefts = sorted({pane.x() for pane in panes})
            axis.setVisible(place < len(lefts))
            if place >= len(lefts):
                axis.follow(None)
            else:
                in_column = [pane for pane in panes if pane.x() == lefts[place]]
                best = max(in_column, key=_is_first_choice)
                left, width = viewport.x() + best.x(), best.width()
                axis.setGeometry(left, viewport.bottom() + 1, width, AXIS_HEIGHT)
                axis.follow(best.view)

    # ---- events

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in steps and not event.modifiers():
            ids = list(self._panes)
            self.go_to(ids.index(self._view_state.active_scenario) + steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self.maximised is not None:
            self.maximise(None)
        else:
            event.ignore()  # arrow keys do not scroll: a chart has them


def _is_first_choice(pane: ScenarioPane | GuestPane) -> tuple[bool, bool]:
    return pane.view.content.rows is not None, pane.is_active


def pane_places(count: int, columns: int, width: int, height: int) -> list[QRect]:
    """Return where panes lie in an area of this size, line by line, beyond its end if it is low."""
    lines = -(-count // columns)
    tall = max(height // max(lines, 1), MIN_PANE)
    wide = (width - (columns - 1) * COLUMN_GAP) // columns
    return [QRect(i % columns * (wide + COLUMN_GAP), i // columns * tall, wide, tall) for i in range(count)]
