"""What a search must keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.partition import Partition


@dataclass(frozen=True)
class Constraints:
    """What a search must keep.

    Attributes
    ----------
    pinned : names of jobs whose due dates, tasks and pool stay as the plan to start from has them
    before : pairs of names: every task of the first job goes before all of the second one of the same kind,
        as soon as both may start
    partition : pools that stay as they are
    keep_deadlines : whether no job may end after its deadline, if that can be reached
    arrivals : by name, seconds at which jobs arrive instead
    """

    pinned: frozenset[str] = frozenset()
    before: tuple[tuple[str, str], ...] = ()
    partition: Partition | None = None
    keep_deadlines: bool = False
    arrivals: Mapping[str, float] = field(default_factory=dict)
