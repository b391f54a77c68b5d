"""Another policy goes on from an instant: what was before stays, what comes after keeps every rule."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.critical_path import critical_path
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError, StalledError
from core.model.schedule import Fork, PolicyChoice, Schedule
from core.simulation.fork import fork_of, simulate_fork
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import bits
from tests.core.engine.rules import (
    RULES,
    no_schedule_beats_the_lower_bound,
    no_slot_idles_while_a_task_could_start,
    slots_run_their_own_kind,
)
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_resume import ENGINES
from tests.core.explain.conftest import example_policies as example_policies
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples

BROKEN_BY_SOME_POLICIES = (
    slots_run_their_own_kind,
    no_slot_idles_while_a_task_could_start,
    no_schedule_beats_the_lower_bound,  # it holds for typed slots that are not lent
)
TIMES = st.sampled_from((0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 12.0, 40.0))


def forked(first: Schedule, fork: Fork, policy: str, engine: str = "interpreted") -> Schedule:
    try:
        return simulate_fork(first.workload, first.cluster, PolicyChoice(policy), fork, engine=engine)  # type: ignore[arg-type]
    except (StalledError, InputError):
        assume(False)
        raise


@examples(25)
@given(
    case=cases(policies=EVERY),
    policy=st.sampled_from(EVERY),
    time=TIMES,
    decisions=st.integers(0, 4),
    engine=ENGINES,
)
def test_what_was_before_stays(case: Case, policy: str, time: float, decisions: int, engine: str) -> None:
    first = finished(case)
    other = forked(first, fork_of(first, time, decisions), policy, engine)
    before = int((first.start < time).sum())
    kept = min(before + decisions, int((first.start <= time).sum()))
    tasks = first.sequence[:kept]
    assert other.sequence[:kept].tolist() == tasks.tolist()
    assert other.slot[tasks].tolist() == first.slot[tasks].tolist()
    assert other.start[tasks].tolist() == first.start[tasks].tolist()
    assert (other.start[other.sequence[kept:]] >= time).all()
    assert (other.choice.id, other.order) == (policy, None)
    assert [broken for rule in RULES if rule not in BROKEN_BY_SOME_POLICIES for broken in rule(other)] == []
    if other.makespan:
        assert critical_path(other).links[-1].end == other.makespan


@examples(20)
@given(case=cases(), time=TIMES, decisions=st.integers(0, 4), engine=ENGINES)
def test_the_same_policy_goes_on_as_if_nothing_had_been(
    case: Case, time: float, decisions: int, engine: str
) -> None:
    first = finished(case)
    fork = fork_of(first, time, decisions)
    again = simulate_fork(first.workload, first.cluster, first.choice, fork, order=first.order, engine=engine)  # type: ignore[arg-type]
    assert bits(again) == bits(first)


def test_five_jobs_by_hand() -> None:
    """FIFO until 5 s has run the maps of J1 and J2; then the shortest jobs first: J5, J3, J4."""
    fifo = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))
    other = forked(fifo, fork_of(fifo, 5.0), "sjf")
    assert other.stage_end.tolist() == [4, 5, 37, 43, 7]
    assert other.makespan == 73
    assert other.fork == Fork(5.0, 0, PolicyChoice("fifo"))
    assert other.in_order is False


def test_some_decisions_of_the_instant_stay() -> None:
    """Of the three maps that start at 0 s the first belongs to J1, the others to the other order."""
    workload = make_workload(make_job("J1", (3, 4.0)), make_job("J2", (3, 4.0)))
    first = run(workload, Cluster(3, 0), order=("J1", "J2"))
    fork = fork_of(first, 0.0, 1)
    other = simulate_fork(workload, first.cluster, PolicyChoice("fifo"), fork, order=("J2", "J1"))
    assert other.start.tolist() == [0, 4, 4, 0, 0, 4]
    assert (fork.order, other.order) == (("J1", "J2"), ("J2", "J1"))


def test_a_fork_of_a_fork() -> None:
    fifo = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))
    fair = forked(fifo, fork_of(fifo, 5.0), "fair")
    again = forked(fair, fork_of(fair, 20.0), "fifo")
    assert again.fork == Fork(20.0, 0, fair.choice, fork=fair.fork)
    earlier = forked(fair, fork_of(fair, 3.0), "sjf")
    assert earlier.fork == Fork(3.0, 0, PolicyChoice("fifo"))
    assert bits(earlier) == bits(forked(fifo, fork_of(fifo, 3.0), "sjf"))


@pytest.mark.parametrize("time", [-1.0, float("nan"), float("inf")])
def test_times_that_are_none(time: float) -> None:
    fifo = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30))
    with pytest.raises(InputError, match="forks at 0 s or later"):
        fork_of(fifo, time)


def test_progress_and_cancel() -> None:
    workload = two_stage_workload([(1.0 + i / 1000, 1.0) for i in range(60)])
    fifo = run(workload, Cluster(1, 1))
    seen: list[float] = []
    simulate_fork(
        workload,
        fifo.cluster,
        PolicyChoice("fair"),
        fork_of(fifo, 100.0),
        progress=seen.append,
        engine="interpreted",
    )
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[-1] < 1
    with pytest.raises(Cancelled, match="test was cancelled"):
        simulate_fork(
            workload,
            fifo.cluster,
            PolicyChoice("fair"),
            fork_of(fifo, 100.0),
            should_stop=lambda: True,
            engine="interpreted",
        )
