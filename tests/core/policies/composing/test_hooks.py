"""Every hook of a policy does what its name says, compiled as interpreted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP, REDUCE
from core.policies.composing import hooks
from core.policies.composing.kernel import compiled_kernel
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine import rules
from tests.core.engine.compared import ENGINES, begin, outcome
from tests.core.engine.strategies import Case, cases
from tests.core.policies.example_policies import GOOD
from tests.lines_run import lines_run
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload

LENDERS = ("by-pool-lends", "pool-first", "capped-pools-first", "turned-by-pools", "all-lent", "auditor")
DECLINERS = ("at-most", "parameters", "alternating", "capped-pools", "capped-jobs", "capped-fair", "by-crowd")


EXAMPLES = cases(policies=tuple(policy.id for policy in GOOD))


@examples(30)
@given(case=EXAMPLES, instants=st.integers(1, 3))
def test_compiled_interpreted_and_sliced_runs_agree(case: Case, instants: int) -> None:
    expected = outcome(begin(case, "interpreted"))
    assert outcome(begin(case, "compiled")) == expected
    assert outcome(begin(case, "interpreted"), instants) == expected
    assert outcome(begin(case, "compiled"), instants) == expected


@pytest.mark.parametrize("policy", GOOD)
def test_the_example_really_compiles(policy: Any) -> None:
    """Otherwise it would quietly run interpreted, and the test above would compare that with itself."""
    assert compiled_kernel(policy).nopython_signatures


@examples(25)
@given(case=EXAMPLES)
def test_the_rules_hold(case: Case) -> None:
    """All that apply: policies may decline, and those that lend run tasks on slots of the other kind."""
    try:
        schedule = run(case.workload, case.cluster, case.policy, engine="compiled")
    except StalledError:
        return
    assert {rule.__name__: found for rule in _rules(case.policy) if (found := rule(schedule))} == {}


def _rules(policy: str) -> list[Callable[[Schedule], list[str]]]:
    left_out: set[Any] = set()
    if policy in LENDERS:
        left_out = {
            rules.slots_run_their_own_kind,
            rules.no_slot_idles_while_a_task_could_start,
        }
    if policy in DECLINERS:
        left_out |= {rules.no_slot_idles_while_a_task_could_start}
    return [rule for rule in rules.RULES if rule not in left_out]


@examples(20)
@given(case=cases(policies=("auditor",)))
def test_what_the_simulator_counts_is_right(case: Case) -> None:
    """The policy counts again before each decision and raises an error where the counts differ."""
    outcome(begin(case, "interpreted"))


# ---- by hand

both_engines = pytest.mark.parametrize("engine", ENGINES)


def simulated(
    workload: Workload, cluster: Cluster, policy: str, engine: Engine, **parameters: Any
) -> Schedule:
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine=engine)


@both_engines
@pytest.mark.parametrize(("most", "end"), [(1, 4), (2, 2), (3, 2), (4, 1), (9, 1)])
def test_plan_and_admits(engine: Engine, most: int, end: float) -> None:
    workload = make_workload(make_job("J1", (4, 1.0)))
    assert simulated(workload, Cluster(4, 0), "at-most", engine, most=most).makespan == end


@both_engines
def test_tuple_keys_compare_number_by_number(engine: Engine) -> None:
    workload = make_workload(
        make_job("light", (1, 1.0), pool="a", weight=1.0),
        make_job("other pool", (1, 1.0), pool="b", weight=9.0),
        make_job("heavy", (1, 1.0), pool="a", weight=2.0),
        make_job("as heavy", (1, 1.0), pool="a", weight=2.0),
    )
    assert simulated(workload, Cluster(1, 0), "tuple-key", engine).finish.tolist() == [3, 4, 1, 2]


@both_engines
def test_parameters_reach_the_hooks(engine: Engine) -> None:
    workload = make_workload(make_job("short", (2, 1.0), weight=1.0), make_job("long", (4, 1.0), weight=3.0))

    def starts(**parameters: Any) -> list[float]:
        schedule = simulated(workload, Cluster(1, 0), "parameters", engine, **parameters)
        return [int(workload.columns.job[task]) for task in schedule.sequence]

    assert starts() == [0, 0, 1, 1, 1, 1]  # nothing runs when the one slot is free: all keys are 0
    assert starts(longest_first=True) == [1, 1, 1, 1, 0, 0]
    shared = [
        simulated(workload, Cluster(4, 0), "parameters", engine, exponent=exponent).start[:2].tolist()
        for exponent in (2.0, -5.0)
    ]
    assert shared == [[0, 1], [0, 0]]  # a heavy job takes three slots, and light ones with a negative power
    capped = simulated(workload, Cluster(4, 0), "parameters", engine, most=1)
    assert capped.makespan == 4


@both_engines
def test_pools_share_whatever_their_jobs(engine: Engine) -> None:
    many = [make_job(f"red {i}", (4, 1.0), pool="red") for i in range(3)]
    workload = make_workload(*many, make_job("blue", (4, 1.0), pool="blue"))
    schedule = simulated(workload, Cluster(4, 0), "by-pool", engine)
    blue = rules.tasks_of(schedule, 3, MAP)
    assert schedule.start[blue].tolist() == [0, 0, 1, 1]
    assert schedule.makespan == 4


@both_engines
@pytest.mark.parametrize(("maps", "reduces"), [(320, 200), (90, 18), (7, 100), (1, 1)])
def test_lent_slots_finish_as_the_formula_says(engine: Engine, maps: int, reduces: int) -> None:
    """002 section IV.B: both phases of one job use all slots, instead of those of their own kind."""
    map_slots, reduce_slots, map_seconds, reduce_seconds = 9, 4, 5.0, 8.0
    workload = make_workload(make_job("J1", (maps, map_seconds), (reduces, reduce_seconds)))
    cluster = Cluster(map_slots, reduce_slots, slowstart=1.0)
    every = map_slots + reduce_slots
    lent = math.ceil(maps / every) * map_seconds + math.ceil(reduces / every) * reduce_seconds
    own = math.ceil(maps / map_slots) * map_seconds + math.ceil(reduces / reduce_slots) * reduce_seconds
    assert simulated(workload, cluster, "all-lent", engine).makespan == lent
    assert simulated(workload, cluster, "pool-first", engine).makespan == lent
    assert simulated(workload, cluster, "fifo", engine).makespan == own


@both_engines
def test_lending_keeps_to_its_limit(engine: Engine) -> None:
    """Half of the four map slots are lent; the reduces then run 2 + 2 at a time."""
    workload = make_workload(make_job("J1", (0,), (8, 1.0)))
    schedule = simulated(workload, Cluster(4, 2), "by-pool-lends", engine)
    assert schedule.makespan == 2
    assert sorted(set(schedule.slot.tolist())) == [0, 1, 4, 5]


@both_engines
def test_pool_first_takes_the_other_kind_of_task_of_the_first_pool(engine: Engine) -> None:
    """Slots 0 to 2 are for maps: red takes the first, then blue, with reduces only, the one for reduces.

    Both have one, red comes first; then blue is first again and gets a map slot for a reduce.
    """
    workload = make_workload(
        make_job("red", (4, 1.0), pool="red"), make_job("blue", (0,), (4, 1.0), pool="blue")
    )
    schedule = simulated(workload, Cluster(3, 1), "pool-first", engine)
    assert schedule.slot[[0, 1, 4, 5]].tolist() == [0, 1, 3, 2]
    assert schedule.sequence[:4].tolist() == [0, 4, 1, 5]
    typed = simulated(workload, Cluster(3, 1), "by-pool", engine)
    assert typed.slot[[0, 1, 2, 4]].tolist() == [0, 1, 2, 3]


@both_engines
def test_what_the_first_pool_declines_goes_to_the_next(engine: Engine) -> None:
    """Red has more to do and goes first; its cap of 2, and of 1 for each of its jobs, lets blue in."""
    workload = make_workload(
        make_job("red", (8, 1.0), pool="red"),
        make_job("red too", (1, 2.0), pool="red"),
        make_job("blue", (3, 1.0), pool="blue"),
    )
    schedule = simulated(workload, Cluster(4, 0), "capped-pools", engine)
    assert schedule.start.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 2]
    assert schedule.slot[[0, 8, 9]].tolist() == [0, 1, 2]


@both_engines
def test_pools_first_tries_both_kinds_before_the_next_pool(engine: Engine) -> None:
    """Red's maps and reduces fill its caps, first on slots of their own kind; blue gets the rest."""
    workload = make_workload(
        make_job("red", (9, 9.0), pool="red"),
        make_job("red too", (9, 9.0), pool="red"),
        make_job("red three", (0,), (1, 9.0), pool="red"),
        make_job("blue", (2, 9.0), (2, 9.0), pool="blue"),
    )
    schedule = simulated(workload, Cluster(4, 1, slowstart=0.0), "capped-pools-first", engine)
    first = schedule.sequence[:5]
    assert workload.columns.job[first].tolist() == [0, 1, 2, 3, 3]
    assert workload.columns.kind[first].tolist() == [MAP, MAP, REDUCE, MAP, REDUCE]


