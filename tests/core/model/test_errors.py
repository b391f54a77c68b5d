"""Messages: the nearest name, shortened values, all problems of a file."""

from __future__ import annotations

import pytest

from core.model import errors
from core.model.errors import DocumentError, InputError, Problem, SlotscopeError, UnknownName, did_you_mean


def test_the_tree() -> None:
    bad_input = (errors.DocumentError, errors.TraceError, errors.UnknownFormat, errors.UnknownName)
    assert all(issubclass(kind, InputError) for kind in bad_input)
    others = (errors.InputError, errors.PolicyError, errors.StalledError, errors.Cancelled)
    assert all(issubclass(kind, SlotscopeError) for kind in others)
    assert not any(issubclass(kind, InputError) for kind in others[1:])


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (
            Problem("jobs[3].weight", "0", "must be above 0"),
            "jobs[3].weight is 0; must be above 0",
        ),
        (Problem("jobs[3]", "", "a job needs a task"), "jobs[3]: a job needs a task"),
    ],
)
def test_a_problem_is_a_sentence(problem: Problem, sentence: str) -> None:
    assert str(problem) == sentence


def test_a_document_error_lists_its_problems() -> None:
    error = DocumentError("five", [Problem("a", "1", "must be 2"), Problem("b", "", "is missing")])
    assert str(error) == "five: a is 1; must be 2\nfive: b: is missing"


def test_at_most_fifty_problems() -> None:
    error = DocumentError("five", [Problem("a", str(i), "wrong") for i in range(51)])
    assert len(error.problems) == 50
    assert str(error).splitlines()[-1] == "five: … and more; only the first 50 problems are listed"
    assert "more" not in str(DocumentError("five", [Problem("a", str(i), "wrong") for i in range(50)]))


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("jonson", "; did you mean 'johnson'?"),
        ("xyz", "; known are fair, fifo, johnson"),
        ("FIFO", "; known are fair, fifo, johnson"),
    ],
)
def test_unknown_names(name: str, ending: str) -> None:
    assert str(UnknownName("policy", name, {"johnson", "fifo", "fair"})) == f"unknown policy '{name}'{ending}"


def test_nothing_known() -> None:
    assert str(UnknownName("job", "x", [])) == "unknown job 'x'"


@pytest.mark.parametrize(
    "value",
    ["x" * 10_000, ["y"] * 10_000, {"k": "z" * 500}, 10**5000],
    ids=["text", "list", "object", "number"],
)
def test_long_values_are_cut(value: object) -> None:
    assert len(errors.shorten(value)) <= 60


def test_short_values_are_shown_whole_as_documents_write_them() -> None:
    assert errors.shorten("a b") == "'a b'"
    assert [errors.shorten(value) for value in (None, True, False)] == ["null", "true", "false"]


def test_many_names_and_a_long_one_make_a_short_sentence():
    hint = did_you_mean("?" * 10_000, (f"job {i}" for i in range(5000)))
    assert hint.startswith("; known are job 0, job 1, ")
    listed, more = hint.removeprefix("; known are ").split(", and ")
    assert len(listed.split(", ")) + int(more.removesuffix(" more")) == 5000
    assert len(hint) + len(str(UnknownName("job", "?" * 10_000, []))) < 2500
