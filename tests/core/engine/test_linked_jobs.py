"""Jobs that follow others, under every policy: both engines, arrivals that are kept, forks, hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.estimates import DurationEstimates
from core.model.job import Job, Link
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.schedule import Fork, PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import policies
from core.simulation.fork import simulate_fork
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.rules import RULES
from tests.core.engine.slow_graphs import linked
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

FEW = {"steps": 4}


def random_linked(draw: np.random.Generator) -> Workload:
    """Return MapReduce jobs with links, deadlines, weights and pools."""
    jobs = []
    for j in range(int(draw.integers(2, 7))):
        maps, reduces = draw.integers(1, 6), draw.integers(0, 4)
        jobs.append(
            Job(
                f"J{j}",
                Stage.of(int(maps), draw.integers(1, 8, maps) / 2),
                Stage.of(int(reduces), *(draw.integers(0, 5, 3) / 2.0)),
                arrival=float(draw.integers(0, 6)),
                deadline=float(draw.integers(8, 40)) if draw.random() < 0.5 else None,
                pool=("red", "blue")[draw.integers(2)],
                weight=float(draw.integers(1, 4)),
            )
        )
    return linked(Workload("linked", tuple(jobs)), draw)


def choice_of(policy: str) -> PolicyChoice:
    """Return a policy with a short search."""
    known = {each.id: each for each in policies()}[policy]
    few = {p.name: FEW[p.name] for p in known.parameters if p.name in FEW}
    return PolicyChoice(policy, few)


def broken_rules(schedule: Schedule) -> list[str]:
    return [wrong for rule in RULES for wrong in rule(schedule)]


@pytest.mark.parametrize("policy", [each.id for each in policies()])
def test_every_policy_runs_to_the_end_and_both_engines_agree(policy: str) -> None:
    draw = np.random.default_rng(25)
    for _ in range(draws(30)):
        workload = random_linked(draw)
        maps, reduces = draw.integers(2, 5, 2).tolist()
        cluster = Cluster(maps, reduces, float(draw.integers(0, 3)) / 2)
        choice = choice_of(policy)
        one, other = (simulate(workload, cluster, choice, engine=engine) for engine in ENGINES)
        assert bits(one) == bits(other), (workload, cluster)
        assert np.isfinite(one.finish).all()
        assert (one.start >= one.arrival[one.workload.columns.job]).all()
        assert (one.arrival >= one.workload.columns.arrival * (1 - 1e-12)).all()


NODES = Cluster(
    0,
    0,
    nodes=(NodeGroup(2, 4, 3),),
    map_request=Request(1, 1),
    reduce_request=Request(2, 1),
    contention=(1.0, 1.0, 0.5),
)
HOSTS = Cluster(3, 2, overheads=Overheads(hosts=2, heartbeat=0.5, setup=1.0, cleanup=0.5, launch_delay=0.25))


@pytest.mark.parametrize("policy", ["fifo", "fair", "edf-min", "johnson", "capacity"])
@pytest.mark.parametrize("cluster", [Cluster(2, 2), Cluster(0, 0, containers=3), NODES, HOSTS])
def test_every_rule_holds_on_every_kind_of_slots(policy: str, cluster: Cluster) -> None:
    draw = np.random.default_rng(7)
    for _ in range(12):
        workload = random_linked(draw)
        choice = PolicyChoice(policy, estimates=DurationEstimates(0.5) if draw.random() < 0.3 else None)
        one, other = (simulate(workload, cluster, choice, engine=engine) for engine in ENGINES)
        assert bits(one) == bits(other)
        with_hosts = cluster.overheads is not None
        names = {"jobs_arrive_when_those_that_they_follow_have_ended", "nothing_starts_before_its_arrival"}
        fair_rules = [rule for rule in RULES if not with_hosts or rule.__name__ in names]
        keeps_busy = policy not in ("edf-min", "capacity")
        for rule in fair_rules:
            if keeps_busy or rule.__name__ != "no_slot_idles_while_a_task_could_start":
                assert rule(one) == [], (rule.__name__, workload)


def test_a_follower_waits_for_the_cleanup_of_the_job_before_it() -> None:
    """A's map ends, then its cleanup of 0.5 s; B comes a second after that."""
    jobs = (Job("A", Stage.of(1, 4.0)), Job("B", Stage.of(1, 1.0), after=(Link("A", 1.0),)))
    schedule = simulate(Workload("w", jobs), HOSTS, PolicyChoice("fifo"))
    assert schedule.finish[0] >= schedule.end[0] + 0.5
    assert schedule.arrival[1] == schedule.finish[0] + 1.0
    assert schedule.start[1] >= schedule.arrival[1] + 0.25 + 1.0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fork_to_the_same_policy_changes_nothing(engine: str) -> None:
    draw = np.random.default_rng(11)
    for policy in ("fifo", "fair", "johnson"):
        for _ in range(8):
            workload, choice = random_linked(draw), PolicyChoice(policy)
            cluster = Cluster(*draw.integers(1, 4, 2).tolist())
            whole = simulate(workload, cluster, choice, engine=engine)  # type: ignore[arg-type]
            for time in draw.uniform(0, whole.makespan, 3).tolist():
                forked = simulate_fork(workload, cluster, choice, Fork(time, 0, choice), engine=engine)  # type: ignore[arg-type]
                assert bits(forked) == bits(whole), (workload, time)


