"""The first start: what is compiled, in which order, and where, while the window already works.

``python -m explorer.warm_up [PART ...]`` compiles everything Slotscope needs into the cache, these parts
first, and prints a line when one of them is done; it takes a minute, and nothing when the cache is there. The
window starts it in a process of its own: a thread would make it stutter, as compiling holds Python's lock.
A part that is compiled is loaded at once (0.2 s in a thread); what needs others runs interpreted until then.
Compiled code that was damaged on the disk is deleted before, compiled again, and told.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

import explorer
from core.charts import raster
from core.engine.compile_cache import take_damage, why_not_kept
from core.engine.compiled import compiled_advance
from core.engine.jit import check_compiled, compiled_is_ready, mark_ready
from core.engine.variants import EngineVariant
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.partition_edits import one_pool
from core.model.plan import Plan
from core.model.schedule import PolicyChoice, choices_of
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.chains import load_compiled
from core.optimize.exact_order import compiled_search
from core.policies.critical import Critical
from core.policies.registry import policies
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs
from core.simulation.simulate import simulate
from explorer.simulation.request import request_of
from explorer.widgets.worker import Call, Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.document_state import DocumentState

CHARTS, ENGINE, HOSTS, SCANS, OPTIMISE = "charts", "engine", "hosts", "scans", "optimise"
"""Parts beside the policies: the kernel that paints tasks; the engine that asks a policy for each slot, which
a mere order of jobs needs on untyped slots only; that of clusters with overheads, whose hosts ask for work;
shared scans; the search of the best schedule."""
COMPILE = ("-P", "-m", "explorer.warm_up")
"""Arguments of Python: -P, since a folder called `explorer` where the user is must not be taken for ours."""
DONE, DAMAGED = "compiled ", "damaged "
"""How a line begins that says which part is compiled, and one that says what had to be compiled again."""
CHECK = "check"
"""What the thread does first."""


def all_parts(first: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of all parts in the order in which they are compiled: these first."""
    built_in = [policy.id for policy in policies()]
    return tuple(dict.fromkeys((*first, CHARTS, *built_in, ENGINE, SCANS, OPTIMISE, HOSTS)))


def parts_of_document(state: DocumentState) -> tuple[str, ...]:
    """Return the parts that a document's pictures and simulations need."""
    requests = [request_of(state, scenario) for scenario in state.scenarios]
    used = [choice.id for request in requests for choice in choices_of(request)]
    used += [Critical.id for request in requests if request.plan is not None]
    needs_containers = any(request.cluster.has_containers or request.runs_own_files for request in requests)
    has_hosts = any(request.cluster.overheads is not None for request in requests)
    built_in = {policy.id for policy in policies()}
    parts = (CHARTS, *[ENGINE] * needs_containers, *[HOSTS] * has_hosts, *used)
    return tuple(dict.fromkeys(part for part in parts if part not in used or part in built_in))


def load(part: str) -> None:
    """Bring compiled code into this process, compiling what is not in the cache."""
    if part == CHARTS:
        raster.warm_up()
    elif part == ENGINE:
        compiled_advance(EngineVariant.GENERAL)
    elif part == HOSTS:
        compiled_advance(EngineVariant.HOSTS)
    elif part == SCANS:
        schedule_scans(ScanJobs.of(0.0, 0, 1.0), 1, "circumflex")
    elif part == OPTIMISE:
        compiled_search()
        load_compiled()
    else:
        workload = Workload("warm-up", (Job("J1", Stage.of(2, 1.0), Stage.of(1, 1.0)),))
        simulate(workload, Cluster(1, 1), PolicyChoice(part), engine="compiled")
        if part == Critical.id:
            plan = Plan((), one_pool(("J1",), Cluster(1, 1)))
            simulate(workload, Cluster(1, 1), PolicyChoice(part), plan=plan, engine="compiled")


def main(first: Sequence[str], load: Callable[[str], None] = load) -> int:
    """Compile what is missing; exit code 0, or 1 if it cannot be kept for the window to load."""
    if not compiled_is_ready():
        for part in all_parts(first):
            load(part)
            damage, trouble = take_damage(), why_not_kept()
            if trouble:
                sys.stdout.write(f"{trouble}\n")
                return 1
            sys.stdout.write(f"{DAMAGED}{damage}\n" * bool(damage) + f"{DONE}{part}\n")
            sys.stdout.flush()
        mark_ready()
    return 0


