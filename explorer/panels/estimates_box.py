"""The durations that a policy plans on: the true ones, or guesses."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QToolButton, QWidget

from core.model.estimates import ESTIMATE_PARAMETERS, DurationEstimates, estimates_of
from explorer.widgets.layouts import NO_MARGINS, column, row
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import ElidedLabel, tooltip

if TYPE_CHECKING:
    from core.model.parameters import ParameterValue

ABOUT = (
    "A real scheduler does not know how long tasks will take. Tell this policy estimates with an error, or "
    "what the jobs took when they ran before; the tasks take their true times all the same."
)
NO_RUN = "Earlier run: none"
RUN_HELP = (
    "Tell the policy what jobs of the same names took before. Jobs that did not run then have the error."
)
DEFAULT = DurationEstimates(0.3)


class EstimatesBox(QWidget):
    """A box to tick, and below it the error and the earlier run.

    Signals
    -------
    changed : the user wants these `DurationEstimates`, or None for the true durations
    run_wanted : the user wants an earlier run, from "library" or "file"
    editing_finished : the user left a field; what follows is another edit
    """

    changed = Signal(object)
    run_wanted = Signal(str)
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._estimates: DurationEstimates | None = None
        self.box = QCheckBox("Plan on &estimates of the durations")
        self.box.setToolTip(tooltip(ABOUT))
        self.form = ParameterForm(ESTIMATE_PARAMETERS, varied="estimates.")
        self.run = ElidedLabel(NO_RUN)
        self.run_button = QToolButton()
        self.run_button.setText("Earlier &run")
        self.run_button.setToolTip(tooltip(RUN_HELP))
        self.run_button.setAccessibleDescription(RUN_HELP)
        self.run_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.run_button.setMenu(self._menu())
        self.fold = QWidget()
        column(self.form, row((self.run, 1), self.run_button), parent=self.fold, margins=(14, 0, 0, 0))
        column(self.box, self.fold, parent=self, margins=NO_MARGINS)
        self.box.clicked.connect(self._on_clicked)
        self.form.value_changed.connect(self._on_value_changed)
        self.form.editing_finished.connect(self.editing_finished)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("From the &trace library").triggered.connect(partial(self.run_wanted.emit, "library"))
        menu.addAction("From a &workload or log …").triggered.connect(partial(self.run_wanted.emit, "file"))
        self.no_run_action = menu.addAction("&None")
        self.no_run_action.triggered.connect(self._on_no_run)
        return menu

    def show_estimates(self, estimates: DurationEstimates | None) -> None:
        """Show these; this is no edit, so nothing is announced."""
        self._estimates = estimates
        self.box.setChecked(estimates is not None)
        self.fold.setVisible(estimates is not None)
        shown = estimates or DEFAULT
        self.form.set_values({"error": shown.error, "per": shown.per, "seed": shown.seed})
        self.no_run_action.setEnabled(shown.profile is not None)
        if shown.profile is None:
            self.run.setText(NO_RUN)
        else:
            self.run.setText(f"Earlier run: {shown.profile.name}, {len(shown.profile.jobs)} jobs")

    def _on_clicked(self, wanted: bool) -> None:
        self.changed.emit(DEFAULT if wanted else None)
        self.editing_finished.emit()

    def _on_value_changed(self, name: str, value: ParameterValue) -> None:
        if self._estimates is not None:
            self.changed.emit(estimates_of({**self.form.values(), name: value}, self._estimates.profile))

    def _on_no_run(self) -> None:
        if self._estimates is not None:
            self.changed.emit(
                replace(self._estimates, profile=None, error=self._estimates.error or DEFAULT.error)
            )
            self.editing_finished.emit()
