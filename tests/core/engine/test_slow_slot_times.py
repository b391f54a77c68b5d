"""The slow loop with slots that come and go, against a schedule made by hand."""

from __future__ import annotations

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.slot_times import SlotTime
from core.model.stages import Stage
from core.model.task_types import MAP
from core.model.workload import Workload
from tests.core.engine.slow_graphs import SlowLoop


def test_a_slot_takes_tasks_from_its_opening_to_its_close() -> None:
    """Slot 1 opens at 1 s and closes at 3 s, where its task has ended; slot 0 runs the rest alone."""
    workload = Workload("w", (Job("A", Stage.of(5, 2.0)),))
    tasks = SlowLoop(workload, Cluster(1, 0, slot_times=(SlotTime(1, 1.0, 3.0, MAP),))).tasks()
    assert [(task["slot"], task["start"]) for task in tasks] == [(0, 0), (1, 1), (0, 2), (0, 4), (0, 6)]
