"""How much the slower tests try: little, and all or ten times as much of it with `pytest --thorough`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    from core.model.workload import Workload

is_thorough = False
"""Set by `conftest.py`."""
MANY_JOBS = 50
FEWER = 4
"""One of so many cases is drawn unless tests are thorough."""


def examples(few: int) -> settings:
    """Return the settings of a test that tries so many examples when somebody waits for it."""
    return settings(max_examples=10 * few if is_thorough else few)


def draws(many: int) -> int:
    """Return how many random cases a test draws, and of how many kinds they are: all when somebody waits."""
    return many if is_thorough else -(-many // FEWER)


def some_jobs(workload: Workload) -> Workload:
    """Return every fourth job of a workload with many: a search of pools takes a thirtieth of the time."""
    return (
        workload if is_thorough or len(workload.jobs) < MANY_JOBS else workload.with_jobs(workload.jobs[::4])
    )
