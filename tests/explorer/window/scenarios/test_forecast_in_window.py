"""The forecast in the whole window: it follows the time cursor, the scenario and its own fields."""

from __future__ import annotations

import json
from dataclasses import replace

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from core.files.workload_writing import write_workload
from core.forecast.advice import advise
from core.forecast.relief import Relief
from core.model.cluster import Cluster
from core.model.killed_copies import KilledCopy
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from explorer.cli.run import run
from explorer.document.titles import title_in
from explorer.forecast import forecast_panel
from explorer.forecast.hand_job_dialog import HandJobDialog
from explorer.window.files.document_work import OpenedDocument, new_document
from tests.builders import make_job, make_workload
from tests.core.engine.test_speculation import Always
from tests.core.forecast.test_copies import NIGHT
from tests.explorer.window.scenarios.test_record_in_window import LOG, open_log
from tests.explorer.window_fixtures import LEFT, open_window


def opened(qtbot, tmp_path, sample="five-jobs"):
    """Return a window on a sample with its forecast open, and the panel."""
    window = open_window(qtbot, tmp_path, sample)
    window.actions_by_id["forecast"].trigger()
    panel = window.questions.forecast.panel
    panel.runs_field.setValue(20)
    return window, panel


def known_at(panel, seconds):
    """Return whether a forecast from a time on is shown, and no other is drawn."""
    return not panel.is_busy and panel.found is not None and panel.found.known.time == seconds


def test_it_follows_cursor_scenario_and_fields(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    half = window.runner.outcome(1).schedule.makespan / 2
    assert window.view_state.time_cursor.seconds == half  # there was none
    qtbot.waitUntil(lambda: known_at(panel, half) and len(panel.found.finish) == 20, timeout=20_000)
    assert panel.note.text() == f"{panel.found.sentence} {panel.found.known_sentence}"
    window.view_state.time_cursor.show_at(45.0)
    qtbot.waitUntil(lambda: known_at(panel, 45.0), timeout=20_000)
    assert [row.job for row in panel.picture.rows] == ["J4", "J5"]
    window.view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: known_at(panel, 45.0) and panel.found.known.schedule.choice.id == "johnson")
    panel.estimates_box.setChecked(False)
    assert panel.error is None
    assert not panel.error_field.isEnabled()
    before = panel.found
    qtbot.waitUntil(lambda: panel.found is not before and not panel.is_busy, timeout=20_000)


