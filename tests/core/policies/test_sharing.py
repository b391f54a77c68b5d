"""Sharing policies by hand: shares, limits and budgets to the second, and what equals what."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.policies import registry
from core.policies.dynamic_slots import may_start, to_lend, used
from core.policies.policy import MAP, REDUCE, Policy
from core.simulation.simulate import Simulation
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.policy import JobRow
    from core.simulation.simulate import Engine

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])

RED_AND_BLUE = make_workload(make_job("red", (12, 1.0), pool="red"), make_job("blue", (12, 1.0), pool="blue"))


def first_wave(schedule: Schedule) -> list[int]:
    """Return how many tasks of each job start at 0."""
    job = schedule.workload.columns.job[schedule.start == 0]
    return [int((job == j).sum()) for j in range(len(schedule.workload.jobs))]


# ---- Fair, two levels


@both_engines
@pytest.mark.parametrize(
    ("pools", "share"),
    [
        ([], [2, 2]),
        ([Pool("red", weight=3.0)], [3, 1]),
        ([Pool("red", min_map_slots=3)], [3, 1]),  # below its minimum first, then the fewest
        ([Pool("red", min_map_slots=4)], [4, 0]),
        ([Pool("red", min_map_slots=1), Pool("blue", min_map_slots=4)], [1, 3]),
        ([Pool("red", min_reduce_slots=4)], [2, 2]),  # reduce slots are another matter
        ([Pool("blue")], [2, 2]),
    ],
)
def test_pools_share_fairly(pools: list[Pool], share: list[int], engine: Engine) -> None:
    workload = RED_AND_BLUE.with_pools(pools)
    assert first_wave(run(workload, Cluster(4, 1), "fair", engine=engine)) == share


@both_engines
@pytest.mark.parametrize(("inside", "share"), [("fair", [1, 1, 2]), ("fifo", [2, 0, 2])])
def test_inside_a_pool(inside: str, share: list[int], engine: Engine) -> None:
    jobs = [make_job(name, (9, 1.0), pool=name[:-1]) for name in ("red1", "red2", "blue1")]
    schedule = run(make_workload(*jobs), Cluster(4, 0), "fair", engine=engine, inside=inside)
    assert first_wave(schedule) == share


def test_what_a_pool_does_not_need_others_get() -> None:
    """Max-min fairness: red needs one slot of its two, blue takes the rest."""
    workload = make_workload(make_job("red", (1, 5.0), pool="red"), make_job("blue", (9, 5.0), pool="blue"))
    assert first_wave(run(workload, Cluster(4, 0), "fair")) == [1, 3]


class JobsFairly(Policy):
    """One level: what `fair` was before it knew pools."""

    id = "jobs-fairly"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return job.running[kind] / job.weight


@examples(26)
@given(data=st.data())
def test_with_a_single_pool_only_jobs_share(data: st.DataObject) -> None:
    workload = in_one_pool(data.draw(workloads()))
    cluster = data.draw(clusters(workload))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "POLICIES", (*registry.POLICIES, JobsFairly))
        assert outcome(workload, cluster, "fair") == outcome(workload, cluster, "jobs-fairly")


def in_one_pool(workload: Workload) -> Workload:
    """Put all jobs into one pool that has no limit."""
    jobs = (replace(job, pool="red") for job in workload.jobs)
    return workload.with_pools(()).with_jobs(jobs)


def outcome(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> Any:
    """Return where and when everything ran, or that it stalled."""
    try:
        schedule = run(workload, cluster, policy, **parameters)
    except StalledError:
        return "stalled"
    return schedule.slot.tolist(), schedule.start.tolist(), schedule.end.tolist()


# ---- Capacity


@both_engines
@pytest.mark.parametrize(
    ("pools", "share"),
    [
        ([], [2, 2]),
        ([Pool("red", capacity=0.75)], [3, 1]),
        ([Pool("red", capacity=0.0)], [0, 4]),
        ([Pool("red", capacity=0.25, max_capacity=0.25)], [1, 3]),
        ([Pool("red", max_capacity=0.5), Pool("blue", max_capacity=0.3)], [2, 1]),  # 1.2 slots are one
        ([Pool("red", max_capacity=0.01), Pool("blue", max_capacity=0.25)], [1, 1]),  # but no less than one
    ],
)
def test_queues_have_their_capacity(pools: list[Pool], share: list[int], engine: Engine) -> None:
    workload = RED_AND_BLUE.with_pools(pools)
    assert first_wave(run(workload, Cluster(4, 1), "capacity", engine=engine)) == share


def test_idle_capacity_is_lent_up_to_the_maximum() -> None:
    alone = make_workload(make_job("red", (12, 1.0), pool="red"))
    shares = [first_wave(run(alone.with_pools([pool]), Cluster(4, 1), "capacity"))[0] for pool in ELASTIC]
    assert shares == [4, 4, 3, 2]


ELASTIC = [
    Pool("red"),
    Pool("red", capacity=0.25),
    Pool("red", max_capacity=0.75),
    Pool("red", max_capacity=0.5),
]


@examples(26)
@given(data=st.data())
def test_one_queue_is_fifo(data: st.DataObject) -> None:
    workload = in_one_pool(data.draw(workloads()))
    cluster = data.draw(clusters(workload))
    assert outcome(workload, cluster, "capacity") == outcome(workload, cluster, "fifo")


# ---- Dynamic Priority


@both_engines
def test_shares_are_what_users_bid(engine: Engine) -> None:
    workload = RED_AND_BLUE.with_pools([Pool("red", spending_rate=3.0)])
    assert first_wave(run(workload, Cluster(4, 1), "dynamic-priority", engine=engine)) == [3, 1]


@both_engines
@pytest.mark.parametrize(
    ("budget", "red"),
    [
        (None, [3, 3, 3, 3]),
        (18.5, [3, 3, 3, 0]),
        (18.0, [3, 3, 0, 0]),
        (9.0, [3, 0, 0, 0]),
        (0.0, [0, 0, 0, 0]),
    ],
)
def test_who_cannot_pay_waits(budget: float | None, red: list[int], engine: Engine) -> None:
    """Three slots at three credits cost nine a second; then blue has enough maps for all slots."""
    jobs = make_job("red", (12, 1.0), pool="red"), make_job("blue", (16, 1.0), pool="blue")
    workload = make_workload(*jobs).with_pools([Pool("red", spending_rate=3.0, budget=budget)])
    schedule = run(workload, Cluster(4, 1), "dynamic-priority", engine=engine)
    starts = schedule.start[:12].tolist()
    assert [starts.count(second) for second in range(4)] == red


@both_engines
@pytest.mark.parametrize(("budget", "first"), [(10.0, "blue"), (10.5, "red")])
def test_slot_seconds_are_exact_when_nothing_was_decided_meanwhile(
    budget: float, first: str, engine: Engine
) -> None:
    """Red's map costs ten credits until 10 s; no slot is asked for until 20 s, and idle time is free."""
    workload = make_workload(
        make_job("before", (1, 10.0), pool="red"),
        make_job("red", (1, 1.0), pool="red", arrival=20.0),
        make_job("blue", (1, 1.0), pool="blue", arrival=20.0),
    ).with_pools([Pool("red", budget=budget)])
    schedule = run(workload, Cluster(1, 0), "dynamic-priority", engine=engine)
    order = [workload.jobs[workload.columns.job[task]].name for task in schedule.sequence]
    assert order[1] == first


