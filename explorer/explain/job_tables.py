"""Tables of jobs at an instant: the queues, and the candidates for a free slot with what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.explain.standing import in_column
from explorer.widgets.layouts import column
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.decisions import Candidate, DecisionReason
    from core.explain.instant import Instant
    from core.model.workload import Workload
    from core.policies.explains import Number
    from explorer.explain.comparing import Side

QUEUE_HELP = "In the order of the policy's queue"
NO_OFFER = "No slot was offered then that a task could use."
JOB, ANSWER = range(2)
WINNER_ALPHA, SECOND_ALPHA = 60, 26
TYPICAL_JOB, TYPICAL_COUNT = "J000 copy", "00000"
MIN_DIGITS, DIGITS_STEP = 6, 4
"""Digits that a number of a policy has room for, and by how many this grows."""


@dataclass(frozen=True)
class AboutJob:
    """What a row is about: the index and the name of a job."""

    job: int
    name: str


Row = TypeVar("Row", bound=AboutJob)


class JobRows(RowsModel[Row], Generic[Row]):
    """Rows about jobs, each with the colour that its job has in the charts."""

    def __init__(self, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(columns, parent)
        self._colour_of: Callable[[int], QColor] | None = None

    def set_job_colours(self, colour_of: Callable[[int], QColor] | None) -> None:
        """Take the jobs' colours, by place in the workload."""
        self._colour_of = colour_of
        self.refresh()

    def job_style(self, row: Row, role: int) -> QColor | None:
        """Return the swatch in front of a job's name."""
        if role != Qt.ItemDataRole.DecorationRole or self._colour_of is None:
            return None
        return self._colour_of(row.job)


@dataclass(frozen=True)
class QueueRow(AboutJob):
    """A job that waits, and how many of its tasks of one kind wait, run and are complete."""

    waiting: int
    running: int
    done: int


class QueueModel(JobRows[QueueRow]):
    """The jobs that wait for a slot of one kind, in the policy's order."""

    def __init__(self, kind: int, parent: QObject | None = None) -> None:
        super().__init__(
            (
                Column("Job", lambda row: row.name, QUEUE_HELP, typical=TYPICAL_JOB, style=self.job_style),
                _count("Waiting", "Tasks that could start", lambda row: row.waiting),
                _count("Running", "Tasks that run", lambda row: row.running),
                _count("Done", "Tasks that are complete", lambda row: row.done),
            ),
            parent,
        )
        self._kind = kind

    def show(self, workload: Workload | None, instant: Instant | None) -> None:
        """Show the queue of an instant, or nothing."""
        rows = []
        if workload is not None and instant is not None:
            stages = workload.columns.stages
            for waiting in instant.queues[self._kind]:
                own = stages.of_type(waiting.job, self._kind)
                counts = (waiting.tasks, int(instant.running[own].sum()), int(instant.done[own].sum()))
                rows.append(QueueRow(waiting.job, workload.jobs[waiting.job].name, *counts))
        self.show_rows(rows)


def _count(title: str, help_text: str, count: Callable[[QueueRow], int]) -> Column[QueueRow]:
    return Column(title, lambda row: str(count(row)), help_text, is_number=True, typical=TYPICAL_COUNT)


@dataclass(frozen=True)
class CandidateRow(AboutJob):
    """A job that could take the slot, the policy's account of it, and the kind of task in words."""

    candidate: Candidate
    answer: str
    kind: str


