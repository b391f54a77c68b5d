"""The study window in the main window: fields that offer to be varied, and schedules that a click opens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.document_state import MAX_SCENARIOS
from core.model.schedule import PolicyChoice
from core.study.cell_run import CellScenario
from explorer.widgets.vary_menu import VARY_TEXT
from tests.core.study.made_up import HereWorkers

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def studied(window, qtbot):
    """Open the study window with map slots as its axis, from the menu of their field."""
    field = window.cluster_panel.map_field.findChild(QLineEdit)
    place = QPoint(3, 3)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, field.mapToGlobal(place))
    QApplication.sendEvent(field, asked)
    menus = [menu for menu in QApplication.topLevelWidgets() if isinstance(menu, QMenu) and menu.isVisible()]
    next(action for action in menus[0].actions() if action.text() == VARY_TEXT).trigger()
    menus[0].close()
    qtbot.waitUntil(lambda: window.study.window is not None)
    window.study.window.run.make = HereWorkers
    return window.study.window


def test_a_field_is_varied_from_its_menu_and_a_click_opens_schedules(window, studied, qtbot):
    slots = window.document.cluster.map_slots
    assert slots in studied.settings.study.axes[0].values
    studied.settings.vary("policy.id")
    studied.workers.setValue(1)
    with qtbot.waitSignal(studied.run.ended):
        QTest.mouseClick(studied.run_button, LEFT)
    plot = studied.pictures.curves
    qtbot.waitUntil(lambda: len(plot.curves) == 5 and not studied.run.is_busy)
    johnson = next(curve for curve in plot.curves if curve.name == "Johnson")
    before = window.document.state
    spot = plot.pixel(johnson.xs[0], johnson.ys[0]).toPoint()
    with qtbot.waitSignal(studied.cell_wanted) as clicked:
        QTest.mouseClick(plot.viewport(), LEFT, pos=spot)
    qtbot.waitUntil(lambda: len(window.document.scenarios) > len(before.scenarios))
    assert len(window.document.scenarios) == len(before.scenarios) + 1, "what was clicked, and nothing else"
    added = window.document.scenarios[-1]
    assert (added.choice.id, added.cluster.map_slots) == ("johnson", round(slots / 4))
    assert window.view_state.active_scenario == added.id
    window.view_state.activate_scenario(before.scenarios[0].id)
    studied.cell_wanted.emit(*clicked.args)
    assert window.view_state.active_scenario == added.id
    assert len(window.document.scenarios) == len(before.scenarios) + 1, "it is there already"
    window.editor.undo_stack.undo()
    assert window.document.scenarios == before.scenarios


def test_it_is_opened_by_its_action_and_follows_edits(window, qtbot):
    window.actions_by_id["study"].trigger()
    qtbot.waitUntil(lambda: window.study.window is not None and window.study.window.isVisible())
    study = window.study.window
    window.editor.edit_cluster(map_slots=21)
    qtbot.waitUntil(lambda: dict(study.settings.study.base)["cluster.map_slots"] == 21)


def test_what_it_is_around_follows_the_document(window, qtbot):
    window.study.show()
    qtbot.waitUntil(lambda: window.study.window is not None and window.study.window.isVisible())
    study = window.study.window
    words = study.settings.base_words
    qtbot.waitUntil(lambda: words.text() == "Around FIFO · Five jobs")
    study.settings.vary("cluster.map_slots")
    study.hide()
    other = load_sample("two-jobs-order")
    window.actions_of_window.generated.emit(other)
    assert window.document.workload.name == other.name
    study.show_in_front()
    qtbot.waitUntil(lambda: words.text().endswith(f" · {other.name}"))


def test_more_than_fit_are_refused_and_other_jobs_are_a_document_of_their_own(window, qtbot):
    window.study.show()
    qtbot.waitUntil(lambda: window.study.window is not None)
    study, workload = window.study.window, window.document.workload
    while len(window.document.scenarios) < MAX_SCENARIOS:
        window.editor.add_scenario(PolicyChoice("fifo"))
    study.cell_wanted.emit(CellScenario(workload, Cluster(5, 5), PolicyChoice("sjf")))
    assert "remove one first" in study.messages.message.sentence
    window.editor.undo_stack.setClean()
    other = load_sample("two-jobs-order")
    study.cell_wanted.emit(CellScenario(other, Cluster(5, 5), PolicyChoice("sjf")))
    assert window.document.workload == other
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["sjf"]
    assert window.document.cluster == Cluster(5, 5)
