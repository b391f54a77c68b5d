"""Schedules follow the document: latest wins, stale answers are dropped, undo and drops are instant."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.schedule import PolicyChoice
from core.simulation.fifo_trials import isolated_runtimes
from explorer.simulation import request as request_module
from explorer.simulation import runner as runner_module
from explorer.simulation.outcome import OutcomeCache
from explorer.simulation.request import SimulationRequest, request_of
from explorer.simulation.runner import Runner

if TYPE_CHECKING:
    from explorer.simulation.outcome import Outcome

REVERSED = ("J5", "J4", "J3", "J2", "J1")


@pytest.fixture
def heard(runner):
    """What the runner said, in order."""
    log = []
    runner.outcome_ready.connect(lambda i, outcome: log.append(("ready", i, outcome.schedule.order)))
    runner.failed.connect(lambda i, error: log.append(("failed", i, error)))
    runner.preview_ready.connect(lambda i, outcome: log.append(("preview", i, outcome.schedule.order)))
    runner.preview_ended.connect(lambda i: log.append(("ended", i)))  # type: ignore[arg-type]
    runner.busy_changed.connect(lambda busy: log.append(("busy", busy)))  # type: ignore[arg-type]
    return log


def idle(runner):
    assert runner.wait_until_idle()


@pytest.fixture
def started(runner):
    """A runner that has answered for both scenarios."""
    runner.look_again()
    idle(runner)
    return runner


def test_every_scenario_gets_its_schedule(runner, heard, document):
    assert runner.is_stale(1)
    runner.look_again()
    idle(runner)
    assert sorted(heard) == [("busy", False), ("busy", True), ("ready", 1, None), ("ready", 2, None)]
    fifo, johnson = runner.outcome(1), runner.outcome(2)
    assert fifo.schedule.choice.id == "fifo"
    assert johnson.makespan < fifo.makespan
    assert fifo.lower_bound <= johnson.makespan
    assert johnson.job_order == ("J2", "J5", "J1", "J4", "J3")
    assert not runner.is_stale(1)


def test_nothing_is_told_of_a_scenario_that_was_removed_while_it_ran(runner, heard, gated, editor, qtbot):
    gated.gate.clear()
    runner.look_again()
    qtbot.waitUntil(lambda: len(gated.requests) == 2)
    heard.clear()
    gated.gate.set()
    while any(run.answer is None for run in runner._worker.running):
        time.sleep(0.001)  # answered, and not heard yet
    editor.remove_scenario(2)
    qtbot.waitUntil(lambda: not runner.is_busy)
    assert [told[:2] for told in heard] == [("ready", 1), ("busy", False)]


def test_one_edit_is_one_question_per_scenario(started, gated, editor):
    gated.requests.clear()
    editor.drop_order(2, REVERSED)
    editor.delete_jobs([0])
    editor.set_cluster(Cluster(10, 10))
    idle(started)
    assert len(gated.requests) == 2


def test_what_a_schedule_does_not_depend_on_asks_nothing(started, gated, editor):
    gated.requests.clear()
    editor.rename_scenario(1, "Mine")
    editor.make_baseline(2)
    editor.move_scenario(2, 0)
    idle(started)
    assert gated.requests == []


def test_undo_is_instant(started, gated, editor, heard):
    editor.edit_cluster(map_slots=10)
    idle(started)
    editor.edit_job(0, "map_durations", 50)
    idle(started)
    gated.requests.clear()
    heard.clear()
    editor.undo_stack.undo()
    idle(started)
    editor.undo_stack.undo()
    idle(started)
    assert gated.requests == []
    assert heard == [("ready", 1, None), ("ready", 2, None)] * 2
    assert started.outcome(1).schedule.cluster.map_slots == 30


def test_the_latest_edit_wins_and_the_one_before_is_cancelled(started, gated, editor, heard, qtbot):
    heard.clear()
    gated.requests.clear()
    gated.gate.clear()
    editor.drop_order(2, REVERSED)
    qtbot.waitUntil(lambda: gated.orders() == [REVERSED])
    latest = ("J3", "J2", "J1", "J4", "J5")
    editor.drop_order(2, latest)
    qtbot.waitUntil(lambda: gated.orders() == [REVERSED, latest])
    qtbot.waitUntil(lambda: len(gated.cancelled) == 1)
    gated.gate.set()
    idle(started)
    assert gated.cancelled[0].order == REVERSED
    assert [entry for entry in heard if entry[0] != "busy"] == [("ready", 2, latest)]


def test_a_stale_answer_is_dropped_even_if_it_was_not_cancelled_in_time(started, gated, editor, heard, qtbot):
    gated.gate.clear()
    editor.drop_order(2, REVERSED)
    qtbot.waitUntil(lambda: REVERSED in gated.orders())
    # the answer is under way, in the queue of the event loop, when the next edit comes
    gated.gate.set()
    started._worker._pool.waitForDone()
    editor.reset_order(2)
    heard.clear()
    started._refresh()
    idle(started)
    assert [entry[0] for entry in heard if entry[0] == "ready"] == ["ready"]
    assert started.outcome(2).schedule.order is None


def test_a_request_that_is_wanted_again_is_asked_again(started, gated, editor, qtbot):
    gated.gate.clear()
    editor.drop_order(2, REVERSED)
    qtbot.waitUntil(lambda: REVERSED in gated.orders())
    editor.reset_order(2)
    started._refresh()
    editor.drop_order(2, REVERSED)
    started._refresh()
    gated.gate.set()
    idle(started)
    assert started.outcome(2).schedule.order == REVERSED


def test_two_scenarios_with_one_question_are_one_run(started, gated, editor):
    gated.requests.clear()
    editor.choose_policy(2, PolicyChoice("sjf"))
    editor.choose_policy(1, PolicyChoice("sjf"))
    idle(started)
    assert len(gated.requests) == 1
    assert started.outcome(1) is started.outcome(2)


def test_cancel_says_nothing_of_a_scenario_that_is_gone_by_then(started, gated, editor, heard):
    gated.gate.clear()
    editor.add_scenario(PolicyChoice("sjf"))
    started._catch_up()
    editor.undo_stack.undo()
    heard.clear()
    started.cancel()
    gated.gate.set()
    assert not [entry for entry in heard if entry[0] == "failed"]


def test_cancel_stops_and_an_edit_starts_again(started, gated, editor, heard, qtbot):
    gated.gate.clear()
    editor.set_cluster(Cluster(10, 10))
    qtbot.waitUntil(lambda: len(gated.requests) == 4)
    heard.clear()
    started.cancel()
    assert not started.is_busy
    assert [(entry[0], entry[1]) for entry in heard] == [("failed", 1), ("failed", 2), ("busy", False)]
    assert isinstance(heard[0][2], Cancelled)
    qtbot.waitUntil(lambda: len(gated.cancelled) == 2)
    gated.gate.set()
    editor.rename_scenario(1, "any edit")
    idle(started)
    assert started.outcome(1).schedule.cluster == Cluster(10, 10)
    assert started.outcome(2).schedule.cluster == Cluster(10, 10)


def test_a_failure_is_told_and_not_tried_again(started, gated, editor, heard):
    editor.set_cluster(Cluster(0, 10))
    idle(started)
    errors = [entry for entry in heard if entry[0] == "failed"]
    assert sorted(entry[1] for entry in errors) == [1, 2]
    assert isinstance(errors[0][2], InputError)
    assert "no map slot" in str(errors[0][2])
    assert started.outcome(1) is None
    count = len(gated.requests)
    editor.rename_scenario(1, "any edit")
    idle(started)
    assert len(gated.requests) == count


def test_an_unexpected_exception_is_told_too(runner, gated, heard):
    gated.error = ZeroDivisionError("in a policy")
    runner.look_again()
    idle(runner)
    assert [entry[2] for entry in heard if entry[0] == "failed"] == [gated.error, gated.error]


def test_progress_is_told_while_it_runs(runner, gated, qtbot):
    gated.gate.clear()
    with qtbot.waitSignal(runner.progressed, check_params_cb=lambda i, done: i == 1 and done == 0.25):
        runner.look_again()


def test_another_document_asks_for_all_again(started, heard, document, two_scenarios):
    document.load(two_scenarios)
    assert started.outcome(1) is None
    idle(started)
    assert heard == [("ready", 1, None), ("ready", 2, None)]


def test_a_removed_scenario_is_forgotten(started, gated, editor, heard, qtbot):
    gated.gate.clear()
    editor.drop_order(2, REVERSED)
    qtbot.waitUntil(lambda: len(gated.requests) == 3)
    heard.clear()
    editor.remove_scenario(2)
    idle(started)
    assert heard == [("busy", False)]
    assert started.outcome(2) is None


def test_becoming_compiled_starts_slow_runs_again(runner, gated, qtbot):
    gated.gate.clear()
    runner.look_again()
    qtbot.waitUntil(lambda: gated.engines == ["interpreted"] * 2)
    runner.use_compiled()
    qtbot.waitUntil(lambda: gated.engines == ["interpreted"] * 2 + ["compiled"] * 2)
    gated.gate.set()
    idle(runner)
    assert len(gated.cancelled) == 2


def test_what_is_worth_loading_is_never_interpreted(runner, gated, monkeypatch):
    """Long runs load what is in the cache themselves, instead of being interpreted until the window has."""
    monkeypatch.setattr(request_module, "is_worth_loading", lambda part, *_: part.choice.id == "johnson")
    runner.look_again()
    idle(runner)
    runner.use_compiled(all_of_it=False)
    idle(runner)
    assert sorted(zip([each.choice.id for each in gated.requests], gated.engines, strict=True)) == [
        ("fifo", "interpreted"),
        ("johnson", "compiled"),
    ]


def test_what_is_loaded_is_used_and_the_rest_runs_on(runner, gated, qtbot, monkeypatch):
    loaded = set()
    monkeypatch.setattr(SimulationRequest, "is_loaded", property(lambda request: request.choice.id in loaded))
    gated.gate.clear()
    runner.look_again()
    runner.use_compiled(all_of_it=False)
    qtbot.waitUntil(lambda: gated.engines == ["interpreted"] * 2)
    loaded.add("johnson")
    runner.use_compiled(all_of_it=False)
    qtbot.waitUntil(lambda: len(gated.engines) == 3)
    gated.gate.set()
    idle(runner)
    assert gated.engines[2] == "compiled"
    assert [request.choice.id for request in gated.cancelled] == ["johnson"]
    assert gated.requests[2].choice.id == "johnson"


def test_a_preview_never_touches_the_document(started, document, editor, heard):
    state = document.state
    started.preview(1, REVERSED)
    idle(started)
    assert heard == [("busy", True), ("preview", 1, REVERSED), ("busy", False)]
    assert document.state is state
    assert editor.undo_stack.count() == 0
    assert started.outcome(1).schedule.order is None


def test_of_previews_the_latest_wins(started, gated, heard, qtbot):
    gated.gate.clear()
    started.preview(1, REVERSED)
    latest = ("J3", "J2", "J1", "J4", "J5")
    started.preview(1, latest)
    gated.gate.set()
    idle(started)
    assert [entry for entry in heard if entry[0] == "preview"] == [("preview", 1, latest)]


def test_small_workloads_are_previewed_at_once(started, heard):
    started.use_compiled()
    started.preview(1, REVERSED)
    assert heard == [("preview", 1, REVERSED)]


def test_large_workloads_are_previewed_by_a_worker(started, heard, monkeypatch):
    monkeypatch.setattr(runner_module, "MAX_TASKS_AT_ONCE", 299)
    started.use_compiled()
    started.preview(1, REVERSED)
    assert heard == [("busy", True)]
    idle(started)
    assert ("preview", 1, REVERSED) in heard


def test_ending_a_preview_drops_its_answer(started, gated, heard, qtbot):
    gated.gate.clear()
    started.preview(1, REVERSED)
    qtbot.waitUntil(lambda: REVERSED in gated.orders())
    started.end_preview(1)
    started.end_preview(1)
    gated.gate.set()
    idle(started)
    assert heard == [("busy", True), ("busy", False), ("ended", 1)]


def test_a_dropped_preview_is_answered_without_simulating(started, gated, editor, heard):
    started.preview(2, REVERSED)
    idle(started)
    gated.requests.clear()
    heard.clear()
    editor.drop_order(2, REVERSED)
    started.end_preview(2)
    idle(started)
    assert gated.requests == []
    assert heard == [("ready", 2, REVERSED), ("ended", 2)]
    assert editor.undo_stack.count() == 1


def test_a_bad_preview_is_refused_and_one_that_fails_is_told(started, editor, heard):
    with pytest.raises(InputError, match="leaves out"):
        started.preview(1, ["J1"])
    editor.set_cluster(Cluster(0, 10))
    idle(started)
    heard.clear()
    started.use_compiled()
    started.preview(1, REVERSED)
    assert [entry[:2] for entry in heard] == [("failed", 1)]


def test_another_document_ends_previews(started, document, heard, two_scenarios):
    started.preview(1, REVERSED)
    document.load(two_scenarios)
    assert ("ended", 1) in heard


def test_idle_is_not_reported_while_something_runs(runner, gated):
    gated.gate.clear()
    runner.look_again()
    assert not runner.wait_until_idle(50)


def test_shutdown_waits_for_the_threads(runner, gated, qtbot):
    gated.gate.clear()
    runner.look_again()
    qtbot.waitUntil(lambda: len(gated.requests) == 2)
    runner.shutdown()
    assert len(gated.cancelled) == 2
    assert not runner.is_busy


def test_the_cache_forgets_the_least_recently_used(document, gated, two_scenarios):
    cache = OutcomeCache(max_tasks=930)
    requests = [
        request_of(two_scenarios, two_scenarios.scenarios[0], order)
        for order in (REVERSED, REVERSED[1:] + REVERSED[:1], REVERSED[2:] + REVERSED[:2], None)
    ]
    outcomes = [gated(request, "interpreted", lambda _: None, lambda: False) for request in requests]
    for request, outcome in zip(requests[:3], outcomes, strict=False):
        cache.put(request, outcome)
    assert cache.get(requests[0]) is outcomes[0]
    cache.put(requests[3], outcomes[3])
    assert len(cache) == 3
    assert cache.get(requests[1]) is None
    assert cache.get(requests[0]) is outcomes[0]


def test_an_outcome_larger_than_the_cache_is_kept_alone(two_scenarios, gated):
    cache = OutcomeCache(max_tasks=10)
    for scenario in two_scenarios.scenarios:
        request = request_of(two_scenarios, scenario)
        cache.put(request, gated(request, "interpreted", lambda _: None, lambda: False))
    assert len(cache) == 1
    assert cache.get(request) is not None


def test_of_small_outcomes_only_so_many_are_kept(two_scenarios):
    cache = OutcomeCache(max_kept=2)
    orders = (None, REVERSED, REVERSED[1:] + REVERSED[:1])
    requests = [request_of(two_scenarios, two_scenarios.scenarios[0], order) for order in orders]
    for request in requests:
        cache.put(request, cast("Outcome", "stands for one"))
    assert [cache.get(request) is None for request in requests] == [True, False, False]


def test_many_slots_cost_room_in_the_cache_as_tasks_do(two_scenarios):
    cache = OutcomeCache(max_tasks=40_000)
    state = replace(two_scenarios, cluster=Cluster(99_999, 99_999))
    requests = [request_of(state, scenario) for scenario in state.scenarios]
    for request in requests:
        cache.put(request, cast("Outcome", "stands for one"))
    assert [cache.get(request) is None for request in requests] == [True, False]


def test_nothing_of_a_workload_is_kept_when_another_one_is_open(started, document, two_scenarios):
    isolated_runtimes(two_scenarios.workload, two_scenarios.cluster)
    assert len(started._cache) == 2
    workload = two_scenarios.workload
    document.load(replace(two_scenarios, workload=workload.with_jobs(workload.jobs[:2])))
    assert len(started._cache) == 0
    assert isolated_runtimes.cache_info().currsize == 0


def test_requests_are_compared_by_content(editor, document, two_scenarios, five_jobs):
    scenario = two_scenarios.scenarios[0]
    request = request_of(two_scenarios, scenario)
    editor.set_workload(document.workload.with_jobs(five_jobs.jobs[1:]), "Set jobs")
    assert request_of(document.state, document.scenario(1)) != request
    editor.set_workload(document.workload.with_jobs(five_jobs.jobs), "Set jobs")
    same = request_of(document.state, document.scenario(1))
    assert same == request
    assert hash(same) == hash(request)


def test_the_real_simulator_is_the_default(document, qtbot):
    runner = Runner(document)
    runner.look_again()
    idle(runner)
    assert runner.outcome(2).estimates.minimum <= runner.outcome(2).estimates.maximum
    assert runner.outcome(2).own_estimate == runner.outcome(2).estimates.minimum
    runner.shutdown()


def test_another_large_document_is_simulated_after_it_is_shown(started, editor, document, monkeypatch):
    monkeypatch.setattr("explorer.simulation.runner.MANY_JOBS", 1)
    editor.load(document.state)
    assert started.outcome(1) is None
    assert started._refresh_timer.interval() > 0
    started.look_again()  # as every part of the window does that follows the reset
    assert started._refresh_timer.interval() > 0
    assert started.is_busy
    idle(started)
    assert started.outcome(1) is not None
