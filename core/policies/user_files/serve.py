"""The process in which users' policy files run: it calls functions of ours, and returns the results.

Where it ends without an answer, a file that both processes hold open says on which line it was. It has
limits of memory, and of time without activity; so it also ends when nothing waits for it any more.
"""

from __future__ import annotations

import builtins
import faulthandler
import importlib
import inspect
import os
import signal
import sys
import time
from contextlib import suppress
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from core.engine.compile_cache import read_also
from core.model.errors import PolicyError, SlotscopeError
from core.policies.own_policies import own_policy, register_policy
from core.policies.user_files.apart import Elsewhere
from core.policies.user_files.loop_budget import NoInput, failure_phrase
from core.policies.user_files.policy_file import load_policy
from core.policies.user_files.policy_messages import Control, Messages
from core.policies.user_files.sandbox import confine, landlock_version
from core.policies.user_files.shared_names import SharedNames, changed_error
from core.policies.user_files.source import PolicySource, frames_of, place_of_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.policies.policy import Policy
    from core.policies.user_files.policy_process import PolicyCall

SECONDS_BETWEEN_SIGNS = 0.5


class Watchdog:
    """Counts activity, and ends the process when there was none for too long."""

    def __init__(self, control: Control, trace: int) -> None:
        self._control, self._trace = control, trace
        self._seconds, self._last = 0.0, 0.0

    def begin(self, seconds: float) -> None:
        """Watch from now on: so many seconds may pass between two signs of activity."""
        self._seconds, self._last = seconds, 0.0
        self._sign()

    def end(self) -> None:
        """Watch no longer."""
        faulthandler.cancel_dump_traceback_later()

    def progress(self, fraction: float) -> None:
        """Report how far it is."""
        self._control.fraction = fraction
        self._sign()

    def on_compiling(self, seconds: float) -> None:
        """Report that it compiles, for about so many seconds."""
        self._control.compiling = seconds
        self._sign()

    def should_stop(self) -> bool:
        """Whether to stop; the call counts as activity."""
        self._sign()
        return bool(self._control.stop)

    def _sign(self) -> None:
        self._control.signs += 1
        now = time.monotonic()
        if now - self._last > SECONDS_BETWEEN_SIGNS:
            self._last = now
            # from a thread of C that needs no lock of Python's: the lines are written, then os._exit(1)
            faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._trace)


class ProcessLimits(NamedTuple):
    """What a process may have.

    Attributes
    ----------
    most_bytes : of memory, and of one file
    folders : whose files it may read, beside the installed packages
    own_code : folder of compiled code of such processes, which they read and write
    all_code : that of compiled code of the whole program, which they read
    """

    most_bytes: int
    folders: tuple[str, ...]
    own_code: str
    all_code: str


def serve(reads: int, writes: int, memory: int, control: int, trace: int, given: tuple[Any, ...]) -> None:
    """Answer requests until there is no caller; numbers are descriptors, `given` the `ProcessLimits`."""
    limits = ProcessLimits(*given)
    leave = os._exit
    os.fork = os.forkpty = _no_process  # two would answer
    faulthandler.enable(trace)
    os._exit = partial(_leave, trace, leave)
    _limit(limits.most_bytes)
    read_also(Path(limits.all_code))
    is_confined = confine((*limits.folders, limits.all_code), (limits.own_code, os.devnull))
    if not is_confined and landlock_version() > 0:
        raise RuntimeError("this system has Landlock, and yet the process could not be confined")
    sys.breakpointhook = _go_on
    builtins.input = _no_input
    pipes = Connection(reads, writable=False), Connection(writes, readable=False)
    messages = Messages(memory, *pipes, limits.most_bytes)
    watchdog, shared_names = Watchdog(Control.of(control), trace), SharedNames()
    with suppress(EOFError, BrokenPipeError):
        while True:
            answer = _answer(messages.receive_request(), watchdog, shared_names)
            try:
                messages.answer(answer)
            except TypeError as error:  # a value of ours that is no data: a failure of ours
                messages.answer((None, RuntimeError(f"an answer cannot be sent: {error}"), False))


def _go_on(*_given: object, **_named: object) -> None:
    """Pass over `breakpoint()`: a traced run notes it, and here there is no terminal."""


def _no_process(*_given: object) -> NoReturn:
    raise PermissionError("a policy may start no process")


def _no_input(*_given: object) -> NoReturn:
    raise NoInput


def _leave(trace: int, leave: Callable[[int], NoReturn], status: int) -> NoReturn:
    """End the process when a policy exits, after a note of the line."""
    faulthandler.dump_traceback(trace)
    leave(status)


def _limit(most_bytes: int) -> None:
    """Bound the memory, where the system can; interrupts are for the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))  # also of the shared memory


def _answer(
    request: PolicyCall, watchdog: Watchdog, shared_names: SharedNames
) -> tuple[Any, BaseException | None, bool]:
    """Return what a function returned, or what it raised, and whether this process may go on."""
    answer: Any = None
    error: BaseException | None = None
    source = None
    watchdog.begin(request.seconds)
    try:
        for policy_id, source in request.sources.items():
            if getattr(own_policy(policy_id), "source", None) != source:
                register_policy(policy_id, loaded(source=source))
        answer = _called(request, watchdog)
    except BaseException as raised:  # a policy's own code may raise anything
        error = _error_of(raised, source or request.source)
    changed = shared_names.changed()
    if changed:
        answer, error = None, changed_error(changed, request.every_source)
    watchdog.end()
    return answer, error, not changed


@cache
def loaded(source: PolicySource) -> type[Policy]:
    """Return the policy of a file, which is run once; for that it is always named."""
    return load_policy(source)


def _called(request: PolicyCall, watchdog: Watchdog) -> Any:
    function = getattr(importlib.import_module(request.module), request.function)
    parameters = inspect.signature(function).parameters
    listening = {name: getattr(watchdog, name) for name in ("progress", "on_compiling", "should_stop")}
    given = {
        name: value.here(watchdog.should_stop) if isinstance(value, Elsewhere) else value
        for name, value in request.given.items()
    }
    return function(**given, **{name: listening[name] for name in listening if name in parameters})


def _error_of(raised: BaseException, source: PolicySource | None) -> BaseException:
    """Return an error that can be sent: a sentence, or the error itself if it is none of the user's file."""
    if isinstance(raised, SlotscopeError):
        return raised
    paths = [] if source is None else [str(file.path) for file in source.files]
    of_file = any(frame.f_code.co_filename in paths for frame, _line in frames_of(raised))
    if of_file or not isinstance(raised, Exception) or isinstance(raised, MemoryError):
        return PolicyError(
            f"the policy {failure_phrase(raised)}: {raised}".rstrip(": "), place_of_error(raised, source)
        )
    return RuntimeError(f"{type(raised).__name__}: {raised}")
