"""How long after a save of a policy file its chart shows what it does now: interpreted, then compiled.

    python -m benchmarks.policy_save [--repeats N] [SAMPLE ...]

A copy of an example is edited and saved as editors do, by another file of the same name, under a window of
1400x900 that shows it beside FIFO. The clock runs from the save to the end of the first painting with the new
version, and to that with the schedule of compiled code; every edit is a version that nobody has compiled.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from core.files.resources import resource_path
from core.files.samples import load_sample, samples
from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from core.policies.user_files.source import read_policy_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.window.main_window import MainWindow

EXAMPLE = "smallest_first.py"
EDITED = "return kind, job.tasks[kind] - job.started[kind]\n"
OWN = 2
"""The scenario that follows the file."""
REPEATS = 5
MAX_SECONDS = 60.0
PARTS = ("noticed", "loaded", "simulated", "shown", "compiled")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="*", default=[sample.name for sample in samples()])
    parser.add_argument("--repeats", type=int, default=REPEATS)
    options = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(f"{'sample':24}{'tasks':>8}" + "".join(f"{part:>10}" for part in PARTS) + "   ms after the save")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.samples:
            window, path = _window_on(name, Path(folder))
            times = [_save(window, path, number) for number in range(options.repeats)]
            workload = window.document.workload
            medians = [1000 * statistics.median(each) for each in zip(*times, strict=True)]
            tasks = workload.map_count + workload.reduce_count
            print(f"{name:24}{tasks:8}" + "".join(f"{median:10.0f}" for median in medians), flush=True)
            window.editor.undo_stack.setClean()
            window.close()
            window.deleteLater()


def _window_on(name: str, folder: Path) -> tuple[MainWindow, Path]:
    """Show a window on a sample, FIFO and the file beside each other, with the file in use."""
    from PySide6.QtTest import QTest

    from core.charts import raster
    from explorer.app import make_application
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import theme
    from explorer.window.main_window import MainWindow

    make_application()
    raster.use_compiled()
    path = folder / name / EXAMPLE
    path.parent.mkdir()
    path.write_bytes(resource_path("policies", EXAMPLE).read_bytes())
    state = DocumentState.new(load_sample(name), (PolicyChoice("fifo"), PolicyChoice(str(path))))
    window = MainWindow(state, WindowSettings(folder / "settings.ini"), theme(dark=False))
    window.runner.use_compiled()
    window.resize(1400, 900)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.own_policies.files.agree(read_policy_file(path), with_folder=True)
    _run_until(lambda: window.runner.outcome(OWN) is not None and not window.runner.is_busy)
    return window, path


def _save(window: MainWindow, path: Path, number: int) -> tuple[float, ...]:
    """Save an edit; return the seconds until each of `PARTS`."""
    from explorer.policy_files.policy_files import Status

    heard: dict[str, float] = {}
    text = resource_path("policies", EXAMPLE).read_text(encoding="utf-8")
    other = path.with_suffix(".swp")
    other.write_text(text.replace(EDITED, f"{EDITED[:-1]} + {time.time()}\n"), encoding="utf-8")
    files, view = window.own_policies.files, window.charts.views[OWN]
    before = window.runner.outcome(OWN)

    def note_state(policy_id: str) -> None:
        state = files.state(policy_id)
        if state is not None:
            part = {Status.RUNNING: "noticed", Status.GOOD: "loaded"}[state.status]
            heard.setdefault(part, time.perf_counter())

    def note_outcome(scenario_id: int, outcome: object) -> None:
        if scenario_id == OWN and outcome is not before:
            heard.setdefault("simulated", time.perf_counter())
            view.repaint()
            heard.setdefault("shown", time.perf_counter())

    files.changed.connect(note_state)
    window.runner.outcome_ready.connect(note_outcome)
    began = time.perf_counter()
    os.replace(other, path)
    _run_until(lambda: "shown" in heard and not window.runner.is_busy)
    heard["compiled"] = time.perf_counter()
    files.changed.disconnect(note_state)
    window.runner.outcome_ready.disconnect(note_outcome)
    return tuple(heard[part] - began for part in PARTS)


def _run_until(is_done: Callable[[], bool]) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop, end = QEventLoop(), time.perf_counter() + MAX_SECONDS
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if is_done() or time.perf_counter() > end else None)
    timer.start(5)
    loop.exec()
    timer.stop()
    assert is_done(), "nothing new came"


if __name__ == "__main__":
    main()
