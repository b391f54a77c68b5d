"""Ask under which policy a schedule goes on from an instant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from core.model.schedule import PolicyChoice
from core.policies.registry import describe
from explorer.panels.policy_list import ID_ROLE, PolicyList
from explorer.widgets.parameter_form import ParameterForm
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListWidgetItem, QWidget


class ForkDialog(QDialog):
    """Lists the policies, with the parameters of the one that is marked.

    Signals
    -------
    chosen : the `PolicyChoice` to go on with
    """

    chosen = Signal(object)

    def __init__(self, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Continue from here under another policy")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.list = PolicyList()
        self.list.installEventFilter(self)
        self.form = ParameterForm()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok_button.setText("&Continue")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        self.list.currentItemChanged.connect(self._on_marked)
        self.list.itemDoubleClicked.connect(self.accept)
        layout = QVBoxLayout(self)
        for part in (PlainLabel(sentence, wraps=True), self.list, self.form, buttons):
            layout.addWidget(part)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    @property
    def choice(self) -> PolicyChoice:
        """The policy that is marked, with its parameters as they stand."""
        return PolicyChoice(str(self.list.currentItem().data(ID_ROLE)), self.form.values())

    def _on_marked(self, item: QListWidgetItem | None) -> None:
        self.ok_button.setEnabled(item is not None)
        if item is not None:
            self.form.set_parameters(describe(item.data(ID_ROLE)).parameters)
            self.form.setVisible(not self.form.is_empty)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.choice)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Enter in the list as the answer."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
            return True
        return super().eventFilter(watched, event)
