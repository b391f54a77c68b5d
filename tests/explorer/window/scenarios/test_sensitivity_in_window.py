"""What moves the end most, in the whole window: it follows the scenario, and a click adds one."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtTest import QTest

from explorer.document.titles import title_in
from tests.explorer.window_fixtures import LEFT, open_window


def click(window, title, value):
    tornado = window.sensitivity.panel.tornado
    bars = tornado.bars(QRectF(tornado.rect()))
    bar = next(bar for bar in bars if (bar.swing.title, bar.change.value) == (title, value))
    QTest.mouseClick(tornado, LEFT, pos=bar.row.center().toPoint())
    return bar.change


def test_the_panel_follows_the_scenario_and_its_bars_become_scenarios(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    area = window.sensitivity
    window.editor.edit_cluster(reduce_slots=31)
    assert not area.page.is_open
    window.actions_by_id["sensitivity"].trigger()
    panel = area.panel
    qtbot.waitUntil(lambda: panel.answer is not None and not panel.is_busy)
    assert panel.tornado.heading == "FIFO"
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: panel.tornado.heading == "Johnson" and not panel.is_busy)
    changed = click(window, "map slots", "27")
    assert window.runner.wait_until_idle(60_000)
    (new,) = [s for s in window.document.scenarios if s.id not in (1, 2)]
    title = title_in(window.document.state, new)
    assert title == "Johnson, 27 map slots"
    assert new.cluster.map_slots == 27
    assert window.runner.outcome(new.id).makespan == changed.makespan
    qtbot.waitUntil(lambda: panel.tornado.heading == title and not panel.is_busy)
    with qtbot.waitSignal(area.failed) as refused:
        click(window, "durations of maps", "110 %")
    assert "all scenarios have the same jobs" in refused.args[0]
    assert len(window.document.scenarios) == 3
    window.editor.undo_stack.undo()
    qtbot.waitUntil(lambda: panel.tornado.heading == "Johnson" and not panel.is_busy)
