"""Fields that can be varied offer it in their context menus, and the window at the top is told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMenu, QWidget
from typing_extensions import override

from core.model.parameters import Parameter
from explorer.widgets.layouts import column
from explorer.widgets.number_fields import CountField, ParameterForm
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.vary_menu import VARY_TEXT, VaryEvent, can_be_varied


class Top(QWidget):
    """Hears what is to be varied."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, VaryEvent):
            self.heard.append(event.field)
            return True
        return super().event(event)


@pytest.fixture
def top(shown):
    return shown(Top())


def menu_of(widget):
    """Ask for the context menu of a widget as a right click does."""
    QApplication.sendEvent(
        widget,
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), widget.mapToGlobal(QPoint(2, 2))),
    )
    return next(
        menu for menu in QApplication.topLevelWidgets() if isinstance(menu, QMenu) and menu.isVisible()
    )


def vary(widget):
    menu = menu_of(widget)
    texts = [action.text() for action in menu.actions()]
    next(action for action in menu.actions() if action.text() == VARY_TEXT).trigger()
    menu.close()
    return texts


def test_a_number_keeps_its_usual_menu(top):
    field = CountField(parent=top)
    can_be_varied(field, "cluster.map_slots")
    texts = vary(field.findChild(QLineEdit))
    assert texts[-1] == VARY_TEXT
    assert len(texts) > 3, "copy and paste are there as well"
    assert top.heard == ["cluster.map_slots"]


def test_a_field_in_a_popup_closes_it_and_tells_the_window_below(top):
    popup = PopupFrame(top)
    box = QComboBox()
    column(box, parent=popup)
    can_be_varied(box, "policy.id")
    popup.show()
    assert vary(box) == [VARY_TEXT]
    assert top.heard == ["policy.id"]
    assert not popup.isVisible()


def test_parameters_have_their_names_behind_what_they_are_of(top):
    form = ParameterForm([Parameter("pools", "integer", 2, "How many", 1, 9)], varied="policy.parameters.")
    column(form, parent=top)
    vary(form.field("pools"))
    assert top.heard == ["policy.parameters.pools"]
