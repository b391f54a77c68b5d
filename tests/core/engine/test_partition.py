"""Pools with slots of their own: as if each were a cluster by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.errors import DocumentError
from core.model.partition import Partition, SlotPool, pool_of_jobs
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.optimize.bounds import lower_bound
from core.planning.estimated_makespan import estimate_of
from core.simulation.simulate import Simulation
from tests import naive
from tests.builders import FIVE_JOBS, run, two_stage_workload
from tests.core.engine import rules
from tests.core.engine.strategies import SLOWSTARTS, workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

ENGINES: tuple[Engine, ...] = ("interpreted", "compiled")
PER_TASK = ("start", "shuffled", "end")


@st.composite
def divided(draw: st.DrawFn) -> tuple[Workload, Cluster, Partition]:
    """A workload in up to four pools, some of them perhaps without jobs or without slots of a kind."""
    workload = draw(workloads())
    names = draw(st.permutations([job.name for job in workload.jobs]))
    members: list[list[str]] = [[] for _ in range(draw(st.integers(1, 4)))]
    for name in names:
        members[draw(st.integers(0, len(members) - 1))].append(name)
    pools = []
    for number, mine in enumerate(members):
        jobs = [workload.jobs[workload.job_index[name]] for name in mine]
        maps = draw(st.integers(1 if any(job.maps.count for job in jobs) else 0, 3))
        reduces = draw(st.integers(1 if any(job.reduces.count for job in jobs) else 0, 3))
        pools.append(SlotPool(f"P{number}", maps, reduces, tuple(mine)))
    partition = Partition(tuple(pools))
    slowstart, model = draw(st.sampled_from(SLOWSTARTS)), draw(st.sampled_from(SHUFFLE_MODELS))
    return workload, Cluster(*partition.slots, slowstart, model), partition  # type: ignore[arg-type]


@examples(26)
@given(case=divided())
def test_every_pool_runs_as_if_it_were_alone(case: tuple[Workload, Cluster, Partition]) -> None:
    workload, cluster, partition = case
    for engine in ENGINES:
        together = run(workload, cluster, partition=partition, engine=engine)
        for place, pool in enumerate(partition.pools):
            if pool.jobs:
                check_alone(together, place, engine)


def check_alone(together: Schedule, place: int, engine: Engine) -> None:
    """Compare one pool of a schedule with a simulation of nothing else."""
    partition = together.partition
    assert partition is not None
    pool, before = partition.pools[place], partition.first_slots()[place]
    workload, columns = together.workload, together.workload.columns
    mine = np.flatnonzero(pool_of_jobs(partition, workload) == place)
    part = workload.with_jobs(workload.jobs[j] for j in mine.tolist())
    cluster = replace(together.cluster, map_slots=pool.map_slots, reduce_slots=pool.reduce_slots)
    alone = run(part, cluster, order=pool.jobs, engine=engine)
    tasks = np.isin(columns.job, mine)
    for name in PER_TASK:
        assert getattr(together, name)[tasks].tolist() == getattr(alone, name).tolist(), name
    assert together.finish[mine].tolist() == alone.finish.tolist()
    kind = columns.kind[tasks]
    first = np.where(kind == MAP, before[MAP], together.cluster.map_slots + before[REDUCE])
    own = np.where(kind == MAP, alone.slot, alone.slot - pool.map_slots)
    assert (together.slot[tasks] - first).tolist() == own.tolist()


@examples(26)
@given(case=divided())
def test_both_engines_agree_with_the_naive_twin(case: tuple[Workload, Cluster, Partition]) -> None:
    workload, cluster, partition = case
    twin = naive.Run(workload, cluster, "fifo", partition=partition).run()
    expected = [(task.slot.number, task.start, task.shuffled, task.end) for task in twin.tasks() if task.slot]
    for engine in ENGINES:
        schedule = run(workload, cluster, partition=partition, engine=engine)
        columns = (schedule.slot, schedule.start, schedule.shuffled, schedule.end)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected, engine
        assert schedule.makespan >= lower_bound(workload, cluster) * (1 - 1e-12)


@examples(20)
@given(case=divided(), engine=st.sampled_from(ENGINES))
def test_rules_of_every_schedule_hold(case: tuple[Workload, Cluster, Partition], engine: Engine) -> None:
    """All but one: slots of one pool do idle while tasks of another wait."""
    workload, cluster, partition = case
    schedule = run(workload, cluster, partition=partition, engine=engine)
    for rule in rules.RULES:
        if rule is not rules.no_slot_idles_while_a_task_could_start:
            assert rule(schedule) == [], rule.__name__


@examples(20)
@given(case=divided(), instants=st.integers(1, 4))
def test_sliced_and_copied(case: tuple[Workload, Cluster, Partition], instants: int) -> None:
    """A run with pools goes on from anywhere, and from a copy."""
    workload, cluster, partition = case
    whole = run(workload, cluster, partition=partition, engine="compiled")
    sliced = Simulation(workload, cluster, PolicyChoice("fifo"), partition=partition, engine="compiled")
    copy = sliced.fork()
    while not sliced.advance(instants=instants):
        copy = sliced.fork()
    while not copy.advance():
        pass
    for schedule in (sliced.schedule(), copy.schedule()):
        assert schedule.slot.tolist() == whole.slot.tolist()
        assert schedule.end.tolist() == whole.end.tolist()


FIGURE_9 = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))


def pools(*given: tuple[str, int, int, str]) -> Partition:
    """Pools from name, slots and job names with spaces between."""
    return Partition(
        tuple(SlotPool(n, maps, reduces, tuple(jobs.split())) for n, maps, reduces, jobs in given)
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_pools_of_figure_9(engine: Engine) -> None:
    """000 Figure 9 (b): the pools end at 39 and at 40."""
    partition = pools(("one", 10, 10, "J2 J5 J1"), ("two", 20, 20, "J4 J3"))
    schedule = run(FIGURE_9, Cluster(30, 30), partition=partition, engine=engine)
    assert schedule.finish.tolist() == [39.0, 15.0, 40.0, 36.0, 24.0]
    assert schedule.makespan == 40
    assert schedule.pool_finish.tolist() == [39.0, 40.0]
    assert estimate_of(schedule) == pytest.approx(3.45 * (1 + 4 + 3 + 5))
    assert schedule.order is None
    assert schedule.partition == partition
    assert schedule.choice.id == "fifo"


def test_what_is_wrong_with_pools_is_said_all_at_once() -> None:
    partition = pools(("one", 0, 10, "J1 J2 J9"), ("one", 20, 21, "J2 J4"))
    with pytest.raises(DocumentError) as caught:
        run(FIGURE_9, Cluster(30, 30), partition=partition)
    assert str(caught.value).splitlines() == [
        "pools: the sum of map slots is 20; the cluster has 30; let the pools have all of them",
        "pools: the sum of reduce slots is 31; the cluster has 30; let the pools have all of them",
        "pools: map slots of pool 'one' is 0; its jobs have 60 map tasks; give it at least one map slot",
        "pools: pool is 'one'; two pools have this name; give each its own",
        "pools: job is 'J2'; it stands in the pools twice; name each job once",
        "pools: job is 'J9'; there is no such job; did you mean 'J5'?",
        "pools: job is 'J3'; it is in no pool; put it into one",
        "pools: job is 'J5'; it is in no pool; put it into one",
    ]


def test_containers_cannot_be_divided() -> None:
    with pytest.raises(DocumentError, match="this cluster has untyped containers"):
        run(FIGURE_9, Cluster(0, 0, containers=9), partition=pools(("all", 0, 0, "J1 J2 J3 J4 J5")))


def test_a_partition_without_pools() -> None:
    with pytest.raises(DocumentError, match="there must be at least one pool"):
        run(FIGURE_9, Cluster(30, 30), partition=Partition(()))


@examples(20)
@given(case=divided(), start=st.integers(0, 20), engine=st.sampled_from(ENGINES))
def test_pools_take_over_a_run_and_give_it_up(
    case: tuple[Workload, Cluster, Partition], start: int, engine: Engine
) -> None:
    """Whenever pools come or go: every rule is kept, and what starts with pools starts on their own slots."""
    workload, cluster, partition = case
    plain = Simulation(workload, cluster, PolicyChoice("fifo"), engine=engine)
    start = min(start, len(workload.columns.duration) - 1)
    plain.advance_to_start(start)
    into = plain.with_policy(PolicyChoice("fifo"), partition=partition)
    check_moment(into)
    while not into.advance():
        pass
    schedule = into.schedule()
    later = schedule.sequence[start:]
    pool = pool_of_jobs(partition, workload)[workload.columns.job[later]]
    assert (pool == pool_of_slots(partition)[schedule.slot[later]]).all()
    divided_run = Simulation(workload, cluster, PolicyChoice("fifo"), partition=partition, engine=engine)
    divided_run.advance_to_start(start)
    check_moment(divided_run)
    out_of = divided_run.with_policy(PolicyChoice("fifo"))
    check_moment(out_of)
    while not out_of.advance():
        pass
    for run_to_its_end in (schedule, out_of.schedule()):
        for rule in (rules.every_task_runs_once, rules.one_task_per_slot, rules.slots_run_their_own_kind):
            assert rule(run_to_its_end) == []


def pool_of_slots(partition: Partition) -> np.ndarray:
    """The pool of each slot, map slots first."""
    counts = np.array([pool.slots for pool in partition.pools])
    return np.concatenate([np.repeat(np.arange(len(counts)), counts[:, kind]) for kind in (MAP, REDUCE)])


def check_moment(simulation: Simulation) -> None:
    """Slots are either free or running something; the slot of the next decision is a free one."""
    moment = simulation.moment()
    busy = np.flatnonzero(moment.running >= 0).tolist()
    assert sorted([*moment.free[MAP], *moment.free[REDUCE], *busy]) == list(range(len(moment.running)))
    for kind in (MAP, REDUCE):
        decision = moment.choose(kind)
        if decision is not None:
            assert decision.slot in moment.free[kind]


def test_a_taken_over_run_equals_one_that_began_so() -> None:
    """Taken over before anything has started, pools make the schedule that they always make."""
    partition = pools(("one", 10, 10, "J2 J5 J1"), ("two", 20, 20, "J4 J3"))
    began = Simulation(FIGURE_9, Cluster(30, 30), PolicyChoice("fifo"), engine="compiled")
    taken = began.with_policy(PolicyChoice("fifo"), partition=partition)
    while not taken.advance():
        pass
    expected = run(FIGURE_9, Cluster(30, 30), partition=partition)
    assert taken.schedule().slot.tolist() == expected.slot.tolist()
    assert taken.schedule().end.tolist() == expected.end.tolist()
