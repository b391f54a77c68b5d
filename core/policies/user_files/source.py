"""A user's policy file as it was read, with the files that it imports: ids, texts, places for messages.

A file is read once. What is shown to the user, hashed for trust and run are the same bytes, whatever happens
to the file meanwhile; and every version keeps its own text, so that messages quote what was run. The same
holds for its helpers: the Python files beside it that it or they name in an import statement.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib.util
import inspect
import os
import re
import stat
import textwrap
import threading
import traceback
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError, SourcePlace
from core.model.number_text import grouped
from core.policies.user_files.imports import imported_names, is_installed, is_standard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import CodeType, FrameType


MAX_BYTES = 1_000_000
"""A longer file is no policy of a few lines; another file was opened by mistake."""

MAX_HELPERS = 100
"""A file that imports more others is a program that ought to be installed."""

ENDING = ".py"
PACKAGE_FILE = "__init__.py"
VERSION_DIGITS = 12
"""Of a file's digest, in the id of a version."""


@dataclass(frozen=True)
class SourceFile:
    """One version of a file whose code is run.

    Attributes
    ----------
    path : where it was read
    data : its bytes
    """

    path: Path
    data: bytes

    @cached_property
    def text(self) -> str:
        """The content as text; bytes that are none are replaced."""
        try:
            return importlib.util.decode_source(self.data)
        except (SyntaxError, UnicodeDecodeError):
            return self.data.decode("utf-8", "replace")

    @property
    def is_program(self) -> bool:
        """Whether it is Python with something in it; half of a file seldom is."""
        try:
            return bool(syntax_tree(self.data, str(self.path)).body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    def line_of_class(self, name: str, attribute: str = "") -> int:
        """Return the line that gives a class an attribute, or on which the class begins; 0 if not found."""
        classes = (each for each in ast.walk(syntax_tree(self.data)) if isinstance(each, ast.ClassDef))
        found = next((each for each in classes if each.name == name), None)
        if found is None:
            return 0
        lines = [each.lineno for each in found.body if attribute in _names_given(each)]
        return lines[-1] if lines else found.lineno

    def place(self, line: int = 0, column: int = 0) -> SourcePlace:
        """Return a place in this version."""
        lines = self.text.splitlines()
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return SourcePlace(str(self.path), line, text, column)


def _names_given(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, by assigning to them or as a function's."""
    nodes = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    stored = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    return stored | ({statement.name} if isinstance(statement, ast.FunctionDef) else set())


@dataclass(frozen=True)
class Helper(SourceFile):
    """A file that a policy file imports, or that one of its helpers does.

    Attributes
    ----------
    module : its dotted name, seen from the folder of the policy file
    """

    module: str

    @property
    def is_package(self) -> bool:
        """Whether it stands for its folder."""
        return self.path.name == PACKAGE_FILE

    @property
    def name(self) -> str:
        """Its path seen from the folder of the policy file, as people read it."""
        return f"{self.module.replace('.', '/')}{f'/{PACKAGE_FILE}' if self.is_package else ENDING}"

    @property
    def package(self) -> str:
        """What its relative imports begin with."""
        return self.module if self.is_package else self.module.rpartition(".")[0]


@dataclass(frozen=True)
class PolicySource(SourceFile):
    """One version of a policy file, with all that it imports from outside the installed packages.

    Attributes
    ----------
    helpers : the files that it imports, and those that they import, by name
    packages : the installed packages that all of them import, by name
    missing : where files would lie that they import and that are not there
    """

    helpers: tuple[Helper, ...] = ()
    packages: tuple[str, ...] = ()
    missing: tuple[Path, ...] = ()

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The policy file, then its helpers."""
        return (self, *self.helpers)

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of the content of all files: what trust is remembered by."""
        own = hashlib.sha256(self.data).hexdigest()
        lines = [f"{hashlib.sha256(each.data).hexdigest()} {each.name}" for each in self.helpers]
        return hashlib.sha256("\n".join([own, *lines]).encode()).hexdigest() if lines else own


def policy_id_of(path: Path) -> str:
    """Return the id under which scenarios refer to a policy file: its absolute path."""
    return str(path.absolute())


def is_policy_file(policy_id: str) -> bool:
    """Whether a policy's id is the path of a file, or of one version of it."""
    return re.search(rf"{re.escape(ENDING)}(@[0-9a-f]{{{VERSION_DIGITS}}})?$", policy_id) is not None


def read_policy_file(path: Path) -> PolicySource:
    """Read a policy file and the files that it imports, without running any.

    Raises
    ------
    InputError
        one of them cannot be read, or they are too long or too many to be a policy
    """
    main = SourceFile(path, _read(path))
    imports = _Imports(main)
    helpers = tuple(helper for _, helper in sorted(imports.helpers.items()))
    return PolicySource(
        main.path, main.data, helpers, tuple(sorted(imports.packages)), tuple(sorted(imports.missing))
    )


def _read(path: Path) -> bytes:
    """Read a file; a pipe without a writer is not waited for."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(f"{path} is no file but a device or a pipe; a policy file is Python text")
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a path with NUL, or with what no system can write
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{path} is longer than {grouped(MAX_BYTES)} bytes; is it a policy file?")
    return data


class _Imports:
    """What a policy file imports, and what its helpers do: read, not run.

    Attributes
    ----------
    helpers, packages, missing : as in PolicySource
    """

    def __init__(self, main: SourceFile) -> None:
        self._main = main
        self.helpers: dict[str, Helper] = {}
        self.packages: set[str] = set()
        self.missing: set[Path] = set()
        waiting: list[SourceFile] = [main]
        for file in waiting:
            for name in _names_in(file):
                waiting += self._helpers_of(name.split("."))

    def _helpers_of(self, parts: list[str]) -> Iterator[Helper]:
        """Yield the files that importing a module runs and that are new: its packages, and itself."""
        if is_standard(parts[0]):
            return
        folder = self._main.path.parent
        for count, part in enumerate(parts, 1):
            helper = self.helpers.get(".".join(parts[:count])) or self._find(folder, parts[:count])
            if helper is not None and helper.module not in self.helpers:
                self.helpers[helper.module] = helper
                self._check_size()
                yield helper
            if helper is None and count == 1 and is_installed(part):
                self.packages.add(part)
                return
            folder /= part
            if helper is None and not folder.is_dir():
                self.missing.add(folder.with_name(part + ENDING))
            if not folder.is_dir() or (helper is not None and not helper.is_package):
                return

    def _find(self, folder: Path, parts: list[str]) -> Helper | None:
        for path in (folder / parts[-1] / PACKAGE_FILE, folder / f"{parts[-1]}{ENDING}"):
            if path.is_file():
                return Helper(path, _read(path), ".".join(parts))
        return None

    def _check_size(self) -> None:
        size = len(self._main.data) + sum(len(helper.data) for helper in self.helpers.values())
        if len(self.helpers) > MAX_HELPERS or size > MAX_BYTES:
            raise InputError(
                f"{self._main.path} imports more than {MAX_HELPERS} files or {grouped(MAX_BYTES)} bytes, too "
                "much to look through; install what it imports as a package"
            )


def _names_in(file: SourceFile) -> tuple[str, ...]:
    try:
        tree = syntax_tree(file.data, str(file.path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # it will not run either
    return tuple(dict.fromkeys(imported_names(tree, file.package if isinstance(file, Helper) else "")))


def place_of_error(error: BaseException, source: PolicySource | None) -> SourcePlace | None:
    """Return the innermost line of a user's files that an exception passed through; None without a file."""
    if source is None:
        return None
    files = {str(file.path): file for file in source.files}
    passed = [(frame.f_code.co_filename, line) for frame, line in frames_of(error)]
    path, line = next((each for each in reversed(passed) if each[0] in files), (str(source.path), 0))
    return files[path].place(line)


def place_of_function(function: Any, source: PolicySource | None) -> SourcePlace | None:
    """Return where a function of a user's files begins; None without a file."""
    if source is None:
        return None
    code = getattr(function, "__code__", None)
    for file in source.files:
        if code is not None and code.co_filename == str(file.path):
            return file.place(code.co_firstlineno)
    return source.place()


def place_of_file(source: PolicySource | None) -> SourcePlace | None:
    """Return the file as a place where no line is to blame; None without a file."""
    return None if source is None else source.place()


def frames_of(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames that an exception passed through with their lines, the innermost last."""
    return list(traceback.walk_tb(error.__traceback__))


RUN_TEXT = "_slotscope_text"
"""Global of a user's module that holds the text that was run: its file may be edited any time."""
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LAMBDA = "<lambda>"
MAX_FUNCTIONS = 200
"""Hooks that are not looked at anew for each simulation; versions of users' files are among them."""


class NoSource(OSError):
    """A function of a user's module is not written in its file: it was made by eval or exec."""


@lru_cache(MAX_FUNCTIONS)
def arguments_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the arguments of a function."""
    return tuple(inspect.signature(function).parameters)


def source_of(function: Callable[..., Any]) -> str:
    """Return the source lines of a function, those of a lambda with all that stands on them."""
    text = function.__globals__.get(RUN_TEXT)
    if text is None:
        return inspect.getsource(function)
    first, last = function.__code__.co_firstlineno, _node_of(function, text).end_lineno
    return "".join(text.splitlines(keepends=True)[first - 1 : last])


_parsing = threading.RLock()


def syntax_tree(text: str | bytes, path: str = "<unknown>") -> ast.Module:
    """Return the syntax tree of a text, one thread at a time.

    NOTE: Python 3.11 counts the depth of a tree once for all threads. Where the collector of garbage lets
    another thread in while a tree is made, and that one parses too, the first fails with SystemError.
    """
    with _parsing:
        return ast.parse(text, path)


def syntax_tree_of(function: Callable[..., Any]) -> ast.Module:
    """Return the syntax tree of a function, a lambda as the function that returns its value.

    Raises
    ------
    NoSource
        the function is in no file
    """
    text = function.__globals__.get(RUN_TEXT)
    if text is None:
        return syntax_tree(textwrap.dedent(inspect.getsource(function)))
    node: Any = copy.deepcopy(_node_of(function, text))
    module = syntax_tree("def function():\n    return None")
    if isinstance(node, ast.Lambda):
        definition: Any = module.body[0]
        definition.name, definition.args = function.__name__, node.args
        ast.copy_location(definition, node)
        ast.copy_location(definition.body[0], node.body).value = node.body
        node = definition
    module.body = [ast.increment_lineno(node, 1 - function.__code__.co_firstlineno)]
    return module


@lru_cache(4)
def _functions_in(text: str) -> tuple[AnyFunction, ...]:
    nodes = ast.walk(syntax_tree(text))
    return tuple(node for node in nodes if isinstance(node, AnyFunction))


def _node_of(function: Callable[..., Any], text: str) -> AnyFunction:
    """Return the part of the tree of a file's text that a function was made from."""
    code = function.__code__
    if code.co_filename == function.__globals__.get("__file__"):
        found = [node for node in _functions_in(text) if _begins(node, code) and _holds(node, code)]
        if found:
            return found[-1]  # the innermost
    raise NoSource(f"{function.__name__} is not written in the file")


def _begins(node: AnyFunction, code: CodeType) -> bool:
    """Whether a function is called as some code is, and begins where it does."""
    if isinstance(node, ast.Lambda):
        return code.co_name == LAMBDA and code.co_firstlineno == node.lineno
    first = node.decorator_list[0] if node.decorator_list else node
    return code.co_name == node.name and code.co_firstlineno == first.lineno


def _holds(node: AnyFunction, code: CodeType) -> bool:
    """Whether a lambda, of which a line may have several, holds all places of some code."""
    if not isinstance(node, ast.Lambda):
        return True
    begin = node.body.lineno, node.body.col_offset
    end = node.body.end_lineno or 0, node.body.end_col_offset or 0
    places = [(place[::2], place[1::2]) for place in code.co_positions() if None not in place]
    return all(begin <= first and last <= end for first, last in places if first != last)
