"""Causes of the time until the end: examples worked out by hand, and parts that add up for any run."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.explain.causes import TimeCause
from core.explain.path_causes import as_of_records, shares_of, shares_of_difference, spent_time
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import EMPTY, Stage
from core.model.time_text import makespan_step
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.measures.test_stage_spans import random_schedules
from tests.paths import DATA, TRACES, real_logs

ONE_EACH = Cluster(1, 1, 1.0)


def run(*jobs: Job, cluster: Cluster = ONE_EACH) -> Schedule:
    return simulate(Workload("test", jobs), cluster, PolicyChoice("fifo"), engine="interpreted")


def causes_of(schedule: Schedule) -> dict[TimeCause, float]:
    return {cause: seconds for cause, seconds in spent_time(schedule).seconds.items() if seconds}


@pytest.fixture
def logged() -> Workload:
    return open_trace([DATA / "jobtracker-0.20.log"]).workload


def recorded(workload: Workload) -> Schedule:
    assert workload.recorded is not None
    return history_schedule(workload, workload.recorded)


def test_maps_reduces_and_waits_for_slots() -> None:
    """J1's map runs to 4 s and J2's to 7 s; J1's reduce holds the slot from 4 to 9 s, J2's ends at 11 s."""
    first = Job("J1", Stage.of(1, 4.0), Stage.of(1, 5.0))
    second = Job("J2", Stage.of(1, 3.0), Stage.of(1, 2.0))
    assert causes_of(run(first, second)) == {
        TimeCause.MAPS: 3.0,
        TimeCause.REDUCES: 2.0,
        TimeCause.SLOTS: 6.0,
    }


def test_driver_and_arrival() -> None:
    jobs = (
        Job("J1", Stage.of(1, 3.0), EMPTY, arrival=1.5),
        Job("J2", Stage.of(1, 2.0), EMPTY, after=(Link("J1", 2.5),)),
    )
    assert causes_of(run(*jobs)) == {TimeCause.MAPS: 5.0, TimeCause.DRIVER: 2.5, TimeCause.ARRIVAL: 1.5}


def test_a_record_has_setup_and_clean_up(logged) -> None:
    """The setup of the job runs from 1.6 to 2.5 s, its maps from 3 to 10 s, no reduce from 14 to 14.5 s."""
    causes = causes_of(recorded(logged))
    setup = float(logged.recorded.end[7] - logged.recorded.start[7])
    assert causes == pytest.approx(
        {
            TimeCause.MAPS: 7.0,
            TimeCause.REDUCES: 8.0,
            TimeCause.CLEAN_UP: 2.0,
            TimeCause.SETUP: setup,
            TimeCause.LAUNCH: 3.5 - setup,
        }
    )


def test_a_stage_waits_for_its_failed_attempts(logged) -> None:
    """The attempt that fails at 5 s was the first; nothing else of the stage ran before 5.5 s."""
    start = logged.recorded.start.copy()
    start[2] = 6.0
    causes = causes_of(history_schedule(logged, replace(logged.recorded, start=start)))
    lost = float(logged.recorded.end[0] - logged.recorded.start[0])
    assert lost == 2.0
    assert causes[TimeCause.FAILED] == lost
    assert causes[TimeCause.MAPS] == 4.5
    assert sum(causes.values()) == pytest.approx(20.5)


def test_causes_add_up_to_the_end_of_any_schedule() -> None:
    schedules = random_schedules(7, 60)
    for schedule in schedules:
        spent = spent_time(schedule)
        assert sum(spent.seconds.values()) == pytest.approx(schedule.makespan)
        assert min(spent.seconds.values()) >= 0
        step = makespan_step(schedule.makespan)
        shares = shares_of(spent, step)
        assert shares.whole == pytest.approx(round(schedule.makespan / step) * step)
        assert sum(seconds for _, seconds in shares.parts) == pytest.approx(shares.whole)
        for cause, seconds in shares.parts:
            assert abs(seconds - spent.seconds[cause]) <= step
            assert spent.seconds[cause] > 0


def test_differences_add_up_to_that_of_what_is_shown() -> None:
    schedules = random_schedules(8, 60)
    for one, other in pairwise(schedules):
        step = makespan_step(max(one.makespan, other.makespan))
        shares = shares_of_difference(spent_time(other), spent_time(one), step)
        shown = [round(each.makespan / step) for each in (one, other)]
        assert shares.whole == pytest.approx((shown[1] - shown[0]) * step)
        assert sum(seconds for _, seconds in shares.parts) == pytest.approx(shares.whole)
        sizes = [abs(seconds) for _, seconds in shares.parts]
        assert sizes == sorted(sizes, reverse=True)


def test_waits_of_one_kind_beside_a_record() -> None:
    spent = spent_time(run(Job("J1", Stage.of(1, 4.0), EMPTY), Job("J2", Stage.of(1, 3.0), EMPTY)))
    alike = as_of_records(spent)
    assert spent.seconds[TimeCause.SLOTS] == alike.seconds[TimeCause.LAUNCH] == 4.0
    assert alike.seconds[TimeCause.SLOTS] == 0.0


@pytest.mark.parametrize("name", real_logs("hadoop-mapreduce/19-jobs.trace.json.gz"))
def test_a_real_log_of_19_jobs(name) -> None:
    """Worked out from the log's own columns: the job that is done last, and when its last task ended."""
    schedule = recorded(open_trace([TRACES / name]).workload)
    last = int(np.argmax(schedule.finish))
    tasks = schedule.workload.columns.job == last
    spent = spent_time(schedule).seconds
    assert spent[TimeCause.CLEAN_UP] == pytest.approx(schedule.makespan - schedule.end[tasks].max())
    assert spent[TimeCause.ARRIVAL] == pytest.approx(schedule.arrival[last])
    assert sum(spent.values()) == pytest.approx(schedule.makespan)
