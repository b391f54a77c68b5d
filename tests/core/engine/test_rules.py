"""Every schedule keeps every rule, whatever the workload, the cluster, the policy and the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.nodes import NodeGroup, Request
from tests.builders import make_job, make_workload, run
from tests.core.engine import rules
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule

ENGINES = st.sampled_from(("compiled", "interpreted"))


@examples(40)
@given(case=cases(), engine=ENGINES)
def test_random_schedules_keep_every_rule(case: Case, engine: str) -> None:
    try:
        schedule = run(case.workload, case.cluster, case.policy, order=case.order, engine=engine)  # type: ignore[arg-type]
    except StalledError:
        assume(False)
    broken = {rule.__name__: found for rule in rules.RULES if (found := rule(schedule))}
    assert broken == {}


def honest() -> Schedule:
    """Two maps and two reduces with shuffles of 2 and 3, then one more map, on one slot of each kind."""
    workload = make_workload(
        make_job("J1", (2, 2.0), (2, 4.0, 2.0, 3.0)), make_job("J2", (1, 5.0), arrival=20.0)
    )
    return run(workload, Cluster(1, 1, slowstart=0.5))


def honest_on_nodes() -> Schedule:
    """One node with room for one map and one reduce, or for three reduces."""
    workload = make_workload(make_job("J1", (2, 2.0), (2, 4.0)))
    nodes = (NodeGroup(1, 6, 9),)
    return run(workload, Cluster(0, 0, 0.5, "mumak", 0, nodes, Request(4, 1), Request(2, 1)))


def test_a_node_without_room_is_no_idle_slot() -> None:
    schedule = honest_on_nodes()
    assert schedule.cluster.slots == 3
    assert schedule.start.tolist() == [0, 2, 2, 4]
    assert all(rule(schedule) == [] for rule in rules.RULES)


@pytest.mark.parametrize(
    ("rule", "task", "start"),
    [(rules.no_node_gives_more_than_it_has, 3, 2.0), (rules.no_slot_idles_while_a_task_could_start, 3, 5.0)],
)
def test_a_broken_rule_of_nodes_is_found(
    rule: Callable[[Schedule], list[str]], task: int, start: float
) -> None:
    schedule = honest_on_nodes()
    starts = schedule.start.copy()
    starts[task] = start
    assert rule(replace(schedule, start=starts))


def changed(column: str, task: int, value: float) -> Schedule:
    """The honest schedule with one value changed."""
    schedule = honest()
    values = getattr(schedule, column).copy()
    values[task] = value
    return replace(schedule, **{column: values})


def test_the_honest_schedule() -> None:
    schedule = honest()
    assert schedule.start.tolist() == [0, 2, 2, 10, 20]
    assert schedule.shuffled.tolist() == [0, 2, 6, 13, 20]
    assert schedule.end.tolist() == [2, 4, 10, 17, 25]
    assert all(rule(schedule) == [] for rule in rules.RULES)


@pytest.mark.parametrize(
    ("rule", "column", "index", "value"),
    [
        (rules.every_task_runs_once, "sequence", 0, 1),
        (rules.every_task_runs_once, "end", 3, np.nan),
        (rules.every_task_runs_once, "slot", 3, -1),
        (rules.slots_run_their_own_kind, "slot", 2, 0),
        (rules.one_task_per_slot, "start", 3, 9.0),
        (rules.nothing_starts_before_its_arrival, "start", 4, 19.0),
        (rules.stages_end_with_their_last_task, "stage_end", 0, 3.0),
        (rules.stages_end_with_their_last_task, "finish", 0, 18.0),
        (rules.shuffles_end_after_the_stages_that_are_read, "shuffled", 2, 3.0),
        (rules.stages_wait_for_slowstart, "start", 2, 1.0),
        (rules.time_is_spent_as_the_model_says, "shuffled", 2, 7.0),
        (rules.time_is_spent_as_the_model_says, "shuffled", 3, 12.0),
        (rules.time_is_spent_as_the_model_says, "end", 1, 5.0),
        (rules.no_slot_idles_while_a_task_could_start, "start", 4, 21.0),
        (rules.no_slot_idles_while_a_task_could_start, "start", 2, 3.0),
        (rules.no_schedule_beats_the_lower_bound, "finish", 1, 1.0),
    ],
)
def test_a_broken_rule_is_found(
    rule: Callable[[Schedule], list[str]], column: str, index: int, value: float
) -> None:
    schedule = changed(column, index, value)
    if rule is rules.no_schedule_beats_the_lower_bound:
        schedule = replace(schedule, finish=np.full(2, value))
    assert rule(schedule)
