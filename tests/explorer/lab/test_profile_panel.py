"""The profile in the whole window: it follows the active scenario while it is open, and can be copied."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from explorer.lab.profile_panel import Profiling
from tests.explorer.window_fixtures import LEFT, open_window


def measured(qtbot, profiling):
    qtbot.waitUntil(lambda: profiling.profile is not None and not profiling.worker.is_busy)
    return profiling.profile


def test_hooks_and_sentences_of_the_active_scenario(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(Profiling, "compiles", False)  # that is tested without a window
    window = open_window(qtbot, tmp_path, compiled=False)
    area, panel = window.lab.trace, window.lab.trace.profile_panel
    window.editor.choose_policy(1, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)
    assert area.profiling.profile is None  # nobody looks
    window.actions_by_id["profile"].trigger()
    profile = measured(qtbot, area.profiling)
    texts = [panel.model.texts(row) for row in range(panel.model.rowCount())]
    assert {text[0] for text in texts} == {"key", "pool_key", "before the run", "the simulator", "in all"}
    assert {text[0]: text[1] for text in texts}["pool_key"] == "300"
    assert texts[-1][3] == "100.0 %"
    assert panel.sentences.text().splitlines() == list(profile.sentences())
    assert panel.bars.groups == profile.groups
    assert panel.bars.table().rows[0][0] == profile.groups[0].least
    assert panel.scope.text() == "300 decisions about 5 jobs"
    QTest.mouseClick(panel.copy_button, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert profile.sentences()[0] in copied
    assert "Part\tCalls\tInterpreted\tShare" in copied
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: area.profiling.profile not in (None, profile))
    again = measured(qtbot, area.profiling)
    assert again.hooks == ()
    assert panel.sentences.text().startswith("The policy has no hook")
    QTest.mouseClick(panel.again_button, LEFT)
    qtbot.waitUntil(lambda: area.profiling.profile is not again)
    window.actions_by_id["profile"].trigger()
    qtbot.waitUntil(lambda: area.profiling.profile is None)
