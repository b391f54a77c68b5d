"""Every tab of the details survives every kind of scenario: what cannot be shown is said in a sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEventLoop, QThreadPool
from PySide6.QtWidgets import QApplication

from core.explain.hook_clocks import Clocks
from core.forecast.forecast import MIN_RUNS
from core.model.errors import Cancelled, InputError
from core.model.estimates import DurationEstimates
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.policies.registry import policies
from explorer.document.view_state import SelectedTask
from explorer.forecast import forecast_panel
from explorer.widgets import worker
from tests import random_tests
from tests.explorer.window_fixtures import open_window
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow

LOGS = {"jobs": DATA / "jobtracker-0.20.log", "application": DATA / "spark.log"}


def record(window: MainWindow) -> int:
    return next(each.id for each in window.document.scenarios if each.choice.is_record)


def simulated(window: MainWindow) -> int:
    return next(each.id for each in window.document.scenarios if not each.choice.is_record)


def what_if(window: MainWindow) -> int:
    cluster, before = window.document.state.cluster, ids(window)
    field = "containers" if cluster.has_containers else "map_slots"
    more = replace(cluster, slot_times=(), slots_per_executor=0, **{field: getattr(cluster, field) + 2})
    window.editor.take_what_if(window.document.workload, more, simulated(window), "2 more slots")
    return (ids(window) - before).pop()


def best_plan(window: MainWindow) -> int:
    order = tuple(reversed([job.name for job in window.document.workload.jobs]))
    return window.editor.take_plan(simulated(window), Plan.of_order(order))


def edited(window: MainWindow) -> int:
    window.editor.move_job(simulated(window), window.document.workload.jobs[-1].name, 0)
    return simulated(window)


def forked(window: MainWindow) -> int:
    return window.editor.fork_scenario(simulated(window), 1.0, PolicyChoice("sjf"))


def on_estimates(window: MainWindow) -> int:
    window.editor.choose_policy(simulated(window), PolicyChoice("sjf"))
    window.editor.set_estimates(simulated(window), DurationEstimates(2.0))
    return simulated(window)


def under(policy: str, window: MainWindow) -> int:
    window.editor.choose_policy(simulated(window), PolicyChoice(policy))
    return simulated(window)


KINDS: dict[str, Callable[[MainWindow], int]] = {
    "record": record,
    "what-if cluster": what_if,
    "best plan": best_plan,
    "made by hand": edited,
    "fork": forked,
    "on estimates": on_estimates,
}


POLICIES_OF_A_PAGE = 3
"""Each page is looked at under one policy of so many, in turn, unless tests are thorough."""


def kinds(log: str) -> dict[str, Callable[[MainWindow], int]]:
    """Return what makes each kind: the logs take turns with the policies unless tests are thorough."""
    places = slice(None) if random_tests.is_thorough else slice(list(LOGS).index(log), None, len(LOGS))
    return KINDS | {each.id: partial(under, each.id) for each in policies()[places]}


def ids(window: MainWindow) -> set[int]:
    return {each.id for each in window.document.scenarios}


def settle(window: MainWindow) -> None:
    """Let everything be calculated and shown."""
    assert window.runner.wait_until_idle(60_000)
    QApplication.processEvents()
    QThreadPool.globalInstance().waitForDone()
    QApplication.processEvents()


@pytest.fixture
def raised(monkeypatch):
    """Return what work in threads raised besides sentences for people."""
    found: list[Exception] = []
    on_ended = worker.Worker.on_ended

    def noted(self, run):
        if run.error is not None and run.is_wanted and not isinstance(run.error, InputError | Cancelled):
            found.append(run.error)
        on_ended(self, run)

    monkeypatch.setattr(worker.Worker, "on_ended", noted)
    return found


@pytest.fixture
def window(qtbot, tmp_path, request, monkeypatch):
    """Show a log: what really ran, and a simulation."""
    monkeypatch.setattr(forecast_panel, "DEFAULT_RUNS", MIN_RUNS)  # more show nothing new here
    # each hook is compiled on its own: that is seen in tests of the profile, for one policy
    monkeypatch.setattr(Clocks, "with_compiled", lambda _clocks, hook, _should_stop: hook)
    window = open_window(qtbot, tmp_path)
    window.resize(1000, 600)  # less to paint
    opening = QEventLoop()
    window.files.opened.connect(opening.quit)
    window.files.open(LOGS[request.param])
    opening.exec()
    settle(window)
    if all(each.choice.is_record for each in window.document.scenarios):
        window.editor.add_scenario(PolicyChoice("fifo"))
    window.editor.undo_stack.clear()
    return window


@pytest.mark.parametrize(("window", "log"), [(log, log) for log in LOGS], indirect=["window"])
def test_every_tab_survives_every_kind_of_scenario(qtbot, window, log, raised):
    for number, (kind, make) in enumerate(kinds(log).items()):
        scenario = make(window)
        window.view_state.activate_scenario(scenario)
        settle(window)
        outcome = window.runner.outcome(scenario)
        if outcome is None:
            assert window.messages.isVisible(), kind  # a policy that refuses these jobs says why
            window.messages.hide()
        else:
            window.view_state.time_cursor.show_at(outcome.schedule.makespan / 2)
        every = 1 if kind in KINDS or random_tests.is_thorough else POLICIES_OF_A_PAGE
        look_at_tabs(qtbot, window, scenario, slice(number % every, None, every))
        assert raised == [], kind
        window.editor.undo_stack.setIndex(0)


def is_made(window: MainWindow) -> bool:
    return hasattr(window.comparison.tabs.currentWidget(), "paint_export")


def look_at_tabs(qtbot: QtBot, window: MainWindow, scenario: int, which: slice) -> None:
    """Look at these pages of the details, one after the other."""
    for name, page in list(window.details.pages.items())[which]:
        page.bring()
        if window.runner.outcome(scenario) is not None:
            window.view_state.select_job(window.document.workload.jobs[0].name)
            window.view_state.select_task(SelectedTask(scenario, 0))
        settle(window)
        for place in range(window.comparison.tabs.count()) if name == "comparison" else ():
            window.comparison.tabs.setCurrentIndex(place)
            qtbot.waitUntil(partial(is_made, window))
            settle(window)
        window.view_state.select_job(None)
