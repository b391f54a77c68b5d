"""Whole tasks on equal slots, against every way to give tasks to slots."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster, ShuffleModel
from core.model.job import Job
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.optimize.bounds import lower_bound
from core.optimize.stage_demands import Demands, stage_bound
from tests.builders import make_job, make_workload, run
from tests.random_tests import examples


def least_load(lengths: list[int], later: list[int], slots: int) -> float:
    """The least that the fullest slot has, over all ways; all but one task of a slot cost `later` more."""
    best = float("inf")
    for chosen in product(range(slots), repeat=len(lengths)):
        loads = []
        for slot in range(slots):
            tasks = [task for task, at in enumerate(chosen) if at == slot]
            spared = max((later[task] for task in tasks), default=0)
            loads.append(sum(lengths[task] + later[task] for task in tasks) - spared)
        best = min(best, max(loads))
    return best


@examples(30)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.integers(1, 3))
def test_no_way_to_give_tasks_to_slots_is_shorter(lengths: list[int], slots: int) -> None:
    bound = stage_bound(np.array(lengths, float), slots)
    assert bound <= least_load(lengths, [0] * len(lengths), slots)
    assert bound >= max(max(lengths), sum(lengths) / slots)


@examples(30)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=6), st.integers(1, 3))
def test_no_way_to_give_reduces_to_slots_is_shorter(reduces: list[tuple[int, int]], slots: int) -> None:
    lengths, later = ([each[i] for each in reduces] for i in (0, 1))
    job = make_job("J", (1, 0.0), (len(reduces), lengths, 0.0, later))
    tails = Demands.of(make_workload(job), Cluster(1, slots)).tails
    assert tails[0] <= least_load(lengths, later, slots)


def test_of_many_tasks_some_slot_runs_several() -> None:
    """Seven tasks on two slots: of the five longest some slot runs three, 5 + 5 + 4 s; the work is 15 s."""
    assert stage_bound(np.array([6.0, 6, 5, 5, 5, 2, 1]), 2) == 15
    assert stage_bound(np.array([6.0, 6, 6, 6, 6, 0, 0]), 2) == 18
    assert stage_bound(np.zeros(0), 2) == 0


@pytest.mark.parametrize(("model", "tail"), [("simmr", 6), ("overlap", 6), ("mumak", 2)])
def test_reduces_beyond_the_fillers_pay_the_typical_shuffle(model: ShuffleModel, tail: float) -> None:
    """Two reduces of 1 s on one slot: a filler shuffles 1 s, the other 3 s."""
    workload = make_workload(make_job("J", (1, 5.0), (2, 1.0, 1.0, [4.0, 3.0])))
    demands = Demands.of(workload, Cluster(1, 1, shuffle_model=model))
    assert (demands.heads[0], demands.tails[0]) == (5, tail)


def test_stages_of_a_graph_wait_for_the_longest_chain_before_them() -> None:
    """Scans of 4 and 10 s on two slots, a join of 6 s, then 7 and 9 s; the other job has maps and reduces."""
    graph = StageGraph(
        (MAP, MAP, REDUCE, REDUCE, REDUCE), (Edge(0, 2), Edge(1, 2), Edge(2, 3, 0.5), Edge(2, 4))
    )
    stages = ((2, 4.0), (3, 5.0), (2, 6.0), (1, 7.0), (2, 9.0))
    query = Job("query", stages=tuple(Stage.of(*each) for each in stages), graph=graph)
    other = make_job("other", (2, 3.0), (1, 5.0), arrival=2.0)
    demands = Demands.of(make_workload(query, other), Cluster(2, 2))
    found = [
        (stage.task_type, *stage.heads.tolist(), *stage.tails.tolist(), *stage.work.tolist())
        for stage in demands.stages
    ]
    assert found == [
        (MAP, 0, 2, 15, 5, 8, 6),
        (MAP, 0, 0, 15, 0, 15, 0),
        (REDUCE, 0, 5, 0, 0, 0, 5),
        (REDUCE, 10, 0, 9, 0, 12, 0),
        (REDUCE, 16, 0, 0, 0, 7, 0),
        (REDUCE, 16, 0, 0, 0, 18, 0),
    ]
    assert demands.ends.tolist() == [25, 10]


@pytest.mark.parametrize("between", [0, 1])
def test_what_waits_behind_an_empty_stage_may_be_a_filler(between: int) -> None:
    """It starts at once, and ends 1 s after the scan of 4 s; behind a task it ends at 4 + 5 + 1 s."""
    graph = StageGraph((MAP, MAP, MAP), (Edge(0, 1, 1.0), Edge(1, 2, 1.0)))
    stages = Stage.of(1, 4.0), Stage.of(between, 0.0), Stage.of(1, 1.0, 0.0, 5.0)
    workload = make_workload(Job("J", stages=stages, graph=graph))
    slots = Cluster(2, 0)
    assert lower_bound(workload, slots) == 5
    assert run(workload, slots).makespan == (5 if between == 0 else 10)