@both_engines
def test_a_cap_of_pools_without_an_order_among_them(engine: Engine) -> None:
    workload = make_workload(
        make_job("red", (3, 1.0), pool="red"),
        make_job("red too", (1, 1.0), pool="red"),
        make_job("blue", (2, 1.0), pool="blue"),
    )
    capped = simulated(workload, Cluster(4, 0), "capped-jobs", engine)
    assert capped.start.tolist() == [0, 1, 2, 3, 0, 1]
    twice = simulated(workload, Cluster(4, 0), "capped-jobs", engine, most=2)
    assert twice.start.tolist() == [0, 0, 1, 1, 0, 0]


@both_engines
def test_the_free_form(engine: Engine) -> None:
    workload = make_workload(*(make_job(f"J{i}", (1, 1.0), (1, 1.0)) for i in range(3)))
    assert simulated(workload, Cluster(1, 1), "last-in", engine).finish.tolist() == [4, 3, 2]


@both_engines
def test_an_order_with_a_parameter(engine: Engine) -> None:
    workload = make_workload(make_job("few", (1, 1.0)), make_job("many", (3, 1.0)))
    assert simulated(workload, Cluster(1, 0), "most-tasks", engine).finish.tolist() == [4, 3]
    assert simulated(workload, Cluster(1, 0), "most-tasks", engine, fewest=True).finish.tolist() == [1, 4]


