"""No fault of a workload document hides another one: a rule counts where all that it looks at is right."""

from __future__ import annotations

from copy import deepcopy
from itertools import permutations
from typing import Any

import pytest

from core.files.workload_document import workload_from_json
from core.model.errors import DocumentError

Where = tuple[str | int, ...]

STAGE = {"count": 1, "durations": 1.0}
RIGHT: dict[str, Any] = {
    "format": "slotscope-workload",
    "version": 1,
    "name": "w",
    "cluster": {"map_slots": 2, "reduce_slots": 2},
    "pools": [{"name": "p"}],
    "datasets": [{"name": "d", "blocks": 3, "block_seconds": 2.0}],
    "jobs": [
        {"name": "A", "maps": STAGE, "reduces": STAGE, "arrival": 1.0, "deadline": 9.0, "pool": "p"},
        {"name": "B", "maps": STAGE},
        {"name": "S", "dataset": "d"},
        {"name": "G", "stages": [{"name": "x", **STAGE}, {"name": "y", **STAGE, "after": [{"stage": "x"}]}]},
        {"name": "L", "after": [{"job": "A", "think": 1.0}], "maps": STAGE},
    ],
    "recorded": {
        name: [value]
        for name, value in (
            *(("jobs", "A"), ("titles", "A"), ("hosts", "h"), ("submit", 0), ("launch", 0), ("finish", 2)),
            *(("job", 0), ("kind", 0), ("task", 0), ("counts", 1), ("outcome", 0), ("host", 0), ("start", 0)),
            *(("shuffle_end", None), ("sort_end", None), ("end", 1)),
        )
    },
}
OF_ONE_VALUE: dict[str, tuple[Where, Any]] = {
    "slots": (("cluster", "map_slots"), "many"),
    "slowstart": (("cluster", "slowstart"), 7),
    "nodes": (("cluster", "nodes"), 3),
    "slot times": (("cluster", "slot_times"), [{"slots": 1, "from": -4, "type": "map"}]),
    "overheads": (("cluster", "overheads"), {"fetch": "x"}),
    "name": (("name",), 5),
    "cut": (("cut",), 4),
    "origin": (("origin",), 3),
    "pool": (("pools", 0, "weight"), -1),
    "blocks": (("datasets", 0, "blocks"), "x"),
    "arrival": (("jobs", 0, "arrival"), "x"),
    "weight": (("jobs", 0, "weight"), "x"),
    "name of a job": (("jobs", 0, "name"), 3),
    "maps": (("jobs", 0, "maps"), {"count": 1, "durations": "x"}),
    "unknown key": (("jobs", 1, "colour"), 1),
    "dataset of a job": (("jobs", 2, "dataset"), []),
    "weight of a scan": (("jobs", 2, "weight"), "x"),
    "durations of a stage": (("jobs", 3, "stages", 0, "durations"), "q"),
    "name of a stage": (("jobs", 3, "stages", 0, "name"), 7),
    "think": (("jobs", 4, "after", 0, "think"), "x"),
    "recorded starts": (("recorded", "start"), "x"),
    "recorded outcome": (("recorded", "outcome"), "x"),
}
BETWEEN_VALUES: dict[str, tuple[Where, Any]] = {
    "no slots": (("cluster",), {"map_slots": 0, "reduce_slots": 0}),
    "two kinds of slots": (("cluster",), {"map_slots": 2, "reduce_slots": 1, "containers": 3}),
    "contention without nodes": (("cluster", "contention"), [1.0, 0.5]),
    "until before from": (("cluster", "slot_times"), [{"slots": 1, "from": 9, "until": 3, "type": "map"}]),
    "pool twice": (("pools",), [{"name": "p"}, {"name": "p"}]),
    "dataset twice": (("datasets",), [{"name": "d", "blocks": 3, "block_seconds": 2.0} for _ in range(2)]),
    "deadline before arrival": (("jobs", 0, "deadline"), 0.5),
    "job twice": (("jobs", 1, "name"), "A"),
    "dataset that is not there": (("jobs", 2, "dataset"), "zz"),
    "blocks that are not there": (("jobs", 2, "blocks"), [[7, 9]]),
    "stage that is not there": (("jobs", 3, "stages", 1, "after"), [{"stage": "zz"}]),
    "stage before its own": (("jobs", 3, "stages", 0, "after"), [{"stage": "y"}]),
    "job that is not there": (("jobs", 4, "after"), [{"job": "ZZ", "think": 1.0}]),
    "slots from more than to": (("jobs", 1, "min_slots"), 5),
    "nodes that are not there": (("jobs", 1, "input_nodes"), [[7]]),
    "recorded starts of two": (("recorded", "start"), [0, 1]),
    "recorded host": (("recorded", "host"), [5]),
    "recorded task": (("recorded", "task"), [4]),
}
UNKNOWN = {
    ("arrival", "deadline before arrival"),
    ("name of a job", "job twice"),
    ("name of a job", "job that is not there"),
    ("name of a stage", "stage that is not there"),
    ("name of a stage", "stage before its own"),
    ("stage that is not there", "stage before its own"),
    ("nodes", "contention without nodes"),
    ("nodes", "nodes that are not there"),
    ("blocks", "blocks that are not there"),
    ("dataset twice", "blocks that are not there"),
    ("dataset of a job", "blocks that are not there"),
    ("dataset that is not there", "blocks that are not there"),
    ("recorded starts", "recorded task"),
    ("recorded outcome", "recorded task"),
    ("recorded starts of two", "recorded task"),
    ("recorded host", "recorded task"),
}
"""What the first of two makes unclear: whether the second is a fault at all."""
SAID_OTHERWISE = (
    {"dataset that is not there", "blocks that are not there"},
    {"stage that is not there", "stage before its own"},
)
"""Both together are said in another way: blocks of no dataset; a stage too early that is in no circle."""
FAULTS = OF_ONE_VALUE | BETWEEN_VALUES


