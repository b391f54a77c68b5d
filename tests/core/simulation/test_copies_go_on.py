"""Going on from an instant where second copies run, or tasks were killed: as it was, or with other times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.policies.registry import policy_class
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.other_times import TaskTimes, workload_with
from core.simulation.simulate import Simulation, simulate
from tests.core.engine import test_preemption, test_speculation
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_graphs import random_workload
from tests.core.engine.slow_preemption import SlowPreemption
from tests.core.engine.slow_speculation import SlowSpeculation, place_of
from tests.core.engine.test_speculation import POLICIES, SEVERAL, admits, lost_of, prefer, random_case, worth
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.workload import Workload
    from tests.core.engine.slow_graphs import SlowStage

INF = float("inf")


@pytest.fixture(autouse=True)
def _known(_known_copying: None, _known_killing: None) -> None:
    """Have the policies of both."""


_known_copying = test_speculation._known
_known_killing = test_preemption._known


class Switching(SlowSpeculation):
    """Until a time tasks take one time, and from then on another one; what runs goes on with that."""

    def __init__(self, workload: Workload, cluster: Cluster, policy: type[Policy], time: float) -> None:
        super().__init__(workload, cluster, prefer(policy), worth(policy), admits(policy))
        self.time, self.has_switched = time, False
        self.first_of = workload.columns.stages.first
        self.begin = workload.columns.stages.begin
        self.then: Workload = workload
        self.copies: TaskTimes | None = None

    def later(self) -> list[float]:
        later = super().later()
        if not self.has_switched and min(later, default=INF) > self.time:
            self.switch()
            later = super().later()
        return later

    def copy_takes(self, stage: SlowStage, number: int) -> tuple[float, float]:
        if not self.has_switched or self.copies is None:
            return self.usual(stage)
        assert self.copies.copy is not None
        assert self.copies.copy_shuffle is not None
        task = int(self.first_of[int(self.begin[stage.job]) + stage.number]) + number
        return float(self.copies.copy_shuffle[task]), float(self.copies.copy[task])

    def switch(self) -> None:
        self.has_switched, self.jobs = True, self.then.jobs
        for slot, (stage, task) in self.on_slot.items():
            whole = self.jobs[stage.job].stages[stage.number]
            if slot in self.copy_of:
                number = place_of(stage, self.on_slot[self.copy_of[slot]][1])
                if self.copies is not None:
                    fetch, work = self.copy_takes(stage, number)
                    task["shuffled"] = task["start"] + fetch
                    task["end"] = task["shuffled"] + work
            elif stage.released < INF:
                number = place_of(stage, task)
                fetches = bool(self.jobs[stage.job].graph.parents(stage.number))
                own = task["start"] + fetches * whole.task_typical_shuffle[number]
                if task["start"] < stage.released:
                    late = stage.released + whole.task_first_shuffle[number]
                    own = max(late, own) if self.cluster.shuffle_model == "overlap" else late
                task["shuffled"], task["end"] = own, own + whole.task_durations[number]


def other_times(run: Simulation, time: float, draw: np.random.Generator) -> TaskTimes:
    """Return other times of what has not ended, that fit to how long it runs; in halves of a second."""
    here, columns = run.schedule(), run.workload.columns
    fetches = columns.stages.has_parents[columns.stage]
    first = here.by_first_copies
    runs = (here.start <= time) & ~(here.end <= time)
    open_, fetched = ~(here.end <= time), first.shuffled <= time
    drawn = draw.integers(0, 9, (5, here.tasks)) / 2
    released = here.parents_end[columns.stage]
    more = np.where(runs & fetched, time - np.where(fetched, here.shuffled, 0) + 0.5, 0.0)
    duration = np.where(open_, np.maximum(drawn[0], more), columns.duration)
    since = np.where(here.start < released, released, here.start)
    longer = np.where(runs & ~fetched & (since <= time), time - np.where(runs, since, 0) + 0.5, 0.0)
    shuffles = [
        np.where(fetches & open_ & ~fetched, np.maximum(drawn[place], longer), getattr(columns, name))
        for place, name in ((1, "first_shuffle"), (2, "typical_shuffle"))
    ]
    copy, fetch = drawn[3], np.where(fetches, drawn[4], 0.0)
    for each in run.moment().second_copies:
        if each.shuffled <= time:
            fetch[each.task] = each.shuffled - each.start
            copy[each.task] = max(copy[each.task], time - each.shuffled + 0.5)
        else:
            fetch[each.task] = max(fetch[each.task], time - each.start + 0.5)
    return TaskTimes(duration, shuffles[0], shuffles[1], copy, fetch)


@pytest.mark.parametrize("policy", POLICIES)
def test_other_times_from_an_instant_on_are_those_of_the_slow_loop(policy: type[Policy]) -> None:
    draw = np.random.default_rng(32)
    compared = ran = won = 0
    for place in range(draws(150)):
        workload, cluster = random_case(draw)
        begun = Simulation(workload, cluster, PolicyChoice(policy.id), engine="interpreted")
        time = float(draw.integers(1, 24)) / 2
        try:
            begun.advance_until(time)
        except StalledError:
            continue  # fillers hold all slots that what they wait for needs
        times = other_times(begun, time, draw)
        if place % 3 == 0:
            times = replace(times, copy=None, copy_shuffle=None)
        loop = Switching(workload, cluster, policy, time)
        loop.then, loop.copies = workload_with(workload, times), None if times.copy is None else times
        expected = loop.tasks()
        if len(expected) < len(workload.columns.job) or len(loop.ended) < len(workload.jobs):
            continue  # likewise
        compared, ran = compared + 1, ran + bool(begun.moment().second_copies)
        for engine in ENGINES:
            run = Simulation(workload, cluster, PolicyChoice(policy.id), engine=engine)
            run.advance_until(time)
            after = run.with_times(times)
            after.advance_until(np.inf)
            found = after.schedule()
            for name in ("slot", "start", "shuffled", "end"):
                assert getattr(found, name).tolist() == [task[name] for task in expected], (engine, name)
            assert lost_of(found) == sorted(loop.lost, key=lambda lost: (lost.slot, lost.start, lost.end))
        won += any(each.was_first and each.end > time for each in loop.lost)
    assert compared > draws(100)
    assert ran > draws(10)
    assert won > draws(10)


def test_a_run_that_goes_on_with_its_own_times_is_the_run_that_it_left() -> None:
    """Copying policies, and those that kill: stopped at any time, whether something happens then or not."""
    draw, killing = np.random.default_rng(5), [p for p in test_preemption.POLICIES if not p.suspends]
    compared = 0
    for _ in range(draws(25)):
        workload, cluster = random_case(draw)
        for policy in (*POLICIES, *killing):
            choice, time = PolicyChoice(policy.id), float(draw.integers(0, 40)) / 4
            for engine in ENGINES:
                run = Simulation(workload, cluster, choice, engine=engine)
                run.advance_until(time)
                columns = workload.columns
                same = TaskTimes(columns.duration, columns.first_shuffle, columns.typical_shuffle)
                after = run.with_times(same)
                try:
                    after.advance_until(np.inf)
                except StalledError:
                    with pytest.raises(StalledError):
                        simulate(workload, cluster, choice, engine=engine)
                    continue
                whole = simulate(workload, cluster, choice, engine=engine)
                assert bits(after.schedule()) == bits(whole), (policy.id, time, engine)
                assert lost_of(after.schedule()) == lost_of(whole)
                compared += 1
    assert compared > draws(150)


class Forking(SlowSpeculation):
    """One policy decides until a time, and another one from then on, when it is asked for the first time."""

    def __init__(self, workload: Workload, cluster: Cluster, policies: list[Any], time: float) -> None:
        rules = (changing(each, policies, time) for each in (prefer, worth_of, admits))
        super().__init__(workload, cluster, *rules)
        self.time = time

    def later(self) -> list[float]:
        return super().later() + ([self.time] if self.now < self.time else [])


def worth_of(policy: Any) -> Any:
    return worth(policy) if policy in POLICIES else lambda *_: 0.0


def changing(rule: Any, policies: list[Any], time: float) -> Any:
    """Return a rule of the first policy up to a time, and of the other one from then on."""
    before, after = map(rule, policies)
    return lambda loop, *given: (before if loop.now < time else after)(loop, *given)


def test_another_policy_goes_on_with_what_runs_as_the_slow_loop_does() -> None:
    """From and to policies without second copies, too: those that run go on all the same."""
    draw, known = np.random.default_rng(99), [*POLICIES, policy_class("fifo")]
    compared = ran = 0
    for _ in range(draws(120)):
        workload, cluster = random_case(draw)
        policies = [known[place] for place in draw.choice(len(known), 2, replace=False)]
        time = float(draw.integers(1, 24)) / 2
        loop = Forking(workload, cluster, policies, time)
        expected = loop.tasks()
        one, other = (PolicyChoice(policy.id) for policy in policies)
        try:
            first = simulate(workload, cluster, one, engine="interpreted")
        except StalledError:
            continue
        if len(expected) < len(workload.columns.job) or len(loop.ended) < len(workload.jobs):
            continue  # fillers hold all slots that what they wait for needs
        for engine in ENGINES:
            found = simulate_fork(workload, cluster, other, fork_of(first, time), engine=engine)
            for name in ("slot", "start", "shuffled", "end"):
                assert getattr(found, name).tolist() == [task[name] for task in expected], (policies, name)
            assert lost_of(found) == sorted(loop.lost, key=lambda lost: (lost.slot, lost.start, lost.end))
        compared += 1
        ran += any(each.start < time <= each.end for each in loop.lost)
    assert compared > draws(70)
    assert ran > draws(5)


def test_policies_that_kill_and_that_copy_do_not_follow_each_other() -> None:
    first = simulate(SEVERAL, Cluster(4, 2), PolicyChoice("saves-most"))
    killing = PolicyChoice("fewest-left")
    with pytest.raises(InputError, match="cannot go on with second copies of tasks, nor the other way round"):
        simulate_fork(SEVERAL, first.cluster, killing, fork_of(first, 15.0))
    suspending = PolicyChoice("fewest-left-suspends")
    with pytest.raises(InputError, match="suspends running tasks cannot go on under another policy"):
        simulate_fork(SEVERAL, first.cluster, suspending, fork_of(first, 15.0))


class Newest(Policy):
    """The job that came last goes first, and no task is killed for it."""

    id = "newest"

    def key(job: Any) -> Any:
        return -job.arrival


class ForkingKiller(SlowPreemption):
    """Likewise, of policies that kill running tasks."""

    def __init__(self, workload: Workload, cluster: Cluster, policies: list[Any], time: float) -> None:
        rules = (changing(each, policies, time) for each in (preference, worth_of_killing))
        super().__init__(workload, cluster, *rules, suspends=False)
        self.time = time

    def later(self) -> list[float]:
        return super().later() + ([self.time] if self.now < self.time else [])


def preference(policy: Any) -> Any:
    return test_preemption.prefer(test_preemption.LatestFirst if policy is Newest else policy)


def worth_of_killing(policy: Any) -> Any:
    return test_preemption.worth(policy) if policy in test_preemption.POLICIES else lambda *_: 0.0


def test_another_policy_goes_on_where_tasks_were_killed_as_the_slow_loop_does() -> None:
    draw, known = np.random.default_rng(17), [*test_preemption.POLICIES[:2], Newest]
    compared = killed = 0
    register_policy(Newest.id, Newest)
    for _ in range(draws(120)):
        workload, cluster = random_workload(draw), test_preemption.random_cluster(draw)
        policies = [known[place] for place in draw.choice(len(known), 2, replace=False)]
        time = float(draw.integers(1, 24)) / 2
        loop = ForkingKiller(workload, cluster, policies, time)
        expected = loop.tasks()
        one, other = (PolicyChoice(policy.id) for policy in policies)
        try:
            first = simulate(workload, cluster, one, engine="interpreted")
        except StalledError:
            continue
        if len(expected) < len(workload.columns.job) or len(loop.ended) < len(workload.jobs):
            continue  # fillers hold all slots that what they wait for needs
        for engine in ENGINES:
            found = simulate_fork(workload, cluster, other, fork_of(first, time), engine=engine)
            for name in ("slot", "start", "shuffled", "end"):
                assert getattr(found, name).tolist() == [task[name] for task in expected], (policies, name)
            parts = sorted(loop.parts, key=lambda part: (part.slot, part.start))
            assert test_preemption.parts_of(found) == parts
        compared, killed = compared + 1, killed + any(part.end < time for part in loop.parts)
    assert compared > draws(70)
    assert killed > draws(5)