def test_reduces_cost_as_much_as_maps() -> None:
    """A filler pays while it waits: from 1 s on, 4 + 3 slot-seconds are spent at 4 s."""
    job = make_job("red", (4, 1.0), (1, 1.0), pool="red")
    others = [make_job(name, (1, 1.0), pool=name, arrival=4.0) for name in ("red", "blue")]
    for budget, first in ((7.0, "blue"), (7.5, "red")):
        workload = make_workload(replace(job, name="before"), *others).with_pools(
            [Pool("red", budget=budget)]
        )
        schedule = run(workload, Cluster(1, 1), "dynamic-priority")
        assert workload.jobs[workload.columns.job[schedule.sequence[-2]]].name == first


@both_engines
@pytest.mark.parametrize(("budget", "first"), [(10.0, "blue"), (10.5, "red")])
def test_what_was_spent_before_the_policy_came_counts(budget: float, first: str, engine: Engine) -> None:
    """Under FIFO red's map has cost ten credits; Dynamic Priority goes on from there."""
    workload = make_workload(
        make_job("before", (1, 10.0), pool="red"),
        make_job("red", (1, 1.0), pool="red", arrival=20.0),
        make_job("blue", (1, 1.0), pool="blue", arrival=20.0),
    ).with_pools([Pool("red", budget=budget)])
    begun = Simulation(workload, Cluster(1, 0), PolicyChoice("fifo"), engine=engine)
    begun.advance(until=15.0)
    run_on = begun.with_policy(PolicyChoice("dynamic-priority"))
    assert run_on.advance()
    order = [workload.jobs[workload.columns.job[task]].name for task in run_on.schedule().sequence]
    assert order[1] == first


