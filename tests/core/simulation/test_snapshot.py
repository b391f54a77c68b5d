"""At every decision the policy's answers about the candidates tell what it picks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError, StalledError
from core.model.schedule import PolicyChoice
from core.policies import registry
from core.policies.policy import MAP, REDUCE
from core.simulation.simulate import Simulation
from tests.builders import make_job, make_workload
from tests.core.engine.strategies import Case, cases
from tests.core.policies.conftest import example_policies as example_policies
from tests.core.policies.example_policies import GOOD
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.simulation.simulate import Engine
    from core.simulation.snapshot import Answer, Decision

ENGINES = st.sampled_from(("compiled", "interpreted"))
EVERY = tuple(policy.id for policy in (*registry.POLICIES, *GOOD))
HEIRS = tuple(policy.id for policy in (*registry.POLICIES, *GOOD) if not hasattr(policy, "replanner"))
both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])


def begin(case: Case, engine: Engine) -> Simulation:
    choice = PolicyChoice(case.policy)
    try:
        return Simulation(case.workload, case.cluster, choice, order=case.order, engine=engine)
    except InputError:  # a policy that needs typed slots
        assume(False)
        raise


@examples(25)
@given(case=cases(policies=EVERY), engine=ENGINES)
def test_the_preferred_candidate_is_picked(case: Case, engine: Engine) -> None:
    run = begin(case, engine)
    free_form = hasattr(registry.policy_class(case.policy), "choose")
    while True:
        try:
            decision = run.advance_to_start(run.started + (run.moment().decision is not None))
        except StalledError:
            return
        if decision is None:
            return
        answers = run.moment().answers(decision.slot_kind)
        if free_form:
            assert (decision.job, decision.kind) in [(answer.job, answer.kind) for answer in answers]
            continue
        assert (answers[0].job, answers[0].kind, answers[0].may_start) == (decision.job, decision.kind, True)
        assert run.moment().choose(decision.slot_kind) == decision


@examples(20)
@given(case=cases(policies=HEIRS), engine=ENGINES, until=st.integers(0, 9))
def test_what_it_would_choose_comes_next(case: Case, engine: Engine, until: int) -> None:
    """Asked between two instants, a fresh policy says what it then starts; asking changes nothing."""
    first = begin(case, "interpreted")
    try:
        assume(not first.advance(until=float(until)))
    except StalledError:
        return
    run = first.with_policy(PolicyChoice("fifo" if case.policy == "order" else case.policy))
    chosen: Decision | None = run.moment().choose(MAP)
    run.moment().answers(MAP)
    assert run.moment().choose(MAP) == chosen
    try:
        next_start = run.advance_to_start(run.started)
    except StalledError:
        assert chosen is None
        return
    if chosen is not None:
        assert next_start == chosen


@both_engines
def test_answers_say_who_may_and_in_what_order(engine: Engine) -> None:
    workload = make_workload(
        make_job("red", (5, 1.0), pool="red"),
        make_job("red too", (5, 1.0), pool="red"),
        make_job("blue", (1, 1.0), (1, 1.0), pool="blue"),
    )
    cluster = Cluster(4, 1, slowstart=0.0)
    run = Simulation(workload, cluster, PolicyChoice("capped-pools-first"), engine=engine)
    run.advance_to_start(2)

    def told(answer: Answer) -> tuple[Any, ...]:
        kind = ("map", "reduce")[answer.kind]
        return workload.jobs[answer.job].name, kind, answer.pool_admits, answer.admits, answer.pool_key

    assert [told(answer) for answer in run.moment().answers(MAP)] == [
        ("blue", "map", True, True, (-1.0,)),
        ("blue", "reduce", True, True, (-1.0,)),
        ("red", "map", False, False, (-8.0,)),
        ("red too", "map", False, False, (-8.0,)),
    ]
    assert run.moment().answers(REDUCE)[0].kind == REDUCE


@both_engines
def test_slots_that_may_not_be_lent(engine: Engine) -> None:
    """Half of the two map slots may run a reduce."""
    workload = make_workload(make_job("J1", (0,), (8, 1.0)))
    run = Simulation(workload, Cluster(2, 1), PolicyChoice("by-pool-lends"), engine=engine)
    assert [answer.lends for answer in run.moment().answers(MAP)] == []
    run.advance_to_start(1)
    assert [answer.lends for answer in run.moment().answers(MAP)] == [True]
    run.advance(until=0.5)
    assert [answer.lends for answer in run.moment().answers(MAP)] == [False]


def test_an_exception_of_a_hook_is_a_sentence() -> None:
    run = Simulation(make_workload(make_job("J1", (4, 1.0))), Cluster(1, 0), PolicyChoice("fifo"))
    run.advance(until=0.0)
    moment = run.with_policy(PolicyChoice("divides")).moment()
    with pytest.raises(PolicyError, match="policy divides raised ZeroDivisionError at 0:00"):
        moment.answers(MAP)
