"""Forecasts: what is known stays, what goes on equals a run from the beginning, and bands hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.charts.forecast_ends import ends_of, with_relief
from core.forecast.forecast import forecast
from core.forecast.known import KnownRun
from core.forecast.relief import Relief, TriedRelief
from core.forecast.unknown_times import UnknownTimes, no_guesses
from core.model.cluster import Cluster
from core.model.draw_bands import band_of
from core.model.errors import Cancelled, InputError, StalledError
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice, Schedule
from core.model.time_text import clock_text
from core.simulation.other_times import COLUMNS, TaskTimes, workload_with
from core.simulation.simulate import Simulation, simulate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import ENGINES as BOTH
from tests.core.engine.compared import bits
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_resume import ENGINES
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.simulation.simulate import Engine

UNINFORMED = ("fifo", "fair", "edf-max", "order")
"""Policies that decide by nothing that a time changes before it has come to its end."""
TIMES = st.sampled_from((0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 12.0, 40.0))


def whole(case: Case) -> Schedule:
    """Return the schedule of a case without contention, if it has one."""
    assume(not case.cluster.contention)
    try:
        return simulate(case.workload, case.cluster, PolicyChoice(case.policy), order=case.order)
    except (StalledError, InputError):
        assume(False)
        raise


def drawn_times(known: KnownRun, seed: int) -> TaskTimes:
    """Return whole seconds for what is not known, longer than what runs has run."""
    random = np.random.default_rng(seed)
    columns = known.schedule.workload.columns
    fetches = columns.stages.has_parents[columns.stage]
    found = []
    for name in COLUMNS:
        column = getattr(known, name)
        drawn = random.integers(0, 6, len(column.seconds)) + column.is_under_way * (column.longer_than + 1)
        times = np.where(column.is_known, column.seconds, drawn)
        found.append(times if name == "duration" else np.where(fetches, times, 0.0))
    return TaskTimes(*found)


@examples(60)
@given(
    case=cases(policies=UNINFORMED),
    time=TIMES,
    seed=st.integers(0, 99),
    engine=ENGINES,
)
def test_what_goes_on_equals_a_run_from_the_beginning(
    case: Case, time: float, seed: int, engine: Engine
) -> None:
    """The slow twin: the policy knows no times, so that a whole run with the new ones comes to the same."""
    first = whole(case)
    assume(not has_fetching_fillers(first, time))
    times = drawn_times(KnownRun(first, time), seed)
    run = Simulation(case.workload, case.cluster, PolicyChoice(case.policy), order=case.order, engine=engine)
    run.advance_until(time)
    after = run.with_times(times)
    while not after.advance():
        pass
    other = workload_with(case.workload, times)
    assert bits(after.schedule()) == bits(
        simulate(other, case.cluster, PolicyChoice(case.policy), order=case.order)
    )


def has_fetching_fillers(schedule: Schedule, time: float) -> bool:
    """Whether the two shuffles of a task, of which the longer one counts, are in part over at a time."""
    if schedule.cluster.shuffle_model != "overlap":
        return False
    fetches = (schedule.start <= time) & schedule.is_filler
    return bool(fetches.any())


def test_a_map_that_ran_is_known_one_that_runs_takes_longer_and_one_that_waits_may_take_any_time() -> None:
    schedule = run(make_workload(make_job("J", (3, [14.0, 40.0, 7.0]))), Cluster(1, 0), "fifo")
    known = KnownRun(schedule, 30.0)
    assert known.duration.is_known.tolist() == [True, False, False]
    assert known.duration.longer_than.tolist() == [0.0, 16.0, 0.0]
    assert known.running == 1
    assert not known.job_has_ended.any()


def test_shuffles_are_known_each_by_its_own_clock() -> None:
    """Maps end at 10 s; the first reduce is a filler that then fetches 4 s, the second one fetches 6 s."""
    job = make_job("J", (2, 10.0), (2, 5.0, 4.0, 6.0))
    schedule = run(make_workload(job), Cluster(2, 1, slowstart=0.0), "fifo")
    assert schedule.shuffled[2:].tolist() == [14.0, 25.0]
    early = KnownRun(schedule, 12.0)
    assert early.first_shuffle.longer_than.tolist() == [0, 0, 2.0, 0]
    assert not early.first_shuffle.is_known[2]
    later = KnownRun(schedule, 21.0)
    assert later.first_shuffle.is_known.tolist() == [False, False, True, False]
    assert later.duration.is_known.tolist() == [True, True, True, False]
    assert later.typical_shuffle.longer_than.tolist() == [0, 0, 0, 2.0]


@pytest.mark.parametrize("policy", ["fifo", "fair", "sjf", "johnson", "critical"])
def test_exact_estimates_forecast_the_schedule_itself(policy: str) -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), policy)
    for time in (0.0, 11.0, 40.0):
        found = forecast(schedule, time, error=0.0, runs=19)
        assert (found.finish == schedule.finish).all()
        assert bits(found.likely) == bits(schedule)


@examples(15)
@given(case=cases(policies=("fifo", "fair", "sjf", "johnson")), time=TIMES)
def test_what_is_known_stays_and_what_runs_takes_longer(case: Case, time: float) -> None:
    schedule = whole(case)
    found = forecast(schedule, time, error=0.3, runs=19)
    known, likely = found.known, found.likely
    assert (likely.start[known.has_started] == schedule.start[known.has_started]).all()
    assert (likely.slot[known.has_started] == schedule.slot[known.has_started]).all()
    assert (likely.end[known.has_ended] == schedule.end[known.has_ended]).all()
    assert (likely.end[~known.has_ended] >= time).all()
    assert (likely.start[~known.has_started] >= time).all()
    assert (found.finish[:, known.job_has_ended] == schedule.finish[known.job_has_ended]).all()
    assert sorted(found.makespan)[9] == likely.makespan


def test_the_same_seed_gives_the_same_bits_and_another_one_others() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "fifo")
    first, again, other = (forecast(schedule, 20.0, error=0.3, runs=19, seed=seed) for seed in (1, 1, 2))
    assert first.finish.tobytes() == again.finish.tobytes()
    assert first.finish.tobytes() != other.finish.tobytes()


def test_both_engines_forecast_the_same() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "sjf")
    found = [forecast(schedule, 20.0, error=0.3, runs=19, engine=engine) for engine in BOTH]
    assert found[0].finish.tobytes() == found[1].finish.tobytes()


def test_an_earlier_run_of_the_jobs_narrows_the_band() -> None:
    """Tonight J2 waits; by other jobs its tasks may take any time, by its last run about 60 s."""
    workload = make_workload(make_job("J1", (8, [9.0, 10.0, 11.0, 10.0])), make_job("J2", (8, 60.0)))
    schedule = run(workload, Cluster(4, 0), "fifo")
    last_night = make_workload(make_job("J2", (8, [58.0, 61.0])))
    low, high = (ends[1] for ends in forecast(schedule, 21.0, history=last_night).band(0.9))
    assert 21.0 + 60 < low < schedule.finish[1] < high
    assert forecast(schedule, 21.0).middle[1] < low  # as the others, whose tasks take 10 s


def test_a_policy_plans_on_what_is_expected_not_on_true_times() -> None:
    """The true J3 is shorter than J2; their last run says otherwise, and SJF knows that alone."""
    jobs = (
        make_job("J1", (4, 10.0)),
        make_job("J2", (2, 30.0), arrival=1.0),
        make_job("J3", (2, 5.0), arrival=1.0),
    )
    schedule = run(make_workload(*jobs), Cluster(2, 0), "sjf")
    assert schedule.finish[2] < schedule.finish[1]
    history = make_workload(make_job("J2", (2, 5.0)), make_job("J3", (2, 30.0)))
    found = forecast(schedule, 5.0, history=history, runs=20)
    assert (found.finish[:, 1] < found.finish[:, 2]).all()


def test_chances_of_deadlines_are_parts_of_the_draws() -> None:
    jobs = (
        make_job("J1", (4, 10.0), deadline=1e6),
        make_job("J2", (4, 10.0), deadline=1.0),
        make_job("J3", (1, 1.0)),
    )
    found = forecast(run(make_workload(*jobs), Cluster(2, 0), "fifo"), 5.0, error=0.3, runs=19)
    assert found.in_time[:2].tolist() == [1.0, 0.0]
    assert np.isnan(found.in_time[2])


def test_service_levels_have_chances_and_a_lever_changes_them() -> None:
    """By 1 s none of the draws has ended the job; with the lever three of four end it at 0.5 s."""
    job = replace(make_job("J1", (4, 10.0)), service_levels=((1.0, 5.0), (1e6, 20.0)))
    found = forecast(run(make_workload(job), Cluster(2, 0), "fifo"), 5.0, error=0.3, runs=19)
    ends = ends_of(found)
    assert [each.text for each in ends.promises] == [
        "J1 by 0:01, else cost 5: 0 %",
        f"J1 by {clock_text(1e6)}, else cost 20: 100 %",
    ]
    before, after = np.full((4, 1), 2.0), np.array([[0.5], [0.5], [0.5], [2.0]])
    none, is_open = np.full(1, np.inf), np.ones(1, bool)
    tried = TriedRelief(Relief("front", "move J1 to the front"), ("J1",), before, after, none, is_open)
    assert [each.percent for each in with_relief(ends, tried).promises] == ["0 → 75 %", "100 → 100 %"]


class TestUnknownTimes:
    """How the draws of times stand to what they are drawn from."""

    def sampler(self, seed: int, ended: int, running: int, waiting: int) -> tuple[UnknownTimes, np.ndarray]:
        """Return a sampler of one log-normal stage beside 20 others, and the true times of the stage."""
        from core.forecast.known import KnownColumn

        random = np.random.default_rng(seed)
        count = ended + running + waiting
        others = np.exp(random.normal(3, 0.5, (20, 1)) + random.normal(0, 0.3, (20, 30))).ravel()
        mine = np.exp(random.normal(3, 0.5) + random.normal(0, 0.3, count))
        seconds = np.concatenate([others, mine])
        known = np.ones(len(seconds), bool)
        known[len(others) + ended :] = False
        over = np.zeros(len(seconds))
        begin = len(others) + ended
        over[begin : begin + running] = random.uniform(0.05, 0.95, running) * seconds[begin : begin + running]
        stage = np.repeat(np.arange(21), [30] * 20 + [count]).astype(np.int32)
        column = KnownColumn(known, np.where(known, seconds, 0.0), over > 0, over)
        drawn = UnknownTimes(column, stage, np.zeros(21, np.int8), no_guesses(21), random)
        return drawn, mine

    @pytest.mark.parametrize("ended", [0, 2, 20])
    def test_nine_in_ten_stages_take_a_time_inside_the_band(self, ended: int) -> None:
        """Sums over tasks that wait, of 60 stages; 90 % is meant, and 80 is 2.6 standard errors below."""
        inside = 0
        for seed in range(60):
            sampler, mine = self.sampler(seed, ended, 0, 10)
            sums = [sampler.draw()[-10:].sum() for _ in range(20)]
            low, high = band_of(np.array(sums), 0.9)
            inside += low <= mine[-10:].sum() <= high
        assert 0.8 <= inside / 60 <= 1

    def test_what_runs_takes_longer_than_it_has_run(self) -> None:
        sampler, _ = self.sampler(7, 3, 40, 5)
        over = sampler._column.longer_than
        for _ in range(20):
            drawn = sampler.draw()
            assert (drawn[over > 0] > over[over > 0]).all()

    def test_times_that_were_always_zero_stay_zero(self) -> None:
        from core.forecast.known import KnownColumn

        known = np.array([True] * 5 + [False] * 3)
        column = KnownColumn(known, np.zeros(8), np.zeros(8, bool), np.zeros(8))
        stage = np.zeros(8, np.int32)
        drawn = UnknownTimes(column, stage, np.zeros(1, np.int8), no_guesses(1), np.random.default_rng(1))
        assert (drawn.draw() == 0).all()


def test_what_cannot_be_forecast_is_refused_with_a_sentence() -> None:
    schedule = run(make_workload(make_job("J", (4, 10.0))), Cluster(2, 0), "fifo")
    with pytest.raises(InputError, match="no task has ended by then"):
        forecast(schedule, 5.0)
    with pytest.raises(InputError, match="begins at 0 s or later; -1"):
        forecast(schedule, -1.0)
    with pytest.raises(InputError, match="19 to 10000 draws, since of fewer no band holds 90 %; 18 is not"):
        forecast(schedule, 1.0, runs=18)
    slow = run(make_workload(make_job("J", (4, 10.0))), Cluster(2, 0, overheads=Overheads(hosts=1)), "fifo")
    with pytest.raises(InputError, match="a cluster with overheads"):
        forecast(slow, 15.0)


def test_it_reports_progress_and_can_be_cancelled() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "fifo")
    parts: list[float] = []
    forecast(schedule, 20.0, error=0.3, runs=19, progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] <= 1.0
    with pytest.raises(Cancelled):
        forecast(schedule, 20.0, error=0.3, runs=19, should_stop=lambda: True)
