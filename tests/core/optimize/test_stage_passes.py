"""Two passes against the engine, to the last bit, and snapshots against runs from the beginning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.job import Job
from core.model.levers import LEVERS
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import annealing, search_columns
from core.optimize.chains import plain_chain
from core.optimize.cycles import Cycle
from core.optimize.evaluate import finishes, makespans
from core.optimize.levers import blank_plans
from core.optimize.plan_costs import RESPONSE, TARDINESS, value_of
from core.optimize.search_columns import HORIZON, INF, TRIED, fresh_passes, tasks_of, why_no_passes
from core.optimize.stage_passes import run_from
from tests.builders import run
from tests.random_tests import examples


@st.composite
def few_jobs(draw):
    """Draw a few jobs, some of which arrive later; whole seconds, so that many things happen at once."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    arrives = draw(st.booleans())

    def stage(least):
        count = int(random.integers(least, 5))
        return Stage.of(
            count, random.integers(1, 6, max(count, 1)), *random.integers(0, 4, (2, max(count, 1)))
        )

    jobs = []
    for i in range(draw(st.integers(1, 5))):
        maps = stage(0)
        arrival = float(random.integers(0, 9)) * arrives
        jobs.append(
            Job(f"J{i}", Stage.of(maps.count, maps.durations), stage(int(maps.count == 0)), arrival=arrival)
        )
    return Workload("few", tuple(jobs))


CLUSTERS = st.builds(
    Cluster,
    st.integers(2, 4),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    shuffle_model=st.sampled_from(SHUFFLE_MODELS),
)


@examples(25)
@given(few_jobs(), CLUSTERS, st.data())
def test_orders_end_as_in_the_engine(workload, cluster, data):
    order = data.draw(st.permutations([job.name for job in workload.jobs]))
    [finish] = finishes(workload, cluster, [Plan.of_order(order)], compiled=False)
    assert np.array_equal(finish, run(workload, cluster, order=order).finish)


@examples(15)
@given(few_jobs(), CLUSTERS, st.data())
def test_pools_end_as_in_the_engine(workload, cluster, data):
    names = data.draw(st.permutations([job.name for job in workload.jobs]))
    cut = data.draw(st.integers(0, len(names)))
    maps, reduces = (
        data.draw(st.integers(1, cluster.map_slots - 1)),
        data.draw(st.integers(1, cluster.reduce_slots - 1)),
    )
    pools = (
        SlotPool("first", maps, reduces, tuple(names[:cut])),
        SlotPool("second", cluster.map_slots - maps, cluster.reduce_slots - reduces, tuple(names[cut:])),
    )
    plan = Plan(Plan.of_order(names).jobs, Partition(pools))
    [finish] = finishes(workload, cluster, [plan], compiled=False)
    assert np.array_equal(finish, run(workload, cluster, partition=plan.partition).finish)


def test_many_plans_are_run_in_threads_as_one_by_one():
    jobs = [Job(f"J{i}", Stage.of(5, [1.0, 7.0, 2.0]), Stage.of(3, float(i), 1.0, 2.0)) for i in range(6)]
    workload, cluster = Workload("six", tuple(jobs)), Cluster(3, 2, 0.5)
    random = np.random.default_rng(1)
    orders = [[f"J{i}" for i in random.permutation(6)] for _ in range(40)]
    together = makespans(workload, cluster, [Plan.of_order(order) for order in orders])
    alone = [makespans(workload, cluster, [Plan.of_order(order)], compiled=False)[0] for order in orders]
    assert together.tolist() == alone
    assert together[0] == run(workload, cluster, order=orders[0]).makespan


@pytest.mark.parametrize(
    ("cluster", "seconds", "reason"),
    [(Cluster(0, 0, containers=4), 1.0, "untyped"), (Cluster(2, 2), 0.0, "no time")],
)
def test_what_two_passes_do_not_know_is_said(cluster, seconds, reason):
    workload = Workload("one", (Job("J1", Stage.of(2, seconds), Stage.of(1, 1.0)),))
    assert reason in why_no_passes(workload, cluster)


@examples(25)
@given(few_jobs(), CLUSTERS, st.integers(1, 2), st.sampled_from([0.0, 0.5]), st.integers(0, 7), st.data())
def test_going_on_from_snapshots_is_as_from_the_beginning(workload, cluster, pools, stride, turn, data):
    """What an annealing runs again from snapshots, or gives up, against the same plan run from nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_columns, "BLOCK", 3)
        t = tasks_of(workload, cluster)
    every, real, kept_up, given_up, again = np.arange(len(t.count)), run_from, [], [], []

    def compared(t, plans, row, p, pool, floor, trial):
        is_run = real(t, plans, row, p, pool, floor, trial)
        anew = fresh_passes(t, pools)
        anew.held[0] = p.held[0]
        nothing = trial._replace(moved=-1, other=-1, ends_by=INF, most=INF)
        assert real(t, plans, row, anew, 0, -INF, nothing)
        if is_run:
            assert np.array_equal(p.finish[TRIED], anew.finish[TRIED])
            assert np.array_equal(p.busy[TRIED], anew.busy[TRIED])
            again.append(int(p.starts.again.max()))
        else:
            assert value_of(t.arrival, anew.finish[TRIED], trial.goal) > trial.most
        (kept_up if is_run else given_up).append(1)
        return is_run

    chain = plain_chain(t, pools, compiled=False, movable=every)
    mix = np.zeros(5)
    mix[data.draw(st.sampled_from([RESPONSE, TARDINESS]))] = 1.0
    goal = chain.goal._replace(mix=mix, weight=np.ones(len(every)), deadline=5.0 + 5 * every)
    chain._chain.level[HORIZON] = 30.0
    cycle = Cycle(60, 0.01, LEVERS, tied=False, turn=turn, stride=stride)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annealing, "run_from", compared)
        chain.begin(blank_plans(1, t, pools), cycle, -1.0, 1000.0, goal)
        chain.advance(lambda: 60)
    assert kept_up
    event(f"some given up: {bool(given_up)}, begun later: {max(again) > 0}")
