"""What it costs that jobs end when they do, each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class JobCosts(NamedTuple):
    """What it costs that jobs end: the sum of these, all from 0 on, (jobs,) each.

    Attributes
    ----------
    second : of each second from the arrival on
    late_second : of each second after the deadline
    late : once, of an end after the deadline
    due : deadlines, infinity for none
    """

    second: Floats
    late_second: Floats
    late: Floats
    due: Floats

    @property
    def weight(self) -> Floats:
        """What a job counts when times and first prices are chosen."""
        some = np.isfinite(self.due)
        return self.second + np.where(some, self.late_second + self.late, 0.0)

    @property
    def has_deadlines(self) -> bool:
        """Whether it costs anything to end after a deadline."""
        return bool((np.isfinite(self.due) & (self.late_second + self.late > 0)).any())

    @property
    def are_late_only(self) -> bool:
        """Whether nothing else costs anything but to be late."""
        return self.has_deadlines and not (self.second + self.late_second).any()

    def at(self, j: int, ends: Floats, *, after: bool = False) -> Floats:
        """Return the cost of a job's ends, or of the instants after them, without arrivals."""
        late = ends >= self.due[j] if after else ends > self.due[j]
        value: Floats = self.second[j] * ends
        if np.isfinite(self.due[j]):
            value = value + self.late_second[j] * np.maximum(ends - self.due[j], 0.0) + self.late[j] * late
        return value

    def slope(self, j: int, ends: Floats, *, after: bool) -> Floats:
        """Return what a second more costs, (ends,)."""
        late = ends >= self.due[j] if after else ends > self.due[j]
        slope: Floats = self.second[j] + self.late_second[j] * late
        return slope
