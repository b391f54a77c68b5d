"""That annealing anneals: how often it takes what is worse, how it cools down, and that moves go both ways.

On most workloads one that never takes a worse plan finds about as much in as many steps, so no gap shows it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.levers import LEVERS
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.optimize import annealing, due_dates, levers
from core.optimize.chains import PlanChain, plain_chain
from core.optimize.cycles import Cycle
from core.optimize.due_dates import NEXT, demand_of, fresh_due_dates
from core.optimize.levers import blank_plans
from core.optimize.search_columns import COST, KEPT, LAST, NOW, RANDOM, SCALE, TEMPERATURE, VALUE, tasks_of

CLUSTER = Cluster(6, 6, 0.05)
STEPS = 2000


@pytest.fixture(scope="module")
def workload() -> Workload:
    random = np.random.default_rng(3)
    jobs = []
    for i in range(12):
        maps, reduces = random.integers(3, 9, 2)
        times = random.integers(5, 60, maps), random.integers(5, 60, reduces)
        jobs.append(Job(f"J{i}", Stage.of(maps, times[0]), Stage.of(reduces, times[1], 2.0, 5.0)))
    return Workload("uneven", tuple(jobs))


def begun(workload: Workload, temperature: float) -> PlanChain:
    """A chain at the beginning of a cycle whose temperature is a part of 1000 s."""
    t = tasks_of(workload, CLUSTER)
    chain = plain_chain(t, 1, compiled=True, movable=np.arange(len(t.count)))
    cycle = Cycle(STEPS, temperature, LEVERS, tied=False)
    chain.begin(blank_plans(1, t), cycle, 0.0, 1000.0, chain.goal)
    return chain


def costs(chain: PlanChain) -> np.ndarray:
    """What the plan costs that is kept after each step."""
    kept = []
    for step in range(1, STEPS + 1):
        chain.advance(partial(int, step))
        kept.append(chain._chain.level[COST])
    return np.array(kept)


def test_it_takes_worse_plans_the_more_the_warmer_it_is(workload: Workload) -> None:
    warm, cool = (np.diff(costs(begun(workload, temperature))) for temperature in (0.03, 0.003))
    rises = [int((each > 1e-9).sum()) for each in (warm, cool)]
    assert rises[0] > 3 * rises[1] > 30
    assert warm.max() > 3 * cool.max()
    first, last = np.array_split(warm, 4)[0], np.array_split(warm, 4)[-1]
    assert (first > 1e-9).sum() > 3 * (last > 1e-9).sum()  # since it cools down
    assert first.max() > 5 * last.max()


def test_what_is_taken_is_drawn_as_metropolis_says(workload: Workload) -> None:
    """A plan that costs d more is taken with a chance of exp(-d / temperature): from 30 s to 0.3 s here."""
    chain = begun(workload, 0.03)._chain
    chain.level[COST] = 500.0
    more = np.array([annealing.next_limit(chain) - 500.0 for _ in range(STEPS)])
    assert chain.level[TEMPERATURE] * chain.level[SCALE] == pytest.approx(0.3)
    assert (more > 0).all()
    parts = more / (30.0 * 0.01 ** (np.arange(1, STEPS + 1) / STEPS))
    for d in (0.1, 1.0, 3.0):
        assert (parts >= d).mean() == pytest.approx(np.exp(-d), abs=0.03)


def test_caps_rise_as_often_as_they_fall(workload: Workload) -> None:
    wide = Workload("wide", (Job("J", Stage.of(60, 1.0), Stage.of(60, 1.0)),))
    t, plans = tasks_of(wide, Cluster(50, 50)), blank_plans(3, tasks_of(wide, Cluster(50, 50)))
    chain = begun(workload, 0.01)._chain
    chain.count[RANDOM] = 12345
    moves = []
    for _ in range(4000):
        plans.cap[NOW, 0] = 30
        levers.move_cap(t, plans, chain, 0)
        moves += [int(each) - 30 for each in plans.cap[NOW, 0] if each != 30]
    up, down = moves.count(1), moves.count(-1)
    assert min(up, down) > 300  # each a tenth of all
    assert up == pytest.approx(down, rel=0.2)


def test_due_dates_move_both_ways(workload: Workload) -> None:
    """Later or earlier as often; so that a date which was moved can come back."""
    t, plans = tasks_of(workload, CLUSTER), blank_plans(3, tasks_of(workload, CLUSTER))
    chain = begun(workload, 0.01)._chain
    chain.count[RANDOM] = 4321
    for kind in (MAP, REDUCE):
        moved = []
        for _ in range(3000):
            plans.due[NOW] = plans.due[LAST] = 100.0 * np.arange(len(t.count))[:, None]
            levers.new_due(plans, chain, 5, 7, kind, 0.3)
            moved.append(plans.due[NOW, 5, kind] - 500.0)
        shifted = [each for each in moved if abs(each) <= 75 and each]  # 0.15 of 500 s either way
        beside = [each - 200 for each in moved if abs(each - 200) < 1 and each != 200]
        for some in (shifted, beside):
            assert len(some) > 500
            assert np.mean(np.array(some) > 0) == pytest.approx(0.5, abs=0.06)


def test_due_dates_are_annealed(workload: Workload) -> None:
    demand = demand_of(tasks_of(workload, CLUSTER), 330.0, fills=True, worst=0.5)
    dates = fresh_due_dates(demand, 1, STEPS)
    due_dates.all_loads(demand, dates)
    kept = []
    for step in range(STEPS):
        dates.count[due_dates.STEP] = step
        due_dates.move_due_date(demand, dates)
        kept.append(dates.level[due_dates.COST])
        assert dates.level[due_dates.COST] <= max(dates.level[NEXT], kept[-2] if step else np.inf)
    first, last = np.array_split(np.diff(kept), 4)[0], np.array_split(np.diff(kept), 4)[-1]
    assert (first > 1e-9).sum() > 30
    assert first.max() > 20 * last.max()


def test_guidance_counts_slots_in_use_and_jobs_behind_the_aim() -> None:
    """Reduces until 7 and 9 s on two slots, 8 s on average; the jobs end at 7 and 9 s."""
    jobs = (Job(f"J{i}", Stage.of(1, 4.0), Stage.of(1, 3.0 + 2 * i)) for i in range(2))
    t = tasks_of(Workload("two", tuple(jobs)), Cluster(2, 2))
    chain = plain_chain(t, 1, compiled=False, movable=np.arange(2))
    goal = chain.goal._replace(pull=np.array([0.5, 0.02]), ideal=6.0, aim=8.0)
    chain.begin(blank_plans(1, t), Cycle(1, 0.01, LEVERS), 0.0, 1000.0, goal)
    chain.advance(partial(int, 1))
    assert chain._chain.level[VALUE] == 9
    assert chain._chain.level[COST] == pytest.approx(9 + 0.5 * (8 - 6) + 0.02 * (9 - 8))


def test_jobs_that_end_late_are_moved_more_often(workload: Workload) -> None:
    """Of three that are drawn the one that ends last: one of twelve jobs with a chance of 1 - (11 / 12)^3."""
    t = tasks_of(workload, CLUSTER)
    chain = plain_chain(t, 1, compiled=False, movable=np.arange(12))
    chain._chain.chance[levers.GUIDED] = 1.0
    chain._passes.finish[KEPT] = np.arange(12.0)
    some = [annealing.some_job(chain._passes, chain._chain) for _ in range(STEPS)]
    assert some.count(11) / STEPS == pytest.approx(1 - (11 / 12) ** 3, abs=0.03)
    assert some.count(0) / STEPS == pytest.approx((1 / 12) ** 3, abs=0.01)
