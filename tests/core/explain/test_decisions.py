"""Every decision has a winner, and the sentences say why, by hand for one policy of each form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.explain.decisions import (
    DecisionReason,
    decision_reason,
    declined_sentences,
    open_offers,
    policy_rule,
)
from core.explain.replay import Replay
from core.explain.task_reason import task_reason
from core.files.samples import load_sample, samples
from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.errors import PolicyError
from core.model.levers import JobPlan, StagePlan
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.policies import registry
from core.policies.policy import Explains, Number, Policy
from core.policies.registry import policy_class
from core.policies.sharing import Fair
from core.shared_scans.windows import SCAN_POLICIES
from core.simulation.simulate import simulate
from tests import naive
from tests.builders import make_job, make_workload, run
from tests.core.engine.rules import every_task_runs_once
from tests.core.engine.strategies import SLOWSTARTS, Case, cases
from tests.core.explain.runs import BUILT_IN, EVERY, finished, with_overheads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.policy import JobRow
    from core.simulation.simulate import Simulation


POOLS = make_workload(
    make_job("red", (5, 4.0), pool="red"),
    make_job("red too", (5, 4.0), pool="red"),
    make_job("blue", (3, 4.0), (1, 1.0), pool="blue"),
)


def stopped(
    workload: Workload, cluster: Cluster, policy: str, start: int
) -> tuple[Simulation, DecisionReason]:
    """Return the run before a start and what is decided there."""
    there = Replay(run(workload, cluster, policy)).before_start(start)
    reason = decision_reason(there)
    assert reason is not None
    return there, reason


def said(workload: Workload, cluster: Cluster, policy: str, start: int) -> tuple[str, ...]:
    return stopped(workload, cluster, policy, start)[1].sentences


OVERHEADS = (None, Overheads(heartbeat=1.0, hosts=2), Overheads(fetch=1.5, setup=1.0, cleanup=0.5, hosts=3))


@examples(30)
@given(case=cases(policies=EVERY), overheads=st.sampled_from(OVERHEADS), data=st.data())
def test_the_winner_is_who_starts(case: Case, overheads: Overheads | None, data: st.DataObject) -> None:
    schedule = finished(with_overheads(case, overheads))
    check_decision(schedule, data.draw(st.integers(0, schedule.tasks - 1)))


@pytest.mark.parametrize("policy", [each for each in EVERY if each not in ("balanced-pools", *SCAN_POLICIES)])
def test_every_policy_is_told_with_every_overhead(policy: str) -> None:
    """The second job arrives while the first one runs: its setup holds a slot at later decisions."""
    jobs = make_job("J1", (3, 2.0), (2, 1.0)), make_job("J2", (2, 1.0), (1, 1.0), arrival=3.0)
    for overheads in OVERHEADS:
        schedule = finished(
            with_overheads(Case(make_workload(*jobs), Cluster(2, 1), policy, None), overheads)
        )
        for start in range(schedule.tasks):
            check_decision(schedule, start)


LEFT_OUT = "facebook", "wordcount", "spark-application"  # large, and no maps and reduces
SMALL = [sample.name for sample in samples() if sample.name not in LEFT_OUT]


def with_reduces(workload: Workload) -> Workload:
    """Give jobs that only scan some reduces: more than there are slots."""
    reduces = Stage.of(9, 2.0, 1.0, 4.0)
    jobs = (job if job.reduces.count else job.with_stage(REDUCE, reduces) for job in workload.jobs)
    return workload.with_jobs(jobs)


@examples(30)
@given(data=st.data())
def test_every_sample_runs_on_every_cluster_and_every_start_is_told(data: st.DataObject) -> None:
    workload = with_reduces(load_sample(data.draw(st.sampled_from(SMALL))))
    slots, containers = data.draw(st.sampled_from((((4, 3), 0), ((30, 8), 0), ((0, 0), 1), ((0, 0), 5))))
    slowstart, model = data.draw(st.sampled_from(SLOWSTARTS)), data.draw(st.sampled_from(SHUFFLE_MODELS))
    overheads = None if containers else data.draw(st.sampled_from(OVERHEADS))
    cluster = Cluster(*slots, slowstart, model, containers, overheads=overheads)  # type: ignore[arg-type]
    schedule = finished(Case(workload, cluster, data.draw(st.sampled_from(BUILT_IN)), None))
    assert not every_task_runs_once(schedule)
    for start in data.draw(st.lists(st.integers(0, schedule.tasks - 1), min_size=1, max_size=4)):
        check_decision(schedule, start)
        assert task_reason(schedule, int(schedule.sequence[start])).why_then


def check_decision(schedule: Schedule, start: int) -> None:
    """Check what is told of a start against what happened."""
    reason = decision_reason(Replay(schedule).before_start(start))
    assert reason is not None
    task, columns = int(schedule.sequence[start]), schedule.workload.columns
    assert (reason.start, reason.slot) == (start, schedule.slot[task])
    late = schedule.start[task] - reason.time  # it may have to fetch files first
    assert late >= 0 if schedule.cluster.overheads else late == 0
    winner = reason.winner
    assert winner is not None
    assert (winner.job, winner.kind) == (columns.job[task], columns.kind[task])
    assert winner.may_start
    if not hasattr(policy_class(schedule.choice.id), "choose"):
        assert reason.candidates[0] == winner
        others = [candidate for candidate in reason.candidates[1:] if candidate.may_start]
        assert reason.runner_up == (others[0] if others else None)
    assert len(reason.sentences) >= 1


@examples(25)
@given(case=cases(policies=("fifo", "order", "sjf", "johnson", "edf-max")), data=st.data())
def test_candidates_are_those_of_the_naive_twin(case: Case, data: st.DataObject) -> None:
    schedule = finished(case)
    start = data.draw(st.integers(0, schedule.tasks - 1))
    reason = decision_reason(Replay(schedule).before_start(start))
    twin = naive.Run(case.workload, case.cluster, case.policy, case.order).run(start)
    assert reason is not None
    slot = twin.slots[reason.slot]
    can_start = [(job, kind) for job in twin.jobs for kind in slot.kinds if job.next_task(kind)]
    if case.cluster.has_nodes:
        can_start = [(job, kind) for job, kind in can_start if twin.lowest_row(kind)]
    best_first = sorted(can_start, key=lambda choice: twin.preference(*choice))
    names = (naive.MAP, naive.REDUCE)
    assert [(c.job, names[c.kind]) for c in reason.candidates] == [
        (job.index, kind) for job, kind in best_first
    ]


def test_in_order() -> None:
    assert said(POOLS, Cluster(2, 1), "fifo", 0) == (
        "M1 was free at 0:00; FIFO gave it to red for its next map.",
        "red: arrived at 0:00, 1st in the queue.",
        "red too would have been next: arrived at 0:00, 2nd in the queue.",
    )


def test_by_key() -> None:
    assert said(POOLS, Cluster(4, 1), "one-level-fair", 1) == (
        "M2 was free at 0:00; Plain fair gave it to red too for its next map.",
        "red too: key 0.",
        "blue would have been next: key 0, as red too, which is before it in the queue.",
    )
    assert said(POOLS, Cluster(5, 1), "one-level-fair", 4) == (
        "M5 was free at 0:00; Plain fair gave it to red too for its next map.",
        "red too: key 1.",
        "blue would have been next: key 1, as red too, which is before it in the queue.",
    )
    weighty = make_workload(make_job("light", (3, 4.0)), make_job("heavy", (3, 4.0), weight=4.0))
    assert said(weighty, Cluster(3, 0), "one-level-fair", 2)[1:] == (
        "heavy: key 0.25.",
        "light would have been next: key 1.",
    )


def test_by_pool() -> None:
    """Each of two pools has half of the four slots as its share."""
    assert said(POOLS, Cluster(4, 1), "by-pool", 1)[1:] == (
        "Pool blue: key 0, 0.",
        "blue: key 0.",
        "red too would have been next: its pool red: key 0, 0.5.",
    )


def test_limits_of_jobs_and_pools() -> None:
    sentences = said(POOLS, Cluster(4, 1), "capped-pools-first", 2)
    assert sentences[-1] == "Not admitted: red and red too; the pool may have no further map now."
    reason = stopped(POOLS, Cluster(4, 1), "capped-pools-first", 2)[1]
    assert [candidate.may_start for candidate in reason.candidates] == [True, False, False]


def test_nobody_else_waits() -> None:
    workload = make_workload(make_job("J1", (2, 4.0)))
    assert said(workload, Cluster(1, 0), "fifo", 1)[2] == "No other job waits for such a slot."


def test_a_job_against_itself_on_containers() -> None:
    workload = make_workload(make_job("J1", (2, 4.0), (1, 1.0)))
    sentences = said(workload, Cluster(0, 0, slowstart=0.0, containers=2), "fifo", 0)
    assert sentences == (
        "C1 was free at 0:00; FIFO gave it to J1 for its next map.",
        "J1: arrived at 0:00, 1st in the queue.",
        "Its reduces would have been next.",
    )


def test_a_declined_slot() -> None:
    """No job may hold more than one slot of a kind."""
    workload = make_workload(make_job("J1", (3, 4.0)))
    replay = Replay(run(workload, Cluster(2, 1), "at-most"))
    (reason,) = open_offers(replay.at(1.0))
    assert (reason.slot, reason.slot_kind, reason.winner, reason.runner_up) == (1, MAP, None, None)
    assert reason.sentences == (
        "M2 stays free at 0:01: at-most declines it, although 1 job waits for one.",
        "Not admitted: J1; the job may have no further map now.",
    )
    assert open_offers(replay.at(12.0)) == ()


def test_a_full_cluster_declines_nothing() -> None:
    there = Replay(run(POOLS, Cluster(2, 1))).at(1.0)
    assert open_offers(there) == ()
    assert decision_reason(there) is None
    assert decision_reason(there, MAP) is None


def test_a_node_without_memory_declines_nothing() -> None:
    """It has places for four reduces; two maps use all of its memory."""
    nodes = Cluster(
        0, 0, nodes=(NodeGroup(1, 4, 4),), map_request=Request(2, 1), reduce_request=Request(1, 1)
    )
    full = Replay(run(make_workload(make_job("J1", (4, 4.0))), nodes)).at(1.0)
    assert full.moment().free[MAP]
    assert open_offers(full) == ()


def test_free_room_that_is_kept_for_a_larger_task() -> None:
    """A reduce of J1 needs 2 GB of 3; at 0:01 there is 1 GB, beside two maps of J2."""
    jobs = make_workload(make_job("J1", (1, 1.0), (1, 5.0)), make_job("J2", (4, 3.0)))
    asked = {"map_request": Request(1024, 1), "reduce_request": Request(2048, 1)}
    nodes = Cluster(0, 0, nodes=(NodeGroup(1, 3072, 4),), **asked)  # type: ignore[arg-type]
    first = JobPlan("J1", StagePlan(1.0), StagePlan(1.0), room="reserved")
    there = Replay(run(jobs, nodes, plan=Plan((first, JobPlan("J2", StagePlan(2.0)))))).at(1.0)
    (offer,) = open_offers(there)
    assert offer.winner is None
    assert offer.sentences[-1] == (
        "What it would start next has no room on a node yet, and what is free is kept for it."
    )


def test_a_slot_that_nobody_waits_for_is_not_declined() -> None:
    there = Replay(run(make_workload(make_job("J1", (1, 4.0))), Cluster(2, 1))).at(1.0)
    reason = decision_reason(there, MAP)
    assert reason is not None
    assert reason.sentences == ("M2 stays free at 0:01: no job waits for a map slot.",)


def test_a_policy_that_declares_nothing_is_told_by_its_sentence_and_its_keys() -> None:
    """No docstring of a hook, and no line of its source."""
    fair = Replay(run(POOLS, Cluster(2, 1), "one-level-fair")).at(0.0)
    assert policy_rule(fair) == (
        "Plain fair: Give every job an equal, weighted share. The smallest key goes first. "
        "Of equal ones, the earliest arrival first."
    )
    by_hand = Replay(run(POOLS, Cluster(2, 1), order=("blue",))).before_start(0)
    reason = decision_reason(by_hand)
    assert policy_rule(by_hand).startswith("Explicit order: The jobs are served in the order given")
    assert reason is not None
    assert reason.sentences[1] == "blue: 1st in the order given."
    silent = Replay(run(POOLS, Cluster(2, 1), "capped-pools-first")).at(0.0)
    assert policy_rule(silent).endswith(
        "The smallest key goes first. Of equal ones, the earliest arrival first."
    )


class Mumbles(Policy):
    id = "mumbles"
    explains = Explains(
        "It does.", (Number("left", "map", value=lambda job: 1 // job.pool),), "{lefts} to go"
    )


class Miscounts(Policy):
    id = "miscounts"

    @staticmethod
    def figures(workload: Workload) -> dict[str, list[float]]:
        return {"work": [1.0]}


class OwnFair(Fair):
    """Pools in turn, and then the heavy jobs."""

    id = "own-fair"
    title = "Own fair"

    @staticmethod
    def key(job: JobRow) -> float:  # type: ignore[override]  # a namespace, not a method
        return -job.weight


def test_what_is_wrong_with_a_declaration_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "POLICIES", (*registry.POLICIES, Mumbles, Miscounts))
    with pytest.raises(PolicyError, match=r"raised ZeroDivisionError: integer division"):
        stopped(POOLS, Cluster(2, 1), "mumbles", 0)
    monkeypatch.setattr(Mumbles, "explains", Explains("It does.", (), "{plac}"))
    with pytest.raises(PolicyError, match=r"names .plac., which it cannot be given; did you mean 'place'\?"):
        stopped(POOLS, Cluster(2, 1), "mumbles", 0)
    monkeypatch.setattr(Mumbles, "explains", Explains("It does.", (), "{place!}"))
    with pytest.raises(PolicyError, match=r"its explanation '\{place!\}' cannot be filled in: "):
        stopped(POOLS, Cluster(2, 1), "mumbles", 0)
    with pytest.raises(PolicyError, match=r"figures returned .*; return a dict of names, each with a number"):
        stopped(POOLS, Cluster(2, 1), "miscounts", 0)


def test_a_declaration_counts_only_with_the_hooks_that_it_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "POLICIES", (*registry.POLICIES, OwnFair))
    there, reason = stopped(POOLS, Cluster(2, 1), "own-fair", 0)
    assert policy_rule(there).startswith("Own fair: Pools in turn, and then the heavy jobs. The smallest key")
    assert reason.candidates[0].standing.job == "key -1"


def test_pools_with_slots_of_their_own() -> None:
    """Only the jobs of the slot's pool are candidates; a slot that its pool does not need is no refusal."""
    workload = make_workload(make_job("J1", (3, 5.0)), make_job("J2", (3, 5.0)), make_job("J3", (1, 5.0)))
    partition = Partition((SlotPool("one", 1, 0, ("J2",)), SlotPool("two", 2, 0, ("J1", "J3"))))
    replay = Replay(simulate(workload, Cluster(3, 0), PolicyChoice("fifo"), partition=partition))
    reasons = [decision_reason(replay.before_start(start)) for start in range(7)]
    assert [reason and (reason.slot, [c.job for c in reason.candidates]) for reason in reasons] == [
        (0, [1]),
        (1, [0, 2]),
        (2, [0, 2]),
        (0, [1]),
        (1, [0, 2]),
        (2, [2]),
        (0, [1]),
    ]
    assert open_offers(replay.at(12.0)) == ()


def test_a_reduce_that_is_held_back() -> None:
    """It is ready at 2 s beside a free slot; no reduce starts before 5 s."""
    workload = make_workload(make_job("J1", (1, 2.0), (1, 1.0)), make_job("J2", (1, 6.0)))
    schedule = run(workload, Cluster(2, 1, 1.0), "evening-reduces")
    held = next(link for link in critical_path(schedule).links if link.cause is Cause.HELD)
    assert declined_sentences(Replay(schedule).at(held.begin), 0, (REDUCE,)) == (
        "R1 stays free at 0:02: evening-reduces declines it, although 1 job waits for one.",
        "Not admitted: J1; the job may have no further reduce now.",
    )


def test_nothing_is_held_where_no_slot_is_free() -> None:
    schedule = run(make_workload(make_job("J1", (3, 2.0))), Cluster(1, 1))
    assert declined_sentences(Replay(schedule).at(1.0), 0) == ()
    assert declined_sentences(Replay(schedule).at(5.0), 0) == ()
