"""Johnson's order for two stages, and the two-stage makespan of any order.

Source: 000 section 3.2 (Algorithm 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def johnson_order(maps: NDArray[np.float64], reduces: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the order of jobs with the smallest two-stage makespan, (jobs,).

    Sort ascending by D = min(m, r) (the text of 000 says descending, its Figure 7 and the theorem say
    ascending); ties keep input order. Then, in that order, jobs with m <= r go to the front and the others
    to the back.
    """
    ascending = np.argsort(np.minimum(maps, reduces), kind="stable")
    at_front = (maps <= reduces)[ascending]
    return np.concatenate([ascending[at_front], ascending[~at_front][::-1]])


def two_stage_makespan(
    order: NDArray[np.int64], maps: NDArray[np.float64], reduces: NDArray[np.float64]
) -> float:
    """Return when the last reduce stage ends if each stage runs alone on its machine, in this order.

    The reduce stage of a job starts once its map stage and the reduce stage before it have ended; so
    ``C = max over k of (m_1 + … + m_k + r_k + … + r_n)``.
    """
    if len(order) == 0:
        return 0.0
    map_ends = np.cumsum(maps[order])
    reduces_to_come = np.cumsum(reduces[order][::-1])[::-1]
    return float(np.max(map_ends + reduces_to_come))