def with_faults(*names: str) -> dict[str, Any]:
    document = deepcopy(RIGHT)
    for (*way, last), value in (FAULTS[name] for name in names):
        place: Any = document
        for part in way:
            place = place[part]
        place[last] = deepcopy(value)
    return document


def problems_of(document: dict[str, Any]) -> set[tuple[str, str]]:
    try:
        workload_from_json(document, "file")
    except DocumentError as error:
        return {(problem.where, problem.rule) for problem in error.problems}
    return set()


def test_each_fault_is_one_by_itself():
    assert problems_of(deepcopy(RIGHT)) == set()
    silent = {name for name in FAULTS if not problems_of(with_faults(name))}
    assert silent == {"slots from more than to", "nodes that are not there"} & silent


def test_no_fault_hides_another_one():
    alone = {name: problems_of(with_faults(name)) for name in FAULTS}
    hidden = set()
    for one, other in permutations(FAULTS, 2):
        lost = alone[other] - problems_of(with_faults(one, other))
        if lost:
            hidden.add((one, other))
    assert hidden <= UNKNOWN, hidden - UNKNOWN


def test_two_faults_make_no_third_one():
    alone = {name: problems_of(with_faults(name)) for name in FAULTS}
    for one, other in permutations(FAULTS, 2):
        both = problems_of(with_faults(one, other))
        if {one, other} not in SAID_OTHERWISE:
            assert both <= alone[one] | alone[other], (one, other)


def test_events_are_judged_beside_broken_ones() -> None:
    """A time that is no number; a node that is not there, a speed on a failure, too many spot nodes."""
    happen = [
        {"time": "soon", "node": 0, "kind": "fails"},
        {"time": 20, "node": 7, "kind": "fails"},
        {"time": 30, "node": 1, "kind": "fails", "speed": 0.5},
        {"time": 40, "node": 0, "kind": "returns"},
    ]
    events: dict[str, Any] = {"nodes": 2, "list": happen, "spot": {"nodes": 3, "rate": 1}}
    assert places_of_events(events) == ["list[0].time", "list[1].node", "list[2].speed", "spot.nodes"]
    del happen[0]
    events["spot"] = {"nodes": 3, "rate": "often"}
    assert places_of_events(events) == ["list[0].node", "list[1].speed", "spot.rate"]
    assert places_of_events(events | {"nodes": "two"}) == ["nodes", "spot.rate"]
    assert places_of_events(events | {"list": 3}) == ["list", "spot.rate"]


def places_of_events(events: dict[str, Any]) -> list[str]:
    """Return where something is wrong in the events of a document that is right but for them."""
    cluster = {"map_slots": 4, "reduce_slots": 2, "events": events}
    jobs = [{"name": "J", "maps": {"count": 1, "durations": 1}, "reduces": {"count": 0, "durations": 0}}]
    document = {"format": "slotscope-workload", "version": 1, "name": "w", "cluster": cluster, "jobs": jobs}
    with pytest.raises(DocumentError) as caught:
        workload_from_json(document, "w")
    return sorted(each.where.removeprefix("cluster.events.") for each in caught.value.problems)
