"""The real rate counts releases per window; the predicted one is what the policy had in its memory."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.measures.release_rate import (
    MAX_LOOKS,
    ReleaseRates,
    _in_force,
    predicts_releases,
    release_rates,
    released,
)
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.policies.registry import policy_class
from core.simulation.simulate import Engine, Simulation, simulate
from tests.builders import make_job, make_workload
from tests.naive_overlap import OmoRun

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from tests.naive import Job, Slot

CONTAINERS = Cluster(0, 0, 0.0, "overlap", containers=4)


def mixed() -> Workload:
    return make_workload(
        *(
            make_job(f"J{i}", (20, [1.0, 2.0, 3.0, 5.0]), (2, 2.0, 1.0, 9.0), arrival=3.0 * i)
            for i in range(5)
        )
    )


def under_omo(workload: Workload, engine: Engine = "interpreted", **parameters: Any) -> Schedule:
    return simulate(workload, CONTAINERS, PolicyChoice("omo", parameters), engine=engine)


def rates_of(schedule: Schedule) -> ReleaseRates:
    rates = release_rates(schedule)
    assert rates is not None
    return rates


def test_by_hand() -> None:
    """Twelve maps of 1 s on four containers until 3 s, then four of 2 s until 5 s; windows of 2 s.

    Four containers each are released at 1, 2, 3 and 5 s. At 2 s the policy has seen the first four: F_o = 2
    per second, A_o = 4. After 3 s nothing waits: there is nothing to be decided and no prediction.
    """
    workload = make_workload(make_job("J1", (12, 1.0)), make_job("J2", (4, 2.0), arrival=3.0))
    rates = rates_of(under_omo(workload, window=2.0, beta=1.0))
    assert rates.window == 2
    assert rates.times.tolist() == [0, 2, 4]
    assert rates.real.tolist() == [2, 4, 2]
    assert np.isnan(rates.predicted[[0, 2]]).all()
    assert rates.predicted[1] == 2
    assert rates.mean_error == 4 - 2


@pytest.mark.parametrize("beta", [0.3, 1.0])
def test_the_predictions_are_those_of_the_naive_twin(beta: float) -> None:
    workload = mixed()
    schedule = under_omo(workload, window=4.0, beta=beta)
    rates = rates_of(schedule)
    twin = OmoRun(workload, CONTAINERS, window=4.0, beta=beta)
    seen: dict[int, float] = {}
    can_start = twin.can_start

    def watched(slot: Slot) -> list[tuple[Job, str]]:
        choices = can_start(slot)
        if choices and twin.available:
            window = int(twin.now / 4.0)
            seen.setdefault(window, twin.rate / twin.available)
        return choices

    twin.can_start = watched  # type: ignore[method-assign]
    twin.run()
    known = [place for place in seen if place < len(rates.times)]
    assert len(known) > 5
    ratio = {place: rates.predicted[place] / seen[place] for place in known if seen[place] > 0}
    # what remains is the number of containers that are available then, from 1 to all 4
    assert all(any(abs(value - count) < 1e-9 for count in range(5)) for value in ratio.values())


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_every_release_is_counted_once(engine: Engine) -> None:
    schedule = under_omo(mixed(), engine, window=3.0)
    rates = rates_of(schedule)
    assert round(rates.real.sum() * rates.window, 9) == schedule.tasks
    assert len(rates.times) == math.ceil(schedule.makespan / 3)
    last = int(schedule.start.max() / 3)
    assert np.isfinite(rates.predicted[2 : last + 1]).all()
    assert np.isnan(rates.predicted[last + 1 :]).all()
    assert rates.mean_error > 0


def test_a_steady_stream_is_predicted_exactly() -> None:
    """Four containers end one map each second, one after the other: the rate is 1 from the second window on.

    In the first window there are 3 releases in 4 s; what is left of this error halves with every window.
    """
    starts = [1.0, 2.0, 3.0, 4.0]
    workload = make_workload(make_job("J1", (80, starts + [4.0] * 76)))
    rates = rates_of(under_omo(workload, window=4.0))
    steady = slice(2, len(rates.times) - 2)
    assert rates.real[steady].tolist() == [1.0] * len(rates.real[steady])
    assert rates.predicted[steady].tolist() == [1 - 0.25 * 0.5 ** (i - 1) for i in range(18)[steady]]


def test_long_runs_are_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = make_workload(make_job("J1", (3000, [1.0, 2.0])))
    schedule = under_omo(workload, "compiled", window=5.0)
    fine = rates_of(schedule)
    monkeypatch.setattr("core.measures.release_rate.MAX_LOOKS", 50)
    coarse = rates_of(schedule)
    assert MAX_LOOKS > 50
    assert coarse.real.tolist() == fine.real.tolist()
    both = np.isfinite(fine.predicted) & np.isfinite(coarse.predicted)
    assert both.sum() > 100
    assert np.abs(fine.predicted - coarse.predicted)[both].mean() < 0.5 * fine.real.mean()


def test_windows_are_joined_where_there_would_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.measures.release_rate.MAX_WINDOWS", 4)
    schedule = under_omo(mixed(), window=0.5)
    rates = rates_of(schedule)
    assert len(rates.times) <= 4
    assert rates.window % 0.5 == 0
    assert rates.real.sum() * rates.window == pytest.approx(schedule.tasks)


def test_who_predicts_nothing() -> None:
    workload = mixed()
    fair = simulate(workload, CONTAINERS, PolicyChoice("fair"))
    by_hand = simulate(workload, CONTAINERS, PolicyChoice("omo"), order=["J3"])
    what_ran = replace(fair, choice=PolicyChoice("recorded"))
    assert predicts_releases(under_omo(workload))
    for schedule in (fair, by_hand, what_ran):
        assert not predicts_releases(schedule)
        assert release_rates(schedule) is None


def test_a_run_without_length_has_one_window() -> None:
    rates = rates_of(under_omo(make_workload(make_job("J1", (3, 0.0))), window=2.0))
    assert (rates.times.tolist(), rates.real.tolist()) == ([0], [1.5])


@given(
    st.lists(st.integers(0, 12), max_size=5).map(sorted),
    st.integers(1, 6),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_a_window_has_its_first_prediction_or_the_last_one_before(
    halves: list[int], windows: int, window: float
) -> None:
    times = np.array([window * place for place in range(windows)], np.float64)
    looked = np.array([half / 2 for half in halves], np.float64)
    expected = np.array([10.0 + place for place in range(len(halves))], np.float64)
    found = _in_force(times, window, looked, expected)
    for begin, value in zip(times.tolist(), found.tolist(), strict=True):
        inside = [e for at, e in zip(looked, expected, strict=True) if begin <= at < begin + window]
        before = [e for at, e in zip(looked, expected, strict=True) if at < begin]
        known = [*inside[:1], *before[-1:]]
        assert value == known[0] if known else math.isnan(value)


def test_a_policy_of_the_user_may_predict_whatever_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before and after "recorded" in the alphabet."""
    schedule = under_omo(mixed())
    omo = policy_class("omo")
    monkeypatch.setattr("core.measures.release_rate.policy_class", {"mine": omo, "yours": omo}.__getitem__)
    assert predicts_releases(replace(schedule, choice=PolicyChoice("mine")))
    assert predicts_releases(replace(schedule, choice=PolicyChoice("yours")))


