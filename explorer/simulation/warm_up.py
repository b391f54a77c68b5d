"""The first start: everything compiled is built in another process while the window already works."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QThreadPool, Signal, Slot

import explorer
from core.engine.jit import compiled_is_ready
from core.engine.row_packing import compiled_pack
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Stage, Workload
from core.policies.registry import policies
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMPILE = ("-P", "-m", "explorer.warm_up")
"""Arguments of Python: -P, since a folder called `explorer` where people are must not be taken for ours."""


def load_engine() -> None:
    """Bring the compiled engine and every policy into this process, compiling what is not in the cache."""
    workload = Workload("warm-up", (Job("J1", Stage.of(2, 1.0), Stage.of(1, 1.0)),))
    for policy in policies():
        simulate(workload, Cluster(1, 1), PolicyChoice(policy.id), engine="compiled")
    compiled_pack()
    schedule_scans(ScanJobs.of(0.0, 0, 1.0), 1, "circumflex")


class WarmUp(QObject):
    """Makes compiled code ready without ever blocking the window.

    A thread of ours would make the window stutter for seconds, as compiling holds Python's lock; a process
    does not. Loading its result afterwards takes a thread less than a second.

    Signals
    -------
    ready : compiled code is loaded; runner and charts may use it now
    failed : a sentence and what the compiling process wrote; the interpreted engine goes on
    """

    ready = Signal()
    failed = Signal(str)
    _loaded = Signal(object)

    def __init__(
        self,
        loaders: Sequence[Callable[[], None]] = (load_engine,),
        arguments: Sequence[str] = COMPILE,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._loaders = tuple(loaders)
        self._arguments = list(arguments)
        self._pool = QThreadPool(self)
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment())
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_process_error)
        self._loaded.connect(self._on_loaded, Qt.ConnectionType.QueuedConnection)
        self._is_stopped = False

    def start(self) -> None:
        """Load what is compiled already, else compile it first."""
        if compiled_is_ready():
            self._load()
        else:
            self._process.start(sys.executable, self._arguments)

    def stop(self) -> None:
        """End the process and wait for the thread: the window closes."""
        self._is_stopped = True
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished()
        self._pool.waitForDone()

    def _load(self) -> None:
        self._pool.start(self._load_in_thread)

    def _load_in_thread(self) -> None:
        result: object = None
        try:
            for loader in self._loaders:
                loader()
        except Exception as error:  # a damaged cache may raise anything; the window has to hear of it
            result = error
        self._loaded.emit(result)

    @Slot(object)
    def _on_loaded(self, result: object) -> None:
        if self._is_stopped:
            return
        if result is None:
            self.ready.emit()
        else:
            self._fail(f"{type(result).__name__}: {result}")

    def _on_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        if self._is_stopped:
            return
        if code == 0:
            self._load()
        else:
            self._fail(bytes(self._process.readAll().data()).decode(errors="replace").strip())

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(self._process.errorString())

    def _fail(self, why: str) -> None:
        sentence = "the fast engine could not be built, so simulations stay slow (results are the same)"
        self.failed.emit(f"{sentence}: {why}" if why else sentence)


def _environment() -> QProcessEnvironment:
    """Let the other process find the packages that this one uses, wherever it was started."""
    environment = QProcessEnvironment.systemEnvironment()
    ours = str(Path(explorer.__file__).parent.parent)
    others = environment.value("PYTHONPATH")
    environment.insert("PYTHONPATH", f"{ours}{os.pathsep}{others}" if others else ours)
    return environment
