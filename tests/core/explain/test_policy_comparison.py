"""Another policy asked in every state of a schedule: against a fresh run at each start, and by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.policy_comparison import (
    OtherChoice,
    PolicyComparison,
    compare_decisions,
    other_decision_reason,
)
from core.explain.replay import Replay
from core.explain.start_cause import NO_TASK
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice, Schedule
from core.policies.registry import policy_class
from core.policies.user_files.policy_process import PROCESSES, register_file
from core.simulation.fork import fork_of, simulate_fork
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WITH_MEMORY = ("remembering", "alternating", "turned-by-pools", "auditor", "by-crowd")


def asked(schedule: Schedule, policy: str) -> PolicyComparison:
    """Ask, or give the example up where that cannot be."""
    try:
        return compare_decisions(schedule, PolicyChoice(policy))
    except InputError:
        assume(False)
        raise


def answers(found: PolicyComparison) -> dict[int, tuple[int, int]]:
    return {each.start: (each.job, each.kind) for each in found.choices if not each.leaves_free}


@examples(20)
@given(case=cases(policies=EVERY), policy=st.sampled_from(EVERY))
def test_as_a_fresh_run_at_each_start(case: Case, policy: str) -> None:
    """The slow twin: go to each start, hand the run over, and look what the other policy chooses."""
    other = policy_class(policy)
    assume(not hasattr(other, "search") and not hasattr(other, "watch"))
    assume(not hasattr(policy_class(case.policy), "replanner"))  # such a run cannot be handed over
    schedule = finished(case)
    given_answers = answers(asked(schedule, policy))
    replay = Replay(schedule)
    for start, task in enumerate(schedule.sequence.tolist()):
        here = replay.before_start(start)
        decided = here.moment().decision
        assert decided is not None
        chooses = here.with_policy(PolicyChoice(policy)).moment().choose(decided.slot_kind)
        columns = schedule.workload.columns
        taken = int(columns.job[task]), int(columns.kind[task])
        chosen = (-1, -1) if chooses is None else (chooses.job, chooses.kind)
        assert given_answers.get(start, taken) == chosen


@examples(20)
@given(case=cases(policies=(*EVERY, *3 * WITH_MEMORY)))
def test_asked_along_its_own_run_a_policy_agrees_with_itself(case: Case) -> None:
    """Memory, plan and queue are then what they were in the run itself."""
    assume(case.order is None)
    found = asked(finished(case), case.policy)
    assert (found.otherwise, found.choices) == (0, ())
    assert found.decisions == found.starts


@examples(8)
@given(case=cases(policies=EVERY), policy=st.sampled_from(EVERY))
def test_the_list_of_candidates_says_the_same(case: Case, policy: str) -> None:
    schedule = finished(case)
    for other in asked(schedule, policy).choices[:4]:
        check_candidates(schedule, policy, other)


def check_candidates(schedule: Schedule, policy: str, other: OtherChoice) -> None:
    """Check the list of candidates against the choice that it explains."""
    reason = other_decision_reason(schedule, PolicyChoice(policy), other)
    assert reason is not None
    assert (reason.start, reason.time) == (other.start, other.time)
    winner = reason.winner
    assert (other.job, other.kind) == ((-1, -1) if winner is None else (winner.job, winner.kind))


def test_tasks_that_take_no_time_are_told_in_the_turn_in_which_slots_were_offered() -> None:
    """All happens at 0 s: a map that starts ends, slots are offered again, and a second task starts.

    While the first map runs, the reduce slot is free for the second one: when all is over none waits.
    """
    two_maps = run(make_workload(make_job("J1", (2, 0.0))), Cluster(1, 1), "held-reduces")
    (other,) = compare_decisions(two_maps, PolicyChoice("all-lent")).choices
    assert other.sentence == "all-lent would have given R1 to J1 (map)"
    check_candidates(two_maps, "all-lent", other)
    reduce_after = make_workload(make_job("J1", (1, 0.0), (1, 0.0)))
    held = run(reduce_after, Cluster(2, 1, slowstart=0.0), "held-reduces")
    assert compare_decisions(held, PolicyChoice("held-reduces")).otherwise == 0


def test_a_policy_is_asked_where_a_fork_gives_a_slot_away_while_nothing_else_happens() -> None:
    """FIFO takes over at 1 s, between events, and uses the second slot."""
    workload = make_workload(make_job("J1", (3, 4.0)))
    limited = run(workload, Cluster(2, 0), "at-most")
    forked = simulate_fork(workload, Cluster(2, 0), PolicyChoice("fifo"), fork_of(limited, 1.0))
    assert forked.start.tolist() == [0.0, 1.0, 4.0]
    found = compare_decisions(forked, PolicyChoice("fifo"))
    assert found.decisions == 3
    assert [(each.time, each.task) for each in found.choices] == [(0.0, NO_TASK)]


def test_by_hand() -> None:
    """FIFO gives both slots to J1; fair would have taken J2, which runs nothing, for the second."""
    workload = make_workload(make_job("J1", (2, 4.0)), make_job("J2", (2, 4.0)))
    fifo = run(workload, Cluster(2, 0))
    found = compare_decisions(fifo, PolicyChoice("fair"))
    assert found.sentences == ("Fair (HFS) would have decided 1 of 4 decisions otherwise.",)
    first = found.choices[0]
    assert (first.start, first.time, first.slot, first.task, first.job) == (1, 0.0, 1, 1, 1)
    assert first.sentence == "Fair (HFS) would have taken J2: 0 < 1"
    same = compare_decisions(fifo, PolicyChoice("fifo"))
    assert same.sentences == ("FIFO would have decided the same in all of 4 decisions.",)


def test_a_slot_that_stays_free_is_told_once() -> None:
    """The schedule keeps its second slot free all the time; FIFO would have used it."""
    workload = make_workload(make_job("J1", (3, 4.0)))
    limited = run(workload, Cluster(2, 1), "at-most")
    found = compare_decisions(limited, PolicyChoice("fifo"))
    assert [(each.time, each.task, each.job) for each in found.choices] == [(0.0, NO_TASK, 0)]
    assert found.choices[0].sentence == "FIFO would have given M2 to J1 (map)"
    assert "It would have used 1 slot that stayed free." in found.sentences
    turned = compare_decisions(run(workload, Cluster(2, 1)), PolicyChoice("at-most"))
    assert turned.choices[0].sentence.startswith("at-most would have left M2 free: the job may have no")


def test_a_fork_is_asked_as_it_went_on() -> None:
    """FIFO decides up to 3 s, then fair: each agrees with its own part."""
    workload = make_workload(make_job("J1", (6, 2.0)), make_job("J2", (4, 2.0)))
    cluster, fair = Cluster(2, 0), PolicyChoice("fair")
    forked = simulate_fork(workload, cluster, fair, fork_of(run(workload, cluster), 3.0))
    found = compare_decisions(forked, PolicyChoice("fifo"))
    assert [(each.time, each.job) for each in found.choices] == [(4.0, 0)]
    other = compare_decisions(forked, fair)
    assert all(each.time < 3.0 for each in other.choices)
    assert other.otherwise > 0


def test_only_so_many_are_asked_about() -> None:
    workload = make_workload(make_job("J1", (6, 4.0)))
    found = compare_decisions(run(workload, Cluster(2, 1)), PolicyChoice("fair"), most=4)
    assert found.sentences[-1] == "Only the first 4 of 6 were asked about."


def test_what_cannot_be_asked_is_said() -> None:
    workload = make_workload(make_job("J1", (2, 4.0), (1, 1.0)))
    spent = run(workload, Cluster(2, 1, overheads=Overheads(heartbeat=1.0)))
    with pytest.raises(InputError, match="run with overheads; leave them out"):
        compare_decisions(spent, PolicyChoice("fair"))
    plain = run(workload, Cluster(2, 1))
    with pytest.raises(InputError, match="pools with slots of their own"):
        compare_decisions(plain, PolicyChoice("balanced-pools"))
    with pytest.raises(InputError, match="share scans cannot be asked"):
        compare_decisions(plain, PolicyChoice("flex"))
    with pytest.raises(Cancelled):
        compare_decisions(plain, PolicyChoice("fair"), should_stop=lambda: True)


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[str]:
    """A policy file, run in a process of its own: the last of the queue first, at every second decision."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from core.policies.policy import Policy\n\n\n"
        "class EverySecond(Policy):\n"
        "    def watch(cluster):\n        cluster.memo[0] += 1\n\n"
        "    def key(job, cluster):\n        return -job.rank if cluster.memo[0] % 2 == 0 else job.rank\n"
    )
    yield register_file(path).id
    PROCESSES.close()


def test_a_policy_file_is_asked_in_its_process_and_its_memory_sees_the_run(mine: str) -> None:
    workload = make_workload(make_job("J1", (2, 4.0)), make_job("J2", (2, 4.0)))
    fifo = run(workload, Cluster(2, 0))
    told: list[float] = []
    found = compare_decisions(fifo, PolicyChoice(mine), told.append)
    # asked at 0 s: J1, J2, and at 4 s J2 twice, of which only J2 is left
    assert [(each.start, each.job) for each in found.choices] == [(1, 1)]
    assert found.choices[0].sentence == "Every second would have taken J2: -1 < 0"
    reason = other_decision_reason(fifo, PolicyChoice(mine), found.choices[0])
    assert reason is not None
    assert reason.winner is not None
    assert reason.winner.job == 1
    own = run(workload, Cluster(2, 0), PolicyChoice(mine))
    assert compare_decisions(own, PolicyChoice(mine)).otherwise == 0
    assert compare_decisions(own, PolicyChoice("fifo")).otherwise == 1
