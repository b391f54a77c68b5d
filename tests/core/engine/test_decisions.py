"""A run stops exactly before any start, and goes on, also under another policy, as if it had not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError, StalledError
from core.model.schedule import PolicyChoice
from core.policies.policy import MAP, REDUCE
from core.simulation.simulate import Engine, Simulation
from tests import naive
from tests.builders import make_job, make_workload
from tests.core.engine.compared import begin, bits, columns, naive_columns
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_resume import ENGINES, whole
from tests.random_tests import examples

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])


@examples(20)
@given(case=cases(), engine=ENGINES)
def test_every_start_can_be_stopped_before(case: Case, engine: Engine) -> None:
    expected = whole(case, engine)
    kind = expected.workload.columns.kind
    stopping = begin(case, engine)
    for start, task in enumerate(expected.sequence.tolist()):
        decision = stopping.advance_to_start(start)
        assert decision is not None
        assert decision == stopping.moment().decision
        assert stopping.advance_to_start(start) == decision
        assert (decision.start, decision.slot) == (start, expected.slot[task])
        assert (decision.job, decision.kind) == (expected.workload.columns.job[task], kind[task])
        assert stopping.now == expected.start[task]
        assert stopping.started == start
    assert stopping.advance_to_start(expected.tasks) is None
    assert bits(stopping.schedule()) == bits(expected)


@examples(20)
@given(case=cases(), engine=ENGINES, data=st.data())
def test_a_copy_made_before_a_start_goes_on(case: Case, engine: Engine, data: st.DataObject) -> None:
    expected = whole(case, engine)
    start = data.draw(st.integers(0, expected.tasks - 1))
    original = begin(case, engine)
    original.advance_to_start(start)
    copy = original.fork()
    while not copy.advance():
        pass
    assert bits(copy.schedule()) == bits(expected)
    assert original.started == start


@examples(25)
@given(case=cases(), other=cases(), engine=ENGINES, data=st.data())
def test_another_policy_goes_on_as_in_the_naive_twin(
    case: Case, other: Case, engine: Engine, data: st.DataObject
) -> None:
    names = [job.name for job in case.workload.jobs]
    order = None if other.order is None else tuple(data.draw(st.permutations(names)))
    expected = whole(case, engine)
    start = data.draw(st.integers(0, expected.tasks - 1))
    twin = naive.Run(case.workload, case.cluster, case.policy, case.order).run(start)
    twin.serve(other.policy, order)
    twin.run()
    original = begin(case, engine)
    original.advance_to_start(start)
    before = bits(original.schedule())
    continued = original.with_policy(PolicyChoice(other.policy), order)
    assert bits(original.schedule()) == before
    if twin.stalled:
        with pytest.raises(StalledError):
            continued.advance()
        return
    while not continued.advance():
        pass
    assert columns(continued.schedule()) == naive_columns(twin)
    assert continued.schedule().choice.id == other.policy
    assert continued.schedule().sequence[:start].tolist() == expected.sequence[:start].tolist()


@both_engines
def test_the_other_policy_offers_free_slots_again(engine: Engine) -> None:
    """From 1 s on the second job goes first; its reduce takes the slot that is free at that time."""
    workload = make_workload(make_job("J1", (3, 2.0)), make_job("J2", (2, 2.0), (1, 1.0)))
    run = Simulation(workload, Cluster(1, 1), PolicyChoice("fifo"), engine=engine)
    run.advance(until=1.0)
    other = run.with_policy(PolicyChoice("fifo"), ["J2", "J1"])
    assert other.advance()
    assert other.schedule().start.tolist() == [0, 6, 8, 2, 4, 4]
    assert other.schedule().order == ("J2", "J1")
    assert other.schedule().rank.tolist() == [1, 0]
    assert run.advance()
    assert run.schedule().start.tolist() == [0, 2, 4, 6, 8, 8]


@both_engines
def test_a_start_that_is_past(engine: Engine) -> None:
    run = Simulation(
        make_workload(make_job("J1", (3, 2.0))), Cluster(1, 0), PolicyChoice("fifo"), engine=engine
    )
    run.advance_to_start(2)
    with pytest.raises(InputError, match="start number 1 is past: 2 tasks have started; go there in a new"):
        run.advance_to_start(1)


def test_going_to_a_start_can_be_cancelled() -> None:
    workload = make_workload(*(make_job(f"J{i}", (600, 1.0 + i)) for i in range(2)))
    run = Simulation(workload, Cluster(1, 0), PolicyChoice("fifo"), engine="interpreted")
    with pytest.raises(Cancelled, match="test was cancelled"):
        run.advance_to_start(1199, should_stop=lambda: True)


@both_engines
def test_a_moment_shows_slots_and_queues(engine: Engine) -> None:
    workload = make_workload(
        make_job("J1", (3, 2.0), (1, 5.0)), make_job("J2", (2, 3.0)), make_job("J3", (1, 1.0), arrival=50.0)
    )
    run = Simulation(workload, Cluster(2, 2, slowstart=0.5), PolicyChoice("fifo"), engine=engine)
    decision = run.advance_to_start(3)
    assert decision is not None
    assert (decision.slot_kind, decision.slot, decision.job, decision.kind) == (MAP, 1, 1, MAP)
    moment = run.moment()
    assert moment.cluster.now == 2
    assert moment.queues == ((1,), (0,))
    assert moment.free == ((1,), (2, 3))
    assert moment.running.tolist() == [2, -1, -1, -1]
    assert moment.jobs[0].started == [3, 0]
    assert moment.jobs[1].tasks == [2, 0]
    assert moment.pools[0].pending == [2, 1]
    assert moment.choose(MAP) == decision
    reduce = moment.choose(REDUCE)
    assert reduce is not None
    assert (reduce.slot, reduce.job, reduce.kind, reduce.start) == (2, 0, REDUCE, 3)
    run.advance()
    assert moment.running.tolist() == [2, -1, -1, -1]


@both_engines
def test_nothing_is_chosen_without_a_free_slot(engine: Engine) -> None:
    workload = make_workload(make_job("J1", (3, 2.0)))
    run = Simulation(workload, Cluster(1, 0), PolicyChoice("fifo"), engine=engine)
    run.advance(until=1.0)
    moment = run.moment()
    assert moment.choose(MAP) is None
    assert moment.decision is None
    assert [answer.job for answer in moment.answers(MAP)] == [0]
