"""Tables of jobs at an instant: the queues, and the candidates for a free slot, the preferred first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from core.explain.words import KIND_WORDS, number
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.decisions import Candidate, DecisionReason
    from core.explain.instant import Instant, Waiting
    from core.model.workload import Workload


Index = QModelIndex | QPersistentModelIndex
JOB = 0
ROOT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_, ANSWER, POOL_KEY, KEY, WAITING, TASK = range(6)
WINNER_ALPHA, SECOND_ALPHA = 60, 26
EMPHASIS = (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.FontRole)


class HasJob(Protocol):
    """What a row is about."""

    @property
    def job(self) -> int:
        """Index of its job."""


class JobRows(QAbstractTableModel):
    """One row per job, its name first.

    Attributes
    ----------
    headings, help : of each column
    figures : columns of numbers
    """

    headings: ClassVar[Sequence[str]] = ()
    help: ClassVar[Sequence[str]] = ()
    figures: ClassVar[Sequence[int]] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workload: Workload | None = None
        self._colour_of: Callable[[int], QColor] | None = None

    # ---- what the tables fill in

    def rows(self) -> Sequence[HasJob]:
        """Return what the rows are about."""
        raise NotImplementedError

    def texts(self, row: int) -> tuple[str, ...]:
        """Return what a row says."""
        raise NotImplementedError

    # ---- what they share

    def job_name(self, row: int) -> str:
        """Return the name of a row's job."""
        assert self.workload is not None  # or there would be no row
        return self.workload.jobs[self.rows()[row].job].name

    def set_job_colours(self, colour_of: Callable[[int], QColor] | None) -> None:
        """Take the jobs' colours, by place in the workload."""
        self._colour_of = colour_of
        if self.rowCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, JOB), last)

    def to_text(self) -> str:
        """Return headings and rows, separated by tabs."""
        rows = ("\t".join(self.texts(row)) for row in range(self.rowCount()))
        return "\n".join(["\t".join(self.headings), *rows])

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many jobs there are."""
        return 0 if parent.isValid() else len(self.rows())

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(self.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        """Name the columns and say what they mean."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self.figures:
            return RIGHT
        return self.help[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return a cell's text, swatch, alignment or tooltip."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts(row)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{self.headings[column]}: {self.texts(row)[column] or '–'}")
        if role == Qt.ItemDataRole.DecorationRole and column == JOB and self._colour_of is not None:
            return self._colour_of(self.rows()[row].job)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in self.figures:
            return RIGHT
        return None


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


class CandidatesModel(JobRows):
    """One row per candidate."""

    headings = ("Job", "Answer", "Pool key", "Key", "Waiting", "For")
    help = (
        "Which job could take the slot, the preferred first",
        "What the policy says",
        "What the policy compares pools by; the smallest goes first",
        "What the policy compares jobs by; the smallest goes first",
        "How many of its tasks of that kind wait",
        "Which kind of task it would start",
    )
    figures = (POOL_KEY, KEY, WAITING)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reason: DecisionReason | None = None
        self._highlight = QColor()

    def show(self, workload: Workload | None, reason: DecisionReason | None) -> None:
        """Show the candidates of a decision, or none."""
        self.beginResetModel()
        self.workload, self._reason = workload, reason
        self.endResetModel()

    def set_colours(self, colour_of: Callable[[int], QColor] | None, highlight: QColor) -> None:
        """Take the jobs' colours, and the one that lets rows stand out."""
        self._highlight = highlight
        self.set_job_colours(colour_of)

    def rows(self) -> Sequence[Candidate]:
        """What is shown."""
        return self._reason.candidates if self._reason is not None else ()

    def needless_columns(self) -> dict[int, bool]:
        """Return of some columns whether they say nothing here: no keys, one pool, or one kind of task."""
        return {
            POOL_KEY: len({candidate.pool_key for candidate in self.rows()}) < 2,
            KEY: not any(candidate.key for candidate in self.rows()),
            TASK: len({candidate.kind for candidate in self.rows()}) < 2,
        }

    def answer(self, candidate: Candidate) -> str:
        """Say what the policy answers about a candidate."""
        assert self._reason is not None  # or there would be no candidate
        if candidate is self._reason.winner:
            return "✓ gets it"
        if candidate is self._reason.runner_up:
            return "next"
        if not candidate.lends:
            return "slot not lent"
        if not candidate.pool_admits:
            return "pool not admitted"
        return "" if candidate.admits else "not admitted"

    def texts(self, row: int) -> tuple[str, ...]:
        """Return what a row says."""
        candidate = self.rows()[row]
        return (
            self.job_name(row),
            self.answer(candidate),
            key_text(candidate.pool_key),
            key_text(candidate.key),
            str(candidate.pending),
            KIND_WORDS[candidate.kind],
        )

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return a cell's text, colours and font."""
        if role in EMPHASIS:
            return self._emphasis(self.rows()[index.row()], role)
        return super().data(index, role)

    def _emphasis(self, candidate: Candidate, role: int) -> QColor | QFont | None:
        if self._reason is None or candidate not in (self._reason.winner, self._reason.runner_up):
            return None
        wins = candidate is self._reason.winner
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(wins)
            return font
        tint = QColor(self._highlight)
        tint.setAlpha(WINNER_ALPHA if wins else SECOND_ALPHA)
        return tint


def key_text(key: Sequence[float]) -> str:
    """Write what a policy compares: a number, or several in the order in which they count."""
    return ", ".join(number(value) for value in key)
