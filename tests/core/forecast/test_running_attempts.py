"""Second attempts at tasks that run in a record: they hold their slots, and one of both ends first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.history_schedule import recorded_schedule
from core.forecast.advice import begin_on, levers_at
from core.forecast.begin import begin_of
from core.forecast.forecast import forecast
from core.forecast.record import known_of_record
from core.forecast.task_draws import task_draws
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.killed_copies import KilledCopy
from core.model.progress import never_stop
from core.model.recorded_run import RecordedRun, Unfinished
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import OUTCOMES
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.simulation.other_times import TaskTimes
from core.simulation.second_copies import SecondCopy
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.test_preemption import POLICIES as KILLING
from tests.core.engine.test_speculation import Always, SavesMost
from tests.paths import TRACES

if TYPE_CHECKING:
    from core.simulation.simulate import Engine

KILLED = OUTCOMES.index("killed")
FIRST_LOSES = [
    (0.0, 10.0, 0, True),
    (0.0, 30.0, 1, False),  # the first attempt at the second task, killed when the other one ended
    (12.0, 30.0, 1, True),
    (12.0, 40.0, 2, True),
    (30.0, 45.0, 3, True),
]
"""Four maps on three slots: start, end, task, whether it counts. At 20 s all three slots run something."""


def record_of_attempts(attempts: list[tuple[float, float, int, bool]], slots: int = 3) -> Schedule:
    """Return what a log of these map attempts of job J recorded."""
    start, end, task, counts = map(np.array, zip(*attempts, strict=True))
    count, zero, nan = len(attempts), np.zeros(1), np.full(len(attempts), np.nan)
    run = RecordedRun(
        jobs=("J",),
        titles=("J",),
        hosts=("h",),
        submit=zero,
        launch=zero,
        finish=np.array([end.max()]),
        job=np.zeros(count, np.int32),
        kind=np.zeros(count, np.int8),
        task=task.astype(np.int32),
        counts=counts.astype(bool),
        outcome=np.where(counts, 0, KILLED).astype(np.int8),
        host=np.zeros(count, np.int32),
        start=start.astype(float),
        shuffle_end=nan,
        sort_end=nan,
        end=end.astype(float),
    )
    maps = Stage.of(int(counts.sum()), (end - start)[counts.astype(bool)].tolist())
    return recorded_schedule(Workload("w", (Job("J", maps),), Cluster(slots, 0), recorded=run))


@pytest.mark.parametrize("first_counts", [True, False])
def test_the_attempt_that_began_first_is_the_task_and_the_other_one_its_copy(first_counts: bool) -> None:
    """Which of both counts in the end nobody knows at 20 s."""
    attempts = list(FIRST_LOSES)
    attempts[1] = (0.0, 30.0, 1, first_counts)
    attempts[2] = (12.0, 30.0, 1, not first_counts)
    known = known_of_record(record_of_attempts(attempts), 20.0)
    assert known.schedule.start[:3].tolist() == [0.0, 0.0, 12.0]
    assert known.has_ended.tolist() == [True, False, False, False]
    (copy,) = known.copies or ()
    assert copy == SecondCopy(1, copy.slot, 12.0, 12.0)
    assert sorted([copy.slot, *known.schedule.slot[1:3].tolist()]) == [0, 1, 2]
    assert known.duration.longer_than.tolist() == [0.0, 20.0, 8.0, 0.0]
    assert known.of_copies[1].longer_than.tolist() == [0.0, 8.0, 0.0, 0.0]


def test_before_the_second_attempt_begins_the_first_one_is_the_task() -> None:
    """At 11 s the attempt that counts has not begun; the one that is killed later runs."""
    known = known_of_record(record_of_attempts(FIRST_LOSES), 11.0)
    assert known.copies is None
    assert known.running == 1
    assert known.duration.longer_than.tolist() == [0.0, 11.0, 0.0, 0.0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("first", "second", "ends"), [(50.0, 15.0, 27.0), (26.0, 30.0, 26.0)])
def test_its_slot_is_held_until_the_first_of_both_ends(
    engine: Engine, first: float, second: float, ends: float
) -> None:
    """The copy began at 12 s: it ends at 27 s, or the other one at 26 s; the fourth map starts then."""
    begin = begin_of(record_of_attempts(FIRST_LOSES), 20.0)
    zero = np.zeros(4)
    duration = np.array([10.0, first, 28.0, 15.0])
    copy = np.array([0.0, second, 0.0, 0.0])
    run = begin.standing(None, engine, never_stop).with_times(TaskTimes(duration, zero, zero, copy, zero))
    run.advance_until(np.inf)
    found = run.schedule()
    assert found.end.tolist() == [10.0, ends, 40.0, ends + 15.0]
    assert found.start[3] == ends
    assert found.given_up.given_up.outrun.tolist() == [1 if ends == 27.0 else 2]
    assert sorted(found.sequence.tolist()) == [0, 1, 2, 3]


def test_compiled_runs_go_on_as_interpreted_ones_under_every_policy() -> None:
    register_policy("saves-most", SavesMost)
    record, drawn = record_of_attempts(FIRST_LOSES), 0
    for policy in ("fifo", "fair", "sjf", "saves-most"):
        begin = begin_of(record, 20.0, PolicyChoice(policy))
        draw = task_draws(begin.known, None, None, 3)
        runs = [begin.standing(None, engine, never_stop) for engine in ("compiled", "interpreted")]
        for times in (draw() for _ in range(10)):
            ends = []
            for run in runs:
                after = run.with_times(times)
                after.advance_until(np.inf)
                ends.append(bits(after.schedule()))
            assert ends[0] == ends[1], policy
            drawn += 1
    assert drawn == 40


def test_both_attempts_take_longer_than_so_far_each_by_a_draw_of_its_own() -> None:
    begin = begin_of(record_of_attempts(FIRST_LOSES), 20.0)
    draws = [task_draws(begin.known, None, None, seed)() for seed in range(60)]
    first, second = (np.array([getattr(each, name)[1] for each in draws]) for name in ("duration", "copy"))
    assert first.min() > 20.0
    assert second.min() > 8.0
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.4


def test_killing_it_is_a_lever_by_the_number_that_the_record_has() -> None:
    """Killed at 20 s, it gives its slot to the task that waits at once; the fourth task lies first here."""
    moved = [(start, end, (3, 1, 2, 0)[task], counts) for start, end, task, counts in FIRST_LOSES]
    moved[0], moved[2] = (1.0, 10.0, 3, True), (12.0, 30.0, 1, True)
    begin = begin_of(record_of_attempts(moved), 20.0)
    assert begin.known.order.tolist() == [1, 3, 2, 0]
    zero, copy = np.zeros(4), np.array([15.0, 0.0, 0.0, 0.0])
    times = TaskTimes(np.array([50.0, 9.0, 28.0, 15.0]), zero, zero, copy, zero)
    (lever,) = (each for each in levers_at(begin, times) if each.kind == "kill")
    assert lever.cluster is not None
    assert lever.words == "kill the second copy of map 2 of J"
    assert lever.cluster.killed_copies == (KilledCopy(20.0, "J", 0, 1),)
    assert lever.seconds == 8.0
    for engine in ENGINES:
        run = begin_on(begin, lever.cluster, engine, never_stop).standing(None, engine, never_stop)
        run = run.with_times(times)
        run.advance_until(np.inf)
        assert run.schedule().end.tolist() == [50.0, 10.0, 40.0, 35.0]


def test_a_policy_that_copies_gives_no_other_copy_to_a_task_whose_copy_was_killed() -> None:
    register_policy("always", Always)
    begin = begin_of(record_of_attempts(FIRST_LOSES), 20.0, PolicyChoice("always"))
    zero = np.zeros(4)
    times = TaskTimes(np.array([10.0, 50.0, 28.0, 15.0]), zero, zero, np.full(4, 15.0), zero)
    (lever,) = (each for each in levers_at(begin, times) if each.kind == "kill")
    assert lever.cluster is not None
    left, killed = (
        each.standing(None, "interpreted", never_stop).with_times(times)
        for each in (begin, begin_on(begin, lever.cluster, "interpreted", never_stop))
    )
    for run in (left, killed):
        run.advance_until(np.inf)
    assert left.schedule().end.tolist() == [10.0, 27.0, 40.0, 42.0]
    assert killed.schedule().end.tolist() == [10.0, 50.0, 40.0, 35.0]


def test_more_slots_move_the_slots_of_second_reduces() -> None:
    """By hand: with two more map slots the copy on reduce slot 2 lies on slot 4."""
    begin = begin_of(record_of_attempts(FIRST_LOSES), 20.0)
    schedule = begin.known.schedule
    on_reduces = replace(
        begin,
        known=replace(
            begin.known,
            schedule=replace(schedule, cluster=Cluster(2, 1)),
            copies=tuple(each._replace(slot=2) for each in begin.known.copies),
        ),
    )
    wider = begin_on(on_reduces, Cluster(4, 1), "interpreted", never_stop)
    assert [each.slot for each in wider.known.copies] == [4]


def test_under_a_policy_that_kills_tasks_second_attempts_are_left_out() -> None:
    policy = KILLING[0]
    register_policy(policy.id, policy)
    begin = begin_of(record_of_attempts(FIRST_LOSES), 20.0, PolicyChoice(policy.id))
    assert begin.known.copies is None
    assert np.isfinite(begin.standing(None, "interpreted", never_stop).now)


@pytest.mark.skipif(not TRACES.is_dir(), reason="needs real logs in ../shared/traces")
def test_speculative_attempts_of_a_real_log_hold_their_slots() -> None:
    log = TRACES / "hadoop-mapreduce" / "sample-job-tracker-logs.gz"
    record = recorded_schedule(open_trace([log]).workload)
    known = known_of_record(record, 952.0)
    assert known.copies is not None
    slots = [each.slot for each in known.copies]
    runs = known.has_started & ~known.has_ended
    held = known.schedule.slot[runs].tolist()
    assert len({*slots, *held}) == len(slots) + len(held)
    assert all(runs[each.task] and known.schedule.start[each.task] <= each.start for each in known.copies)
    found = forecast(record, 952.0, runs=19)
    assert np.isfinite(found.finish).all()


RUNS_ON = [
    (0.0, 4.0, 0, True),
    (0.0, 7.0, 0, False),  # 3 s after the task has ended
    (7.0, 16.0, 1, True),
    (4.0, 30.0, 1, False),  # its task ends at 16 s, and it is killed at 30 s
    (16.0, 40.0, 2, True),
    (30.0, 45.0, 3, True),
]
"""Four maps on two slots: at 18 s the slot of the fourth attempt still runs it, and the fourth map waits."""


@pytest.mark.parametrize(("before", "opens"), [(True, 19.0), (False, 20.0)])
def test_an_attempt_that_runs_though_its_task_has_ended_holds_its_slot(before: bool, opens: float) -> None:
    """As long as the one before it did, 3 s; where none is known, twice as long as it has by now."""
    attempts = RUNS_ON if before else [RUNS_ON[0], *RUNS_ON[2:]]
    known = known_of_record(record_of_attempts(attempts, 2), 18.0)
    (held,) = known.held
    assert held.until == opens
    assert held.slot not in known.schedule.slot[known.has_started & ~known.has_ended]
    assert known.running == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", ["fifo", "fair", "sjf", "always"])
def test_nothing_starts_on_a_slot_that_is_held(engine: Engine, policy: str) -> None:
    register_policy("always", Always)
    begin = begin_of(record_of_attempts(RUNS_ON, 2), 18.0, PolicyChoice(policy))
    zero = np.zeros(4)
    times = TaskTimes(np.array([4.0, 9.0, 24.0, 15.0]), zero, zero, np.full(4, 99.0), zero)
    run = begin.standing(None, engine, never_stop)
    for each in (run, run.with_policy(PolicyChoice("sjf"))):
        after = each.with_times(times)
        after.advance_until(np.inf)
        assert after.schedule().start[3] == 19.0
        assert after.schedule().end.tolist()[2:] == [40.0, 34.0]


def test_a_slot_that_is_held_stays_so_where_slots_are_added() -> None:
    begin = begin_of(record_of_attempts(RUNS_ON, 2), 18.0)
    (lever,) = (
        each for each in levers_at(begin, task_draws(begin.known, None, None, 1)()) if each.kind == "slots"
    )
    assert lever.cluster is not None
    wider = begin_on(begin, lever.cluster, "interpreted", never_stop)
    assert wider.known.held == begin.known.held
    zero = np.zeros(4)
    run = wider.standing(None, "interpreted", never_stop)
    run = run.with_times(TaskTimes(np.array([4.0, 9.0, 24.0, 15.0]), zero, zero))
    run.advance_until(np.inf)
    assert (run.schedule().start[3], run.schedule().slot[3]) == (18.0, 2)


def test_where_a_log_ends_an_attempt_at_a_task_that_has_ended_holds_its_slot() -> None:
    run = record_of_attempts([*RUNS_ON[:4], (16.0, np.nan, -1, False)], 2).record.run
    unfinished = np.where(np.arange(5) >= 3, OUTCOMES.index("unfinished"), run.outcome).astype(np.int8)
    end = np.where(np.arange(5) >= 3, np.nan, run.end)
    none = np.zeros(0, np.int32)
    run = replace(
        run,
        outcome=unfinished,
        end=end,
        finish=np.array([np.nan]),
        under_way=Unfinished(18.0, np.zeros(1, np.int32), np.array([4]), none, none, none),
    )
    workload = Workload("w", (Job("J", Stage.of(2, [4.0, 9.0])),), Cluster(2, 0), recorded=run)
    record = recorded_schedule(workload)
    assert record.record.count("running") == 2
    begin = begin_of(record, 18.0)
    assert [each.until for each in begin.known.held] == [19.0]
    assert begin.known.running == 1


def test_a_copy_that_is_killed_leaves_its_slot_and_its_task_gets_none_any_more() -> None:
    """The fourth map starts at once on the slot of the copy at the second one."""
    register_policy("always", Always)
    record = record_of_attempts(FIRST_LOSES)
    killed = (KilledCopy(20.0, "J", 0, 1),)
    record = replace(record, cluster=replace(record.cluster, killed_copies=killed))
    for policy in ("fifo", "always"):
        begin = begin_of(record, 20.0, PolicyChoice(policy))
        (copy,) = begin.known.copies or ()
        zero = np.zeros(4)
        run = begin.standing(None, "interpreted", never_stop)
        run = run.with_times(TaskTimes(np.array([10.0, 50.0, 28.0, 15.0]), zero, zero, np.full(4, 9.0), zero))
        run.advance_until(np.inf)
        found = run.schedule()
        assert (found.start[3], found.slot[3]) == (20.0, copy.slot)
        assert found.end[1] == 50.0
