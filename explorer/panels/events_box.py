"""What happens to the nodes of a cluster: a list that folds away, what is typed joins it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSizePolicy, QToolButton, QWidget

from core.model.errors import InputError
from core.model.event_edits import with_text, without_event, without_spot
from core.model.event_nodes import count_of_nodes
from core.model.node_events import (
    A_DAY,
    BESIDE,
    NodeEvent,
    NodeEvents,
    SpotNodes,
    event_text,
    events_words,
    places_in_turn,
)
from core.model.time_text import clock_text
from explorer.panels.keys import FocusKeys
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.tables import MAX_FITTED, Column, ReadTable, RowsModel

if TYPE_CHECKING:
    from core.model.cluster import Cluster

EMPTY = (
    "Nothing happens to nodes. Right click a row of a chart at the time, or type it below: N3 fails at 600."
)
FORM = (
    "Times in seconds, with ; between events: N3 fails at 600; N3 returns at 900; N2 runs at 0.5 from 0; "
    "2 spot rate 0.5 seed 1 back 300 (failures of a node per hour, back after 300 s). 8 nodes says over how "
    "many the slots are spread, none leaves all out. Enter adds it"
)
LOST = (
    "What maps have put out on a node is lost when it fails, and they run again as long as a reduce of their "
    "job has not fetched all, as in Hadoop"
)
MAX_SHOWN = 7
"""Rows of the list that are shown at once; more are scrolled to."""
SPOT = -1
"""The place of the row of spot nodes."""


class EventRow(NamedTuple):
    """A row of the list.

    Attributes
    ----------
    place : in the list of events, or `SPOT`
    time, node, what : as texts
    tip : all of it, with units
    seconds : when it happens, None where that is drawn
    """

    place: int
    time: str
    node: str
    what: str
    tip: str
    seconds: float | None


COLUMNS: tuple[Column[EventRow], ...] = (
    Column("Time", lambda row: row.time, "When it happens", typical="10:00", tip=lambda row: row.tip),
    Column("Node", lambda row: row.node, "To which node it happens", typical="N16", tip=lambda row: row.tip),
    Column("What", lambda row: row.what, "What happens to it", typical="is back", tip=lambda row: row.tip),
)


def event_rows(cluster: Cluster) -> list[EventRow]:
    """Return a row for each event by time, the last one for the spot nodes if there are any."""
    events = cluster.events
    if events is None:
        return []
    rows = [_event_row(place, events.happen[place]) for place in places_in_turn(events)]
    return rows + ([] if events.spot is None else [_spot_row(events.spot, count_of_nodes(cluster))])


def _counted(events: NodeEvents | None) -> str:
    """Return how many there are, so short that it stands whole in a narrow side bar."""
    if events is None:
        return "none"
    spot = [f"{events.spot.nodes} spot nodes"] if events.spot else []
    return ", ".join([str(len(events.happen))] * bool(events.happen or not spot) + spot)


def _event_row(place: int, event: NodeEvent) -> EventRow:
    what = {"fails": "fails", "returns": "is back", "speed": f"runs at {event.speed:g}"}[event.kind]
    time = clock_text(event.time)
    tip = (
        f"{event_text(event)} s ({time}). Double click or Enter puts the time cursor there, Delete removes it"
    )
    return EventRow(place, time, f"N{event.node + 1}", what, tip, event.time)


def _spot_row(spot: SpotNodes, nodes: int) -> EventRow:
    back = f", back after {clock_text(spot.back_after)}" if spot.back_after else ""
    until = f", until {clock_text(spot.until)}" if spot.until != A_DAY else ""
    what = f"fail {spot.rate:g}/h, seed {spot.seed}"
    tip = (
        f"{spot.nodes} spot nodes fail {spot.rate:g} times per hour each, at times drawn from the seed "
        f"{spot.seed}{back or ', for good'}{until}. Delete removes it"
    )
    return EventRow(SPOT, "drawn", f"{spot.nodes} spot", f"{what}{back}{until}", tip, None)


class EventsBox(QWidget):
    """A header with the events in few words, and below it, when unfolded, their list and a field to add some.

    Signals
    -------
    changed : the user wants these `NodeEvents`, or None for none; `say` tells what is wrong with them
    time_chosen : the user looks at the time of an event: the seconds
    """

    changed = Signal(object)
    time_chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cluster: Cluster | None = None
        self._make_list()
        self._make_parts()
        buttons = row(self.lost_box, None, self.remove_button, margins=NO_MARGINS)
        parts = (self.note, self.table, buttons, self.field, self.fault)
        column(*parts, parent=self.fold, margins=(14, 0, 0, 0))
        column(self.header, self.fold, parent=self, margins=NO_MARGINS)
        self.header.toggled.connect(self._on_folded)
        self.lost_box.clicked.connect(self._on_lost_clicked)
        self.field.returnPressed.connect(self._on_typed)
        self.field.textEdited.connect(lambda: self.say(""))
        self.say("")
        self._on_folded(False)

    def _make_list(self) -> None:
        self.model = RowsModel(COLUMNS, self)
        self.table = ReadTable(self.model, "Events on nodes", widest=2)
        self.table.setWordWrap(True)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().sectionResized.connect(self._fit_height)
        self.remove_action = QAction("Remove", self)
        self.remove_action.triggered.connect(self._on_remove)
        keys = FocusKeys(self.table, lambda: True)
        keys.add("Delete", self.remove_action)
        keys.watch(self.table)
        self.remove_button = QToolButton()
        self.remove_button.setDefaultAction(self.remove_action)
        self.remove_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        tip = "Remove the selected event, and the return that follows a failure (Delete)"
        self.remove_action.setToolTip(tip)
        named(self.remove_button, "Remove the selected event", tip)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_selected)

    def _make_parts(self) -> None:
        self.header = QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setCheckable(True)
        self.header.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.note = PlainLabel(EMPTY, wraps=True, is_faint=True)
        self.lost_box = named(QCheckBox("Map outputs lost"), "Map outputs are lost", tooltip(LOST))
        self.field = named(QLineEdit(), "Add events", tooltip(FORM))
        self.field.setPlaceholderText("N3 fails at 600")
        self.fault = PlainLabel(wraps=True)
        self.fold = QWidget()

    # Showing

    def show_events(self, cluster: Cluster) -> None:
        """Show what happens to the nodes of a cluster; the list keeps its current row."""
        other = next((BESIDE[name] for name in BESIDE if getattr(cluster, name)), "")
        self.note.setText(f"{other[:1].upper()}{other[1:]}." if other else EMPTY)
        self.field.setEnabled(not other or cluster.events is not None)
        self.header.setText(f"Events: {_counted(cluster.events)}")
        self.header.setAccessibleName(f"Events: {events_words(cluster.events) or 'none'}")
        self._show_fold_tip()
        if self._cluster is not None and cluster.events == self._cluster.events:
            self._cluster = cluster
            self._show_lost()
            return
        self._cluster = cluster
        self.say("")
        self._show_rows(event_rows(cluster))
        self._show_lost()

    def _show_rows(self, rows: list[EventRow]) -> None:
        current, had_focus = self.table.currentIndex().row(), self.table.hasFocus()
        self.model.show_rows(rows)
        self.note.setVisible(not rows)
        self.table.setVisible(bool(rows))
        for part in (self.lost_box, self.remove_button):
            part.setVisible(bool(rows))
        if rows and current >= 0:
            self.table.selectRow(min(current, len(rows) - 1))
        elif not rows and had_focus:
            self.field.setFocus()
        self._fit_height()
        self._on_selected(self.table.currentIndex())

    def _fit_height(self) -> None:
        """Make rows as high as their texts, and the list as high as its rows, or the first ones of many."""
        if self.model.rowCount() <= MAX_FITTED:
            self.table.resizeRowsToContents()
        rows = sum(self.table.rowHeight(place) for place in range(min(self.model.rowCount(), MAX_SHOWN)))
        heading = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(heading + rows + 2 * self.table.frameWidth())

    def _show_lost(self) -> None:
        events = self._cluster.events if self._cluster is not None else None
        self.lost_box.setChecked(events is not None and events.map_outputs == "lost")

    def say(self, sentence: str) -> None:
        """Say what is wrong with the last edit, below the field; nothing where that is empty."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        self.field.setAccessibleDescription(sentence)
        if sentence:
            self._show_lost()

    def _show_fold_tip(self) -> None:
        verb = "fold" if self.header.isChecked() else "unfold"
        self.header.setToolTip(tooltip(f"{self.header.accessibleName()}. Click to {verb} their list"))

    def _on_folded(self, is_open: bool) -> None:
        self.header.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.fold.setVisible(is_open)
        self._show_fold_tip()

    # Edits

    @property
    def _events(self) -> NodeEvents | None:
        return self._cluster.events if self._cluster is not None else None

    def _row(self, index: QModelIndex) -> EventRow | None:
        return self.model.row(index.row()) if index.isValid() else None

    def _on_selected(self, index: QModelIndex) -> None:
        self.remove_action.setEnabled(index.isValid())

    def _on_activated(self, index: QModelIndex) -> None:
        found = self._row(index)
        if found is not None and found.seconds is not None:
            self.say("")
            self.time_chosen.emit(found.seconds)

    def _on_remove(self) -> None:
        found, events = self._row(self.table.currentIndex()), self._events
        if found is not None and events is not None:
            self.changed.emit(
                without_spot(events) if found.place == SPOT else without_event(events, found.place)
            )

    def _on_lost_clicked(self, is_lost: bool) -> None:
        if self._events is not None:
            self.changed.emit(replace(self._events, map_outputs="lost" if is_lost else "kept"))

    def _on_typed(self) -> None:
        if self._cluster is None or not self.field.text().strip():
            return
        try:
            events = with_text(self._cluster, self.field.text())
        except InputError as error:
            self.say(str(error))
            return
        self.say("")
        self.changed.emit(events)
        if not self.fault.text():
            self.field.clear()
