"""Who lends slots to whom: by hand, against a count that looks at every instant anew, and 0 in sum."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from core.files.samples import find_sample
from core.measures.pool_loans import Loan, pool_loans, pool_shares
from core.model.cluster import Cluster
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import cases
from tests.core.explain.runs import finished

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from tests.core.engine.strategies import Case

POLICIES = ("fair", "capacity", "dynamic-priority", "dhfs-pi", "dhfs-pd", "fifo")


@pytest.mark.parametrize(
    ("pools", "slots", "shares"),
    [
        # 8 maps by weights 1:2:1 are 2, 4, 2; of 4 reduces reports have 2 at least, and the others 1 and 1
        ([("p", 1, 2, 1), ("a", 2, 0, 0), ("r", 1, 1, 2)], (8, 4), [3, 5, 4]),
        # thirds of 4 and of 2: what is missing most goes first to the first
        ([("a", 1, 0, 0), ("b", 1, 0, 0), ("c", 1, 0, 0)], (4, 2), [3, 2, 1]),
        # minimums of 6 and 2 on 4 maps are cut to 3 and 1; the reduce goes to the heavier pool
        ([("a", 1, 6, 0), ("b", 3, 2, 0)], (4, 1), [3, 2]),
    ],
)
def test_shares_by_hand(
    pools: list[tuple[str, float, int, int]], slots: tuple[int, int], shares: list[int]
) -> None:
    assert pool_shares([Pool(*each) for each in pools], Cluster(*slots, 1.0)).tolist() == shares


def test_a_pool_that_waits_lends_what_it_has_to_spare() -> None:
    workload = make_workload(
        make_job("a", maps=(4, 10.0), pool="first"),
        make_job("b", maps=(2, 5.0), pool="second", arrival=4.0),
    )
    loans = pool_loans(run(workload, Cluster(4, 1, 1.0)))
    assert loans.share.tolist() == [3, 2]  # each half of the maps, and the first one the reduce
    # the first pool takes all four map slots, one of the other one's share; b starts at 10 on its own
    assert loans.loans == (Loan(3, 1, 0, 0.0, 10.0),)
    assert loans.balance.tolist() == [10.0, -10.0]
    assert [len(loans.at(time)) for time in (0.0, 9.9, 10.0)] == [1, 1, 0]


def test_figures_of_three_pools_are_those_of_the_design() -> None:
    # worked out for the design of the picture, by other code
    workload = find_sample("three-pools").state.workload
    for policy, lent, borrowed in (
        ("dhfs-pi", [132.0, 412.0, 298.0], [516.0, 60.0, 266.0]),
        ("dhfs-pd", [144.0, 487.0, 194.0], [603.0, 78.0, 144.0]),
    ):
        loans = pool_loans(simulate(workload, workload.cluster, PolicyChoice(policy)))
        assert (loans.lent.tolist(), loans.borrowed.tolist()) == (lent, borrowed)
    at = Counter((loan.lender, loan.borrower) for loan in loans.at(25.0))
    assert at == {(1, 0): 3, (2, 0): 1}


def naive_loans(schedule: Schedule, share: list[int]) -> list[tuple[int, int, int]]:
    """Return task, lender and borrower: for every task, all tasks before it are counted anew."""
    columns = schedule.workload.columns
    pool = [int(columns.pool[job]) for job in columns.job]
    lender: dict[int, int] = {}
    for task in schedule.sequence.tolist():
        now = schedule.start[task]
        used = Counter(owner for other, owner in lender.items() if schedule.end[other] > now)
        spare = [slots - used[place] for place, slots in enumerate(share)]
        lender[task] = pool[task] if spare[pool[task]] > 0 else int(np.argmax(spare))
    return [(task, lender[task], pool[task]) for task in lender if lender[task] != pool[task]]


def test_of_what_two_pools_lend_one_another_the_difference_is_left() -> None:
    workload = find_sample("three-pools").state.workload
    loans = pool_loans(simulate(workload, workload.cluster, PolicyChoice("dhfs-pd")))
    mutual = 0
    for time in {loan.begin for loan in loans.loans}:
        whole, net = (
            Counter((each.lender, each.borrower) for each in of(time)) for of in (loans.at, loans.net_at)
        )
        assert not any(net[pair] and net[pair[::-1]] for pair in net)
        mutual += net != whole
        for pool in range(3):
            sums = [
                sum(number * ((pair[1] == pool) - (pair[0] == pool)) for pair, number in each.items())
                for each in (whole, net)
            ]
            assert sums[0] == sums[1], "the balance of each pool is as before"
    assert mutual > 5


@given(cases(POLICIES))
def test_loans_are_those_of_the_naive_count_and_0_in_sum(case: Case) -> None:
    schedule = finished(case)
    loans = pool_loans(schedule)
    if schedule.partition is not None or len(loans.names) < 2:
        assert loans.loans == ()
        return
    assert loans.share.sum() == schedule.cluster.slots
    assert [(each.task, each.lender, each.borrower) for each in loans.loans] == naive_loans(
        schedule, loans.share.tolist()
    )
    assert abs(loans.balance.sum()) <= 1e-9 * max(1.0, loans.lent.sum())
    for loan in loans.loans:
        held = [each.lender for each in loans.at(loan.begin)]
        assert all(held.count(pool) <= loans.share[pool] for pool in held)
