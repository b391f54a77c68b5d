"""What drops down from a scenario: the list of policies, and a form for the parameters of the chosen one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget
from typing_extensions import override

from core.model.errors import InputError
from core.model.estimates import ESTIMATE_PARAMETERS, DurationEstimates, estimates_of
from core.model.schedule import PolicyChoice
from core.policies.registry import describe
from explorer.document.choices import all_parameters, has_run
from explorer.panels.policy_list import PolicyList
from explorer.widgets.layouts import NO_MARGINS, column, row
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.popup_frame import PopupFrame

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QHideEvent

    from core.model.parameters import Parameter, ParameterValue
    from explorer.document.editor import Editor


class PolicyPopup(PopupFrame):
    """Chooses the policy of a scenario, or the one of a new scenario.

    Signals
    -------
    policy_chosen : the user chose this policy for a new scenario
    file_wanted, new_file_wanted : the user wants to use a policy file, or to begin one, for the scenario with
        this id (-1: a new one)
    run_wanted : the user wants to plan the scenario with this id on an earlier run, from "library" or "file"
    refused : an edit broke a rule; the sentence to show
    """

    run_wanted = Signal(int, str)
    policy_chosen = Signal(str)
    file_wanted = Signal(int)
    new_file_wanted = Signal(int)
    refused = Signal(str)

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor = editor
        self._scenario_id: int | None = None
        self.list = PolicyList()
        self.form = PolicyForm(editor)
        column(self.list.field, self.list, self._file_buttons(), self.form, parent=self, margins=(6, 6, 6, 6))
        self.list.chosen.connect(self._on_chosen)
        self.form.refused.connect(self.refused)
        self.form.estimates.box.toggled.connect(self._on_folded)
        self.form.run_wanted.connect(self._on_run_wanted)

    def _file_buttons(self) -> QHBoxLayout:
        self.open_button = QPushButton("&Open policy file …")
        self.open_button.setToolTip("Use a policy of your own: a Python file of a few lines")
        self.open_button.clicked.connect(partial(self._ask_for_file, self.file_wanted))
        self.new_button = QPushButton("&New policy file …")
        self.new_button.setToolTip("Begin one from a commented template; the chart follows what you save")
        self.new_button.clicked.connect(partial(self._ask_for_file, self.new_file_wanted))
        return row(self.open_button, self.new_button)

    def open_for(self, scenario_id: int, anchor: QWidget) -> None:
        """Drop down below a widget, for a scenario."""
        self._begin(scenario_id)
        self.list.select(self._editor.document.scenario(scenario_id).choice.id)
        self.form.show_scenario(scenario_id)
        self._drop_down(anchor, with_form=True)

    def open_for_new(self, anchor: QWidget) -> None:
        """Drop down below a widget, for a scenario that is to be added."""
        self._begin(None)
        self.list.select_other_than({each.choice.id for each in self._editor.document.scenarios})
        self._drop_down(anchor, with_form=False)

    def _begin(self, scenario_id: int | None) -> None:
        self._scenario_id = scenario_id
        workload = self._editor.document.workload
        self.list.fill(with_record=workload.recorded is not None, of_graphs=not workload.is_map_reduce)

    def _drop_down(self, anchor: QWidget, *, with_form: bool) -> None:
        self.form.setVisible(with_form)
        self.adjustSize()
        room = anchor.screen().availableGeometry()
        corner = anchor.mapToGlobal(QPoint(0, anchor.height()))
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = max(room.top(), min(corner.y(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.list.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_chosen(self, policy_id: str) -> None:
        if self._scenario_id is None:
            self.close()
            self.policy_chosen.emit(policy_id)
            return
        if policy_id != self._editor.document.scenario(self._scenario_id).choice.id:
            self._editor.choose_policy(self._scenario_id, PolicyChoice(policy_id))
        if self.form.is_empty:
            self.close()
        else:
            self.adjustSize()

    def _on_folded(self) -> None:
        if self.isVisible():
            self.adjustSize()

    def _on_run_wanted(self, scenario_id: int, source: str) -> None:
        self.close()
        self.run_wanted.emit(scenario_id, source)

    def _ask_for_file(self, wanted: SignalInstance) -> None:
        self.close()
        wanted.emit(-1 if self._scenario_id is None else self._scenario_id)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._editor.end_gesture()


NO_PARAMETERS = "This policy has no parameters."
IS_RECORD = "This is what really ran: there is nothing to set."
NOT_RUN = "This policy file has not been run, so its parameters are not known."


class PolicyForm(QWidget):
    """A form for the policy of one scenario, generated from its description.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    run_wanted : the user wants to plan the scenario with this id on an earlier run, from "library" or "file"
    """

    refused = Signal(str)
    run_wanted = Signal(int, str)

    def __init__(self, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._scenario_id: int | None = None
        self._shown: tuple[str, tuple[Parameter, ...]] = ("", ())
        self.form = ParameterForm(varied="policy.parameters.")
        self.estimates = EstimatesBox()
        self.note = PlainLabel(NO_PARAMETERS)
        self.note.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        column(self.note, self.form, self.estimates, parent=self, margins=NO_MARGINS)
        self.form.value_changed.connect(self._on_value_changed)
        self.estimates.changed.connect(self._on_estimates_changed)
        self.estimates.run_wanted.connect(self._on_run_wanted)
        for part in (self.form, self.estimates):
            part.editing_finished.connect(editor.end_gesture)
        editor.document.scenario_changed.connect(self._on_scenario_changed)

    @property
    def is_empty(self) -> bool:
        """Whether the policy has no parameters."""
        return self.form.is_empty

    def show_scenario(self, scenario_id: int) -> None:
        """Show the parameters of this scenario's policy."""
        self._scenario_id = scenario_id
        choice = self._editor.document.scenario(scenario_id).choice
        is_record = choice.is_record
        known = has_run(choice) and not is_record
        description = describe(choice.id) if known else None
        parameters = description.parameters if description else ()
        self.estimates.setVisible(description is not None and description.plans)
        self.estimates.show_estimates(choice.estimates)
        if (choice.id, parameters) != self._shown:  # a user's file may have other ones meanwhile
            self._shown = (choice.id, parameters)
            self.form.set_parameters(parameters)
        self.form.set_values(all_parameters(choice) if known else {})
        self.note.setText(NO_PARAMETERS if known else IS_RECORD if is_record else NOT_RUN)
        self.note.setVisible(self.form.is_empty)
        self.form.setVisible(not self.form.is_empty)

    def _on_value_changed(self, name: str, value: object) -> None:
        if self._scenario_id is None:
            return
        try:
            self._editor.set_parameter(self._scenario_id, name, value)
        except InputError as error:
            self.refused.emit(str(error))
            self.show_scenario(self._scenario_id)

    def _on_estimates_changed(self, estimates: DurationEstimates | None) -> None:
        if self._scenario_id is not None:
            self._editor.set_estimates(self._scenario_id, estimates)

    def _on_run_wanted(self, source: str) -> None:
        if self._scenario_id is not None:
            self.run_wanted.emit(self._scenario_id, source)

    def _on_scenario_changed(self, scenario_id: int) -> None:
        if scenario_id == self._scenario_id:
            self.show_scenario(scenario_id)


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
        self.run_button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.run_button.setText("Earlier &run")
        self.run_button.setToolTip(tooltip(RUN_HELP))
        self.run_button.setAccessibleDescription(RUN_HELP)
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
