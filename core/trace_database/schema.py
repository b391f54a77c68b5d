"""The tables of a trace library, as numbered steps: a library of any older version becomes the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.trace_database.template import application_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

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


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of an open library; 0 for an empty database."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a database holds nothing at all, so that it may become a library."""
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]) == 0


def is_library(connection: sqlite3.Connection) -> bool:
    """Whether a database is marked as ours."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) == APPLICATION_ID


def migrate(connection: sqlite3.Connection) -> None:
    """Run the steps that a library lacks; to be called inside one transaction."""
    for step in STEPS[version_of(connection) :]:
        step(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
