"""The rule for names: plain text that a chart, a table and a file can hold unchanged."""

from __future__ import annotations

import re

from core.model.errors import Problem, shorten

LONGEST_NAME = 1000
LONGEST_TEXT = 100_000
"""Characters of a name, and of a description; longer ones are refused with a sentence."""

NOT_IN_NAMES = "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]"
NOT_IN_TEXTS = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ud800-\\udfff]"
"""Control characters, line ends and lone surrogates; texts may have line feeds and tabs."""

_NOT_IN_NAMES = re.compile(NOT_IN_NAMES)
_NOT_IN_TEXTS = re.compile(NOT_IN_TEXTS)


def name_problems(where: str, value: str) -> list[Problem]:
    """Return the rule that a name of one line breaks, if any."""
    if len(value) > LONGEST_NAME or _NOT_IN_NAMES.search(value):
        rule = f"names are one line of at most {LONGEST_NAME} characters without control characters"
        return [Problem(where, shorten(value), rule)]
    return []


def text_problems(where: str, value: str) -> list[Problem]:
    """Return the rule that a description breaks, if any; it may have several lines."""
    if len(value) > LONGEST_TEXT or _NOT_IN_TEXTS.search(value):
        rule = f"give at most {LONGEST_TEXT} characters; control characters are not allowed"
        return [Problem(where, shorten(value), rule)]
    return []
