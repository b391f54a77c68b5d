"""Plans are replayed to the last bit: by their definition, compiled as interpreted, on every cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.start_cause import start_of
from core.model.cluster import Cluster
from core.model.errors import DocumentError, InputError, StalledError
from core.model.estimates import DurationEstimates
from core.model.levers import JobPlan, RoomUse, StagePlan
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.planning.estimated_workload import estimated_workload
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine.compared import ENGINES, bits, columns, naive_columns
from tests.core.engine.rules import RULES, no_slot_idles_while_a_task_could_start
from tests.core.engine.strategies import Case, cases
from tests.core.policies.plans import Planned, PlannedRun, planned
from tests.random_tests import examples

TWO = make_workload(
    make_job("J1", (3, [4.0, 1.0, 2.0]), (1, 5.0, 1.0, 2.0)),
    make_job("J2", (2, [3.0, 2.0]), (2, [1.0, 2.0], 0.0, 1.0)),
)


@examples(30)
@given(planned())
def test_a_plan_is_replayed_by_its_definition(case: Planned) -> None:
    twin = PlannedRun(case.workload, case.cluster, case.plan).run()
    for engine in ENGINES:
        if twin.stalled:
            with pytest.raises(StalledError):
                run(case.workload, case.cluster, plan=case.plan, engine=engine)
            continue
        schedule = run(case.workload, case.cluster, plan=case.plan, engine=engine)
        assert columns(schedule) == naive_columns(twin), engine
        assert schedule.plan == case.plan
        caps = any(stage.cap for job in case.plan.jobs for stage in job.stages)
        may_idle = case.plan.partition or caps or case.plan.wakes or case.cluster.has_containers
        rules = [rule for rule in RULES if not (may_idle and rule is no_slot_idles_while_a_task_could_start)]
        assert [broken for rule in rules for broken in rule(schedule)] == []


@examples(20)
@given(cases(policies=("order",)))
def test_the_plan_of_an_order_serves_as_the_order_does(case: Case) -> None:
    """On slots of a kind; on untyped ones reduces of a plan wait until their job's maps have begun."""
    assume(not case.cluster.has_containers)
    names = [*(case.order or ())]
    names += [name for name in case.workload.job_index if name not in names]
    try:
        by_hand = run(case.workload, case.cluster, order=names)
    except StalledError:
        return
    assert bits(run(case.workload, case.cluster, plan=Plan.of_order(names))) == bits(by_hand)


def test_every_lever_by_hand() -> None:
    """On 2+2 slots; J1 has maps of 4, 1 and 2 s, J2 of 3 and 2 s."""
    cluster = Cluster(2, 2, slowstart=1.0)

    def starts(*stages: StagePlan, **more: Any) -> list[float]:
        jobs = tuple(JobPlan(f"J{i + 1}", stage, **more) for i, stage in enumerate(stages))
        return run(TWO, cluster, plan=Plan(jobs)).start[TWO.columns.kind == 0].tolist()

    # by due date alone: J2 first, then J1 as given
    assert starts(StagePlan(9.0), StagePlan(5.0)) == [2.0, 3.0, 4.0, 0.0, 0.0]
    # the longest of J1 first
    assert starts(StagePlan(9.0, "longest"), StagePlan(10.0)) == [0.0, 2.0, 0.0, 3.0, 4.0]
    # latest starts 4, 7, 6 of J1 and 6, 7 of J2: of equal ones J1, which stands first
    both = StagePlan(8.0, "latest-start"), StagePlan(9.0, "latest-start")
    assert starts(*both) == [0.0, 4.0, 0.0, 2.0, 5.0]
    # J1 on one slot at a time
    assert starts(StagePlan(1.0, cap=1), StagePlan(9.0)) == [0.0, 4.0, 5.0, 0.0, 3.0]


def test_free_room_is_kept_for_the_task_that_goes_first() -> None:
    """A node of 3 GB; the maps of J2 end one by one, so that there are never 2 GB for the reduce of J1."""
    one = make_job("J1", (1, 1.0), (1, 5.0))
    jobs = make_workload(one, make_job("J2", (6, [2.0, 3.0, 3.0, 3.0, 3.0, 3.0])))
    asked = {"map_request": Request(1024, 1), "reduce_request": Request(2048, 1)}
    cluster = Cluster(0, 0, nodes=(NodeGroup(1, 3072, 4),), **asked)  # type: ignore[arg-type]
    due = StagePlan(1.0), StagePlan(1.0)

    def starts(room: RoomUse) -> list[float]:
        plan = Plan((JobPlan("J1", *due, room=room), JobPlan("J2", StagePlan(2.0))))
        columns = jobs.columns
        started = run(jobs, cluster, plan=plan).start
        return [*started[columns.kind == 1].tolist(), *started[columns.job == 1].tolist()]

    assert starts("shared") == [6.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]
    assert starts("reserved") == [2.0, 0.0, 0.0, 3.0, 6.0, 7.0, 7.0]


