"""The table of the types of questions, and the reader of questions of any type."""

from __future__ import annotations

from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

from core.lessons.questions import options, order, times
from core.model.errors import Problem

if TYPE_CHECKING:
    from core.lessons.questions.question import LessonQuestion

_TYPES: tuple[type[LessonQuestion], ...] = (
    options.NextJobQuestion,
    order.OrderQuestion,
    order.ByHandQuestion,
    times.MakespanQuestion,
    options.IdleFirstQuestion,
    times.TimeQuestion,
    options.EndsFirstQuestion,
    options.ChoiceQuestion,
)
QUESTION_TYPES: dict[str, type[LessonQuestion]] = {each.kind: each for each in _TYPES}
"""By the names of documents, in the order of the schema and of lists."""


def question_from_json(
    document: dict[str, Any], where: str, problems: list[Problem]
) -> LessonQuestion | None:
    """Return the question of a part of a document that keeps the schema.

    None for one with keys that its type does not have, or without those that it needs; they are added to the
    problems.
    """
    kind = document["kind"]
    own = QUESTION_TYPES[kind].own_fields()
    others = {key for each in _TYPES for key in each.own_fields()} - own.keys()
    mistakes = [
        Problem(f"{where}.{key}", "", f"a question of kind '{kind}' has no '{key}'; leave it out")
        for key in sorted(document.keys() & others)
    ]
    mistakes += [
        Problem(f"{where}.{key}", "", f"missing; a question of kind '{kind}' needs it")
        for key in sorted(own.keys() - document.keys())
        if own[key].default is MISSING
    ]
    if {"scenario", "guest"} <= document.keys():
        mistakes.append(Problem(where, "", "name a scenario or a guest, not both"))
    problems += mistakes
    return None if mistakes else QUESTION_TYPES[kind].from_json(document)
