"""The candidates for a free slot as rows of a table, the preferred first; winner and runner-up stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont

from core.explain.words import KIND_WORDS, number
from explorer.explain.job_rows import Index, JobRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.decisions import Candidate, DecisionReason
    from core.model.workload import Workload

JOB, ANSWER, POOL_KEY, KEY, WAITING, TASK = range(6)
WINNER_ALPHA, SECOND_ALPHA = 60, 26
EMPHASIS = (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.FontRole)


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