# ---- dynamic slots

LENDERS = ("dhfs-pi", "dhfs-pd", "dynamic-fifo-pi", "dynamic-fifo-pd")


@both_engines
@pytest.mark.parametrize("policy", LENDERS)
@pytest.mark.parametrize(
    ("maps", "reduces", "slots"),
    [((108, 10.0), (108, 7.0), (90, 18)), ((320, 5.0), (200, 8.0), (9, 4)), ((7, 2.0), (100, 3.0), (3, 5))],
)
def test_lent_slots_finish_as_the_formula_says(
    policy: str, maps: tuple[int, float], reduces: tuple[int, float], slots: tuple[int, int], engine: Engine
) -> None:
    """002 section IV.B: one job, equal tasks, no shuffle; the first case is 62 s typed and 17 s lent."""
    workload, cluster = make_workload(make_job("J1", maps, reduces)), Cluster(*slots, slowstart=1.0)
    lent = sum(math.ceil(count / sum(slots)) * seconds for count, seconds in (maps, reduces))
    typed = sum(
        math.ceil(count / own) * seconds for (count, seconds), own in zip((maps, reduces), slots, strict=True)
    )
    assert run(workload, cluster, policy, engine=engine).makespan == lent
    assert run(workload, cluster, "fair", engine=engine).makespan == typed


