"""The folder of a study's results: Parquet files in parts, the study's document, and what the rows belong to.

The parts in `rows` hold rows of the present state of the study and nothing else, each row once, at every
instant: whoever reads them together reads one study. A part is never changed; it comes by being given its
name and goes by being moved. When the study changes, all of `rows` is moved away at once, before the study's
document is replaced; rows that are still right are then written anew.
"""

from __future__ import annotations

import io
import json
import os
import re
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from core.files.atomic import check_target, lock_file, replace_file
from core.files.json_text import parse_json, read_bytes
from core.model.errors import InputError
from core.study.study_document import study_from_bytes, study_to_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from core.study.study import Study

STUDY, STATE, LOCK = "study.json", "state.json", ".lock"
ROWS = "rows"
"""The folder of the parts, which any program can read as one table."""
EARLIER = "earlier"
"""The folder of what was in `rows` under earlier states of the study, in folders with numbers."""
NAME = re.compile(r"part-(\d{6,})\.parquet")
DAMAGE = (pa.ArrowException, OSError, ValueError, RecursionError)
"""What reading a damaged part raises."""
METADATA = b"slotscope"
FLUSH_SECONDS, FLUSH_PART, FLUSH_ROWS = 0.5, 0.01, 100_000
"""A part is written after so long, after such a fraction of the time that the run has taken, or so many rows:
a run of a day makes some eight hundred parts, and one that is killed loses a hundredth of its work."""


def part_paths(folder: Path) -> list[Path]:
    """Return all parts of the results in a folder, the oldest first."""
    found = [path for path in (folder / ROWS).glob("part-*.parquet") if NAME.fullmatch(path.name)]
    return sorted(found, key=_number)


def earlier_paths(folder: Path) -> list[Path]:
    """Return the parts that were set aside in a folder of results, those set aside last at the end."""
    found = [path for path in (folder / EARLIER).glob("*/part-*.parquet") if NAME.fullmatch(path.name)]
    return sorted(found, key=lambda path: (path.parent.name, _number(path)))


def _number(path: Path) -> int:
    digits = re.search(r"\d{6,}", path.name)
    return int(digits[0]) if digits else 0


def state_of(path: Path) -> str:
    """Return which state of its study a part belongs to; empty if that cannot be read."""
    try:
        noted = json.loads((pq.read_schema(path).metadata or {}).get(METADATA, b"{}"))
    except FileNotFoundError:
        raise
    except DAMAGE:
        return ""
    return str(noted.get("state", "")) if isinstance(noted, dict) else ""


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
    cut : what is missing of the logs that it runs, as sentences

    Raises InputError if the folder cannot be written or another run writes there.
    """

    def __init__(
        self, folder: str | os.PathLike[str], study: Study, state: str, schema: pa.Schema, cut: str = ""
    ) -> None:
        self.folder = Path(folder)
        noted = {"state": state, "program": program(), "study": study_to_bytes(study).decode()}
        self._schema = schema.with_metadata({METADATA: json.dumps(noted).encode()})
        self._waiting: list[pa.RecordBatch] = []
        self._began = self._flushed = time.monotonic()
        self._lock = self._locked()
        try:
            self._begin(study, state, cut)
        except BaseException:
            os.close(self._lock)
            raise

    def _begin(self, study: Study, state: str, cut: str) -> None:
        """Move what is of other states away; only then the folder is one of this study."""
        there = part_paths(self.folder)
        taken = [*there, *earlier_paths(self.folder), *(self.folder / EARLIER).glob("*")]
        self._next = max(map(_number, taken), default=0) + 1
        with self._writing():
            if any(state_of(path) != state for path in there):
                self._set_all_aside()
            (self.folder / ROWS).mkdir(exist_ok=True)
        head = {"program": program(), "state": state, "files_from": study.folder, "cut": cut}
        self._put(self.folder / STUDY, study_to_bytes(study))
        self._put(self.folder / STATE, json.dumps(head, indent=1).encode() + b"\n")

    @property
    def own(self) -> list[Path]:
        """The parts of the present state."""
        return part_paths(self.folder)

    @property
    def earlier(self) -> list[Path]:
        """The parts that were set aside."""
        return earlier_paths(self.folder)

    def _locked(self) -> int:
        check_target(self.folder / STUDY)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder '{self.folder}' cannot be made: {(error.strerror or str(error)).lower()}"
            ) from error
        try:
            return lock_file(self.folder / LOCK)
        except OSError:
            raise InputError(
                f"another run writes into '{self.folder}', or it is read-only; wait, or choose another folder"
            ) from None

    def add(self, rows: pa.RecordBatch) -> None:
        """Take rows; they are on the disk after `FLUSH_SECONDS`."""
        self._waiting.append(rows)

    def flush(self, *, now: bool = False) -> None:
        """Write what waits, if it is time or has to be `now`."""
        rows = sum(batch.num_rows for batch in self._waiting)
        seconds = max(FLUSH_SECONDS, FLUSH_PART * (time.monotonic() - self._began))
        is_due = time.monotonic() - self._flushed > seconds or rows > FLUSH_ROWS
        if rows and (is_due or now):
            self._write(pa.Table.from_batches(self._waiting, self._waiting[0].schema))
            self._waiting.clear()
            self._flushed = time.monotonic()

    def _write(self, table: pa.Table) -> None:
        buffer = io.BytesIO()
        pq.write_table(table.cast(self._schema), buffer)
        self._put(self.folder / ROWS / f"part-{self._take_number():06d}.parquet", buffer.getvalue())

    def _take_number(self) -> int:
        """Return a number that nothing in the folder has had while this run was there."""
        self._next += 1
        return self._next - 1

    def _put(self, path: Path, data: bytes) -> None:
        try:
            replace_file(path, data, durable=False)
        except InputError as error:
            raise self._refusal(getattr(error.__cause__, "strerror", None) or str(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._refusal(error.strerror or str(error)) from error

    def _refusal(self, why: str) -> InputError:
        return InputError(
            f"results cannot be written to '{self.folder}': {why.lower()}; what is done is kept: make room, "
            "or see that it can be written, and run it again"
        )

    # ---- what belongs to earlier states

    def set_aside(self, paths: Collection[Path] | None = None) -> None:
        """Move parts to those of earlier states, from where rows that are right come back; None for all."""
        with self._writing():
            if paths is None:
                self._set_all_aside()
                (self.folder / ROWS).mkdir()
            elif paths:
                aside = self._new_earlier()
                aside.mkdir()
                for path in paths:
                    path.rename(aside / path.name)

    def _set_all_aside(self) -> None:
        (self.folder / ROWS).rename(self._new_earlier())

    def _new_earlier(self) -> Path:
        (self.folder / EARLIER).mkdir(exist_ok=True)
        return self.folder / EARLIER / f"{self._take_number():06d}"

    def forget(self, path: Path) -> None:
        """Remove a part that was set aside and has no row that is not elsewhere."""
        path.unlink(missing_ok=True)
        with suppress(OSError):  # others are still there
            path.parent.rmdir()

    def close(self) -> None:
        """Write what waits, and let others write."""
        try:
            self.flush(now=True)
        finally:
            os.close(self._lock)
