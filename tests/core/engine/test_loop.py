"""What the engine returns and why it stops, by hand: policies here are plain functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.engine.fresh_state import fresh_state
from core.engine.loop import BAD_PICK, DECIDED, DONE, PAUSED, REACHED, REPLAN, STALLED, advance
from core.engine.state import State, as_rows, records_of
from core.model.cluster import Cluster
from core.model.workload import Workload
from tests.builders import make_job

if TYPE_CHECKING:
    from core.model.job import Job

INF = float("inf")
MAP, REDUCE = 0, 1


def first(slot: int, queue: Any, _trees: Any, _keys: Any, _job: Any, _pool: Any, cluster: Any) -> int:
    """Return the first job of a slot's queue."""
    return 2 * int(queue[slot][cluster.head[slot]]) + slot


def begun(*jobs: Job, cluster: Cluster | None = None, lends: bool = False) -> State:
    columns = Workload("w", jobs).columns
    rank = np.arange(len(jobs), dtype=np.int32)
    return as_rows(fresh_state(columns, cluster or Cluster(1, 1, 1.0), rank, pools=1, lends=lends))


def two_jobs() -> State:
    """A has two maps of 2 and 3 s, then a reduce of 4 s; B comes at 1 s with a map of 5 s."""
    return begun(make_job("A", (2, [2.0, 3.0]), (1, 4.0)), make_job("B", (1, 5.0), arrival=1.0))


def test_a_run_to_its_end() -> None:
    """On one map slot and one reduce slot: A's maps until 5 s, then B's until 10 s, beside A's reduce."""
    state = two_jobs()
    assert advance(first, INF, 99, state) == DONE
    assert state.start == [0.0, 2.0, 5.0, 5.0]
    assert state.end == [2.0, 5.0, 9.0, 10.0]
    assert [job.finish for job in state.job] == [9.0, 10.0]
    assert [job.slot_time for job in state.job] == [9.0, 5.0]
    assert state.job[0].stage_end == 5.0
    assert state.sequence == [0, 1, 3, 2]
    c = state.cluster
    assert (c.started, c.released, c.active, c.arrived) == (4, 4, 0, 2)
    assert (c.running, c.waiting, c.pending, c.free, c.fillers, c.backlog) == (
        [0, 0],
        [0, 0],
        [0, 0],
        [1, 1],
        0,
        0,
    )


def test_it_stops_at_a_time_and_goes_on() -> None:
    state = two_jobs()
    assert advance(first, 1.5, 99, state) == REACHED
    assert (state.cluster.now, state.cluster.started, state.cluster.active) == (1.5, 1, 2)
    assert advance(first, 2.0, 99, state) == REACHED  # an instant at that very time happens
    assert (state.cluster.now, state.cluster.started) == (2.0, 2)
    assert advance(first, INF, 99, state) == DONE
    assert state.end == [2.0, 5.0, 9.0, 10.0]


def test_slots_that_were_declined_are_offered_again_where_it_goes_on() -> None:
    """A map slot idles under a policy that lets nothing start; under another one, at 1.5 s, it runs."""

    def nothing(*_: Any) -> int:
        return -1

    state = begun(make_job("A", (2, [2.0, 3.0]), (1, 4.0)), make_job("B", (1, 5.0), arrival=9.0))
    assert advance(nothing, 1.5, 99, state) == REACHED
    assert (state.cluster.now, state.cluster.started) == (1.5, 0)
    assert advance(first, INF, 99, state) == DONE
    assert state.start[0] == 1.5


@pytest.mark.parametrize("instants", [0, 1, 2, 3, 4, 5, 6])
def test_it_stops_after_as_many_instants(instants: int) -> None:
    """At 0, 1, 2, 5, 9 and 10 s something happens."""
    state = two_jobs()
    status = advance(first, INF, instants, state)
    assert status == (DONE if instants == 6 else PAUSED)
    if instants:
        assert state.cluster.now == [0.0, 1.0, 2.0, 5.0, 9.0, 10.0][instants - 1]
    while status == PAUSED:
        status = advance(first, INF, 1, state)
    assert (status, state.end) == (DONE, [2.0, 5.0, 9.0, 10.0])


def test_a_policy_that_starts_nothing_stalls() -> None:
    state = two_jobs()
    assert advance(lambda *_: -1, INF, 99, state) == STALLED
    assert (state.cluster.now, state.cluster.active, state.cluster.started) == (1.0, 2, 0)


@pytest.mark.parametrize(
    "pick",
    [
        2 * 1 + MAP,  # B has not arrived
        2 * 2 + MAP,  # there is no such job
        2 * 0 + REDUCE,  # a reduce on a map slot
    ],
)
def test_a_pick_that_cannot_start_is_named(pick: int) -> None:
    state = two_jobs()
    assert advance(lambda *_: pick, INF, 99, state) == BAD_PICK
    assert (state.cluster.bad_pick, state.cluster.started) == (pick, 0)


