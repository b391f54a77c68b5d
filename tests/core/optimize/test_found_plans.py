"""What a search has found is what its plan gives, written to a file, read again and simulated."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.plan_document import plan_from_json, plan_to_json
from core.model.cluster import Cluster
from core.model.levers import LEVERS
from core.model.objectives import OBJECTIVES
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan, check_plan
from core.model.task_types import MAP, REDUCE
from core.optimize import annealing
from core.optimize.chains import plain_chain
from core.optimize.constraints import Constraints
from core.optimize.cycles import Cycle
from core.optimize.kept_starts import KeptStarts
from core.optimize.levers import blank_plans, copied_row, plan_of
from core.optimize.objectives import Objective
from core.optimize.search import Search, optimize
from core.optimize.search_columns import NOW, tasks_of, usual_after, why_no_passes
from core.optimize.starts import starts_in_pools
from tests import random_tests
from tests.builders import make_job, make_workload, run
from tests.core.policies.plans import planned

MAP_ONLY, REDUCE_ONLY = make_job("A", (3, 6)), make_job("C", (0,), (2, 1))
POOR_POOLS = {
    "no shuffles": make_workload(MAP_ONLY, make_job("B", (5, 2), (3, 1)), REDUCE_ONLY),
    "shuffles": make_workload(
        MAP_ONLY, make_job("B", (5, 2), (3, 1)), make_job("C", (0,), (2, 1, [5, 7], [6, 4]))
    ),
}
"""The best schedule takes 14 s; plans that lend slots which a pool does not have ended at 10 s."""


def replayed(workload, cluster, plan):
    """Return the schedule of a plan that was written and read again."""
    read = plan_from_json(json.loads(json.dumps(plan_to_json(plan))), "test")
    assert read == plan
    return run(workload, cluster, plan=read)


@pytest.mark.parametrize("workload", POOR_POOLS.values(), ids=POOR_POOLS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_pool_lends_what_it_does_not_have(workload, seed):
    cluster = Cluster(2, 2, 0.05)
    found = optimize(workload, cluster, steps=3000, seed=seed)
    assert found.best == replayed(workload, cluster, found.plan).makespan >= found.bound == 14
    assert found.proved == (found.best == 14)


def lacking_stages(seed):
    """Return a few jobs of which half have maps only, or reduces only, on two to four slots of each kind."""
    draw = np.random.default_rng(seed)
    jobs = []
    for i in range(draw.integers(3, 6)):
        lacks = draw.integers(0, 4)
        maps, reduces = (draw.integers(1, 6) * (lacks != kind) for kind in (MAP, REDUCE))
        stages = (maps, draw.integers(1, 9, 3)), (reduces, draw.integers(1, 9, 3), *draw.integers(0, 8, 2))
        jobs.append(make_job(f"J{i}", *stages))
    maps, reduces = draw.integers(2, 5, 2).tolist()
    return make_workload(*jobs), Cluster(maps, reduces, 0.05)


def test_pools_of_jobs_that_lack_a_stage():
    for seed in range(200 if random_tests.is_thorough else 12):
        workload, cluster = lacking_stages(seed)
        found = optimize(workload, cluster, steps=1500, seed=seed)
        assert found.best == replayed(workload, cluster, found.plan).makespan, seed
        assert found.best >= found.bound * (1 - 1e-9), seed


def test_every_move_makes_a_plan_that_a_document_may_have(monkeypatch):
    tried = []

    def noted(t, plans, p, c):
        is_tried = propose(t, plans, p, c)
        if is_tried:
            tried.append(plan_of(copied_row(plans, NOW), workload, usual))
            check_plan(tried[-1], workload, cluster)
        return is_tried

    propose = annealing.propose
    monkeypatch.setattr(annealing, "propose", noted)
    for seed in range(40 if random_tests.is_thorough else 4):
        workload, cluster = lacking_stages(seed)
        t, usual = tasks_of(workload, cluster), usual_after(tasks_of(workload, cluster), cluster)
        chain = plain_chain(t, 3, compiled=False, movable=np.arange(len(t.count)))
        cycle = Cycle(300, 0.1, (*LEVERS, "caps"), tied=False, turn=7)
        chain.begin(blank_plans(1, t, 3), cycle, 0.0, 500.0, chain.goal)
        chain.advance(lambda: 300)
    pools = [pool for plan in tried if plan.partition for pool in plan.partition.pools]
    assert any(0 in pool.slots and any(pool.slots) and pool.jobs for pool in pools)
    assert any(stage.cap for plan in tried for job in plan.jobs for stage in job.stages)


def test_starts_beside_pinned_jobs_are_plans_that_fit():
    workload, cluster = make_workload(make_job("A", (2,), (2,)), make_job("B", (2,), (2,))), Cluster(4, 4)
    t, pinned = tasks_of(workload, cluster), Constraints(pinned=frozenset(["A"]))
    halves = Partition((SlotPool("one", 2, 2, ("A",)), SlotPool("other", 2, 2, ("B",))))
    usual = usual_after(t, cluster)
    for begin in (None, Plan(Plan.of_order(["B", "A"]).jobs, halves)):
        kept = KeptStarts(workload, cluster, t, pinned, begin, 2)
        for start in starts_in_pools(halves, workload, t, usual, LEVERS, 9.0):
            check_plan(plan_of(kept.row_of(start), workload, usual, kept.pinned), workload, cluster)


@random_tests.examples(40)
@given(planned(), st.sampled_from(sorted(OBJECTIVES)), st.booleans(), st.integers(1, 9))
def test_every_plan_that_is_found_can_be_written_and_simulated(given, objective, begins_there, seed):
    workload, cluster = given.workload, given.cluster
    steps = 30 if why_no_passes(workload, cluster) else 600
    asked, start = Objective.of(objective), given.plan if begins_there else None
    search = Search(workload, cluster, objective=asked, start=start, seed=seed, horizon=steps)
    for _ in range(3):
        found = search.advance(steps // 3)
        schedule = replayed(workload, cluster, found.plan)
        if objective == "makespan":
            assert found.best == schedule.makespan
        assert found.best >= found.bound * (1 - 1e-9)
