"""Calls of hooks are counted exactly, shares are 1 in all; no time is asserted."""

from __future__ import annotations

import math

import pytest

from core.engine import jit
from core.explain.hook_clocks import HookCost, WaitingCost, cost_text
from core.explain.profile_run import BEFORE, REST, RunProfile, profile_run
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.number_text import grouped
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import ClusterRow, JobRow, Policy
from core.simulation.simulate import simulate
from tests.builders import two_stage_workload

WORKLOAD = two_stage_workload(((4, 5), (1, 4), (3, 4)), 5)
SLOTS = Cluster(2, 2)
CALLS = {"key": 0, "admits": 0}


class Counting(Policy):
    """Count calls in the most obvious way; asks for the cluster, so that every job is asked."""

    id = "counting"

    @staticmethod
    def admits(job: JobRow, kind: int, cluster: ClusterRow) -> bool:
        CALLS["admits"] += 1
        return True

    @staticmethod
    def key(job: JobRow, kind: int, cluster: ClusterRow) -> float:
        CALLS["key"] += 1
        return job.tasks[kind] - job.started[kind]


@pytest.fixture(autouse=True)
def counting() -> None:
    register_policy("counting", Counting)


def test_calls_are_those_of_a_run_that_counts_itself() -> None:
    CALLS.update(key=0, admits=0)
    simulate(WORKLOAD, SLOTS, PolicyChoice("counting"), engine="interpreted")
    counted = dict(CALLS)
    profile = profile_run(WORKLOAD, SLOTS, PolicyChoice("counting"), compile_it=False)
    assert {hook.name: hook.calls for hook in profile.hooks} == counted
    assert profile.looked_at == counted["key"]
    assert (profile.jobs, profile.tasks) == (3, 30)
    assert sum(group.decisions for group in profile.groups) == profile.decisions
    assert sum(group.calls * group.decisions for group in profile.groups) == pytest.approx(
        sum(counted.values())
    )
    assert set(profile.shares) == {"key", "admits", BEFORE, REST}
    assert sum(profile.shares.values()) == pytest.approx(1)
    assert all(share >= 0 for share in profile.shares.values())
    assert any("it looks at every waiting job each time" in each for each in profile.sentences())
    assert math.isnan(profile.compiled_seconds)


def test_a_policy_without_hooks_has_its_order_alone() -> None:
    profile = profile_run(WORKLOAD, SLOTS, PolicyChoice("fifo"), compile_it=False)
    assert profile.hooks == ()
    assert profile.sentences()[0] == (
        "The policy has no hook that is asked during the run: its order says it all."
    )
    assert sum(profile.shares.values()) == pytest.approx(1)


def test_what_cannot_be_compiled_says_why() -> None:
    class Lists(Policy):
        """Make a list in each key."""

        id = "lists"

        @staticmethod
        def key(job: JobRow, kind: int) -> float:
            return [job.rank][0]

    register_policy("lists", Lists)
    profile = profile_run(WORKLOAD, SLOTS, PolicyChoice("lists"))
    assert profile.interpreted_because
    assert any(each.startswith("It runs interpreted: ") for each in profile.sentences())
    assert all(math.isnan(hook.compiled_each) for hook in profile.hooks)


def test_compiled_hooks_are_measured_on_their_own() -> None:
    profile = profile_run(WORKLOAD, SLOTS, PolicyChoice("dynamic-fifo-pi"))
    assert profile.interpreted_because == ""
    assert profile.compiled_seconds > 0
    assert {hook.name for hook in profile.hooks} == {"pool_admits", "lends"}
    assert all(hook.compiled_each >= 0 for hook in profile.hooks)


def test_hooks_of_a_policy_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = PolicyChoice("dynamic-fifo-pi")
    profile_run(WORKLOAD, SLOTS, choice)
    monkeypatch.setattr(jit, "compiled", pytest.fail)
    profile = profile_run(WORKLOAD, SLOTS, choice)
    assert [hook.compiled_each >= 0 for hook in profile.hooks] == [True, True]


def test_sentences_say_which_hook_and_how_it_grows() -> None:
    profile = RunProfile(
        jobs=100,
        tasks=5000,
        decisions=1000,
        looked_at=41_200,
        hooks=(HookCost("key", 41_200, 0.78), HookCost("admits", 1_000, 0.02)),
        before=0.1,
        rest=0.1,
        seconds=1.0,
        compiled_seconds=0.01,
        compiling_seconds=1.0,
        interpreted_because="",
        groups=(
            WaitingCost(1, 1, 500, 1e-5, 2.0),
            WaitingCost(80, 99, 500, 1e-4, 80.0),
            WaitingCost(100, 100, 1, 9.0, 1.0),
        ),
    )
    assert profile.sentences() == (
        f"key was called {grouped(41_200)} times and took 78 % of the run; it looks at every waiting job "
        "each time.",
        f"admits was called {grouped(1000)} times and took 2 % of the run; it is asked 1.0 times for a "
        "decision, not about every job.",
        "Compiled, the run takes 0.01 s instead of 1 s.",
        "A decision upon 80 to 99 waiting jobs takes 10.0 times as long as one upon 1.",
    )


def test_it_can_be_cancelled_and_tells_how_far() -> None:
    heard: list[float] = []
    profile_run(WORKLOAD, SLOTS, PolicyChoice("fifo"), compile_it=False, progress=heard.append)
    assert heard == sorted(heard)
    with pytest.raises(Cancelled):
        profile_run(
            two_stage_workload(((1, 1),), 3000), SLOTS, PolicyChoice("fifo"), should_stop=lambda: True
        )


def test_costs_are_written_with_units() -> None:
    costs = [cost_text(each) for each in (1.25, 0.0123, 2.5e-6, 3e-9, 1e-10, math.nan)]
    assert costs == ["1.25 s", "12.3 ms", "2.5 µs", "3 ns", "< 1 ns", ""]
