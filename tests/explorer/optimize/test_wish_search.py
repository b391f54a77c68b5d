"""What is wished in the window, as the search takes it: hand edits are judged as the search judges plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.optimize.search import Search
from explorer.optimize.wish_search import NOISY, OTHER_ARRIVALS, comparison_for, search_for, wishes_of
from explorer.optimize.wishes import Rules, Wish
from tests.builders import run, two_stage_workload

CLUSTER = Cluster(2, 2)


@pytest.fixture(scope="module")
def late():
    """Jobs of which two end after their deadlines."""
    workload = two_stage_workload(((4, 5), (1, 4), (6, 2)), (3, 2, 4))
    return workload.with_jobs(
        replace(job, deadline=deadline)
        for job, deadline in zip(workload.jobs, (100.0, 5.0, 9.0), strict=True)
    )


@pytest.mark.parametrize("rules", [Rules(), Rules(keeps_deadlines=True)])
@pytest.mark.parametrize("goal", ["makespan", "stretch", "tardiness", "mix"])
def test_a_schedule_is_worth_what_the_search_says_of_its_order(late, goal, rules):
    wish = Wish(goal, {"makespan": 1.0, "stretch": 2.0}, rules=rules)
    schedule, order = run(late, CLUSTER, "fifo"), tuple(late.input_order)
    prepared = search_for(wish, late, CLUSTER, order, None, schedule, compiled=False)
    found = Search(late, CLUSTER, start=order, compiled=False, **wishes_of(wish, None)).advance(1)
    assert prepared.value_of is not None
    assert prepared.start == prepared.value_of(schedule) == pytest.approx(found.start)
    assert not prepared.note
    assert found.start > 1
    assert (found.start > 2e8) == rules.keeps_deadlines


@pytest.mark.parametrize(
    ("wish", "note"), [(Wish(sigma=0.3), NOISY), (Wish(rules=Rules(arrivals=(("J1", 9.0),))), OTHER_ARRIVALS)]
)
def test_a_schedule_of_other_durations_or_arrivals_is_not_compared(late, wish, note):
    schedule, order = run(late, CLUSTER, "fifo"), tuple(late.input_order)
    prepared = search_for(wish, late, CLUSTER, order, None, schedule, compiled=False)
    assert (prepared.value_of, prepared.start, prepared.note) == (None, None, note)


def test_a_large_search_without_compiled_code_waits_until_it_is_stopped():
    many = two_stage_workload(((3000, 5), (3000, 4)), (3000, 2))
    looks = iter([False, False])
    prepared = search_for(Wish(), many, CLUSTER, tuple(many.input_order), None, None, compiled=False)
    assert prepared.is_slow
    with pytest.raises(Cancelled):
        prepared.search(lambda _: None, lambda: next(looks, True))
    with pytest.raises(InputError, match="being compiled"):
        comparison_for(Wish(), many, CLUSTER, None, compiled=False)
    fast = search_for(Wish(), many, CLUSTER, tuple(many.input_order), None, None, compiled=True)
    assert fast.search is not prepared.search
    assert not fast.is_slow
