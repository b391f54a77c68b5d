"""Prices of reduce slots that rise: by hand, and where they prove more than prices that never do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.optimize.bounds_by_end import BoundsByEnd
from core.optimize.linked_ends import linked_ends
from core.optimize.objectives import Objective
from core.optimize.price_ascent import price_slots
from core.optimize.rising_prices import rising_bound
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import JobEnds, priceable
from core.verify.check import check
from tests.builders import make_job, make_workload, run
from tests.core.verify.made import certificate_of

if TYPE_CHECKING:
    from core.model.workload import Workload

MEAN = Objective.of("mean-response")
TWO = make_workload(*(make_job(name, (1, 4.0), (1, 3.0)) for name in "AB"))
"""On two map slots and one reduce slot: maps until 4 s, reduces until 7 and 10 s."""
POOLS = Cluster(30, 30)


def checked(workload: Workload, cluster: Cluster, proof: dict[str, Any]) -> float:
    """What the checker makes of prices, of the mean response."""
    document = dict(certificate_of(run(workload, cluster)).document)
    parts = [{"of": MEAN.name, "rule": "prices", **proof}]
    return check(document | {"objective": {MEAN.name: 1.0}, "proof": parts}).bound


@pytest.mark.parametrize(
    ("rises", "bound"),
    [
        # 0.5 from 4 to 7 s: each is over at 7 s and pays 1.5, or at 10 s; 3 s of the slot cost 1.5
        ([0.5, 0.0], 2 * 5 - 1.5),
        # 0.5 from the beginning: the slot costs 3.5, as if reduces could begin before their maps are over
        ([0.0, 0.0], 2 * 5 - 3.5),
        # it pays nothing at all, and gets something back only before its maps are over
        ([0.0, 0.5], 2 * 3.5),
    ],
)
def test_what_prices_prove(rises: list[float], bound: float) -> None:
    cluster, times = Cluster(2, 1), np.array([4.0, 7.0])
    falls = [[0.0, 0.0], [0.0, 0.5]]
    what, costs = priceable(TWO, cluster), MEAN.job_costs(TWO)
    assert costs is not None
    given = what, costs, times, np.array([*falls, rises]), np.tile(times, (2, 1))
    found = rising_bound(*given, lambda: None, JobEnds.any_of(2))
    assert found == pytest.approx(bound)
    proof = {"times": times.tolist(), "falls": falls, "looks": [], "rises": rises}
    assert checked(TWO, cluster, proof) == pytest.approx(bound)


def test_jobs_have_ends_and_their_maps_choices() -> None:
    """Reduces take 3 s: an end at 8 s can have maps that are over at 5 s, or sooner."""
    cluster, times = Cluster(2, 1), np.array([2.0, 5.0, 8.0])
    what, costs = priceable(TWO, cluster), MEAN.job_costs(TWO)
    assert costs is not None
    linked = linked_ends(what, costs, times, np.inf, lambda: None)
    mine = linked.ends.job == 1
    chosen = linked.latest[mine][linked.ends.seconds[mine] == 8][0]
    assert linked.job[chosen] == 1
    assert linked.room[chosen].tolist() == [0, 0, 3]  # by 8 s, of the slot
    assert linked.maps[chosen].tolist() == [0.5, 2, 2]  # of both slots: 1 s of the map by 2 s
    assert linked.room_of_maps.tolist() == capacities(what, times)[0][0].tolist()


def test_they_prove_more_where_reduces_wait_for_maps() -> None:
    """Five jobs, of which two fill two thirds of the slots: 21.9 s without prices that rise."""
    workload = load_sample("five-jobs-pools")
    costs = MEAN.job_costs(workload)
    assert costs is not None
    prices = price_slots(workload, POOLS, costs, with_cases=True)
    assert 22.5 < prices.bound < 23.2
    assert len(prices.rises) == len(prices.times)
    assert (prices.of_second >= 0).all()
    proof = {name: value for name, value in prices.proof.items() if name != "rule"}
    assert checked(workload, POOLS, proof) == pytest.approx(prices.bound, rel=1e-12)
    by_end = BoundsByEnd(workload, POOLS, MEAN, 40.0)
    assert by_end.of_mix((0.0, 1.0))[0] == prices.bound


def test_a_time_limit_leaves_prices_as_they_are() -> None:
    costs = MEAN.job_costs(TWO)
    assert costs is not None
    hurried = price_slots(TWO, Cluster(2, 1), costs, is_enough=lambda: True, with_cases=True)
    assert hurried.cases == {}
    assert hurried.bound <= 2 * 8.5
