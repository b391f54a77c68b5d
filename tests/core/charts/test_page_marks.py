"""A page carries when slots are closed and what happens to nodes, and of that nothing a veil hides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.charts.chart import charts_of
from core.charts.charts_page import page_of
from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.task_types import MAP
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload
from tests.core.fidelity.test_attempt_slots import LATE, run_of, workload_of
from tests.unpacked_page import columns_of, facts_of

OF_NODES = {
    "closedRow", "closedBegin", "closedEnd", "eventTime", "eventNode", "eventKind", "eventSpeed", "eventBack",
    "eventLost", "nodeOf", "lateRow", "lateBegin", "lateEnd",
}  # fmt: skip
RACK = load_sample("failed-rack")
TIMES = SlotTime(1, 0.0, 5.0, MAP), SlotTime(1, 12.0, 30.0, MAP)


def columns(schedule, veil: float = float("inf")) -> dict[str, list[int]]:
    """Return those of nodes, times in milliseconds."""
    (chart,) = charts_of([("FIFO", schedule)])
    text = page_of([replace(chart, veil=veil)])
    assert facts_of(text)["tick"] == 0.001
    return {name: column for name, column in columns_of(text)[0].items() if name in OF_NODES}


def of_rack(veil: float = float("inf")) -> dict[str, list[int]]:
    return columns(simulate(RACK, RACK.cluster, PolicyChoice("fifo")), veil)


def test_the_rack_is_away_for_a_minute_and_takes_three_tasks_with_it() -> None:
    """By hand: of 6 + 3 slots M5, M6 and R3 are of the third rack, away from 0:45 to 1:45."""
    assert of_rack() == {
        "closedRow": [4, 5, 8],
        "closedBegin": [45_000] * 3,
        "closedEnd": [105_000] * 3,
        "eventTime": [45_000, 105_000],
        "eventNode": [2, 2],
        "eventKind": [0, 1],
        "eventSpeed": [1_000_000] * 2,
        "eventBack": [105_000, -1],
        "eventLost": [3, 0],
        "nodeOf": [0, 0, 1, 1, 2, 2, 0, 1, 2],
    }


@pytest.mark.parametrize(("veil", "end"), [(float("inf"), 10_000), (9.98, -1), (9.97, None)])
def test_where_the_end_of_a_task_is_reported_late(veil: float, end: int | None) -> None:
    """The first of three tasks left its slot at 9.97 s, which the log says at 10 s."""
    run = run_of(LATE)
    found = columns(history_schedule(workload_of(run), run), veil)
    assert found == ({"lateRow": [0], "lateBegin": [9_970], "lateEnd": [end]} if end else {})


@pytest.mark.parametrize("veil", [30.0, 45.0])
def test_before_it_fails_nothing_says_that_it_will(veil: float) -> None:
    assert of_rack(veil) == {}


def test_while_it_is_away_nothing_says_for_how_long() -> None:
    found = of_rack(60.0)
    assert found["closedEnd"] == [-1] * 3
    assert (found["eventTime"], found["eventBack"], found["eventLost"]) == ([45_000], [-1], [3])


def test_slots_that_come_and_go_are_closed_until_they_open_and_from_their_last_task_on() -> None:
    """Four maps of 10 s: one slot stays, one closes at 5 s under its task, one is there from 12 to 30 s."""
    workload = make_workload(make_job("J1", (4, 10.0)))
    schedule = simulate(workload, Cluster(1, 0, slot_times=TIMES), PolicyChoice("fifo"))
    assert columns(schedule) == {
        "closedRow": [1, 2, 2], "closedBegin": [10_000, 0, 30_000], "closedEnd": [-1, 12_000, -1]
    }  # fmt: skip
    assert columns(schedule, 8.0) == {"closedRow": [2], "closedBegin": [0], "closedEnd": [-1]}


def test_a_cluster_of_which_nothing_happens_has_no_column_for_it() -> None:
    still = replace(RACK.cluster, events=None)
    assert columns(simulate(replace(RACK, cluster=still), still, PolicyChoice("fifo"))) == {}
