"""The jobs that wait for a slot of one kind, in the policy's order, as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.explain.job_rows import JobRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from core.explain.instant import Instant, Waiting
    from core.model.workload import Workload


class QueueModel(JobRows):
    """One row per waiting job."""

    headings = ("Job", "Waiting", "Running", "Done")
    help = (
        "In the order of the policy's queue",
        "Tasks that could start",
        "Tasks that run",
        "Tasks that are complete",
    )
    figures = (1, 2, 3)

    def __init__(self, kind: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._instant: Instant | None = None

    def show(self, workload: Workload | None, instant: Instant | None) -> None:
        """Show the queue of an instant, or nothing."""
        self.beginResetModel()
        self.workload, self._instant = workload, instant
        self.endResetModel()

    def rows(self) -> Sequence[Waiting]:
        """What is shown."""
        return self._instant.queues[self._kind] if self._instant is not None else ()

    @property
    def pending(self) -> int:
        """How many tasks wait."""
        return sum(waiting.pending for waiting in self.rows())

    def texts(self, row: int) -> tuple[str, ...]:
        """Return what a row says."""
        assert self._instant is not None  # or there would be no row
        waiting = self.rows()[row]
        counts = (self._instant.running[waiting.job, self._kind], self._instant.done[waiting.job, self._kind])
        return self.job_name(row), str(waiting.pending), *map(str, counts)
