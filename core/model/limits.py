"""What values may be at most, and what names are: plain text that a chart, a table and a file can hold."""

from __future__ import annotations

import re

from core.model.errors import Problem, shorten

MOST_SLOTS = 100_000
"""Slots of one kind; a larger cluster is refused with a sentence."""

MOST_TASKS = 20_000_000
"""Tasks of one workload; more are refused with a sentence."""

MOST_SECONDS = 1e12
"""Every time of a workload, some 30 000 years: sums over all tasks stay exact and finite."""

LONGEST_NAME = 1000
LONGEST_TEXT = 100_000
"""Characters of a name, and of a description; longer ones are refused with a sentence."""

NOT_IN_NAMES = "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]"
NOT_IN_TEXTS = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ud800-\\udfff]"
"""Control characters, line ends and lone surrogates; texts may have line feeds and tabs."""

_NOT_IN_NAMES = re.compile(NOT_IN_NAMES)
_NOT_IN_TEXTS = re.compile(NOT_IN_TEXTS)
_NUMBER = re.compile(r"([0-9]{1,18})")


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


def by_number(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names by the numbers in them: ``node9`` before ``node10``."""
    # what the pattern has found stands between what it has not, in every second place
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(_NUMBER.split(name))]
