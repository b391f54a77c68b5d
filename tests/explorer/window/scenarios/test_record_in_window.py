"""What really ran, in the window: beside the simulated schedules, with hosts and failed attempts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, QPoint, Qt
from PySide6.QtTest import QTest

from core.charts.class_colours import GREY
from core.charts.raster_kernel import MAP_TONE
from core.model.overheads import Overheads
from core.model.schedule import RECORDED, PolicyChoice
from core.model.stages import Stage
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.document.view_state import SelectedTask
from explorer.gantt.layers.execution_history import attempt_facts
from tests.explorer.window_fixtures import drag, open_window, x_of
from tests.paths import DATA

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from explorer.gantt.gantt_view import GanttView
    from explorer.window.main_window import MainWindow

LOG = DATA / "jobtracker-0.20.log"


def open_log(window: MainWindow) -> None:
    opening = QEventLoop()
    window.files.opened.connect(opening.quit)
    window.files.open(LOG)
    opening.exec()
    assert not window.findChildren(ImportReportDialog)
    assert window.runner.wait_until_idle(60_000)


@pytest.fixture(scope="module")
def window_of_module(window_of_module: MainWindow) -> MainWindow:
    window_of_module.files.opened.disconnect(window_of_module.questions.forecast.follow_log)
    open_log(window_of_module)
    window_of_module.view_state.activate_scenario(record_id(window_of_module))
    window_of_module.editor.undo_stack.clear()
    return window_of_module


@pytest.fixture
def window_of_its_own(window_of_its_own: MainWindow) -> MainWindow:
    open_log(window_of_its_own)
    window_of_its_own.questions.forecast.page.shut()  # see test_forecast_in_window.py
    return window_of_its_own


def record_id(window: MainWindow) -> int:
    (found,) = (s.id for s in window.document.scenarios if s.choice.is_record)
    return found


def recorded(window: MainWindow) -> Schedule:
    outcome = window.runner.outcome(record_id(window))
    assert outcome is not None
    return outcome.schedule


def chart(window: MainWindow) -> GanttView:
    return window.charts.views[record_id(window)]


def point_at(view: GanttView, slot: int, seconds: float) -> QPoint:
    top, bottom = view.frame().row(slot)
    return QPoint(x_of(view, seconds), (top + bottom) // 2)


def test_a_log_is_shown_as_it_ran_beside_a_simulation(window):
    assert [s.choice.id for s in window.document.scenarios] == [RECORDED, "fifo"]
    assert window.headers.header(record_id(window)).facts.title == "As recorded"
    assert window.headers.header(record_id(window)).facts.is_baseline
    schedule = recorded(window)
    assert schedule.makespan == pytest.approx(20.5)
    assert schedule.record is not None
    # both share the axis, and the real run is the longer one here
    assert window.axis.full_range.end >= 20.5
    assert window.view_state.active_scenario == record_id(window), "its log is unfinished"


def test_a_simulation_without_overheads_says_so_beside_the_record(window):
    record, fifo = (window.headers.header(s.id) for s in window.document.scenarios)
    assert fifo.facts.line.startswith("no overheads")
    assert "this simulation has none of these overheads" in fifo.toolTip().replace("\n", " ")
    assert fifo.change.palette().windowText() == record.change.palette().windowText(), "that is no gain"
    assert "no overheads" not in record.facts.line
    rows = window.comparison.results.rows
    assert [row.title for row in rows] == ["As recorded", "FIFO, no overheads"]
    assert "ends too early" in rows[1].details()
    window.editor.edit_cluster(None, overheads=Overheads(setup=1.0))
    assert window.runner.wait_until_idle(60_000)
    assert "no overheads" not in fifo.facts.line
    assert [row.title for row in window.comparison.results.rows] == ["As recorded", "FIFO"]


@pytest.mark.only_looks
def test_the_chart_names_hosts_and_outcomes(window):
    view = chart(window)
    assert view.content.history_facts == (
        "a record: edits do not change it",
        "2 hosts",
        "1 failed",
        "1 killed",
        "1 running",
    )
    assert "1 failed" in view.accessibleDescription()
    signs = window.charts.legend.accessibleDescription()
    assert all(sign in signs for sign in ("failed", "killed", "setup or cleanup"))


@pytest.mark.only_looks
def test_attempts_that_are_no_tasks_are_seen_and_told(window):
    view, record = chart(window), recorded(window).record
    told = {}
    for extra in range(len(record.extra)):
        facts = attempt_facts(view.content.rows, extra)  # type: ignore[arg-type]
        spot = point_at(view, int(record.extra_slot[extra]), (facts.start + facts.end) / 2)
        QTest.mouseMove(view, spot)
        assert view.facts == facts
        told[facts.kind_name, facts.outcome] = dict(facts.lines())
    assert set(told) == {
        ("setup", "succeeded"),
        ("map", "killed"),
        ("map", "failed"),
        ("map", "unfinished"),
        ("cleanup", "succeeded"),
    }
    assert told["map", "failed"]["host"] == "h2.example.com"


@pytest.mark.only_looks
def test_a_failed_attempt_looks_like_nothing_else(window):
    view, record = chart(window), recorded(window).record
    picture = view.grab().toImage()
    colours = {}
    for extra, look in enumerate(record.looks):
        facts = attempt_facts(view.content.rows, extra)  # type: ignore[arg-type]
        left, right = (view.frame().x(time) for time in (facts.start, facts.end))
        top, bottom = view.frame().row(int(record.extra_slot[extra]))
        spots = [
            picture.pixel(x, y)
            for x in range(round(left) + 1, round(right) - 1)
            for y in range(top + 1, bottom - 2)
        ]
        colours[look] = np.unique(spots, return_counts=True)
    bad = view.scene.theme.failed.rgb()
    assert bad in colours["failed"][0]
    assert bad not in colours["killed"][0]
    looks = {look: tuple(values.tolist()) for look, (values, _) in colours.items()}
    assert len(set(looks.values())) == 4


def test_edits_change_the_simulation_and_not_the_record(window, qtbot):
    before = recorded(window)
    first, second = window.document.workload.jobs
    window.editor.delete_jobs([1])
    window.editor.replace_job(0, replace(first, maps=Stage.of(9, 50)))
    assert window.runner.wait_until_idle(60_000)
    after = recorded(window)
    assert after.makespan == before.makespan
    assert sorted(job.name for job in after.workload.jobs) == sorted((first.name, second.name))
    simulated = window.runner.outcome(window.document.scenarios[1].id).schedule
    assert simulated.makespan > 50
    assert window.axis.full_range.end >= simulated.makespan
    # a job that is gone is grey, and clicking it selects nothing
    tones = chart(window).frame().tones
    assert tones[:, MAP_TONE].tolist() != [GREY, GREY]
    assert tones[1, MAP_TONE] == GREY
    window.charts.views[record_id(window)].click(1)
    assert window.view_state.selected_job is None
    window.charts.views[record_id(window)].click(0)
    assert window.view_state.selected_job == first.name
    window.view_state.activate_scenario(record_id(window))
    assert window.jobs_panel.model.order == (first.name,)
    for _ in range(2):
        window.editor.undo_stack.undo()
    assert window.document.workload.jobs == (first, second)


def test_a_record_cannot_be_reordered(window, qtbot):
    view = chart(window)
    schedule = recorded(window)
    middle = (schedule.start[0] + schedule.end[0]) / 2
    before = window.document.state
    drag(view, point_at(view, int(schedule.slot[0]), float(middle)), x_of(view, 18.0))
    assert window.document.scenarios == before.scenarios
    window.view_state.activate_scenario(record_id(window))
    window.view_state.select_job(window.document.workload.jobs[0].name)
    window.actions_by_id["later"].trigger()
    assert "which cannot be changed any more" in window.messages.message.sentence
    assert window.document.scenarios == before.scenarios
    assert not window.cluster_panel.own_box.isEnabled()


@pytest.mark.only_looks
@pytest.mark.parametrize("question", ["at_instant", "why_makespan", "findings"])
def test_explanations_say_that_it_is_a_record(window, qtbot, question):
    window.view_state.activate_scenario(record_id(window))
    window.view_state.time_cursor.show_at(6.0)
    window.actions_by_id[question].trigger()
    panel = {
        "at_instant": window.why.instant_panel,
        "why_makespan": window.why.critical_path_panel,
        "findings": window.why.findings_panel,
    }[question]
    said = "record of what really ran"
    if question == "findings":
        qtbot.waitUntil(lambda: said in panel.to_text())
    else:
        qtbot.waitUntil(lambda: said in panel.empty.text())


def test_why_this_task_and_the_first_difference_say_so_too(window, qtbot):
    window.view_state.activate_scenario(record_id(window))
    window.actions_by_id["why_task"].trigger()
    window.charts.views[record_id(window)].click(0, 0)
    panel = window.why.why_panel
    qtbot.waitUntil(lambda: "record of what really ran" in panel.empty.text())
    window.actions_by_id["first_difference"].trigger()
    panel = window.why.difference_panel
    qtbot.waitUntil(lambda: "record of what really ran" in panel.empty.text())
    window.view_state.time_cursor.show_at(6.0)
    with pytest.raises(Exception, match="cannot be continued"):
        window.editor.fork_scenario(record_id(window), 6.0, PolicyChoice("fair"))


def place_of(schedule, task):
    """Return the job of a task, and how many of its tasks come before it, counted one by one."""
    jobs = [schedule.workload.jobs[job].name for job in schedule.workload.columns.job.tolist()]
    return jobs[task], jobs[:task].count(jobs[task])


def test_a_task_of_a_record_is_shown_where_it_is_simulated(window, qtbot):
    record, view = record_id(window), window.charts.views[record_id(window)]
    window.view_state.activate_scenario(record)
    window.actions_by_id["why_task"].trigger()
    panel = window.why.why_panel
    window.view_state.select_task(SelectedTask(record, 1))
    qtbot.waitUntil(panel.simulated_button.isVisible)
    assert panel.simulated_button.text() == "Show this task under FIFO"
    QTest.mouseClick(panel.simulated_button, Qt.MouseButton.LeftButton)
    simulated = next(s.id for s in window.document.scenarios if s.id != record)
    assert window.view_state.active_scenario == simulated
    there = window.view_state.selected_task
    assert there.scenario_id == simulated
    schedules = view.content.rows.schedule, window.runner.outcome(simulated).schedule
    assert place_of(schedules[0], 1) == place_of(schedules[1], there.task)
    qtbot.waitUntil(lambda: bool(panel.explanations))
    assert not panel.simulated_button.isVisible()


def test_findings_of_a_record_are_one_click_away(window, qtbot):
    window.view_state.activate_scenario(record_id(window))
    window.actions_by_id["findings"].trigger()
    panel = window.why.findings_panel
    qtbot.waitUntil(lambda: panel.table.empty_text.startswith("This is a record of what really ran"))
    assert panel.simulated_button.text() == "Show findings under FIFO"
    QTest.mouseClick(panel.simulated_button, Qt.MouseButton.LeftButton)
    assert window.view_state.active_scenario != record_id(window)
    qtbot.waitUntil(panel.copy_button.isEnabled, timeout=60_000)
    assert window.why.findings_page.is_in_front
    assert not panel.simulated_button.isVisible()


def test_the_record_comes_back_from_a_session_and_from_the_menu(window, qtbot, tmp_path):
    window.editor.remove_scenario(record_id(window))
    window.actions_by_id["add_record"].trigger()
    assert [s.choice.id for s in window.document.scenarios] == ["fifo", RECORDED]
    assert window.runner.wait_until_idle(60_000)
    before = recorded(window)
    window.files._write(tmp_path / "saved.slotscope")
    window.files.open(tmp_path / "saved.slotscope")
    qtbot.waitUntil(lambda: window.document.path is not None and not window.files.is_busy)
    assert window.runner.wait_until_idle(60_000)
    assert recorded(window).record.run == before.record.run
    assert recorded(window).makespan == before.makespan


def test_without_a_log_there_is_a_sentence(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    window.actions_by_id["add_record"].trigger()
    assert "import one first" in window.messages.message.sentence
    assert RECORDED not in {s.choice.id for s in window.document.scenarios}


def test_the_list_of_policies_offers_the_record_where_there_is_one(window):
    bar = window.headers
    bar.add()
    names = [bar._popup.list.item(row).text() for row in range(bar._popup.list.count())]
    assert names[-1] == "As recorded"
    bar._popup.close()
    bar._popup.open_for(record_id(window), bar.header(record_id(window)))
    assert bar._popup.list.currentItem().text() == "As recorded"
    assert bar._popup.form.note.text().startswith("This is what really ran")
    bar._popup.close()
