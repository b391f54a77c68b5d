"""Slots that come and go in workload documents."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.model.cluster import Cluster
from core.model.errors import DocumentError
from core.model.slot_times import CONTAINER, SlotTime
from core.model.task_types import MAP


def document(cluster: dict[str, Any]) -> dict[str, Any]:
    jobs = [{"name": "A", "maps": {"count": 1, "durations": 1}}]
    return {"format": "slotscope-workload", "version": 1, "name": "w", "cluster": cluster, "jobs": jobs}


def test_entries_are_read_and_written_again() -> None:
    entries = [{"slots": 4, "until": 60, "type": "map"}, {"slots": 1, "from": 2.5, "type": "map"}]
    given = {"map_slots": 0, "reduce_slots": 1, "slot_times": entries}
    workload = workload_from_json(document(given), "w")
    times = SlotTime(4, 0.0, 60.0, MAP), SlotTime(1, 2.5, inf, MAP)
    assert workload.cluster == Cluster(0, 1, slot_times=times)
    assert workload_to_json(workload)["cluster"]["slot_times"] == entries


def test_entries_are_containers_unless_they_say_otherwise() -> None:
    given = {"slot_times": [{"slots": 2, "from": 1, "until": None}]}
    cluster = workload_from_json(document(given), "w").cluster
    assert cluster == Cluster(0, 0, slot_times=(SlotTime(2, 1.0, inf, CONTAINER),))


def test_clusters_without_entries_are_written_as_before() -> None:
    written = workload_to_json(workload_from_json(document({"containers": 3}), "w"))["cluster"]
    assert written == {"containers": 3, "slowstart": 0.05, "shuffle_model": "simmr"}


@pytest.mark.parametrize(
    ("cluster", "problems"),
    [
        (
            {"slot_times": [{"slots": 0}, {"from": -1, "slots": 1}, {"slots": 1, "type": "disk"}]},
            [
                "cluster.slot_times[0].slots is 0",
                "cluster.slot_times[1].from is -1",
                "cluster.slot_times[2].type is 'disk'",
            ],
        ),
        (
            {"slot_times": [{"slots": 1, "from": 5, "until": 5}, {"slots": 1, "from": 3, "until": 1}]},
            [
                "cluster.slot_times[0].until is 5.0; slots must close after they open, at 5 s",
                "cluster.slot_times[1].until is 1.0; slots must close after they open, at 3 s",
            ],
        ),
        (
            {"containers": 1, "slot_times": [{"slots": 1, "type": "map"}]},
            ["cluster.slot_times is 1 map slot that comes and goes; beside containers only"],
        ),
        (
            {"slot_times": [{"slots": 1}], "overheads": {"setup": 1}},
            ["cluster.overheads: overheads are modelled for slots that are always there"],
        ),
    ],
)
def test_all_problems_are_said_at_once(cluster: dict[str, Any], problems: list[str]) -> None:
    with pytest.raises(DocumentError) as refused:
        workload_from_json(document(cluster), "w")
    said = [str(problem) for problem in refused.value.problems]
    assert len(said) == len(problems)
    for one, start in zip(said, problems, strict=True):
        assert one.startswith(start)
