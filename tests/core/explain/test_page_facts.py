"""The critical path as pages have it: what is lost is no task of the rows, and its time is there."""

from __future__ import annotations

import numpy as np

from core.explain.page_facts import CAUSES, path_columns
from core.files.packed_columns import packed_column
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate


def test_a_night_on_a_page() -> None:
    """Map 0 runs to 12 s, its output is lost at 13 s, it runs again to 25 s; the reduce fetches anew."""
    job = Job("A", Stage.of(2, [12.0, 10.0]), Stage.of(1, 9.0, 1.0, 2.0))
    cluster = Cluster(4, 2, 1.0, events=NodeEvents(2, (NodeEvent(13.0, 0),), "lost"))
    schedule = simulate(Workload("one", (job,)), cluster, PolicyChoice("fifo"))
    columns = path_columns(schedule, np.arange(schedule.tasks), 1.0)
    causes = [CAUSES.index(each) for each in ("lost work", "output, lost later", "map runs again")]
    assert columns["pathTask"] == packed_column([-1, -1, 0, 2, 2])
    assert columns["pathBegin"] == packed_column([0, 12, 13, 25, 26])
    assert columns["pathEnd"] == packed_column([12, 13, 25, 26, 35])
    assert columns["pathCause"] == packed_column(
        [*causes, CAUSES.index("shuffle"), CAUSES.index("reduce work")]
    )
