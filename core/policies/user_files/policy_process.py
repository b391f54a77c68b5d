"""The processes in which users' policy files run, as seen from outside: started, called, stopped, killed.

One is started when the first file is run, others when it is busy. What goes wrong in one is a sentence here.
"""

from __future__ import annotations

import atexit
import inspect
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, NamedTuple

from core.engine.compile_cache import cache_folder
from core.model.errors import Cancelled, InputError, PolicyError
from core.model.progress import never_stop, no_progress
from core.model.schedule import Schedule
from core.policies.own_policies import own_policy, register_policy
from core.policies.registry import POLICIES, PolicyDescription, describe
from core.policies.user_files.apart import Elsewhere, followed_ids
from core.policies.user_files.how_it_ended import end_of_process, most_bytes
from core.policies.user_files.policy_messages import Control, Messages, control_file, shared_file
from core.policies.user_files.printed import OutputPipe
from core.policies.user_files.source import place_of_file, read_policy_file
from core.policies.user_files.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from core.model.errors import SourcePlace
    from core.policies.policy import Policy
    from core.policies.user_files.source import PolicySource

MAX_PROCESSES = 6
"""One for each scenario that a document may have, so that a slow policy delays no other one."""
MAX_IDLE = 2
LOADING_SECONDS, RUNNING_SECONDS = 10.0, 60.0
"""Without a sign of activity; then a process is ended."""
POLL_SECONDS = 0.015
STOP_SECONDS = 0.3
"""A caller who wants no answer any more waits so long for the process to be free again."""
LEAVE_SECONDS = 10.0
"""So long it may go on with what nobody waits for: most often it compiles, and the next one will be glad."""
WAIT_SECONDS = 0.25
"""So long a call waits for a process that is busy before another one is started."""
NOT_WHOLE = (
    "the policy ended with tasks that did not run once each; it may look at the run and at what runs it, but "
    "not change them"
)
MEDDLED = (
    "the policy meddled with the process that it runs in, whose answer cannot be read; it may look at the "
    "run, but not change what runs it"
)
STOPPED = "the process of the policy was stopped by a signal and did not go on; it has been ended"
STOPPED_SECONDS = 10.0
CODE_FOLDER = "of-policy-files"
"""Of the folder of compiled code: what these processes compile; nothing else loads it."""
SERVE = "core.policies.user_files.serve"
"""The module of the other side; it is never imported here."""
BEGIN = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve(*{arguments!r})"


@dataclass(frozen=True)
class PolicyCall:
    """A function to be called.

    Attributes
    ----------
    module, function : where it is found
    given : its arguments by name
    seconds : how long there may be no sign of activity
    sources : the versions of policy files that they follow, by the id of the policy
    source : the file that is loaded, if any
    """

    module: str
    function: str
    given: Mapping[str, Any]
    seconds: float
    sources: Mapping[str, PolicySource] = field(default_factory=dict)
    source: PolicySource | None = None

    @property
    def every_source(self) -> tuple[PolicySource, ...]:
        """All files that take part."""
        return (*self.sources.values(), *(() if self.source is None else (self.source,)))


class Caller(NamedTuple):
    """The caller of a request: whether the answer is still wanted, and what is notified, as by `simulate`."""

    should_stop: Callable[[], bool]
    progress: Callable[[float], None] = no_progress
    on_compiling: Callable[[float], None] = no_progress


