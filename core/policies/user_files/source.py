"""A user's policy file as it was read: its id, its bytes and text, and the places in it that messages name.

A file is read once. What is shown to the user, hashed for trust and run are the same bytes, whatever happens
to the file meanwhile; and every version keeps its own text, so that messages quote what was run.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import re
import textwrap
import threading
import traceback
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError, SourcePlace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType


MOST_BYTES = 1_000_000
"""A longer file is no policy of a few lines; another file was opened by mistake."""

ENDING = ".py"
VERSION_DIGITS = 12
"""Of a file's digest, in the id of a version."""


@dataclass(frozen=True)
class PolicySource:
    """One version of a policy file.

    Attributes
    ----------
    path : where it was read
    data : its bytes
    """

    path: Path
    data: bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content in hexadecimal: what trust is remembered by."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def text(self) -> str:
        """The content as text; bytes that are none are replaced."""
        try:
            return importlib.util.decode_source(self.data)
        except (SyntaxError, UnicodeDecodeError):
            return self.data.decode("utf-8", "replace")

    def line_of_class(self, name: str) -> int:
        """Return the line on which a class begins, 0 if it is not found."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(rf"\s*class\s+{re.escape(name)}\b", line):
                return number
        return 0

    def place(self, line: int = 0, column: int = 0) -> SourcePlace:
        """Return a place in this version."""
        lines = self.text.splitlines()
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return SourcePlace(str(self.path), line, text, column)


def policy_id_of(path: Path) -> str:
    """Return the id under which scenarios refer to a policy file: its absolute path."""
    return str(path.absolute())


def is_policy_file(policy_id: str) -> bool:
    """Whether a policy's id is the path of a file, or of one version of it."""
    return re.search(rf"{re.escape(ENDING)}(@[0-9a-f]{{{VERSION_DIGITS}}})?$", policy_id) is not None


def read_policy_file(path: Path) -> PolicySource:
    """Read a policy file without running it; raises InputError if it cannot be one."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise InputError(f"{path} is longer than {MOST_BYTES:,} bytes; is it a policy file?")
    return PolicySource(path, data)


def place_of_error(error: BaseException, source: PolicySource | None) -> SourcePlace | None:
    """Return the innermost line of a user's file that an exception passed through; None without a file."""
    if source is None:
        return None
    lines = [line for frame, line in frames_of(error) if frame.f_code.co_filename == str(source.path)]
    return source.place(lines[-1] if lines else 0)


def place_of_function(function: Any, source: PolicySource | None) -> SourcePlace | None:
    """Return where a function of a user's file begins; None without a file."""
    if source is None:
        return None
    code = getattr(function, "__code__", None)
    if code is None or code.co_filename != str(source.path):
        return source.place()
    return source.place(code.co_firstlineno)


def place_of_file(source: PolicySource | None) -> SourcePlace | None:
    """Return the file as a place where no line is to blame; None without a file."""
    return None if source is None else source.place()


def frames_of(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames that an exception passed through with their lines, the innermost last."""
    return list(traceback.walk_tb(error.__traceback__))


RUN_TEXT = "_slotscope_text"
"""Global of a user's module that holds the text that was run: its file may be edited any time."""


def source_of(function: Callable[..., Any]) -> str:
    """Return the source lines of a function."""
    text = function.__globals__.get(RUN_TEXT)
    if text is None:
        return inspect.getsource(function)
    lines = text.splitlines(keepends=True)
    return "".join(inspect.getblock(lines[function.__code__.co_firstlineno - 1 :]))


_parsing = threading.RLock()


def syntax_tree(text: str | bytes, path: str = "<unknown>") -> ast.Module:
    """Return the syntax tree of a text, one thread at a time.

    NOTE: Python 3.11 counts the depth of a tree once for all threads. Where the collector of garbage lets
    another thread in while a tree is made, and that one parses too, the first fails with SystemError.
    """
    with _parsing:
        return ast.parse(text, path)


def syntax_tree_of(function: Callable[..., Any]) -> ast.Module:
    """Return the syntax tree of a function's source."""
    return syntax_tree(textwrap.dedent(source_of(function)))
