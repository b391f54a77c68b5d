"""What is found of a schedule once, and stays with it."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule

Found = TypeVar("Found")


def kept_with_schedule(find: Callable[[Schedule], Found]) -> Callable[[Schedule], Found]:
    """Return a function that finds something of a schedule at the first call, and returns the same then.

    It is kept beside the fields of the schedule, as a cached property is: the schedule is frozen, and what is
    kept goes with it.
    """
    name = f"_{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def found(schedule: Schedule) -> Found:
        if name not in schedule.__dict__:
            schedule.__dict__[name] = find(schedule)
        known: Found = schedule.__dict__[name]
        return known

    return found
