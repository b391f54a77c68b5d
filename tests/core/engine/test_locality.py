"""Maps start where their input lies, and take longer elsewhere: both engines, and a slow twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.files.resources import resource_path
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.composing.hooks import hooks_of
from core.policies.own_policies import register_policy
from core.policies.policy import MAP, Policy
from core.policies.user_files.policy_file import load_policy_file
from core.simulation.along import AlongRun
from core.simulation.simulate import Simulation, simulate
from tests import naive
from tests.core.engine.compared import ENGINES, columns, naive_columns
from tests.core.engine.slow_locality import LocalRun
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

RUNS = draws(220)
WAIT = 1.5


class MostLocal(Policy):
    """The job with the most maps that are local goes first."""

    id = "most-local"

    def key(job: Any, kind: Any) -> Any:
        return -job.local if kind == MAP else 0, kind


class NeverRemote(Policy):
    """No map starts on a node without its input."""

    id = "never-remote"

    def admits(job: Any, kind: Any) -> Any:
        return kind != MAP or job.remote == 0


class LongestNext(Policy):
    """The job goes first whose next task is the longest; in a job the longest task does."""

    id = "longest-next"

    def task_key(duration: Any) -> Any:
        return -duration

    def key(job: Any, kind: Any) -> Any:
        return job.next[kind], kind


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in (MostLocal, NeverRemote, LongestNext):
        register_policy(policy.id, policy)
    register_policy("delay", load_policy_file(resource_path("policies", "delay.py")))


def twin_of(policy: str, workload: Workload, cluster: Cluster) -> LocalRun:
    def by(*key: Any) -> Any:
        return lambda run, job, kind: (*(each(run, job, kind) for each in key), job.arrival, job.index)

    def reduce_last(run: Any, job: Any, kind: str) -> Any:
        return kind != naive.MAP

    if policy == "most-local":
        local = by(lambda run, job, kind: -len(run.local_maps(job)) if kind == naive.MAP else 0, reduce_last)
        return LocalRun(workload, cluster, "fifo", preference=local)
    if policy == "never-remote":
        return LocalRun(workload, cluster, "fifo", never_remote=True)
    if policy == "longest-next":
        longest = by(lambda run, job, kind: -job.next_task(kind).seconds, reduce_last)
        return LocalRun(workload, cluster, "fifo", preference=longest, task_key=lambda task: -task.seconds)
    if policy == "delay":

        def fewest(run: Any, job: naive.Job, kind: str) -> Any:
            return (
                job.running(naive.MAP) + job.running(naive.REDUCE),
                job.arrival,
                kind != naive.MAP,
                job.index,
            )

        return LocalRun(workload, cluster, "fifo", preference=fewest, wait=WAIT)
    return LocalRun(workload, cluster, policy)


def random_workload(draw: np.random.Generator, nodes: int) -> Workload:
    jobs = []
    for i in range(int(draw.integers(1, 6))):
        maps, reduces = int(draw.integers(1, 8)), int(draw.integers(0, 4))
        times = [draw.integers(0, 5, 3) for _ in range(4)]
        stages = Stage.of(maps, times[0]), Stage.of(reduces, times[1], times[2], times[3])
        given: dict[str, Any] = {}
        if draw.integers(4):
            copies = draw.integers(1, min(nodes, 3) + 1, maps).tolist()
            lies = [sorted(draw.choice(nodes, count, replace=False).tolist()) for count in copies]
            given = {"input_nodes": tuple(map(tuple, lies)), "remote_read": float(draw.integers(0, 4))}
        weight, arrival = float(draw.choice([0.5, 1.0, 2.0])), float(draw.integers(0, 6))
        jobs.append(Job(f"J{i}", *stages, arrival=arrival, weight=weight, **given))
    first = jobs[0]
    if not any(job.input_nodes for job in jobs):
        nowhere = ((int(draw.integers(nodes)),),) * first.maps.count
        jobs[0] = Job("J0", first.maps, first.reduces, first.arrival, input_nodes=nowhere, remote_read=2.0)
    return Workload("w", tuple(jobs))


def random_cluster(draw: np.random.Generator) -> Cluster:
    groups = [
        (NodeGroup(2, 4, 2),),
        (NodeGroup(4, 2, 1),),
        (NodeGroup(1, 8, 4), NodeGroup(2, 2, 2)),
        (NodeGroup(1, 2, 2), NodeGroup(2, 4, 4)),
    ]
    requests = [Request(*draw.integers(1, 3, 2).tolist()) for _ in range(2)]
    nodes = groups[int(draw.integers(len(groups)))]
    requests = [Request(request.memory_mb, min(request.cores, nodes[0].cores)) for request in requests]
    slowstart = float(draw.choice([0.0, 0.5, 1.0]))
    return Cluster(0, 0, slowstart, nodes=nodes, map_request=requests[0], reduce_request=requests[1])


def drawn(seed: int) -> tuple[Workload, Cluster]:
    draw = np.random.default_rng((91, seed))
    cluster = random_cluster(draw)
    return random_workload(draw, sum(group.count for group in cluster.nodes)), cluster


def run(policy: str, workload: Workload, cluster: Cluster, engine: Engine) -> Schedule:
    parameters = {"wait": WAIT} if policy == "delay" else {}
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine=engine)


@pytest.mark.parametrize("policy", ["fifo", "fair", "most-local", "never-remote", "longest-next", "delay"])
def test_both_engines_are_the_slow_twin(policy: str) -> None:
    ended = remote = local = 0
    for seed in range(RUNS):
        workload, cluster = drawn(seed)
        twin = twin_of(policy, workload, cluster)
        twin.run()
        for engine in ENGINES:
            if twin.stalled:
                with pytest.raises(StalledError):
                    run(policy, workload, cluster, engine)
                continue
            schedule = run(policy, workload, cluster, engine)
            assert columns(schedule) == naive_columns(twin), seed
            tasks = twin.tasks()
            assert schedule.reads_remotely.tolist() == [task in twin.remote for task in tasks], seed
        ended += not twin.stalled
        remote += sum(twin.remote_read[task.job.index] > 0 for task in twin.remote)
        local += sum(bool(inputs) for inputs in twin.inputs)
    assert ended > RUNS // 2
    assert local > RUNS
    assert (remote == 0) == (policy == "never-remote")


def two_nodes(**fields: Any) -> Cluster:
    """Two nodes with room for one task each; reduces start when all maps have ended."""
    ask = Request(1, 1)
    given: dict[str, Any] = {
        "nodes": (NodeGroup(2, 1, 1),),
        "map_request": ask,
        "reduce_request": ask,
        "slowstart": 1.0,
    }
    return Cluster(0, 0, **given | fields)


def located(name: str, *nodes: int, reads: float = 3.0, maps: float = 2.0, **fields: Any) -> Job:
    """Return a job of maps of 2 s whose inputs lie on one node each."""
    lies = tuple((node,) for node in nodes)
    return Job(name, Stage.of(len(nodes), maps), input_nodes=lies, remote_read=reads, **fields)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_local_map_starts_first_and_a_remote_one_takes_longer(engine: Engine) -> None:
    """The inputs of A's maps lie on nodes 1, 0, 1 and 1: number 1 starts on node 0, number 0 on node 1.

    At 2 s node 0 has no further one: the first that waits, number 2, reads from node 1 until 7 s.
    """
    schedule = simulate(
        Workload("w", (located("A", 1, 0, 1, 1),)), two_nodes(), PolicyChoice("fifo"), engine=engine
    )
    assert schedule.slot.tolist() == [1, 0, 0, 1]
    assert schedule.start.tolist() == [0, 0, 2, 2]
    assert schedule.end.tolist() == [2, 2, 7, 4]
    assert schedule.sequence.tolist() == [1, 0, 2, 3]
    assert schedule.by_stage.tolist() == [1, 0, 2, 3]
    assert schedule.reads_remotely.tolist() == [False, False, True, False]
    assert [schedule.reads_for(task) for task in range(4)] == [0, 0, 3, 0]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_is_copied_and_goes_on_under_another_policy(engine: Engine) -> None:
    """What is local to each node goes with the run; FIFO that goes on with FIFO ends as it did."""
    for seed in range(40):
        workload, cluster = drawn(seed)
        whole = run("fifo", workload, cluster, engine)
        begun = Simulation(workload, cluster, PolicyChoice("fifo"), engine=engine)
        begun.advance(until=3.5)
        copied = begun.fork()
        for after in (begun.with_policy(PolicyChoice("fifo")), copied, begun):
            while not after.advance():
                pass
            assert columns(after.schedule()) == columns(whole), seed
        with pytest.raises(InputError, match="an order of tasks of its own"):
            begun.with_policy(PolicyChoice("longest-next"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_stops_before_each_start(engine: Engine) -> None:
    for seed in range(20):
        workload, cluster = drawn(seed)
        whole = run("most-local", workload, cluster, engine)
        begun = Simulation(workload, cluster, PolicyChoice("most-local"), engine=engine)
        for place, task in enumerate(whole.sequence.tolist()):
            decision = begun.advance_to_start(place)
            assert decision is not None
            assert decision.slot == whole.slot[task], seed
            assert decision.job == workload.columns.job[task], seed
        assert begun.advance_to_start(whole.tasks) is None
        assert columns(begun.schedule()) == columns(whole)


def test_what_is_not_modelled_is_refused() -> None:
    workload = Workload("w", (located("A", 0, 1),))
    simulate(workload, two_nodes(), PolicyChoice("fifo"))
    for cluster, why in (
        (Cluster(2, 1), "the cluster has no nodes; give it nodes"),
        (
            two_nodes(nodes=(NodeGroup(1, 1, 1),)),
            r"jobs\[0\].input_nodes\[1\] is \[1\]; the cluster has one node, 0",
        ),
        (two_nodes(contention=(1.0, 0.5)), "not modelled with contention"),
    ):
        with pytest.raises(InputError, match=why):
            simulate(workload, cluster, PolicyChoice("fifo"))
    with pytest.raises(InputError, match="cannot be asked along a run whose jobs say"):
        AlongRun(simulate(workload, two_nodes(), PolicyChoice("fifo")), PolicyChoice("sjf"))


def test_what_is_local_is_kept_for_who_reads_it() -> None:
    assert hooks_of(NeverRemote).reads_node
    assert not hooks_of(NeverRemote).uses_tree
    assert not hooks_of(LongestNext).reads_node
