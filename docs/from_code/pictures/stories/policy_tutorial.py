"""The tutorial for authors of policies: five jobs, an order of one's own, a mistake, a better one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.from_code.pictures.story import Step, Story

if TYPE_CHECKING:
    from docs.from_code.pictures.stage import Stage
    from docs.from_code.pictures.story import Action

MINE = 2
FILE = "longest_reduces.py"
FIRST = '''"""Five jobs in ten minutes."""

from core.policies.policy import Policy


class LongestReduces(Policy):
    """The job with the longest reduces goes first."""

    def order(workload, cluster):
        def place(i):
            return -workload.jobs[i].reduces.durations.max()

        return sorted(range(len(workload.jobs)), key=place)
'''
MISTAKE = ("reduces.durations.max()", "reduces.duration.max()")
BETTER = '''"""Five jobs in ten minutes."""

from core.policies.policy import Policy


class LongestReduces(Policy):
    """Short maps first, and long reduces before short ones: Johnson's rule."""

    def order(workload, cluster):
        def place(i):
            maps = workload.jobs[i].maps.durations.max()
            reduces = workload.jobs[i].reduces.durations.max()
            return (0, maps) if maps < reduces else (1, -reduces)

        return sorted(range(len(workload.jobs)), key=place)
'''
"""The texts of the page, which tests hold against these."""
RUNS = 6


def _begin(stage: Stage) -> None:
    stage.window.own_policies.actions.begin(stage.folder / FILE)
    stage.wait_until(lambda: len(stage.window.document.scenarios) > MINE, "the scenario of the file")
    stage.wait_until(lambda: stage.is_simulated(MINE), "the template's schedule")
    if stage.window.lab.editor_pane.isVisible():  # as no other editor could open it
        stage.click(stage.window.lab.editor_pane.close_button)
    stage.activate(MINE)
    stage.choose("edit_here")


def _write(text: str) -> Action:
    """Return what puts a text into the editor and saves it."""

    def write(stage: Stage) -> None:
        code = stage.window.lab.editor_pane.current_code()
        assert code is not None
        code.replace_text(text)
        stage.click(stage.window.lab.editor_pane.save_button)

    return write


def _first(stage: Stage) -> None:
    before = stage.makespan(MINE)
    _write(FIRST)(stage)
    stage.wait_until(lambda: stage.is_simulated(MINE) and stage.makespan(MINE) != before, "the new order")


def _makespan(stage: Stage) -> tuple[str, ...]:
    return (stage.makespan(MINE),)


def _why(stage: Stage) -> None:
    stage.window.lab.editor_dock.close()
    stage.choose("why_task")
    stage.click_job("J5", MINE)
    stage.let_think()


def _break(stage: Stage) -> None:
    stage.choose("why_task")
    stage.select_nothing()
    stage.choose("edit_here")
    _write(FIRST.replace(*MISTAKE))(stage)
    notices = stage.window.own_policies.notices
    mine = stage.window.document.scenarios[MINE].id
    stage.wait_until(lambda: notices.card(mine) is not None, "the mistake to be found")


def _mend(stage: Stage) -> None:
    before = stage.makespan(MINE)
    _write(BETTER)(stage)
    stage.wait_until(lambda: stage.makespan(MINE) != before, "the schedule of the mended file")


def _check(stage: Stage) -> None:
    stage.window.lab.editor_dock.close()
    stage.activate(MINE)
    stage.choose("checks")
    panel = stage.window.lab.checks.panel
    stage.wait_until(panel.run_button.isEnabled, "the checks to be offered")
    panel.runs.setValue(RUNS)
    stage.click(panel.run_button)
    stage.wait_until(lambda: panel.report is not None, "the report of the checks")


POLICY = Story(
    "tutorials/your-first-policy.md",
    "five-jobs",
    (
        Step(
            "policy-1-template",
            _begin,
            numbered=(
                lambda stage: stage.window.lab.editor_pane,
                lambda stage: stage.header(MINE),
                lambda stage: stage.window.lab.editor_pane.save_button,
            ),
        ),
        Step("policy-2-order", _first, figures=_makespan),
        Step("policy-3-why", _why),
        Step("policy-4-mistake", _break),
        Step("policy-5-johnson", _mend, figures=_makespan),
        Step("policy-6-checks", _check),
    ),
    size=(1240, 720),
)