def test_a_pick_of_a_job_whose_tasks_have_all_started_is_named() -> None:
    def always_a(*_: Any) -> int:
        return 0

    cluster = Cluster(3, 1, 1.0)
    state = begun(make_job("A", (2, 2.0)), make_job("B", (2, 2.0)), cluster=cluster)
    assert advance(always_a, INF, 99, state) == BAD_PICK
    assert (state.cluster.bad_pick, state.cluster.started) == (0, 2)


def test_a_reduce_that_waits_for_maps_cannot_be_picked_even_where_slots_are_lent() -> None:
    state = begun(make_job("A", (2, [2.0, 3.0]), (1, 4.0)), lends=True)
    assert advance(lambda *_: REDUCE, INF, 99, state) == BAD_PICK
    assert state.cluster.bad_pick == REDUCE


def test_slots_are_lent_to_either_kind() -> None:
    """Both maps at once, on the map slot and, lent, on the reduce slot."""

    def any_map(slot: int, queue: Any, _trees: Any, _keys: Any, _job: Any, _pool: Any, cluster: Any) -> int:
        kind = MAP if cluster.waiting[MAP] else REDUCE
        return 2 * int(queue[kind][cluster.head[kind]]) + kind

    state = begun(make_job("A", (2, [2.0, 3.0]), (1, 4.0)), lends=True)
    assert advance(any_map, 1.0, 99, state) == REACHED
    assert (state.slot, state.cluster.lent, state.cluster.room) == ([0, 1, -1], [0, 1], [0, 0])
    assert advance(any_map, INF, 99, state) == DONE
    assert (state.end, state.slot, state.cluster.lent) == ([2.0, 3.0, 7.0], [0, 1, 0], [0, 0])
    assert state.cluster.room == [2, 2]


def test_it_stops_at_a_decision_and_carries_it_out_next() -> None:
    state = two_jobs()
    state.cluster.pause_at = 1
    assert advance(first, INF, 99, state) == DECIDED
    assert (state.cluster.now, state.cluster.started, state.cluster.held) == (2.0, 1, 0)
    state.cluster.pause_at = 3
    assert advance(lambda *_: 99, INF, 99, state) == BAD_PICK  # the held one first, then what is picked
    assert (state.cluster.started, state.start[1]) == (2, 2.0)


def test_it_stops_for_plans_at_arrivals_and_ends_of_stages() -> None:
    """A arrives, then B; the maps of A have ended at 5 s, that of B at 10 s."""
    state = two_jobs()
    state.cluster.replans = 1
    times = []
    while advance(first, INF, 99, state) == REPLAN:
        times.append(state.cluster.now)
    assert times == [0.0, 1.0, 5.0, 10.0]
    assert state.end == [2.0, 5.0, 9.0, 10.0]


def test_whatever_watches_sees_each_instant_before_anything_of_it_happens() -> None:
    seen: list[tuple[float, int]] = []

    def watching(slot: int, *columns: Any) -> int:
        cluster = columns[-1]
        if slot >= 0:
            return first(slot, *columns)
        seen.append((cluster.now, cluster.started))
        return -1

    state = two_jobs()
    state.cluster.watched = 1
    assert advance(watching, INF, 99, state) == DONE
    assert seen == [(0.0, 0), (1.0, 1), (2.0, 1), (5.0, 2), (9.0, 4), (10.0, 4)]


def test_reduces_that_start_early_are_fillers_and_maps_that_wait_behind_them_a_backlog() -> None:
    """With a slowstart of 0.5 the reduce starts when the first of two maps has ended, and shuffles to 5 s."""
    job = make_job("A", (2, [2.0, 3.0]), (1, 4.0, 1.0, 7.0))
    state = begun(job, cluster=Cluster(1, 1, 0.5))
    assert advance(first, 2.0, 99, state) == REACHED
    assert (state.start[2], state.cluster.fillers) == (2.0, 1)
    assert advance(first, INF, 99, state) == DONE
    # the first shuffle of 1 s begins when the last map has ended
    assert (state.shuffled[2], state.end[2], state.cluster.fillers) == (6.0, 10.0, 0)
    early = begun(job, cluster=Cluster(1, 1, 0.0))
    assert advance(first, 0.0, 99, early) == REACHED
    assert (early.start[2], early.cluster.backlog, early.cluster.pending) == (0.0, 1, [1, 0])
    assert advance(first, 2.0, 99, early) == REACHED
    assert (early.cluster.backlog, early.cluster.pending) == (0, [0, 0])


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_records_are_read_by_name_in_either_form(form: str) -> None:
    jobs = (make_job("A", (2, 1.0)), make_job("B", (1, 1.0), (3, 1.0), arrival=4.0))
    columns = Workload("w", jobs).columns
    fresh = fresh_state(columns, Cluster(2, 1), np.arange(2, dtype=np.int32), pools=1, lends=False)
    state = records_of(fresh if form == "columns" else as_rows(fresh))
    assert [list(job.tasks) for job in state.job] == [[2, 0], [1, 3]]
    assert [list(job.first) for job in state.job] == [[0, 2], [2, 3]]
    assert [job.arrival for job in state.job] == [0.0, 4.0]
    assert list(state.cluster.slots) == [2, 1]
