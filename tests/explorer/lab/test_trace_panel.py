"""The trace in the whole window: lines, watches and stops are typed, clicked, followed and saved."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import read_policy_file
from explorer.lab import trace_panel
from explorer.lab.run_follower import CANCELLED, VEILED
from explorer.widgets import export
from tests.explorer.window_fixtures import LEFT, open_window

FILE = """from core.policies.policy import Policy


class Mine(Policy):
    "Fewest tasks left first."

    def key(job, kind):
        left = job.tasks[kind] - job.started[kind]
        if left == {}:
            print("left", left)
            breakpoint()
        return left
"""


def use(path, left):
    path.write_text(FILE.format(left), encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(path)))


@pytest.fixture
def window(qtbot, tmp_path):
    """A window on five jobs whose active scenario follows a policy file that prints, with the trace open."""
    use(tmp_path / "mine.py", 1)
    window = open_window(qtbot, tmp_path, compiled=False)
    window.editor.choose_policy(1, PolicyChoice("mine"))
    assert window.runner.wait_until_idle(60_000)
    window.actions_by_id["trace"].trigger()
    traced(qtbot, window)
    return window


def traced(qtbot, window, watches=0):
    tracing = window.lab.trace.tracing
    qtbot.waitUntil(
        lambda: (
            tracing.trace is not None
            and not tracing.worker.is_busy
            and len(tracing.trace.watched) + len(tracing.trace.stop_problems) == watches
        )
    )
    return tracing.trace


def type_in(window, whom, text):
    watches = window.lab.trace.trace_panel.watch_list
    watches.kind.setCurrentIndex(watches.kind.findText(whom))
    watches.field.clear()
    QTest.keyClicks(watches.field, text)
    watches.field.completer().popup().hide()
    QTest.keyClick(watches.field, Qt.Key.Key_Return)


def values(window):
    return {row.text: row.value for row in window.lab.trace.trace_panel.watch_list.model.rows}


def click_row(table, row):
    column = next(each for each in range(table.model().columnCount()) if not table.isColumnHidden(each))
    index = table.model().index(row, column)
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())


def test_lines_are_listed_filtered_clicked_and_copied(qtbot, window, tmp_path, monkeypatch):
    panel, cursor = window.lab.trace.trace_panel, window.view_state.time_cursor
    texts = [panel.lines.texts(row) for row in range(panel.lines.rowCount())]
    assert texts[0] == ("0:00", "M30", "J1", "key, line 10", "left 1")
    assert [text[2] for text in texts if text[0] == "0:04"] == ["J2", "J1"]
    QTest.keyClicks(panel.filter, "j4")
    assert {line.job for line in panel.lines.rows} == {"J4"}
    click_row(panel.table, 0)
    first = panel.lines.rows[0]
    assert window.view_state.selected_job == "J4"
    assert cursor.seconds == first.time == 35.0
    assert cursor.decision == 29
    QTest.mouseClick(panel.copy_button, LEFT)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[:2] == ["time (s)\tslot\tjob\thook\ttext", "35.0\tM30\tJ4\tkey, line 10\tleft 1"]
    path = tmp_path / "trace.csv"
    monkeypatch.setattr(export, "ask_where_to_save", lambda *_: path)
    QTest.mouseClick(panel.save_button, LEFT)
    with path.open(newline="") as file:
        assert [row[4] for row in csv.reader(file)] == ["text"] + ["left 1"] * (len(lines) - 1)
    QTest.keyClicks(panel.filter, "zzz")
    assert panel.lines.rowCount() == 0
    assert panel.table.empty_text == trace_panel.NO_MATCH
    assert not panel.copy_button.isEnabled()


def test_jobs_that_are_gone_have_no_values_until_the_run_is_traced_anew(qtbot, window):
    window.view_state.time_cursor.show_at(0.0)
    type_in(window, "Watch every job", "key(job, kind)")
    traced(qtbot, window, 1)
    assert "J5" in values(window)["key(job, kind)"]
    window.editor.delete_jobs([0])
    window.lab.trace.trace_panel.watch_list.show_values()
    assert values(window)["key(job, kind)"] == ""


def test_watches_and_stops_are_typed_changed_and_deleted(qtbot, window):
    watches, cursor = window.lab.trace.trace_panel.watch_list, window.view_state.time_cursor
    cursor.show_at(4.5)
    assert not watches.delete_button.isEnabled()
    type_in(window, "Watch", "J1: job.running[REDUCE]")
    type_in(window, "Watch every job", "key(job, kind)")
    type_in(window, "Watch", "job.rnk")
    type_in(window, "Stop when", "when J2.done[MAP] == 30")
    type_in(window, "Stop when", "now < 0")
    traced(qtbot, window, 5)
    assert values(window) == {
        "J1: job.running[REDUCE]": "29 tasks",
        "key(job, kind)": "J1 1",
        "job.rnk": "job J1 has no rnk; did you mean 'rank'?",
        "when J2.done[MAP] == 30": "begins to hold once",
        "now < 0": "never holds in this run",
    }
    QTest.mouseClick(watches.previous_button, LEFT)  # breakpoints: the last before is that of J1's reduces
    assert cursor.seconds == 4.0
    assert values(window)["left"] == "1"
    assert values(window)["job"] in ("job J1", "job J2")
    (stop,) = [stop for stop in window.lab.trace.tracing.trace.stops if stop.condition == 0]
    for _ in range(20):
        if watches.decision_at_cursor() < stop.decision:
            QTest.mouseClick(watches.next_button, LEFT)
    assert (cursor.seconds, watches.decision_at_cursor()) == (5.0, stop.decision)
    # changed and deleted
    click_row(watches.table, 2)
    watches._on_edit(watches.table.currentIndex())
    watches.field.clear()
    QTest.keyClicks(watches.field, "job.rank")
    QTest.mouseClick(watches.add_button, LEFT)
    trace = traced(qtbot, window, 5)
    qtbot.waitUntil(lambda: not window.lab.trace.tracing.trace.watched[2].problem)
    click_row(watches.table, 4)
    assert watches.delete_button.isEnabled()
    QTest.mouseClick(watches.delete_button, LEFT)
    traced(qtbot, window, 4)
    assert trace is not window.lab.trace.tracing.trace
    assert [text for _, text in window.settings.watches] == [
        "J1: job.running[REDUCE]",
        "key(job, kind)",
        "job.rank",
        "when J2.done[MAP] == 30",
    ]


def test_curves_lie_below_the_charts_and_move_the_cursor(qtbot, window):
    strip = window.lab.trace.watch_strip
    assert strip.isHidden()
    type_in(window, "Watch every job", "job.running[MAP]")
    traced(qtbot, window, 1)
    assert strip.isVisible()
    (lane,) = strip.lanes
    assert len(lane.curves) == 5
    assert (lane.low, lane.high, lane.watched.unit) == (0.0, 29.0, "tasks")
    assert lane.curves[0].steps.value_at(0.0) == 29.0
    view = window.charts.active_view
    x = view.mapTo(window.charts, QPoint()).x() + round(view.frame().x(20.0))
    QTest.mouseClick(strip, LEFT, pos=QPoint(x, strip.height() // 2))
    assert abs(window.view_state.time_cursor.seconds - 20.0) < 0.2
    before = strip.height()
    QTest.mousePress(strip, LEFT, pos=QPoint(300, 1))
    QTest.mouseMove(strip, QPoint(300, -30))
    QTest.mouseRelease(strip, LEFT, pos=QPoint(300, -30))
    assert strip.height() > before
    assert window.settings.watch_height == strip.height()
    image = strip.grab().toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(300, image.width(), 7) for y in range(strip.height())
    }
    job = window.charts.map_colours()[2]
    assert f"#{job:06x}" in colours
    window.actions_by_id["trace"].trigger()
    qtbot.waitUntil(strip.isHidden)


LOCALS = """from core.policies.policy import Policy


