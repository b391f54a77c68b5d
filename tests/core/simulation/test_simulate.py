"""The front of the engine: what it takes, what it refuses, what it notes."""

from __future__ import annotations

from typing import Any

import pytest

from core.engine.compiled import compiled_advance
from core.engine.variants import ANY_KIND, TYPED
from core.model.cluster import Cluster
from core.model.errors import InputError, UnknownName
from core.model.schedule import PolicyChoice
from core.policies.composing.kernel import compiled_kernel, kernels
from core.policies.policy import Policy
from core.policies.registry import describe, policies
from core.simulation import engine_selection
from core.simulation.engine_selection import use_compiled
from core.simulation.simulate import Simulation, simulate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

WORKLOAD = two_stage_workload(FIVE_JOBS)


@pytest.mark.parametrize(
    ("cluster", "sentence"),
    [
        (Cluster(0, 1), "test has 150 map tasks and the cluster no map slot; give it at least one"),
        (Cluster(1, 0), "test has 150 reduce tasks and the cluster no reduce slot; give it at least one"),
    ],
)
def test_the_cluster_needs_slots_of_each_kind(cluster: Cluster, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        run(WORKLOAD, cluster)


def test_slots_of_a_kind_that_nobody_needs_may_be_missing() -> None:
    assert run(make_workload(make_job("J1", (2, 1.0))), Cluster(1, 0)).makespan == 2
    assert run(make_workload(make_job("J1", (0,), (2, 1.0))), Cluster(0, 1)).makespan == 2


def test_an_order_by_hand_goes_before_the_policy() -> None:
    schedule = run(WORKLOAD, Cluster(30, 30), "johnson", order=("J3", "J4"))
    assert schedule.order == ("J3", "J4")
    assert schedule.choice == PolicyChoice("johnson")
    assert schedule.rank.tolist() == [2, 3, 0, 1, 4]  # jobs that are not named follow in input order


@pytest.mark.parametrize(
    ("order", "error", "sentence"),
    [
        (("J1", "J9"), UnknownName, "unknown job in the order 'J9'; did you mean"),
        (("J1", "J2", "J1"), InputError, "job 'J1' stands twice in the order; name each job once"),
    ],
)
def test_orders_that_are_refused(order: tuple[str, ...], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        run(WORKLOAD, Cluster(), order=order)
    with pytest.raises(error, match=sentence):
        simulate(WORKLOAD, Cluster(), PolicyChoice("order", {"order": ",".join(order)}))


@pytest.mark.parametrize(
    ("text", "ranks"),
    [("", [0, 1, 2]), ("b", [1, 0, 2]), (' c , "a, 1" ', [1, 2, 0]), ('c,b,"a, 1",', [2, 1, 0])],
)
def test_an_order_as_text(text: str, ranks: list[int]) -> None:
    """Names separated by commas; one with a comma in it stands in double quotes."""
    workload = make_workload(*(make_job(name, (1, 1.0)) for name in ("a, 1", "b", "c")))
    schedule = simulate(workload, Cluster(1, 0), PolicyChoice("order", {"order": text}))
    assert schedule.rank.tolist() == ranks


def test_the_schedule_notes_every_parameter() -> None:
    schedule = simulate(WORKLOAD, Cluster(), PolicyChoice("order"))
    assert schedule.choice == PolicyChoice("order", {"order": ""})
    assert schedule.simulate_seconds > 0


IN_ORDER = ("fifo", "order", "sjf", "johnson", "johnson-reverse", "balanced-pools", "edf-max")
NOT_IN_ORDER = (
    "edf-min",
    "fair",
    "capacity",
    "dynamic-priority",
    "dhfs-pi",
    "dhfs-pd",
    "dynamic-fifo-pi",
    "dynamic-fifo-pd",
    "fresh",
    "omo",
    "flex",
    "circumflex",
    "batch",
    "ako",
)


@pytest.mark.parametrize("policy", [*IN_ORDER, *NOT_IN_ORDER])
def test_policies_in_order_say_so(policy: str) -> None:
    assert run(WORKLOAD, Cluster(30, 30), policy).in_order == (policy in IN_ORDER)


def test_every_policy_describes_itself() -> None:
    ids = [description.id for description in policies()]
    assert ids[0] == "fifo"
    assert len(set(ids)) == len(ids)
    for policy in ids:
        described: dict[str, Any] = describe(policy).to_json()
        assert list(described) == ["id", "title", "summary", "parameters", "group"]
        assert described["title"]
        assert described["summary"].endswith(".")


def test_which_engine_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled once it is in use; before, only for what takes longer than loading or compiling it.

    What has been interpreted so far counts where the code is in the cache; and once a process has loaded any,
    loading more takes little.
    """
    monkeypatch.setattr(engine_selection, "_interpreted", 0)
    small, middle, large = (make_workload(make_job("J1", (n, 1.0))) for n in (1, 50_001, 500_001))
    for kept in (compiled_advance, compiled_kernel):
        kept.cache_clear()
    monkeypatch.setattr(engine_selection, "is_cached", lambda _name: False)
    assert [use_compiled(workload) for workload in (small, middle, large)] == [False, False, True]
    monkeypatch.setattr(engine_selection, "is_cached", lambda _name: True)
    assert [use_compiled(workload) for workload in (small, middle)] == [False, True]
    often = make_workload(make_job("J1", (23_000, 1.0)))
    chosen = []
    for _ in range(3):
        chosen.append(use_compiled(often))
        engine_selection.note_interpreted(often)
    assert chosen == [False, False, True]
    kernels(Policy, compile_it=True, kind=TYPED)
    assert use_compiled(small)
    assert not use_compiled(small, kind=ANY_KIND)
    assert use_compiled(make_workload(make_job("J1", (2501, 1.0))), kind=ANY_KIND)
    kernels(Policy, compile_it=True)
    assert use_compiled(small, kind=ANY_KIND)


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
def test_times_far_from_zero(engine: Any) -> None:
    """Nothing hangs where a task is shorter than the clock can tell: it takes no time."""
    workload = make_workload(make_job("J1", (50, 1e-9), (20, 1e-9, 1e-9, 1e-9), arrival=1e9))
    assert run(workload, Cluster(2, 2), engine=engine).makespan == 1e9
    early = make_workload(make_job("J1", (50, 1e-9), (20, 1e-9, 1e-9, 1e-9)))
    assert run(early, Cluster(2, 2), engine=engine).makespan == pytest.approx(45e-9)


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
@pytest.mark.parametrize(
    "cluster", [Cluster(1, 1), Cluster(100_000, 100_000), Cluster(0, 0, containers=1)], ids=str
)
def test_the_smallest_and_the_largest_cluster(cluster: Cluster, engine: Any) -> None:
    workload = make_workload(make_job("J1", (2, 1.0), (2, 1.0)))
    expected = {1: 4, 2: 4, 200_000: 2}[cluster.slots]
    assert run(workload, cluster, engine=engine).makespan == expected


def test_progress_is_a_fraction_of_the_tasks() -> None:
    workload = make_workload(make_job("J1", (4, 1.0)))
    simulation = Simulation(workload, Cluster(1, 0), PolicyChoice("fifo"), engine="interpreted")
    seen = [simulation.progress]
    while not simulation.advance(instants=1):
        seen.append(simulation.progress)
    assert [*seen, simulation.progress] == [0, 0, 0.25, 0.5, 0.75, 1]