@examples(26)
@given(data=st.data())
def test_nothing_lent_is_the_scheduler_below(data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    inside = data.draw(st.sampled_from(("fair", "fifo")))
    none = {"pct_borrowed_map": 0, "pct_borrowed_reduce": 0}
    fair = outcome(workload, cluster, "fair", inside=inside)
    assert outcome(workload, cluster, "dhfs-pi", inside=inside, **none) == fair
    assert outcome(workload, cluster, "dynamic-fifo-pi", **none) == outcome(workload, cluster, "fifo")


@pytest.mark.parametrize(
    ("running", "pending", "percentage", "lent"),
    [
        ((0, 0), (0, 20), 100, 10),  # ten idle map slots, 16 reduces too many
        ((0, 0), (0, 9), 100, 5),  # five reduces too many
        ((0, 0), (0, 4), 100, 0),  # both enough
        ((0, 0), (0, 20), 35, 3),  # 3.5 slots are three
        ((0, 6), (0, 20), 35, 1),  # two reduces above four: two slots are borrowed already
        ((0, 8), (0, 20), 35, 0),
        ((3, 4), (0, 20), 100, 10),
        ((3, 4), (6, 20), 100, 10),  # nine of ten wanted by maps
        ((3, 4), (7, 20), 100, 0),  # all ten wanted: not one to spare
        ((3, 4), (30, 20), 100, 0),  # both short
        ((12, 2), (0, 20), 100, 0),  # maps have borrowed themselves
    ],
)
def test_how_many_map_slots_are_lent(
    running: tuple[int, int], pending: tuple[int, int], percentage: float, lent: int
) -> None:
    """Algorithm 1 on 10 map and 4 reduce slots, and its mirror image."""
    cluster: Any = SimpleNamespace(slots=(10, 4), running=running, pending=pending)
    assert to_lend(MAP, cluster, percentage) == lent
    mirrored: Any = SimpleNamespace(slots=(4, 10), running=running[::-1], pending=pending[::-1])
    assert to_lend(REDUCE, mirrored, percentage) == lent


def test_tasks_count_on_slots_of_their_own_type_first() -> None:
    cluster: Any = SimpleNamespace(slots=(10, 4), running=(3, 6), pending=(0, 9), containers=0)
    assert (used(MAP, cluster), used(REDUCE, cluster)) == (5, 4)
    assert may_start(REDUCE, cluster, 30.0, 0.0)
    assert not may_start(REDUCE, cluster, 29.0, 100.0)
    assert may_start(MAP, cluster, 0.0, 0.0)


@both_engines
@pytest.mark.parametrize("policy", ["dhfs-pi", "dynamic-fifo-pi"])
@pytest.mark.parametrize(
    ("percentage", "slots", "makespan"), [(0, 2, 4), (25, 3, 3), (50, 4, 2), (100, 6, 2)]
)
def test_lending_keeps_to_its_limit(
    policy: str, percentage: float, slots: int, makespan: float, engine: Engine
) -> None:
    workload = make_workload(make_job("J1", (0,), (8, 1.0)))
    schedule = run(workload, Cluster(4, 2), policy, engine=engine, pct_borrowed_map=percentage)
    assert (len(set(schedule.slot.tolist())), schedule.makespan) == (slots, makespan)
    maps = make_workload(make_job("J1", (8, 1.0)))
    mirrored = run(maps, Cluster(2, 4), policy, engine=engine, pct_borrowed_reduce=percentage)
    assert (len(set(mirrored.slot.tolist())), mirrored.makespan) == (slots, makespan)


@examples(26)
@given(data=st.data(), percentage=st.sampled_from((0, 30, 50, 100)))
def test_no_more_run_than_own_and_borrowed_slots(data: st.DataObject, percentage: float) -> None:
    workload = data.draw(workloads())
    maps, reduces = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    try:
        schedule = run(
            workload,
            Cluster(maps, reduces, data.draw(st.sampled_from((0.0, 0.5, 1.0)))),
            data.draw(st.sampled_from(("dhfs-pi", "dynamic-fifo-pi"))),
            pct_borrowed_map=percentage,
            pct_borrowed_reduce=percentage,
        )
    except StalledError:
        return
    kind = workload.columns.kind
    for time in schedule.start:
        runs = (schedule.start <= time) & (time < schedule.end)
        assert (runs & (kind == MAP)).sum() <= maps + reduces * percentage // 100
        assert (runs & (kind == REDUCE)).sum() <= reduces + maps * percentage // 100


BUSY = make_workload(
    make_job("maps", (20, 1.0), pool="blue"), make_job("reduces", (0,), (20, 1.0), pool="red")
)


@both_engines
@pytest.mark.parametrize(
    ("policy", "share"),
    [("dhfs-pi", [6, 2]), ("dhfs-pd", [4, 4]), ("dynamic-fifo-pi", [6, 2]), ("dynamic-fifo-pd", [8, 0])],
)
def test_types_first_or_pools_first(policy: str, share: list[int], engine: Engine) -> None:
    """002 Figure 5: both phases are short of slots. PI leaves each its own; PD halves all of them."""
    assert first_wave(run(BUSY, Cluster(6, 2), policy, engine=engine)) == share


@both_engines
@pytest.mark.parametrize(
    ("pools", "share"),
    [
        ([Pool("blue", weight=3.0)], [6, 2]),
        ([Pool("red", min_map_slots=6)], [2, 6]),  # minimum shares of both types together
        ([Pool("red", min_map_slots=3, min_reduce_slots=2)], [3, 5]),
    ],
)
def test_pd_shares_all_slots_by_pool(pools: list[Pool], share: list[int], engine: Engine) -> None:
    assert first_wave(run(BUSY.with_pools(pools), Cluster(6, 2), "dhfs-pd", engine=engine)) == share


def test_borrowed_slots_are_known() -> None:
    schedule = run(BUSY, Cluster(6, 2), "dhfs-pd")
    assert schedule.lends
    assert schedule.is_borrowed.tolist() == [
        bool((slot < 6) != (kind == MAP)) for slot, kind in zip(schedule.slot, BUSY.columns.kind, strict=True)
    ]
    assert schedule.is_borrowed.any()
    typed = run(BUSY, Cluster(6, 2), "fair")
    assert not typed.is_borrowed.any()
    assert not typed.lends
