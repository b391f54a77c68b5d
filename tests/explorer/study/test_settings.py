"""Settings of a study: fields picked, values typed and checked, and what is wrong said in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.estimates import DurationEstimates
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.plan import Plan
from core.model.schedule import RECORDED, Fork, PolicyChoice
from core.model.slot_times import SlotTime
from core.model.task_types import MAP
from core.study.cell_run import CellRunner
from core.study.cells import cell_at
from core.study.study import Axis, Setting, Span, Study
from core.study.study_fields import meanings
from explorer.study.axis_row import AxisRow, usual_values
from explorer.study.base_of_scenario import base_of
from explorer.study.study_settings import StudySettings
from tests.core.study.made_up import STUDY

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def settings(shown):
    settings = shown(StudySettings())
    settings.show_study(STUDY)
    return settings


def typed(field, text):
    field.selectAll()
    QTest.keyClicks(field, text)


def check(row, place, is_taken):
    state = Qt.CheckState.Checked if is_taken else Qt.CheckState.Unchecked
    row.editor.button.list.item(place).setCheckState(state)


def test_a_study_that_is_shown_is_the_study_that_is_asked(settings):
    assert settings.study == STUDY


def test_values_are_typed(settings, qtbot):
    with qtbot.waitSignal(settings.changed):
        typed(settings.rows[0].editor.values, "8, 24 48")
    assert settings.study.axes[0].values == (8, 24, 48)
    typed(settings.rows[0].editor.values, "8, many")
    with pytest.raises(InputError, match=r"map slots: parameter map_slots is 'many'; give a whole number"):
        _ = settings.study
    typed(settings.rows[0].editor.values, " ")
    with pytest.raises(InputError, match="map slots has no values"):
        _ = settings.study


def test_a_range_has_even_steps_or_even_factors(settings):
    editor = settings.rows[0].editor
    editor.kind.setCurrentIndex(1)
    assert (editor.start.value(), editor.end.value(), editor.count.value()) == (16, 64, 3)
    assert settings.study.axes[0].numbers == (16, 40, 64)
    QTest.mouseClick(editor.by_factors, LEFT, pos=editor.by_factors.rect().center() * 0.2)
    assert settings.study.axes[0].span == Span(16, 64, 3, "log")
    assert settings.study.axes[0].numbers == (16, 32, 64)
    editor.start.setValue(0)
    with pytest.raises(InputError, match="begins and ends above 0"):
        _ = settings.study


def test_policies_are_checked_in_a_list(settings):
    row = settings.rows[2]
    assert row.editor.button.text().startswith("FIFO, Johnson")
    QTest.mouseClick(row.editor.button, LEFT)
    assert row.editor.button.frame.isVisible()
    check(row, 1, is_taken=False)
    assert settings.study.axes[2].values == ("fifo",)
    check(row, 0, is_taken=False)
    with pytest.raises(InputError, match="policy has no values"):
        _ = settings.study
    row.editor.button.frame.hide()


def test_fields_are_picked_in_the_menu_and_dropped(settings, qtbot):
    settings.menu.aboutToShow.emit()
    offered = {a.data(): a for menu in settings.menu.actions() for a in menu.menu().actions()}
    assert "cluster.map_slots" not in offered, "it is varied already"
    offered["cluster.reduce_slots"].trigger()
    assert [axis.name for axis in settings.study.axes] == ["map slots", "slowstart", "policy", "reduce slots"]
    with qtbot.waitSignal(settings.changed):
        QTest.mouseClick(settings.rows[1].remove_button, LEFT)
    assert [axis.name for axis in settings.study.axes] == ["map slots", "policy", "reduce slots"]


def test_a_field_that_is_varied_already_is_not_varied_twice(settings):
    settings.vary("cluster.slowstart")
    assert len(settings.rows) == 3


def test_usual_values_lie_around_what_the_scenario_has():
    def usual(name, now=None):
        return usual_values(meanings(name)[0], now)

    assert usual("cluster.map_slots", 64) == (16, 32, 64, 128, 256)
    assert usual("cluster.slowstart", 0.3) == (0.05, 0.25, 0.5, 0.75, 1.0)
    assert usual("policy.id", "omo")[:3] == ("omo", "fifo", "sjf")
    assert usual("estimates.error", 0.0) == (0.0, 0.1, 0.2, 0.3, 0.5)
    assert usual("cluster.shuffle_model") == ("simmr", "overlap", "mumak")


def test_repetitions_say_what_another_seed_changes(settings):
    settings.repetitions.setValue(1)
    assert settings.seeds.isHidden()
    settings.show_study(replace(STUDY, seeds=(), repetitions=1))
    settings.repetitions.setValue(3)
    with pytest.raises(InputError, match="all repetitions would be alike"):
        _ = settings.study
    drawn = Study("Drawn", (("workload.family", "facebook"), ("workload.seed", 1)), STUDY.axes)
    settings.show_study(drawn)
    settings.repetitions.setValue(3)
    assert settings.seeds.text() == "Another seed changes the jobs that are drawn."
    assert settings.study.seeds == ("workload.seed",)


def test_a_sample_is_as_large_as_wanted(settings):
    QTest.mouseClick(settings.sampled, LEFT, pos=settings.sampled.rect().center() * 0.2)
    settings.sample.setValue(5)
    assert (settings.study.design.kind, settings.study.cell_count) == ("sample", 5)
    settings.sample.setValue(500)
    assert settings.study.cell_count == 12, "there are no more"
    settings.sampled.setChecked(False)
    assert settings.study.design.kind == "grid"


def test_settings_of_several_fields_can_be_taken_one_by_one(shown):
    both = Axis(
        "panel",
        settings=(Setting("a", (("cluster.map_slots", 1),)), Setting("b", (("cluster.slowstart", 1.0),))),
    )
    row = shown(AxisRow(both))
    assert row.axis == both
    check(row, 0, is_taken=False)
    assert [point.label for point in row.axis.points] == ["b"]


def as_run(base, workload=None):
    """Return what a cell of a study without axes simulates."""
    changes = base.changes if workload is None else (("workload.file", "w"), *base.changes)
    return CellRunner({"w": workload}).scenario_of(cell_at(Study("Base", changes), ()))


@pytest.mark.parametrize(
    "cluster",
    [
        Cluster(8, 4, 0.5, shuffle_model="overlap", overheads=Overheads(setup=2.0, hosts=2)),
        Cluster(0, 0, 1.0, containers=12),
        Cluster(0, 0, 1.0, nodes=(NodeGroup(4, 8192, 8),)),
    ],
)
def test_a_scenario_is_the_base_of_a_study_and_comes_back_the_same(five_jobs, cluster):
    choice = PolicyChoice("johnson", {}, DurationEstimates(0.3, "task", 7))
    base = base_of(five_jobs, cluster, Scenario(1, choice))
    assert base.workload is five_jobs
    back = as_run(base, five_jobs)
    assert (back.workload, back.cluster, back.choice) == (five_jobs, cluster, choice)


def test_a_generated_workload_is_told_by_its_seed_unless_it_was_changed():
    drawn = generate("facebook", seed=5, parameters={"jobs": 4})
    base = base_of(drawn, drawn.cluster, Scenario(1, PolicyChoice("fifo")))
    assert base.workload is None
    assert as_run(base).workload.digest == drawn.digest
    changed = drawn.with_jobs(drawn.jobs[:3])
    assert base_of(changed, drawn.cluster, Scenario(1, PolicyChoice("fifo"))).workload is changed


def test_a_policy_file_is_held_still_by_its_path(five_jobs):
    base = base_of(five_jobs, five_jobs.cluster, Scenario(1, PolicyChoice("/home/me/mine.py")))
    assert base.value("policy.id") == "file:/home/me/mine.py"
    assert base.words == "mine.py · Five jobs"


@pytest.mark.parametrize("policy", [RECORDED, "a-class-of-a-notebook"])
def test_what_a_study_cannot_run_is_refused(five_jobs, policy):
    with pytest.raises(InputError, match=r"study|really ran"):
        base_of(five_jobs, five_jobs.cluster, Scenario(1, PolicyChoice(policy)))


def test_what_a_study_leaves_out_of_a_scenario_is_said(five_jobs):
    scenario = Scenario(1, PolicyChoice("sjf"))
    assert base_of(five_jobs, five_jobs.cluster, scenario).left_out == ""
    names = tuple(job.name for job in five_jobs.jobs)
    planned = replace(scenario, plan=Plan.of_order(names), fork=Fork(90.0, 0, PolicyChoice("fifo")))
    base = base_of(five_jobs, five_jobs.cluster, planned)
    assert base.left_out == (
        "A study runs Shortest job first from beginning to end; left out is the plan that it follows, and "
        "what FIFO decides until 1 min 30 s."
    )


@pytest.mark.parametrize(
    "cluster",
    [
        Cluster(2, 2, slot_times=(SlotTime(1, 0.0, 30.0, MAP),)),
        Cluster(0, 0, slot_times=(SlotTime(2, 0.0, 30.0), SlotTime(1, 3.0))),
    ],
)
def test_slots_that_come_and_go_are_those_of_the_workload(five_jobs, cluster):
    own = replace(five_jobs, cluster=cluster)
    base = base_of(own, cluster, Scenario(1, PolicyChoice("fifo")))
    assert as_run(base, own).cluster == cluster
    with pytest.raises(InputError, match="come and go"):
        base_of(five_jobs, cluster, Scenario(1, PolicyChoice("fifo")))


def test_vary_offers_no_field_twice(qtbot):
    """Two entries of one text in one list cannot be told apart."""
    settings = StudySettings()
    qtbot.addWidget(settings)
    for families in ((), ("facebook",), ("synthetic1",)):
        base = tuple(("workload.family", family) for family in families)
        settings.show_study(Study("Study", base))
        settings.menu.aboutToShow.emit()
        for group in settings.menu.findChildren(QMenu):
            texts = [action.text() for action in group.actions()]
            assert sorted(set(texts)) == sorted(texts), group.title()
