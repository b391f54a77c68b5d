"""Jobs that come into a schedule that is under way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.forecast.submitted import joined_workload, submit, with_jobs_at
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.schedule import Fork, PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import Case, cases, jobs
from tests.core.forecast.test_forecast import TIMES, whole
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.job import Job


def test_by_hand_under_fifo_and_shortest_first() -> None:
    """Two slots. J1 has 6 maps of 10 s, three rounds to 30 s; at 15 s a job of 2 maps of 4 s comes.

    FIFO lets it wait until 30 s; SJF gives it both slots at 20 s, and J1 ends 4 s later.
    """
    workload, late = make_workload(make_job("J1", (6, 10.0))), make_job("late", (2, 4.0), arrival=99.0)
    ends = {}
    for policy in ("fifo", "sjf"):
        schedule = run(workload, Cluster(2, 0), policy)
        found = submit(schedule, [late], 15.0, error=0.0, runs=19)
        assert found.forecast.known.schedule.workload.jobs[1].arrival == 15.0
        ends[policy] = (found.forecast.middle[1], found.delay[0].tolist())
    assert ends == {"fifo": (34.0, [0.0]), "sjf": (24.0, [4.0])}


@examples(25)
@given(case=cases(policies=("fifo", "fair", "sjf")), late=jobs("late"), time=TIMES)
def test_exact_durations_give_the_two_schedules_themselves(case: Case, late: Job, time: float) -> None:
    """The twin: both workloads simulated whole, without anything of a forecast."""
    assume(all(case.cluster.stage_slots))
    schedule = whole(case)
    found = submit(schedule, [late], time, error=0.0, runs=19)
    joined = replace(case.workload, jobs=(*case.workload.jobs, at(late, time)))
    alone = simulate(joined, case.cluster, PolicyChoice(case.policy), order=case.order)
    assert (found.forecast.finish == alone.finish).all()
    assert (found.without == schedule.finish).all()


def at(job: Job, time: float) -> Job:
    """Return a job that comes at a time and is due as long after it."""
    due = None if job.deadline is None else time + (job.deadline - job.arrival)
    return replace(job, arrival=time, deadline=due)


@given(times=st.lists(st.integers(0, 9), min_size=1, max_size=3))
def test_later_ones_of_several_keep_their_distance_and_names_stay_apart(times: list[int]) -> None:
    workload = make_workload(make_job("J", (1, 1.0)))
    added = [make_job(f"{'J' * (i + 1)}", (1, 1.0), arrival=float(time)) for i, time in enumerate(times)]
    joined = joined_workload(workload, added, 100.0)
    assert [job.arrival for job in joined.jobs[1:]] == [100.0 + time - min(times) for time in times]
    assert [job.name for job in joined.jobs] == ["J", "J (2)", "JJ", "JJJ"][: len(times) + 1]


def test_delays_are_of_the_job_not_of_chance() -> None:
    """On a cluster with room for both the new job delays nobody in any draw, however wide the bands are."""
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(300, 300), "fifo")
    found = submit(schedule, [make_job("late", (3, 10.0))], 3.0, error=0.5, runs=20)
    assert (found.delay == 0).all()
    low, high = found.forecast.makespan_band(0.9)
    assert high - low > 1


def test_what_does_not_fit_is_refused_with_a_sentence() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "fifo")
    late = make_job("late", (3, 10.0))
    with pytest.raises(InputError, match="there is no job to submit"):
        submit(schedule, [], 3.0)
    forked = replace(schedule, fork=Fork(1.0, 0, PolicyChoice("fifo")))
    with pytest.raises(InputError, match="this one has a fork, pools or a plan"):
        submit(forked, [late], 3.0)
    with pytest.raises(Cancelled):
        submit(schedule, [late], 20.0, should_stop=lambda: True)


def test_a_policy_that_would_have_known_is_refused() -> None:
    """FIFO does not look ahead; pools that were cut for the whole night are of no use with another job."""
    schedule = run(make_workload(make_job("J1", (8, 10.0))), Cluster(4, 0), "fifo")
    same = with_jobs_at(schedule, [make_job("late", (2, 4.0))], 15.0)
    assert np.array_equal(same.start[:8], schedule.start)
    planned = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "balanced-pools")
    with pytest.raises(InputError, match="has a fork, pools or a plan"):
        with_jobs_at(planned, [make_job("late", (90, 40.0))], 15.0)


def test_another_place_in_the_order_by_hand() -> None:
    """At 15 s J has 4 of 8 maps left on 2 slots, and K comes: first, it ends earlier, and J 10 s later."""
    schedule = run(make_workload(make_job("J", (8, 10.0))), Cluster(2, 0), "fifo")
    jobs = [make_job("K", (2, 10.0))]
    last, first = (
        submit(schedule, jobs, 15.0, place=place, error=0, history=None, runs=19) for place in (None, 1)
    )
    assert last.forecast.middle[0] == 40.0
    assert first.delay[0].tolist() == [10.0]
    assert first.forecast.middle[1] < last.forecast.middle[1]
    fair = run(make_workload(make_job("J", (8, 10.0))), Cluster(2, 0), "fair")
    with pytest.raises(InputError, match="no order in which a job could have another place"):
        submit(fair, jobs, 15.0, place=1, error=0, runs=19)
    with pytest.raises(InputError, match="no place 3 in the order of what waits then; give 1 to 2"):
        submit(schedule, jobs, 15.0, place=3, error=0, runs=19)


def test_jobs_that_come_later_are_simulated_as_later_and_none_comes_before_now() -> None:
    """On 2 slots under sjf at 15 s: what comes at 25 s waits until 30 s, as in a whole simulation with it."""
    schedule = run(make_workload(make_job("J1", (8, 10.0))), Cluster(2, 0), "sjf")
    late = make_job("late", (2, 4.0))
    found = submit(schedule, [late], 15.0, comes=25.0, error=0, runs=19)
    whole = run(
        make_workload(make_job("J1", (8, 10.0)), make_job("late", (2, 4.0), arrival=25.0)),
        Cluster(2, 0),
        "sjf",
    )
    assert found.forecast.finish.tolist() == [whole.finish.tolist()] * 19 == [[44.0, 34.0]] * 19
    with pytest.raises(InputError, match="comes at 0:15, when the forecast begins, or later; 14 s is no"):
        submit(schedule, [late], 15.0, comes=14.0, error=0, runs=19)
