"""Workloads so small that all their schedules can be tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from core.model.workload import Workload


@st.composite
def tiny_workloads(draw: st.DrawFn) -> Workload:
    """Up to five tasks of whole seconds in up to three jobs."""
    made, left = [], 5
    while left > 0 and len(made) < 3:
        maps = draw(st.integers(0, min(left, 3)))
        reduces = draw(st.integers(0 if maps else 1, min(left - maps, 2) if left > maps else 0))
        seconds = st.lists(st.integers(0, 3), min_size=1, max_size=3)
        made.append(
            make_job(
                f"J{len(made)}",
                (maps, draw(seconds)),
                (reduces, draw(seconds), draw(seconds), draw(seconds)),
                arrival=float(draw(st.integers(0, 3))),
            )
        )
        left -= maps + reduces
    return make_workload(*made)
