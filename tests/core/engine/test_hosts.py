"""The engine of hosts against its slow twin, compiled and interpreted, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.engine.fresh_state import fresh_state
from core.engine.heartbeats import fetch_cell
from core.engine.hosts import with_hosts
from core.engine.state import as_rows
from core.model.circumstances import BOTH, NO_CIRCUMSTANCES, Circumstances, Stall
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job
from core.model.overheads import Overheads
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import Simulation
from tests.core.engine.compared import ENGINES, bits, outcome
from tests.core.engine.slow_heartbeats import SlowHeartbeats
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.simulation.simulate import Engine

SECONDS = st.sampled_from((0.0, 0.0, 0.1, 0.5, 1.0, 2.3))
STEADY = ("fifo", "sjf", "edf-max", "fair", "dynamic-fifo-pd")
"""They go on alike when they are asked anew."""
ON_HOSTS = (*STEADY, "omo", "longest-task")
DECLINING = ("fresh", "omo", "edf-min", "capacity", "dhfs-pi", "dynamic-priority")
"""They leave slots free while tasks wait: nearly all heartbeats change nothing."""
PARAMETERS = {"omo": {"window": 4.0, "beta": 0.25}}


@st.composite
def overheads(draw: st.DrawFn) -> Overheads:
    return Overheads(
        draw(SECONDS),
        draw(SECONDS),
        draw(SECONDS),
        draw(SECONDS),
        draw(SECONDS),
        heartbeat=draw(st.sampled_from((0.0, 0.3, 1.0, 3.0))),
        hosts=draw(st.integers(1, 5)),
        maps_per_heartbeat=draw(st.integers(1, 2)),
        reduces_per_heartbeat=draw(st.integers(1, 2)),
        launched_ahead=draw(st.integers(0, 2)),
        ends_known_after=draw(st.integers(0, 1)),
    )


@st.composite
def circumstances(draw: st.DrawFn, jobs: int, hosts: int) -> Circumstances:
    def some(count: int, values: Any) -> Any:
        return draw(st.none() | st.lists(values, min_size=count, max_size=count).map(np.array))

    stalls = st.builds(
        lambda host, kind, begin, lasts: Stall(host, kind, begin, begin + lasts),
        st.integers(0, hosts - 1),
        st.sampled_from((MAP, REDUCE, BOTH)),
        st.sampled_from((-1.0, 0.0, 1.5, 4.0)),
        st.sampled_from((1.0, 2.2, 9.0)),
    )
    own = st.sampled_from((np.nan, 0.0, 0.7, 3.0))
    return Circumstances(
        some(hosts, st.sampled_from((0.0, 0.1, 0.5, 1.0))),
        some(jobs, own),
        some(jobs, own),
        tuple(draw(st.lists(stalls, max_size=2))),
    )


@st.composite
def cases_with_hosts(draw: st.DrawFn, policies: tuple[str, ...] = ON_HOSTS) -> tuple[Case, Circumstances]:
    case = draw(cases(policies=policies).filter(lambda case: not case.cluster.has_nodes))
    spent = draw(overheads())
    if case.cluster.stage_slots[MAP] == 0:  # no place for them
        spent = replace(spent, setup=0.0, cleanup=0.0)
    given = draw(circumstances(len(case.workload.jobs), spent.hosts))
    if case.cluster.stage_slots[MAP] == 0:
        given = replace(given, setup=None, cleanup=None)
    return replace(case, cluster=replace(case.cluster, overheads=spent)), given


def begun(case: Case, given: Circumstances, engine: Engine) -> Simulation:
    choice = PolicyChoice(case.policy, PARAMETERS.get(case.policy, {}))
    return Simulation(
        case.workload, case.cluster, choice, order=case.order, circumstances=given, engine=engine
    )


def slow_twin(case: Case, given: Circumstances) -> Simulation:
    run = begun(case, given, "interpreted")
    bare = run._followed.first_state(case.workload, replace(case.cluster, overheads=None))
    run._state = as_rows(bare)
    assert case.cluster.overheads is not None
    run._advance = SlowHeartbeats(case.cluster.overheads, run._state, given)
    return run


@examples(30)
@given(cases_with_hosts())
def test_both_engines_agree_with_the_slow_twin(drawn: tuple[Case, Circumstances]) -> None:
    expected = outcome(slow_twin(*drawn))
    for engine in ENGINES:
        run = begun(*drawn, engine)
        assert run._compiled == (engine == "compiled")
        assert outcome(run) == expected


@examples(30)
@given(cases_with_hosts(DECLINING), st.sampled_from((7, 30)))
def test_heartbeats_that_change_nothing_are_left_out(drawn: tuple[Case, Circumstances], times: int) -> None:
    """Tasks last many intervals; the slow twin lets every host ask at each of its heartbeats."""
    case, given_ = drawn
    long = case.workload.with_jobs(
        replace(job, stages=(longer(job.maps, times), longer(job.reduces, times)))
        for job in case.workload.jobs
    )
    drawn = replace(case, workload=long), given_
    expected = outcome(slow_twin(*drawn))
    for engine in ENGINES:
        assert outcome(begun(*drawn, engine)) == expected


def longer(stage: Stage, times: int) -> Stage:
    """The typical shuffle grows twice as much: then reduces can be due long before the maps end."""
    lasts = (stage.durations, stage.first_shuffle, 2 * stage.typical_shuffle)
    return Stage.of(stage.count, *(times * column for column in lasts))


def fresh_hosts(spent: Overheads, given: Circumstances = NO_CIRCUMSTANCES, jobs: int = 1) -> Any:
    """Return a fresh run on hosts with four map slots and two reduce slots; a job has a map and a reduce."""
    workload = Workload("w", tuple(Job(f"J{j}", Stage.of(1, 1.0), Stage.of(1, 1.0)) for j in range(jobs)))
    rank, cluster = np.arange(jobs, dtype=np.int32), Cluster(4, 2, overheads=spent)
    return with_hosts(fresh_state(workload.columns, cluster, rank, pools=1, lends=False), spent, given)


def test_hosts_have_equal_parts_of_the_slots_and_of_the_interval() -> None:
    """Three hosts: the first has map slots 0 and 1 and reduce slot 4, the second 2 and 5, the third 3."""
    stalls = (
        Stall(2, MAP, 0.0, 1.0),
        Stall(0, BOTH, 0.0, 2.0),
        Stall(2, REDUCE, 0.0, 3.0),
        Stall(7, MAP, 0.0, 9.0),
    )
    beats = fresh_hosts(Overheads(heartbeat=6, hosts=3), Circumstances(stalls=stalls)).beats
    assert beats.host_of.tolist() == [0, 0, 1, 2, 0, 1]
    assert beats.host["begin"].tolist() == [[0, 0], [2, 1], [3, 2]]
    assert beats.host["free"].tolist() == [[2, 1], [1, 1], [1, 0]]
    assert (beats.host["last_request"].tolist(), beats.host["next"].tolist()) == ([-6, -4, -2], [0, 2, 4])
    assert beats.due.tolist() == [[0, 2, 4, np.inf], [0, 2, np.inf, np.inf]]
    assert beats.tree[:, 1].tolist() == [0, 0]
    assert (beats.host["stalls"].tolist(), beats.stall["end"].tolist()) == (
        [[0, 1], [1, 1], [1, 3]],
        [2, 1, 3],
    )


def test_a_host_gets_tasks_for_slots_of_either_type_and_for_containers_of_both() -> None:
    spent = Overheads(heartbeat=6, hosts=2, maps_per_heartbeat=2, reduces_per_heartbeat=3)
    assert fresh_hosts(spent).beats.clock["most"].tolist() == [2, 3]
    untyped = Cluster(0, 0, containers=4, overheads=spent)
    columns = Workload("w", (Job("J1", Stage.of(1, 1.0)),)).columns
    fresh = fresh_state(columns, untyped, np.zeros(1, np.int32), pools=1, lends=False)
    assert with_hosts(fresh, spent, NO_CIRCUMSTANCES).beats.clock["most"][MAP] == 5


def test_each_job_fetches_once_on_each_host() -> None:
    """However full the table is: here of all 4 jobs on 3 hosts. Whoever comes again finds the first time."""
    state = as_rows(fresh_hosts(Overheads(hosts=3, fetch=5), jobs=4))
    state = state._replace(beats=state.beats._replace(fetch=state.beats.fetch[:12]))
    places = {}
    for time, (j, h) in enumerate(product(range(4), range(3))):
        state.cluster.now = float(time)
        places[j, h] = fetch_cell(state, j, h)
    assert sorted(places.values()) == list(range(12))
    state.cluster.now = 99.0
    for time, (j, h) in enumerate(product(range(4), range(3))):
        assert fetch_cell(state, j, h) == places[j, h]
        assert state.beats.fetch[places[j, h]].ready == time + 5


def test_whole_seconds_are_seconds_too() -> None:
    """Launched at 1, set up from 3 (it is given at 2, and fetches) to 4, the map to 6, cleaned up to 7."""
    workload = Workload("w", (Job("J1", Stage.of(1, 2.0)),))
    spent = Overheads(1, 1, 1, 1, 1, 1)
    for engine in ENGINES:
        run = Simulation(workload, Cluster(1, 1, overheads=spent), PolicyChoice("fifo"), engine=engine)
        assert not isinstance(outcome(run), str)
        assert run.schedule().finish.tolist() == [7.0]


@examples(20)
@given(cases_with_hosts(), st.sampled_from((0.5, 1.0, 5.0)), st.integers(0, 2), st.sampled_from(ON_HOSTS))
def test_another_policy_goes_on(
    drawn: tuple[Case, Circumstances], time: float, decisions: int, policy: str
) -> None:
    case = drawn[0]
    run = begun(case, NO_CIRCUMSTANCES, "interpreted")
    assume(not isinstance(outcome(run), str))
    first = run.schedule()
    fork, choice = fork_of(first, time, decisions), PolicyChoice(policy)
    try:
        one, two = (simulate_fork(case.workload, case.cluster, choice, fork, engine=each) for each in ENGINES)
    except StalledError:
        assume(False)
        raise
    assert bits(one) == bits(two)
    is_later = first.start[first.sequence] >= time
    kept = first.sequence[: int(is_later.argmax()) if is_later.any() else None]
    assert one.sequence[: len(kept)].tolist() == kept.tolist()
    assert one.start[kept].tolist() == first.start[kept].tolist()
    if policy == case.policy and policy in STEADY:
        assert bits(one) == bits(first)


@examples(10)
@given(cases_with_hosts(), st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_slices_and_copies_go_on_alike(drawn: tuple[Case, Circumstances], slices: list[int]) -> None:
    expected = outcome(begun(*drawn, "interpreted"))
    for engine in ENGINES:
        run = begun(*drawn, engine)
        for instants in slices:
            run.advance(instants=instants)
            copy = run.fork()
        assert outcome(copy, instants=1) == expected
        assert outcome(run) == expected


def test_a_heartbeat_that_was_left_out_counts_at_the_instant_of_an_event() -> None:
    """While both maps run one after the other, as the pool may hold one container, host 0 asks in vain.

    Its heartbeats are left out; that at 56.1 s, 188 intervals of 0.3 s after the first, is when the last map
    ends on host 1: host 0 asks then as well, and is the first to be given the reduce.
    """
    empty, at_once = Stage(), Stage.of(1, 0.0)
    jobs = tuple(
        Job(f"J{i}", pool="red", stages=stages)
        for i, stages in enumerate(
            ((empty, at_once), (empty, at_once), (Stage.of(2, 28.0), empty), (empty, at_once))
        )
    )
    pools = (Pool("red", max_capacity=0.5), Pool("blue", max_capacity=0.5))
    spent = Overheads(0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 3)
    cluster = Cluster(0, 0, slowstart=0.0, containers=2, overheads=spent)
    case = Case(Workload("w", jobs, pool_settings=pools), cluster, "capacity", None)
    expected = outcome(slow_twin(case, Circumstances()))
    for engine in ENGINES:
        run = begun(case, Circumstances(), engine)
        assert outcome(run) == expected
        assert run.schedule().slot.tolist() == [1, 1, 1, 1, 0]