def _room_for(declared: Number, candidates: Sequence[Candidate]) -> int:
    """Return how many digits the texts of a number need, in steps, so that columns seldom change."""
    texts = (in_column(each.standing.numbers.get(declared.name), declared) for each in candidates)
    return max(MIN_DIGITS, -(-max(map(len, texts), default=0) // DIGITS_STEP) * DIGITS_STEP)


class CandidatesModel(JobRows[CandidateRow]):
    """The candidates of one decision; winner and runner-up stand out, and tips explain where each stands."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._reason: DecisionReason | None = None
        self._highlight = QColor()
        self._numbers_and_kinds: tuple[Sequence[Number], Sequence[int], int] = ((), (), 1)
        super().__init__(self._columns(*self._numbers_and_kinds), parent)

    def _columns(
        self, numbers: Sequence[Number], lengths: Sequence[int], kinds: int
    ) -> tuple[Column[CandidateRow], ...]:
        """Return the columns, among them one for each number that the policy decides by.

        Each has room for so many digits: no part of a key is cut off.
        """

        def of_number(declared: Number, length: int) -> Column[CandidateRow]:
            def text(row: CandidateRow) -> str:
                return in_column(row.candidate.standing.numbers.get(declared.name), declared)

            return Column(declared.title, text, declared.meaning, True, "0" * length, style=self._style)

        def style(row: CandidateRow, role: int) -> object:
            return self.job_style(row, role) or self._style(row, role)

        def waiting(row: CandidateRow) -> str:
            return str(row.candidate.pending)

        tip, tint = _whole_standing, self._style
        who = "Which job could take the slot, the preferred first"
        what, wait = "What the policy says", "How many of its tasks of that kind wait"
        columns = (
            Column("Job", lambda row: row.name, who, False, TYPICAL_JOB, tip, style=style),
            Column("Answer", lambda row: row.answer, what, False, "not admitted", tip, style=tint),
            *map(of_number, numbers, lengths),
            Column("Waiting", waiting, wait, True, TYPICAL_COUNT, style=tint),
            Column("For", lambda row: row.kind, "The kind of task it would start", style=tint),
        )
        return columns if kinds > 1 else columns[:-1]

    def show(self, workload: Workload | None, reason: DecisionReason | None) -> None:
        """Show the candidates of a decision, or none; of the numbers those that some of them have."""
        self._reason = reason
        if reason is None or workload is None:
            self.show_rows(())
            return
        known = {name for each in reason.candidates for name in each.standing.numbers}
        numbers = [each for each in reason.numbers if each.name in known]
        lengths = [_room_for(each, reason.candidates) for each in numbers]
        shown = numbers, lengths, len({each.kind for each in reason.candidates})
        columns = None if shown == self._numbers_and_kinds else self._columns(*shown)
        self._numbers_and_kinds = shown
        rows = [
            CandidateRow(
                each.job,
                workload.jobs[each.job].name,
                each,
                self._answer(each),
                workload.type_words[each.kind],
            )
            for each in reason.candidates
        ]
        self.show_rows(rows, columns)

    def set_colours(self, colour_of: Callable[[int], QColor] | None, highlight: QColor) -> None:
        """Take the jobs' colours, and the one that lets rows stand out."""
        self._highlight = highlight
        self.set_job_colours(colour_of)

    def _answer(self, candidate: Candidate) -> str:
        """Return what the policy answers about a candidate."""
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

    def _style(self, row: CandidateRow, role: int) -> object:
        """Return the background and the font by which winner and runner-up stand out."""
        if self._reason is None or row.candidate not in (self._reason.winner, self._reason.runner_up):
            return None
        wins = row.candidate is self._reason.winner
        if role == Qt.ItemDataRole.FontRole:
            return bold_font() if wins else None
        if role != Qt.ItemDataRole.BackgroundRole:
            return None
        return translucent(self._highlight, WINNER_ALPHA if wins else SECOND_ALPHA)


def _whole_standing(row: CandidateRow) -> str:
    """Return the policy's whole account of a candidate."""
    standing = row.candidate.standing
    pool = f"its pool {standing.pool}" if standing.pool else ""
    return f"{row.name}: {'; '.join(filter(None, (standing.job, pool, standing.refusal)))}"


class DecisionSide(QWidget):
    """Shows what one side does at a difference, and all that it could choose from.

    Signals
    -------
    job_chosen : the name of a job whose row was chosen
    """

    job_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel()
        self.title.setFont(bold_font(self.title.font()))
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop)  # where it has no room, its end is cut
        self.candidates = CandidatesModel(self)
        self.table = ReadTable(self.candidates, "Candidates", widest=0)
        self.table.empty_text = NO_OFFER
        self.table.chosen.connect(lambda row: self.job_chosen.emit(row.name))
        column(self.title, self.sentence, (self.table, 1), parent=self, margins=(4, 0, 4, 2), spacing=2)

    def show_side(self, side: Side | None) -> None:
        """Show an answer, or nothing."""
        title = side.title if side is not None else ""
        self.title.setText(title)
        self.table.setAccessibleName(f"Candidates under {title}")
        reason = side.reason if side is not None else None
        why = reason.sentences[1:] if reason is not None else ()
        self.sentence.setText("\n".join((side.sentence, *why)) if side is not None else "")
        self.sentence.setVisible(bool(self.sentence.text()))
        self.candidates.show(side.schedule.workload if side is not None else None, reason)

    def to_text(self) -> str:
        """Return everything that is shown, the table separated by tabs."""
        parts = [self.title.text(), self.sentence.text() or NO_OFFER]
        return "\n".join([*parts, self.candidates.to_text()] if self.candidates.rowCount() else parts)
