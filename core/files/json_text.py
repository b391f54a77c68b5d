"""From a file's bytes to a JSON value: gzip, text, syntax, header; every fault becomes a sentence."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import json
import math
import os
import re
import stat
import zlib
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from core.model.errors import MAX_PROBLEMS, DocumentError, InputError, Problem, did_you_mean, shorten
from core.model.input_budget import OverBudget, UnpackingBudget
from core.model.json_pieces import TooMuch, loads
from core.model.limits import MAX_DOCUMENT_BYTES, is_number
from core.model.progress import no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator


Path = tuple[str | int, ...]
"""The way to a value inside a document: keys and list indices."""

GZIP_MAGIC = b"\x1f\x8b"

WORKLOAD_FORMAT = "slotscope-workload"
SESSION_FORMAT = "slotscope-session"
PLAN_FORMAT = "slotscope-plan"
STUDY_FORMAT = "slotscope-study"
LESSON_FORMAT = "slotscope-lesson"
CERTIFICATE_FORMAT = "slotscope-certificate"
FRONT_FORMAT = "slotscope-front"

PIECE = 1 << 20
"""Bytes that are unpacked at a time."""

SNIFFED_BYTES = 64 * 2**20
"""A document says what it is within this many bytes, unpacked; give less of a file to look at less."""

_FORMAT = re.compile(rb'"format"\s*:\s*"(slotscope-[a-z]+)"')


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a regular file; every reason why not is an InputError."""
    return _within_limit(read_head(path, MAX_DOCUMENT_BYTES + 1), str(path))


def read_head(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first bytes of a regular file as they are, packed or not; raises InputError with why not."""
    try:
        with open(path, "rb", opener=_open_regular) as file:
            return file.read(size)
    except FileNotFoundError:
        raise InputError(f"file '{path}' does not exist; check its name and folder") from None
    except IsADirectoryError:
        raise InputError(f"'{path}' is a folder; choose a file in it") from None
    except PermissionError:
        raise InputError(f"file '{path}' may not be read; ask its owner for permission") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"file '{path}' cannot be read: {reason}") from error


def _open_regular(path: str, flags: int) -> int:
    """Open without waiting for a writer, and refuse pipes and devices, which may never end."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(path)
    raise ValueError("it is not a regular file")


def _refused(name: str, rule: str) -> DocumentError:
    return DocumentError(name, [Problem("document", "", rule)])


def _within_limit(data: bytes, name: str) -> bytes:
    if len(data) > MAX_DOCUMENT_BYTES:
        raise _refused(
            name, f"a document has at most {MAX_DOCUMENT_BYTES // 2**20} MiB once unpacked; split it"
        )
    return data


def unpack(data: bytes, name: str) -> bytes:
    """Return the data, unpacked if it is gzip (seen by its first bytes, not by its name)."""
    if not data.startswith(GZIP_MAGIC):
        return data
    budget, packed, parts = UnpackingBudget(MAX_DOCUMENT_BYTES), io.BytesIO(data), []
    try:
        with gzip.GzipFile(fileobj=packed) as file:
            while part := file.read(PIECE):
                budget.take(len(part), packed.tell())
                parts.append(part)
        return b"".join(parts)
    except OverBudget as error:
        raise _refused(name, str(error)) from None
    except EOFError:
        raise _refused(
            name, "the gzip file ends too early; it was cut off, so copy or download it again"
        ) from None
    except (OSError, zlib.error) as error:
        raise _refused(name, f"the gzip file is damaged ({error}); copy or download it again") from None


def head_of(data: bytes, size: int) -> bytes:
    """Return the first bytes of the data, unpacked if it is gzip; what can be had from a damaged one."""
    if not data.startswith(GZIP_MAGIC):
        return data[:size]
    with contextlib.suppress(zlib.error):
        return zlib.decompressobj(wbits=31).decompress(data, size)
    return b""


def parse_json(  # JSON is any value; the schema says which
    data: bytes, name: str, check: Callable[[float], None] = no_progress
) -> Any:
    """Return the JSON value in a file's bytes.

    `check` gets the fraction that is done now and then; what it raises ends the reading.

    Raises
    ------
    DocumentError
        damaged gzip, not UTF-8, not JSON, too deep or too large, repeated keys, NaN or Infinity
    """
    data = unpack(data, name)
    marks = _Marks()
    try:
        document = loads(data.removeprefix(codecs.BOM_UTF8), marks.pairs, check)
        if not marks.repeated:
            return document
    except TooMuch as error:
        rule = f"{error.rule} in a document; split it"
        raise DocumentError(name, [Problem(f"byte {error.byte}", error.found, rule)]) from None
    except (ValueError, RecursionError, MemoryError):
        pass  # what is wrong, and where, only the parser of the whole can say
    return _with_faults(data, name)


def _with_faults(data: bytes, name: str) -> Any:
    """Report what is wrong with JSON that could not be read in pieces."""
    text = _decode(data, name)
    marks = _Marks()
    try:
        document = json.loads(text, object_pairs_hook=marks.pairs, parse_constant=marks.constant)
    except json.JSONDecodeError as error:
        found = (
            shorten(error.doc[error.pos : error.pos + 20])
            if error.doc[error.pos :]
            else "the end of the file"
        )
        rule = f"not valid JSON: {error.msg[0].lower()}{error.msg[1:]}"
        where = f"line {error.lineno}, column {error.colno}"
        raise DocumentError(name, [Problem(where, found, rule)]) from None
    except RecursionError:
        raise _refused(
            name, "lists and objects are nested too deeply; a document needs about five levels"
        ) from None
    except (ValueError, MemoryError) as error:
        # Python converts no whole number of more than 4300 digits.
        reason = (
            "a number has too many digits" if isinstance(error, ValueError) else "it does not fit in memory"
        )
        raise _refused(name, f"cannot be read: {reason}; correct the file") from None
    problems = marks.problems(document)
    if problems:
        raise DocumentError(name, problems)
    return document


def _decode(data: bytes, name: str) -> str:
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        raise _refused(name, "the file is empty; choose another one")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02x}"
        rule = "the text is not UTF-8; save it as UTF-8, or choose a text file"
        raise DocumentError(name, [Problem(f"byte {error.start}", byte, rule)]) from None


