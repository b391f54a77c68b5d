"""What a policy answered when it held a task back."""

from __future__ import annotations

from core.explain.critical_path import Cause, makespan_chain
from core.explain.held_reason import held_reason
from core.explain.replay import Replay
from core.model.cluster import Cluster
from tests.builders import make_job, make_workload, run


def test_a_reduce_that_is_held_back() -> None:
    """It is ready at 2 s beside a free slot; no reduce starts before 5 s."""
    workload = make_workload(make_job("J1", (1, 2.0), (1, 1.0)), make_job("J2", (1, 6.0)))
    schedule = run(workload, Cluster(2, 1, 1.0), "evening-reduces")
    held = next(link for link in makespan_chain(schedule).links if link.cause is Cause.HELD)
    assert held_reason(Replay(schedule), held.waiter, held.begin) == (
        "R1 stays free at 2 s: evening-reduces declines it, although 1 job waits for one.",
        "Not admitted: J1; the job may have no further reduce now.",
    )


def test_nothing_is_held_where_no_slot_is_free() -> None:
    schedule = run(make_workload(make_job("J1", (3, 2.0))), Cluster(1, 1))
    assert held_reason(Replay(schedule), 2, 1.0) == ()
    assert held_reason(Replay(schedule), 2, 5.0) == ()
