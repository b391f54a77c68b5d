"""What drops down from a scenario: the list of policies, and a form for the parameters of the chosen one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.model.execution_history import RECORDED
from core.model.schedule import PolicyChoice
from core.policies.registry import describe, file_policies, policies
from explorer.document.choices import all_parameters, has_run
from explorer.document.titles import policy_title
from explorer.panels.estimates_box import EstimatesBox
from explorer.widgets.fields import ParameterForm
from explorer.widgets.layouts import NO_MARGINS, column, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QHideEvent, QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from core.model.estimates import DurationEstimates
    from core.model.parameters import Parameter
    from core.policies.registry import PolicyDescription
    from explorer.document.editor import Editor


class PolicyPopup(QFrame):
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
        super().__init__(parent, Qt.WindowType.Popup)
        self._editor = editor
        self._scenario_id: int | None = None
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.list = PolicyList()
        self.form = PolicyForm(editor)
        column(self.list, self._file_buttons(), self.form, parent=self, margins=(6, 6, 6, 6))
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
        self.list.setCurrentRow(0)
        self._drop_down(anchor, with_form=False)

    def _begin(self, scenario_id: int | None) -> None:
        self._scenario_id = scenario_id
        self.list.fill(with_record=self._editor.document.workload.recorded is not None)

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


RECORD_SUMMARY = (
    "No policy: what really ran, as the log tells it, with hosts and failed attempts. Edits do not change it."
)
Index = QModelIndex | QPersistentModelIndex
ID_ROLE = Qt.ItemDataRole.UserRole
SUMMARY_ROLE = Qt.ItemDataRole.UserRole + 1
AIR_PX = 6
TEXT_WIDTH_PX = 370
WIDTH_PX = TEXT_WIDTH_PX + 2 * AIR_PX + 18
"""Of the list: its texts, air, and a scroll bar where the screen is low."""


class PolicyList(QListWidget):
    """Every policy; a click or Enter chooses one.

    Signals
    -------
    chosen : the user chose the policy with this id
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Policies")
        self.setItemDelegate(_TwoLines(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(False)
        self.setMinimumWidth(WIDTH_PX)
        self.fill()
        self.itemClicked.connect(self._on_clicked)

    def fill(self, *, with_record: bool = False) -> None:
        """List our policies, those of files that have been run, and what a log recorded if there is one."""
        self.clear()
        for description in (*policies(), *map(_with_file_name, file_policies())):
            self.addItem(_item(description.id, description.title, description.summary))
        if with_record:
            self.addItem(_item(RECORDED, policy_title(RECORDED), RECORD_SUMMARY))

    def select(self, policy_id: str) -> None:
        """Mark the policy that holds now."""
        for place in range(self.count()):
            if self.item(place).data(ID_ROLE) == policy_id:
                self.setCurrentRow(place)

    @override
    def sizeHint(self) -> QSize:
        height = sum(self.sizeHintForRow(place) for place in range(self.count()))
        return QSize(WIDTH_PX, height + 2 * self.frameWidth())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._on_clicked(item)
        else:
            super().keyPressEvent(event)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(ID_ROLE))


def _with_file_name(description: PolicyDescription) -> PolicyDescription:
    """Say which file a policy comes from."""
    name = Path(description.id).name
    summary = f"{description.summary} ({name})" if description.summary else name
    return replace(description, summary=summary)


def _item(policy_id: str, title: str, summary: str) -> QListWidgetItem:
    item = QListWidgetItem(title)
    item.setData(ID_ROLE, policy_id)
    item.setData(SUMMARY_ROLE, summary)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}. {summary}")
    return item


class _TwoLines(QStyledItemDelegate):
    """Draws the title in bold and the summary below it."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        title, summary = _places(option.rect, option.font)
        painter.save()
        painter.setPen(option.palette.color(role))
        painter.setFont(bold_font(option.font))
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setFont(option.font)
        painter.drawText(summary, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))
        painter.restore()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetrics(option.font)
        room = QRect(0, 0, TEXT_WIDTH_PX, 1000)
        summary = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))
        title = QFontMetrics(bold_font(option.font))
        return QSize(TEXT_WIDTH_PX + 2 * AIR_PX, title.height() + summary.height() + 2 * AIR_PX)


def _places(rect: QRect, font: QFont) -> tuple[QRect, QRect]:
    inner = rect.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
    line = QFontMetrics(bold_font(font)).height()
    title = QRect(inner.left(), inner.top(), TEXT_WIDTH_PX, line)
    return title, QRect(inner.left(), inner.top() + line, TEXT_WIDTH_PX, inner.height() - line)


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
        self.form = ParameterForm()
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
        is_record = choice.id == RECORDED
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
