"""How much earlier or later each job is done than in the baseline, sorted, and gathered if there are many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.measures.compare import completion_change
from core.measures.job_ends import lateness
from core.model.time_text import duration_text, signed_duration
from explorer.widgets.export import ChartTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

MAX_BARS = 200
"""More jobs than this share bars."""

MAX_NAMES = 3


@dataclass(frozen=True)
class CompletionBars:
    """Bars from the job that gains most to the one that loses most.

    Attributes
    ----------
    names : of all jobs that both schedules have, in the order of the bars, (jobs,)
    changes : seconds later than in the baseline (negative: earlier), ascending, (jobs,)
    bounds : bar i stands for the jobs ``bounds[i]:bounds[i + 1]``, (bars + 1,)
    heights : the change in each bar that is largest in size, (bars,)
    left_out : jobs that only one of the schedules has
    late : seconds after its deadline that each job is done, 0 for those in time or without one, (jobs,)
    """

    names: tuple[str, ...]
    changes: NDArray[np.float64]
    bounds: NDArray[np.int64]
    heights: NDArray[np.float64]
    left_out: int
    late: NDArray[np.float64]

    @property
    def count(self) -> int:
        """Number of bars."""
        return len(self.heights)

    @property
    def is_gathered(self) -> bool:
        """Whether bars stand for several jobs."""
        return self.count < len(self.names)

    def bar_of(self, name: str | None) -> int:
        """Return the bar of a job, -1 if there is none."""
        if name not in self.names:
            return -1
        return int(np.searchsorted(self.bounds, self.names.index(name), side="right")) - 1

    def jobs_of(self, bar: int) -> tuple[str, ...]:
        """Return the names of the jobs in a bar."""
        return self.names[self.bounds[bar] : self.bounds[bar + 1]]

    def text(self, bar: int) -> str:
        """Return what a bar stands for."""
        jobs, changes = self.jobs_of(bar), self.changes[self.bounds[bar] : self.bounds[bar + 1]]
        late = self.late[self.bounds[bar] : self.bounds[bar + 1]]
        if len(jobs) == 1:
            missed = f", {duration_text(float(late[0]))} after its deadline" if late[0] > 0 else ""
            return f"{jobs[0]}: {signed_duration(float(changes[0]))}{missed}"
        some = ", ".join(jobs[:MAX_NAMES]) + (" …" if len(jobs) > MAX_NAMES else "")
        missed = f", {np.count_nonzero(late > 0)} after their deadlines" if (late > 0).any() else ""
        span = f"{signed_duration(float(changes[0]))} to {signed_duration(float(changes[-1]))}"
        return f"{len(jobs)} jobs ({some}): {span}{missed}"

    def late_bars(self) -> NDArray[np.int64]:
        """Return the bars in which some job is done after its deadline."""
        if self.count == 0:
            return np.zeros(0, np.int64)
        return np.flatnonzero(np.maximum.reduceat(self.late, self.bounds[:-1]) > 0)

    def summary(self) -> str:
        """Count the jobs that gain and lose."""
        earlier, later = int((self.changes < 0).sum()), int((self.changes > 0).sum())
        same = len(self.names) - earlier - later
        text = f"{earlier} earlier, {later} later, {same} the same"
        late = int((self.late > 0).sum())
        text += f", {late} after {'its deadline' if late == 1 else 'their deadlines'}" if late else ""
        return text + (f", {self.left_out} in one schedule only" if self.left_out else "")

    def table(self) -> ChartTable:
        """Return every job with its change."""
        rows = zip(self.names, self.changes.tolist(), self.late.tolist(), strict=True)
        return ChartTable(("job", "later than in the baseline (s)", "after its deadline (s)"), tuple(rows))


NO_BARS = CompletionBars((), np.zeros(0), np.zeros(1, np.int64), np.zeros(0), 0, np.zeros(0))
"""Nothing is compared."""


def completion_bars(schedule: Schedule, baseline: Schedule) -> CompletionBars:
    """Compare two schedules job by job."""
    change = completion_change(schedule, baseline)
    known = np.flatnonzero(np.isfinite(change))
    order = known[np.argsort(change[known], kind="stable")]
    changes, jobs = change[order], schedule.workload.jobs
    bars = min(MAX_BARS, len(order))
    bounds = np.linspace(0, len(order), bars + 1).astype(np.int64) if bars else np.zeros(1, np.int64)
    # sorted, so the largest size in a bar is at one of its ends
    first, last = changes[bounds[:-1]], changes[bounds[1:] - 1]
    heights = np.where(np.abs(first) > np.abs(last), first, last)
    only = len(change) - len(order) + len(set(baseline.workload.job_index) - set(schedule.workload.job_index))
    late = np.maximum(lateness(schedule)[order], 0.0)
    return CompletionBars(tuple(jobs[i].name for i in order), changes, bounds, heights, only, late)
