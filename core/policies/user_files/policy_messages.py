"""Requests to a policy's process, and its answers: in shared memory, their sizes through a pipe.

It is asked by pickles, which it believes; it answers with data (`data_codec`), since what runs in it may send
anything. The memory is a file without a name that both hold open: nothing is left of it, whoever is killed.
It is read, never mapped, so that nobody is harmed who cuts it. Workloads and schedules that the other side
has had before are sent by number.
"""

from __future__ import annotations

import ctypes
import fcntl
import io
import mmap
import os
import pickle
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import override

from core.model.kept_read_only import rebuilt
from core.model.schedule import Schedule
from core.model.workload import Workload
from core.policies.user_files.data_codec import BadData, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

LARGE_BYTES = 4096
"""Columns of a pickle from this size on lie beside it; it holds the small ones itself."""
MAX_REMEMBERED = 4
MAX_AT_ONCE = 1 << 30
"""Bytes of one read or write: systems move no more than two billion."""
MAX_SIZES_BYTES = 1 << 24
"""Of the text that names the sizes of all parts."""
CONTROL_BYTES = mmap.ALLOCATIONGRANULARITY


def shared_file() -> int:
    """Return the descriptor of an empty file without a name, in memory where the system has that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("slotscope", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def control_file() -> int:
    """Return that of a file that can be mapped: no process can make it shorter or longer."""
    file = shared_file()
    os.ftruncate(file, CONTROL_BYTES)
    if hasattr(os, "memfd_create"):
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return file


class Control(ctypes.Structure):
    """A few numbers that both sides see at once.

    Attributes
    ----------
    stop : whether the caller wants no answer any more
    signs : counts the signs of activity of the one who works
    fraction : how much is done, 0 to 1
    compiling : about how many seconds it compiles; 0 until then
    """

    stop: float
    signs: float
    fraction: float
    compiling: float
    _fields_ = tuple((name, ctypes.c_double) for name in ("stop", "signs", "fraction", "compiling"))

    @classmethod
    def of(cls, file: int) -> Control:
        """Return those in a file of `control_file`."""
        return cls.from_buffer(mmap.mmap(file, CONTROL_BYTES))


class Messages:
    """One side of the talk: it sends and receives in turns with the other one.

    Parameters
    ----------
    file : the shared memory
    reads, writes : pipes
    most : bytes of one message; larger ones are not received
    """

    def __init__(self, file: int, reads: Connection, writes: Connection, most: int) -> None:
        self._file, self._reads, self._writes, self._most = file, reads, writes, most
        self._numbers: dict[int, int] = {}
        self._things: dict[int, Any] = {}

    def send_request(self, request: object) -> None:
        """Send a request."""
        stream, columns = io.BytesIO(), []

        def take(column: pickle.PickleBuffer) -> bool:
            raw = column.raw()
            if raw.nbytes < LARGE_BYTES:
                return True
            columns.append(raw)
            return False

        _Writer(stream, self, take).dump(request)
        self._send([stream.getbuffer(), *columns])

    def receive_request(self) -> Any:
        """Return the request that the other side sent; EOFError where there is none any more."""
        parts = self._receive()
        request = _Reader(self, parts[0], [part.toreadonly() for part in parts[1:]]).load()
        self._forget()
        return request

    def answer(self, answer: object) -> None:
        """Send an answer, as data."""
        text, columns = encode(answer, self)
        self._send([memoryview(text), *(np.ravel(column).view(np.uint8).data for column in columns)])

    def fileno(self) -> int:
        """Return the descriptor that can be read when there is a message, or no writer any more."""
        return self._reads.fileno()

    def answered(self) -> Any:
        """Return the answer that the other side sent; EOFError where there is none, BadData if it is none."""
        parts = self._receive()
        answer = decode(bytes(parts[0]), parts[1:], self)
        self._forget()
        return answer

    def _send(self, parts: Sequence[memoryview]) -> None:
        os.ftruncate(self._file, 0)
        place = 0
        for part in parts:
            for begin in range(0, part.nbytes, MAX_AT_ONCE):
                place += os.pwrite(self._file, part[begin : begin + MAX_AT_ONCE], place)
        self._writes.send_bytes(b" ".join(b"%d" % part.nbytes for part in parts))
        self._forget()

    def _receive(self) -> list[memoryview]:
        """Return the parts of a message; BadData unless the memory has as many bytes as were announced."""
        try:
            sizes = [int(size) for size in self._reads.recv_bytes(MAX_SIZES_BYTES).split()]
        except OSError as error:  # a longer text
            raise BadData(f"the sizes of a message cannot be read: {error}") from error
        there = os.fstat(self._file).st_size
        if not sizes or min(sizes) < 0 or sum(sizes) > min(there, self._most):
            raise BadData(f"{sum(sizes)} bytes were announced; {there} are there, {self._most} may be")
        parts, place = [], 0
        for size in sizes:
            part = memoryview(bytearray(size))
            for begin in range(0, size, MAX_AT_ONCE):
                piece = part[begin : begin + MAX_AT_ONCE]
                if os.preadv(self._file, [piece], place) != piece.nbytes:
                    raise BadData("the shared memory was cut")
                place += piece.nbytes
            parts.append(part)
        return parts

    # ---- what both sides remember

    def number_of(self, thing: object) -> int | None:
        """Return the number of a thing on the other side, if it has one."""
        return self._numbers.get(id(thing)) if isinstance(thing, Workload | Schedule) else None

    def recall(self, number: int) -> Any:
        """Return the thing that was sent under this number."""
        return self._things[number]

    def numbered(self, thing: object) -> int:
        """Return the next number, that of a large thing on both sides from now on; -1 for others."""
        if not isinstance(thing, Workload | Schedule):
            return -1
        number = max(self._things, default=0) + 1
        self.keep(thing, number)
        return number

    def keep(self, thing: Any, number: int) -> Any:
        """Note the number of a thing on both sides, and return the thing."""
        self._things[number] = thing
        self._numbers[id(thing)] = number
        return thing

    def rebuild(self, number: int, *parts: Any) -> Any:
        """Make a thing that is sent for the first time."""
        return self.keep(rebuilt(*parts), number)

    def _forget(self) -> None:
        for number in sorted(self._things)[:-MAX_REMEMBERED]:
            del self._numbers[id(self._things.pop(number))]


# Names in pickles; `_Reader.find_class` gives the methods of its `Messages`.
def recall(number: int) -> Any:
    """Stand for `Messages.recall`."""
    raise NotImplementedError


def rebuild(number: int, *parts: Any) -> Any:
    """Stand for `Messages.rebuild`."""
    raise NotImplementedError


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, messages: Messages, take: Callable[[Any], bool]) -> None:
        super().__init__(file, 5, buffer_callback=take)
        self._messages = messages

    @override
    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Workload | Schedule):
            return self._by_number(thing)
        return NotImplemented

    def _by_number(self, thing: Workload | Schedule) -> Any:
        number = self._messages.number_of(thing)
        if number is not None:
            return recall, (number,)
        _, parts = thing.__reduce__()
        return rebuild, (self._messages.numbered(thing), *parts)


class _Reader(pickle.Unpickler):
    def __init__(self, messages: Messages, stream: memoryview, columns: list[memoryview]) -> None:
        super().__init__(io.BytesIO(stream), buffers=columns)
        self._messages = messages

    @override
    def find_class(self, module: str, name: str) -> Any:
        if module == __name__ and name in ("recall", "rebuild"):
            return getattr(self._messages, name)
        return super().find_class(module, name)
