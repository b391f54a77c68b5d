"""Words of the glossary are explained where the pointer rests, wherever they stand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QLabel, QPushButton, QToolTip, QWidget

from core.files.glossary import glossary
from explorer.dialogs.help_dialogs import GlossaryDialog
from explorer.widgets.plain_labels import PlainLabel

Orientation, Role = Qt.Orientation, Qt.ItemDataRole
MEANINGS = {term.name: term.meaning for term in glossary()}


@pytest.fixture(autouse=True)
def _no_tip():
    QToolTip.hideText()
    yield
    QToolTip.hideText()


@pytest.fixture
def tips(monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr(
        QToolTip, "showText", lambda _place, text, *_rest: shown.append(" ".join(text.split()))
    )
    return shown


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def rest_on(widget: QWidget, place: QPoint) -> None:
    """Let the pointer rest: as Qt does, ask the widget, then what it lies in, until somebody answers."""
    part: QWidget | None = widget
    everywhere = widget.mapToGlobal(place)
    while part is not None:
        event = QHelpEvent(QEvent.Type.ToolTip, part.mapFromGlobal(everywhere), everywhere)
        if (QCoreApplication.sendEvent(part, event) and event.isAccepted()) or part.isWindow():
            return
        part = part.parentWidget()


def labels(window: QWidget, text: str) -> QLabel:
    return next(label for label in window.findChildren(QLabel) if label.text() == text and label.isVisible())


@pytest.mark.only_looks
def test_a_label_of_a_panel(window, tips):
    label = labels(window, "Slowstart")
    rest_on(label, QPoint(5, 5))
    assert len(tips) == 1
    assert "Slowstart: the fraction of a job" in tips[0]


@pytest.mark.only_looks
def test_headings_of_tables_add_words_to_their_help(window):
    model = window.jobs_panel.table.model()
    places = range(model.columnCount())
    header = [model.headerData(place, Orientation.Horizontal, Role.ToolTipRole) for place in places]
    assert any(tip and MEANINGS["deadline"].partition(";")[0] in tip for tip in header)


@pytest.mark.only_looks
def test_a_dialog(window, qtbot, tips):
    dialog = GlossaryDialog("", window)
    label = PlainLabel("Makespan", dialog)
    button = QPushButton("Baseline", dialog)
    button.setToolTip("A tip of its own")
    button.move(200, 200)
    dialog.open()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    rest_on(label, QPoint(2, 2))
    assert [MEANINGS["makespan"] in tip for tip in tips] == [True]
    rest_on(button, QPoint(2, 2))
    assert len(tips) == 1  # Qt shows the other one
    dialog.close()


@pytest.mark.only_looks
def test_what_is_no_word_is_not_explained(window, tips):
    blank = QWidget(window.centralWidget())
    blank.show()
    rest_on(blank, QPoint(1, 1))
    assert tips == []
