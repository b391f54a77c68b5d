"""What is proved of a real application from one of its logs, against real runs of it on other slots.

The logs are those of a Spark that ran the same applications on 4, 8 and 16 slots; they need not be here.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from core.fidelity.open_application import open_application
from core.model.cluster import Cluster
from core.optimize.bounds import lower_bound
from core.optimize.fewest_slots import fewest
from core.optimize.short_searches import ShortSearches, plan_searches
from tests.paths import TRACES

if TYPE_CHECKING:
    from core.fidelity.prediction import LoggedApplication

FOLDER = TRACES / "spark-truth"
NAMES = sorted({path.name.split("-N")[0] for path in FOLDER.glob("*-N4.eventlog.gz")})
SIZES = (4, 8, 16)


def runs_of(name: str) -> dict[int, LoggedApplication]:
    return {slots: open_application([FOLDER / f"{name}-N{slots}.eventlog.gz"]) for slots in SIZES}


@pytest.mark.parametrize("name", NAMES)
def test_no_bound_is_above_a_real_run_on_other_slots(name: str) -> None:
    runs = runs_of(name)
    for log, slots in itertools.permutations(SIZES, 2):
        bound = lower_bound(runs[log].workload, Cluster(0, 0, 1.0, containers=slots))
        assert bound <= runs[slots].recorded_seconds * 1.03, (log, slots)  # as far as runs of one differ


@pytest.mark.parametrize("name", NAMES)
def test_no_number_of_containers_is_too_few_for_what_a_real_run_did(name: str) -> None:
    """From the log on 4 slots: real runs on 8 and 16 end when they do."""
    runs = runs_of(name)
    for slots in (8, 16):
        searches = ShortSearches(plan_searches(1, 1), steps=1)
        cluster = Cluster(0, 0, 1.0, containers=4)
        known = fewest(runs[4].workload, cluster, runs[slots].recorded_seconds, "containers", searches)
        assert not known.is_hopeless
        assert known.too_few < slots