def test_windows_last_ten_seconds_unless_the_policy_says_otherwise() -> None:
    rates = rates_of(under_omo(make_workload(make_job("J1", (8, 12.0)))))
    assert (rates.window, rates.times.tolist()) == (10, [0, 10, 20])
    assert rates.real.tolist() == [0, 0.4, 0.4]


def test_what_is_released_at_the_very_end_belongs_to_the_last_window() -> None:
    """Eight maps of 2 s on four containers end at 2 and 4 s, the last ones start at 2 s; windows of 2 s."""
    rates = rates_of(under_omo(make_workload(make_job("J1", (8, 2.0))), window=2.0, beta=1.0))
    assert rates.times.tolist() == [0, 2]
    assert rates.real.tolist() == [0, 4]
    assert np.isfinite(rates.predicted).tolist() == [False, True]  # at 2 s it still decides


@pytest.mark.parametrize(("seconds", "window"), [(100_000.0, 1.0), (100_001.0, 2.0), (250_000.0, 3.0)])
def test_a_hundred_thousand_windows_are_shown_one_by_one(seconds: float, window: float) -> None:
    """Of a run of 100 001 s two windows of 1 s are joined, of 250 000 s three."""
    schedule = under_omo(make_workload(make_job("J1", (1, 10.0))), window=1.0)
    long = replace(schedule, finish=np.array([seconds]), end=np.array([seconds]))
    rates = rates_of(long)
    assert rates.window == window
    assert len(rates.times) == math.ceil(seconds / window)
    assert rates.real.nonzero()[0].tolist() == [len(rates.times) - 1]


def test_up_to_eight_thousand_tasks_and_jobs_every_instant_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """7998 tasks and a job: each; 7999 and a job, which make 8000: every second one."""

    advance = Simulation.advance
    stops: list[Simulation] = []

    def counted(run: Simulation, **how: Any) -> bool:
        stops.append(run)
        return advance(run, **how)

    def looks(maps: int) -> int:
        schedule = under_omo(make_workload(make_job("J1", (maps, [1.0, 1.5, 2.25, 3.125]))), window=1e6)
        with monkeypatch.context() as patched:
            patched.setattr(Simulation, "advance", counted)
            stops.clear()
            release_rates(schedule)
        return len(stops)

    one_by_one, every_second = looks(7998), looks(7999)
    assert one_by_one / every_second == pytest.approx(2, rel=0.01)


def test_without_any_prediction_there_is_no_error() -> None:
    nothing = np.array([math.nan, math.nan])
    assert math.isnan(ReleaseRates(1.0, np.array([0.0, 1.0]), np.ones(2), nothing).mean_error)


@pytest.mark.parametrize("policy", ["fifo", "batch"])
def test_what_predicts_nothing_is_counted_in_windows_of_ten_seconds(policy: str) -> None:
    """The window of BATCH is another one, and 0 where it is found automatically."""
    workload = load_sample("ten-scans")
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy))
    rates = released(schedule)
    assert rates.window == 10.0
    assert np.isnan(rates.predicted).all()
    ends = schedule.end[np.isfinite(schedule.end)]
    assert rates.real.sum() * rates.window == pytest.approx(len(ends))
    for begin, rate in zip(rates.times[:-1].tolist(), rates.real[:-1].tolist(), strict=True):
        assert rate * 10.0 == pytest.approx(sum(begin <= end < begin + 10.0 for end in ends.tolist()))
