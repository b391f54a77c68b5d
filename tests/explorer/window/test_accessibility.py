"""What screen readers are told of the whole window: names everywhere, and no markup in any of them."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtGui import Qt as GuiText
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QWidget,
)

TEXTS = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Help)
FACTS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox)


def texts_of(widget):
    told = QAccessible.queryAccessibleInterface(widget)
    return [] if told is None else [told.text(kind) for kind in TEXTS]


@pytest.mark.only_looks
def test_no_name_or_description_holds_markup(window, qtbot):
    """Also of what has been asked for: why, findings, critical path, an instant, the comparison."""
    window.view_state.select_job("J4")
    window.view_state.time_cursor.show_at(20.0)
    for name in ("why", "findings", "critical_path", "instant", "comparison"):
        if name in window.actions_by_id:
            window.actions_by_id[name].trigger()
    qtbot.waitUntil(lambda: not window.runner.is_busy)
    marked = [
        (type(widget).__name__, text)
        for widget in window.findChildren(QWidget)
        for text in texts_of(widget)
        if GuiText.mightBeRichText(text) or "<" in text.replace("<\u200c", "")
    ]
    assert marked == []


@pytest.mark.only_looks
def test_everything_that_can_be_operated_has_a_name(window):
    """A button, a field or a list without a name is nothing to those who only hear it."""
    unnamed = [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in window.findChildren(QWidget)
        if isinstance(widget, FACTS)
        and not isinstance(widget, QHeaderView)
        and widget.isVisible()
        and not texts_of(widget)[0]
    ]
    assert unnamed == []


@pytest.mark.only_looks
def test_charts_say_what_they_show(window):
    view = window.charts.views[1]
    name, description, _ = texts_of(view)
    assert name == "Gantt chart FIFO"
    assert "5 jobs, makespan" in description
