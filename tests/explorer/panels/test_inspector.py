"""The inspector: the task under the mouse, the selected job, side by side, copied as text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextOption
from PySide6.QtTest import QTest

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.number_text import grouped
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.view_state import HoveredTask
from explorer.gantt.layers.task_facts import task_facts
from explorer.panels.facts import UNKNOWN, Section, job_sections, task_sections, wave
from explorer.panels.inspector import Inspector


@pytest.fixture
def inspector(qtbot, document, view_state):
    inspector = Inspector(document, view_state)
    qtbot.addWidget(inspector)
    inspector.show()
    yield inspector
    inspector.refresh()


def row(section, name):
    return next(values for first, *values in section.rows if first == name)


# Facts


@pytest.fixture
def small():
    """Two jobs of which the first has fillers: 6 maps on 2 slots, reduces start at once."""
    first = Job("A", Stage.of(6, 10), Stage.of(2, 5, 1, 3), deadline=20)
    return Workload("small", (first, Job("B", Stage.of(0), Stage.of(1, [4], 1, 2))), Cluster(2, 2, 0.0))


@pytest.fixture
def schedule(small):
    return simulate(small, small.cluster, PolicyChoice("fifo"), engine="interpreted")


def test_facts_of_a_map(small, schedule):
    own, compared = task_sections(small, 4, {"FIFO": schedule, "Other": None})
    assert own.title == "Map 5 of 6 of A"
    assert own.rows == (("Duration", "10 s"),)
    assert compared.columns == ("FIFO", "Other")
    assert compared.rows == (
        ("Slot", "M1", UNKNOWN),
        ("Wave", "3", UNKNOWN),
        ("Start", "0:20", UNKNOWN),
        ("End", "0:30", UNKNOWN),
        ("Takes", "10 s", UNKNOWN),
    )


def test_facts_of_a_filler(small, schedule):
    own, compared = task_sections(small, 6, {"FIFO": schedule})
    assert own.rows == (("Reduce phase", "5 s"), ("First shuffle", "1 s"), ("Typical shuffle", "3 s"))
    assert row(compared, "Filler") == ["yes, before its maps ended"]
    assert row(compared, "Shuffle end") == ["0:31"]
    assert row(compared, "End") == ["0:36"]


def test_waves_agree_with_the_schedule(five_jobs):
    cluster = Cluster(7, 4, 0.0)
    schedule = simulate(five_jobs, cluster, PolicyChoice("fair"), engine="interpreted")
    columns = five_jobs.columns
    for job in range(5):
        for kind in (0, 1):
            first, count = columns.first[job, kind], columns.count[job, kind]
            mine = [wave(schedule, task) for task in range(first, first + count)]
            assert np.array_equal(mine, schedule.job_wave(job, kind))


def test_facts_of_a_job(small, schedule):
    own, compared = job_sections(small, "A", {"FIFO": schedule})
    assert row(own, "Maps") == ["6 × 10 s"]
    assert row(own, "Deadline") == ["0:20"]
    assert row(compared, "Maps end") == ["0:30"]
    assert row(compared, "Finish") == ["0:36"]
    assert row(compared, "Deadline") == ["late by 16 s"]
    own, compared = job_sections(small, "B", {"FIFO": schedule})
    assert row(own, "Maps") == ["none"]
    assert row(compared, "Maps end") == ["–"]
    assert "Deadline" not in [name for name, *_ in compared.rows]


def test_the_pool_of_a_job_is_that_of_the_cards(small, schedule):
    pools = Partition((SlotPool("Small", 1, 1, ("B",)), SlotPool("Large", 1, 1, ("A",))))
    cut = simulate(small, small.cluster, PolicyChoice("fifo"), partition=pools, engine="interpreted")
    own, compared = job_sections(small, "A", {"FIFO": schedule, "Pools": cut})
    assert "Pool" not in [name for name, *_ in own.rows]
    assert row(compared, "Pool") == ["default", "Large"]
    rows = schedule_rows(cut)
    assert task_facts(rows, rows.place_of(0)).pool == "Large"


def test_spread_of_durations():
    job = Job("A", Stage.of(3, [2, 4, 9]), user="ann", dataset="logs", shuffle_bytes=2.5e9)
    own, _ = job_sections(Workload("w", (job,)), "A", {})
    assert row(own, "Maps") == ["3 × 5 s (2 s to 9 s)"]
    assert row(own, "First shuffle") == ["–"]
    assert row(own, "User") == ["ann"]
    assert row(own, "Dataset") == ["logs"]
    assert row(own, "Shuffled data") == [f"{grouped(2500)} MB"]


# The panel


def test_says_what_to_do_while_nothing_is_chosen(inspector):
    assert inspector.empty.isVisible()
    assert not inspector.text.isVisible()
    assert not inspector.copy_button.isEnabled()


def test_a_selected_job_under_all_scenarios(qtbot, inspector, view_state, schedules):
    for scenario_id, schedule in schedules.items():
        inspector.set_schedule(scenario_id, schedule)
    view_state.select_job("J2")
    qtbot.waitUntil(lambda: bool(inspector.sections))
    assert [section.title for section in inspector.sections] == ["Job J2", "When it runs"]
    assert inspector.sections[1].columns == ("FIFO", "Johnson")
    assert row(inspector.sections[1], "First task") == ["0:04", "0:00"]
    assert "30 × 1 s" in inspector.text.toPlainText()


def test_a_hovered_task_stays_until_something_else_is_chosen(qtbot, inspector, view_state, schedules):
    inspector.set_schedule(1, schedules[1])
    view_state.hover(HoveredTask(1, 61))
    qtbot.waitUntil(lambda: bool(inspector.sections))
    assert inspector.sections[0].title == "Map 2 of 30 of J2"
    view_state.hover(None)
    inspector.refresh()
    assert inspector.sections[0].title == "Map 2 of 30 of J2"
    view_state.select_job("J5")
    inspector.refresh()
    assert inspector.sections[0].title == "Job J5"


def test_everything_shown_is_copied(inspector, view_state, schedules):
    inspector.set_schedule(1, schedules[1])
    view_state.select_job("J1")
    inspector.refresh()
    QTest.mouseClick(inspector.copy_button, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Job J1\nMaps\t30 × 4 s\n")
    assert "\tFIFO\tJohnson\n" in text


def test_names_are_never_markup(inspector, view_state, editor):
    editor.edit_job(0, "name", "<img src=x>&amp;")
    editor.rename_scenario(1, "<b>mine</b>")
    view_state.select_job("<img src=x>&amp;")
    inspector.refresh()
    shown = inspector.text.toPlainText()
    assert "Job <img src=x>&amp;" in shown
    assert "<b>mine</b>" in shown


def test_a_schedule_of_the_jobs_before_is_not_shown(inspector, view_state, editor, schedules):
    inspector.set_schedule(1, schedules[1])
    editor.replace_job(0, replace(editor.document.workload.jobs[0], maps=Stage.of(2, 3)))
    view_state.select_job("J1")
    inspector.refresh()
    assert row(inspector.sections[1], "Finish") == [UNKNOWN, UNKNOWN]


def test_scenarios_of_one_name_are_numbered(inspector, view_state, editor):
    editor.duplicate_scenario(1)
    view_state.select_job("J1")
    inspector.refresh()
    assert inspector.sections[1].columns == ("FIFO", "FIFO (2)", "Johnson")


def test_the_colour_of_the_job_stands_before_its_name(inspector, view_state):
    inspector.set_colours(lambda job: QColor(10, 20, 30 + job))
    view_state.select_job("J2")
    inspector.refresh()
    assert "#0a141f" in inspector.text.toHtml()


def test_lines_are_never_broken_inside_of_words_or_times(inspector, document, view_state):
    """However narrow it is and however many scenarios there are."""
    view_state.select_job(document.workload.jobs[0].name)
    inspector.refresh()
    html = inspector.text.toHtml()
    assert "First\u00a0task" in html or "First&nbsp;task" in html
    assert inspector.text.wordWrapMode() == QTextOption.WrapMode.WordWrap


def test_what_is_empty_tells_how_to_ask_why(inspector):
    assert inspector.empty.isVisible()
    assert "a slot where it runs nothing, and press Ctrl+Shift+W" in inspector.empty.text()


def test_what_is_copied_has_no_formulas():
    section = Section("=title", ("a",), (("+cmd|x", "-5 s"),))
    assert section.to_text().splitlines() == ["'=title", "\ta", "'+cmd|x\t-5 s"]
