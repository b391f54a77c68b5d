"""What drops down from a scenario: the policies, and the parameters of the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.model.schedule import PolicyChoice
from explorer.panels.policy_form import PolicyForm
from explorer.panels.policy_list import PolicyList

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent

    from explorer.document.editor import Editor


class PolicyPopup(QFrame):
    """Chooses the policy of a scenario, or the one of a new scenario.

    Signals
    -------
    policy_chosen : people chose this policy for a new scenario
    file_wanted, new_file_wanted : people want to use a policy file, or to begin one, for the scenario with
        this id (-1: a new one)
    refused : an edit broke a rule; the sentence to show
    """

    policy_chosen = Signal(str)
    file_wanted = Signal(int)
    new_file_wanted = Signal(int)
    refused = Signal(str)

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._editor = editor
        self._scenario_id: int | None = None
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.list = PolicyList()
        self.form = PolicyForm(editor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.list)
        layout.addLayout(self._file_buttons())
        layout.addWidget(self.form)
        self.list.chosen.connect(self._on_chosen)
        self.form.refused.connect(self.refused)

    def _file_buttons(self) -> QHBoxLayout:
        self.open_button = QPushButton("&Open policy file …")
        self.open_button.setToolTip("Use a policy of your own: a Python file of a few lines")
        self.open_button.clicked.connect(self._on_open_clicked)
        self.new_button = QPushButton("&New policy file …")
        self.new_button.setToolTip("Begin one from a commented template; the chart follows what you save")
        self.new_button.clicked.connect(self._on_new_clicked)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.new_button)
        return buttons

    def open_for(self, scenario_id: int, anchor: QWidget) -> None:
        """Drop down below a widget, for a scenario."""
        self._scenario_id = scenario_id
        self.list.fill(with_record=self._editor.document.workload.recorded is not None)
        self.list.select(self._editor.document.scenario(scenario_id).choice.id)
        self.form.show_scenario(scenario_id)
        self._drop_down(anchor, with_form=True)

    def open_for_new(self, anchor: QWidget) -> None:
        """Drop down below a widget, for a scenario that is to be added."""
        self._scenario_id = None
        self.list.fill(with_record=self._editor.document.workload.recorded is not None)
        self.list.setCurrentRow(0)
        self._drop_down(anchor, with_form=False)

    def _drop_down(self, anchor: QWidget, *, with_form: bool) -> None:
        self.form.setVisible(with_form)
        self.adjustSize()
        room = anchor.screen().availableGeometry()
        corner = anchor.mapToGlobal(QPoint(0, anchor.height()))
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = max(room.top(), min(corner.y(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

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

    def _on_open_clicked(self) -> None:
        self.close()
        self.file_wanted.emit(-1 if self._scenario_id is None else self._scenario_id)

    def _on_new_clicked(self) -> None:
        self.close()
        self.new_file_wanted.emit(-1 if self._scenario_id is None else self._scenario_id)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the next edit be a step of its own."""
        super().hideEvent(event)
        self._editor.end_gesture()
