"""Runs are compiled where that takes less than what is left; slices are short where decisions are slow."""

from __future__ import annotations

import time
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from core.engine.compiled import compiled_advance, engine_function
from core.engine.variants import EngineVariant, RunKind
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.composing.kernel import kernel_name, kernels
from core.policies.registry import policy_class
from core.simulation import engine_selection
from core.simulation import simulate as front
from core.simulation.engine_selection import (
    CAUTIOUS_INSTANTS,
    ENGINE_SECONDS,
    INSTANTS_PER_SLICE,
    KERNEL_SECONDS,
    LOADING_SECONDS,
    PLANS_SECONDS,
    TRIAL_OF_TASK,
    VARIANT_SECONDS,
    compiling_pays,
    compiling_seconds,
    first_slice,
    is_worth_loading,
    next_slice,
    search_seconds,
    use_compiled,
)
from core.simulation.simulate import Simulation, simulate
from tests.lines_run import lines_run


def test_a_users_policy_and_an_interpreted_run_begin_with_a_short_slice() -> None:
    assert first_slice(compiled=True, cautious=True) == CAUTIOUS_INSTANTS
    assert first_slice(compiled=True, cautious=False) == INSTANTS_PER_SLICE
    assert first_slice(compiled=False, cautious=False) == CAUTIOUS_INSTANTS


@pytest.mark.parametrize(
    ("instants", "seconds", "following"),
    [(100, 1.0, 25), (2, 1.0, 1), (100, 0.02, 100), (100, 0.001, 200), (400, 0.001, 500)],
)
def test_the_next_slice_follows_the_last(instants: int, seconds: float, following: int) -> None:
    assert next_slice(instants, seconds, compiled=False) == following


def test_slices_settle_where_they_take_neither_too_long_nor_too_short() -> None:
    for seconds_each in (1e-6, 1e-4, 1e-2, 1.0):
        instants = CAUTIOUS_INSTANTS
        for _ in range(30):
            instants = next_slice(instants, instants * seconds_each, compiled=True)
        took = instants * seconds_each
        assert took <= 0.05 or instants == 1
        assert took >= 0.01 or instants == INSTANTS_PER_SLICE


# ---- compiled or interpreted?


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache in a process that has loaded nothing; returns what puts a function into it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(engine_selection, "is_loaded", lambda _policy, _kind: False)
    monkeypatch.setattr(compiled_advance, "_built", {})
    return lambda name: (tmp_path / f"{name}-0123456789abcdef.compiled").touch()


@pytest.mark.parametrize(
    ("policy", "typed", "seconds"),
    [
        ("sjf", True, VARIANT_SECONDS[EngineVariant.PLAIN]),
        ("sjf", False, ENGINE_SECONDS),
        ("omo", True, ENGINE_SECONDS + KERNEL_SECONDS),
        ("flex", True, ENGINE_SECONDS + KERNEL_SECONDS + PLANS_SECONDS),
    ],
)
def test_every_policy_has_what_it_compiles(cache, policy: str, typed: bool, seconds: float) -> None:
    assert compiling_seconds(policy_class(policy), RunKind(typed)) == pytest.approx(LOADING_SECONDS + seconds)


def test_what_the_cache_has_is_only_loaded(cache) -> None:
    omo = policy_class("omo")
    cache(engine_function(EngineVariant.GENERAL).__qualname__)
    assert compiling_seconds(omo) == pytest.approx(LOADING_SECONDS + KERNEL_SECONDS)
    many = close_jobs(30_000)
    assert not use_compiled(many, omo)
    cache(kernel_name(omo))
    assert compiling_seconds(omo) == LOADING_SECONDS
    assert use_compiled(many, omo)


@pytest.mark.parametrize(
    ("seconds", "fraction", "pays"),
    [
        (0.9, 0.01, False),
        (1.1, 0.01, True),
        (1.1, 0.2, False),
        (2.0, 0.0, True),
        (9.0, 0.45, True),
        (9.0, 0.6, False),
    ],
)
def test_compiling_pays_where_it_takes_less_than_what_is_left(
    seconds: float, fraction: float, pays: bool
) -> None:
    """It takes 10 s here."""
    assert compiling_pays(seconds, fraction, lambda: 10.0) is pays


def test_nobody_looks_for_compiled_code_during_small_runs() -> None:
    def look() -> float:
        raise AssertionError

    assert not compiling_pays(0.09, 0.01, look)
    assert not compiling_pays(0.5, 0.99, look)  # it ends before anything is loaded