class WarmUp(QObject):
    """Makes compiled code ready without ever blocking the window.

    Attributes
    ----------
    first : the parts that were asked for first
    loaded : the parts that are in use, in the order in which they came

    Signals
    -------
    progressed : a sentence on how far compiling is; empty when it has ended
    part_loaded : the name of a part that may be used now
    ready : everything is loaded
    failed : a sentence and what the compiling process wrote; the interpreted engine goes on
    """

    progressed = Signal(str)
    part_loaded = Signal(str)
    ready = Signal()
    failed = Signal(str)

    def __init__(
        self,
        load: Callable[[str], None] = load,
        arguments: Sequence[str] = COMPILE,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._load = load
        self._arguments = list(arguments)
        self.first: tuple[str, ...] = ()
        self.loaded: list[str] = []
        self._missing: set[str] = set()
        self._lines: list[str] = []
        self._worker = Worker(self, Order.QUEUE, threads=1, ended=self._on_tried)
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment())
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_process_error)
        self._is_stopped = False
        self._damage = ""

    def start(self, first: Sequence[str] = ()) -> None:
        """Load what is compiled already, else compile it; these parts first."""
        self.first = tuple(first)
        self._missing = set(all_parts(first))
        self._worker.start(check_compiled, about=CHECK)

    def _begin(self) -> None:
        self._damage = take_damage()
        if compiled_is_ready():
            self._load_soon(all_parts(self.first))
        else:
            self._process.start(sys.executable, [*self._arguments, *self.first])
            self._report()

    def stop(self) -> None:
        """End the process and wait for the thread: the window closes."""
        self._is_stopped = True
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished()
        self._worker.shutdown()

    # ---- compiling in the other process

    def _read(self) -> None:
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode(errors="replace").strip()
            if line.startswith(DONE):
                self._load_soon((line.removeprefix(DONE),))
            elif line.startswith(DAMAGED):
                self._damage = line.removeprefix(DAMAGED)
                self._report()
            else:
                self._lines.append(line)

    def _on_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        if self._is_stopped:
            return
        self._read()
        if code == 0:  # another window may have compiled what this process has not told
            self._load_soon([part for part in all_parts(self.first) if part in self._missing])
        else:
            rest = bytes(self._process.readAll().data()).decode(errors="replace")
            self._fail("\n".join((*self._lines, rest)).strip())

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(self._process.errorString())

    # ---- loading in a thread

    def _load_soon(self, parts: Sequence[str]) -> None:
        for part in parts:
            if part in self._missing:
                self._missing.remove(part)
                self._worker.start(partial(self._load, part), about=part)

    def _on_tried(self, run: Call) -> None:
        if self._is_stopped:
            return
        if run.error is not None:  # compiling may raise anything; the window has to hear of it
            self._is_stopped = True
            self._fail(f"{type(run.error).__name__}: {run.error}")
            return
        if run.about == CHECK:
            self._begin()
            return
        self.loaded.append(run.about)
        self.part_loaded.emit(run.about)
        if len(self.loaded) == len(all_parts(self.first)):
            self.progressed.emit("")
            self.ready.emit()
        elif self._process.state() != QProcess.ProcessState.NotRunning:
            self._report()

    # ---- telling

    def _report(self) -> None:
        how_far = f"{len(self.loaded)} of {len(all_parts(self.first))}"
        why = f"{self._damage[:1].upper()}{self._damage[1:]}. " if self._damage else ""
        if set(self.first) <= set(self.loaded):
            self.progressed.emit(f"{why}Getting the other policies ready: {how_far}.")
        else:
            self.progressed.emit(
                f"{why}Getting the simulator ready: {how_far}. Simulations are slower until then."
            )

    def _fail(self, why: str) -> None:
        self.progressed.emit("")
        sentence = (
            "the fast simulator could not be made ready, so simulations stay slow (results are the same)"
        )
        self.failed.emit(f"{sentence}: {why}" if why else sentence)


def _environment() -> QProcessEnvironment:
    """Let the other process find the packages that this one uses, wherever it was started."""
    environment = QProcessEnvironment.systemEnvironment()
    ours = str(Path(explorer.__file__).parent.parent)
    others = environment.value("PYTHONPATH")
    environment.insert("PYTHONPATH", f"{ours}{os.pathsep}{others}" if others else ours)
    return environment


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
