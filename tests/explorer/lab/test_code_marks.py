"""Brackets, comments, indents and colours of the editor pane, against Python's own reading of the text."""

from __future__ import annotations

import io
import keyword
import token
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QTextCursor, QTextDocument

from core.files.resources import resource_path
from explorer.lab.code_marks import (
    bracket_mark,
    commented,
    matching_brackets,
    underlined,
    unindented,
    whole_line,
)
from explorer.lab.python_colours import COLOURS, PythonColours
from explorer.widgets.theme import theme, translucent

PAIRS = {"(": ")", "[": "]", "{": "}"}
LINE = st.sampled_from(["", "  ", "x = 1", "    y", "  # z", "#", "        deep", "# a"])
LINES = st.lists(LINE, max_size=6)
NESTED = st.recursive(
    st.sampled_from(["", "a"]), lambda t: st.builds("{}({})[{}]".format, t, t, t), max_leaves=6
)


@given(NESTED)
def test_each_bracket_belongs_to_the_one_that_closes_it(text: str) -> None:
    stack, partner = [], {}
    for place, mark in enumerate(text):
        if mark in PAIRS:
            stack.append(place)
        elif mark in PAIRS.values():
            partner[place] = stack.pop()
            partner[partner[place]] = place
    for at in range(len(text) + 1):
        beside = [place for place in (at - 1, at) if place in partner]
        assert matching_brackets((text, at)) == ((beside[0], partner[beside[0]]) if beside else ())


def test_a_bracket_that_nothing_closes_has_no_partner() -> None:
    assert matching_brackets(("(a", 0)) == ()
    assert matching_brackets(("a)", 2)) == ()
    assert matching_brackets(("{(}", 1)) == (0, 2)  # each kind is counted by itself
    assert matching_brackets(("", 0)) == ()
    assert matching_brackets(("a(", 0)) == ()


@given(LINES)
def test_what_is_put_behind_a_comment_sign_comes_back(lines: list[str]) -> None:
    behind = commented(lines)
    code = [line for line in lines if line.strip()]
    if code and all(line.lstrip().startswith("#") for line in code):
        return
    assert all(line.lstrip().startswith("#") for line in behind if line.strip())
    assert len({len(line) - len(line.lstrip()) for line in behind if line.strip()}) <= 1  # in one column
    assert commented(behind) == lines or not code


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["  a", "    b", ""], ["  # a", "  #   b", ""]),
        (["# a", "b"], ["# # a", "# b"]),
        (["  #a", "# b"], ["  a", "b"]),
        ([], []),
    ],
)
def test_lines_are_commented_all_or_none(lines: list[str], expected: list[str]) -> None:
    assert commented(lines) == expected


def test_an_indent_is_taken_away_as_far_as_there_is_one() -> None:
    assert unindented(["        a", "    b", "  c", "d", ""]) == ["    a", "b", "c", "d", ""]


def test_marks_cover_what_they_are_for(qapp) -> None:
    """A wave runs below the words alone, a bracket is one letter, a line is as wide as the window."""
    document = QTextDocument("first\n    x = (1)  ")
    block, ink = document.findBlockByNumber(1), QColor(10, 20, 30)
    wave = underlined(block, ink)
    assert wave.cursor.selectedText() == "x = (1)  "
    assert wave.format.underlineColor() == ink
    mark = bracket_mark(document, block.position() + 8, ink)
    assert mark.cursor.selectedText() == "("
    assert mark.format.background().color().getRgb() == (10, 20, 30, 90)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    line = whole_line(cursor, ink)
    assert not line.cursor.hasSelection()
    assert line.format.boolProperty(line.format.Property.FullWidthSelection)
    assert translucent(ink, 4).getRgb() == (10, 20, 30, 4)


def colours_of(text: str) -> list[list[str]]:
    """Return the kind of every letter, line by line; empty where it has no colour of its own."""
    document = QTextDocument(text)
    highlighter = PythonColours(document, theme(False))
    assert highlighter.document() is document
    kinds = {QColor(light).rgb(): kind for kind, (_, light) in COLOURS.items()}
    found = []
    for number in range(document.blockCount()):
        block = document.findBlockByNumber(number)
        line = [""] * len(block.text())
        for part in block.layout().formats():
            kind = kinds[part.format.foreground().color().rgb()]
            line[part.start : part.start + part.length] = [kind] * part.length
        found.append(line)
    return found


POLICIES = sorted(resource_path("policies").rglob("*.py"))


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_texts_comments_numbers_and_keywords_are_coloured_as_python_reads_them(qapp, path) -> None:
    text = path.read_text(encoding="utf-8")
    colours = colours_of(text)
    names = {token.STRING: "text", token.COMMENT: "comment", token.NUMBER: "number"}
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = "keyword" if keyword.iskeyword(each.string) else names.get(each.type)
        if kind is None:
            continue
        for line in range(each.start[0], each.end[0] + 1):
            first = each.start[1] if line == each.start[0] else 0
            last = each.end[1] if line == each.end[0] else len(colours[line - 1])
            assert set(colours[line - 1][first:last]) <= {kind}, (each.string, line)


def test_a_text_over_several_lines_ends_at_its_own_quotes(qapp) -> None:
    lines = colours_of("a = '''one\n\"\"\" two\nthree''' + 4\nchoose = 5")
    assert lines[0] == [""] * 4 + ["text"] * 6
    assert set(lines[1]) == {"text"}
    assert lines[2] == ["text"] * 8 + [""] * 3 + ["number"]
    assert lines[3][-1] == "number"
