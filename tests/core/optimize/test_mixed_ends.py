"""Mixes of ends: they have room, and the prices that come with them prove what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given

from core.model.cluster import Cluster
from core.optimize.finer_prices import finer_prices
from core.optimize.job_ends import ends_of
from core.optimize.mixed_ends import NEAR, Mix, cheapest_mix
from core.optimize.objectives import Objective
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import no_look, price_bound, priceable
from tests.builders import make_job, make_workload
from tests.core.optimize.test_slot_prices import priced
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts

MUCH = 1e4
"""What twice the slots cost, in hundreds: all jobs together cost less."""


@examples(40)
@given(priced())
def test_a_mix_has_room_and_prices_prove_what_it_costs(case: tuple[Workload, JobCosts, np.ndarray]) -> None:
    workload, costs, times = case
    what = priceable(workload, Cluster(2, 1))
    capacity, _ = capacities(what, times)
    ends = ends_of(what, costs, times, no_look, None)
    nothing = np.zeros(len(ends.job))
    mix = cheapest_mix(ends, capacity, Mix(np.zeros(capacity.shape), nothing), MUCH, no_look)
    assert np.allclose(np.add.reduceat(mix.part, ends.first), 1)
    needed = (mix.part[:, None] * ends.needed(np.arange(len(ends.job)), capacity.shape)).sum(axis=0)
    room = capacity.ravel()
    assert (needed[room > 0] <= room[room > 0] + 1e-6 * MUCH).all()
    cost = float((mix.part * ends.cost).sum())
    proved = float(ends.least(ends.paid(mix.falls))[0] - (mix.falls * capacity).sum())
    assert (1 - 2 * NEAR) * cost - 1e-6 <= proved <= cost + 1e-6


def test_where_no_mix_has_room_prices_say_so() -> None:
    """Two jobs of 4 s on one slot cannot both be over by 5 s."""
    workload = make_workload(*(make_job(name, (1, 4.0), deadline=1.0) for name in ("A", "B")))
    what, times = priceable(workload, Cluster(1, 0)), np.array([2.0, 5.0])
    capacity, _ = capacities(what, times)
    costs = deadlines(workload)
    ends = ends_of(what, costs, times, no_look, None)
    ends = ends._replace(cost=np.where(ends.seconds <= 5, ends.cost, np.inf))
    mix = cheapest_mix(ends, capacity, Mix(np.zeros(capacity.shape), np.zeros(len(ends.job))), 10.0, no_look)
    assert float(ends.least(ends.paid(mix.falls))[0] - (mix.falls * capacity).sum()) > 100


def test_more_times_prove_more_where_slots_are_cheaper_after_one() -> None:
    """Of jobs of 1 s on one slot, due at once, the k-th ends at k s: with n of them, n (n + 1) / 2."""
    workload = make_workload(*(make_job(f"J{i}", (1, 1.0), deadline=1e-9) for i in range(6)))
    what, costs, times = priceable(workload, Cluster(1, 0)), deadlines(workload), np.array([2.0, 4.0])
    falls = np.array([[1.0, 1.0], [0.0, 0.0]])[: what.machines]
    known = price_bound(what, costs, times, falls, capacities(what, times)[0])
    finer = finer_prices(what, costs, (known, times, falls), no_look, lambda: False)
    assert known < finer.bound <= 21
    assert set(times) < set(finer.times)
    proved = price_bound(what, costs, finer.times, finer.mix.falls, finer.capacity)
    assert proved == finer.bound


def deadlines(workload: Workload) -> JobCosts:
    """Return what tardiness costs."""
    costs = Objective.of("tardiness").job_costs(workload)
    assert costs is not None
    return costs
