"""Compiled code kept on disk: a file for each function, whose checksum is looked at before it is loaded.

numba's own cache unpickles whatever it finds and runs it as machine code: a file that a full disk cut short
would keep every later run from the compiled engine, and a flipped bit could do anything. A damaged file is
deleted, its function compiled again, and whoever runs is told (`take_damage`).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator

DIGEST = hashlib.sha256
DIGEST_BYTES = DIGEST().digest_size
ENDING = ".compiled"
LONGEST_NAME = 100
"""Characters of a function's name in that of its file: the disk takes about 250."""

_read_also: list[Path] = []
_used: set[str] = set()
_damaged: list[Path] = []
_not_kept: list[str] = []


def cache_folder() -> Path:
    """Return the folder of compiled code, made if need be: the user's cache, else a temporary one."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        with suppress(OSError):  # it is there, or what cannot be kept says so
            Path(chosen).mkdir(parents=True)
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in (
        Path(base) / "slotscope" / "compiled",
        Path(tempfile.gettempdir()) / f"slotscope-{os.getuid()}",
    ):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # what another user may have put there is no code of ours
            if os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid():
                return folder
    return _folder_of_this_process()


@cache
def _folder_of_this_process() -> Path:
    return Path(tempfile.mkdtemp(prefix="slotscope-"))


def read_also(folder: Path) -> None:
    """Load code from another folder as well; it is not written there."""
    _read_also.append(folder)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Let one process at a time compile what has this name: the others find it in the cache."""
    with ExitStack() as stack:
        with suppress(OSError):  # no place for a lock: then it is compiled twice
            lock = stack.enter_context((cache_folder() / f"{name}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class CompileCache:
    """The compiled code of one function, as numba's dispatcher loads and saves it.

    The name of a file has a hash of what its code is made for and of: the function, its source file, its
    signature, the processor, and the versions that compile.
    """

    def __init__(self, function: types.FunctionType) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled code for a signature; None if there is none, or none that is whole."""
        target.refresh()
        path = self._path(signature, target.codegen())
        places = (path, *(folder / path.name for folder in _read_also))
        code = next(filter(None, map(_read, places)), None)
        if code is None:
            return None
        rebuild: Any = import_module("numba.core.compiler").CompileResult._rebuild
        try:
            result = rebuild(target, *pickle.loads(code))
        except Exception:  # whole, and yet nothing that this numba can use
            _drop(path)
            return None
        _used.add(path.name)
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep compiled code; if the disk does not take it, `why_not_kept` gives the reason."""
        path = self._path(signature, result.codegen)
        code: bytes = import_module("numba.core.serialize").dumps(result._reduce())
        partial = path.with_suffix(f".{os.getpid()}")
        try:
            partial.write_bytes(DIGEST(code).digest() + code)
            partial.replace(path)
        except OSError as error:
            _not_kept.append(error.strerror or str(error))
            with suppress(OSError):
                partial.unlink()
        else:
            _used.add(path.name)

    def _path(self, signature: Any, codegen: Any) -> Path:
        code = self._function.__code__
        made_for = (signature, codegen.magic_tuple(), code.co_code, _source(code.co_filename), versions())
        name = self._function.__qualname__[:LONGEST_NAME]
        return cache_folder() / f"{name}-{DIGEST(repr(made_for).encode()).hexdigest()}{ENDING}"


def is_cached(name: str) -> bool:
    """Whether there is a file of a function of this qualified name, perhaps for another processor."""
    folders = (cache_folder(), *_read_also)
    return any(any(folder.glob(f"{name[:LONGEST_NAME]}-*{ENDING}")) for folder in folders)


@cache
def versions() -> str:
    """Return the versions of all that decides what is compiled, and whether it is to check its bounds."""
    from importlib.metadata import version  # 50 ms

    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    return " ".join((sys.version, version("numba"), version("numpy"), checks)).rstrip()


@cache
def _source(path: str) -> str:
    return DIGEST(Path(path).read_bytes()).hexdigest()


# ---- damage


def _read(path: Path) -> bytes | None:
    """Return the code in a file; None if there is no file, or it is damaged and so no more there."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        content = b""
    if DIGEST(content[DIGEST_BYTES:]).digest() == content[:DIGEST_BYTES]:
        return content[DIGEST_BYTES:]
    _drop(path)
    return None


def _drop(path: Path) -> None:
    _damaged.append(path)
    with suppress(OSError):
        path.unlink()


def take_damage() -> str:
    """Return how much damaged code was deleted since the last call; nothing if none was."""
    count = len(_damaged)
    _damaged.clear()
    if not count:
        return ""
    files = "a file of compiled code was" if count == 1 else f"{count} files of compiled code were"
    return f"{files} damaged, and made anew"


def why_not_kept() -> str:
    """Return why code that was compiled in this process could not be kept; nothing if all could."""
    if not _not_kept:
        return ""
    return (
        f"compiled code cannot be kept in {cache_folder()} ({_not_kept[-1]}), so it is compiled anew each "
        "time; make room there, or name another folder in XDG_CACHE_HOME"
    )


# ---- is everything compiled?


def mark_all(stamp: str) -> None:
    """Note that what this process loaded and compiled is all there is to compile, under this name."""
    with suppress(OSError):
        (cache_folder() / stamp).write_text("\n".join(sorted(_used)), encoding="utf-8")


def is_marked(stamp: str) -> bool:
    """Whether everything has been compiled, under this name."""
    return (cache_folder() / stamp).is_file()


def check_all(stamp: str) -> None:
    """Delete what is damaged of the code noted under a name (20 ms), and the note if anything is."""
    note = cache_folder() / stamp
    try:
        names = note.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        names = []
    kept = {path.name for path in note.parent.glob(f"*{ENDING}")}
    whole = sum([_read(note.parent / name) is not None for name in names if name in kept])
    if not names or whole < len(names):
        with suppress(OSError):
            note.unlink()
