"""A form from descriptions of parameters: one field per type, announced only when people edit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from core.model.parameters import Parameter
from explorer.widgets.number_fields import ParameterForm

PARAMETERS = (
    Parameter("slots", "integer", 4, "How many.", 1, 10, "slots"),
    Parameter("share", "number", 0.25, "How much.", 0, 1),
    Parameter("fair", "boolean", True, "Whether."),
    Parameter("kind", "choice", "a", "Which.", choices=("a", "b")),
    Parameter("order", "text", "", "What."),
)


@pytest.fixture
def form(qtbot):
    form = ParameterForm(PARAMETERS)
    qtbot.addWidget(form)
    with qtbot.waitExposed(form):
        form.show()
    return form


@pytest.fixture
def heard(form):
    log = []
    form.value_changed.connect(lambda name, value: log.append((name, value)))
    return log


def test_begins_with_the_defaults(form):
    assert form.values() == {"slots": 4, "share": 0.25, "fair": True, "kind": "a", "order": ""}


def test_each_field_is_edited_as_its_type(form, heard):
    for name, text in (("slots", "7"), ("share", "0.5"), ("order", "J1")):
        field = form.field(name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
    form.field("fair").click()
    QTest.keyClick(form.field("kind"), Qt.Key.Key_Down)
    assert heard[:2] == [("slots", 7), ("share", 0.5)]
    assert heard[-2:] == [("fair", False), ("kind", "b")]
    assert ("order", "J1") in heard


@pytest.mark.parametrize("typed", [Qt.Key.Key_Space, Qt.Key.Key_Delete])
@pytest.mark.parametrize("name", ["slots", "share"])
def test_a_field_that_was_emptied_keeps_its_value(form, heard, name, typed):
    field = form.field(name)
    before = field.value(), field.text()
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, typed)
    form.field("order").setFocus()
    assert (field.value(), field.text()) == before
    assert heard == []


def test_a_number_beyond_the_range_becomes_the_nearest_and_the_range_is_said(form, heard):
    field = form.field("slots")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "47")
    assert field.cleanText() == "47", "what is typed is not left out in silence"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (field.value(), field.text()) == (10, "10 slots")
    assert QToolTip.text() == "1 to 10 slots"
    assert heard == [("slots", 10)]


def test_showing_values_is_no_edit(form, heard):
    values = {"slots": 9, "share": 1 / 3, "fair": False, "kind": "b", "order": "J2"}
    form.set_values(values)
    assert heard == []
    shown = form.values()
    assert shown.pop("share") == pytest.approx(values.pop("share"))
    assert shown == values


def test_range_unit_and_help_are_told(form):
    field = form.field("slots")
    assert (field.minimum(), field.maximum(), field.suffix()) == (1, 10, " slots")
    assert "How many.\nFrom 1 to 10 slots.\nDefault: 4 slots." in field.toolTip()
    assert field.accessibleName() == "Slots"


def test_other_parameters_replace_the_fields(form):
    form.set_parameters(PARAMETERS[:1])
    assert form.values() == {"slots": 4}
    form.set_parameters(())
    assert form.is_empty


@pytest.mark.parametrize(("typed", "text"), [("1", "1 slot"), ("2", "2 slots"), ("10", "10 slots")])
def test_the_unit_of_one_is_no_plural_and_numbers_can_be_typed_over_it(form, typed, text):
    field = form.field("slots")
    for number in ("1", typed):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, number)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert (field.text(), form.values()["slots"]) == (text, int(typed))
