"""Names are plain text on one line; the schema and the program agree on every character."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from core.files.resources import resource_path
from core.model.errors import LONGEST_NAME, LONGEST_TEXT, DocumentError, name_problems, text_problems
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload


@pytest.fixture(scope="module")
def definitions() -> dict[str, Any]:
    text = resource_path("schemas", "workload.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text)["$defs"])


def test_markup_and_every_script_are_names() -> None:
    for name in ("<b>bold</b>", "job & co", "作业", "нагрузка 7", "a\u00a0b", "🙂", ""):
        assert name_problems("x", name) == []


@pytest.mark.parametrize(
    "character", ["\n", "\r", "\t", "\0", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ud800"]
)
def test_control_characters_and_line_ends_are_not(character: str) -> None:
    (problem,) = name_problems("jobs[0].name", f"a{character}b")
    assert problem.where == "jobs[0].name"
    assert "control characters" in problem.rule


def test_a_description_may_have_lines_but_no_escapes() -> None:
    assert text_problems("description", "two\nlines\tand a tab") == []
    assert text_problems("description", "\x1b[31mred")


def test_lengths_are_limited() -> None:
    assert name_problems("x", "n" * LONGEST_NAME) == []
    assert name_problems("x", "n" * (LONGEST_NAME + 1))
    assert text_problems("x", "n" * (LONGEST_TEXT + 1))


@pytest.mark.parametrize(("definition", "rule"), [("line", name_problems), ("text", text_problems)])
def test_the_schema_refuses_the_same_characters(
    definitions: dict[str, Any], definition: str, rule: Any
) -> None:
    refused = re.compile(definitions[definition]["not"]["pattern"])
    # Beyond the basic plane there is nothing to refuse; a sample of it suffices.
    for code in [*range(0x10000), 0x1F600, sys.maxunicode]:
        assert bool(refused.search(chr(code))) == bool(rule("x", chr(code))), hex(code)


def test_the_schema_has_the_same_lengths(definitions: dict[str, Any]) -> None:
    assert definitions["line"]["maxLength"] == LONGEST_NAME
    assert definitions["text"]["maxLength"] == LONGEST_TEXT


def test_a_workload_cannot_hold_what_no_document_could() -> None:
    job = Job("a\nb", Stage.of(1, 1.0), pool="p\0", user="\x1b", dataset="\x07")
    with pytest.raises(DocumentError) as caught:
        Workload("w\r", (job,), description="\0", source="\x1b")
    assert [problem.where for problem in caught.value.problems] == [
        "name",
        "description",
        "source",
        "jobs[0].name",
        "jobs[0].pool",
        "jobs[0].user",
        "jobs[0].dataset",
    ]
