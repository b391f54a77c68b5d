"""The sentences that imports can say, as they stand in the source, and what the import of files says."""

from __future__ import annotations

import ast
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from core.logs.open_log import open_trace
from core.logs.report_line import line_of, short_line_of
from core.logs.unknown_table import outcome_text
from core.model.errors import InputError, UnknownTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from core.logs.open_log import Imported

READERS = Path(__file__).parents[3] / "core" / "logs"
NO_SENTENCES = {"MEANINGS", "UNITS", "DURATION_UNITS", "_WORDS", "PHRASES", "_ENDINGS", "RESULTS", "_KINDS"}
"""Tables of words: of headings, of a dialog, of what a log contains."""
NO_REPORT = {
    *("compile", "match", "fullmatch", "search", "sub", "_matches", "holds_marks", "Parameter"),
    *("Cancelled", "ValueError", "fields_of", "get"),
}
"""Calls whose texts are in no report: patterns, keys of logs, what parameters mean, what nobody is shown."""
_PLACE = re.compile(r"\{[^{}]*\}")
_KEY = re.compile(r"[A-Z][a-z]+(?: (?:of )?[A-Z][a-z]+)+|\w+\[[\w, \[\]|.]+\]")
"""A key of a log, or a type."""


class Sentence(NamedTuple):
    """A text of a reader: where it stands, and its parts between what is filled in."""

    where: str
    text: str
    parts: tuple[str, ...]

    def is_in(self, line: str) -> bool:
        """Whether a line has all parts in their order."""
        begin = 0
        for part in self.parts:
            found = line.find(part, begin)
            if found < 0:
                return False
            begin = found + len(part)
        return True


class Case(NamedTuple):
    """Files that are imported together.

    Attributes
    ----------
    says : what the import must say, each in one line
    files : by their names; the first one is named if there is but one, else their folder is
    parameters : of the import
    limits : names of constants, with what they are instead
    """

    says: Sequence[str]
    files: Mapping[str, str | bytes]
    parameters: Mapping[str, object] = {}
    limits: Mapping[str, object] = {}


def sentences() -> Iterator[Sentence]:
    """Yield every text of three words or more in the readers that a report or a refusal may have."""
    for path in sorted(READERS.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        passed_over = {id(each) for node in ast.walk(tree) for each in _not_said(node)}
        for node in ast.walk(tree):
            if id(node) not in passed_over and (text := _text_of(node)) and _is_sentence(text):
                parts = [" ".join(part.split()) for part in _PLACE.split(text)]
                where = f"{path.name}, line {getattr(node, 'lineno', 0)}"
                yield Sentence(where, text, tuple(filter(None, parts)))


def _not_said(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what of a node is no text of a report."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_call = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in NO_REPORT
    is_table = isinstance(node, ast.Assign | ast.AnnAssign) and (
        ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) in NO_SENTENCES
    )
    if is_docstring or is_call or is_table or isinstance(node, ast.Assert):
        yield from ast.walk(node)
    elif isinstance(node, ast.JoinedStr):
        yield from node.values


def _text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def _is_sentence(text: str) -> bool:
    words = re.findall("[A-Za-z]{2,}", text)
    return len(words) > 2 and " " in text.strip() and not _KEY.fullmatch(text)


def said_of(case: Case) -> list[str]:
    """Return all lines that the import of a case says: report, its short forms, description, or refusal."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        for file, content in case.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        for constant, value in case.limits.items():
            patch.setattr(constant, value)
        paths = [folder / file for file in case.files] if len(case.files) == 1 else [folder]
        try:
            lines = list(_lines(open_trace(paths, parameters=case.parameters)))
        except InputError as error:
            lines = [str(error)]
            if isinstance(error, UnknownTable):
                with suppress(InputError):
                    lines.append(outcome_text(error.table.outcome(error.table.guess), error.table))
    return [" ".join(line.split()) for line in lines]


def _lines(imported: Imported) -> Iterator[str]:
    report = imported.report
    yield from report.to_text(100_000).split("\n")
    yield from (line_of(report, 1.0), short_line_of(report), report.heading)
    yield from imported.workload.description.split("\n")
    yield from (f"{row.where}: {row.what}" for row in report.rows())
