"""What was open is open again; every part has a name to speak of, and follows the theme."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QTableView, QTabWidget, QTextBrowser

from explorer.dialogs.help_dialogs import ShortcutsDialog
from explorer.explain.player import CHART_KEYS
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.theme import application_palette, theme
from explorer.window.actions import GESTURES
from explorer.window.frame.layout import arrange, screen_of
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

ASKED = ("at_instant", "why_task", "why_makespan", "findings")


def reopened(window, qtbot, folder) -> MainWindow:
    window.editor.undo_stack.setClean()
    window.close()
    window.settings.sync()
    other = open_window(qtbot, folder)
    arrange(other, other.settings.layout(screen_of(other)))
    return other


@pytest.mark.parametrize("name", ["at_instant", "why_makespan", "findings"])
def test_an_open_panel_is_open_again_and_works(window, qtbot, tmp_path, name):
    window.actions_by_id[name].trigger()
    other = reopened(window, qtbot, tmp_path)
    qtbot.waitUntil(other.actions_by_id[name].isChecked)
    for each in ASKED:
        assert other.actions_by_id[each].isChecked() == (each == name)
    if name == "why_makespan":
        qtbot.waitUntil(lambda: other.charts.active_view.content.shown_critical_path is not None)
    if name == "findings":
        qtbot.waitUntil(lambda: other.why.findings_page.title == "Findings 4")


@pytest.mark.only_looks
def test_at_first_nothing_but_the_bar_is_there(window):
    docks = (
        window.why.instant_page,
        window.why.why_page,
        window.why.critical_path_page,
        window.why.findings_page,
        window.why.difference_page,
    )
    assert all(dock.isHidden() for dock in docks)
    assert window.top_bar.isVisible()
    assert not any(window.actions_by_id[name].isChecked() for name in ASKED)


@pytest.mark.only_looks
def test_every_part_can_be_spoken_of(window):
    why = window.why
    for panel in (
        why.instant_panel,
        why.why_panel,
        why.critical_path_panel,
        why.findings_panel,
        why.difference_panel,
    ):
        kinds = (QTableView, QComboBox, QTabWidget, QTextBrowser)
        parts = [part for kind in kinds for part in panel.findChildren(kind)]
        assert parts
        assert [part for part in parts if not part.accessibleName()] == []
        assert all(button.toolTip() for button in panel.findChildren(QPushButton))
    for button in window.top_bar.findChildren(FlatButton):
        assert button.toolTip()
        assert button.accessibleName()


@pytest.mark.only_looks
def test_every_key_is_listed(window):
    window.actions_by_id["shortcuts"].trigger()
    dialog = window.findChild(ShortcutsDialog)
    listed = {(keys, text) for _, keys, text in dialog.shown()}
    assert {(key.key, key.does) for key in CHART_KEYS} <= listed
    own = [spec for spec in window.action_specs if spec.menu == "&Why" and spec.key]
    assert len(own) > 10
    assert {spec.key for spec in own} <= {keys for keys, _ in listed}
    dialog.close()


def test_every_panel_follows_the_theme(window, qtbot, qapp):
    for name in ASKED:
        window.actions_by_id[name].trigger()
    window.actions_by_id["next_decision"].trigger()
    panel = window.why.instant_panel
    qtbot.waitUntil(lambda: window.why.findings_page.title == "Findings 4")
    window.why.instant_page.bring()
    qtbot.waitUntil(lambda: panel.decision_view is not None)

    def tint():
        return panel.candidates.index(0, 0).data(Qt.ItemDataRole.BackgroundRole)

    before, light = qapp.palette(), tint()
    qapp.setPalette(application_palette(theme(dark=True)))
    qtbot.waitUntil(lambda: tint() != light)
    qapp.setPalette(before)
    qtbot.waitUntil(lambda: tint() == light)


def test_keys_and_gestures_stand_together():
    """Gestures of one place stand below one heading; a click on an idle slot is among them."""
    gestures = [where for where, _, _ in GESTURES]
    assert len(set(gestures)) == sum(a != b for a, b in pairwise([*gestures, ""]))
    assert ("Mouse in a chart", "Click beside all tasks") in {(where, keys) for where, keys, _ in GESTURES}
