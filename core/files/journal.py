"""The journal of a window: a document, and behind it every edit, undo and redo, each written as it happens.

A file begins with `MAGIC`; then come records: a head with the lengths and checksums of what follows, a JSON
text, and raw columns (`packed_values`). The first record holds a whole document, each later one what differs
from the state before. Records are only appended, each by one `write`, so that a killed process leaves whole
records and perhaps the beginning of one more, which is dropped. What `write` has taken outlives the process
at once, and a power failure as soon as `sync_file` has returned.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.files.atomic import sync_folder
from core.files.packed_values import Packer, Unpacker
from core.files.private_files import make_private_file
from core.model.document_state import DocumentState
from core.model.errors import InputError, SlotscopeError
from core.model.in_parts import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import IO

    from numpy.typing import NDArray

    About = Mapping[str, Any]
    """What is said of the session beside its edits: values that JSON knows, by name."""

KIND = b"slotscope journal "
MAGIC = KIND + b"1\n"
HEAD = struct.Struct("<QQI")
"""Bytes of the JSON text, bytes of the columns, the checksum of both; the head's own checksum follows."""
CHECK = struct.Struct("<I")
HEAD_SIZE = HEAD.size + CHECK.size
NUMBERS = "biuf"
"""Kinds of columns; nothing else is read."""
OCCASIONAL = "layout"
"""What is said under this name is written when it has changed; all else stands in every record."""
UNREADABLE = (
    SlotscopeError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What bad values lead to, whose checksum is right."""


class Step(NamedTuple):
    """One step of undo: what it is called, and the document before and after it."""

    text: str
    before: DocumentState
    after: DocumentState


@dataclass
class History:
    """A document with its steps of undo, of which the first `index` are done."""

    state: DocumentState
    steps: list[Step] = field(default_factory=list)
    index: int = 0

    def at(self, index: int) -> DocumentState:
        """Return the document as it is when so many steps are done."""
        if index == self.index:
            return self.state
        return self.steps[index].before if index < len(self.steps) else self.steps[-1].after

    def push(self, place: int, step: Step) -> None:
        """Put a step at a place, in the place of all that stood there and later."""
        self.steps[place:] = [step]
        self._show(place + 1, step.after)

    def move(self, count: int, index: int) -> None:
        """Forget the steps behind so many, and undo or redo until `index` are done."""
        if not 0 <= index <= count <= len(self.steps):
            raise ValueError(f"there are no {count} steps")
        if index != self.index:
            self._show(index, self.at(index))
        del self.steps[count:]

    def _show(self, index: int, state: DocumentState) -> None:
        # as in the window, ids of scenarios stay taken for ever
        next_id = max(state.next_id, self.state.next_id)
        self.index, self.state = index, replace(state, next_id=next_id)


class Journal:
    """Writes a journal and keeps its entries.

    Attributes
    ----------
    path : the file
    history : what would be read from it
    """

    def __init__(self, path: Path, base: DocumentState, about: About) -> None:
        """Begin a file with a document; OSError if it cannot be written."""
        self.path, self.history = path, History(base)
        self._about: About = {}
        make_private_file(path)
        path.write_bytes(MAGIC)
        packer = Packer()
        self._append({"state": packer.pack(base)}, packer.arrays, about)

    @classmethod
    def begin(cls, path: Path, history: History, about: About) -> Journal:
        """Write a whole journal; one that is there stays until the disk has the new one.

        Takes a second for a million jobs, and may be called in a thread. OSError if it cannot be written.
        """
        part = path.with_name(f"{path.name}.part")
        journal = cls(part, history.at(0), about)
        journal.follow(len(history.steps), history.index, history.steps.__getitem__, about)
        sync_file(part)
        part.replace(path)
        sync_folder(path.parent)
        journal.path = path
        return journal

    def follow(self, count: int, index: int, step: Callable[[int], Step], about: About) -> bool:
        """Write what has happened: there are so many steps now, of which the first `index` are done.

        Usually one step has come, or one was undone; False where nothing has happened. OSError if it cannot
        be written: then the file may end in a part of a record, and no more must be appended.
        """
        steps = self.history.steps
        place = min(count, len(steps))
        while place and steps[place - 1] is not step(place - 1):
            place -= 1
        for new in range(place, count):
            packer = Packer()
            state = packer.pack(step(new).after, self.history.state)
            change = {"place": new, "text": step(new).text, "next_id": step(new).before.next_id}
            self._append({**change, "state": state}, packer.arrays, about)
            self.history.push(new, step(new))
        if (count, index, about) == (len(steps), self.history.index, self._about):
            return place < count
        self._append({"count": count, "index": index}, (), about)
        self.history.move(count, index)
        return True

    def _append(self, change: dict[str, Any], arrays: Sequence[NDArray[Any]], about: About) -> None:
        known = self._about.get(OCCASIONAL)
        changed = {name: value for name, value in about.items() if name != OCCASIONAL or value != known}
        rest = _record({"about": changed, **change}, arrays)
        with self.path.open("ab", buffering=0) as file:
            while rest:
                rest = rest[file.write(rest) :]
        self._about = about


def sync_file(path: Path) -> None:
    """Return when the disk has what was written to a file; OSError if it cannot take it."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _record(record: dict[str, Any], arrays: Sequence[NDArray[Any]]) -> memoryview:
    columns = [np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for array in arrays]
    record["columns"] = [[column.dtype.str, len(column)] for column in columns]
    text = json.dumps(record, separators=(",", ":")).encode()
    check = zlib.crc32(text)
    for column in columns:
        check = zlib.crc32(column.data, check)
    head = HEAD.pack(len(text), sum(column.nbytes for column in columns), check)
    begin = np.frombuffer(head + CHECK.pack(zlib.crc32(head)) + text, np.uint8)
    return joined([begin, *(column.view(np.uint8) for column in columns)], np.uint8).data


# Reading


class ReadJournal(NamedTuple):
    """What a journal holds: the document with its steps, notes on it, perhaps a sentence of damage."""

    history: History
    about: dict[str, Any]
    damage: str = ""


class _Damage(Exception):
    """From here on nothing can be read."""


def read_journal(path: Path) -> ReadJournal:
    """Read a journal to its end, or as far as it is intact; then a sentence reports that the rest is lost.

    Raises InputError if not even the document that it begins with can be read.
    """
    found: ReadJournal | None = None
    records = 0
    try:
        with path.open("rb") as file:
            for size, behind, check in _heads(file):
                found = _replayed(found, file.read(size), file.read(behind), check)
                records += 1
    except OSError as error:
        raise InputError(f"cannot read '{path}': {(error.strerror or str(error)).lower()}") from error
    except _Damage as error:
        if found is None:
            raise InputError(f"the journal '{path}' is damaged: {error}; discard it") from error
        kept = f"{records - 1} changes" if records != 2 else "1 change"
        damage = (
            f"the session's journal is damaged behind its first {kept} ({error}); what came later is lost"
        )
        return found._replace(damage=damage)
    if found is None:
        raise InputError(f"the journal '{path}' holds no document; discard it")
    return found


def last_record(path: Path) -> dict[str, Any]:
    """Return the description in the last record, without a look at the others; InputError if none."""
    text = b""
    try:
        with path.open("rb") as file, suppress(_Damage):
            for size, _, _ in _heads(file):
                text = file.read(size)
        about: dict[str, Any] = dict(json.loads(text)["about"])
    except InputError:
        raise
    except (OSError, *UNREADABLE) as error:
        raise InputError(f"the journal '{path}' is damaged: {error}; discard it") from error
    return about


def _heads(file: IO[bytes]) -> Iterator[tuple[int, int, int]]:
    """Put the file at the text of each whole record; yield sizes of text and columns, and the checksum."""
    size, place = os.fstat(file.fileno()).st_size, len(MAGIC)
    begin = file.read(place)
    if begin != MAGIC and begin.startswith(KIND):
        raise InputError("another version of Slotscope has written this session; restore it with that one")
    if begin != MAGIC:
        raise _Damage("it begins as no journal does")
    while size - place >= HEAD_SIZE:
        file.seek(place)
        head, own = file.read(HEAD.size), file.read(CHECK.size)
        if CHECK.unpack(own)[0] != zlib.crc32(head):
            raise _Damage(f"byte {place} begins no record")
        text, columns, check = HEAD.unpack(head)
        place += HEAD_SIZE + text + columns
        if place > size:
            return  # the process was killed while it wrote this one
        yield text, columns, check


def _replayed(before: ReadJournal | None, text: bytes, columns: bytes, check: int) -> ReadJournal:
    """Apply a record."""
    if zlib.crc32(columns, zlib.crc32(text)) != check:
        raise _Damage("a checksum is wrong")
    try:
        record = json.loads(text)
        unpacker = Unpacker(_columns(record["columns"], columns))
        if before is None:
            return ReadJournal(History(_state(unpacker.unpack(record["state"]))), record["about"])
        history = before.history
        if "state" in record:
            place = record["place"]
            if not 0 <= place <= len(history.steps):
                raise ValueError(f"there is no place {place}")
            after = _state(unpacker.unpack(record["state"], history.state))
            before_it = replace(history.at(place), next_id=record["next_id"])
            history.push(place, Step(str(record["text"]), before_it, after))
        else:
            history.move(record["count"], record["index"])
        kept = {name: before.about[name] for name in (OCCASIONAL,) if name in before.about}
        about = kept | record["about"]  # what it says no more, as a lesson that was left, holds no more
    except UNREADABLE as error:
        raise _Damage(str(error) or type(error).__name__) from error
    return before._replace(about=about)


def _state(value: object) -> DocumentState:
    if not isinstance(value, DocumentState):
        raise TypeError("a record holds no document")
    return value


def _columns(kinds: Sequence[tuple[str, int]], data: bytes) -> list[NDArray[Any]]:
    """Return the columns, read-only and each in memory of its own."""
    columns, place = [], 0
    for name, length in kinds:
        kind = np.dtype(name)
        if kind.kind not in NUMBERS:
            raise ValueError(f"'{name}' are no numbers")
        column = np.frombuffer(data, kind, length, place).astype(kind.newbyteorder("="))
        column.flags.writeable = False
        columns.append(column)
        place += column.nbytes
    return columns
