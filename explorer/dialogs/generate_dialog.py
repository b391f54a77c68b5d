"""Generate a workload: choose a family, a seed and parameters, and see at once what it would be."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.generate.families import families, generate
from core.model.workload import Workload
from explorer.plots.workload_preview import Preview, WorkloadPreview
from explorer.widgets.busy_bar import BusyBar
from explorer.widgets.number_fields import LARGEST_WHOLE, CountField
from explorer.widgets.parameter_form import ParameterForm
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.generate.families import Family
    from core.model.parameters import ParameterValue

PAUSE_MS = 150
"""After the last key: then the workload is drawn, so that its size can be shown."""


class GenerateDialog(QDialog):
    """Draws the workload in a worker while people choose; accepting hands over what was drawn.

    Signals
    -------
    generated : people accepted this workload
    """

    generated = Signal(Workload)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Generate a workload")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._drawn: Preview | None = None
        self._drawing = Worker(self)
        self._drawing.finished.connect(self._on_drawn)
        self._drawing.failed.connect(self._on_failed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._on_family_changed()

    # Building

    def _make_parts(self) -> None:
        self.family_field = QComboBox()
        self.family_field.setAccessibleName("Family")
        self.family_field.setToolTip("Kind of workload, each from a publication")
        for family in families():
            self.family_field.addItem(family.title, family)
        self.summary = PlainLabel(wraps=True)
        self.source = PlainLabel(wraps=True)
        self.source.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.seed_field = CountField(0, LARGEST_WHOLE)
        self.seed_field.setValue(1)
        self.seed_field.setAccessibleName("Seed")
        self.seed_field.setToolTip("The same seed gives the same workload again")
        self.seed_button = QPushButton("&New seed")
        self.seed_button.setToolTip("Choose a seed by chance")
        self.form = ParameterForm()
        self.preview = WorkloadPreview()
        self.progress = BusyBar("Drawing the workload")

    def _lay_out(self) -> None:
        seed = QHBoxLayout()
        seed.addWidget(self.seed_field, 1)
        seed.addWidget(self.seed_button)
        top = QFormLayout()
        top.addRow("&Family", self.family_field)
        top.addRow(self.summary)
        top.addRow(self.source)
        seed_label = QLabel("&Seed")
        seed_label.setBuddy(self.seed_field)
        top.addRow(seed_label, seed)
        area = QScrollArea()
        area.setWidget(self.form)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.generate_button = self.buttons.addButton("&Generate", QDialogButtonBox.ButtonRole.AcceptRole)
        self.generate_button.setDefault(True)
        self.seed_button.setAutoDefault(False)
        fields = QVBoxLayout()
        fields.addLayout(top)
        fields.addWidget(area, 1)
        sides = QHBoxLayout()
        sides.setSpacing(16)
        sides.addLayout(fields, 4)
        sides.addWidget(self.preview, 5)
        layout = QVBoxLayout(self)
        layout.addLayout(sides, 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.buttons)
        self.resize(1040, 640)

    def _connect(self) -> None:
        self.family_field.currentIndexChanged.connect(self._on_family_changed)
        self.seed_field.valueChanged.connect(self._on_changed)
        self.seed_button.clicked.connect(self._on_new_seed)
        self.form.value_changed.connect(self._on_changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def preset(self, family_id: str, values: Mapping[str, ParameterValue]) -> None:
        """Begin with a family and some of its parameters; people may change both."""
        self.family_field.setCurrentIndex([family.id for family in families()].index(family_id))
        self.form.set_values(values)
        self._on_changed()

    # Drawing

    @property
    def family(self) -> Family:
        """The chosen family."""
        chosen: Family = self.family_field.currentData()
        return chosen

    def _on_family_changed(self) -> None:
        self.summary.setText(self.family.summary)
        self.source.setText(f"After {self.family.source}.")
        self.form.set_parameters(self.family.parameters)
        self._on_changed()

    def _on_new_seed(self) -> None:
        self.seed_field.setValue(secrets.randbelow(10_000))

    def _on_changed(self) -> None:
        self._drawn = None
        self.generate_button.setEnabled(False)
        self.preview.totals.setText("Drawing …")
        self.progress.show()
        self._drawing.cancel()
        self._pause.start()

    def _draw(self) -> None:
        self._drawing.start(partial(_preview, self.family.id, self.seed_field.value(), self.form.values()))

    def _on_drawn(self, drawn: Preview) -> None:
        self._drawn = drawn
        self.progress.hide()
        self.preview.show_preview(drawn)
        self.generate_button.setEnabled(True)
        self.generate_button.setDefault(True)

    def _on_failed(self, error: Exception) -> None:
        self.progress.hide()
        self.preview.show_preview(None, str(error))

    def done(self, result: int) -> None:
        """Close; hand the workload over if people accepted it."""
        self._pause.stop()
        self._drawing.cancel()
        super().done(result)
        if result == QDialog.DialogCode.Accepted and self._drawn is not None:
            self.generated.emit(self._drawn.workload)


def _preview(family_id: str, seed: int, values: dict[str, ParameterValue]) -> Preview:
    """Draw the workload and summarise it; runs in a worker."""
    return Preview.of(generate(family_id, seed=seed, parameters=values))
