"""What a policy plans on is set beside its parameters, undone, and shown in the header."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.model.workload import Workload
from tests.builders import make_job

MONDAY = Workload("Monday", (make_job("J1", (1, 2.0)), make_job("J2", (1, 2.0))))


@pytest.fixture
def box(bar):
    bar._popup.open_for(2, bar.header(2))
    yield bar._popup.form.estimates
    bar._popup.close()


def of(editor, scenario_id=2):
    return editor.document.scenario(scenario_id).choice.estimates


def field(box, name):
    return next(widget for widget in box.findChildren(object) if widget.objectName() == name)


def test_a_tick_lets_the_policy_plan_on_estimates(box, bar, editor, undo):
    assert box.isVisible()
    assert not box.fold.isVisible()
    QTest.keyClick(box.box, Qt.Key.Key_Space)
    assert of(editor) == DurationEstimates(0.3)
    assert box.fold.isVisible()
    assert undo() == ["Plan Johnson on estimates ±30 %"]
    assert bar.header(2).facts.title == "Johnson on estimates ±30 %"
    assert "Johnson on estimates ±30 %" in bar.header(2).toolTip()
    QTest.keyClick(box.box, Qt.Key.Key_Space)
    assert of(editor) is None
    assert undo()[-1] == "Plan Johnson on the true durations"
    editor.undo_stack.undo()
    assert of(editor) == DurationEstimates(0.3)
    assert box.box.isChecked()


def test_turning_the_error_is_one_step(box, editor, undo):
    editor.set_estimates(2, DurationEstimates(0.3))
    editor.end_gesture()
    error = field(box, "error")
    for value in (0.4, 0.5):
        error.setValue(value)
    assert of(editor) == DurationEstimates(0.5)
    assert undo() == ["Plan Johnson on estimates ±30 %", "Plan Johnson on estimates ±50 %"]
    field(box, "per").textActivated.emit("task")
    field(box, "per").setCurrentText("task")
    field(box, "seed").setValue(9)
    assert of(editor) == DurationEstimates(0.5, "task", 9)


def test_every_field_says_what_it_is(box):
    for name in ("error", "per", "seed"):
        assert field(box, name).toolTip()
        assert field(box, name).accessibleName()
    assert box.box.toolTip()
    assert box.run_button.toolTip()


def test_fifo_plans_on_nothing(bar, editor):
    bar._popup.open_for(1, bar.header(1))
    assert not bar._popup.form.estimates.isVisible()
    editor.choose_policy(1, PolicyChoice("sjf"))
    assert bar._popup.form.estimates.isVisible()


def test_an_earlier_run_is_asked_for_shown_and_left_out(box, bar, editor, qtbot):
    editor.set_estimates(2, DurationEstimates())
    for place, source in enumerate(("library", "file")):
        bar._popup.open_for(2, bar.header(2))
        with qtbot.waitSignal(bar.run_wanted) as asked:
            box.run_button.menu().actions()[place].trigger()
        assert asked.args == [2, source]
        assert not bar._popup.isVisible()
    editor.set_estimates(2, DurationEstimates(profile=MONDAY))
    assert box.run.text() == "Earlier run: Monday, 2 jobs"
    assert bar.header(2).facts.title == "Johnson on profile Monday"
    box.no_run_action.trigger()
    assert of(editor) == DurationEstimates(0.3)
    assert not box.no_run_action.isEnabled()


def test_estimates_stay_with_another_policy_that_plans_and_end_with_one_that_does_not(editor):
    editor.set_estimates(2, DurationEstimates(0.5))
    editor.choose_policy(2, PolicyChoice("balanced-pools"))
    assert of(editor) == DurationEstimates(0.5)
    continued = editor.fork_scenario(2, 5.0, PolicyChoice("sjf"))
    assert of(editor, continued) == DurationEstimates(0.5)
    editor.choose_policy(2, PolicyChoice("fair"))
    assert of(editor) is None


def test_a_renamed_job_keeps_its_earlier_run(editor):
    editor.set_estimates(2, DurationEstimates(profile=MONDAY))
    editor.edit_job(1, "name", "Report")
    assert [job.name for job in of(editor).profile.jobs] == ["J1", "Report"]
    editor.undo_stack.undo()
    assert of(editor).profile is MONDAY
