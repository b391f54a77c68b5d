"""The searches of a question end when they have found enough, proved it, or used up their steps or time."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from core.model.cluster import Cluster
from core.model.progress import never_stop
from core.optimize import short_searches
from core.optimize.short_searches import STEPS_AT_ONCE, TRIALS, ShortSearches, counts_for, is_longer
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from collections.abc import Callable

WORKLOAD, CLUSTER = make_workload(make_job("J", (2, 3.0), (1, 1.0))), Cluster(1, 1)


class Falling:
    """A search whose best is 100 s after one step and a second less for each further one."""

    def __init__(self, proved_at: float = -math.inf) -> None:
        self.asked: list[int] = []
        self.steps, self._proved_at = 0, proved_at

    def advance(self, steps: int, should_stop: Callable[[], bool] = never_stop) -> Any:
        self.should_stop = should_stop
        self.asked.append(steps)
        self.steps += steps
        best = 101.0 - self.steps
        return SimpleNamespace(best=best, proved=best <= self._proved_at)


def searched(search: Falling, enough: float = -math.inf, **limits: Any) -> list[int]:
    """Return for how many steps at a time a search went on."""
    searches = ShortSearches(lambda *_: search, **limits)
    found = searches.best(WORKLOAD, CLUSTER, enough=enough)
    assert found.best == 101 - search.steps
    return search.asked


def test_it_takes_one_step_then_some_at_once_up_to_its_steps() -> None:
    assert searched(Falling(), steps=1) == [1]
    assert searched(Falling(), steps=2) == [1, STEPS_AT_ONCE]
    assert searched(Falling(), steps=1 + STEPS_AT_ONCE) == [1, STEPS_AT_ONCE]
    assert searched(Falling(), steps=2 + STEPS_AT_ONCE) == [1, STEPS_AT_ONCE, STEPS_AT_ONCE]


@pytest.mark.parametrize(("enough", "looks"), [(100.0, 1), (99.9, 2), (68.0, 2), (67.9, 3)])
def test_it_ends_as_soon_as_enough_is_found(enough: float, looks: int) -> None:
    assert len(searched(Falling(), enough, steps=10_000)) == looks


def test_it_ends_when_the_best_is_proved() -> None:
    assert len(searched(Falling(proved_at=100.0), steps=10_000)) == 1
    assert len(searched(Falling(proved_at=70.0), steps=10_000)) == 2


def test_it_ends_when_it_has_to_stop_and_stays_so() -> None:
    answers = iter([False, False, True])
    searches = ShortSearches(lambda *_: Falling(), steps=9, should_stop=lambda: next(answers))
    assert [searches.is_over() for _ in range(5)] == [False, False, True, True, True]


def test_by_the_clock_a_short_one_has_its_part_and_another_one_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a second: of 80 s, a short one has 10."""
    now = [0.0]

    def monotonic() -> float:
        now[0] += 1
        return now[0]

    monkeypatch.setattr(short_searches, "time", SimpleNamespace(monotonic=monotonic))

    def spent(*, is_short: bool) -> float:
        now[0], search = 0.0, Falling()
        searches = ShortSearches(lambda *_: search, seconds=10.0 * TRIALS)
        searches.go_on(search, is_short=is_short)
        took = now[0]
        assert searches.is_over() != is_short
        return took

    assert spent(is_short=True) == pytest.approx(10 + 3, abs=1)
    assert spent(is_short=False) == pytest.approx(10 * TRIALS + 2, abs=1)


def test_longer_is_longer_by_more_than_rounding() -> None:
    assert not is_longer(100.0, 100.0)
    assert not is_longer(100.0 * (1 + 1e-12), 100.0)
    assert is_longer(100.001, 100.0)
    assert not is_longer(99.0, 100.0)


def test_a_schedule_answers_for_its_own_workload_if_it_does_nothing_special() -> None:
    schedule = run(WORKLOAD, CLUSTER)
    assert counts_for(schedule, WORKLOAD)
    assert not counts_for(schedule, make_workload(make_job("J", (2, 4.0), (1, 1.0))))
    assert not counts_for(run(WORKLOAD, Cluster(2, 2), "dhfs-pi"), WORKLOAD)
