"""Forecasts of what really ran: what of a record is known at a time, its delays, and what goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.history_schedule import recorded_schedule
from core.forecast.forecast import forecast
from core.forecast.known import KnownRun
from core.forecast.record import record_until
from core.forecast.record_delays import SeenDelays, as_wrong_as_simulators, seen_delays, with_delays
from core.forecast.submitted import submit
from core.forecast.tried_places import try_places
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.schedule import RECORDED, PolicyChoice
from core.simulation.other_times import TaskTimes
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.paths import DATA

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload

NOTHING = np.zeros(0)
NO_DELAYS = SeenDelays((NOTHING, NOTHING), NOTHING, NOTHING)


def as_record(workload: Workload, cluster: Cluster) -> Schedule:
    """Return a schedule as if a log had recorded it."""
    return replace(run(workload, cluster, "fifo"), choice=PolicyChoice(RECORDED))


def two_maps_late() -> Schedule:
    """Return 4 maps on 2 slots: 0 to 10 s twice, then 12 to 30 s and 15 to 25 s; the job ends at 33 s."""
    record = as_record(make_workload(make_job("J", (4, [10.0, 10.0, 18.0, 10.0]))), Cluster(2, 0))
    start, end = np.array([0.0, 0.0, 12.0, 15.0]), np.array([10.0, 10.0, 30.0, 25.0])
    return replace(record, start=start, shuffled=start, end=end, finish=np.array([33.0]))


def test_a_record_is_known_up_to_its_time() -> None:
    known = KnownRun(record_until(two_maps_late(), 14.0), 14.0)
    assert known.has_started.tolist() == [True, True, True, False]
    assert known.has_ended.tolist() == [True, True, False, False]
    assert known.schedule.slot.tolist() == [0, 1, 0, -1]
    assert known.duration.seconds[:2].tolist() == [10.0, 10.0]
    assert known.duration.longer_than.tolist() == [0.0, 0.0, 2.0, 0.0]
    assert not known.job_has_ended.any()


def test_tasks_that_have_started_come_first_in_their_stage() -> None:
    record = two_maps_late()
    turned = replace(record, start=record.start[::-1], shuffled=record.start[::-1], end=record.end[::-1])
    known = record_until(replace(turned, sequence=np.array([3, 2, 1, 0], np.int32)), 14.0)
    assert known.start[:3].tolist() == [0.0, 0.0, 12.0]
    assert np.isnan(known.start[3])
    assert known.sequence.tolist() == [1, 0, 2]  # both begin at 0 s; the record's order stays


def test_before_the_first_task_nothing_can_be_said() -> None:
    record = two_maps_late()
    late = replace(record, start=record.start + 5, shuffled=record.start + 5, end=record.end + 5)
    with pytest.raises(InputError, match="no task of the record has started"):
        forecast(late, 4.0)


def test_the_delays_of_a_record() -> None:
    seen = seen_delays(two_maps_late(), 20.0)
    assert seen.first[0].tolist() == [0.0, 0.0]
    assert seen.later.tolist() == [2.0, 5.0]
    assert not len(seen.tail)
    assert seen_delays(two_maps_late(), 33.0).tail.tolist() == [3.0]


def test_tasks_that_wait_take_longer_by_delays_that_were_seen() -> None:
    known = KnownRun(record_until(two_maps_late(), 14.0), 14.0)
    times = TaskTimes(np.full(4, 10.0), np.zeros(4), np.zeros(4))
    seen = replace(NO_DELAYS, first=(np.array([100.0]), NOTHING), later=np.array([2.0]))
    drawn = with_delays(lambda: times, known, seen, np.random.default_rng(1))()
    assert drawn.duration.tolist() == [10.0, 10.0, 10.0, 12.0]


def test_ends_are_as_wrong_as_simulators_and_never_before_now() -> None:
    finish = np.tile([50.0, 120.0], (4000, 1))
    seen = replace(NO_DELAYS, tail=np.array([4.0]))
    ends = as_wrong_as_simulators(finish, 100.0, seen, np.random.default_rng(1))
    assert (ends[:, 0] == 100.0).all()
    assert np.median(ends[:, 1]) == pytest.approx(124.0, abs=1.5)
    fewer = as_wrong_as_simulators(finish[:, :1], 100.0, seen, np.random.default_rng(1))
    assert np.array_equal(fewer[:, 0], ends[:, 0])


def test_what_a_policy_goes_on_with_is_what_the_record_left() -> None:
    """By hand: at 12 s all maps run; a policy has only what comes then."""
    record = as_record(two_stage_workload(FIVE_JOBS), Cluster(30, 30))
    for policy in ("fifo", "fair", "sjf"):
        found = forecast(record, 30.0, policy=PolicyChoice(policy), runs=19)
        assert found.choice.id == policy
        ended = record.finish <= 30.0
        assert (found.finish[:, ended] == record.finish[ended]).all()
        assert (found.finish[:, ~ended] >= 30.0).all()
        started = record_until(record, 30.0).slot >= 0
        assert np.array_equal(found.likely.start[started], record_until(record, 30.0).start[started])


@pytest.mark.parametrize("log", ["jobtracker-0.20.log", "rumen-2009.json", "spark.log", "tez-history.txt"])
def test_every_kind_of_log_can_be_forecast(log: str) -> None:
    record = recorded_schedule(open_trace([DATA / log]).workload)
    time = 0.6 * float(record.end.max())
    found = forecast(record, time, runs=19)
    assert found.finish.shape == (19, len(record.workload.jobs))
    assert np.isfinite(found.finish).all()


def test_a_job_is_submitted_to_a_record() -> None:
    record = as_record(make_workload(make_job("J", (8, 10.0))), Cluster(2, 0))
    found = submit(record, [make_job("K", (2, 10.0))], 12.0, runs=20)
    assert found.others == 1
    assert found.forecast.known.schedule.workload.jobs[1].arrival == 12.0
    assert (found.forecast.finish[:, 1] >= found.forecast.finish[:, 0]).mean() > 0.5  # fifo


def test_a_job_is_submitted_to_an_unfinished_log_and_has_its_places() -> None:
    """Six tasks are known there, five of which the log has; shortest first puts K before what waits."""
    record = recorded_schedule(open_trace([DATA / "jobtracker-0.20.log"]).workload)
    late = [make_job("K", (2, 4.0))]
    found = submit(record, late, 12.3, policy=PolicyChoice("sjf"), runs=19)
    assert found.forecast.middle[2] > 12.3
    tried = try_places(record, late, 12.3, policy=PolicyChoice("sjf"), runs=19)
    assert sum(each.is_own for each in tried) == 1
    own = next(each for each in tried if each.is_own)
    assert (own.finish == found.finish).all()


def test_a_record_has_no_estimates_and_a_simulation_its_own_policy() -> None:
    record = two_maps_late()
    with pytest.raises(InputError, match="no estimates"):
        forecast(record, 14.0, error=0.3)
    simulated = run(make_workload(make_job("J", (4, 10.0))), Cluster(2, 0), "fifo")
    with pytest.raises(InputError, match="under its own policy"):
        forecast(simulated, 14.0, policy=PolicyChoice("fair"))


def test_a_task_that_ends_before_what_it_waits_for_is_refused() -> None:
    record = as_record(make_workload(make_job("J", (2, 10.0), (1, 5.0))), Cluster(2, 1))
    end = record.end.copy()
    end[2] = 8.0
    start = record.start.copy()
    start[2] = 2.0
    with pytest.raises(InputError, match="J: by the record 1 of its tasks ended before"):
        forecast(replace(record, start=start, end=end, shuffled=start), 9.0, runs=19)
