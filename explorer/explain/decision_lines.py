"""A decision line by line, as a table: what each hook ran for each candidate, with its values and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt

from core.explain.decision_steps import values_text
from core.explain.explanation_words import listed
from explorer.widgets.tables import Column, RowsModel, bold_font

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QObject

    from core.explain.decision_steps import CandidateSteps
    from core.model.workload import Workload

MAX_NAMED = 4
"""Jobs that one row names."""
INDENT = "    "
NO_LINES = (
    "No hook of this policy looks at single candidates here: its order alone decides, or no slot is offered."
)


class CodeRow(NamedTuple):
    """A line that ran, or what a hook answered.

    Attributes
    ----------
    name : of the first candidate about which it ran
    whom : the candidates, on the first row about them
    line : of the file; 0 for an answer
    code : the line, or the answer
    values : what stands for what there
    """

    name: str
    whom: str
    line: int
    code: str
    values: str


class CodeLinesModel(RowsModel[CodeRow]):
    """The lines of all candidates, the preferred one first; those that ran alike are one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            (
                Column(
                    "About",
                    lambda row: row.whom,
                    "The candidates about which these lines ran, the preferred ones first",
                    typical="J1, J2 and 3 more",
                    style=self._style,
                    gives_way=True,
                ),
                Column(
                    "Line",
                    lambda row: str(row.line or ""),
                    "Of the file",
                    is_number=True,
                    typical="0000",
                    gives_way=True,
                ),
                Column(
                    "What ran",
                    lambda row: row.code,
                    "The line of the hook, or of a function that it calls; below them the hook's answer",
                    typical="return kind, job.tasks[kind] - job",
                    style=self._style,
                    narrow=_in_one,
                    narrow_style=self._style,
                ),
                Column(
                    "Values",
                    lambda row: row.values,
                    "What stood for what on that line",
                    typical="job = J1, kind = map, job.running[kind] = 3, job.weight = 1, share = 0.5",
                    gives_way=True,
                ),
            ),
            parent,
        )

    def show(self, workload: Workload | None, candidates: Sequence[CandidateSteps]) -> None:
        """Show the lines of a decision, or none."""
        self.show_rows(() if workload is None else tuple(_rows(workload, candidates)))

    def _style(self, row: CodeRow, role: int) -> object:
        return bold_font() if role == Qt.ItemDataRole.FontRole and not row.line else None


def _in_one(row: CodeRow) -> str:
    """Return a row for one column: whom it is about, the line, and the values below it."""
    whom = f"{row.whom}:" if row.whom else ""
    line = f"{row.line}: {row.code}" if row.line else row.code
    return "\n".join(filter(None, (whom, line, row.values)))


def _rows(workload: Workload, candidates: Sequence[CandidateSteps]) -> Iterator[CodeRow]:
    for group in candidates:
        names = [workload.jobs[job].name for job in group.jobs]
        more = len(names) - MAX_NAMED
        whom = listed([*names[:MAX_NAMED], *([f"{more} more"] if more > 0 else [])])
        for call in group.calls:
            for step in call.steps:
                yield CodeRow(names[0], whom, step.line, INDENT * step.depth + step.code, values_text(step))
                whom = ""
            left_out = f"{call.left_out} lines more" if call.left_out else ""
            yield CodeRow(names[0], whom, 0, f"{call.hook} answers {call.answer}", left_out)
            whom = ""
