"""Picks made by hand: their text, the policy that follows them, and picks that lead to a schedule."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.measures.comparison_report import comparison_report
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.schedule import PolicyChoice
from core.policies.by_hand import (
    picks_of,
    read_picks,
    unfitting,
    with_renamed_job,
    write_picks,
)
from tests import naive
from tests.builders import make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import ENGINES, bits, columns, naive_columns
from tests.core.engine.strategies import clusters, lasting_workloads, workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

both_engines = pytest.mark.parametrize("engine", ENGINES)
TWO = two_stage_workload([(4, 2), (1, 2)], tasks=3)
NO_LENDING = ("fifo", "sjf", "johnson", "edf-max", "edf-min", "fair", "capacity", "longest-task", "critical")
"""Of every kind one; none of them lends slots, and no slot is left free for nothing that comes."""


@both_engines
def test_slots_go_as_picked(engine: Engine) -> None:
    """By FIFO J1's maps would fill both map slots up to 4 s."""
    text = "J2.map.1, J1.map.1, J2.map.2-3, J2.reduce.1, at 5 s, J1.map.2"
    schedule = run(TWO, Cluster(2, 1, 1.0), "by-hand", picks=text, engine=engine)
    maps, reduces = [[0, 5, 5], [0, 1, 2]], [[9, 11, 13], [3, 5, 7]]
    assert schedule.start.tolist() == [*maps[0], *reduces[0], *maps[1], *reduces[1]]


@both_engines
def test_what_nobody_picked_follows_as_fifo_has_it(engine: Engine) -> None:
    assert bits(run(TWO, Cluster(2, 1), "by-hand", engine=engine)) == bits(run(TWO, Cluster(2, 1)))


@both_engines
def test_a_slot_is_not_left_free_for_ever(engine: Engine) -> None:
    """After an edit, say, everything else is done long before the date of a pick."""
    workload = make_workload(make_job("J1", (2, 3.0)), make_job("J2", (1, 2.0), arrival=7.0))
    schedule = run(workload, Cluster(1, 1), "by-hand", picks="J1.map.1, at 90 s, J1.map.2", engine=engine)
    assert schedule.start.tolist() == [0, 7, 10], "the last arrival is waited for, the 90 s are not"


@pytest.mark.parametrize(
    "text",
    ["", "J1.map.1", "at 3 s", "J1.map.1-4, at 1.5 s, J2.reduce.2, at 12 s", 'J.1.map.1,"a, b.map.2"'],
)
def test_the_text_that_was_read_is_written_again(text: str) -> None:
    assert write_picks(*read_picks(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("J1", "'J1' is no pick; name tasks in the order in which they start, as J1.map.3"),
        ("J1.map.0", "'J1.map.0' is no pick"),
        ("J1.map.3-2", "'J1.map.3-2' is no pick"),
        ("at noon s", "'at 'noon' s' is no time of a pick; give seconds from 0"),
        ("at -1 s", "seconds from 0"),
        ("at nan s", "seconds from 0"),
    ],
)
def test_a_text_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        run(TWO, Cluster(1, 1), "by-hand", picks=text)
    assert said in str(refused.value)


def test_picks_that_do_not_fit_are_passed_over_and_told() -> None:
    text = "J9.map.1-2, J2.map.1, J2.map.1, J1.map.2-7"
    choice = PolicyChoice("by-hand", {"picks": text})
    sequence = run(TWO, Cluster(1, 1), choice).sequence.tolist()
    assert [task for task in sequence if task in (*range(3), 6)] == [6, 1, 2, 0], "J2's map, J1's 2, 3 and 1"
    told = unfitting(choice, TWO)
    assert told.startswith("Picks by hand that the jobs have no tasks for (any more) are passed over: ")
    assert "'J9.map.1-2', 'J2.map.1', 'J1.map.2-7'" in told
    assert unfitting(PolicyChoice("by-hand", {"picks": "J1.map.1"}), TWO) == ""
    assert unfitting(PolicyChoice("fifo"), TWO) == ""
    assert unfitting(PolicyChoice("by-hand", {"picks": "J1"}), TWO) == "", "the run says what is wrong"


