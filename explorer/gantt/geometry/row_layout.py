"""Slots to pixels and back: pools of rows with gaps between, vertical zoom and scroll; pure, without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from core.model.workload import MAP, REDUCE

if TYPE_CHECKING:
    from core.measures.rows_by_pool import RowsByPool
    from core.model.cluster import Cluster
    from core.model.partition import Partition

TALLEST_ROW = 72.0
"""Pixels a row grows to when everything is shown; beyond that a chart of few slots would be all colour."""

TALLEST_ZOOMED_ROW = 96.0
POOL_GAP = 14
MOST_GAPS = 64
"""Pixels of all gaps together: many nodes lie close to one another."""
MOST_NODE_BANDS = 64
"""So many nodes get a band each; more are too thin to be told apart."""

HEADER_HEIGHT = 17
"""Pixels above the rows of each pool of jobs, for a line that names it."""
MOST_HEADERS, LOW_HEADER, INNER_GAP = 0.4, 5, 3
"""Part of the height that these lines may take; of more pools they are lower, and names lie upon the rows."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows of one kind.

    Attributes
    ----------
    name, prefix : what labels their band, and their rows
    first_slot, slots : the slots in them
    group : index of the pool of jobs that they belong to; -1 where rows belong to nobody
    first_number : the number that the first row is labelled with
    is_packed : whether the rows are no slots but as many as the pool held slots at once
    """

    name: str
    prefix: str
    first_slot: int
    slots: int
    group: int = -1
    first_number: int = 1
    is_packed: bool = False

    @property
    def own(self) -> int:
        """The kind of task that the slots are for: MAP, REDUCE, or 2 for either."""
        return {"MAP": MAP, "REDUCE": REDUCE}.get(self.name, 2)


def pools_of(cluster: Cluster, partition: Partition | None = None) -> tuple[Pool, ...]:
    """Return the pools of rows that have slots, top to bottom: by kind, pool of a partition, or node."""
    if partition is not None:
        return tuple(pool for kind in (MAP, REDUCE) for pool in _parts(cluster, partition, kind))
    if cluster.has_nodes:
        return _nodes(cluster)
    pools = (
        Pool("CONTAINERS", "C", 0, cluster.containers),
        Pool("MAP", "M", 0, cluster.map_slots),
        Pool("REDUCE", "R", cluster.map_slots, cluster.reduce_slots),
    )
    return tuple(pool for pool in pools if pool.slots)


def _nodes(cluster: Cluster) -> tuple[Pool, ...]:
    """Return the rows of every node or, where there are too many, those of all nodes in one."""
    if len(cluster.node_rows) > MOST_NODE_BANDS + 1:
        return (Pool("NODES", "", 0, cluster.slots),)
    return tuple(
        Pool(f"NODE {node + 1}", f"N{node + 1}.", first, last - first)
        for node, (first, last) in enumerate(pairwise(cluster.node_rows))
        if last > first
    )


def packed_pools(by_pool: RowsByPool) -> tuple[Pool, ...]:
    """Return the pools of rows of a schedule whose rows belong to pools of jobs."""
    names = ("MAP", "REDUCE", "CONTAINERS")
    return tuple(
        Pool(names[band.slot_kind], "", band.first, band.rows, band.pool, is_packed=True)
        for band in by_pool.bands
    )


def _parts(cluster: Cluster, partition: Partition, kind: int) -> list[Pool]:
    name, prefix = ("MAP", "M") if kind == MAP else ("REDUCE", "R")
    before = cluster.map_slots if kind == REDUCE else 0
    return [
        Pool(name, prefix, before + first[kind], pool.slots[kind], group, first[kind] + 1)
        for group, (pool, first) in enumerate(zip(partition.pools, partition.first_slots(), strict=True))
        if pool.slots[kind]
    ]


def tallest(pools: tuple[Pool, ...]) -> int:
    """Return the height from which on a plot of these pools stays empty at its end."""
    layout = RowLayout.of(pools, 1 << 20)
    rows = round(sum(pool.slots for pool in pools) * TALLEST_ROW)
    return rows + layout.space_above(len(pools) - 1)


@dataclass(frozen=True)
class RowLayout:
    """Where each slot's row lies.

    Attributes
    ----------
    pools : top to bottom
    height : logical pixels of the plot
    zoom : 1 shows all rows (as far as `TALLEST_ROW` allows)
    scroll : logical pixels that are above the plot
    gap, head : logical pixels between two pools, and above the first one; rows of one pool of jobs on slots
        of both types lie closer
    """

    pools: tuple[Pool, ...]
    height: int
    zoom: float = 1.0
    scroll: float = 0.0
    gap: int = POOL_GAP
    head: int = 0

    @classmethod
    def of(cls, pools: tuple[Pool, ...], height: int) -> RowLayout:
        """Lay out all rows in a height; above those of pools of jobs there is room for names."""
        if any(pool.group >= 0 for pool in pools):
            lines = len({pool.group for pool in pools}) * HEADER_HEIGHT
            low = any(pool.is_packed for pool in pools) and lines > height * MOST_HEADERS
            head = LOW_HEADER if low else HEADER_HEIGHT
            return cls(pools, height, gap=head, head=head)
        return cls(pools, height, gap=min(POOL_GAP, MOST_GAPS // max(len(pools) - 1, 1)))

    def with_pools(self, pools: tuple[Pool, ...]) -> RowLayout:
        """Show other pools; where there are as many rows and pools as before, what is in view stays."""
        fresh = RowLayout.of(pools, self.height)
        alike = (fresh.rows, len(pools), fresh.head) == (self.rows, len(self.pools), self.head)
        return replace(self, pools=pools) if alike else fresh

    @cached_property
    def rows(self) -> int:
        """Rows of all pools."""
        return sum(pool.slots for pool in self.pools)

    @cached_property
    def fitted_row_height(self) -> float:
        """Pixels of a row at zoom 1."""
        free = max(1.0, self.height - self.space_above(len(self.pools) - 1))
        return min(TALLEST_ROW, free / max(1, self.rows))

    @property
    def row_height(self) -> float:
        """Pixels of a row."""
        return self.fitted_row_height * self.zoom

    @property
    def content_height(self) -> float:
        """Pixels of all rows and gaps."""
        return self.rows * self.row_height + self.space_above(len(self.pools) - 1)

    @property
    def most_scroll(self) -> float:
        """Whole pixels that all rows are higher than the plot."""
        return max(0.0, math.ceil(self.content_height - self.height - 1e-6))

    def pool_top(self, index: int) -> float:
        """Return the pixel at which a pool starts, from the top of the plot."""
        above = sum(pool.slots for pool in self.pools[:index])
        return above * self.row_height + self.space_above(index) - self.scroll

    def space_above(self, index: int) -> int:
        """Return the pixels between rows above a pool: the gaps, and what is above the first one."""
        inner = sum(self.continues(place) for place in range(1, index + 1))
        return self.head + (max(index, 0) - inner) * self.gap + inner * min(self.gap, INNER_GAP)

    def continues(self, index: int) -> bool:
        """Whether the rows above a pool's belong to the same pool of jobs, and no line names it again."""
        pool, before = self.pools[index], self.pools[index - 1] if index else None
        return before is not None and pool.is_packed and pool.group == before.group

    def pool_span(self, index: int) -> tuple[int, int]:
        """Return the first pixel of a pool and the one after its last, cut to the plot."""
        top = self.pool_top(index)
        bottom = top + self.pools[index].slots * self.row_height
        return max(0, _whole(top)), min(self.height, max(0, _whole(bottom)))

    def slot_span(self, slot: int) -> tuple[int, int]:
        """Return the first pixel of a slot's row and the one after its last; may lie outside of the plot."""
        for index, pool in enumerate(self.pools):
            row = slot - pool.first_slot
            if 0 <= row < pool.slots:
                top = self.pool_top(index)
                return _whole(top + row * self.row_height), _whole(top + (row + 1) * self.row_height)
        raise IndexError(f"slot {slot} is in none of the pools {self.pools}")

    def slots_at(self, y: float) -> range:
        """Return the slots whose rows share the pixel line at `y`: none in a gap, many in thin rows."""
        line = math.floor(y)
        for index, pool in enumerate(self.pools):
            top, bottom = self.pool_span(index)
            if top <= line < bottom:
                first, last = self._rows_of_line(line, self.pool_top(index), pool.slots)
                return range(pool.first_slot + first, pool.first_slot + last)
        return range(0)

    def _rows_of_line(self, line: int, pool_top: float, slots: int) -> tuple[int, int]:
        above = (line - pool_top) / self.row_height
        row = min(slots - 1, max(0, math.floor(above)))
        if self.row_height < 1:
            below = math.ceil((line + 1 - pool_top) / self.row_height)
            return row, max(row + 1, min(slots, below))
        # the border to the next row is rounded, and may lie on this line already
        if row + 1 < slots and _whole(pool_top + (row + 1) * self.row_height) <= line:
            row += 1
        elif row > 0 and _whole(pool_top + row * self.row_height) > line:
            row -= 1
        return row, row + 1

    def edge_at(self, y: float) -> int:
        """Return which pool of a partition ends at a pixel, above another one of its kind; -1 for none."""
        for index, (pool, below) in enumerate(pairwise(self.pools)):
            top = self.pool_top(index + 1)
            if (
                below.group >= 0
                and not pool.is_packed
                and pool.name == below.name
                and top - self.gap <= y < top
            ):
                return index
        return -1

    def zoomed(self, factor: float, y: float) -> RowLayout:
        """Zoom vertically by `factor`; what is at pixel `y` stays there."""
        most = max(1.0, TALLEST_ZOOMED_ROW / self.fitted_row_height)
        zoom = min(most, max(1.0, self.zoom * factor))
        grown = replace(self, zoom=zoom)
        above = self.space_above(max(sum(self.pool_top(i) <= y for i in range(len(self.pools))) - 1, 0))
        anchor = (y + self.scroll - above) * zoom / self.zoom + above
        return grown.scrolled_to(anchor - y)

    def scrolled_to(self, scroll: float) -> RowLayout:
        """Scroll to a pixel, as far as there are rows."""
        return replace(self, scroll=float(min(self.most_scroll, max(0.0, round(scroll)))))

    def resized(self, height: int) -> RowLayout:
        """Return the same rows in another height, scrolled as far down in proportion."""
        part = self.scroll / self.most_scroll if self.most_scroll else 0.0
        resized = replace(self, height=height)
        if self.head:  # a higher plot has room for more lines that name pools
            fitting = RowLayout.of(self.pools, height)
            resized = replace(resized, gap=fitting.gap, head=fitting.head)
        return resized.scrolled_to(part * resized.most_scroll)


def _whole(y: float) -> int:
    return math.floor(y + 0.5)
