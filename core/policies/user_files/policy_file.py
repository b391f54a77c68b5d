"""Load a user's policy file: a Python file with one class that looks like a built-in policy.

A file is read once. What is shown to the user, hashed for trust and run are the same bytes, whatever happens
to the file meanwhile; and every version keeps its own text, so that messages quote what was run.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import re
import sys
import types
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from core.model.errors import InputError, PolicyError, SourcePlace
from core.policies.policy import Policy
from core.policies.user_files.check_policy import check_policy
from core.policies.user_files.loop_budget import budget_names, with_loop_budget
from core.policies.user_files.source_lines import place_of_error
from core.policies.user_files.source_text import RUN_TEXT

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

MOST_BYTES = 1_000_000
"""A longer file is no policy of a few lines; somebody opened another file."""

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

    def line_of(self, policy: type[Policy]) -> int:
        """Return the line on which a class begins, 0 if it is not found."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(rf"\s*class\s+{re.escape(policy.__name__)}\b", line):
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


def load_policy_file(path: Path) -> type[Policy]:
    """Read the file, run it and return its policy."""
    return load_policy(read_policy_file(path))


def load_policy(source: PolicySource) -> type[Policy]:
    """Run the file's code and return its policy; an id and a title are made from the class name if need be.

    Raises
    ------
    PolicyError
        the code cannot be run, or does not hold exactly one policy class, or its pieces are wrong; with the
        place in the file
    """
    module = _run(source)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Policy) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise PolicyError(
            f"{_count(len(found))}; a policy file defines exactly one class that derives from "
            "core.policies.policy.Policy",
            source.place(),
        )
    policy = found[0]
    policy.source = source
    own = vars(policy)  # an id or a title that a base class has is not this policy's
    policy.title = own.get("title") or _words(policy.__name__)
    policy.id = own.get("id") or _words(policy.__name__).replace(" ", "-").lower()
    check_policy(policy)
    return policy


def _count(policies: int) -> str:
    return "the file holds no policy" if policies == 0 else f"the file holds {policies} policies"


def _words(name: str) -> str:
    """Split a class name into words: SmallestFirst is Smallest first."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).split(" ")
    return " ".join([words[0], *(word if word.isupper() else word.lower() for word in words[1:])])


def _run(source: PolicySource) -> ModuleType:
    module = types.ModuleType(f"slotscope_policy_{source.digest[:16]}")
    module.__file__ = str(source.path)
    module.__dict__.update(budget_names() | {RUN_TEXT: source.text})
    sys.modules[module.__name__] = module  # compiled functions find their own module by this name
    try:
        exec(_code(source), module.__dict__)
    except (Exception, SystemExit) as error:
        sys.modules.pop(module.__name__, None)
        if isinstance(error, PolicyError):
            raise
        raise PolicyError(f"{type(error).__name__}: {error}", place_of_error(error, source)) from error
    return module


def _code(source: PolicySource) -> types.CodeType:
    try:
        tree = ast.parse(source.data, str(source.path))
        return compile(with_loop_budget(tree), str(source.path), "exec", dont_inherit=True)
    except SyntaxError as error:
        place = source.place(error.lineno or 0, error.offset or 0)
        raise PolicyError(f"{error.msg} ({type(error).__name__})", place) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise PolicyError(f"this is not Python: {error}", source.place()) from error
