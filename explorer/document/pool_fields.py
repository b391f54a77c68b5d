"""The settings of pools that people edit: how each is shown as text, and written from what was typed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError, shorten

if TYPE_CHECKING:
    from core.model.pool import Pool

AUTOMATIC = "equal part"
UNLIMITED = "no limit"


@dataclass(frozen=True, slots=True)
class PoolFieldInfo:
    """One setting.

    Attributes
    ----------
    id : the field of `core.model.pool.Pool`
    title : its heading
    help : what it means, with unit and range, and who reads it
    is_percent : whether it is typed and shown in per cent
    is_whole : whether it is a whole number
    empty : what an empty text means, or "" where a number is needed
    """

    id: str
    title: str
    help: str
    is_percent: bool = False
    is_whole: bool = False
    empty: str = ""

    def text(self, pool: Pool) -> str:
        """Show a pool's value as the text that `write` understands."""
        value = getattr(pool, self.id)
        if value is None:
            return ""
        return f"{value * 100:.10g}" if self.is_percent else f"{value:.10g}"

    def shown(self, pool: Pool, every: Pool) -> str:
        """Show a pool's value with its unit; `every` has the value that holds where none is set."""
        value = getattr(pool, self.id)
        if value is None and self.empty == AUTOMATIC:
            return f"{getattr(every, self.id) * 100:.4g} %"
        if value is None:
            return self.empty
        return f"{value * 100:.6g} %" if self.is_percent else f"{value:,.10g}"

    def write(self, pool: Pool, text: str) -> Pool:
        """Return the pool with what was typed; InputError if it is no number."""
        typed = text.strip().removesuffix("%").strip()
        if not typed and self.empty:
            return _with(pool, self.id, None)
        try:
            value = float(typed)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or (self.is_whole and value % 1):
            kind = "a whole number" if self.is_whole else "a number"
            may_be_empty = f", or nothing for {self.empty}" if self.empty else ""
            raise InputError(f"pool {pool.name}: {self.title} is {shorten(text)}; give {kind}{may_be_empty}")
        return _with(pool, self.id, int(value) if self.is_whole else value / (100 if self.is_percent else 1))


def _with(pool: Pool, name: str, value: Any) -> Pool:  # Any: the workload checks it
    return replace(pool, **{name: value})


POOL_FIELDS: tuple[PoolFieldInfo, ...] = (
    PoolFieldInfo(
        "weight", "Weight", "Share of the pool relative to others, above 0. Read by Fair and its kin."
    ),
    PoolFieldInfo(
        "min_map_slots",
        "Min maps",
        "Map slots that the pool gets before others if it needs them. Read by Fair and its kin.",
        is_whole=True,
    ),
    PoolFieldInfo(
        "min_reduce_slots",
        "Min reduces",
        "Reduce slots that the pool gets before others if it needs them. Read by Fair and its kin.",
        is_whole=True,
    ),
    PoolFieldInfo(
        "capacity",
        "Capacity",
        "Guaranteed part of the slots in per cent; empty for an equal part of what others leave. "
        "Read by Capacity.",
        is_percent=True,
        empty=AUTOMATIC,
    ),
    PoolFieldInfo(
        "max_capacity",
        "Maximum",
        "Largest part of the slots in per cent that the pool may hold. Read by Capacity.",
        is_percent=True,
    ),
    PoolFieldInfo(
        "spending_rate",
        "Rate",
        "What the pool bids for a slot, in credits per second, above 0. Read by Dynamic Priority.",
    ),
    PoolFieldInfo(
        "budget",
        "Budget",
        "Credits that the pool has to spend; empty for no limit. Read by Dynamic Priority.",
        empty=UNLIMITED,
    ),
)
"""Every setting, in the order in which a table shows them."""
