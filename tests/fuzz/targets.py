"""Everything that reads what strangers wrote, as functions of a file, with files to begin from.

Log formats come from `core.logs.readers.READERS`, packings and archives from the tables of the tests of
logs: a new one is fuzzed without a line here. `test_fuzz_cases.py` asks that each document with a schema
is here, too.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.files.journal import (
    CHECK,
    HEAD,
    HEAD_SIZE,
    MAGIC,
    History,
    Journal,
    Step,
    last_record,
    read_journal,
)
from core.files.plan_document import read_plan
from core.files.samples import load_sample
from core.files.session_document import read_session, session_to_bytes
from core.files.workload_document import read_workload
from core.files.workload_writing import document_bytes
from core.lessons.lesson_document import read_lesson
from core.logs.readers import READERS, reader_of
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.registry import policy_class
from core.policies.user_files.data_codec import BadData, decode, encode
from core.study.executors import InThisProcess
from core.study.result_folder import part_paths
from core.study.results import StudyResults
from core.study.run_study import run_study
from core.study.study_document import read_study
from core.verify.certificate import read_certificate
from tests.builders import run
from tests.core.files.documents import SESSION
from tests.core.files.test_schema import PLAN
from tests.core.logs.packed import PACK
from tests.core.logs.test_archives import ARCHIVES
from tests.core.logs.test_unknown_table import COLUMNS, MAPPED
from tests.core.policies.user_files.nothing_known import NothingKnown
from tests.core.study.study_examples import small_study
from tests.core.verify.made import certificate_of
from tests.fuzz.read_log import read_log
from tests.paths import HAND_WRITTEN, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_SEED_BYTES = 1 << 16
"""A larger file is no seed: what is changed at random in it is seldom to the point."""
MAX_LINE = 3000
"""Characters of what is said of one fault."""
MAX_PACKED_BYTES = 1 << 11
"""Of logs that are packed, which have another fuzzer of their own."""


class Target(NamedTuple):
    """Something that is read.

    Attributes
    ----------
    read : reads a file; False if it is none of this format, so that nothing is learnt from it. Whatever the
        file holds, it returns or raises an InputError
    seeds : returns contents to begin from
    """

    read: Callable[[Path], bool]
    seeds: Callable[[], list[bytes]]


def _read_table(path: Path) -> bool:
    """Import a table of which the first line of the file says what its columns are."""
    columns, _, table = path.read_bytes().partition(b"\n")
    path.write_bytes(table)
    try:
        text = columns.decode()
    except UnicodeDecodeError:
        return False
    return read_log(path, columns=text or "job=a")


def _read_document(read: Callable[[Path], object], path: Path) -> bool:
    """Read a document; what it breaks is named, in lines that somebody can read."""
    try:
        read(path)
    except InputError as error:
        _check_sentence(error)
    return True


def _check_sentence(error: InputError) -> None:
    assert str(error)
    assert max(map(len, str(error).splitlines())) < MAX_LINE


def _read_journal(path: Path) -> bool:
    """Read a journal as it is, and with all checksums set right: who means harm can reckon them too."""
    for content in (path.read_bytes(), _sealed(path.read_bytes())):
        path.write_bytes(content)
        for read in (last_record, read_journal):
            try:
                read(path)
            except InputError as error:
                _check_sentence(error)
    return True


def _sealed(journal: bytes) -> bytes:
    """Return a journal with sizes that fit and checksums that are right."""
    place, parts = len(MAGIC), [MAGIC]
    while len(journal) - place >= HEAD_SIZE:
        size, behind, _ = HEAD.unpack_from(journal, place)
        place += HEAD_SIZE
        size = min(size, len(journal) - place)
        behind = min(behind, len(journal) - place - size)
        body = journal[place : place + size + behind]
        head = HEAD.pack(size, behind, zlib.crc32(body))
        parts += [head, CHECK.pack(zlib.crc32(head)), body]
        place += size + behind
    return b"".join(parts)


@cache
def _results() -> TemporaryDirectory[str]:
    """Return the folder of a small study's results, which is gone when the process ends."""
    folder = TemporaryDirectory()
    run_study(small_study(), folder.name, InThisProcess())
    return folder


def _read_results(path: Path) -> bool:
    """Read a file as the rows of a small study."""
    folder = Path(_results().name)
    path.replace(part_paths(folder)[0])
    StudyResults.open(folder).frame()
    return True


def _read_answer(path: Path) -> bool:
    """Read what a policy's process might have sent: a line of JSON, and the bytes of a column."""
    text, _, column = path.read_bytes().partition(b"\n")
    with suppress(BadData):
        decode(text, [memoryview(bytearray(column))], NothingKnown())
    return True