def test_what_is_in_the_cache_is_loaded_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second shows that the run takes longer than loading, 0.6 s; compiling is tried later."""
    monkeypatch.setattr(compiled_advance, "_built", {})
    assert compiling_pays(0.11, 0.1, lambda: LOADING_SECONDS)
    assert not compiling_pays(0.11, 0.2, lambda: LOADING_SECONDS)
    assert not compiling_pays(0.11, 0.01, lambda: LOADING_SECONDS + 1.0)


def close_jobs(jobs: int) -> Workload:
    """Jobs that arrive faster than they are served, each shorter than those before."""
    return Workload(
        "close",
        tuple(Job(f"J{i}", Stage.of(1, 2.0 * jobs - i), Stage.of(1, 1.0), 0.001 * i) for i in range(jobs)),
    )


def test_a_slow_run_begins_again_compiled_and_says_so(cache, monkeypatch) -> None:
    asked: list[bool] = []

    def no_compiler(policy: Any, compile_it: bool, kind: RunKind) -> Any:
        asked.append(compile_it)
        if compile_it:
            raise RuntimeError("no compiler")
        return kernels(policy, False, kind)

    monkeypatch.setattr(front, "kernels", no_compiler)
    monkeypatch.setattr(front, "KNOWN_REASONS", {})
    monkeypatch.setattr(engine_selection, "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(engine_selection, "SHORT_TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(engine_selection, "LOADING_SECONDS", 0.0)
    monkeypatch.setitem(VARIANT_SECONDS, EngineVariant.PLAIN, 1e-9)
    said: list[float] = []
    workload = close_jobs(200)
    found = simulate(workload, Cluster(2, 2), PolicyChoice("sjf"), on_compiling=said.append)
    assert asked == [False, True, False]  # without a compiler it goes on as it was
    assert said == [1e-9]
    assert found.interpreted_because
    as_before = simulate(workload, Cluster(2, 2), PolicyChoice("sjf"), engine="interpreted")
    assert found.end.tolist() == as_before.end.tolist()


def test_an_interpreted_run_that_was_asked_for_is_never_compiled(monkeypatch) -> None:
    monkeypatch.setattr(engine_selection, "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(engine_selection, "compiling_seconds", lambda *_: 0.0)
    found = simulate(close_jobs(100), Cluster(2, 2), PolicyChoice("sjf"), engine="interpreted")
    assert not found.interpreted_because


def test_jobs_that_wait_cost_nothing_when_another_one_arrives() -> None:
    """Each job goes before all that wait: they were moved one by one."""
    few, many = (
        lines_run(
            partial(simulate, close_jobs(jobs), Cluster(2, 2), PolicyChoice("sjf"), engine="interpreted")
        )
        for jobs in (150, 600)
    )
    assert many < 6 * few


def test_arrivals_count_as_work_done(monkeypatch) -> None:
    """All jobs have arrived and no task has ended: that is more than nothing."""
    run = Simulation(close_jobs(100), Cluster(2, 2), PolicyChoice("sjf"), engine="interpreted")
    run.advance(1.0, 1000)
    told: list[float] = []
    monkeypatch.setattr(engine_selection, "compiling_pays", lambda _seconds, done, _asked: told.append(done))
    assert not run.compiling_pays
    assert run.progress == 0.0
    assert told == [pytest.approx((100 + 2) / (100 + 2 * 200))]


def test_a_busy_machine_makes_no_run_look_slow(monkeypatch) -> None:
    """Each look at the clock on the wall is a second later, and next to nothing is done."""
    clock = SimpleNamespace(perf_counter=partial(next, count()), thread_time=time.thread_time)
    monkeypatch.setattr(front, "time", clock)
    monkeypatch.setattr(engine_selection, "compiling_seconds", lambda *_: 1.0)
    run = Simulation(close_jobs(100), Cluster(2, 2), PolicyChoice("sjf"), engine="interpreted")
    for _ in range(5):
        run.advance(1000.0, 1)
    assert not run.compiling_pays


def test_plans_for_many_jobs_at_once_are_compiled_before_the_first(cache) -> None:
    """Interpreted, the first plan alone takes 20 s for 10 000; those that come one by one take little."""
    together, apart = (
        Workload("many", tuple(Job(f"J{i}", Stage.of(1, 1.0), arrival=gap * i) for i in range(4000)))
        for gap in (0.0, 1.0)
    )
    assert use_compiled(together, policy_class("flex"))
    assert not use_compiled(apart, policy_class("flex"))
    assert not use_compiled(together, policy_class("sjf"))


def test_how_long_a_search_for_pools_takes() -> None:
    """Of 20 jobs, split at 19 places, with some 7 sizes for each on 64 slots."""
    few, many = (
        search_seconds(close_jobs(n), Cluster(32, 32), PolicyChoice("balanced-pools")) for n in (20, 40)
    )
    assert few == pytest.approx(20 * 7 * 40 * TRIAL_OF_TASK)
    assert many == 4 * few
    assert search_seconds(close_jobs(20), Cluster(32, 32), PolicyChoice("sjf")) == 0.0


def test_what_is_worth_loading_is_in_the_cache_and_long(monkeypatch) -> None:
    cached = {"sjf": 0.0, "edf-max": 4.0}
    monkeypatch.setattr(engine_selection, "compiling_seconds", lambda policy, _kind: cached[policy.id])
    known, unknown = (Scenario(1, PolicyChoice(each)) for each in cached)
    assert is_worth_loading(known, Cluster(2, 2), 1_000_000)
    assert not is_worth_loading(known, Cluster(2, 2), 1000)
    assert not is_worth_loading(unknown, Cluster(2, 2), 1_000_000)
