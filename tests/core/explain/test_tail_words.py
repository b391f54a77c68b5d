"""What still runs at the end of a run, in words worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.run_tail import _levels, may_have_long_tail, tail_of, tail_words
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.paths import TRACES, real_logs

MAPS = Job("many", Stage.of(300, 30.0), EMPTY)


def words(*jobs: Job, slots: int = 400, reduces: int = 400) -> str:
    cluster = Cluster(slots, reduces, 1.0)
    schedule = simulate(Workload("test", jobs), cluster, PolicyChoice("fifo"), engine="interpreted")
    return tail_words(schedule, tail_of(schedule))


def test_one_map_outlasts_the_others() -> None:
    assert words(MAPS, Job("J2", Stage.of(1, [100]), EMPTY)) == "1 min 10 s: 1 map (J2)"


def test_two_reduces_then_one() -> None:
    """The first map ends at 1 s; reduces without a shuffle of 61 and 1201 s follow."""
    jobs = (MAPS, Job("J2", Stage.of(1, [1.0]), Stage.of(2, [600.0, 1200.0])))
    assert words(*jobs) == "20 min: 2 reduces, then 1 (J2)"


def test_of_more_the_first_and_the_last_number() -> None:
    jobs = (MAPS, Job("J2", Stage.of(4, [70.0, 80.0, 90.0, 100.0]), EMPTY))
    assert words(*jobs) == "1 min 10 s: 4 maps, in the end 1 (J2)"


def test_maps_and_reduces_are_tasks() -> None:
    jobs = (
        MAPS,
        Job("J2", Stage.of(1, [99.0]), EMPTY),
        Job("J3", Stage.of(1, [1.0]), Stage.of(1, [90.0])),
    )
    assert words(*jobs) == "1 min 09 s: 2 tasks, then 1 (J2)"


def test_what_is_short_or_uses_a_large_part_of_the_slots_is_not_worth_a_word() -> None:
    assert words(MAPS, Job("J2", Stage.of(1, [35.0]), EMPTY)) == ""
    assert words(Job("J1", Stage.of(3, [2, 3, 9]), EMPTY), slots=4, reduces=1) == ""


@pytest.mark.parametrize("seed", range(4))
def test_where_many_slots_are_in_use_shortly_before_the_end_there_is_nothing_to_say(seed: int) -> None:
    """One glance is right about all: of runs with tails of any length none is missed."""
    found = []
    for lone in (32.0, 35.0, 35.5, 36.0, 60.0, 300.0):
        for many in (1, 3, 4, 5, 9):
            jobs = (MAPS, Job("J2", Stage.of(many, np.linspace(lone, lone + seed, many)), EMPTY))
            cluster = Cluster(400, 10, 1.0)
            schedule = simulate(Workload("test", jobs), cluster, PolicyChoice("fifo"), engine="interpreted")
            says = bool(tail_words(schedule, tail_of(schedule)))
            found.append((says, may_have_long_tail(schedule)))
    assert (True, False) not in found
    assert {(True, True), (False, False)} <= set(found)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_levels_are_the_most_held_from_some_time_on(spans: list[tuple[int, int]]) -> None:
    start = np.array([first for first, _ in spans], np.float64)
    end = start + [length for _, length in spans]
    held = [sum(first <= at < last for first, last in zip(start, end, strict=True)) for at in range(20)]
    slow = {max(held[at:]) for at in range(20)} - {0}
    assert _levels(start, end) == sorted(slow, reverse=True)


@pytest.mark.parametrize("name", real_logs("hadoop-mapreduce/19-jobs.trace.json.gz"))
def test_the_end_of_a_real_run(name: str) -> None:
    workload = open_trace([TRACES / name]).workload
    assert workload.recorded is not None
    schedule = history_schedule(workload, workload.recorded)
    assert tail_words(schedule, tail_of(schedule)) == "43 min: 2 reduces, then 1 (job 0010)"
