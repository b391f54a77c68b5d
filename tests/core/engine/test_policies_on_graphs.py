"""Every policy on graphs of stages with links and slots that come and go: rules, both engines, forks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.schedule import Fork, PolicyChoice
from core.model.slot_times import CONTAINER
from core.model.task_types import MAP, REDUCE
from core.policies.registry import policies, policy_class
from core.simulation.fork import simulate_fork
from core.simulation.simulate import Simulation, simulate
from tests import random_tests
from tests.core.engine import rules
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_graphs import linked, random_times, random_workload
from tests.core.engine.test_linked_jobs import choice_of
from tests.core.policies.test_every_policy import may_decline
from tests.core.policies.test_spark import pooled

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

IDS = [each.id for each in policies()]
REFUSED = ("balanced-pools", "fresh", "omo", "flex", "circumflex", "batch", "ako")
"""Policies that decide by what maps and reduces are to one another, and say so."""
RUN = [policy for policy in IDS if policy not in (*REFUSED, "optimized")]
"""All others; searches on graphs are tested in `tests/core/optimize`."""
RULES = rules.RULES
never_idle = rules.no_slot_idles_while_a_task_could_start
CASES = 300 if random_tests.is_thorough else 12


def random_application(draw: np.random.Generator) -> Workload:
    """Return graphs of stages in pools, most with links, some with deadlines."""
    workload = pooled(random_workload(draw), draw)
    jobs = tuple(
        replace(job, deadline=job.arrival + float(draw.integers(2, 30)) if draw.random() < 0.5 else None)
        for job in workload.jobs
    )
    workload = replace(workload, jobs=jobs)
    return linked(workload, draw) if draw.random() < 0.7 else workload


def random_cluster(draw: np.random.Generator) -> Cluster:
    """Return typed slots or containers; some of them come and go."""
    part = float(draw.integers(0, 3)) / 2
    if draw.random() < 0.5:
        times = random_times(draw, (MAP, REDUCE)) if draw.random() < 0.5 else ()
        maps, reduces = draw.integers(1, 4, 2).tolist()
        return Cluster(maps, reduces, part, slot_times=times)
    times = random_times(draw, (CONTAINER,)) if draw.random() < 0.5 else ()
    return Cluster(0, 0, part, containers=int(draw.integers(2, 6)), slot_times=times)


def outcome(workload: Workload, cluster: Cluster, choice: PolicyChoice, engine: Engine) -> Schedule | str:
    """Return the schedule, or why the run stalled: fillers may hold all slots."""
    try:
        return simulate(workload, cluster, choice, engine=engine)
    except StalledError as stall:
        return str(stall)


@pytest.mark.parametrize("policy", RUN)
def test_every_rule_holds_and_both_engines_agree(policy: str) -> None:
    draw, choice = np.random.default_rng(25), choice_of(policy)
    kept = [rule for rule in RULES if rule is not never_idle or not may_decline(policy)]
    whole = 0
    for _ in range(CASES):
        workload, cluster = random_application(draw), random_cluster(draw)
        one, other = (outcome(workload, cluster, choice, engine) for engine in ENGINES)
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        whole += 1
        assert bits(one) == bits(other), (workload, cluster)
        assert {rule.__name__: found for rule in kept if (found := rule(one))} == {}, (workload, cluster)
    assert whole > CASES // 2


@pytest.mark.parametrize("policy", REFUSED)
def test_what_is_for_maps_and_reduces_is_refused_with_what_to_do(policy: str) -> None:
    workload = random_workload(np.random.default_rng(1))
    assert not workload.columns.stages.are_map_reduce
    said = "is for jobs of maps and of reduces that wait for them, and 'J0' has other stages; choose another"
    with pytest.raises(InputError, match=said):
        simulate(workload, Cluster(2, 2), choice_of(policy))


NODES = Cluster(0, 0, nodes=(NodeGroup(2, 4, 3),), map_request=Request(1, 1), reduce_request=Request(2, 1))
HOSTS = Cluster(3, 2, overheads=Overheads(hosts=2, heartbeat=0.5, setup=1.0, cleanup=0.5, launch_delay=0.25))


@pytest.mark.parametrize("policy", ["fifo", "fair", "spark-fair", "critical", "johnson", "dhfs-pi"])
@pytest.mark.parametrize("cluster", [NODES, HOSTS], ids=["nodes", "hosts"])
def test_nodes_and_overheads_go_on_working(policy: str, cluster: Cluster) -> None:
    draw, choice = np.random.default_rng(7), choice_of(policy)
    for _ in range(CASES // 3):
        workload = random_application(draw)
        one, other = (outcome(workload, cluster, choice, engine) for engine in ENGINES)
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        assert bits(one) == bits(other)
        assert np.isfinite(one.finish).all()
        if cluster is NODES:
            assert [wrong for rule in RULES if rule is not never_idle for wrong in rule(one)] == []
        else:
            assert rules.jobs_arrive_when_those_that_they_follow_have_ended(one) == []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", ["fifo", "fair", "spark-fifo", "spark-fair", "critical", "longest-task"])
def test_a_run_goes_on_from_any_time_as_if_it_had_not_stopped(policy: str, engine: Engine) -> None:
    draw, choice = np.random.default_rng(11), choice_of(policy)
    for _ in range(CASES // 3):
        workload, cluster = random_application(draw), random_cluster(draw)
        whole = outcome(workload, cluster, choice, engine)
        if isinstance(whole, str):
            continue
        stop = float(draw.integers(0, 30)) / 2
        run = Simulation(workload, cluster, choice, engine=engine)
        run.advance_until(stop)
        twin = run.fork()
        while not twin.advance():
            pass
        assert bits(twin.schedule()) == bits(whole)
        assert bits(simulate_fork(workload, cluster, choice, Fork(stop, 0, choice), engine=engine)) == bits(
            whole
        )


@pytest.mark.parametrize("pair", [("fifo", "critical"), ("critical", "spark-fair"), ("fair", "sjf")])
def test_another_policy_goes_on_with_what_has_started(pair: tuple[str, str]) -> None:
    before, after = map(choice_of, pair)
    draw = np.random.default_rng(3)
    kept = [rule for rule in RULES if rule is not never_idle]
    for _ in range(CASES):
        workload, cluster = random_application(draw), random_cluster(draw)
        stop = float(draw.integers(0, 20)) / 2
        if isinstance(first := outcome(workload, cluster, before, "interpreted"), str):
            continue
        try:
            one, other = (
                simulate_fork(workload, cluster, after, Fork(stop, 0, before), engine=engine)
                for engine in ENGINES
            )
        except StalledError:
            continue
        assert bits(one) == bits(other)
        begun = first.start < stop
        assert one.start[begun].tolist() == first.start[begun].tolist()
        assert [wrong for rule in kept for wrong in rule(one)] == []


def test_pools_with_slots_of_their_own_go_on_working() -> None:
    draw = np.random.default_rng(9)
    for _ in range(CASES):
        workload = random_application(draw)
        names = workload.input_order
        cut = int(draw.integers(0, len(names) + 1))
        parts = Partition((SlotPool("one", 2, 1, names[:cut]), SlotPool("other", 2, 3, names[cut:])))
        run = partial(simulate, workload, Cluster(4, 4), PolicyChoice("fifo"), partition=parts)
        try:
            one = run(engine="interpreted")
        except StalledError:  # fillers hold all slots of a pool
            continue
        other = run(engine="compiled")
        assert bits(one) == bits(other)
        kept = [rule for rule in RULES if rule is not never_idle]
        assert [wrong for rule in kept for wrong in rule(one)] == []
        first = np.isin([job.name for job in workload.jobs], names[:cut])[workload.columns.job]
        is_map = workload.columns.kind == MAP
        assert (one.slot[first & is_map] < 2).all()
        assert (one.slot[~first & is_map] >= 2).all()


def test_what_refuses_says_so_by_itself() -> None:
    """No policy is refused here that is not by its own word."""
    flags = {p for p in IDS if policy_class(p).needs_map_reduce or hasattr(policy_class(p), "replanner")}
    assert flags == set(REFUSED)