@both_engines
def test_memory_starts_empty_in_every_run(engine: Engine) -> None:
    workload = make_workload(*(make_job(f"J{i}", (3, 1.0), (2, 1.0)) for i in range(4)))
    first, second = (simulated(workload, Cluster(2, 1), "alternating", engine) for _ in range(2))
    assert first.start.tolist() == second.start.tolist()


def test_untyped_containers_serve_the_earlier_job_whatever_it_needs() -> None:
    """Job 1's reduces go before job 2's maps, its maps before its reduces."""
    workload = make_workload(make_job("J1", (2, 1.0), (2, 1.0)), make_job("J2", (2, 1.0), (2, 1.0)))
    schedule = run(workload, Cluster(0, 0, slowstart=1.0, containers=2))
    assert schedule.start.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_pools_that_decline_are_looked_at_once() -> None:
    """The map slots are full, and every pool has maps: each was compared with every other one."""

    def lines(pools: int) -> int:
        jobs = (make_job(f"J{i}", (3, 1.0 + i), (1, 1.0), pool=f"pool {i}") for i in range(pools))
        workload = make_workload(*jobs)
        return lines_run(lambda: run(workload, Cluster(2, 2), "dhfs-pi", engine="interpreted")) // pools

    assert lines(96) < 4 * lines(32)


def test_what_hooks_are_is_read_from_their_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drag simulates at every step: to parse the hooks each time took longer than a small run."""
    workload = make_workload(make_job("J1", (2, 1.0), (2, 1.0)))
    run(workload, Cluster(2, 2), "fair")

    def refuse(_function: object) -> Any:
        raise AssertionError

    monkeypatch.setattr(hooks, "syntax_tree_of", refuse)
    assert run(workload, Cluster(2, 2), "fair").makespan == 2.0
