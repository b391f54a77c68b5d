"""The folder of a study's results: Parquet files in parts, the study's document, and what the rows belong to.

A part holds rows of one state of a study, which its metadata name. Parts of an earlier state stay as long as
they have rows that the present one lacks; small parts are joined as they become many.
"""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.files.atomic import lock_file, replace_file
from core.files.json_text import parse_json, read_bytes
from core.model.errors import InputError
from core.study.study_document import study_from_bytes, study_to_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from core.study.study import Study

STUDY, STATE, LOCK = "study.json", "state.json", ".lock"
ROWS = "rows"
"""The folder of the parts, which any program can read as one table."""
NAME = re.compile(r"part-(\d{6,})\.parquet")
METADATA = b"slotscope"
FLUSH_SECONDS, FLUSH_ROWS = 0.5, 50_000
"""A part is written after so long, or so many rows."""
MOST_SMALL, LARGE_ROWS = 64, 100_000
"""So many parts of fewer rows than that are joined into one."""


def part_paths(folder: Path) -> list[Path]:
    """Return all parts of the results in a folder, the oldest first."""
    found = [path for path in (folder / ROWS).glob("part-*.parquet") if NAME.fullmatch(path.name)]
    return sorted(found, key=_number)


def _number(path: Path) -> int:
    found = NAME.fullmatch(path.name)
    return int(found[1]) if found else 0


def state_of(path: Path) -> str:
    """Return which state of its study a part belongs to; empty if it has been joined with others."""
    try:
        told = (pq.read_schema(path).metadata or {}).get(METADATA, b"{}")
    except (FileNotFoundError, pa.ArrowInvalid):
        return ""
    return str(json.loads(told).get("state", ""))


def read_state(folder: Path) -> dict[str, str]:
    """Return the state that the results in a folder are of, and where the files that the study names lie."""
    document = parse_json(read_bytes(folder / STATE), STATE)
    return {key: str(value) for key, value in document.items()} if isinstance(document, dict) else {}


def read_results_study(folder: Path) -> Study:
    """Return the study whose results lie in a folder; InputError if there is none."""
    if not (folder / STATE).is_file():
        raise InputError(f"'{folder}' has no results of a study; name the folder that a study was run into")
    files = read_state(folder).get("files_from", "")
    return study_from_bytes(read_bytes(folder / STUDY), f"{folder.name}/{STUDY}", files)


def program() -> str:
    """Return the name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"slotscope {version('slotscope')}"
    except PackageNotFoundError:
        return "slotscope"


class PartsFolder:
    """Writes the results of one state of a study; others may read meanwhile.

    Parameters
    ----------
    folder : is made if it is not there
    study : is written beside the parts
    state : names all that the rows depend on
    schema : of the rows

    Raises InputError if the folder cannot be written or another run writes there.
    """

    def __init__(self, folder: str | os.PathLike[str], study: Study, state: str, schema: pa.Schema) -> None:
        self.folder, self._state = Path(folder), state
        told = {"state": state, "program": program(), "study": study_to_bytes(study).decode()}
        self._schema = schema.with_metadata({METADATA: json.dumps(told).encode()})
        self._waiting: list[pa.RecordBatch] = []
        self._flushed = time.monotonic()
        self._lock = self._locked()
        head = {"program": program(), "state": state, "files_from": study.folder}
        self._put(self.folder / STUDY, study_to_bytes(study))
        self._put(self.folder / STATE, json.dumps(head, indent=1).encode() + b"\n")
        self._next = max(map(_number, part_paths(self.folder)), default=0) + 1
        states = [(path, state_of(path)) for path in part_paths(self.folder)]
        self.own = [path for path, of in states if of == state]
        self.foreign = [path for path, of in states if of != state]
        self._small = [path for path in self.own if _rows_in(path) < LARGE_ROWS]

    def _locked(self) -> int:
        try:
            (self.folder / ROWS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder '{self.folder}' cannot be made: {(error.strerror or str(error)).lower()}"
            ) from error
        try:
            return lock_file(self.folder / LOCK)
        except OSError:
            raise InputError(
                f"another run writes into '{self.folder}', or nobody can; wait, or choose another folder"
            ) from None

    def read(self, paths: list[Path], columns: list[str] | None = None) -> Iterator[pa.Table]:
        """Yield the rows of parts, one part at a time."""
        for path in paths:
            yield pq.read_table(path, columns=columns)

    def add(self, rows: pa.RecordBatch) -> None:
        """Take rows; they are on the disk after `FLUSH_SECONDS`."""
        self._waiting.append(rows)

    def flush(self, *, now: bool = False) -> None:
        """Write what waits, if it is time or has to be `now`."""
        rows = sum(batch.num_rows for batch in self._waiting)
        is_due = time.monotonic() - self._flushed > FLUSH_SECONDS or rows > FLUSH_ROWS
        if rows and (is_due or now):
            self._write(pa.Table.from_batches(self._waiting, self._waiting[0].schema))
            self._waiting.clear()
            self._flushed = time.monotonic()
            if len(self._small) >= MOST_SMALL:
                self._join()

    def _write(self, table: pa.Table, *, durable: bool = False) -> Path:
        path = self.folder / ROWS / f"part-{self._next:06d}.parquet"
        self._next += 1
        buffer = io.BytesIO()
        pq.write_table(table.cast(self._schema), buffer)
        self._put(path, buffer.getvalue(), durable=durable)
        self.own.append(path)
        if table.num_rows < LARGE_ROWS:
            self._small.append(path)
        return path

    def _put(self, path: Path, data: bytes, *, durable: bool = False) -> None:
        try:
            replace_file(path, data, durable=durable)
        except InputError as error:
            why = (getattr(error.__cause__, "strerror", None) or str(error)).lower()
            raise InputError(
                f"results cannot be written to '{self.folder}': {why}; what is done is kept: make room, or "
                "see that it can be written, and run it again"
            ) from error

    def _join(self) -> None:
        """Put the rows of all small parts into one; a reader may see them twice for a moment."""
        small, self._small = self._small, []
        self._write(pa.concat_tables(self.read(small)), durable=True)
        for path in small:
            path.unlink(missing_ok=True)
            self.own.remove(path)

    def forget(self, path: Path) -> None:
        """Remove a part of an earlier state whose rows are all here."""
        path.unlink(missing_ok=True)
        self.foreign.remove(path)

    def close(self) -> None:
        """Write what waits, and let others write."""
        import os

        try:
            self.flush(now=True)
        finally:
            os.close(self._lock)


def _rows_in(path: Path) -> int:
    metadata: Any = pq.read_metadata(path)
    return int(metadata.num_rows)