class PolicyProcess:
    """One process; it answers one call at a time.

    Parameters
    ----------
    hash_seed : how it hashes texts; without it each process does otherwise
    folders : whose files it may read, beside the installed packages
    """

    def __init__(self, hash_seed: int | None = None, folders: Iterable[Path] = ()) -> None:
        self.folders = frozenset(folders)
        self._stopped_at: float | None = None
        self._was_stopped = False
        self._trace, memory, control = shared_file(), shared_file(), control_file()
        theirs, ours, printed = os.pipe(), os.pipe(), os.pipe()
        passed = (theirs[0], ours[1], memory, control, self._trace)
        code_folder = cache_folder() / CODE_FOLDER
        with suppress(OSError):  # then what is compiled there is not kept
            code_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        limits = (most_bytes(), tuple(map(str, self.folders)), str(code_folder), str(cache_folder()))
        arguments = (*passed, limits)
        code = BEGIN.format(path=sys.path, module=SERVE, arguments=arguments)
        seeded = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed)}
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=printed[1],
            stderr=printed[1],
            pass_fds=passed,
            env=os.environ | seeded | {"NUMBA_CACHE_DIR": str(code_folder)},
            start_new_session=True,  # what it starts is ended with it
        )
        for descriptor in (*passed[:2], printed[1]):
            os.close(descriptor)
        self._printed = OutputPipe(printed[0])
        self._memory, self._control = memory, Control.of(control)
        os.close(control)
        pipes = Connection(ours[0], writable=False), Connection(theirs[1], readable=False)
        self._messages = Messages(memory, *pipes, most_bytes())

    @property
    def is_alive(self) -> bool:
        """Whether it can be called."""
        return self._process.poll() is None

    def send_request(self, request: PolicyCall, caller: Caller) -> tuple[Any, BaseException | None, bool]:
        """Return what the function returned, what it raised, and whether the process may go on.

        Raises Cancelled if `should_stop` says so; the process may not have noticed then.
        """
        self._control.stop = self._control.fraction = self._control.compiling = 0.0
        self._printed.begin()
        try:
            self._messages.send_request(request)
            self._wait(request, caller)
            answer, error, may_go_on = self._messages.answered()
        except (EOFError, OSError):
            return None, self._end(request), False
        except (ValueError, TypeError):  # BadData, or a tuple of something else
            self._kill()
            return None, PolicyError(MEDDLED, _place_of(request)), False
        if not isinstance(error, BaseException | None):
            return None, PolicyError(MEDDLED, _place_of(request)), False
        return answer, error, bool(may_go_on)

    def _wait(self, request: PolicyCall, caller: Caller) -> None:
        """Return when there is an answer or the process has ended."""
        signs, alive_at, reported, compiling = -1.0, 0.0, 0.0, 0.0
        while not self._has_answer(POLL_SECONDS):
            if self._control.signs != signs:
                signs, alive_at = self._control.signs, time.monotonic()
            if self._control.fraction != reported:
                reported = self._control.fraction
                caller.progress(reported)
            if self._control.compiling != compiling:
                compiling = self._control.compiling
                caller.on_compiling(compiling)
            if caller.should_stop():
                self._control.stop = 1.0
                if not self._has_answer(STOP_SECONDS):
                    raise Cancelled("the simulation was cancelled")
            if time.monotonic() - alive_at > request.seconds + 5:  # it should have ended by itself
                self._kill()
            self._look_whether_stopped()

    def _has_answer(self, seconds: float) -> bool:
        """Whether there is an answer, or no process to give one, after so many seconds at most.

        What is printed meanwhile is passed on.
        """
        answer, until = self._messages.fileno(), time.monotonic() + seconds
        while True:
            printed = [self._printed.fileno()] if self._printed.is_open else []
            ready = wait([answer, *printed], max(0.0, until - time.monotonic()))
            if printed:
                self._printed.pass_on()  # all of it is there that was printed before an answer
            if answer in ready or time.monotonic() > until:
                return answer in ready

    def _look_whether_stopped(self) -> None:
        """End it when it has been stopped by a signal for `STOPPED_SECONDS`."""
        flags = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            if os.waitid(os.P_PID, self._process.pid, flags) is None:
                self._stopped_at = None
                return
        self._stopped_at = self._stopped_at or time.monotonic()
        if time.monotonic() - self._stopped_at > STOPPED_SECONDS:
            self._was_stopped = True  # from now on it is not stopped, but not yet gone either
            self._kill()

    def _kill(self) -> None:
        """End it and what it has started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def waited_in_vain(self) -> bool:
        """Wait for an answer that is not wanted any more; return whether it did not come."""
        try:
            return not (self._has_answer(LEAVE_SECONDS) and self._messages.answered()[2])
        except Exception:  # whatever it is, nobody wants it
            return True

    def _end(self, request: PolicyCall) -> BaseException:
        """Return the sentence about a process that has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        if self._was_stopped:
            return PolicyError(STOPPED, _place_of(request))
        trace = os.pread(self._trace, 1 << 20, 0).decode("utf-8", "replace")
        return end_of_process(code, trace, request.seconds, request.every_source)

    def close(self) -> None:
        """End it."""
        self._kill()
        self._process.wait()
        self._printed.close()
        for descriptor in (self._trace, self._memory):
            os.close(descriptor)


