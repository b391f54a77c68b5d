"""A cluster with overheads: launching, setup and cleanup, fetching and heartbeats, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.fresh_state import fresh_state
from core.engine.heartbeats import advance_on_hosts
from core.engine.hosts import with_hosts
from core.engine.loop import STALLED
from core.engine.state import as_rows, begun_jobs
from core.explain.decisions import decision_reason
from core.explain.replay import Replay
from core.model.circumstances import BOTH, NO_CIRCUMSTANCES, Circumstances, Stall
from core.model.cluster import Cluster
from core.model.errors import DocumentError, InputError, UnknownName
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads, overheads_from_text
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import MAP
from core.model.workload import Workload
from core.simulation.simulate import Simulation, simulate
from tests.random_tests import examples

FIFO = PolicyChoice("fifo")


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    jobs = [
        Job(
            f"J{i}",
            Stage.of(int(random.integers(1, 9)), random.integers(1, 9, 4)),
            Stage.of(int(random.integers(0, 5)), random.integers(1, 5, 3), 1.0, 2.0),
            arrival=float(random.integers(0, 12)),
        )
        for i in range(draw(st.integers(1, 6)))
    ]
    return Workload("w", tuple(jobs))


def run(workload: Workload, maps: int, reduces: int, policy: str = "fifo", **overheads: float) -> Schedule:
    cluster = Cluster(maps, reduces, overheads=Overheads(**overheads))  # type: ignore[arg-type]
    return simulate(workload, cluster, PolicyChoice(policy))


def starts(schedule: Schedule) -> list[float]:
    return schedule.start.tolist()


ONE = Workload("one", (Job("J1", Stage.of(3, 2.0), Stage.of(1, 5.0)),))


def test_without_overheads_nothing_changes() -> None:
    assert run(ONE, 2, 1).finish.tolist() == simulate(ONE, Cluster(2, 1), FIFO).finish.tolist()


def test_launch_setup_and_cleanup_surround_the_job() -> None:
    schedule = run(ONE, 3, 1, launch_delay=4, setup=1.5, cleanup=1)
    assert starts(schedule)[:3] == [5.5, 5.5, 5.5]
    assert schedule.stage_end.tolist() == [7.5]
    assert schedule.finish.tolist() == [13.5], "reduces from 7.5 to 12.5, then the cleanup"


def test_a_job_has_begun_once_its_setup_has_ended() -> None:
    """Both jobs are launched at 0 s; their setups end at 2 s and 4 s."""
    jobs = (Job("J1", Stage.of(9, 5.0)), Job("J2", Stage.of(1, 1.0)))
    cluster = Cluster(1, 0, overheads=Overheads(setup=2))
    run = Simulation(Workload("w", jobs), cluster, FIFO, engine="interpreted")
    begun = []
    for seconds in (1.0, 3.0, 5.0):
        run.advance_until(seconds)
        begun.append(begun_jobs(run._state).tolist())
    assert begun == [[], [0], [0, 1]]


def test_jobs_are_launched_one_after_the_other() -> None:
    jobs = tuple(Job(f"J{i}", Stage.of(1, 1.0), arrival=arrival) for i, arrival in enumerate((0, 1, 2, 30)))
    schedule = run(Workload("w", jobs), 4, 0, launch_delay=2, launch_interval=5)
    assert starts(schedule) == [2, 7, 12, 32]


def test_jobs_wait_in_line_until_one_before_them_has_a_task() -> None:
    jobs = tuple(Job(f"J{i}", Stage.of(1, 10.0), arrival=float(i > 3)) for i in range(5))
    given: dict[str, Any] = {"launch_delay": 2, "setup": 1, "hosts": 9}
    schedule = run(Workload("w", jobs), 9, 0, launched_ahead=2, **given)
    # J0 and J1 have their tasks at 3 s, so J2 and J3 are launched at 5, and J4 at 8
    assert starts(schedule) == [3, 3, 6, 6, 9]
    assert starts(run(Workload("w", jobs), 9, 0, launched_ahead=1, **given)) == [3, 6, 9, 12, 15]
    assert starts(run(Workload("w", jobs), 9, 0, **given)) == [3, 3, 3, 3, 4]


def test_ends_are_known_with_the_hosts_next_heartbeat() -> None:
    """Host 0 asks at 4, 8 ... s, host 1 at 2, 6 ...; each has a map slot and a reduce slot."""
    late: dict[str, Any] = {"heartbeat": 4, "hosts": 2, "ends_known_after": 1}
    workload = Workload("w", (Job("J0", Stage.of(3, (3.0, 4.0, 1.0)), Stage.of(1, 2.0, 0.5, 1.0)),))
    schedule = run(workload, 2, 2, **late)
    # host 1 tells of the first map at 6, and gets the last one and the reduce; of those it tells at 10 and 14
    assert starts(schedule) == [2, 4, 6, 6]
    assert schedule.end.tolist() == [5, 8, 7, 12.5], (
        "the shuffle ends 0.5 s after the maps are known to be done"
    )
    assert schedule.stage_end.tolist() == [10]
    assert schedule.finish.tolist() == [14]
    assert run(workload, 2, 2, cleanup=1, **late).finish.tolist() == [18], "from 14 to 15"
    assert run(workload, 2, 2, heartbeat=4, hosts=2).finish.tolist() == [10.5]


def test_setup_takes_a_map_slot() -> None:
    jobs = (Job("J1", Stage.of(1, 10.0)), Job("J2", Stage.of(1, 1.0), arrival=1))
    schedule = run(Workload("w", jobs), 1, 0, setup=2)
    # J1's setup to 2 s, then J2's setup before any map: cleanups and setups go first
    assert starts(schedule) == [4, 14]


def test_a_host_gets_one_map_per_heartbeat() -> None:
    # one host with three slots asked at 0, when there was no job, and asks again at 3, 6, 9
    schedule = run(Workload("w", (Job("J1", Stage.of(3, 50.0)),)), 3, 0, heartbeat=3)
    assert starts(schedule) == [3, 6, 9]


def test_hosts_ask_in_turn() -> None:
    # three hosts, their heartbeats spread over 3 s: at 1, 2 and 3
    schedule = run(Workload("w", (Job("J1", Stage.of(3, 50.0)),)), 3, 0, heartbeat=3, hosts=3)
    assert starts(schedule) == [1, 2, 3]
    assert schedule.slot.tolist() == [1, 2, 0]


def test_hosts_ask_at_the_same_time() -> None:
    phase = Circumstances(phase=np.zeros(3))
    cluster = Cluster(3, 0, overheads=Overheads(heartbeat=3, hosts=3))
    schedule = replayed(Workload("w", (Job("J1", Stage.of(3, 50.0)),)), cluster, phase)
    assert starts(schedule) == [3, 3, 3]
    assert schedule.slot.tolist() == [0, 1, 2]


def test_containers_are_held_by_hosts() -> None:
    """Two hosts with two containers each; setup and cleanup take one, and a host gets two tasks at most."""
    job = Job("J1", Stage.of(4, 2.0), Stage.of(1, 1.0))
    spent = Overheads(setup=1, cleanup=0.5, heartbeat=4, hosts=2)
    schedule = simulate(
        Workload("w", (job,)), Cluster(0, 0, slowstart=1.0, containers=4, overheads=spent), FIFO
    )
    # the second host runs the setup from 2 to 3, asks as it ends and gets two maps; the first one asks at 4
    assert starts(schedule) == [3, 3, 4, 4, 6]
    assert schedule.slot.tolist() == [2, 3, 0, 1, 0]
    assert schedule.finish.tolist() == [7.5]


def test_a_host_asks_when_a_task_ends_and_its_interval_begins_anew() -> None:
    # two slots: the first map runs from 3 to 5; the host asks then and gets one map, which ends at 7, before
    # the next heartbeat at 8: so the second slot stays idle
    schedule = run(Workload("w", (Job("J1", Stage.of(4, 2.0)),)), 2, 0, heartbeat=3)
    assert starts(schedule) == [3, 5, 7, 9]


def test_a_heartbeat_brings_a_map_and_a_reduce() -> None:
    job = Job("J1", Stage.of(2, 4.0), Stage.of(2, 1.0))
    schedule = simulate(
        Workload("w", (job,)), Cluster(2, 2, slowstart=0.0, overheads=Overheads(heartbeat=3)), FIFO
    )
    assert starts(schedule) == [3, 6, 3, 6]


def test_the_first_task_of_a_job_on_a_host_waits_for_what_it_needs() -> None:
    schedule = run(Workload("w", (Job("J1", Stage.of(4, 2.0)),)), 2, 0, fetch=1.5, hosts=2)
    assert starts(schedule) == [1.5, 1.5, 3.5, 3.5]
    assert schedule.end.tolist() == [3.5, 3.5, 5.5, 5.5]


def test_fillers_fetch_too_and_shuffle_with_the_map_stage() -> None:
    job = Job("J1", Stage.of(1, 10.0), Stage.of(1, 1.0, first_shuffle=2.0))
    schedule = simulate(
        Workload("w", (job,)), Cluster(1, 1, slowstart=0.0, overheads=Overheads(fetch=3, hosts=2)), FIFO
    )
    assert starts(schedule) == [3, 3]
    assert schedule.stage_end.tolist() == [13]
    assert schedule.end.tolist() == [13, 16]


def test_a_reduce_that_still_fetches_when_the_maps_are_done_is_no_filler() -> None:
    job = Job("J1", Stage.of(2, 2.0), Stage.of(1, 1.0, first_shuffle=0.5))
    overheads = Overheads(fetch=3, hosts=2)
    # maps on both hosts fetch until 3 and run to 5; the reduce starts then, on a host that has all it needs
    schedule = simulate(Workload("w", (job,)), Cluster(2, 2, slowstart=1.0, overheads=overheads), FIFO)
    assert schedule.end.tolist() == [5, 5, 6]
    # a host that only has reduce slots begins to fetch when the first map is done
    reduces = Stage.of(2, 1.0, first_shuffle=0.5, typical_shuffle=7.0)
    jobs = (Job("J1", Stage.of(2, [1.0, 3.0]), reduces),)
    schedule = simulate(
        Workload("w", jobs), Cluster(1, 2, slowstart=0.5, overheads=Overheads(fetch=4, hosts=2)), FIFO
    )
    # maps from 4 to 5 and 5 to 8; a reduce at once on the first host, the other fetches from 5 to 9
    assert starts(schedule)[2:] == [5, 9]
    assert schedule.is_filler.tolist()[2:] == [True, False]
    assert schedule.shuffled.tolist()[2:] == [8.5, 16]
    assert schedule.end.tolist()[2:] == [9.5, 17]


@examples(20)
@given(workloads())
def test_every_task_runs_once_and_no_slot_runs_two(workload: Workload) -> None:
    overheads = Overheads(1.0, 0.5, 0.5, 0.7, 2.0, 2)
    schedule = simulate(workload, Cluster(3, 2, overheads=overheads), FIFO)
    assert np.all(schedule.slot >= 0)
    assert np.all(schedule.start <= schedule.shuffled + 1e-9)
    assert np.all(schedule.shuffled <= schedule.end)
    by_slot = schedule.by_slot
    for slot in range(5):
        tasks = by_slot.tasks[by_slot.offsets[slot] : by_slot.offsets[slot + 1]]
        assert np.all(schedule.start[tasks][1:] >= schedule.end[tasks][:-1] - 1e-9)
    columns = schedule.workload.columns
    reduces = columns.kind != MAP
    assert np.all(schedule.shuffled[reduces] >= schedule.stage_end[columns.job[reduces]] - 1e-9)
    assert np.all(schedule.start >= columns.arrival[columns.job] + 1.5 - 1e-9)


@examples(20)
@given(workloads())
def test_overheads_of_nothing_are_the_plain_engine(workload: Workload) -> None:
    plain = simulate(workload, Cluster(3, 2), FIFO)
    other = simulate(workload, Cluster(3, 2, overheads=Overheads()), FIFO)
    assert plain.start.tolist() == other.start.tolist()
    assert plain.slot.tolist() == other.slot.tolist()
    assert plain.finish.tolist() == other.finish.tolist()


def replayed(workload: Workload, cluster: Cluster, circumstances: Circumstances) -> Schedule:
    run = Simulation(workload, cluster, FIFO, circumstances=circumstances)
    while not run.advance():
        pass
    return run.schedule()


def test_hosts_ask_first_when_the_circumstances_say() -> None:
    # three hosts: at a half, a quarter and three quarters of 4 s, and every 4 s from then on
    jobs = (Job("J1", Stage.of(3, 50.0)), Job("J2", Stage.of(1, 1.0), arrival=4.5))
    cluster = Cluster(4, 0, overheads=Overheads(heartbeat=4, hosts=3))
    circumstances = Circumstances(phase=np.array([0.5, 0.25, 0.75]))
    schedule = replayed(Workload("w", jobs), cluster, circumstances)
    assert starts(schedule) == [1, 2, 3, 6]


def test_jobs_have_setups_and_cleanups_of_their_own() -> None:
    jobs = tuple(Job(f"J{i}", Stage.of(1, 10.0)) for i in range(3))
    own = Circumstances(setup=np.array([np.nan, 0.0, 5.0]), cleanup=np.array([0.0, 2.0, np.nan]))
    schedule = replayed(Workload("w", jobs), Cluster(6, 0, overheads=Overheads(setup=1, cleanup=3)), own)
    assert starts(schedule) == [1, 0, 5]
    assert schedule.finish.tolist() == [11, 12, 18]
    # with heartbeats a host starts one each time it asks: J0's at 4, J2's as that ends, maps at 11, 12 and 16
    beating = Cluster(6, 0, overheads=Overheads(setup=1, cleanup=3, heartbeat=4))
    assert starts(replayed(Workload("w", jobs), beating, replace(own, setup=np.array([3.0, 0.0, 5.0])))) == [
        11,
        12,
        16,
    ]


def test_what_a_stalled_host_is_given_begins_when_the_stall_ends() -> None:
    job = Job("J1", Stage.of(4, 2.0), Stage.of(2, 1.0))
    cluster = Cluster(2, 2, slowstart=0, overheads=Overheads(hosts=2))
    maps = Circumstances(stalls=(Stall(1, MAP, 0.0, 5.0), Stall(1, MAP, 2.0, 3.0), Stall(0, MAP, 4.5, 6.0)))
    schedule = replayed(Workload("w", (job,)), cluster, maps)
    # the second host holds a map from 0 to 5, so the first one runs all others before it stalls itself
    assert starts(schedule) == [0, 5, 2, 4, 0, 0]
    both = Circumstances(stalls=(Stall(1, BOTH, 0.0, 5.0),))
    assert starts(replayed(Workload("w", (job,)), cluster, both)) == [0, 5, 2, 4, 0, 5]
    # a setup that is given to a stalled host waits too, and its job with it
    late = Circumstances(setup=np.ones(1), stalls=(Stall(0, MAP, 0.0, 5.0),))
    assert starts(replayed(Workload("w", (job,)), cluster, late))[:2] == [6, 6]
    # a stall is over at its end, and has not begun before its begin
    edge = Circumstances(stalls=(Stall(0, MAP, 2.0, 4.0), Stall(1, MAP, -3.0, 0.0)))
    assert starts(replayed(Workload("w", (job,)), cluster, edge))[:4] == [0, 0, 4, 2]


def test_one_job_that_nothing_is_given_to_stalls() -> None:
    spent = Overheads(hosts=2)
    columns, cluster = Workload("w", (Job("J1", Stage.of(2, 2.0)),)).columns, Cluster(2, 0, overheads=spent)
    fresh = fresh_state(columns, cluster, np.zeros(1, np.int32), pools=1, lends=False)
    state = as_rows(with_hosts(fresh, spent, NO_CIRCUMSTANCES))
    assert advance_on_hosts(lambda *_: -1, float("inf"), 99, state) == STALLED
    assert (state.cluster.active, state.cluster.started) == (1, 0)


def test_copies_go_on_alike() -> None:
    jobs = tuple(Job(f"J{i}", Stage.of(5, 2.0 + i), Stage.of(2, 1.0), arrival=i) for i in range(4))
    cluster = Cluster(3, 2, overheads=Overheads(1.0, 0.5, 0.5, 0.7, 2.0, 2))
    whole = simulate(Workload("w", jobs), cluster, FIFO)
    run = Simulation(Workload("w", jobs), cluster, FIFO)
    run.advance(until=6.5)
    twin = run.fork()
    for part in (twin, run):
        while not part.advance():
            pass
        assert part.schedule().start.tolist() == whole.start.tolist()


def test_what_is_not_modelled_is_refused() -> None:
    with pytest.raises(DocumentError, match="overheads are modelled for slots and containers, not for nodes"):
        Cluster(0, 0, nodes=(NodeGroup(1, 4096, 4),), overheads=Overheads())
    with pytest.raises(DocumentError, match=r"overheads.hosts is 0; give a whole number from 1"):
        Cluster(overheads=Overheads(hosts=0))
    with pytest.raises(DocumentError, match=r"overheads.setup is -1; give seconds from 0"):
        Cluster(overheads=Overheads(setup=-1))
    with pytest.raises(InputError, match="shared scans"):
        simulate(ONE, Cluster(overheads=Overheads()), PolicyChoice("circumflex"))
    with pytest.raises(
        InputError, match="setup and cleanup of a job run on map slots, and the cluster has none"
    ):
        run(Workload("w", (Job("J1", Stage.of(0), Stage.of(1, 1.0)),)), 0, 1, setup=1)


def test_a_job_is_no_candidate_before_its_setup_is_done() -> None:
    jobs = (Job("J1", Stage.of(1, 2.0), arrival=1.0), Job("J2", Stage.of(1, 2.0)))
    schedule = run(Workload("w", jobs), 2, 0, setup=1)
    assert starts(schedule) == [2, 1]
    there = Replay(schedule).before_start(0)  # J2's map at 1 s, as J1 arrives
    reason = decision_reason(there)
    assert reason is not None
    assert [candidate.job for candidate in reason.candidates] == [1]


def test_a_setup_leaves_no_room_for_a_task() -> None:
    jobs = (Job("J1", Stage.of(1, 2.0), arrival=1.0), Job("J2", Stage.of(1, 2.0)))
    schedule = run(Workload("w", jobs), 2, 0, setup=1)
    cluster = Replay(schedule).before_start(0).moment().cluster  # J1's setup holds the other slot
    assert [cluster.free[MAP], cluster.room[MAP]] == [1, 1]
    cluster = Replay(schedule).at(9.0).moment().cluster
    assert [cluster.free[MAP], cluster.room[MAP]] == [2, 2]


def test_a_host_asks_for_tasks_of_the_other_kind_where_slots_are_lent() -> None:
    # at 3 one map gets the map slot and one a reduce slot; the third map gets the other one at 6
    schedule = run(Workload("w", (Job("J1", Stage.of(3, 50.0)),)), 1, 2, "dynamic-fifo-pd", heartbeat=3)
    assert starts(schedule) == [3, 3, 6]


def test_text_is_read_or_refused() -> None:
    assert overheads_from_text("heartbeat=3, hosts=8,setup=1.5") == Overheads(setup=1.5, heartbeat=3, hosts=8)
    with pytest.raises(UnknownName, match="did you mean 'heartbeat'"):
        overheads_from_text("hartbeat=3")
    with pytest.raises(InputError, match="setup is 'long'; give a number"):
        overheads_from_text("setup=long")
