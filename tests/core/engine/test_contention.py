"""Contention of nodes: maps that slow one another, by hand and under every policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.measures.metrics import bound_of
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.policies.policy import MAP
from core.policies.registry import policies, policy_class
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.simulate import Engine, Simulation, simulate
from tests.builders import make_job, make_workload
from tests.core.engine import rules
from tests.core.engine.compared import ENGINES, begin, columns, outcome
from tests.core.engine.strategies import Case, cases, workloads
from tests.random_tests import examples

both_engines = pytest.mark.parametrize("engine", ENGINES)


def on_nodes(count: int, tasks: int, *speeds: float, slowstart: float = 0.05) -> Cluster:
    """Nodes on each of which so many tasks run at once, of either kind."""
    nodes = (NodeGroup(count, tasks * 1024, tasks),)
    return Cluster(0, 0, slowstart, "simmr", nodes=nodes, contention=speeds)


@both_engines
def test_two_maps_halve_their_speed_until_one_ends(engine: Engine) -> None:
    """Maps of 4 s and 8 s: at half speed the short one ends at 8 s; the other has 4 s left, and is alone."""
    workload = make_workload(make_job("J1", (2, [4, 8])))
    schedule = simulate(workload, on_nodes(1, 2, 1.0, 0.5), PolicyChoice("fifo"), engine=engine)
    assert schedule.end.tolist() == [8, 12]


@both_engines
def test_what_arrives_later_slows_what_runs(engine: Engine) -> None:
    """J1's map of 6 s is alone for 2 s; beside J2's map of 1 s it runs at 0.4 for 2.5 s, then alone for 3 s.

    J2 needs 1 / 0.4 = 2.5 s. The other node's map, alone, takes its 7 s.
    """
    workload = make_workload(make_job("J1", (1, 6.0)), make_job("J2", (2, [1.0, 7.0]), arrival=2.0))
    cluster = replace(on_nodes(1, 2, 1.0, 0.4), nodes=(NodeGroup(1, 2048, 2), NodeGroup(1, 1024, 1)))
    schedule = simulate(workload, cluster, PolicyChoice("fifo"), engine=engine)
    assert schedule.end.tolist() == pytest.approx([7.5, 4.5, 9.0])


@both_engines
def test_reduces_neither_slow_nor_are_slowed(engine: Engine) -> None:
    """A reduce of 10 s leaves its node to one map at a time; after it two run, the third with 2 s left.

    At half speed the third ends at 14 s; by then the fourth has done 2 s, and does the others alone.
    """
    workload = make_workload(make_job("J1", (0, 0), (1, 10.0)), make_job("J2", (4, 4.0)))
    schedule = simulate(workload, on_nodes(1, 2, 1.0, 0.5), PolicyChoice("fifo"), engine=engine)
    assert schedule.end.tolist() == [10, 4, 8, 14, 16]


@both_engines
def test_reduces_that_count_slow_the_maps_beside_them_and_are_not_slowed(engine: Engine) -> None:
    """Half a map each: the map runs at 0.75 beside one, at 0.5 beside two.

    Reduces run from 0 to 10 s and from 6 to 12 s. So the map does 6 * 0.75 + 4 * 0.5 + 2 * 0.75 = 8 s of
    its 9 by then, and the last one alone.
    """
    workload = make_workload(
        make_job("J1", (1, 9.0)),
        make_job("J2", (0, 0), (1, 10.0)),
        make_job("J3", (0, 0), (1, 6.0), arrival=6),
    )
    cluster = replace(on_nodes(1, 3, 1.0, 0.5), reduce_load=0.5)
    schedule = simulate(workload, cluster, PolicyChoice("fifo"), engine=engine)
    assert schedule.end.tolist() == [13, 10, 12]


@both_engines
def test_more_maps_than_speeds_run_at_the_last_speed(engine: Engine) -> None:
    workload = make_workload(make_job("J1", (4, 3.0)))
    schedule = simulate(workload, on_nodes(1, 4, 1.0, 0.5), PolicyChoice("fifo"), engine=engine)
    assert schedule.end.tolist() == [6] * 4


STALLING = make_workload(make_job("J1", (0, 0), (1, 1.0)), make_job("J2", (1, 1.0), (1, 1.0)))
ONE_NODE = Cluster(0, 0, 0.0, "simmr", 0, (NodeGroup(1, 1, 3),), Request(0, 3), Request(0, 1))


@examples(30)
@given(case=cases())
@example(Case(STALLING, ONE_NODE, "fifo", None))
def test_full_speed_for_all_is_no_contention_to_the_last_bit(case: Case) -> None:
    """Where a reduce holds the cores that a map needs, both runs stall with one sentence."""
    if not case.cluster.has_nodes:
        return
    without = replace(case.cluster, contention=(), reduce_load=0.0)
    for engine in ENGINES:
        plain, same = (
            outcome(begin(replace(case, cluster=cluster), engine))
            for cluster in (without, replace(without, contention=(1.0, 1.0)))
        )
        assert plain == same


def runs_on_nodes(policy_id: str) -> bool:
    """Whether a policy neither divides typed slots nor shares scans."""
    policy = policy_class(policy_id)
    return not hasattr(policy, "partition") and not hasattr(policy, "replanner")


@examples(5)
@given(workload=workloads(), data=st.data())
@pytest.mark.parametrize("policy", [policy.id for policy in policies() if runs_on_nodes(policy.id)])
def test_every_map_does_its_work_under_every_policy(policy: str, workload: Any, data: Any) -> None:
    """The integral of its speed over its time is its duration, and both engines agree to the last bit."""
    speeds = sorted(data.draw(st.lists(st.floats(0.01, 1), min_size=1, max_size=5)), reverse=True)
    cluster = on_nodes(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5)), *speeds)
    cluster = replace(cluster, reduce_load=data.draw(st.sampled_from((0.0, 0.7, 1.0))))
    made = [simulate(workload, cluster, PolicyChoice(policy), engine=engine) for engine in ENGINES]
    assert columns(made[0]) == columns(made[1])
    schedule = made[0]
    is_map = schedule.workload.columns.kind == MAP
    worked = rules.work_done(schedule)[is_map]
    assert np.allclose(worked, schedule.workload.columns.duration[is_map], rtol=1e-9, atol=1e-9)
    assert schedule.makespan >= bound_of(schedule) * (1 - 1e-9)


def test_a_job_alone_on_the_cluster_is_simulated_with_contention() -> None:
    """Each of two jobs of two maps of 5 s, alone on a node of two: both maps at half speed."""
    workload = make_workload(make_job("J1", (2, 5.0)), make_job("J2", (2, 5.0), arrival=1.0))
    assert isolated_runtimes(workload, on_nodes(1, 2, 1.0, 0.5)).tolist() == [10, 10]


@both_engines
def test_a_copy_goes_on_alone_at_any_instant(engine: Engine) -> None:
    workload = make_workload(
        *(make_job(f"J{i}", (6, [3, 5, 4]), (2, 2.0), arrival=2.0 * i) for i in range(4))
    )
    cluster = replace(on_nodes(2, 3, 1.0, 0.7, 0.3), reduce_load=0.6)
    whole = columns(simulate(workload, cluster, PolicyChoice("fair"), engine=engine))
    run = Simulation(workload, cluster, PolicyChoice("fair"), engine=engine)
    for _ in range(15):
        run.advance(instants=1)
        twin, other = run.fork(), run.with_policy(PolicyChoice("fair"))
        for each in (twin, other):
            while not each.advance():
                pass
            assert columns(each.schedule()) == whole


def test_shared_scans_do_not_know_contention() -> None:
    workload = make_workload(make_job("J1", (2, 5.0)))
    with pytest.raises(InputError, match="contention of nodes is not modelled with shared scans"):
        simulate(workload, on_nodes(1, 2, 1.0, 0.5), PolicyChoice("flex"))


def test_crowded_maps_have_the_mean_time_of_all_places() -> None:
    """Two nodes of three maps at 0.5 and one of one at full speed: (6 * 2 + 1) / 7 times as long."""
    groups = (NodeGroup(2, 3072, 3), NodeGroup(1, 1024, 1))
    cluster = replace(on_nodes(1, 1, 1.0, 0.75, 0.5), nodes=groups)
    assert cluster.crowded_map_speed == pytest.approx(7 / 13)
    assert replace(cluster, contention=()).crowded_map_speed == 1
