"""What is no library, damaged or newer is refused with a sentence and left as it is."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING

import pytest

from core.files.open_workload import open_workload
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.trace_database import connection
from core.trace_database.entries import pack
from core.trace_database.search import RunSearch
from core.trace_database.template import date_text
from core.trace_database.trace_database import Library, import_into, workload_of
from tests.builders import make_job
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path


def refusal(path: Path, *, create: bool = True) -> str:
    """Return why a library cannot be opened; the file must be the same afterwards."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(InputError) as caught:
        Library.open(path, create=create)
    assert (path.read_bytes() if path.is_file() else None) == before
    return str(caught.value)


def pragma(database: sqlite3.Connection, name: str) -> int:
    value: int = database.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def test_a_library_is_made_where_none_is(path: Path):
    with Library.open(path) as library:
        assert library.count() == 0
    with closing(sqlite3.connect(path)) as database:
        assert pragma(database, "application_id") == connection.APPLICATION_ID
        assert pragma(database, "user_version") == connection.VERSION
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
        database.execute(f"PRAGMA user_version = {connection.VERSION + 2}")
    said = refusal(path)
    assert f"newer Slotscope (library version {connection.VERSION + 2}, this one knows up to" in said


@pytest.mark.parametrize("part", ["folder", "file"])
def test_a_place_that_cannot_be(tmp_path: Path, part: str):
    (tmp_path / "taken").mkdir() if part == "folder" else (tmp_path / "taken").touch()
    path = tmp_path / "taken" if part == "folder" else tmp_path / "taken" / "library.sqlite"
    assert "cannot be used" in refusal(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert "it is no file" in refusal(tmp_path / "pipe")


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
    for _ in range(150):
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
    assert told > 15


VERSION_1 = """
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, cluster TEXT NOT NULL,
    imported REAL NOT NULL);
CREATE TABLE template (id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES source (id),
    digest BLOB NOT NULL UNIQUE, name TEXT NOT NULL, title TEXT NOT NULL, user TEXT NOT NULL,
    pool TEXT NOT NULL, name_key TEXT NOT NULL, title_key TEXT NOT NULL, user_key TEXT NOT NULL,
    searched TEXT NOT NULL, submitted REAL, arrival REAL NOT NULL, maps INTEGER NOT NULL,
    reduces INTEGER NOT NULL, map_seconds REAL NOT NULL, shuffle_seconds REAL NOT NULL,
    reduce_seconds REAL NOT NULL, shuffle_bytes REAL);
CREATE TABLE samples (template INTEGER PRIMARY KEY REFERENCES template (id), packed BLOB NOT NULL);
CREATE INDEX template_source ON template (source);
INSERT INTO source VALUES (1, 'old', 'Rumen job trace', '{"map_slots": 4, "reduce_slots": 2}', 1.5e9);
INSERT INTO template VALUES (7, 1, x'00', 'job_1', 'Demux_20090309_14', 'ann', 'ads', 'job_1', 'demux',
    'ann', 'job_1 demux_20090309_14', 1.3e9, 0.0, 2, 0, 3.0, 0.0, 0.0, NULL);
INSERT INTO template VALUES (8, 1, x'01', 'job_2', '', 'bob', 'ads', 'job_2', '', 'bob', 'job_2', NULL, 5.0,
    1, 0, 3.0, 0.0, 0.0, 2e9);
INSERT INTO samples VALUES (7, PACKED), (8, PACKED);
PRAGMA application_id = 1397509972;
PRAGMA user_version = 1;
"""


def version_1(path: Path) -> None:
    """Write a library as the first version did: two jobs with a map of 1.5 s (given as samples)."""
    packed = pack(make_job("any", (1, 1.5)))
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_1.replace("PACKED", f"x'{packed.hex()}'"))


def test_a_library_of_version_1_becomes_the_newest(tmp_path: Path):
    path = tmp_path / "library.sqlite"
    version_1(path)
    with Library.open(path, create=False) as library:
        first, second = library.search()
        assert (first.id, first.application, second.application) == (7, "Demux_#", "")
        assert (first.submitted, second.submitted, first.source) == (1.3e9, None, "old")
        assert [job.maps.durations.tolist() for job in library.jobs([7, 8])] == [[1.5], [1.5]]
        assert library.cluster([7]) == Cluster(4, 2)
        assert library.search(RunSearch(trashed=True)) == ()
        assert library.delete([7]) == 1
    with closing(sqlite3.connect(path)) as database:
        assert pragma(database, "user_version") == connection.VERSION