def test_an_edit_of_the_jobs_draws_anew(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(30.0)
    qtbot.waitUntil(lambda: known_at(panel, 30.0), timeout=20_000)
    before = panel.found
    window.editor.edit_cluster(reduce_slots=31)
    assert window.runner.wait_until_idle(60_000)
    qtbot.waitUntil(lambda: panel.found is not before and known_at(panel, 30.0), timeout=20_000)


def test_a_row_selects_its_job_and_what_cannot_be_is_said(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(45.0)
    qtbot.waitUntil(lambda: known_at(panel, 45.0), timeout=20_000)
    panel.picture.chosen.emit("J5")
    assert window.view_state.selected_job == "J5"
    panel.estimates_box.setChecked(False)
    window.view_state.time_cursor.show_at(0.5)
    qtbot.waitUntil(lambda: panel.note.text().startswith("No task has ended by then"), timeout=20_000)
    assert panel.picture.rows == []


def test_a_job_is_submitted_delays_others_and_becomes_one_of_them(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    path = tmp_path / "late.workload.json"
    write_workload(make_workload(make_job("late", (30, 9.0))), path)
    window.view_state.time_cursor.show_at(30.0)
    window.questions.forecast.submit_file(str(path))
    qtbot.waitUntil(lambda: panel.submission is not None and known_at(panel, 30.0), timeout=20_000)
    assert panel.note.text() == " ".join([*panel.submission.sentences, panel.found.known_sentence])
    assert panel.note.text().startswith("late, submitted at 0:30, ends at about")
    assert {row.job: row.is_new for row in panel.picture.rows} == {
        **dict.fromkeys(("J3", "J4", "J5"), False),
        "late": True,
    }
    window.view_state.time_cursor.show_at(45.0)  # later: the same job comes then
    qtbot.waitUntil(lambda: known_at(panel, 45.0), timeout=20_000)
    assert panel.submission is not None
    jobs = window.document.workload.jobs
    QTest.mouseClick(panel.add_button, LEFT)
    assert [job.name for job in window.document.workload.jobs] == [*(job.name for job in jobs), "late"]
    assert window.document.workload.jobs[-1].arrival == 45.0
    assert panel.place.value.jobs == ()
    window.editor.undo_stack.undo()
    assert window.document.workload.jobs == jobs
    qtbot.waitUntil(lambda: panel.submission is None and known_at(panel, 45.0), timeout=30_000)


def test_the_end_line_asks_how_likely_all_is_over_by_then(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(30.0)
    qtbot.waitUntil(lambda: known_at(panel, 30.0), timeout=20_000)
    window.view_state.end_line.show_at(1e6)
    assert panel.note.text().endswith("All is over by 11 d 13:46:40 in 100 % of the draws.")
    window.view_state.end_line.show_at(31.0)
    assert panel.note.text().endswith("All is over by 0:31 in 0 % of the draws.")
    window.view_state.end_line.hide()
    assert panel.note.text() == f"{panel.found.sentence} {panel.found.known_sentence}"


def test_window_and_command_line_take_the_same_as_known(qtbot, tmp_path, capsys):
    window, panel = opened(qtbot, tmp_path, "failed-rack")
    window.view_state.time_cursor.show_at(50.0)
    qtbot.waitUntil(lambda: known_at(panel, 50.0), timeout=20_000)
    given = ["forecast", "failed-rack", "--at", "50", "--policy", panel.found.choice.id, "--runs", "20"]
    assert run([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["in_time"] for row in found["jobs"] if row["deadline"]] == [
        panel.found.in_time[j]
        for j, job in enumerate(panel.found.known.schedule.workload.jobs)
        if job.deadline and not panel.found.known.job_has_ended[j]
    ]
    assert found["error"] == panel.error == 0.3


def test_of_jobs_of_a_log_nothing_is_known_until_the_user_says_so(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    qtbot.waitUntil(lambda: panel.found is not None and not panel.is_busy, timeout=20_000)
    assert panel.estimates_box.isChecked()
    open_log(window)
    simulated = window.document.scenarios[1]
    window.view_state.activate_scenario(simulated.id)
    assert window.runner.wait_until_idle(60_000)
    window.view_state.time_cursor.show_at(0.6 * window.runner.outcome(simulated.id).schedule.makespan)
    qtbot.waitUntil(lambda: not panel.is_busy and panel.error is None, timeout=30_000)
    assert panel.found.error is None
    assert not panel.estimates_box.isChecked()
    panel.estimates_box.setChecked(True)
    qtbot.waitUntil(lambda: not panel.is_busy and panel.found.error == 0.3, timeout=30_000)


def test_what_the_user_says_of_estimates_counts_however_seldom_it_was_followed(qtbot, tmp_path):
    """On a busy machine a log is followed once alone, while the box has its tick from the document before."""
    window, panel = opened(qtbot, tmp_path)
    qtbot.waitUntil(lambda: panel.found is not None and not panel.is_busy, timeout=20_000)
    area = window.questions.forecast
    area._timer.blockSignals(True)
    open_log(window)
    simulated = window.document.scenarios[1]
    window.view_state.activate_scenario(simulated.id)
    assert window.runner.wait_until_idle(60_000)
    window.view_state.time_cursor.show_at(0.6 * window.runner.outcome(simulated.id).schedule.makespan)
    assert panel.estimates_box.isChecked()
    area._follow()
    area._timer.stop()
    area._timer.blockSignals(False)
    assert not panel.estimates_box.isChecked()
    panel.estimates_box.setChecked(True)
    qtbot.waitUntil(lambda: not panel.is_busy and panel.found.error == 0.3, timeout=30_000)
    assert panel.found.known.schedule.workload == window.document.workload


def test_without_them_shows_the_night_as_it_was(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(30.0)
    panel.submit([make_job("late", (30, 9.0))])
    qtbot.waitUntil(lambda: panel.submission is not None and not panel.is_busy, timeout=20_000)
    QTest.mouseClick(panel.jobs_button, LEFT)
    qtbot.waitUntil(lambda: panel.submission is None and known_at(panel, 30.0), timeout=20_000)
    assert "late" not in [row.job for row in panel.picture.rows]


def test_closed_it_holds_no_schedule(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    qtbot.waitUntil(lambda: panel.found is not None and not panel.is_busy, timeout=20_000)
    window.actions_by_id["forecast"].trigger()
    assert window.questions.forecast.page.is_open is False
    assert panel.found is None
    assert panel.note.text() == forecast_panel.HELP


def test_the_chart_of_the_scenario_draws_fact_and_forecast_apart(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(45.0)
    qtbot.waitUntil(lambda: known_at(panel, 45.0), timeout=20_000)
    shown = {i: view.content.forecast for i, view in window.charts.views.items()}
    assert shown[1].now == 45.0
    assert [row.job for row in shown[1].rows] == ["J4", "J5"]
    assert [ends for i, ends in shown.items() if i != 1] == [None] * (len(shown) - 1)
    assert window.axis.extent[1] >= max(row.half[1] for row in shown[1].rows)
    window.actions_by_id["forecast"].trigger()
    assert all(view.content.forecast is None for view in window.charts.views.values())


def test_a_record_goes_on_under_the_policy_of_the_other_scenario(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    open_log(window)
    record = window.document.scenarios[0]
    assert record.choice.is_record
    window.view_state.activate_scenario(record.id)
    assert window.runner.wait_until_idle(60_000)
    window.view_state.time_cursor.show_at(0.6 * window.runner.outcome(record.id).schedule.makespan)
    qtbot.waitUntil(
        lambda: not panel.is_busy and panel.found is not None and panel.found.known.schedule.choice.is_record,
        timeout=30_000,
    )
    assert panel.found.choice.id == window.document.scenarios[1].choice.id
    assert panel.error is None
    assert not panel.estimates_box.isEnabled()


def test_what_helps_is_listed_and_one_click_does_it_and_undo_takes_it_away(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(30.0)
    qtbot.waitUntil(lambda: known_at(panel, 30.0), timeout=20_000)
    QTest.mouseClick(panel.advice_button, LEFT)
    qtbot.waitUntil(lambda: bool(panel.reliefs.buttons), timeout=30_000)
    before = len(window.document.scenarios)
    QTest.mouseClick(panel.reliefs.buttons[0], LEFT)
    assert window.runner.wait_until_idle(60_000)
    assert len(window.document.scenarios) == before + 1
    done = window.document.scenario(window.view_state.active_scenario)
    assert done.title == "FIFO, move J5 to the front at 0:30"
    ends = dict(
        zip(["J1", "J2", "J3", "J4", "J5"], window.runner.outcome(done.id).schedule.finish, strict=True)
    )
    assert ends["J5"] < 74.0
    window.editor.undo_stack.undo()
    assert len(window.document.scenarios) == before


def test_a_node_is_added_for_an_hour_where_nodes_fail(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path, "failed-rack")
    window.view_state.time_cursor.show_at(50.0)
    qtbot.waitUntil(lambda: known_at(panel, 50.0), timeout=20_000)
    tried = advise(window.runner.outcome(1).schedule, 50.0, error=0.3, runs=20)
    panel.reliefs.show_steps([each for each in tried if each.relief.words == "add 1 node for 1 h 00 min"])
    given, before = window.document.cluster, window.document.scenarios
    QTest.mouseClick(panel.reliefs.buttons[0], LEFT)
    assert window.runner.wait_until_idle(60_000)
    done = window.document.scenario(window.view_state.active_scenario)
    assert done.cluster.events.nodes == given.events.nodes + 1
    schedule = window.runner.outcome(done.id).schedule
    early = window.runner.outcome(1).schedule.start < 50.0
    assert (schedule.start[early] == window.runner.outcome(1).schedule.start[early]).all()
    window.editor.undo_stack.undo()
    assert window.document.scenarios == before


def test_what_is_looked_at_shows_what_comes_of_deadlines(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.editor.edit_job(4, "deadline", "70")
    assert window.runner.wait_until_idle(60_000)
    window.view_state.time_cursor.show_at(30.0)
    qtbot.waitUntil(lambda: known_at(panel, 30.0) and "J5" in panel.found.known.schedule.workload.job_index)
    QTest.mouseClick(panel.advice_button, LEFT)
    qtbot.waitUntil(lambda: bool(panel.reliefs.buttons), timeout=30_000)
    panel.reliefs.buttons[0].setFocus()
    (row,) = [row for row in window.charts.views[1].content.forecast.rows if row.job == "J5"]
    assert row.then >= row.in_time


def test_a_job_is_drawn_by_hand(qtbot, tmp_path):
    window, panel = opened(qtbot, tmp_path)
    window.view_state.time_cursor.show_at(30.0)
    qtbot.waitUntil(lambda: known_at(panel, 30.0), timeout=20_000)
    QTest.mouseClick(panel.jobs_button, LEFT)
    (dialog,) = window.findChildren(HandJobDialog)
    dialog.maps.setValue(7)
    dialog.map_seconds.setValue(12.0)
    dialog.reduces.setValue(0)
    dialog.accept()
    qtbot.waitUntil(lambda: panel.submission is not None and not panel.is_busy, timeout=20_000)
    job = panel.submission.forecast.known.schedule.workload.jobs[-1]
    assert (job.name, job.arrival, job.stages[0].count, job.stages[1].count) == ("new job", 30.0, 7, 0)
    assert job.stages[0].durations.tolist() == [12.0]


def test_a_submitted_job_is_dragged_both_are_seen_and_it_is_undone(qtbot, tmp_path):
    """By the mouse, by Escape, by a key and by Ctrl+Z; the document is not touched."""
    window, panel = opened(qtbot, tmp_path)
    window.show()
    window.view_state.time_cursor.show_at(30.0)
    panel.submit([make_job("late", (30, 9.0))])
    qtbot.waitUntil(lambda: panel.submission is not None and not panel.is_busy, timeout=20_000)
    steps, picture, before = window.editor.undo_stack.count(), panel.picture, panel.found.middle[-1]

    def arrival():
        return panel.submission.forecast.known.schedule.workload.jobs[-1].arrival

    def where():
        place = next(n for n, row in enumerate(picture.rows) if row.is_new)
        area = QRectF(picture.rect())
        return QPoint(round(picture.scale(area).x(30.0)), round(picture.row_box(place, area).center().y()))

    QTest.mousePress(picture, LEFT, pos=where())
    QTest.mouseMove(picture, where() + QPoint(60, 0))
    qtbot.waitUntil(lambda: arrival() > 30 and not panel.is_busy, timeout=20_000)
    assert panel.before.middle[-1] == before  # the ghost, while it is dragged
    assert {row.job: row.was for row in picture.rows}["late"] == before
    QTest.mouseRelease(picture, LEFT, pos=where() + QPoint(60, 0))
    moved = panel.place.value.later
    assert moved > 0
    assert "Before the move late ended at about" in panel.note.text()
    picture.setFocus()
    while picture._focused < 0 or not picture.rows[picture._focused].is_new:
        QTest.keyClick(picture, Qt.Key.Key_Down)
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert panel.place.value.later > moved
    undo, redo = window.actions_by_id["undo"], window.actions_by_id["redo"]
    undo.trigger()
    assert panel.place.value.later == moved
    undo.trigger()
    assert panel.place.value.later == 0
    assert undo.text() == "&Undo: Submit late"
    assert redo.text() == f"&Redo: Let late come {moved:g} s later"
    qtbot.waitUntil(lambda: arrival() == 30.0 and not panel.is_busy, timeout=20_000)
    assert window.editor.undo_stack.count() == steps


def test_an_unfinished_log_opens_where_it_ends(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    with qtbot.waitSignal(window.files.opened):
        window.files.open(LOG)
    qtbot.waitUntil(lambda: window.questions.forecast.panel is not None)
    panel = window.questions.forecast.panel
    qtbot.waitUntil(lambda: known_at(panel, 20.5))
    assert window.view_state.time_cursor.seconds == 20.5
    assert window.document.scenario(window.view_state.active_scenario).choice.is_record
    shown = window.charts.active_view.content.forecast
    assert [row.job for row in shown.rows] == ["job_200908110000_0002"]
    assert shown.likely.start.tolist() == [20.5]
    assert window.axis.full_range.end > 20.5
    window.view_state.time_cursor.show_at(10.0)
    qtbot.waitUntil(lambda: known_at(panel, 10.0))


def test_a_log_that_is_read_again_goes_on_from_its_new_end(qtbot, tmp_path):
    """At first the log ends at 14 s, with the end of its first reduce."""
    whole, path = LOG.read_bytes(), tmp_path / "night.log"
    path.write_bytes(whole[: whole.index(b'Task TASKID="task_200908110000_0001_r_000001"')])
    window = open_window(qtbot, tmp_path)
    with qtbot.waitSignal(window.files.opened):
        window.files.open(path)
    assert window.view_state.time_cursor.seconds == 14.0
    path.write_bytes(whole)
    with qtbot.waitSignal(window.files.reloaded):
        window.files.reload()
    assert window.view_state.time_cursor.seconds == 20.5
    panel = window.questions.forecast.panel
    qtbot.waitUntil(lambda: known_at(panel, 20.5))


def test_a_night_with_a_failed_rack_is_forecast_and_goes_on_from_the_cursor(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, "failed-rack")
    window.actions_by_id["forecast"].trigger()
    panel = window.questions.forecast.panel
    panel.runs_field.setValue(20)
    window.view_state.time_cursor.show_at(50.0)
    qtbot.waitUntil(lambda: known_at(panel, 50.0) and len(panel.found.finish) == 20, timeout=20_000)
    assert panel.note.text().startswith("At 0:50, 4 of 4 jobs have not ended, and 6 tasks run.")
    first = window.runner.outcome(1).schedule
    forked = window.editor.fork_scenario(1, 50.0, PolicyChoice("sjf"))
    assert window.runner.wait_until_idle(60_000)
    found = window.runner.outcome(forked).schedule
    before = first.start < 50
    assert found.start[before].tolist() == first.start[before].tolist()
    assert found.finish[3] < first.finish[3]  # the invoices go first
    window.editor.undo_stack.undo()
    panel.submit([make_job("late", (4, 9.0))])
    qtbot.waitUntil(lambda: panel.submission is not None and known_at(panel, 50.0), timeout=20_000)
    assert panel.note.text().startswith("late, submitted at 0:50, ends at about")


def test_a_weight_is_written_into_the_jobs_or_the_pools_and_undone(qtbot, tmp_path):
    window, _panel = opened(qtbot, tmp_path)
    forecast, jobs = window.questions.forecast, window.document.workload.jobs
    forecast._raise_weight(Relief("weight", "", name="J5", weight=4.0))
    assert window.document.workload.jobs[4].weight == 4.0
    window.editor.undo_stack.undo()
    assert window.document.workload.jobs == jobs
    window.editor.move_to_pool({"J5"}, "night")
    forecast._raise_weight(Relief("weight", "", name="night", weight=4.0, is_pool=True))
    assert {pool.name: pool.weight for pool in window.document.workload.every_pool}["night"] == 4.0


def test_a_second_copy_is_killed_by_a_click_and_undone(qtbot, tmp_path):
    """The copy of A's first map runs at 15 s; in the scenario beside this one it is killed then."""
    register_policy("always", Always)
    window, panel = opened(qtbot, tmp_path)
    night = replace(NIGHT, cluster=Cluster(4, 0))
    window.files.show(OpenedDocument(new_document(night)))
    assert window.runner.wait_until_idle(60_000)
    panel = window.questions.forecast.panel
    panel.runs_field.setValue(20)
    window.view_state.activate_scenario(window.editor.add_scenario(PolicyChoice("always")))
    assert window.runner.wait_until_idle(60_000)
    scenario = window.view_state.active_scenario
    qtbot.waitUntil(lambda: window.runner.outcome(scenario) is not None, timeout=20_000)
    window.view_state.time_cursor.show_at(15.0)
    qtbot.waitUntil(lambda: known_at(panel, 15.0) and bool(panel.found.known.copies), timeout=20_000)
    steps = advise(window.runner.outcome(scenario).schedule, 15.0, error=0.0, runs=19)
    (tried,) = [step for step in steps if step.relief.kind == "kill"]
    before = window.document.scenarios
    panel.relief_wanted.emit(tried)
    beside = window.document.scenario(window.view_state.active_scenario)
    assert beside.cluster.killed_copies == (KilledCopy(15.0, "A", 0, 0),)
    assert title_in(window.document.state, beside).endswith("1 copy killed")
    assert window.runner.wait_until_idle(60_000)
    qtbot.waitUntil(lambda: window.runner.outcome(beside.id) is not None, timeout=20_000)
    assert window.runner.outcome(beside.id).schedule.finish.tolist() == [40.0, 25.0]
    window.editor.undo_stack.undo()
    assert window.document.scenarios == before
