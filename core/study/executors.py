"""Where batches run: processes of this machine, or workers that a Dask scheduler has; both are executors.

Any `concurrent.futures.Executor` runs a study. Those of here send what all batches share to each worker once,
go on when a worker dies, and say how many workers there are.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.study import batches
from core.study.batches import StudyOnDisk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.study.batches import StudyShare

MAX_NICENESS = 19
"""Of worker processes: the more, the sooner whatever else runs here goes first."""
LAST_WORDS = "last-words.txt"
CONNECT_SECONDS = 10
"""So long a scheduler has to answer."""
NO_DASK = (
    "workers of other machines need the package 'distributed', which is not installed; run: pip install "
    "'slotscope[dask]'"
)


class InThisProcess(Executor):
    """Runs each batch at once, in the thread that submits it: for a few cells, and to compare with."""

    workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it; the future that is returned is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ProcessWorkers(Executor):
    """Processes of this machine, started once; if one dies, new ones take over.

    `workers` is how many there are, `niceness` how far they stand back behind whatever else runs.
    """

    def __init__(self, workers: int, niceness: int = 0) -> None:
        self.workers, self.niceness = workers, niceness
        self._folder = tempfile.TemporaryDirectory(prefix="slotscope-study-")
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        # a fork of a process with a window, or with threads, may hang
        context = multiprocessing.get_context("spawn")
        begins = (_set_up, self._folder.name, self.niceness)
        return ProcessPoolExecutor(self.workers, context, _begin_worker, begins)

    def warm(self) -> None:
        """Start the processes now, so that they are ready when there is work; does not wait."""
        for _ in range(self.workers):
            self.submit(os.getpid)

    def share(self, share: StudyShare) -> StudyOnDisk:
        """Write what all batches need to a file; each worker reads it once."""
        path = Path(self._folder.name) / f"{share.token}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(share))
        return StudyOnDisk(path, share.token)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand work in; where a worker has died, to new processes."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._new_pool()
            return self._pool.submit(fn, *args, **kwargs)

    def last_output(self) -> str:
        """Return why a process could not begin; empty if none has reported it."""
        try:
            return (Path(self._folder.name) / LAST_WORDS).read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; work that runs goes on to its end first."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
        self._folder.cleanup()

    def end(self) -> None:
        """End the processes at once, whatever they run."""
        running = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
        for process in running:
            process.join()
        self._folder.cleanup()


def of_this_machine(
    workers: int | None, simulations: int, niceness: int = 0
) -> InThisProcess | ProcessWorkers:
    """Return processes of this machine, at most one for each simulation; None: as many as processors."""
    count = min(workers or os.cpu_count() or 1, simulations)
    return InThisProcess() if count == 1 and not niceness else processes(count, niceness)


def _begin_worker(set_up: Callable[[str, int], object], folder: str, niceness: int) -> None:
    """Set a worker process up; leave a note if that fails."""
    try:
        set_up(folder, niceness)
    except Exception as error:
        Path(folder, LAST_WORDS).write_text(str(error) or type(error).__name__, encoding="utf-8")
        raise


def _set_up(folder: str, niceness: int) -> None:
    """Set a worker process up: its priority, no Ctrl+C, no open files, and that it ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stand_back(niceness)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent, folder), daemon=True).start()
    assert batches  # loaded with this module, before the first batch is timed


def _stand_back(niceness: int) -> None:
    with contextlib.suppress(OSError, AttributeError):  # not all systems have it
        os.nice(niceness)


def _end_with(parent: multiprocessing.process.BaseProcess, folder: str) -> None:
    parent.join()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def processes(workers: int | None = None, niceness: int = 0) -> ProcessWorkers:
    """Return so many worker processes of this niceness, 0 to 19; None for one on each processor."""
    return ProcessWorkers(workers or os.cpu_count() or 1, niceness)


class DaskWorkers(Executor):
    """The workers of a Dask scheduler; they may come and go.

    `close_cluster` ends the scheduler if it is ours.
    """

    def __init__(self, client: Any, close_cluster: Callable[[], object] | None = None) -> None:
        self._client, self._close_cluster = client, close_cluster
        self._executor = client.get_executor(pure=False)
        self._checked: set[str] = set()

    @property
    def workers(self) -> int:
        """How many threads of workers there are now; InputError if one that has come has another version."""
        threads: dict[str, int] = self._client.nthreads()
        self._check_versions(threads)
        return max(1, sum(threads.values()))

    def check_versions(self) -> None:
        """Raise InputError if the scheduler or a worker runs another version of Slotscope."""
        _check_version("the Dask scheduler", self._client.run_on_scheduler(_version_reader()))
        self._check_versions(self._client.nthreads())

    def _check_versions(self, workers: Iterable[str]) -> None:
        """Check the workers that have come since the last time."""
        if new := sorted(set(workers) - self._checked):
            answers = self._client.run(_version_reader(), workers=new, on_error="return")
            for address, answer in answers.items():
                if not isinstance(answer, OSError):  # it has gone again
                    _check_version(f"the worker {address}", answer)
            self._checked.update(new)

    def share(self, share: StudyShare) -> Any:
        """Hand what all batches need to the scheduler, which gives it once to each worker that needs it."""
        return self._client.submit(_same, share, key=f"slotscope-{share.token}")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand work in; the scheduler gives it to another worker if one dies."""
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler; end it, and its workers, if it is ours."""
        self._executor.shutdown(wait=wait)
        self._client.close()
        if self._close_cluster is not None:
            self._close_cluster()


def _version_reader() -> Callable[[], str]:
    """Return a function for the version of Slotscope that is installed where it runs; empty for none.

    A function inside another travels as code, not by a name that another version may not know.
    """

    def installed() -> str:
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("slotscope")
        except PackageNotFoundError:
            return ""

    return installed


def _check_version(worker: str, answer: object) -> None:
    """Raise InputError unless a machine's answer is the version that runs here."""
    here = _version_reader()()
    if answer != here:
        other = f"Slotscope {answer}" if answer and isinstance(answer, str) else "no Slotscope that answers"
        raise InputError(
            f"{worker} has {other}, and this is Slotscope {here}; results of two versions may differ: "
            "install the same one on every machine"
        )


def _same(share: StudyShare) -> StudyShare:
    """Return what is given: the result of a task can be computed again wherever it got lost."""
    return share


def dask(address: str, workers: int | None = None, niceness: int = 0) -> DaskWorkers:
    """Return the workers of a Dask scheduler.

    Parameters
    ----------
    address : of the scheduler, tcp://HOST:8786; "local" for one on this machine, which ends with the executor
    workers, niceness : processes of a local one; None for one on each processor

    Raises
    ------
    InputError
        the package is not installed, nothing answers there, or another version of Slotscope does
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise InputError(NO_DASK) from None
    if address == "local":
        count = workers or os.cpu_count() or 1
        cluster = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # a free port: several may run at once
            silence_logs=logging.CRITICAL,
        )
        client = distributed.Client(cluster)
        client.run(_stand_back, niceness)
        return DaskWorkers(client, cluster.close)
    try:
        reached = DaskWorkers(distributed.Client(address, timeout=CONNECT_SECONDS))
    except (OSError, ValueError, TypeError) as error:  # the last of a tls:// address without certificates
        raise InputError(f"no Dask scheduler answers at {address}: {error}; check the address") from error
    try:
        reached.check_versions()
    except BaseException:
        reached.shutdown()
        raise
    return reached