def test_the_newest_tables_are_alike_whichever_version_they_come_from(tmp_path: Path):
    version_1(tmp_path / "old.sqlite")
    columns = []
    for name in ("old.sqlite", "new.sqlite"):
        with Library.open(tmp_path / name) as library:
            asked = library._connection.execute(
                'SELECT m.name, t.name, t.type, t."notnull", t.dflt_value FROM sqlite_master m '
                "LEFT JOIN pragma_table_info(m.name) t ORDER BY 1, 2"
            )
            columns.append(asked.fetchall())
    assert columns[0] == columns[1]


def test_a_migration_that_fails_leaves_the_old_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(database: sqlite3.Connection) -> None:
        database.execute("DROP TABLE samples")
        database.execute("SELECT * FROM nowhere")

    path = tmp_path / "library.sqlite"
    version_1(path)
    with monkeypatch.context() as patch:
        patch.setattr(connection, "STEPS", (connection.STEPS[0], fail))
        with pytest.raises(InputError, match=r"is damaged \(no such table: nowhere"):
            Library.open(path)
    with Library.open(path) as library:
        assert len(library.jobs([7, 8])) == 2


def test_an_import_waits_until_others_have_written(path: Path, logs: Path):
    with Library.open(path) as library, closing(sqlite3.connect(path, isolation_level=None)) as other:
        opened = open_workload(logs / "swim.tsv")
        other.execute("BEGIN IMMEDIATE")
        asked = []

        def should_stop() -> bool:
            asked.append(other.in_transaction)
            if len(asked) == 3:
                other.execute("ROLLBACK")
            return False

        assert library.add(opened, should_stop=should_stop).added == len(opened.workload.jobs)
        assert asked[:4] == [True, True, True, False]


def test_waiting_can_be_stopped(path: Path, logs: Path):
    with Library.open(path) as library, closing(sqlite3.connect(path, isolation_level=None)) as other:
        opened = open_workload(logs / "swim.tsv")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Cancelled, match="waiting for the trace library stopped"):
            library.add(opened, should_stop=lambda: True)
        other.execute("ROLLBACK")
        assert library.count() == 0


def test_a_newer_program_that_was_faster_is_not_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Between our look and our right to write, another process makes the library newer than we know."""
    path = tmp_path / "library.sqlite"
    version_1(path)
    real = connection.writing

    def after_another(database: sqlite3.Connection) -> AbstractContextManager[None]:
        with closing(sqlite3.connect(path)) as other:
            other.execute(f"PRAGMA user_version = {connection.VERSION + 1}")
        return real(database)

    monkeypatch.setattr(connection, "writing", after_another)
    with pytest.raises(InputError, match="newer Slotscope"):
        Library.open(path)
    with closing(sqlite3.connect(path)) as database:
        assert pragma(database, "user_version") == connection.VERSION + 1


# ---- libraries that cannot be written where they lie


@pytest.fixture
def locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library with jobs on something that cannot be written; root may write anywhere else."""
    with Library.open(path) as library:
        import_into(library, DATA / "rumen-2009.json")
    os_access = os.access
    monkeypatch.setattr(
        os, "access", lambda place, mode: not (mode & os.W_OK and path.parent in (place, *place.parents))
    )
    assert os_access(path, os.W_OK)
    return path


def test_a_library_is_read_where_it_cannot_be_written(locked: Path):
    before = {file.name: file.read_bytes() for file in locked.parent.iterdir()}
    with Library.open(locked) as library:
        (first, *_) = library.search()
        assert library.jobs([first.id])[0].maps.count == first.maps
        for change in (
            lambda: library.delete([first.id]),
            lambda: import_into(library, DATA / "rumen-2011.json"),
        ):
            with pytest.raises(InputError, match="can only be read: it, or its folder, cannot be written"):
                change()
    assert {file.name: file.read_bytes() for file in locked.parent.iterdir()} == before


def test_an_older_library_that_cannot_be_written_says_what_to_do(
    locked: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connection, "VERSION", connection.VERSION + 1)
    assert "copy it to a folder of yours" in refusal(locked)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE template SET name = CAST(x'ff41' AS TEXT)",
        "UPDATE template SET title = CAST(x'c328' AS TEXT)",
        "DROP TABLE samples",
        "ALTER TABLE template DROP COLUMN arrival",
    ],
)
def test_broken_texts_and_tables_are_called_damage(path: Path, spoil: str):
    with Library.open(path) as library:
        import_into(library, DATA / "rumen-2009.json")
    with closing(sqlite3.connect(path)) as database:
        database.execute(spoil)
        database.commit()
    with Library.open(path) as library:

        def read_all() -> None:
            library.jobs([each.id for each in library.search()])

        with pytest.raises(InputError, match="is damaged") as caught:
            read_all()
    assert "can be written" not in str(caught.value)
