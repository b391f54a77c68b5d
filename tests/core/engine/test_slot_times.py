"""Slots that come and go: the engine against a slow loop over lists, and under every policy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.engine.fresh_state import fresh_state
from core.engine.slot_changes import event_or_change
from core.engine.state import as_rows, jobs_on_slots
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.job import Job
from core.model.partition_edits import one_pool
from core.model.schedule import Fork, PolicyChoice
from core.model.slot_times import CONTAINER, SlotTime
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.policies.registry import policies, policy_class
from core.simulation.fork import simulate_fork
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.rules import RULES, no_slot_idles_while_a_task_could_start
from tests.core.engine.slow_graphs import MODELS, SlowLoop, linked, random_times, random_workload
from tests.core.engine.test_linked_jobs import choice_of, random_linked
from tests.core.explain.conftest import example_policies as example_policies
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine


def lacks_a_kind(workload: Workload, cluster: Cluster) -> bool:
    needed = workload.map_count, workload.reduce_count
    return any(tasks and not slots for tasks, slots in zip(needed, cluster.typed_slots, strict=True))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_engine_is_the_slow_loop(engine: Engine) -> None:
    draw = np.random.default_rng(20261124)
    cases = draws(400)
    compared = stalled = left_running = 0
    for case in range(cases):
        workload = random_workload(draw)
        workload = linked(workload, draw) if case % 2 else workload
        maps, reduces = draw.integers(0, 4, 2).tolist()
        times = random_times(draw, (MAP, REDUCE))
        part, model = float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)]
        cluster = Cluster(maps, reduces, part, model, slot_times=times)
        if lacks_a_kind(workload, cluster):
            continue
        expected = SlowLoop(workload, cluster).tasks()
        if len(expected) < len(workload.columns.job):
            stalled += 1
            with pytest.raises(StalledError):
                simulate(workload, cluster, PolicyChoice("fifo"), engine=engine)
            continue
        compared += 1
        schedule = simulate(workload, cluster, PolicyChoice("fifo"), engine=engine)
        for name, column in (
            ("slot", schedule.slot),
            ("start", schedule.start),
            ("shuffled", schedule.shuffled),
            ("end", schedule.end),
        ):
            assert column.tolist() == [task[name] for task in expected], (name, workload, cluster)
        left_running += int((schedule.end > cluster.slot_intervals[1][schedule.slot]).any())
    assert min(compared / 2, stalled, left_running) > cases // 10


PLANNING = "partition", "search", "replanner"
"""The hooks of policies that plan by slots that are always there, which are refused."""
KEEP_BUSY = "fifo", "sjf", "fair", "johnson", "dhfs-pi"
"""Some of those that hold no task back beside a free slot."""
POLICIES = [
    each.id for each in policies() if not any(hasattr(policy_class(each.id), hook) for hook in PLANNING)
]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_runs_to_the_end_and_both_engines_agree(policy: str) -> None:
    draw = np.random.default_rng(25)
    for case in range(draws(30)):
        workload, choice = random_linked(draw), choice_of(policy)
        if case % 2:
            cluster = Cluster(2, 2, 0.5, slot_times=random_times(draw, (MAP, REDUCE)))
        else:
            cluster = Cluster(0, 0, 0.5, containers=2, slot_times=random_times(draw, (CONTAINER,)))
        one, other = (outcome_of(workload, cluster, choice, engine) for engine in ENGINES)
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        assert bits(one) == bits(other), (workload, cluster)
        keeps_busy = policy in KEEP_BUSY
        rules = [rule for rule in RULES if keeps_busy or rule is not no_slot_idles_while_a_task_could_start]
        assert [wrong for rule in rules for wrong in rule(one)] == []


def outcome_of(workload: Workload, cluster: Cluster, choice: PolicyChoice, engine: Engine) -> Schedule | str:
    """Return the schedule, or why the run stalled: on containers reduces may hold all that stay."""
    try:
        return simulate(workload, cluster, choice, engine=engine)
    except StalledError as stall:
        return str(stall)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_goes_on_from_any_time_as_if_it_had_not_stopped(engine: Engine) -> None:
    draw = np.random.default_rng(7)
    for _ in range(draws(60)):
        workload = random_linked(draw)
        cluster = Cluster(2, 2, slot_times=random_times(draw, (MAP, REDUCE)))
        whole = simulate(workload, cluster, PolicyChoice("fair"), engine=engine)
        stop = float(draw.integers(0, 30)) / 2
        run = Simulation(workload, cluster, PolicyChoice("fair"), engine=engine)
        run.advance_until(stop)
        twin = run.fork()
        while not twin.advance():
            pass
        fork = Fork(stop, 0, PolicyChoice("fair"))
        forked = simulate_fork(workload, cluster, PolicyChoice("fair"), fork, engine=engine)
        assert bits(twin.schedule()) == bits(whole)
        assert bits(forked) == bits(whole)
        free = [slot for slots in twin.moment().free for slot in slots]
        opens, closes = cluster.slot_intervals
        assert all(opens[slot] <= twin.now for slot in free)
        assert set(free) | set(np.flatnonzero(closes <= twin.now)) >= set(range(4))


@pytest.mark.usefixtures("example_policies")
def test_a_policy_sees_counts_that_agree() -> None:
    """The auditor counts running tasks, free and lent slots again before every decision."""
    draw = np.random.default_rng(11)
    for case in range(40):
        jobs = tuple(replace(job, after=()) for job in random_linked(draw).jobs)
        typed = Cluster(2, 2, 0.5, slot_times=random_times(draw, (MAP, REDUCE)))
        untyped = Cluster(0, 0, 0.5, containers=4, slot_times=random_times(draw, (CONTAINER,)))
        cluster = untyped if case % 2 else typed
        outcome_of(Workload("w", jobs), cluster, PolicyChoice("auditor"), "interpreted")


def test_a_free_slot_that_closes_is_no_longer_free() -> None:
    """Of three slots one is free at 2 s, where it closes; the job that arrives at 3 s has to wait."""
    jobs = Job("A", Stage.of(2, 10.0)), Job("B", Stage.of(1, 1.0), arrival=3.0)
    cluster = Cluster(2, 0, slot_times=(SlotTime(1, 0.0, 2.0, MAP),))
    run = Simulation(Workload("w", jobs), cluster, PolicyChoice("fair"), engine="interpreted")
    run.advance_until(1.0)
    assert (run.moment().free, list(run.counts.slots)) == (((2,), ()), [3, 0])
    run.advance_until(4.0)
    assert (run.moment().free, list(run.counts.slots)) == (((), ()), [2, 0])
    assert run.moment().running.tolist() == [0, 1, -1]
    run.advance()
    assert run.schedule().start.tolist() == [0.0, 0.0, 10.0]


def test_a_run_without_slots_left_says_so() -> None:
    workload = Workload("w", (Job("A", Stage.of(3, 2.0)),))
    cluster = Cluster(0, 0, slot_times=(SlotTime(1, 0.0, 3.0),))
    with pytest.raises(StalledError, match="The last slots have closed; keep some open"):
        simulate(workload, cluster, PolicyChoice("fifo"))


@pytest.mark.parametrize("policy", ["balanced-pools", "optimized", "flex"])
def test_policies_that_plan_by_slots_that_stay_are_refused(policy: str) -> None:
    workload = Workload("w", (Job("A", Stage.of(3, 2.0)),))
    cluster = Cluster(1, 1, slot_times=(SlotTime(1, 0.0, 3.0, MAP),))
    with pytest.raises(InputError, match="slots that come and go"):
        simulate(workload, cluster, PolicyChoice(policy))


def test_pools_of_their_own_slots_are_refused() -> None:
    workload = Workload("w", (Job("A", Stage.of(3, 2.0)),))
    cluster = Cluster(1, 0, slot_times=(SlotTime(1, 0.0, 3.0, MAP),))
    with pytest.raises(InputError, match="slots that come and go"):
        simulate(workload, cluster, PolicyChoice("fifo"), partition=one_pool(["A"], cluster))


def test_slots_come_and_go_only_as_long_as_there_are_jobs() -> None:
    """With no job left the change at 7 s is not waited for; with one it is, whatever infinity is."""
    cluster = Cluster(1, 0, slot_times=(SlotTime(1, 7.0, 9.0, MAP),))
    workload = Workload("w", (Job("A", Stage.of(1, 1.0)),))
    state = fresh_state(workload.columns, cluster, np.zeros(1, np.int32), pools=1, lends=False)
    assert jobs_on_slots(state) == [], "and nothing runs at first"
    rows = as_rows(state)
    rows.cluster.active = 0
    assert event_or_change(rows, float("inf")) == float("inf")
    assert event_or_change(rows, 8.0) == 7.0
    rows.cluster.active = 1
    assert event_or_change(rows, float("inf")) == 7.0
