"""What is no library, damaged or newer is refused with a sentence and left as it is."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from core.errors import InputError
from core.library import connection, schema
from core.library.importing import import_into
from core.library.library import Library
from core.library.taken_jobs import workload_of
from core.library.template import date_text

if TYPE_CHECKING:
    from pathlib import Path


def refusal(path: Path, *, create: bool = True) -> str:
    """Return why a library cannot be opened; the file must be the same afterwards."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(InputError) as caught:
        Library.open(path, create=create)
    assert (path.read_bytes() if path.is_file() else None) == before
    return str(caught.value)


def test_a_library_is_made_where_none_is(path: Path):
    with Library.open(path) as library:
        assert library.count() == 0
    with closing(sqlite3.connect(path)) as database:
        assert schema.is_library(database)
        assert schema.version_of(database) == schema.VERSION
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_none_is_made_where_one_is_asked_for(path: Path):
    assert "there is no trace library" in refusal(path, create=False)
    assert not path.parent.exists()


def test_an_empty_file_becomes_one(tmp_path: Path):
    path = tmp_path / "empty"
    path.touch()
    with Library.open(path, create=False) as library:
        assert library.count() == 0


@pytest.mark.parametrize("content", [b"x", b"{}" * 600, b"SQLite format 3\0" + b"\7" * 2000])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    assert "is not a trace library (no SQLite database)" in refusal(path)


def test_a_database_of_another_program(tmp_path: Path):
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE bookmark (url TEXT)")
    assert "is a database of another program" in refusal(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE bookmark")
        database.execute("PRAGMA user_version = 3")
    assert "is a database of another program" in refusal(path)


def test_a_library_of_a_newer_version(path: Path):
    Library.open(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {schema.VERSION + 2}")
    said = refusal(path)
    assert f"newer Slotscope (library version {schema.VERSION + 2}, this one knows up to" in said


@pytest.mark.parametrize("part", ["folder", "file"])
def test_a_place_that_cannot_be(tmp_path: Path, part: str):
    (tmp_path / "taken").mkdir() if part == "folder" else (tmp_path / "taken").touch()
    path = tmp_path / "taken" if part == "folder" else tmp_path / "taken" / "library.sqlite"
    assert "cannot be used" in refusal(path)


def test_a_library_that_somebody_holds_for_too_long(path: Path, monkeypatch: pytest.MonkeyPatch, logs: Path):
    monkeypatch.setattr(connection, "PATIENCE", 0.2)
    with Library.open(path) as library, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="in use by another window or program"):
            import_into(library, logs / "swim.tsv")
        assert library.count() == 0
        other.execute("ROLLBACK")
        assert import_into(library, logs / "swim.tsv")[0].added


def test_damage_is_told_and_nothing_crashes(path: Path, logs: Path):
    """Bytes are changed anywhere in the file; every answer is an answer or a sentence."""
    with Library.open(path) as library:
        for name in ("rumen-2011.json", "swim.tsv", "tasks.csv"):
            import_into(library, logs / name)
        every = [template.id for template in library.search()]
    sound = path.read_bytes()
    rng = random.Random(6)
    told = 0
    for _ in range(300):
        damaged = bytearray(sound)
        begin = rng.randrange(len(sound))
        for place in range(begin, min(begin + rng.choice((1, 8, 200, 5000)), len(sound))):
            damaged[place] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            with Library.open(path) as library:
                for template in library.search():
                    assert f"{template.work:.2f} {template.tasks} {date_text(template.submitted)}"
                library.cluster(every[:1])
                workload_of(library, every)
                import_into(library, logs / "jobtracker-0.18.txt")
        except InputError:
            told += 1
    assert told > 30