class Mine(Policy):
    "Fewest tasks left first."

    def key(job, kind):
        left = job.tasks[kind] - job.started[kind]
        if left < 30:
            behind = 30 - left
        return left
"""


def test_a_local_name_of_a_hook_is_typed_completed_drawn_and_stopped_at(qtbot, window, tmp_path):
    """Before a map of J1 starts n of its 30 have: of them `behind` is n, and nothing before the first."""
    (tmp_path / "mine.py").write_text(LOCALS, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(tmp_path / "mine.py")))
    tracing, strip = window.lab.trace.tracing, window.lab.trace.watch_strip
    watches = window.lab.trace.trace_panel.watch_list
    tracing.refresh()
    qtbot.waitUntil(lambda: "behind" in tracing.words())
    assert {"key.behind", "left"} <= set(tracing.words())
    QTest.keyClicks(watches.field, "beh")
    assert watches.field.completer().currentCompletion() == "behind"
    type_in(window, "Watch", "behind")
    type_in(window, "Stop when", "behind == 7")
    type_in(window, "Watch", "key.behnd")
    trace = traced(qtbot, window, 3)
    watched, wrong = trace.watched
    maps_of_first = (watched.job == 0) & (watched.kind == 0)
    assert np.array_equal(watched.value[maps_of_first], [np.nan, *range(1, 30)], equal_nan=True)
    assert "did you mean 'behind'?" in wrong.problem
    (lane,) = strip.lanes
    assert (lane.low, lane.high, lane.jobs) == (1.0, 29.0, 5)
    assert "Gaps of behind: no value where key returned before behind had one" in strip.toolTip()
    cursor = window.view_state.time_cursor
    cursor.show_at(0.0, 0)
    assert values(window)["behind"] == "J1 no value"
    tips = [row.tip for row in watches.model.rows]
    assert tips[0] == "At the cursor: J1 no value\nno value where key returned before behind had one"
    QTest.mouseClick(watches.next_button, LEFT)
    assert (cursor.seconds, watches.decision_at_cursor()) == (0.0, 7)
    assert values(window)["behind"] == "J1 7"
    assert values(window)["behind == 7"] == "begins to hold 10 times"


def test_the_trace_follows_edits_scenarios_and_veils(qtbot, window, tmp_path):
    panel, tracing = window.lab.trace.trace_panel, window.lab.trace.tracing
    use(tmp_path / "mine.py", 7)
    tracing.refresh()
    qtbot.waitUntil(lambda: panel.lines.rowCount() and panel.lines.rows[0].text == "left 7")
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: not tracing.worker.is_busy and panel.lines.rowCount() == 0)
    traced(qtbot, window)
    assert panel.table.empty_text == trace_panel.SILENT
    window.view_state.veil.hide_from(3.0)
    qtbot.waitUntil(lambda: panel.scope.text() == VEILED)
    assert tracing.trace is None
    window.view_state.veil.lift()
    traced(qtbot, window)
    tracing.again()
    panel.cancel_button.show()  # as after half a second
    QTest.mouseClick(panel.cancel_button, LEFT)
    assert panel.scope.text().endswith(CANCELLED)
    assert panel.cancel_button.isHidden()


def test_the_last_name_is_completed_and_enter_adds_what_is_typed(qtbot, window):
    watches = window.lab.trace.trace_panel.watch_list
    completer = watches.field.completer()
    window.activateWindow()
    watches.field.setFocus()
    qtbot.waitUntil(watches.field.hasFocus)
    QTest.keyClicks(watches.field, "key(J2) - job.run")
    assert completer.completionCount() == 1
    assert completer.currentCompletion() == "key(J2) - job.running[MAP]"
    popup = completer.popup()
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert watches.items == ()  # it takes what is offered
    assert watches.field.text() == "key(J2) - job.running[MAP]"
    watches.field.setText("key(J2) - job.run")
    QTest.keyClick(watches.field, Qt.Key.Key_Return)
    assert watches.items == (("winner", "key(J2) - job.run"),)
    trace = traced(qtbot, window, 1)
    assert trace.watched[0].problem.endswith("has no run; did you mean 'running'?")


def test_pools_that_were_searched_are_not_searched_again(qtbot, window):
    window.editor.choose_policy(1, PolicyChoice("balanced-pools"))
    assert window.runner.wait_until_idle(60_000)
    tracing = window.lab.trace.tracing
    schedule = window.runner.outcome(1).schedule
    assert tracing.request.partition == schedule.partition
    qtbot.waitUntil(lambda: tracing.trace is not None and not tracing.trace.differs_from(schedule))


def test_a_run_that_fails_shows_what_was_printed_before(qtbot, window, tmp_path):
    text = FILE.format(1).replace("        return left", "        return left if left > 1 else 1 // 0")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(tmp_path / "mine.py")))
    window.lab.trace.tracing.refresh()
    panel = window.lab.trace.trace_panel
    qtbot.waitUntil(lambda: "ZeroDivisionError at 0:00" in panel.scope.text())
    assert [line.text for line in panel.lines.rows] == ["left 1"]
    assert panel.scope.text().startswith("Asked 30 times; 1 line printed; 1 stop. policy mine raised")
