"""A replay stands where it is asked to, whatever was asked before; the naive twin says what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain import replay as replay_module
from core.explain.decisions import decision_reason
from core.explain.instant import instant_at, instant_of
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.schedule import PolicyChoice, Schedule
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from tests import naive
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import bits
from tests.core.engine.slow_graphs import random_workload
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_resume import ENGINES
from tests.core.explain.runs import EVERY, finished
from tests.core.explain.test_instant import compare
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.simulation.simulate import Engine


@pytest.fixture(autouse=True)
def copies_close_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small workloads have copies on the way as well."""
    monkeypatch.setattr(replay_module, "MIN_STARTS", 3)


@examples(15)
@given(case=cases(policies=EVERY), engine=ENGINES, data=st.data())
def test_every_start_in_any_order(case: Case, engine: Engine, data: st.DataObject) -> None:
    schedule = finished(case)
    columns = schedule.workload.columns
    replay = Replay(schedule, engine=engine)
    places = data.draw(st.permutations(range(schedule.tasks)))
    for start in places[:10]:
        there = replay.before_start(start)
        decision, task = there.moment().decision, int(schedule.sequence[start])
        assert decision is not None
        assert (decision.job, decision.kind) == (columns.job[task], columns.kind[task])
        assert (decision.start, decision.slot) == (start, schedule.slot[task])
        assert there.now == schedule.start[task]
        there.advance()
    assert replay.before_start(places[0]).started == places[0]


@examples(25)
@given(case=cases(), engine=ENGINES, data=st.data())
def test_agrees_with_the_naive_twin_before_every_start(
    case: Case, engine: Engine, data: st.DataObject
) -> None:
    schedule = finished(case)
    start = data.draw(st.integers(0, schedule.tasks - 1))
    twin = naive.Run(case.workload, case.cluster, case.policy, case.order).run(start)
    instant = instant_of(Replay(schedule, engine=engine).before_start(start))
    assert (instant.time, instant.decision) == (twin.now, start)
    compare(instant, twin, case.cluster)


@examples(25)
@given(case=cases(policies=EVERY), time=st.sampled_from((0.0, 1.0, 2.5, 4.0, 9.0, 50.0)), data=st.data())
def test_at_a_time(case: Case, time: float, data: st.DataObject) -> None:
    """The schedule says the same; after its end nothing happens."""
    schedule = finished(case)
    time = min(time, schedule.makespan)
    replay = Replay(schedule)
    there = instant_of(replay.at(time))
    expected = instant_at(schedule, time)
    for name in ("time", "decision", "free", "queues"):
        assert getattr(there, name) == getattr(expected, name), name
    for name in ("slot_task", "running", "done", "fillers"):
        assert getattr(there, name).tolist() == getattr(expected, name).tolist(), name
    decisions = data.draw(st.integers(0, 5))
    before = int((schedule.start < time).sum())
    assert replay.at(time, decisions).started == min(before + decisions, there.decision)


@pytest.fixture
def fifo() -> Schedule:
    return run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))


def test_going_on_from_a_place_gives_the_schedule(fifo: Schedule) -> None:
    there = Replay(fifo).before_start(100)
    while not there.advance():
        pass
    assert bits(there.schedule()) == bits(fifo)


def test_every_part_of_a_forked_schedule_is_decided_by_its_own_policy(fifo: Schedule) -> None:
    once = simulate_fork(fifo.workload, fifo.cluster, PolicyChoice("fair"), fork_of(fifo, 5.0))
    twice = simulate_fork(fifo.workload, fifo.cluster, PolicyChoice("sjf"), fork_of(once, 35.0))
    replay = Replay(twice)
    for start in range(twice.tasks):
        there = replay.before_start(start)
        reason = decision_reason(there)
        assert reason is not None
        assert reason.winner is not None
        task = int(twice.sequence[start])
        assert (reason.slot, reason.winner.job) == (twice.slot[task], twice.workload.columns.job[task])
        time = twice.start[task]
        assert there.choice.id == ("fifo" if time < 5 else "fair" if time < 35 else "sjf")


def test_there_is_no_such_start(fifo: Schedule) -> None:
    for start in (-1, 300):
        with pytest.raises(ValueError, match="not one of the 300 starts"):
            Replay(fifo).before_start(start)


def test_a_replay_can_be_cancelled() -> None:
    workload = make_workload(*(make_job(f"J{i}", (600, 1.0 + i)) for i in range(2)))
    with pytest.raises(Cancelled):
        Replay(run(workload, Cluster(1, 0)), engine="interpreted").before_start(1199, lambda: True)


@pytest.mark.parametrize("seed", range(8))
def test_at_a_time_of_an_application(seed: int) -> None:
    """Stages are counted one by one, as the schedule has them; a job has any number of them."""
    draw = np.random.default_rng(seed)
    workload = random_workload(draw)
    schedule = simulate(workload, Cluster(30, 30), PolicyChoice("fifo"))
    replay = Replay(schedule)
    for time in draw.uniform(0.0, schedule.makespan, 4).tolist():
        there, expected = instant_of(replay.at(time)), instant_at(schedule, time)
        for name in ("slot_task", "running", "done", "fillers"):
            assert getattr(there, name).tolist() == getattr(expected, name).tolist(), name
