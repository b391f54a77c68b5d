"""What policies may know of nodes: needs, what is free, where a task would run; as in slow twins of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.engine.state import records_of
from core.files.resources import resource_path
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.composing.hooks import hooks_of
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.policies.user_files.policy_file import load_policy_file
from core.simulation.simulate import Simulation, simulate
from tests import naive
from tests.core.engine.compared import ENGINES, columns, naive_columns, outcome

if TYPE_CHECKING:
    from core.simulation.simulate import Engine

RUNS = 40


class HighestNode(Policy):
    """The kind of task that runs on the higher node goes first, then the one whose node has more left."""

    id = "highest-node"

    def key(kind: Any, cluster: Any) -> Any:
        return -cluster.node[kind], cluster.cores[kind] - cluster.node_cores[kind]


class NotOnOne(Policy):
    """No task runs on node 1, or on the host of that number."""

    id = "not-on-one"

    def admits(kind: Any, cluster: Any) -> Any:
        return cluster.node[kind] != 1


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in (HighestNode, NotOnOne):
        register_policy(policy.id, policy)
    for name in ("drf", "tetris"):
        register_policy(name, load_policy_file(resource_path("policies", f"{name}.py")))


class NodeRun(naive.Run):
    """The lowest node with room is looked for, and what is free there counted, at each question."""

    def __init__(self, workload: Workload, cluster: Cluster, policy: str) -> None:
        super().__init__(workload, cluster, "fifo")
        self.preference = {"drf": self.share, "tetris": self.alignment, "highest-node": self.height}[policy]

    def all_of(self, resource: int) -> int:
        return sum(node.total[resource] for node in self.nodes())

    def nodes(self) -> list[naive.Node]:
        return [node for node in dict.fromkeys(slot.node for slot in self.slots) if node is not None]

    def free(self, node: naive.Node, resource: int) -> int:
        tasks = [row.task for row in node.rows if row.task is not None]
        return node.total[resource] - sum(node.asked[task.kind][resource] for task in tasks)

    def node_for(self, kind: str) -> naive.Node:
        row = self.lowest_row(kind)
        assert row is not None
        assert row.node is not None
        return row.node

    def offered(self, kind: str) -> tuple[int, int, int]:
        """Return the node where a task of a kind would run, and what is free there."""
        row = self.lowest_row(kind)
        if row is None:
            return -1, 0, 0
        assert row.node is not None
        return self.nodes().index(row.node), self.free(row.node, 0), self.free(row.node, 1)

    def share(self, job: naive.Job, kind: str) -> Any:
        asked = self.nodes()[0].asked
        parts = [
            sum(job.running(each) * asked[each][resource] for each in asked) / self.all_of(resource)
            for resource in (0, 1)
        ]
        return max(parts) / job.weight, job.arrival, kind != naive.MAP, job.index

    def alignment(self, job: naive.Job, kind: str) -> Any:
        node = self.node_for(kind)
        score = sum(
            node.asked[kind][resource]
            / self.all_of(resource)
            * self.free(node, resource)
            / self.all_of(resource)
            for resource in (0, 1)
        )
        return -score, job.arrival, kind != naive.MAP, job.index

    def height(self, job: naive.Job, kind: str) -> Any:
        node = self.node_for(kind)
        left = self.free(node, 1) - node.asked[kind][1]
        return -self.nodes().index(node), -left, kind != naive.MAP, job.arrival, job.index


def offered(run: Simulation) -> list[tuple[int, int, int]]:
    """Return the same of a run, for either kind."""
    cluster = records_of(run._state).cluster
    return list(zip(*map(list, (cluster.node, cluster.node_memory, cluster.node_cores)), strict=True))


def random_workload(draw: np.random.Generator) -> Workload:
    jobs = []
    for i in range(int(draw.integers(1, 6))):
        maps, reduces = draw.integers(0, 7, 2).tolist()
        times = [draw.integers(0, 5, 3) for _ in range(4)]
        first, typical = times[2:]
        stages = Stage.of(max(maps, 1), times[0]), Stage.of(reduces, times[1], first, typical)
        weight, arrival = float(draw.choice([0.5, 1.0, 2.0])), float(draw.integers(0, 6))
        jobs.append(Job(f"J{i}", *stages, arrival=arrival, weight=weight))
    return Workload("w", tuple(jobs))


def random_cluster(draw: np.random.Generator) -> Cluster:
    """Nodes of different sizes whose sums are powers of two, so that every part of them is exact."""
    groups = [
        (NodeGroup(1, 8, 8),),
        (NodeGroup(2, 8, 4),),
        (NodeGroup(1, 4, 8), NodeGroup(1, 12, 8)),
        (NodeGroup(2, 4, 3), NodeGroup(1, 8, 2)),
    ]
    requests = [Request(*draw.integers(1, 4, 2).tolist()) for _ in range(2)]
    if draw.integers(2):
        requests[1] = Request(1, 2)
    slowstart = float(draw.choice([0.5, 1.0]))
    nodes = groups[int(draw.integers(len(groups)))]
    maps, reduces = (Request(r.memory_mb, min(r.cores, 2)) for r in requests)
    return Cluster(0, 0, slowstart, nodes=nodes, map_request=maps, reduce_request=reduces)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", ["drf", "tetris", "highest-node"])
def test_policies_are_their_slow_twins(policy: str, engine: Engine) -> None:
    ended = differ = 0
    for seed in range(RUNS):
        draw = np.random.default_rng((81, seed))
        workload, cluster = random_workload(draw), random_cluster(draw)
        twin = NodeRun(workload, cluster, policy).run()
        if twin.stalled:
            with pytest.raises(StalledError):
                simulate(workload, cluster, PolicyChoice(policy), engine=engine)
            continue
        schedule = simulate(workload, cluster, PolicyChoice(policy), engine=engine)
        assert columns(schedule) == naive_columns(twin), seed
        ended += 1
        fifo = naive.Run(workload, cluster, "fifo").run()
        differ += naive_columns(fifo) != naive_columns(twin)
    assert ended > RUNS // 2
    assert differ > RUNS // 8  # what they know matters


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("before", ["fifo", "drf"])
def test_a_run_goes_on_under_a_policy_that_knows_nodes(before: str, engine: Engine) -> None:
    """What FIFO has not kept is there for the policy that takes over."""
    for seed in range(RUNS):
        draw = np.random.default_rng((82, seed))
        workload, cluster = random_workload(draw), random_cluster(draw)
        run = Simulation(workload, cluster, PolicyChoice(before), engine=engine)
        try:
            run.advance(until=2.5)
        except StalledError:
            continue
        after = run.with_policy(PolicyChoice("tetris"))
        twin = NodeRun(workload, cluster, "drf")
        if before == "fifo":
            twin.serve("fifo")
        twin.run(until=2.5)
        assert offered(after) == [twin.offered(kind) for kind in (naive.MAP, naive.REDUCE)], seed
        twin.preference = twin.alignment
        twin.run()
        if twin.stalled:
            assert isinstance(outcome(after), str)
        else:
            while not after.advance():
                pass
            assert columns(after.schedule()) == naive_columns(twin), seed


@pytest.mark.parametrize("heartbeat", [0.0, 3.0])
@pytest.mark.parametrize("engine", ENGINES)
def test_hosts_that_ask_are_known(engine: Engine, heartbeat: float) -> None:
    """Of three hosts with a map slot and a reduce slot each, the second one gets nothing."""
    cluster = Cluster(3, 3, overheads=Overheads(heartbeat=heartbeat, hosts=3))
    workload = Workload("w", (Job("J1", Stage.of(5, 2.0), Stage.of(2, 1.0)),))
    schedule = simulate(workload, cluster, PolicyChoice("not-on-one"), engine=engine)
    assert set(schedule.slot.tolist()) == {0, 2, 3, 5}


@pytest.mark.parametrize("engine", ENGINES)
def test_who_declines_a_node_is_offered_no_other_one(engine: Engine) -> None:
    """Two nodes, each with room for a map: the second one is declined when the first one is full."""
    ask = Request(1, 1)
    cluster = Cluster(0, 0, nodes=(NodeGroup(2, 1, 1),), map_request=ask, reduce_request=ask)
    workload = Workload("w", (Job("J1", Stage.of(3, 2.0)),))
    schedule = simulate(workload, cluster, PolicyChoice("not-on-one"), engine=engine)
    assert schedule.start.tolist() == [0, 2, 4]
    assert schedule.slot.tolist() == [0, 0, 0]


def at_first(policy: str) -> Simulation:
    cluster = Cluster(0, 0, nodes=(NodeGroup(2, 8192, 4), NodeGroup(1, 4096, 2)))
    workload = Workload("w", (Job("J1", Stage.of(1, 1.0)),))
    return Simulation(workload, cluster, PolicyChoice(policy), engine="interpreted")


def test_what_is_not_read_is_not_kept() -> None:
    assert offered(at_first("tetris")) == [(0, 8192, 4)] * 2
    unknown = at_first("fifo")
    assert offered(unknown) == [(-1, 0, 0)] * 2
    cluster = records_of(unknown._state).cluster
    assert (cluster.all_memory, cluster.all_cores) == (20480, 10)


def test_what_is_read_by_a_function_inside_a_hook_is_found() -> None:
    class Inside(Policy):
        """Asks in a function of its own."""

        id = "inside"

        def key(cluster: Any) -> Any:
            return min((0, 1), key=lambda kind: cluster.node_cores[kind])

    assert hooks_of(Inside).reads_node
    assert not hooks_of(Policy).reads_node
