"""Several processes at one library, and one that is killed in the middle: nothing is lost or half there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core.trace_database.trace_database import Library, import_into
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, signal, sys
from pathlib import Path
from core.trace_database.trace_database import READING, import_into
from core.trace_database.trace_database import Library

def die(fraction):
    # rows are being added, half of them are in the open transaction
    if fraction > READING + (1 - READING) / 2 - 1e-9:
        os.kill(os.getpid(), signal.SIGKILL)

import_into(Library.open(Path(sys.argv[1])), sys.argv[2], progress=die)
"""
IMPORTING = """
import sys
from pathlib import Path
from core.trace_database.trace_database import import_into
from core.trace_database.trace_database import Library

sys.stdin.readline()
with Library.open(Path(sys.argv[1])) as library:
    for source in sys.argv[2:]:
        import_into(library, source)
"""


def swim(path: Path, jobs: int, first: int = 0) -> str:
    """Write a log of many jobs and return its path."""
    rows = (f"job{first + i}\t{first + i}\t1\t{first + i + 1}\t{i * 1000}\t{i * 999}" for i in range(jobs))
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def process(code: str, *arguments: object, **options: object) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, **options)  # type: ignore[call-overload]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to kill with")
def test_a_kill_in_mid_import_leaves_all_or_nothing(path: Path, tmp_path: Path, logs: Path):
    with Library.open(path) as library:
        before, _ = import_into(library, logs / "rumen-2011.json")
    log = swim(tmp_path / "many.tsv", 3000)
    killed = process(KILLED, path, log)
    assert killed.wait(60) == -signal.SIGKILL
    with Library.open(path) as library:
        assert library.count() == before.added
        assert [name for (name,) in library._connection.execute("SELECT name FROM source")] == ["rumen-2011"]
        assert library._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        again, _ = import_into(library, log)
        assert again.added == 3000


def test_processes_that_import_at_once_lose_nothing(path: Path, tmp_path: Path):
    """They begin together, before there is a library; some jobs are in two logs."""
    ours = [swim(tmp_path / f"log{i}.tsv", 400, 300 * i) for i in range(4)]
    running = [
        process(IMPORTING, path, *logs, stdin=subprocess.PIPE) for logs in (ours[:2], ours[2:], ours[1:3])
    ]
    for one in running:
        one.stdin.write(b"go\n")
        one.stdin.flush()
    assert [one.wait(60) for one in running] == [0, 0, 0]
    for one in running:
        one.stdin.close()
    with Library.open(path) as library:
        names = [template.name for template in library.search()]
        assert len(set(names)) == 300 * 3 + 400
        samples = library._connection.execute("SELECT count(*) FROM samples").fetchone()
        assert samples == (len(names),)
        assert library._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert library._connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_reader_sees_the_library_as_it_was_until_all_is_there(path: Path, tmp_path: Path):
    log = swim(tmp_path / "many.tsv", 1500)
    seen = []
    with Library.open(path) as library, Library.open(path) as reader:
        import_into(library, log, progress=lambda fraction: seen.append(reader.count()))
        assert set(seen[:-1]) == {0}
        assert reader.count() == 1500
