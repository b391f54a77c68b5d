"""What two processes tell each other: pickles and columns in shared memory, their sizes through a pipe.

The memory is a file without a name that both hold open: nothing is left of it, whoever is killed. Workloads
and schedules that the other side has been told before are told by number.
"""

from __future__ import annotations

import builtins
import io
import mmap
import os
import pickle
import sys
import tempfile
from dataclasses import fields
from types import FunctionType
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.model.errors import SlotscopeError
from core.model.schedule import Schedule
from core.model.workload import Workload
from core.policies.policy import Policy
from core.policies.user_files.stand_in import arguments_of, not_here, stand_in, told_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

LARGE_BYTES = 4096
"""Columns from this size on lie beside the pickle; it holds the small ones itself."""
MOST_REMEMBERED = 4
MOST_AT_ONCE = 1 << 30
"""Bytes of one read or write: systems move no more than two billion."""
CONTROL_BYTES = mmap.ALLOCATIONGRANULARITY
TRUSTED = ("core.", "numpy.", "pathlib.")


def shared_file() -> int:
    """Return the descriptor of an empty file without a name, in memory where the system has that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("slotscope")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class Control:
    """A few numbers that both sides see at once.

    Attributes
    ----------
    stop : whether the caller wants no answer any more
    signs : counts the signs of life of the one who works
    fraction : how much is done, 0 to 1
    compiling : about how many seconds it compiles; 0 until then
    """

    stop = property(lambda self: self._numbers[0], lambda self, value: self._set(0, value))
    signs = property(lambda self: self._numbers[1], lambda self, value: self._set(1, value))
    fraction = property(lambda self: self._numbers[2], lambda self, value: self._set(2, value))

    compiling = property(lambda self: self._numbers[3], lambda self, value: self._set(3, value))

    def __init__(self, file: int) -> None:
        if os.fstat(file).st_size < CONTROL_BYTES:
            os.ftruncate(file, CONTROL_BYTES)
        self._numbers = memoryview(mmap.mmap(file, CONTROL_BYTES)).cast("d")

    def _set(self, place: int, value: float) -> None:
        self._numbers[place] = value


class Messages:
    """One side of the talk: it writes and reads in turns with the other one."""

    def __init__(self, file: int, reads: Connection, writes: Connection) -> None:
        self._file, self._reads, self._writes = file, reads, writes
        self._numbers: dict[int, int] = {}
        self._things: dict[int, Any] = {}

    def write(self, message: object) -> None:
        """Tell the other side something."""
        stream, columns = io.BytesIO(), []

        def take(column: pickle.PickleBuffer) -> bool:
            raw = column.raw()
            if raw.nbytes < LARGE_BYTES:
                return True
            columns.append(raw)
            return False

        _Writer(stream, self, take).dump(message)
        place = CONTROL_BYTES
        parts = [stream.getbuffer(), *columns]
        for part in parts:
            for begin in range(0, part.nbytes, MOST_AT_ONCE):
                place += os.pwrite(self._file, part[begin : begin + MOST_AT_ONCE], place)
        self._writes.send_bytes(b" ".join(b"%d" % part.nbytes for part in parts))
        self._forget()

    def wait(self, seconds: float) -> bool:
        """Whether there is something to read, or nobody who could write, after so many seconds at most."""
        return self._reads.poll(seconds)

    def read(self) -> Any:
        """Return what the other side told; raises EOFError when there is none, and what pickle raises."""
        parts, place = [], CONTROL_BYTES
        for size in map(int, self._reads.recv_bytes().split()):
            part = memoryview(bytearray(size))
            for begin in range(0, size, MOST_AT_ONCE):
                place += os.preadv(self._file, [part[begin : begin + MOST_AT_ONCE]], place)
            parts.append(part)
        os.ftruncate(self._file, CONTROL_BYTES)
        message = _Reader(self, parts[0], [part.toreadonly() for part in parts[1:]]).load()
        self._forget()
        return message

    # ---- what both sides remember

    def number_of(self, thing: object) -> int | None:
        """Return the number under which the other side knows a thing."""
        return self._numbers.get(id(thing))

    def recall(self, number: int) -> Any:
        """Return the thing that was told under this number."""
        return self._things[number]

    def remember(self, thing: object, number: int | None = None) -> int:
        """Note that both sides know a thing, by the next number if none is given."""
        number = max(self._things, default=0) + 1 if number is None else number
        self._things[number] = thing
        self._numbers[id(thing)] = number
        return number

    def rebuild(self, number: int, kind: type, values: dict[str, Any]) -> Any:
        """Make a thing that is told for the first time."""
        thing: Any = object.__new__(kind)
        thing.__dict__.update(values)
        self.remember(thing, number)
        return thing

    def _forget(self) -> None:
        for number in sorted(self._things)[:-MOST_REMEMBERED]:
            del self._numbers[id(self._things.pop(number))]


# Names in pickles; `_Reader.find_class` gives the methods of its `Messages`.
def recall(number: int) -> Any:
    """Stand for `Messages.recall`."""
    raise NotImplementedError


def rebuild(number: int, kind: type, values: dict[str, Any]) -> Any:
    """Stand for `Messages.rebuild`."""
    raise NotImplementedError


def error_again(kind: type[BaseException], given: tuple[Any, ...], values: dict[str, Any]) -> BaseException:
    """Make an error without its constructor, which may ask for something else than `given`."""
    error = kind.__new__(kind, *given)
    error.__dict__.update(values)
    return error


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, messages: Messages, take: Callable[[Any], bool]) -> None:
        super().__init__(file, 5, buffer_callback=take)
        self._messages = messages

    @override
    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Workload | Schedule):
            return self._by_number(thing)
        if isinstance(thing, SlotscopeError):
            return error_again, (type(thing), thing.args, thing.__dict__)
        if isinstance(thing, FunctionType) and not _can_be_imported(thing):
            return not_here, (thing.__name__, arguments_of(thing))
        if isinstance(thing, type) and issubclass(thing, Policy) and not _can_be_imported(thing):
            return stand_in, told_of(thing)
        return NotImplemented

    def _by_number(self, thing: Any) -> Any:
        number = self._messages.number_of(thing)
        if number is not None:
            return recall, (number,)
        values = {field.name: getattr(thing, field.name) for field in fields(thing)}
        return rebuild, (self._messages.remember(thing), type(thing), values)


def _can_be_imported(thing: Any) -> bool:
    module = thing.__module__ or ""
    found = getattr(sys.modules.get(module), thing.__qualname__, None)
    return found is thing and module.startswith(TRUSTED)


class _Reader(pickle.Unpickler):
    def __init__(self, messages: Messages, stream: memoryview, columns: list[memoryview]) -> None:
        super().__init__(io.BytesIO(stream), buffers=columns)
        self._messages = messages

    @override
    def find_class(self, module: str, name: str) -> Any:
        if module == __name__ and name in ("recall", "rebuild"):
            return getattr(self._messages, name)
        found = getattr(builtins, name, None) if module == "builtins" else None
        is_error = isinstance(found, type) and issubclass(found, BaseException)
        if is_error or f"{module}.".startswith(TRUSTED) or name in ("slice", "set", "frozenset", "complex"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is of no use here")
