"""How much scanning sharing has saved up to a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.shared_scans.subjobs import shared_work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.shared_scans.subjob_bars import SubjobBar


class SavedScans:
    """Counts slot-seconds that the sharing jobs of subjobs did not have to scan for themselves."""

    def __init__(self, bars: Sequence[SubjobBar], scan_fraction: NDArray[np.float64]) -> None:
        """Take the subjobs of a schedule and each job's scan fraction, (jobs,)."""
        self._start = np.array([bar.start for bar in bars])
        self._end = np.array([bar.end for bar in bars])
        self._rate = np.array(
            [_saved_per_second(bar, float(scan_fraction[bar.sharing_jobs[0]])) for bar in bars]
        )

    def until(self, time: float) -> float:
        """Return the slot-seconds saved up to a time in seconds."""
        return float(np.sum((np.clip(time, self._start, self._end) - self._start) * self._rate))


def _saved_per_second(bar: SubjobBar, scan_fraction: float) -> float:
    length = bar.slots / shared_work(1.0, scan_fraction, bar.concurrency)
    return length * bar.concurrency - bar.slots
