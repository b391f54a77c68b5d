"""Jobs in trees are picked as when every waiting job is asked."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies import registry
from core.policies.composing import templates
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import compiled_kernel, interpreted_kernel
from core.simulation.simulate import Simulation
from tests import random_tests
from tests.core.engine.compared import begin, outcome
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_oracle import agree
from tests.core.policies.example_policies import GOOD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.simulation.simulate import Engine

CROWDS = (1, 2, 3) if random_tests.is_thorough else (1,)
"""Seeds of workloads with many jobs at once."""

BY_TREE = tuple(policy.id for policy in (*registry.POLICIES, *GOOD) if hooks_of(policy).uses_tree)
FORMS = {hooks.template: hooks.policy.id for hooks in map(hooks_of, GOOD) if hooks.uses_tree}
ONE_OF_EACH_FORM = tuple(FORMS.values())
HEIRS = tuple(
    policy.id
    for policy in (*registry.POLICIES, *GOOD)
    if policy.id in BY_TREE and not hasattr(policy, "replanner")
)

# The fixture holds for all examples of a test, as it should.
always = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture
def trees_for_few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let trees be used however few jobs wait."""
    monkeypatch.setattr(templates, "FEW", 0)
    for kernel in (interpreted_kernel, compiled_kernel):
        kernel.cache_clear()
    yield
    for kernel in (interpreted_kernel, compiled_kernel):
        kernel.cache_clear()


def scanning(case: Case) -> Simulation:
    """A run whose policy asks every waiting job."""
    run = begin(case, "interpreted")
    run._choose = interpreted_kernel(registry.policy_class(case.policy), use_tree=False)  # type: ignore[arg-type]
    return run


def crowd(policy: str, seed: int, jobs: int = 90) -> Case:
    """Many jobs of three pools, more than FEW of them waiting at times."""
    source = random.Random(f"{policy} {seed}")

    def stage(most: int) -> Stage:
        seconds = [source.choice((1.0, 1.5, 2.0, 7.0)) for _ in range(3)]
        return Stage.of(source.randint(0, most), seconds, 1.0, 2.0)

    made = [
        Job(
            f"J{i}",
            stage(9),
            stage(5),
            arrival=source.choice((0.0, 0.0, 5.0, 20.0, 21.0)),
            weight=source.choice((0.3, 1.0, 2.0)),
            pool=source.choice(("red", "green", "blue")),
        )
        for i in range(jobs)
    ]
    workload = Workload("crowd", tuple(job for job in made if job.task_count))
    slots = source.randint(3, 12), source.randint(2, 8)
    return Case(workload, Cluster(*slots, source.choice((0.0, 0.3, 1.0))), policy, None)


def test_most_examples_keep_answers() -> None:
    """So the tests below test something."""
    assert {policy.id for policy in GOOD if hooks_of(policy).uses_tree} == {
        "at-most",
        "parameters",
        "by-pool",
        "by-pool-lends",
        "pool-first",
        "capped-jobs",
        "capped-fair",
        "by-crowd",
        "turned-by-pools",
    }


@pytest.mark.usefixtures("trees_for_few")
@always
@given(case=cases(policies=BY_TREE), instants=st.none() | st.integers(1, 3))
def test_small_workloads(case: Case, instants: int | None) -> None:
    assert outcome(begin(case, "interpreted"), instants) == outcome(scanning(case))


@pytest.mark.usefixtures("trees_for_few")
@always
@given(case=cases(policies=BY_TREE if random_tests.is_thorough else ONE_OF_EACH_FORM))
def test_small_workloads_compiled(case: Case) -> None:
    """Each policy is compiled for this test alone, which takes longer than the test."""
    assert outcome(begin(case, "compiled")) == outcome(scanning(case))


@pytest.mark.usefixtures("trees_for_few")
@always
@given(case=cases())
def test_trees_agree_with_the_naive_twin(case: Case) -> None:
    agree(case)


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
@pytest.mark.parametrize("policy", BY_TREE)
@pytest.mark.parametrize("seed", CROWDS)
def test_crowds_that_need_a_tree_now_and_then(policy: str, seed: int, engine: Engine) -> None:
    case = crowd(policy, seed)
    assert outcome(begin(case, engine)) == outcome(scanning(case))


@pytest.mark.parametrize("policy", HEIRS)
@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
def test_another_policy_finds_the_jobs_that_wait(policy: str, engine: Engine) -> None:
    """A tree policy goes on with the run of another one, as one that scans does."""
    case = crowd(policy, 4)
    run = Simulation(case.workload, case.cluster, PolicyChoice("fifo"), engine=engine)
    run.advance_to_start(60)
    expected = run.with_policy(PolicyChoice(policy))
    if engine == "interpreted":
        expected._choose = interpreted_kernel(registry.policy_class(policy), use_tree=False)  # type: ignore[arg-type]
        assert outcome(run.with_policy(PolicyChoice(policy))) == outcome(expected)
    else:
        other = Simulation(case.workload, case.cluster, PolicyChoice("fifo"), engine="interpreted")
        other.advance_to_start(60)
        assert outcome(expected) == outcome(other.with_policy(PolicyChoice(policy)))