def test_a_job_is_renamed_in_the_text() -> None:
    assert with_renamed_job("J1.map.1, at 2 s, J2.map.1", "J1", "a, b") == '"a, b.map.1",at 2 s,J2.map.1'


def test_picks_of_the_five_jobs_in_johnsons_order() -> None:
    workload = load_sample("five-jobs")
    text = picks_of(run(workload, workload.cluster, "johnson"))
    assert text.startswith("J2.map.1-30, J5.map.1-30, at 1 s, J2.reduce.1-30, J1.map.1-30, ")
    assert run(workload, workload.cluster, "by-hand", picks=text).makespan == 47


@examples(30)
@given(data=st.data())
def test_a_schedule_is_made_again_of_its_own_picks(data: st.DataObject) -> None:
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    policy = data.draw(st.sampled_from(NO_LENDING))
    try:
        schedule = run(workload, cluster, policy)
    except StalledError:
        return  # only of a node may reduces hold the memory that a map needs
    assume(schedule.reduce_after is None)
    again = run(workload, cluster, "by-hand", picks=picks_of(schedule))
    assert bits(again)[:-1] == bits(schedule)[:-1], "all but the ranks"


@examples(30)
@given(data=st.data())
def test_the_slow_twin_agrees(data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload).filter(lambda drawn: not drawn.nodes))
    text = data.draw(texts(workload))
    twin = SlowByHand(workload, cluster, text).run()
    engine = data.draw(st.sampled_from(ENGINES))
    try:
        schedule = run(workload, cluster, "by-hand", picks=text, engine=engine)
    except StalledError:
        assert twin.stalled
        return
    assert columns(schedule) == naive_columns(twin)


@st.composite
def texts(draw: st.DrawFn, workload: Workload) -> str:
    """Some of the tasks in any order, and times."""
    count = workload.columns.count
    each = [
        f"{job.name}.{('map', 'reduce')[kind]}.{number + 1}"
        for j, job in enumerate(workload.jobs)
        for kind in (0, 1)
        for number in range(count[j, kind])
    ]
    some = draw(st.permutations(each))[: draw(st.integers(0, len(each)))]
    dates = draw(st.lists(st.integers(0, 12), max_size=3))
    for date in dates:
        some.insert(draw(st.integers(0, len(some))), f"at {date} s")
    return ", ".join(some)


class SlowByHand(naive.Run):
    """A free slot goes through the text from its beginning, every time."""

    def __init__(self, workload: Workload, cluster: Cluster, text: str) -> None:
        picks: list[tuple[str, float]] = []
        since = 0.0
        for item in filter(None, text.split(", ")):
            if item.startswith("at "):
                since = max(since, float(item.split()[1]))
            else:
                picks.append((item, since))
        self.picks = {name: (place, since) for place, (name, since) in enumerate(picks)}
        self.rest = (math.inf, since)
        super().__init__(workload, cluster, "fifo", task_key=lambda task: self.pick_of(task)[0])
        fifo = self.preference
        self.preference = lambda job, kind: (self.next_pick(job, kind)[0], *fifo(job, kind))

    def pick_of(self, task: naive.Task) -> tuple[float, float]:
        number = task.job.tasks(task.kind).index(task) + 1
        return self.picks.get(f"{task.job.name}.{task.kind}.{number}", self.rest)

    def next_pick(self, job: naive.Job, kind: str) -> tuple[float, float]:
        task = job.next_task(kind)
        assert task is not None
        return self.pick_of(task)

    def can_start(self, slot: naive.Slot) -> list[tuple[naive.Job, str]]:
        ends = [task.end for task in self.tasks() if task.is_running and task.end is not None]
        follows = bool(ends) or not all(job.arrived for job in self.jobs)
        return [
            (job, kind)
            for job, kind in super().can_start(slot)
            if self.next_pick(job, kind)[1] <= self.now or not follows
        ]


def test_a_report_shows_the_first_of_many_picks() -> None:
    text = ", ".join(f"J{1 + i % 2}.map.{1 + i // 2}" for i in range(60))
    workload = two_stage_workload([(4, 2), (1, 2)], tasks=30)
    page = comparison_report([("By hand", run(workload, Cluster(2, 1), "by-hand", picks=text))], b"", b"")
    assert f"picks = {text[:299]}…<" in page
