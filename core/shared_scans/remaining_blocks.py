"""Which blocks the jobs on board still wait for, where each may scan some of them only."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RemainingBlocks:
    """The blocks of one group of jobs that share: whoever waits for the start of their maps.

    Of the jobs that wait for a block the first to board has it among its own maps; the others ride.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._wanted: dict[int, NDArray[np.bool_]] = {}

    def board(self, job: int, blocks: NDArray[np.int32]) -> NDArray[np.int32]:
        """Let a job board; return the blocks that nobody else waits for: its own."""
        taken = np.zeros(self._size, np.bool_)
        for wanted in self._wanted.values():
            taken |= wanted
        self._wanted[job] = np.zeros(self._size, np.bool_)
        self._wanted[job][blocks] = True
        return blocks[~taken[blocks]]

    def start(self, block: int) -> tuple[int, ...]:
        """Note that a block's map has started; return whom it serves, the first to board first."""
        sharing_jobs = tuple(job for job, wanted in self._wanted.items() if wanted[block])
        for job in sharing_jobs:
            self._wanted[job][block] = False
        return sharing_jobs

    def leave(self, job: int) -> None:
        """Let a job go."""
        del self._wanted[job]

    def waits(self, job: int) -> bool:
        """Whether a job still waits for blocks to start."""
        return bool(self._wanted[job].any())

    def count(self, block: int) -> int:
        """Return how many jobs wait for a block."""
        return sum(bool(wanted[block]) for wanted in self._wanted.values())

    def cells(self) -> dict[tuple[int, ...], list[int]]:
        """Return the blocks that nobody has begun, by the jobs that wait for them."""
        if not self._wanted:
            return {}
        table = np.stack(list(self._wanted.values()))
        blocks = np.flatnonzero(table.any(axis=0))
        kinds, which = np.unique(np.packbits(table[:, blocks], axis=0), axis=1, return_inverse=True)
        which = which.reshape(-1)
        return {
            tuple(compress(self._wanted, np.unpackbits(kinds[:, k], count=len(table)))): blocks[
                which == k
            ].tolist()
            for k in range(kinds.shape[1])
        }


def interleave(parts: list[tuple[float, list[int]]]) -> list[int]:
    """Merge lists so that at any point each has given in proportion to its weight; weight 0 comes last."""
    turns = [
        ((i + 1) / weight if weight > 0 else float("inf"), part, block)
        for part, (weight, blocks) in enumerate(parts)
        for i, block in enumerate(blocks)
    ]
    return [block for _, _, block in sorted(turns)]
