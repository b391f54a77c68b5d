"""Scenarios that are added from the menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest


def test_enter_adds_policies_that_are_not_there_yet(window, qtbot):
    before = [scenario.choice.id for scenario in window.document.scenarios]
    popup = window.headers._popup
    for _ in range(2):
        window.actions_by_id["add_scenario"].trigger()
        qtbot.waitUntil(popup.isVisible)
        QTest.keyClick(popup.list, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not popup.isVisible())
    ids = [scenario.choice.id for scenario in window.document.scenarios]
    assert ids[: len(before)] == before
    assert len(set(ids)) == len(ids) == len(before) + 2
    window.runner.wait_until_idle()
