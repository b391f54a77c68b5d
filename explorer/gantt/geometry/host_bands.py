"""The hosts of a recorded run as bands of rows, with names short enough for the margin; pure, without Qt."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from core.model.execution_history import UNKNOWN_HOST
from explorer.gantt.geometry.chart_content import short_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.execution_history import ExecutionHistory, HostSlots
    from explorer.gantt.geometry.row_layout import Pool


@lru_cache(maxsize=6)
def host_bands(record: ExecutionHistory, pools: tuple[Pool, ...]) -> tuple[tuple[HostSlots, ...], ...]:
    """Return the bands of each pool of rows, top to bottom, with short names of their hosts."""
    named = short_hosts(record.run.hosts)
    return tuple(
        tuple(
            band._replace(host=named.get(band.host, band.host))
            for band in record.host_slots(pool.first_slot, pool.slots)
        )
        for pool in pools
    )


def short_hosts(names: Sequence[str]) -> dict[str, str]:
    """Leave out racks, domains and the beginning that all hosts have in common."""
    known = [name for name in names if name != UNKNOWN_HOST]
    plain = [name.rstrip("/").rpartition("/")[2] or name for name in known]
    first = [_first_part(name) for name in plain]
    short = short_names(tuple(first if len(set(first)) == len(known) else plain))
    if len(set(short)) < len(known):
        short = tuple(known)
    return dict(zip(known, short, strict=True))


def _first_part(name: str) -> str:
    """Return what is before a domain; an address of numbers stays whole."""
    part = name.partition(".")[0]
    return name if part.isdigit() else part
