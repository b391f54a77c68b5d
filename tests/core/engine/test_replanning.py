"""When a policy plans anew, and what it reads and writes then."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.engine.fresh_state import fresh_state
from core.engine.loop import DONE, PAUSED, REACHED, REPLAN, STALLED
from core.engine.replanning import (
    PLANS_PER_SLICE,
    Records,
    Replanning,
    advance_to_plan,
    begin_replanning,
    changeable_durations,
    own_durations,
)
from core.engine.state import State, as_rows
from core.model.cluster import Cluster
from core.model.workload import Workload
from tests.builders import make_job

INF = float("inf")
WORKLOAD = Workload(
    "w", (make_job("A", (3, [1.0, 2.0, 3.0]), (1, 9.0)), make_job("B", (2, [5.0, 6.0]), (2, 9.0)))
)


def state_of(form: str, slowstart: float = 0.5) -> State:
    columns = WORKLOAD.columns
    rank = np.arange(2, dtype=np.int32)
    state = fresh_state(columns, Cluster(2, 1, slowstart), rank, pools=1, lends=False)
    state = begin_replanning(state)
    return as_rows(state) if form == "rows" else state


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_what_a_plan_reads_and_writes(form: str) -> None:
    """Tasks lie job by job, maps first: A has 0 to 2 and 3, B has 4 and 5, 6 and 7."""
    state = state_of(form)
    run = Records(state)
    assert run.now == 0.0
    assert [run.maps(job, "tasks") for job in (0, 1)] == [3, 2]
    assert [run.maps(job, "started") for job in (0, 1)] == [0, 0]
    assert [run.map_seconds(job) for job in (0, 1)] == [1.0, 5.0]
    assert [run.map_stage_has_ended(job) for job in (0, 1)] == [False, False]
    run.set_map_seconds(0, 7.0)
    run.set_map_seconds(1, [8.0, 9.0])
    assert list(state.duration) == [7.0, 7.0, 7.0, 9.0, 8.0, 9.0, 9.0, 9.0]
    assert WORKLOAD.columns.duration.tolist() == [1.0, 2.0, 3.0, 9.0, 5.0, 6.0, 9.0, 9.0]


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_maps_that_have_started_keep_their_seconds(form: str) -> None:
    state = state_of(form)
    run = Records(state)
    run._state.job[0].started[0] = 2
    run.set_map_seconds(0, [7.0])
    assert list(state.duration[:4]) == [1.0, 2.0, 7.0, 9.0]
    for place, end in ((0, 4.0), (1, 6.0), (4, 11.0)):
        state.end[place] = end
    assert [run.map_ends(0, 0), run.map_ends(0, 1), run.map_ends(1, 0)] == [4.0, 6.0, 11.0]
    run._state.job[1].stage_end = 12.0
    assert [run.map_stage_has_ended(job) for job in (0, 1)] == [False, True]


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_a_plan_remembers_and_is_counted(form: str) -> None:
    run = Records(state_of(form))
    run.remember(1, 3.0, 4.0)
    run.note_plan()
    run.note_plan()
    assert [list(run._state.job[job].memo) for job in (0, 1)] == [[0, 0, 0, 0], [3, 4, 0, 0]]
    assert list(run._state.cluster.memo)[:2] == [2, 0]


@pytest.mark.parametrize("form", ["columns", "rows"])
@pytest.mark.parametrize(("slowstart", "needs"), [(0.5, 1), (0.0, 0)])
def test_a_job_that_runs_fewer_maps_lets_its_reduces_wait_for_these(
    form: str, slowstart: float, needs: int
) -> None:
    """With a slowstart of 0 they wait for none."""
    run = Records(state_of(form, slowstart))
    s = run._state
    run.let_run(0, 1)
    assert (run.maps(0, "tasks"), run.maps(1, "tasks")) == (1, 2)
    assert s.stage[s.job[0].first_stage].tasks == 1
    assert s.job[0].reduce_after == needs
    assert s.edge[s.stage[s.job[0].first_stage].edge].need == needs
    assert s.edge[s.stage[s.job[1].first_stage].edge].need == (1 if slowstart else 0)


def test_durations_of_its_own_belong_to_one_run() -> None:
    state = state_of("columns")
    other = own_durations(state)
    changeable_durations(other)[0] = 77.0
    assert (other.duration[0], state.duration[0]) == (77.0, 1.0)
    assert not other.duration.flags.writeable
    rows = as_rows(state)
    again = own_durations(rows)
    changeable_durations(again)[0] = 77.0
    assert (again.duration[0], rows.duration[0]) == (77.0, 1.0)


class Engine:
    """An engine that returns what it is given in turn, and notes until when it was asked to go on."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[float, int]] = []

    def __call__(self, _choose: Any, until: float, _instants: int, state: Any) -> int:
        self.asked.append((until, state.cluster.due))
        return self.answers.pop(0)


