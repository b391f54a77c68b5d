"""No policy looks at the clock while nothing happens: work grows with what happens, not with time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.job import Dataset, scan_stage
from core.model.overheads import Overheads
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP
from core.model.workload import Workload
from core.policies.registry import GROUPS
from core.simulation.simulate import Simulation
from tests.builders import make_job

LONG = 1e9
HOSTS = Overheads(heartbeat=0.5, hosts=2)
CLUSTERS = {
    "slots": Cluster(3, 2),
    "containers": Cluster(0, 0, 0.0, "overlap", containers=4),
    "slots of hosts": Cluster(3, 2, overheads=HOSTS),
    "containers of hosts": Cluster(0, 0, 0.0, "overlap", containers=4, overheads=HOSTS),
}
SHARING = ("flex", "circumflex", "batch", "ako")
ELSEWHERE = ("optimized", "balanced-pools")
"""What they do before a run is searched, and replayed by a policy of its own."""
EVERY = [
    (policy.id, where)
    for group in GROUPS.values()
    for policy in group
    for where, cluster in CLUSTERS.items()
    if policy.id not in ELSEWHERE and not (policy.id in SHARING and cluster.overheads)
]


def sparse_workload(policy: str) -> Workload:
    """Five jobs, the last two together, far apart; a map and a shuffle last for ages, budgets run out."""
    ages = 1e8
    dataset = Dataset("d", 6, block_seconds=ages)
    jobs = []
    for i, at in enumerate((0.0, LONG, 2 * LONG, 3 * LONG, 3 * LONG + 1)):
        job = make_job(
            f"J{i}",
            (6, [3.0, 5.0, ages, 2.0]),
            (3, 4.0, 1.0, 2.0 + ages * (i % 2)),
            arrival=at,
            deadline=at + 4 * ages,
            pool="ab"[i % 2],
        )
        if policy in SHARING:
            some = () if policy == "flex" or i < 2 else ((0, 3 + i % 2),)
            job = replace(job.with_stage(MAP, scan_stage(dataset, some)), dataset="d", blocks=some)
        jobs.append(job)
    pools = (Pool("a", spending_rate=1e-9, budget=1e-3), Pool("b", spending_rate=1.0, budget=10.0))
    return Workload("sparse", tuple(jobs), pool_settings=pools, datasets=(dataset,))


@pytest.mark.parametrize(("policy", "where"), EVERY)
def test_work_grows_with_what_happens(policy: str, where: str) -> None:
    """Each of 45 tasks, 5 arrivals and ends of stages brings a few instants, on hosts some heartbeats."""
    workload = sparse_workload(policy)
    run = Simulation(workload, CLUSTERS[where], PolicyChoice(policy), engine="interpreted")
    instants = 0
    while not run.advance(instants=1):
        instants += 1
        assert instants < 1000
    assert run.schedule().makespan > 3 * LONG


@pytest.mark.parametrize("policy", ["fresh", "omo"])
def test_tasks_that_last_for_ages_beside_heartbeats(policy: str) -> None:
    """Reduces wait for maps of up to 10^12 s, and each second hosts ask whether they may start."""
    maps = [1e-9, 1e12, 1.0, 1.0, 1e12, 1e-9, 1.0, 0.0, 1e9]
    workload = Workload("w", (make_job("J1", (40, maps), (3, [1e-9, 1e9], 0.0, [1e12, 1.0]), arrival=3.0),))
    cluster = Cluster(0, 0, containers=41, overheads=Overheads(heartbeat=1, hosts=3))
    run = Simulation(workload, cluster, PolicyChoice(policy), engine="interpreted")
    instants = 0
    while not run.advance(instants=1):
        instants += 1
        assert instants < 2000
