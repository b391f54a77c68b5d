"""The bound over early and late map stages, against its definition and against all that can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.errors import Cancelled
from core.optimize.bounds import lower_bound, makespan_bound, refined_bound
from core.optimize.early_or_late import EarlyOrLate, early_or_late_bound
from core.optimize.stage_demands import Demands, Pieces
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import workloads
from tests.core.optimize.all_schedules import shortest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

CLUSTER = Cluster(2, 2)
LONG = [make_job(f"J{i}", (2, 8.0), (2, 8.0)) for i in range(22)]
MIDDLE = make_workload(*LONG, make_job("short", (2, 4.0), (2, 4.0)))
"""On 4 + 4 slots: the short one's maps are the best to begin with, and its reduces the best to end with."""


def left(pieces: Pieces, job: int, slots: int, late: float) -> float:
    """Seconds that all slots have still to work for a stage that they could have run for `late` seconds."""
    if late <= 0:
        return float(pieces.work[job]) / slots
    tasks = sum(max(0.0, each - late) for each in pieces.lengths[pieces.group == job])
    return max(tasks / slots, float(pieces.work[job]) / slots - late)


def of_times(demands: Demands, u: float, s: float) -> float:
    """The bound for two times: each job's map stage ends when that asks least, at any time of a long run."""
    (maps, reduces), slots = demands.stages, [machine.slots for machine in demands.machines]
    end = 1000.0
    asked = []
    for job, (head, tail) in enumerate(zip(demands.heads, demands.tails, strict=True)):
        asked.append(
            np.array(
                [
                    (left(maps, job, slots[0], at - end + u), left(reduces, job, slots[1], s - at))
                    for at in sorted(
                        [*np.linspace(head, end - tail, 9), max(s, head), min(end - u, end - tail)]
                    )
                ]
            )
        )
    spared = [(each[0, 0] - each[-1, 0], each[-1, 1] - each[0, 1]) for each in asked]
    weights = {early / (late + early) if late + early > 0 else 0.0 for late, early in spared}
    return max(w * u + (1 - w) * s + sum(float((each @ [w, 1 - w]).min()) for each in asked) for w in weights)


@examples(25)
@given(workloads(), st.integers(1, 3))
def test_it_is_the_largest_over_all_times(workload: Workload, slots: int) -> None:
    cluster = Cluster(slots, 4 - slots)
    demands, known = Demands.of(workload, cluster), lower_bound(workload, cluster)
    maps, reduces = demands.stages
    lasts = set(demands.tails[maps.work > 0].tolist())
    firsts = set(demands.heads[reduces.work > 0].tolist())
    every = [of_times(demands, u, s) for u in lasts for s in firsts if u + s <= known]
    assert early_or_late_bound(demands, known).seconds == pytest.approx(max(every, default=0.0))


@examples(25)
@given(tiny_workloads(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS))
def test_no_schedule_at_all_beats_it(
    workload: Workload, maps: int, reduces: int, model: ShuffleModel
) -> None:
    cluster = Cluster(maps, reduces, shuffle_model=model)
    demands, known = Demands.of(workload, cluster), lower_bound(workload, cluster)
    best = shortest(workload, cluster)
    assert early_or_late_bound(demands, known).seconds <= best * (1 + 1e-12)


def test_no_job_is_both_the_first_and_the_last() -> None:
    """The 22 long jobs need 4 s each; before or behind them 8 s, and one of the short one's stages, 2 s."""
    cluster = Cluster(4, 4)
    assert makespan_bound(MIDDLE, cluster).seconds == 22 * 4 + 8
    assert early_or_late_bound(Demands.of(MIDDLE, cluster), 96.0)[:3] == EarlyOrLate(97.0, 8.0, 8.0)[:3]
    refined = refined_bound(MIDDLE, cluster)
    assert refined.seconds == 97
    assert refined.why == (
        "no job can run reduces in the first 8 s and still have maps in the last 8 s, "
        "and whichever each job does, too many slots idle"
    )
    assert run(MIDDLE, cluster, "johnson").makespan >= 97


def test_times_that_overlap_say_nothing() -> None:
    """On 3 + 3 slots all begin at once and are over at 11 s. In the middle J2 has maps and reduces to do."""
    tasks = ((1.0, 10.0), (10.0, 1.0), (5.0, 5.0))
    workload = make_workload(*(make_job(f"J{i}", (1, m), (1, r)) for i, (m, r) in enumerate(tasks)))
    demands = Demands.of(workload, Cluster(3, 3))
    assert early_or_late_bound(demands, 20.0).seconds == 11.5  # if they are taken not to
    assert early_or_late_bound(demands, 11.0).seconds <= 11


def test_maps_alone_have_nothing_to_choose() -> None:
    workload = make_workload(*(make_job(f"J{i}", (2, 3.0)) for i in range(12)))
    assert early_or_late_bound(Demands.of(workload, CLUSTER), 36.0).seconds == 0
    assert refined_bound(workload, CLUSTER) == makespan_bound(workload, CLUSTER)


def test_it_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        refined_bound(MIDDLE, Cluster(4, 4), should_stop=lambda: True)