def cluster() -> Any:
    return SimpleNamespace(cluster=SimpleNamespace(now=2.0, offered=1, due=0))


def test_without_a_time_for_a_plan_the_engine_goes_on_as_it_does() -> None:
    for status in (DONE, REACHED, PAUSED, STALLED, REPLAN):
        engine, state = Engine(status), cluster()
        assert advance_to_plan(engine, None, 10.0, INF, 99, state) == status
        assert engine.asked == [(10.0, 0)]
        assert (state.cluster.now, state.cluster.offered) == (2.0, 1)


def test_a_plan_later_than_it_is_to_go_is_left_alone() -> None:
    engine, state = Engine(REACHED), cluster()
    assert advance_to_plan(engine, None, 10.0, 11.0, 99, state) == REACHED
    assert (engine.asked, state.cluster.now) == ([(10.0, 0)], 2.0)
    engine = Engine(STALLED)
    assert advance_to_plan(engine, None, 10.0, 11.0, 99, state) == REACHED
    assert (state.cluster.now, state.cluster.offered) == (10.0, 0)


def test_what_happens_at_the_time_of_a_plan_comes_before_it() -> None:
    """First to just before, then the instant itself, whose free slots wait for the plan."""
    before = float(np.nextafter(8.0, 0.0))
    for status in (REACHED, STALLED):
        engine, state = Engine(REACHED, status), cluster()
        assert advance_to_plan(engine, None, 10.0, 8.0, 99, state) == REPLAN
        assert engine.asked == [(before, 0), (8.0, 1)]
        assert (state.cluster.now, state.cluster.offered, state.cluster.due) == (8.0, 0, 0)
    engine, state = Engine(REACHED, REPLAN), cluster()
    assert advance_to_plan(engine, None, 8.0, 8.0, 99, state) == REPLAN
    assert (engine.asked, state.cluster.now, state.cluster.due) == ([(before, 0), (8.0, 1)], 2.0, 0)


def test_a_plan_is_made_where_nothing_more_happens() -> None:
    engine, state = Engine(STALLED), cluster()
    assert advance_to_plan(engine, None, 10.0, 8.0, 99, state) == REPLAN
    assert (len(engine.asked), state.cluster.now, state.cluster.offered) == (1, 8.0, 0)
    for status in (DONE, PAUSED):
        assert advance_to_plan(Engine(status), None, 10.0, 8.0, 99, cluster()) == status


class Planner:
    """Plans every two seconds."""

    def __init__(self) -> None:
        self.plans = 0

    def replan(self, run: Records) -> float:
        self.plans += 1
        return run.now + 2.0

    def copy(self) -> Planner:
        fresh = Planner()
        fresh.plans = self.plans
        return fresh


def test_so_many_plans_are_made_between_two_looks_at_progress() -> None:
    planner = Planner()
    always = Replanning(lambda *_: REPLAN, planner)
    assert always(None, INF, 99, state_of("rows")) == PAUSED
    assert planner.plans == PLANS_PER_SLICE
    planned = Replanning(Engine(REPLAN, REACHED, REACHED, DONE), planner := Planner())
    assert planned(None, 100.0, 99, state_of("rows")) == DONE
    assert planner.plans == 2  # when it was asked to, and at 2 s


def test_a_copy_goes_on_by_itself_from_the_same_plan() -> None:
    engine = Engine(REPLAN, PAUSED, DONE)
    planned = Replanning(engine, planner := Planner())
    assert planned(None, 100.0, 99, state_of("rows")) == PAUSED
    copy = planned.copy()
    assert copy(None, 100.0, 99, state_of("rows")) == DONE
    before = float(np.nextafter(2.0, 0.0))
    assert engine.asked[1:] == [(before, 0), (before, 0)]
    assert copy.planner is not planner
    assert planner.plans == 1
