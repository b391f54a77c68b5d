"""The pools' settings as the simulator's records have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.pool import Pool


def fill_pools(records: NDArray[np.void], pools: Sequence[Pool]) -> None:
    """Write weight, minimum share, spending rate and budget of every pool into its record, before a run."""
    records["weight"] = [pool.weight for pool in pools]
    records["share"] = [(pool.min_map_slots, pool.min_reduce_slots) for pool in pools]
    records["rate"] = [pool.spending_rate for pool in pools]
    records["budget"] = [np.inf if pool.budget is None else pool.budget for pool in pools]
