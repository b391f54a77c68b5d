"""The parameters of a scenario's policy, edited as undoable steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.model.errors import InputError
from core.model.execution_history import RECORDED
from core.policies.registry import describe
from explorer.document.choices import all_parameters, has_run
from explorer.widgets.parameter_form import ParameterForm
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from core.model.parameters import Parameter
    from explorer.document.editor import Editor


NO_PARAMETERS = "This policy has no parameters."
IS_RECORD = "This is what really ran: there is nothing to set."
NOT_RUN = "This policy file has not been run, so its parameters are not known."


class PolicyForm(QWidget):
    """A form for the policy of one scenario, generated from its description.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    """

    refused = Signal(str)

    def __init__(self, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._scenario_id: int | None = None
        self._shown: tuple[str, tuple[Parameter, ...]] = ("", ())
        self.form = ParameterForm()
        self.note = PlainLabel(NO_PARAMETERS)
        self.note.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.note)
        layout.addWidget(self.form)
        self.form.value_changed.connect(self._on_value_changed)
        self.form.editing_finished.connect(editor.end_gesture)
        editor.document.scenario_changed.connect(self._on_scenario_changed)

    @property
    def is_empty(self) -> bool:
        """Whether the policy has no parameters."""
        return self.form.is_empty

    def show_scenario(self, scenario_id: int) -> None:
        """Show the parameters of this scenario's policy."""
        self._scenario_id = scenario_id
        choice = self._editor.document.scenario(scenario_id).choice
        is_record = choice.id == RECORDED
        known = has_run(choice) and not is_record
        parameters = describe(choice.id).parameters if known else ()
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

    def _on_scenario_changed(self, scenario_id: int) -> None:
        if scenario_id == self._scenario_id:
            self.show_scenario(scenario_id)
