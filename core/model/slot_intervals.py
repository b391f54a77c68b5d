"""When each slot of a cluster opens and closes, as arrays."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.slot_times import SlotTime


def slot_intervals(
    slot_times: Sequence[SlotTime], fixed: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when each slot opens and when it closes, in s, both read-only (slots,).

    Parameters are those of `core.model.slot_times.slots_of_kinds`.
    """
    opens, closes = [], []
    for slot_type, count in enumerate(fixed):
        entries = [entry for entry in slot_times if entry.slot_type == slot_type]
        counts = [count, *(entry.slots for entry in entries)]
        opens.append(np.repeat([0.0, *(entry.opens for entry in entries)], counts))
        closes.append(np.repeat([inf, *(entry.closes for entry in entries)], counts))
    joined = np.concatenate(opens), np.concatenate(closes)
    for times in joined:
        times.flags.writeable = False
    return joined


def open_seconds(opens: NDArray[np.float64], closes: NDArray[np.float64], until: float) -> float:
    """Return for how many slot-seconds slots are there from 0 to a time.

    Tasks that run on past the close of their slot are not among them.
    """
    return float(np.maximum(np.minimum(closes, until) - opens, 0.0).sum())