@dataclass
class _Marks:
    """What the parser lets pass although JSON or we do not: repeated keys and NaN.

    The parser does not say where it is, so faults are noted here and looked up afterwards.
    """

    repeated: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    has_constants: bool = False

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Build an object, noting keys that come twice."""
        built = dict(pairs)
        if len(built) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen and len(self.repeated) <= MAX_PROBLEMS:
                    self.repeated.append((built, key))
                seen.add(key)
        return built

    def constant(self, text: str) -> float:
        """Take NaN, Infinity or -Infinity."""
        self.has_constants = True
        return float(text)

    def problems(self, document: Any) -> list[Problem]:
        """Return the noted faults with their places."""
        found = self._repeated_problems(document) if self.repeated else []
        if self.has_constants:
            rule = "not a number that JSON knows; give a finite number"
            constants = (
                Problem(path_text(path), shorten(value), rule)
                for path, value in walk(document)
                if isinstance(value, float) and not math.isfinite(value)
            )
            found += islice(constants, MAX_PROBLEMS + 1)
        return found

    def _repeated_problems(self, document: Any) -> list[Problem]:
        wanted = {id(built) for built, _ in self.repeated}
        places = {id(value): path for path, value in walk(document) if id(value) in wanted}
        rule = "this key stands there twice; keep one of them"
        return [
            Problem(path_text((*places.get(id(built), ("…",)), key)), "", rule)
            for built, key in self.repeated
        ]


def walk(document: Any) -> Iterator[tuple[Path, Any]]:
    """Yield every value of a document with its path, in document order, without recursion."""
    yield (), document
    stack = [_members((), document)]
    while stack:
        for path, value in stack[-1]:
            yield path, value
            if isinstance(value, dict | list):
                stack.append(_members(path, value))
                break
        else:
            stack.pop()


def _members(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield what stands in a list or an object, with its path, one by one: there may be millions."""
    if isinstance(value, dict):
        return (((*path, key), inner) for key, inner in value.items())
    return (((*path, place), inner) for place, inner in enumerate(value if isinstance(value, list) else ()))


def path_text(path: Path) -> str:
    """Write a path in words: ``jobs[3].blocks[7][0]``; "document" for the whole."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            # A key of any kind may stand in a file; only ordinary ones are shown as they are.
            shown = part if part.isidentifier() and len(part) < 40 else shorten(part, 40)
            text += f".{shown}" if text else shown
    return text or "document"


def value_at(document: Any, path: Path) -> Any:
    """Return the value at a path that exists."""
    for part in path:
        document = document[part]
    return document


# ---- what kind of file a document says it is, and in which version


def formats_in(data: bytes) -> set[str]:
    """Return the formats that a file's bytes name without parsing them (empty for other files).

    A session names two: its own, and that of the workload inside.
    """
    data = head_of(data, SNIFFED_BYTES)
    if not data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{"):
        return set()
    return {match.decode() for match in _FORMAT.findall(data)}


def check_header(document: Any, name: str, file_format: str, versions: Collection[int]) -> None:
    """Check that a document is of the wanted format, and of a version that is read.

    Raises
    ------
    DocumentError
        not an object, another format, or a version that this program does not know
    """
    problem = _header_problem(document, file_format, versions)
    if problem:
        raise DocumentError(name, [problem])


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
    if isinstance(version, bool) or version not in versions:
        newest = max(versions)
        known = f"version {newest}" if len(versions) == 1 else f"versions {min(versions)} to {newest}"
        advice = "install a newer one" if is_number(version, newest, math.inf) else "correct the number"
        return Problem("version", shorten(version), f"this Slotscope reads {known}; {advice}")
    return None
