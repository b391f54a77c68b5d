"""How a study names a policy file: ``file:`` and the path of the file, seen from the study."""

from __future__ import annotations

from typing import Final

FILE: Final = "file:"
"""Before the path of a policy file, where the id of a policy may stand."""
ENDING: Final = ".py"
NO_FILE_NAME = "a policy file is named by its path, seen from the study, and ends in .py: file:mine.py"
WITHOUT_WORD = "a policy file is named with the word file before it: file:{}"


def is_file_policy(value: object) -> bool:
    """Whether a value of `policy.id` names a policy file."""
    return isinstance(value, str) and value.startswith(FILE)


def broken_name(value: object) -> str:
    """Return what is wrong with the name of a policy file, or an empty text; also of one without the word."""
    if not isinstance(value, str):
        return ""
    if not value.startswith(FILE):
        return WITHOUT_WORD.format(value) if value.endswith(ENDING) else ""
    path = value.removeprefix(FILE)
    is_right = path.endswith(ENDING) and path.isprintable() and path.rpartition("/")[2] != ENDING
    return "" if is_right else NO_FILE_NAME
