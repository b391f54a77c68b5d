"""A run may be cut into slices, copied and repeated: the schedule stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import Cancelled, StalledError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import Simulation, simulate
from tests.builders import make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import begin, bits
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

ENGINES = st.sampled_from(("compiled", "interpreted"))


def whole(case: Case, engine: Engine) -> Schedule:
    """Run to the end, or give the example up if it stalls."""
    try:
        return run(case.workload, case.cluster, case.policy, order=case.order, engine=engine)
    except StalledError:
        assume(False)
        raise


def to_the_end(simulation: Simulation) -> Schedule:
    while not simulation.advance():
        pass
    return simulation.schedule()


@examples(25)
@given(case=cases(), engine=ENGINES, instants=st.lists(st.integers(1, 5), min_size=1))
def test_slices_of_instants(case: Case, engine: Engine, instants: list[int]) -> None:
    expected = whole(case, engine)
    sliced = begin(case, engine)
    turn = 0
    while not sliced.advance(instants=instants[turn % len(instants)]):
        turn += 1
    assert bits(sliced.schedule()) == bits(expected)


@examples(25)
@given(case=cases(), engine=ENGINES, step=st.sampled_from((0.5, 1.0, 2.5)))
def test_slices_of_time(case: Case, engine: Engine, step: float) -> None:
    """Between the slices nothing is later than the time that was asked for."""
    expected = whole(case, engine)
    sliced = begin(case, engine)
    until = 0.0
    while not sliced.advance(until):
        assert sliced.now <= until
        started = sliced.schedule().start
        assert np.all(np.isnan(started) == (expected.start > until))
        until += step
    assert bits(sliced.schedule()) == bits(expected)


@examples(25)
@given(case=cases(), engine=ENGINES, instants=st.integers(0, 12))
def test_a_copy_goes_on_by_itself(case: Case, engine: Engine, instants: int) -> None:
    expected = whole(case, engine)
    original = begin(case, engine)
    original.advance(instants=instants)
    copy = original.fork()
    before = bits(original.schedule())
    assert bits(to_the_end(copy)) == bits(expected)
    assert bits(original.schedule()) == before
    assert bits(to_the_end(original)) == bits(expected)


@examples(20)
@given(case=cases(), engine=ENGINES)
def test_the_same_bits_twice(case: Case, engine: Engine) -> None:
    assert bits(whole(case, engine)) == bits(whole(case, engine))


@examples(25)
@given(case=cases(policies=("order",)), engine=ENGINES, data=st.data())
def test_under_an_order_the_input_order_does_not_matter(
    case: Case, engine: Engine, data: st.DataObject
) -> None:
    names = tuple(job.name for job in case.workload.jobs)
    order = (*case.order, *(name for name in names if name not in case.order)) if case.order else names
    shuffled = case.workload.with_jobs(data.draw(st.permutations(case.workload.jobs)))
    one = whole(Case(case.workload, case.cluster, "order", order), engine)
    other = whole(Case(shuffled, case.cluster, "order", order), engine)
    there = [other.workload.job_index[name] for name in names]
    assert one.finish.tolist() == other.finish[there].tolist()
    assert one.stage_end.tolist() == other.stage_end[there].tolist()


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
def test_the_clock_never_goes_back(engine: Engine) -> None:
    workload = make_workload(make_job("J1", (2, 10.0)))
    simulation = Simulation(workload, Cluster(1, 1), PolicyChoice("fifo"), engine=engine)
    assert not simulation.advance(7.0)
    assert simulation.now == 7.0
    assert not simulation.advance(3.0)
    assert simulation.now == 7.0
    assert simulation.advance()
    assert simulation.schedule().end.tolist() == [10, 20]


def test_a_partial_schedule_tells_what_has_not_started() -> None:
    workload = make_workload(make_job("J1", (2, 10.0), (1, 5.0)), make_job("J2", (1, 1.0), arrival=50.0))
    simulation = Simulation(workload, Cluster(1, 1), PolicyChoice("fifo"), engine="interpreted")
    simulation.advance(12.0)
    schedule = simulation.schedule()
    assert schedule.slot.tolist() == [0, 0, 1, -1]
    assert schedule.sequence.tolist() == [0, 1, 2]
    assert schedule.start[:3].tolist() == [0, 10, 10]
    assert np.isnan(schedule.start[3])
    assert np.isnan(schedule.end[2])  # its map stage runs on
    assert schedule.finish.tolist() == [np.inf, np.inf]
    assert simulation.progress == 0.25


def test_progress_rises_and_cancel_stops() -> None:
    workload = two_stage_workload([(1.0 + i / 1000, 1.0) for i in range(60)])
    seen: list[float] = []
    simulate(workload, Cluster(1, 1), PolicyChoice("fifo"), progress=seen.append, engine="interpreted")
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert 0 < seen[0] < seen[-1] < 1
    with pytest.raises(Cancelled, match="test was cancelled"):
        simulate(
            workload, Cluster(1, 1), PolicyChoice("fifo"), should_stop=lambda: True, engine="interpreted"
        )