def test_reduces_wait_for_the_maps_that_a_plan_says() -> None:
    jobs = (JobPlan("J1", reduces_after=1), JobPlan("J2", reduces_after=9))
    schedule = run(TWO, Cluster(2, 2, slowstart=0.0), plan=Plan(jobs))
    reduces = schedule.start[TWO.columns.kind == 1].tolist()
    assert reduces[0] == 1.0
    assert min(reduces[1:]) == schedule.stage_end[1]
    assert schedule.reduce_after is not None
    assert schedule.reduce_after.tolist() == [1, 2]
    assert run(TWO, Cluster(2, 2), plan=Plan((JobPlan("J1"),))).reduce_after is None


def test_a_plan_knows_the_durations_that_the_policy_is_told() -> None:
    plan = Plan(tuple(JobPlan(f"J{i}", StagePlan(9.0, "latest-start")) for i in (1, 2)))
    estimates = DurationEstimates(3.0, "task", 3)
    told = estimated_workload(TWO, estimates)
    schedule = run(TWO, Cluster(1, 1), PolicyChoice("johnson", {}, estimates), plan=plan)
    maps = [task for task in schedule.sequence.tolist() if TWO.columns.kind[task] == 0]
    assert maps == sorted(maps, key=lambda task: -told.columns.duration[task])
    assert maps != sorted(maps, key=lambda task: -TWO.columns.duration[task])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_plan_takes_over_and_is_taken_over(engine: Any) -> None:
    plan = Plan(
        (
            JobPlan("J2", StagePlan(1.0, "longest")),
            JobPlan("J1", StagePlan(2.0, "latest-start", 1), reduces_after=1),
        )
    )
    cluster = Cluster(2, 2)
    alone = run(TWO, cluster, plan=plan, engine=engine)
    fork = fork_of(alone, 2.0)
    assert fork.plan == plan
    behind = simulate_fork(TWO, cluster, PolicyChoice("critical"), fork, plan=plan, engine=engine)
    assert bits(behind) == bits(alone)
    fifo = simulate(TWO, cluster, PolicyChoice("fifo"), engine=engine)
    under = simulate_fork(TWO, cluster, PolicyChoice("fifo"), fork_of(fifo, 1.0), plan=plan, engine=engine)
    assert under.plan == plan
    early = fifo.start < 1.0
    assert under.start[early].tolist() == fifo.start[early].tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_plan_let_start_goes_on_behind_a_fork(engine: Any) -> None:
    """The other policy's slowstart asks for all maps; reduces that have begun wait for them no more."""
    cluster = Cluster(2, 2, slowstart=1.0)
    plan = Plan((JobPlan("J1", reduces_after=1), JobPlan("J2", reduces_after=1)))
    alone = run(TWO, cluster, plan=plan)
    behind = simulate_fork(TWO, cluster, PolicyChoice("fifo"), fork_of(alone, 3.0), engine=engine)
    assert behind.is_whole
    early = np.flatnonzero(behind.is_filler)
    assert len(early)
    assert all(start_of(behind, task).ready <= behind.start[task] for task in early.tolist())


def test_plans_run_under_overheads_but_not_in_pools_then() -> None:
    overheads = replace(Cluster(2, 2, slowstart=1.0), overheads=Overheads(setup=1.0))
    plan = Plan((JobPlan("J2", StagePlan(1.0)), JobPlan("J1", StagePlan(2.0, "longest"))))
    schedule = run(TWO, overheads, plan=plan)
    assert schedule.by_stage[:3].tolist() == [0, 2, 1]
    pools = Partition((SlotPool("A", 2, 2, ("J1", "J2")),))
    with pytest.raises(InputError, match="overheads are not modelled with pools"):
        run(TWO, overheads, plan=replace(plan, partition=pools))


def test_a_plan_that_does_not_fit_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"plan: jobs\[0\].name is 'J7'; there is no such job"):
        run(TWO, Cluster(2, 2), plan=Plan((JobPlan("J7"),)))


def test_without_a_plan_the_longest_tail_goes_first() -> None:
    """Reduces of 9, 30 and 4 s follow; J2's maps go first, then J1's, then J3's; reduces longest first."""
    workload = make_workload(
        *(make_job(f"J{i + 1}", (2, 3.0), (1, tail)) for i, tail in enumerate((9.0, 30.0, 4.0)))
    )
    schedule = run(workload, Cluster(2, 1, slowstart=1.0), "critical")
    assert schedule.job_start.tolist() == [3.0, 0.0, 6.0]
    assert schedule.makespan == 3.0 + 30.0 + 9.0 + 4.0


@examples(15)
@given(case=cases(policies=("critical",)), engine=st.sampled_from(ENGINES))
def test_without_a_plan_long_tasks_go_before_short_ones_of_a_job(case: Case, engine: Any) -> None:
    try:
        schedule = run(case.workload, case.cluster, "critical", engine=engine)
    except StalledError:
        return
    told = case.workload.columns
    length = (told.duration + told.typical_shuffle)[schedule.by_stage]
    stage = (2 * told.job.astype(int) + told.kind)[schedule.by_stage]
    assert not ((np.diff(length) > 0) & (np.diff(stage) == 0)).any()