DOCUMENTS: dict[str, tuple[Callable[[Path], object], Callable[[], Iterable[bytes]]]] = {
    "workload": (read_workload, lambda: _files("sample_workloads", "*")),
    "session": (
        read_session,
        lambda: [session_to_bytes(SESSION), *_files("tests/data/version_0_1", "*.slotscope")],
    ),
    "plan": (read_plan, lambda: [document_bytes(PLAN)]),
    "study": (read_study, lambda: _files("resources/studies", "*.study.json")),
    "lesson": (read_lesson, lambda: _files("resources/lessons", "*")),
    "certificate": (read_certificate, lambda: [document_bytes(_certificate())]),
}
"""What reads each, and files to begin from."""


def targets() -> dict[str, Target]:
    """Return all of them by name: log formats, ways of packing, documents, and what processes leave."""
    found = {
        f"log {reader.id}": Target(partial(read_log, format_id=reader.id), partial(_logs_of, reader.id))
        for reader in READERS
    }
    found["log of any kind"] = Target(read_log, _logs)
    found["log of named columns"] = Target(_read_table, _tables)
    for way in (*PACK, *ARCHIVES):
        found[f"packed {way}"] = Target(read_log, partial(_packed, way))
    for name, (read, seeds) in DOCUMENTS.items():
        found[f"document {name}"] = Target(partial(_read_document, read), partial(_seeds_of, seeds))
    found["journal"] = Target(_read_journal, _journals)
    found["results"] = Target(_read_results, _rows)
    found["answer of a policy"] = Target(_read_answer, _answers)
    return found


def _seeds_of(seeds: Callable[[], Iterable[bytes]]) -> list[bytes]:
    return list(seeds())


def _files(folder: str, pattern: str) -> list[bytes]:
    paths = sorted(path for path in (ROOT / folder).rglob(pattern) if path.is_file())
    return [path.read_bytes() for path in paths if path.stat().st_size <= MAX_SEED_BYTES]


def _logs() -> list[bytes]:
    return [path.read_bytes()[:MAX_PACKED_BYTES] for path in HAND_WRITTEN] + _files(
        "sample_workloads", "two*"
    )


def _logs_of(format_id: str) -> list[bytes]:
    logs = [path.read_bytes() for path in HAND_WRITTEN]
    return [log for log in logs if (reader := reader_of(log)) is not None and reader.id == format_id]


def _tables() -> list[bytes]:
    return [f"{columns}\n".encode() + (MAPPED / name).read_bytes() for name, columns in COLUMNS.items()]


def _packed(way: str) -> list[bytes]:
    logs = {path.name: path.read_bytes() for path in HAND_WRITTEN if path.stat().st_size <= MAX_PACKED_BYTES}
    if way in ARCHIVES:
        return [ARCHIVES[way](dict([log])) for log in logs.items()] + [ARCHIVES[way](logs)]
    return [PACK[way](log) for log in logs.values()]


def _certificate() -> dict[str, Any]:
    return dict(certificate_of(run(load_sample("five-jobs"), Cluster(3, 3), "johnson")).document)


def _journals() -> list[bytes]:
    history = History(SESSION.state)
    with TemporaryDirectory() as folder:
        journal = Journal.begin(Path(folder) / "journal", history, {"name": "Small"})
        for slots in (5, 6, 7):
            after = replace(history.state, cluster=Cluster(slots, 2))
            history.push(history.index, Step(f"Set map slots to {slots}", history.state, after))
            journal.follow(len(history.steps), history.index, history.steps.__getitem__, {"name": "Small"})
        journal.follow(3, 1, history.steps.__getitem__, {"name": "Small", "layout": {"state": "AAAA"}})
        return [journal.path.read_bytes()]


def _rows() -> list[bytes]:
    return [path.read_bytes() for path in part_paths(Path(_results().name))]


def _answers() -> list[bytes]:
    values = (
        {"a": {1, 2}, (1, 2): frozenset({"x"}), 3: b"\0\xff"},
        [float("inf"), 10**40, ("nested", []), slice(1, None, 2), Path("/a/b")],
        np.arange(6.0).reshape(2, 3),
        PolicyChoice("fair", {"x": 0.5}),
        policy_class("fair"),
        InputError("a sentence"),
    )
    texts = [encode(value, NothingKnown()) for value in values]
    return [text + b"\n" + b"".join(column.tobytes() for column in columns) for text, columns in texts]
