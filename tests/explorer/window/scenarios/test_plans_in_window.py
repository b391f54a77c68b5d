"""A scenario that follows a plan, in the window: dragged by hand, to a file and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu

from core.files.plan_document import read_plan, write_plan
from core.model.plan import Plan
from tests.explorer.window_fixtures import block_point, drag, x_of

pytestmark = pytest.mark.only_edits

JOHNSON = Plan.of_order(("J2", "J5", "J4", "J1", "J3"))


def drop_file(window, path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    at, action = QPointF(50, 50), Qt.DropAction.CopyAction
    window.dropEvent(QDropEvent(at, action, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))


def test_a_dragged_block_keeps_its_place_and_the_header_says_so(window):
    """The preview shows what the drop gives; the next drag pins one more, and undo takes it back."""
    taken = window.editor.take_plan(1, JOHNSON)
    window.runner.wait_until_idle()
    view, previews = window.charts.views[taken], []
    assert view.content.ghost.schedule.makespan == 74
    window.runner.preview_ready.connect(lambda _id, outcome: previews.append(outcome.schedule))
    drag(view, block_point(view, 3), x_of(view, 0))
    window.runner.wait_until_idle()
    scenario = window.document.scenario(taken)
    assert scenario.plan.names == ("J4", "J2", "J5", "J1", "J3")
    assert scenario.plan.pinned == ("J4",)
    assert scenario.plan.of("J4").maps.due < scenario.plan.of("J2").maps.due
    shown = window.runner.outcome(taken).schedule
    assert shown.plan == previews[-1].plan == scenario.plan
    assert shown.start.tolist() == previews[-1].start.tolist()
    assert view.content.title == "optimised from FIFO, 1 job pinned"
    assert window.jobs_panel.heading.text() == "Plan, 1 pinned"
    assert window.editor.undo_stack.undoText() == "Move J4 before J2 in optimised from FIFO"
    menu = QMenu()
    window.pools.add_to_menu(menu, taken, 3, QPointF())
    unpin = next(action for action in menu.actions() if action.text() == "&Unpin J4")
    unpin.trigger()
    assert window.document.scenario(taken).plan.pinned == ()
    for _ in range(2):
        window.actions_by_id["undo"].trigger()
    assert window.document.scenario(taken).plan == JOHNSON


def test_rows_of_the_list_are_pinned_likewise(window):
    taken = window.editor.take_plan(1, JOHNSON)
    window.view_state.activate_scenario(taken)
    window.runner.wait_until_idle()
    assert window.jobs_panel.model.order == JOHNSON.names
    window.view_state.select_job("J5")
    window.actions_by_id["earlier"].trigger()
    assert window.document.scenario(taken).plan.pinned == ("J5",)
    assert window.jobs_panel.model.order == ("J5", "J2", "J4", "J1", "J3")


def test_a_plan_goes_to_a_file_and_comes_back(window, qtbot, tmp_path, monkeypatch):
    """By its own action, by opening and by dropping it; the document stays."""
    path = tmp_path / "best.plan.json"
    write_plan(JOHNSON, path, "Five jobs")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    before = window.document.workload
    ways = (
        window.actions_by_id["use_plan"].trigger,
        lambda: window.files.open(path),
        lambda: drop_file(window, path),
    )
    others = [Plan.of_order(JOHNSON.names[turn:] + JOHNSON.names[:turn]) for turn in (2, 1, 0)]
    for number, (plan, way) in enumerate(zip(others, ways, strict=True), 3):
        write_plan(plan, path, "Five jobs")
        way()
        qtbot.waitUntil(lambda number=number: len(window.document.scenarios) == number)
    plans = [scenario.plan for scenario in window.document.scenarios]
    assert all(plans.count(plan) == 1 for plan in others)
    window.actions_by_id["use_plan"].trigger()
    qtbot.wait(200)
    assert len(window.document.scenarios) == 5, "taken twice it is one scenario"
    assert window.document.workload is before
    written = tmp_path / "again.plan.json"
    monkeypatch.setattr(
        "explorer.window.scenarios.window_actions.ask_where_to_save", lambda *_: Path(written)
    )
    window.view_state.activate_scenario(1)
    window.actions_by_id["export_plan"].trigger()
    assert not written.exists()  # FIFO follows none
    planned = next(s for s in window.document.scenarios if s.plan == JOHNSON)
    window.view_state.activate_scenario(planned.id)
    window.actions_by_id["export_plan"].trigger()
    assert read_plan(written) == JOHNSON