class PolicyProcesses:
    """Every process of this program; for all its threads."""

    def __init__(self, hash_seed: int | None = None) -> None:
        self._hash_seed = hash_seed
        self._changed = threading.Condition()
        self._idle: list[PolicyProcess] = []
        self._all: set[PolicyProcess] = set()
        self._folders: frozenset[Path] = frozenset()
        atexit.register(self.close)

    def call(self, request: PolicyCall, caller: Caller) -> Any:
        """Call a function in one of them; raises what it raised."""
        needed = {source.path.parent for source in request.every_source}
        self.let_read(folder for folder in needed if not _lies_in(folder, self._folders))
        process = self._take(needed, caller.should_stop)
        try:
            answer, error, may_go_on = process.send_request(request, caller)
        except Cancelled:
            threading.Thread(target=self._leave, args=(process,), daemon=True).start()
            raise
        except BaseException:
            self._give_back(process, may_go_on=False)
            raise
        self._give_back(process, may_go_on=may_go_on)
        if error is not None:
            raise error
        return answer

    def let_read(self, folders: Iterable[Path]) -> None:
        """Let processes that are started from now on read these folders, with all in them."""
        self._folders |= frozenset(folders)

    def prepare(self, count: int = 1) -> None:
        """Start some if there are fewer: that takes a second, in which they are not needed yet."""
        with self._changed, suppress(InputError):  # who needs one is told
            while len(self._all) < count:
                self._idle.insert(0, self._new())

    def close(self) -> None:
        """End all of them."""
        with self._changed:
            for process in self._all:
                process.close()
            self._idle, self._all = [], set()

    def _take(self, needed: Iterable[Path], should_stop: Callable[[], bool]) -> PolicyProcess:
        """Return a process that does nothing and may read some folders.

        That is the one used last, or after a while a new one.
        """
        began = time.monotonic()
        with self._changed:
            while True:
                if self._idle:
                    process = self._idle.pop()
                    if process.is_alive and all(_lies_in(folder, process.folders) for folder in needed):
                        return process
                    self._drop(process)
                waited = time.monotonic() - began > WAIT_SECONDS
                if not self._all or (waited and len(self._all) < MAX_PROCESSES):
                    return self._new()
                self._changed.wait(POLL_SECONDS)
                if should_stop():
                    raise Cancelled("the simulation was cancelled")

    def _new(self) -> PolicyProcess:
        try:
            process = PolicyProcess(self._hash_seed, self._folders)
        except OSError as error:
            why = error.strerror or error
            raise InputError(
                f"no process can be started for policy files: {why}; end other programs"
            ) from error
        self._all.add(process)
        return process

    def _give_back(self, process: PolicyProcess, *, may_go_on: bool) -> None:
        with self._changed:
            if process not in self._all:
                return  # all were ended meanwhile
            if may_go_on and len(self._idle) < MAX_IDLE:
                self._idle.append(process)
            else:
                self._drop(process)
            self._changed.notify()

    def _drop(self, process: PolicyProcess) -> None:
        self._all.remove(process)
        process.close()

    def _leave(self, process: PolicyProcess) -> None:
        self._give_back(process, may_go_on=not process.waited_in_vain())


def _lies_in(folder: Path, folders: Iterable[Path]) -> bool:
    return any(folder.is_relative_to(each) for each in folders)


PROCESSES = PolicyProcesses()


@contextmanager
def fresh_process(hash_seed: int) -> Iterator[PolicyProcesses]:
    """Start processes that have run nothing yet and hash texts in a way of their own; they end in the end."""
    processes = PolicyProcesses(hash_seed)
    try:
        yield processes
    finally:
        processes.close()
        atexit.unregister(processes.close)


def call_apart(
    function: Callable[..., Any],
    given: tuple[Any, ...],
    named: dict[str, Any],
    processes: PolicyProcesses = PROCESSES,
    seconds: float | None = None,
) -> Any:
    """Call a function of ours where the policies live that its arguments follow; raises what it raises."""
    arguments = inspect.signature(function).bind(*given, **named).arguments
    stops = [value.should_stop for value in arguments.values() if isinstance(value, Elsewhere)]
    caller = Caller(
        arguments.pop("should_stop", None) or next(iter(stops), never_stop),
        arguments.pop("progress", None) or no_progress,
        arguments.pop("on_compiling", no_progress),
    )
    sources = {
        policy_id: policy.source
        for value in arguments.values()
        for policy_id in followed_ids(value)
        if (policy := own_policy(policy_id)) is not None and policy.source is not None
    }
    request = PolicyCall(
        function.__module__, function.__qualname__, arguments, seconds or RUNNING_SECONDS, sources
    )
    answer = processes.call(request, caller)
    if isinstance(answer, Schedule) and not answer.is_whole:  # the process looks, too, but files live there
        raise PolicyError(NOT_WHOLE, _place_of(request))
    return answer


def _place_of(request: PolicyCall) -> SourcePlace | None:
    """Return the policy file that is blamed for what a call did."""
    return next((each.place() for each in request.every_source), None)


def load_apart(source: PolicySource, should_stop: Callable[[], bool] = never_stop) -> type[Policy]:
    """Run a policy file in its process and return a stand-in for its policy.

    Raises
    ------
    PolicyError
        as `core.policies.user_files.policy_file.load_policy` does, and where the file ends the process, takes
        too long or too much memory, or changes what others use
    """
    arguments = {"source": source}
    request = PolicyCall(SERVE, "loaded", arguments, LOADING_SECONDS, source=source)
    policy: type[Policy] = PROCESSES.call(request, Caller(should_stop))
    policy.source = source
    return policy


def register_file(path: Path) -> PolicyDescription:
    """Run a policy file, in a process of its own, and make its policy known until this one ends.

    The file's code is executed: the caller has made sure that the user wants that.

    Raises
    ------
    PolicyError
        the file cannot be run or does not hold exactly one policy
    """
    policy = load_apart(read_policy_file(path))
    if any(policy.id == known.id for known in POLICIES):
        sentence = f"the id '{policy.id}' belongs to a built-in policy; choose another one"
        raise PolicyError(sentence, place_of_file(policy.source))
    register_policy(policy.id, policy)
    return describe(policy.id)


StandIn.home = call_apart