@pytest.mark.parametrize("cluster", [Cluster(2, 2), Cluster(0, 0, containers=3), HOSTS])
def test_a_fork_to_another_policy_keeps_what_has_happened(cluster: Cluster) -> None:
    draw = np.random.default_rng(12)
    for _ in range(12):
        workload, time = random_linked(draw), float(draw.integers(0, 12))
        before = simulate(workload, cluster, PolicyChoice("fair"))
        forked = [
            simulate_fork(workload, cluster, choice, Fork(time, 0, PolicyChoice("fair")), engine=engine)
            for choice in (PolicyChoice("fifo"), PolicyChoice("johnson"), PolicyChoice("edf-max"))
            for engine in ENGINES
        ]
        for one, other in zip(forked[::2], forked[1::2], strict=True):
            assert bits(one) == bits(other)
            early = before.start < time
            assert one.start[early].tolist() == before.start[early].tolist()
            assert (one.start >= one.arrival[workload.columns.job]).all()
            assert np.isfinite(one.finish).all()


def test_a_run_that_stands_can_be_looked_at_and_copied() -> None:
    """B follows A; while A runs, nothing says when B arrives, and a copy goes on to the same end."""
    jobs = (Job("A", Stage.of(2, 4.0)), Job("B", Stage.of(1, 1.0), after=(Link("A", 1.5),)))
    for engine in ENGINES:
        run = Simulation(Workload("w", jobs), Cluster(1, 0), PolicyChoice("fifo"), engine=engine)
        run.advance_until(5.0)
        assert run.schedule().arrival.tolist() == [0.0, np.inf]
        assert run.schedule().rank.tolist() == [0, 1]
        copy = run.fork()
        copy.advance_until(8.0)
        assert copy.schedule().arrival.tolist() == [0.0, 9.5]
        assert copy.queues() == ((), ())
        for each in (copy, run):
            each.advance()
            assert each.schedule().start.tolist() == [0.0, 4.0, 9.5]


def test_first_come_first_served_goes_by_when_jobs_come() -> None:
    """B could come at 1 s, but comes at 5 s, when A has had to wait for C: D has come before it."""
    jobs = (
        Job("A", Stage.of(1, 1.0), arrival=0.5, after=(Link("C", 0.0),)),
        Job("B", Stage.of(1, 1.0), after=(Link("A"),)),
        Job("C", Stage.of(1, 4.0)),
        Job("D", Stage.of(3, 1.0), arrival=4.5),
    )
    workload = Workload("w", jobs)
    for policy in ("fifo", "fair"):
        schedule = simulate(workload, Cluster(1, 0), PolicyChoice(policy))
        assert schedule.arrival.tolist() == [4.0, 5.0, 0.0, 4.5]
        assert np.argsort(schedule.rank).tolist() == [2, 0, 3, 1]
    fifo = simulate(workload, Cluster(1, 0), PolicyChoice("fifo"))
    assert fifo.start.tolist() == [4.0, 8.0, 0.0, 5.0, 6.0, 7.0]
    by_hand = simulate(workload, Cluster(1, 0), PolicyChoice("fifo"), order=["B", "D"])
    assert by_hand.start.tolist() == [4.0, 5.0, 0.0, 6.0, 7.0, 8.0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", ["fair", "capacity", "dynamic-priority"])
def test_of_two_equal_jobs_the_one_that_came_first_is_served_first(policy: str, engine: Engine) -> None:
    """B could come at 1.5 s, but A waits for the only slot until 4 s: C comes at 4.5 s, B at 5 s."""
    jobs = (
        Job("filler", Stage.of(1, 4.0)),
        Job("A", Stage.of(1, 1.0), arrival=0.5),
        Job("B", Stage.of(1, 1.0), after=(Link("A"),)),
        Job("C", Stage.of(1, 1.0), arrival=4.5),
    )
    schedule = simulate(Workload("w", jobs), Cluster(1, 1), PolicyChoice(policy), engine=engine)
    assert schedule.start.tolist() == [0.0, 4.0, 6.0, 5.0]


def test_without_links_arrivals_are_those_of_the_workload() -> None:
    workload = Workload("w", (Job("A", Stage.of(1, 1.0), arrival=2.0),))
    schedule = simulate(workload, Cluster(1, 0), PolicyChoice("fifo"))
    assert schedule.arrival is workload.columns.links.fixed is workload.columns.arrival
    assert replace(workload, name="x").columns.arrival.tolist() == [2.0]
