"""The cluster: its slots, when reduces may start, and how shuffles overlap with maps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)
from typing_extensions import override

from core.model.cluster import SHUFFLE_TITLES, Cluster, cluster_sentence
from core.model.errors import InputError
from core.model.limits import MAX_SLOTS
from core.model.nodes import (
    MAX_REDUCE_LOAD,
    MODEST,
    NodeGroup,
    contention_text,
    nodes_text,
    parse_contention,
    parse_nodes,
    parse_request,
    request_text,
)
from core.model.slot_times import slot_times_words
from core.model.time_text import clock_text
from explorer.document.titles import title_in
from explorer.panels.cluster_fields import FIELDS, SHUFFLE_SENTENCES, STAGE_SHUFFLE_SENTENCES, VARIED
from explorer.panels.events_box import EventsBox
from explorer.panels.overheads_box import OverheadsBox
from explorer.panels.prediction_line import PredictionLine
from explorer.widgets.layouts import column, named
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip, without_mnemonic
from explorer.widgets.vary_menu import can_be_varied

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from core.model.document_state import Scenario
    from core.model.node_events import NodeEvents
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState

TYPED, UNTYPED, NODES = "Map and reduce", "Containers", "Nodes"
NO_NODES: dict[str, Any] = {
    "nodes": (),
    "contention": (),
    "reduce_load": 0.0,
    "slot_times": (),
    "slots_per_executor": 0,
}
SLOTS_OF_A_NODE = 8
"""Gigabytes and cores of a node at first: with Hadoop's default requests, as many tasks at once."""

MIN_FIELD = 13
"""Letters of a field where the side bar is narrow; where it has less room its label stands above it."""

MAX_LETTERS = 34
"""Of the check box that names the active scenario."""


