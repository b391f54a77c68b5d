"""Scenarios that go on from another policy's schedule are simulated as such."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.schedule import PolicyChoice
from core.planning import pool_searches
from core.planning.kept_searches import KeptSearches
from core.simulation.fork import fork_of, simulate_fork
from explorer.simulation.outcome import compute
from explorer.simulation.request import request_of


def outcome_of(document, scenario):
    return compute(request_of(document.state, scenario), "interpreted", lambda _: None, lambda: False)


@pytest.fixture
def forked(document):
    """FIFO up to 5 s, then Fair."""
    first = document.scenario(1)
    return replace(first, choice=PolicyChoice("fair"), fork=fork_of(first, 5.0))


def test_a_fork_is_simulated(document, forked):
    outcome = outcome_of(document, forked)
    first = outcome_of(document, document.scenario(1)).schedule
    expected = simulate_fork(document.workload, document.cluster, PolicyChoice("fair"), fork_of(first, 5.0))
    assert outcome.schedule.start.tolist() == expected.start.tolist()
    assert outcome.schedule.fork == forked.fork
    assert outcome.own_estimate is None


def test_forks_make_other_requests(document, forked):
    request = request_of(document.state, forked)
    assert request == request_of(document.state, replace(forked))
    assert request != request_of(document.state, replace(forked, fork=None))
    assert request != request_of(document.state, replace(forked, fork=fork_of(document.scenario(1), 6.0)))


def test_what_was_computed_stands_behind_an_order_made_after_the_fork(document, forked):
    by_hand = replace(forked, order=("J5", "J4", "J3", "J2", "J1"))
    outcome = outcome_of(document, by_hand)
    assert outcome.schedule.order == by_hand.order
    own = outcome_of(document, forked).schedule
    assert outcome.computed.start.tolist() == own.start.tolist()


def test_a_search_before_the_fork_is_one_too(document, forked, monkeypatch):
    monkeypatch.setattr(pool_searches, "_kept", KeptSearches("a search"))  # as if nobody had searched yet
    pools = replace(forked, fork=replace(forked.fork, choice=PolicyChoice("balanced-pools")))
    assert request_of(document.state, pools).searches
    assert not request_of(document.state, forked).searches


def test_the_runner_shows_it(document, runner):
    runner.look_again()
    assert runner.wait_until_idle()
    first = document.scenario(1)
    before = runner.outcome(1).schedule
    document.load(document.state.with_scenario(replace(first, fork=fork_of(document.scenario(2), 5.0))))
    assert runner.wait_until_idle()
    assert runner.outcome(1).schedule.start.tolist() != before.start.tolist()
