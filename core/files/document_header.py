"""The first thing a document says: what kind of file it is and in which version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeGuard

from core.files.json_text import head_of
from core.model.errors import DocumentError, Problem, did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Collection

WORKLOAD_FORMAT = "slotscope-workload"
SESSION_FORMAT = "slotscope-session"

SNIFFED_BYTES = 64 * 2**20
"""A document says what it is within this many bytes, unpacked; give less of a file to look at less."""

_FORMAT = re.compile(rb'"format"\s*:\s*"(slotscope-[a-z]+)"')


def formats_in(data: bytes) -> set[str]:
    """Return the formats that a file's bytes name without parsing them (empty for other files).

    A session names two: its own, and that of the workload inside.
    """
    data = head_of(data, SNIFFED_BYTES)
    if not data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{"):
        return set()
    return {match.decode() for match in _FORMAT.findall(data)}


def check_header(document: Any, name: str, file_format: str, versions: Collection[int]) -> int:
    """Return the version of a document of the wanted format.

    Raises
    ------
    DocumentError
        not an object, another format, or a version that this program does not know
    """
    problem = _header_problem(document, file_format, versions)
    if problem:
        raise DocumentError(name, [problem])
    return int(document["version"])


def _header_problem(document: Any, file_format: str, versions: Collection[int]) -> Problem | None:
    if not isinstance(document, dict):
        rule = f'must be an object that begins {{"format": "{file_format}", "version": {max(versions)}'
        return Problem("document", shorten(document, 30), rule)
    if "format" not in document:
        return Problem("format", "", f'missing; this must be a document with "format": "{file_format}"')
    given, version = document["format"], document.get("version")
    if given != file_format:
        hint = did_you_mean(str(given)[:60], [file_format])
        return Problem("format", shorten(given), f"not the format that is expected here{hint}")
    if "version" not in document:
        return Problem("version", "", f"missing; the present version is {max(versions)}")
    if not _is_number(version) or version not in versions:
        return Problem("version", shorten(version), _version_rule(version, versions))
    return None


def _version_rule(version: object, versions: Collection[int]) -> str:
    newest = max(versions)
    known = f"version {newest}" if len(versions) == 1 else f"versions {min(versions)} to {newest}"
    advice = "install a newer one" if _is_number(version) and version > newest else "correct the number"
    return f"this Slotscope reads {known}; {advice}"


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
