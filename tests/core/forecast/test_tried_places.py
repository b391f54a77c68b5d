"""What every place in the order would do to a job that comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.forecast.queue_places import Queue, ordinal
from core.forecast.submitted import submit
from core.forecast.tried_places import try_places
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.schedule import PolicyChoice
from core.simulation.fork import fork_of, simulate_fork
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases, jobs
from tests.core.forecast.test_forecast import TIMES, whole
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.job import Job

NIGHT = make_workload(make_job("A", (4, 10.0)), make_job("B", (2, 10.0)), make_job("C", (4, 10.0)))


def test_every_place_by_hand() -> None:
    """Two slots, first come first served. At 5 s A has 2 maps to start, B 2 and C 4; K comes with 2 maps.

    As it was, A ends at 20 s, B at 30 s and C at 50 s. Wherever K goes, it takes both slots for 10 s, and all
    behind it end 10 s later.
    """
    tried = try_places(run(NIGHT, Cluster(2, 0), "fifo"), [make_job("K", (2, 10.0))], 5.0, error=0.0, runs=19)
    found = [(t.place, t.places, t.is_own, t.end, t.middle_delay.tolist()) for t in tried]
    assert found == [
        (1, 4, False, 20.0, [10.0, 10.0, 10.0]),
        (2, 4, False, 30.0, [0.0, 10.0, 10.0]),
        (3, 4, False, 40.0, [0.0, 0.0, 10.0]),
        (4, 4, True, 60.0, [0.0, 0.0, 0.0]),
    ]
    assert tried[1].sentence == (
        "Second of 4 in the order: ends at about 0:30, delays B by about 10 s and 1 other by less."
    )
    assert tried[3].sentence == (
        "Fourth of 4 in the order, as the policy has it: ends at about 1:00, delays no other job."
    )
    assert tried[0].end_band == (20.0, 20.0)


def test_what_comes_until_then_waits_too_and_what_comes_after_does_not() -> None:
    """B comes at 30 s, C at 35 s; K is to come at 32 s, when A has ended, so it is before B or behind it."""
    night = make_workload(
        *(replace(job, arrival=at) for job, at in zip(NIGHT.jobs, (0, 30, 35), strict=True))
    )
    schedule = run(night, Cluster(1, 0), "fifo")
    late = [make_job("K", (2, 10.0))]
    tried = try_places(schedule, late, 5.0, comes=32.0, error=0.0, runs=19)
    assert [(t.place, t.is_own) for t in tried] == [(1, False), (2, False), (3, True)]  # A has maps to start
    assert [t.end for t in tried] == [60.0, 60.0, 80.0]


def test_deadlines_are_in_time_or_not() -> None:
    due = make_workload(*NIGHT.jobs[:2], replace(NIGHT.jobs[2], deadline=55.0))
    first, *_, last = try_places(
        run(due, Cluster(2, 0), "fifo"), [make_job("K", (2, 10.0))], 5.0, error=0.0, runs=19
    )
    assert (first.in_time, last.in_time) == ((("C", 0.0),), (("C", 1.0),))


@examples(20)
@given(
    case=cases(policies=("fifo", "sjf", "largest-first")),
    late=jobs("late"),
    time=TIMES,
    place=st.integers(1, 9),
)
def test_a_place_is_what_a_fork_with_that_order_gives(case: Case, late: Job, time: float, place: int) -> None:
    """The twin: the joined night, simulated whole and left at the time for an order written out."""
    assume(all(case.cluster.stage_slots))
    schedule = whole(case)
    tried = try_places(schedule, [late], time, error=0.0, runs=19)
    joined = submit(schedule, [late], time, error=0.0, runs=19).forecast.known.schedule
    found = tried[min(place, len(tried)) - 1]
    own = next(each for each in tried if each.is_own)
    assert (own.finish == joined.finish).all()
    names = [job.name for job in joined.workload.jobs]
    queue = sorted(names, key=lambda name: int(joined.rank[names.index(name)]))
    others = [name for name in queue if name != names[-1]]
    later = joined.start > time
    of_tasks = joined.workload.columns.job[later].tolist()
    open_jobs = {names[job] for job in of_tasks if joined.workload.jobs[job].arrival <= time}
    waits = [name for name in others if name in open_jobs]
    assert found.places == len(waits) + 1
    before = others[: others.index(waits[found.place - 2]) + 1] if found.place > 1 else []
    order = (*before, names[-1], *others[len(before) :])
    if found.is_own:
        return
    fork = fork_of(joined, time, int((joined.start == time).sum()))
    twin = simulate_fork(joined.workload, case.cluster, joined.choice, fork, order=order)
    assert (found.finish == twin.finish).all()


def test_of_many_places_some_are_tried_with_both_ends_and_the_policys_own() -> None:
    queue = Queue(tuple(map(str, range(99))), tuple(map(str, range(99))), ("new",), 40)
    chosen = queue.chosen(12)
    assert len(chosen) <= 12
    assert (chosen[0], chosen[-1], 40 in chosen) == (1, 100, True)
    assert queue.order(40)[38:41] == ("38", "new", "39")


def test_what_has_no_order_and_what_is_cancelled() -> None:
    late = [make_job("K", (2, 10.0))]
    with pytest.raises(InputError, match="serves jobs by no order in which a job could have another place"):
        try_places(run(NIGHT, Cluster(2, 0), "fair"), late, 5.0, error=0.0, runs=19)
    with pytest.raises(Cancelled):
        try_places(run(NIGHT, Cluster(2, 0), "fifo"), late, 5.0, runs=19, error=0.0, should_stop=lambda: True)


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 3, 10, 11, 12, 13, 21, 102, 112)] == [
        *("first", "third", "tenth", "11th", "12th", "13th", "21st", "102nd", "112th")
    ]


def test_a_policy_that_plans_is_asked_for_its_own_order() -> None:
    """Shortest first: K of 5 s goes before both others that wait, by the rank of the run itself."""
    schedule = run(NIGHT, Cluster(2, 0), "sjf")
    tried = try_places(schedule, [make_job("K", (1, 5.0))], 25.0, error=0.0, runs=19)
    assert [t.is_own for t in tried] == [True, *[False] * (len(tried) - 1)]
    assert schedule.choice == PolicyChoice("sjf", schedule.choice.parameters)