class ClusterPanel(QWidget):
    """Edits the cluster of all scenarios, or the active scenario's own.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    """

    refused = Signal(str)

    def __init__(self, editor: Editor, view_state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._document = editor.document
        self._view_state = view_state
        self._is_showing, self._cluster = False, editor.document.cluster
        self._make_fields()
        self._lay_out()
        self._connect()
        self.refresh()

    # Building

    def _make_fields(self) -> None:
        self.kind_field = QComboBox()
        self.kind_field.addItems([TYPED, UNTYPED, NODES])
        self.map_field = CountField(0, MAX_SLOTS, "slots")
        self.reduce_field = CountField(0, MAX_SLOTS, "slots")
        self.container_field = CountField(1, MAX_SLOTS, "containers")
        self.executor_field = CountField(0, MAX_SLOTS, "slots")
        self.executor_field.setSpecialValueText("not known")
        self._node_fields = [QLineEdit() for _ in range(4)]
        self.nodes_field, self.map_request_field, self.reduce_request_field, self.contention_field = (
            self._node_fields
        )
        self.contention_field.setPlaceholderText("none: all at full speed")
        self.load_field = NumberField(0, MAX_REDUCE_LOAD, "maps")
        self.load_field.setSingleStep(0.1)
        self.slowstart_field = NumberField(0, 100, "%")
        self.slowstart_field.setSingleStep(5)
        self.shuffle_field = QComboBox()
        for model, title in SHUFFLE_TITLES.items():
            self.shuffle_field.addItem(title, model)
        self.shuffle_sentence = PlainLabel(wraps=True)
        self.shuffle_sentence.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.come_and_go = PlainLabel(wraps=True)
        self.prediction = PredictionLine()
        self.overheads_box = OverheadsBox()
        self.events_box = EventsBox()
        self.own_box = QCheckBox()
        self.reset_button = QPushButton("As the workload suggests")

    def _lay_out(self) -> None:
        slots = (
            self.kind_field,
            self.map_field,
            self.reduce_field,
            self.container_field,
            self.executor_field,
        )
        self._form = QFormLayout(rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        fields = (*slots, *self._node_fields, self.load_field, self.slowstart_field, self.shuffle_field)
        for field, (label, name, tip) in zip(fields, FIELDS, strict=True):
            self._form.addRow(label, named(field, name, tip))
            least = MIN_FIELD * self.fontMetrics().averageCharWidth()
            field.setMinimumWidth(max(least, field.sizeHint().width() if field is self.kind_field else 0))
        for field, name in zip(fields[1:], VARIED, strict=True):
            if name:
                can_be_varied(field, f"cluster.{name}")
        for wide in (self.own_box, self.reset_button):
            wide.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        parts = (
            self.come_and_go,
            self.prediction,
            self.shuffle_sentence,
            self.overheads_box,
            self.events_box,
            self.own_box,
            self.reset_button,
        )
        column(self._form, *parts, None, parent=self, margins=(6, 6, 6, 6))

    def _connect(self) -> None:
        self.kind_field.currentIndexChanged.connect(self._on_kind_changed)
        self.map_field.valueChanged.connect(partial(self._edit_field, "map_slots"))
        self.reduce_field.valueChanged.connect(partial(self._edit_field, "reduce_slots"))
        self.container_field.valueChanged.connect(partial(self._edit_field, "containers"))
        self.executor_field.valueChanged.connect(partial(self._edit_field, "slots_per_executor"))
        self.load_field.valueChanged.connect(partial(self._edit_field, "reduce_load"))
        for text_field in self._node_fields:
            text_field.editingFinished.connect(self._on_nodes_edited)
        self.slowstart_field.valueChanged.connect(self._on_slowstart_changed)
        self.shuffle_field.currentIndexChanged.connect(self._on_shuffle_changed)
        numbers = (self.map_field, self.reduce_field, self.container_field, self.executor_field)
        for field in (*numbers, self.load_field, self.slowstart_field):
            field.editingFinished.connect(self._editor.end_gesture)
        self.overheads_box.changed.connect(partial(self._edit_field, "overheads"))
        self.overheads_box.editing_finished.connect(self._editor.end_gesture)
        self.events_box.changed.connect(self._on_events_changed)
        self.events_box.time_chosen.connect(self._on_time_chosen)
        self.own_box.toggled.connect(self._on_own_toggled)
        self.reset_button.clicked.connect(self._on_reset_clicked)
        self._view_state.active_scenario_changed.connect(self.refresh)
        self._document.scenario_changed.connect(self._on_scenario_changed)
        for signal in (
            self._document.cluster_changed,
            self._document.scenarios_changed,
            self._document.workload_changed,
            self._document.reset,
        ):
            signal.connect(self.refresh)

    # Showing

    @property
    def cluster(self) -> Cluster:
        """The cluster that the active scenario runs on."""
        state = self._document.state
        return state.cluster_of(state.scenario(self._view_state.active_scenario))

    def refresh(self) -> None:
        """Show the cluster as it is now."""
        active = self._view_state.active_scenario
        if not self._document.has_scenario(active):
            return  # it has just been removed; another becomes active at once
        self._is_showing = True
        self._cluster = self.cluster
        self._show_cluster(self._cluster)
        self._show_target(self._document.scenario(active))
        self._is_showing = False
        self._predict()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._predict()

    def _predict(self) -> None:
        active = self._view_state.active_scenario
        if self.isVisible() and self._document.has_scenario(active):
            workload, scenario = self._document.workload, self._document.scenario(active)
            self.prediction.show_for(workload, self._cluster, scenario)

    def _on_scenario_changed(self, scenario_id: int) -> None:
        if scenario_id != self._view_state.active_scenario:
            return
        if self.cluster != self._cluster:
            self.refresh()
            return
        self._is_showing = True
        self._show_target(self._document.scenario(scenario_id))
        self._is_showing = False
        self._predict()

    def _show_cluster(self, cluster: Cluster) -> None:
        has_containers, has_nodes = cluster.has_containers, cluster.has_nodes
        self._show_kind(NODES if has_nodes else UNTYPED if has_containers else TYPED)
        self.map_field.setValue(cluster.map_slots)
        self.reduce_field.setValue(cluster.reduce_slots)
        self.container_field.setMinimum(0 if cluster.slot_times else 1)
        self.container_field.setValue(cluster.containers)
        self.executor_field.setValue(cluster.slots_per_executor)
        self.come_and_go.setText(f"Besides {slot_times_words(cluster.slot_times)}.")
        self.come_and_go.setVisible(bool(cluster.slot_times))
        self.nodes_field.setText(nodes_text(cluster.nodes))
        self.map_request_field.setText(request_text(cluster.map_request))
        self.reduce_request_field.setText(request_text(cluster.reduce_request))
        self.contention_field.setText(contention_text(cluster.contention))
        self.load_field.setValue(cluster.reduce_load)
        self.slowstart_field.setValue(cluster.slowstart * 100)
        self.shuffle_field.setCurrentIndex(self.shuffle_field.findData(cluster.shuffle_model))
        is_map_reduce = self._document.workload.is_map_reduce
        sentences = SHUFFLE_SENTENCES if is_map_reduce else STAGE_SHUFFLE_SENTENCES
        self.shuffle_sentence.setText(sentences.get(cluster.shuffle_model, ""))
        self.overheads_box.show_overheads(cluster.overheads, can_have=not (has_nodes or cluster.slot_times))
        self.events_box.show_events(cluster)
        for field, is_shown in (
            (self.map_field, not has_containers),
            (self.reduce_field, not has_containers),
            *(
                (field, has_containers and not has_nodes)
                for field in (self.container_field, self.executor_field)
            ),
            *((field, has_nodes) for field in self._node_fields),
            (self.load_field, has_nodes and bool(cluster.contention)),
            (self.slowstart_field, self._has_slowstart),
            (self.shuffle_field, self._has_shuffles),
        ):
            self._form.setRowVisible(field, is_shown)
        self.shuffle_sentence.setVisible(self._has_shuffles)

    def _show_kind(self, kind: str) -> None:
        """Show it; slots for maps and for reduces are offered where there are such tasks, or such slots."""
        kinds = [TYPED] * (kind == TYPED or self._document.workload.is_map_reduce) + [UNTYPED, NODES]
        if self.kind_field.count() != len(kinds):
            self.kind_field.clear()
            self.kind_field.addItems(kinds)
        self.kind_field.setCurrentText(kind)

    @property
    def _has_slowstart(self) -> bool:
        """Whether some stage starts by the cluster's slowstart: all reduces do, stages of a log do not."""
        workload = self._document.workload
        return workload.is_map_reduce or bool(np.isnan(workload.columns.stages.slowstart).any())

    @property
    def _has_shuffles(self) -> bool:
        """Whether the shuffle model matters."""
        workload = self._document.workload
        return workload.is_map_reduce or bool(workload.columns.typical_shuffle.any())

    def _show_target(self, scenario: Scenario) -> None:
        title = title_in(self._document.state, scenario)
        self.own_box.setChecked(scenario.cluster is not None)
        is_record = scenario.choice.is_record
        self.own_box.setEnabled(not is_record)
        # a long title would make the panel wider than its place; the tooltip has all of it
        room = MAX_LETTERS * self.own_box.fontMetrics().averageCharWidth()
        text = self.own_box.fontMetrics().elidedText(f"Only for {title}", Qt.TextElideMode.ElideRight, room)
        self.own_box.setText(without_mnemonic(text))
        own = f"Give {title} a cluster of its own, to compare it with the others"
        of_log = f"{title} ran on the cluster of its log; this cluster is that of the simulated scenarios"
        self.own_box.setToolTip(tooltip(of_log if is_record else own))
        suggested = self._document.workload.cluster
        self.reset_button.setEnabled(self._cluster != suggested)
        words = cluster_sentence(suggested, has_slowstart=self._has_slowstart)
        self.reset_button.setToolTip(tooltip(f"Set the cluster to {words}"))

    # Edits

    def _edit(self, **changes: Any) -> None:  # Any: the cluster checks the values
        if self._is_showing:
            return
        try:
            self._editor.edit_cluster(self._target(), **changes)
        except InputError as error:
            self.refused.emit(str(error))
            self.refresh()

    def _target(self) -> int | None:
        scenario = self._document.scenario(self._view_state.active_scenario)
        return None if scenario.cluster is None else scenario.id

    def _on_kind_changed(self) -> None:
        if self._is_showing:
            return
        slots = min(self.cluster.slots, MAX_SLOTS)
        kind = self.kind_field.currentText()
        if kind == UNTYPED:
            self._edit(map_slots=0, reduce_slots=0, containers=slots, **NO_NODES)
        elif kind == NODES:
            nodes = (NodeGroup(-(-slots // SLOTS_OF_A_NODE), SLOTS_OF_A_NODE * 1024, SLOTS_OF_A_NODE),)
            requests = {"map_request": MODEST, "reduce_request": MODEST}
            self._edit(
                map_slots=0,
                reduce_slots=0,
                containers=0,
                nodes=nodes,
                slot_times=(),
                slots_per_executor=0,
                **requests,
            )
        else:
            maps = (slots + 1) // 2
            self._edit(map_slots=maps, reduce_slots=max(slots - maps, 1), containers=0, **NO_NODES)
        self._editor.end_gesture()

    def _edit_field(self, name: str, value: object) -> None:
        self._edit(**{name: value})

    def _on_events_changed(self, events: NodeEvents | None) -> None:
        self._editor.end_gesture()  # each is a step of its own
        try:
            self._editor.edit_cluster(self._target(), events=events)
        except InputError as error:
            self.events_box.say(str(error))

    def _on_time_chosen(self, seconds: float) -> None:
        cursor = self._view_state.time_cursor
        cursor.show_at(seconds)
        if seconds > cursor.end:
            ends, then = clock_text(cursor.end), clock_text(seconds)
            self.events_box.say(f"All has ended by {ends}, before {then}: the time cursor stands at the end.")

    def _on_nodes_edited(self) -> None:
        if self._is_showing or not self.cluster.has_nodes:
            return
        try:
            fields: dict[str, Any] = {
                "nodes": parse_nodes(self.nodes_field.text()),
                "map_request": parse_request(self.map_request_field.text()),
                "reduce_request": parse_request(self.reduce_request_field.text()),
                "contention": parse_contention(self.contention_field.text()),
            }
        except InputError as error:
            self.refused.emit(str(error))
            self.refresh()
            return
        if not fields["contention"]:
            fields["reduce_load"] = 0.0
        changes = {name: value for name, value in fields.items() if value != getattr(self.cluster, name)}
        if changes:
            self._edit(**changes)
            self._editor.end_gesture()

    def _on_slowstart_changed(self, percent: float) -> None:
        self._edit(slowstart=percent / 100)

    def _on_shuffle_changed(self) -> None:
        self._edit(shuffle_model=self.shuffle_field.currentData())
        self._editor.end_gesture()

    def _on_own_toggled(self, is_own: bool) -> None:
        if self._is_showing:
            return
        active = self._view_state.active_scenario
        self._editor.end_gesture()
        if is_own:
            self._editor.set_cluster(self.cluster, active)
        else:
            self._editor.reset_scenario_cluster(active)
        self._editor.end_gesture()

    def _on_reset_clicked(self) -> None:
        self._editor.end_gesture()
        self._editor.set_cluster(self._document.workload.cluster, self._target())
        self._editor.end_gesture()
