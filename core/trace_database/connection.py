"""The database of a trace library: where it lies, its tables, waiting for other writers, what is wrong.

The tables come in numbered steps: a library of any older version becomes the newest.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING, TypeVar

from core.files.atomic import check_target
from core.files.data_folder import data_folder
from core.files.private_files import make_private_file, make_private_folder
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop
from core.trace_database.template import application_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


Answer = TypeVar("Answer")

PATIENCE = 30.0
"""Seconds to wait while another window or program writes; an import writes for about a second."""
ONE_WAIT = 0.1
"""Seconds that SQLite waits by itself; in between we ask whether to give up."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
MAGIC = b"SQLite format 3\0"
_NO_DATABASE = "'{path}' is not a trace library (no SQLite database); choose another file"


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a library and bring it to the newest version; an empty or new file becomes one.

    A file that is no library, is damaged, or was written by a newer Slotscope is left as it is. One that
    cannot be written where it lies (a medium for reading, a folder of somebody else) is opened for reading.

    Raises
    ------
    InputError
        there is no such file and none is to be made, or the file cannot be used
    """
    with speaking(path):
        if not create and not path.exists():
            raise InputError(f"there is no trace library '{path}'; 'slotscope library import LOG' begins one")
        _refuse_other_files(path)
        if not may_write(path):
            return _connect_to_read(path)
        check_target(path)
        if path == default_library():
            make_private_folder(path.parent)
            make_private_file(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=ONE_WAIT, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def may_write(path: Path) -> bool:
    """Whether a library can be written: its file, and in its folder the files that SQLite keeps beside it."""
    return not path.exists() or all(os.access(place, os.W_OK) for place in (path, path.parent))


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a library that we cannot write, without writing beside it; others may do so meanwhile."""
    log = path.with_name(f"{path.name}-wal")
    is_at_rest = not (log.exists() and log.stat().st_size)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if is_at_rest else ''}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _check(connection, path)
        _refuse_older(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_older(connection: sqlite3.Connection, path: Path) -> None:
    version = _pragma(connection, "user_version")
    if version < VERSION:
        raise InputError(
            f"the trace library '{path}' is of an older Slotscope (version {version or 'none'}) and cannot "
            "be changed where it is; copy it to a folder of yours, and open the copy"
        )


def _refuse_other_files(path: Path) -> None:
    """Refuse what does not begin like a database: SQLite itself takes a very short file for an empty one."""
    try:
        mode = path.stat().st_mode  # looked at once: another process may just be making it
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise InputError(f"the trace library '{path}' cannot be used: it is no file; choose another")
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if head and head != MAGIC:
        raise InputError(_NO_DATABASE.format(path=path))


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    patiently(lambda: _check(connection, path))
    # readers and one writer do not wait for each other; a killed writer leaves nothing half-done
    patiently(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone())
    connection.execute("PRAGMA foreign_keys = ON")
    if _pragma(connection, "user_version") < VERSION:
        with writing(connection):
            _check(connection, path)  # another process may have been faster
            for step in STEPS[_pragma(connection, "user_version") :]:
                step(connection)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is not ours to change."""
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION_ID:
        if version == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            return
        raise InputError(f"'{path}' is a database of another program, not a trace library; choose another")
    if version > VERSION:
        raise InputError(
            f"'{path}' was written by a newer Slotscope (library version {version}, this one knows up to "
            f"{VERSION}); open it with that one, or choose another file"
        )


@contextlib.contextmanager
def writing(connection: sqlite3.Connection, should_stop: Callable[[], bool] = never_stop) -> Iterator[None]:
    """Hold the one right to write; what is done meanwhile is kept as a whole, or not at all."""
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"), should_stop)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def patiently(attempt: Callable[[], Answer], should_stop: Callable[[], bool] = never_stop) -> Answer:
    """Try again while another process has the database, for `PATIENCE` seconds or until stopped."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or time.monotonic() > until:
                raise
        if should_stop():
            raise Cancelled("waiting for the trace library stopped")
        time.sleep(ONE_WAIT / 10)  # SQLite does not wait where waiting could never end


@contextlib.contextmanager
def speaking(path: Path) -> Iterator[None]:
    """Turn every error of the database or the file into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(_sentence(path, error)) from error
    except OverflowError as error:
        raise InputError("a number is too large for the trace library; give one below 2^63") from error
    except UnicodeDecodeError as error:
        raise damage(path, "texts cannot be read") from error
    except UnicodeEncodeError as error:
        raise InputError("a text has characters that no file can keep; leave them out") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the trace library '{path}' cannot be used: {reason}") from error


def damage(path: Path, what: str) -> InputError:
    """Return the error of a library whose content cannot be what we wrote."""
    return InputError(
        f"the trace library '{path}' is damaged ({what}). Bring back a copy of it, or move it away: the next "
        "import begins a new one"
    )


def _code(error: sqlite3.Error) -> int:
    """Return the primary result code; 0 for errors that SQLite did not make."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _sentence(path: Path, error: sqlite3.Error) -> str:
    code = _code(error)
    if code == sqlite3.SQLITE_NOTADB:
        return _NO_DATABASE.format(path=path)
    if code == sqlite3.SQLITE_CORRUPT:
        return str(damage(path, str(error)))
    if code in _BUSY:
        return (
            f"the trace library '{path}' has been in use by another window or program for {PATIENCE:.0f} s; "
            "try again when its import is done"
        )
    if code == sqlite3.SQLITE_READONLY:
        where = "it, or its folder, cannot be written; copy it first"
        return f"the trace library '{path}' can only be read: {where}"
    if code == sqlite3.SQLITE_ERROR or "decode to UTF-8" in str(error):
        return str(damage(path, str(error)))
    return f"the trace library '{path}' cannot be used: {error}; check that its folder can be written"


FILE = "library.sqlite"


def default_library() -> Path:
    """Return the file of the user's own library, which may not be there yet."""
    return data_folder() / FILE


APPLICATION_ID = 0x534C4F54
"""Marks the file as ours (SQLite's `application_id`)."""


def _first_tables(connection: sqlite3.Connection) -> None:
    """Version 1: logs, the templates of their jobs, and the samples of each template."""
    connection.execute(
        """CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            format TEXT NOT NULL,
            cluster TEXT NOT NULL,  -- JSON, as in a workload document
            imported REAL NOT NULL  -- seconds since 1970
        )"""
    )
    connection.execute(
        """CREATE TABLE template (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source INTEGER NOT NULL REFERENCES source (id),
            digest BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            title TEXT NOT NULL,
            user TEXT NOT NULL,
            pool TEXT NOT NULL,
            name_key TEXT NOT NULL,  -- keys to sort by: casefolded, numbers with leading zeros
            title_key TEXT NOT NULL,
            user_key TEXT NOT NULL,  -- casefolded
            searched TEXT NOT NULL,  -- name and title, casefolded
            submitted REAL,          -- seconds since 1970, NULL where the log has no calendar
            arrival REAL NOT NULL,   -- seconds since the first job of its log
            maps INTEGER NOT NULL,
            reduces INTEGER NOT NULL,
            map_seconds REAL NOT NULL,
            shuffle_seconds REAL NOT NULL,
            reduce_seconds REAL NOT NULL,
            shuffle_bytes REAL
        )"""
    )
    connection.execute(
        """CREATE TABLE samples (
            template INTEGER PRIMARY KEY REFERENCES template (id),
            packed BLOB NOT NULL
        )"""
    )
    connection.execute("CREATE INDEX template_source ON template (source)")


def _applications_and_trash(connection: sqlite3.Connection) -> None:
    """Version 2: the application that a job is a run of, from its title; and when it was thrown away."""
    connection.execute("ALTER TABLE template ADD COLUMN application TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE template ADD COLUMN deleted REAL")  # seconds since 1970, or NULL
    titles = [title for (title,) in connection.execute("SELECT DISTINCT title FROM template")]
    connection.executemany(
        "UPDATE template SET application = ? WHERE title = ?",
        [(application_of(title), title) for title in titles],
    )
    connection.execute("CREATE INDEX template_application ON template (application)")


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_tables, _applications_and_trash)
"""Step i takes a library from version i to version i + 1. Steps that were released never change."""

VERSION = len(STEPS)
