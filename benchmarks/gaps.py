"""How long the window stands still while schedules of many tasks arrive, and what it does then.

    python -m benchmarks.gaps [--tasks 1000000] [--runs 3] [--gaps 5] [--code FOLDER]

A workload of 100 jobs, that of the drawing benchmark, is opened in a window of a process of its own that has
its compiled code. A gap is what passes between two rounds of a 5 ms timer in the window's thread, from the
opening until both schedules are drawn and two more seconds have passed: by the clock; without the time in
which the thread could have run but had no processor, which is that of other programs and of other threads;
and of the processor, in the thread itself. Beside each of the longest stands where the thread was in it, as
a second thread saw. `--code` runs another copy of the program, in turn with this one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.million import packed_schedule
from core.files.workload_writing import write_workload

MAX_GAP = 0.1
"""Seconds that nobody notices."""
MAX_CALLS = 7
"""Calls of the program's own code that are named of a place, the innermost ones."""

PROGRAM = """
import json, sys, threading, time
from pathlib import Path
from PySide6.QtCore import QTimer, Qt
from explorer.app import WindowSession, make_application
from explorer.session.settings import WindowSettings
application = make_application()
session = WindowSession(application, WindowSettings(Path(sys.argv[1]).parent / "settings.ini"))
window, own = session.window, threading.get_ident()
gaps, seen, last, is_over = [], [], [0.0, 0.0, 0.0], threading.Event()
statistics = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
def clocks():
    queued = int(statistics.read_text().split()[1]) / 1e9 if statistics.exists() else 0.0
    now = time.perf_counter()
    return now, now - queued, time.thread_time()
def tick():
    now = clocks()
    if now[0] - last[0] > 0.02:
        gaps.append([*(after - before for after, before in zip(now, last)), seen[:]])
    seen.clear()
    last[:] = now
def watch():
    while not is_over.wait(0.005):
        if time.perf_counter() - last[0] < 0.01:
            continue
        frame, calls = sys._current_frames()[own], []
        while hasattr(frame, "f_code"):  # it runs on meanwhile
            code = frame.f_code
            calls.append([code.co_filename, code.co_name, frame.f_lineno])
            frame = frame.f_back
        seen.append(calls)
def look():
    views = window.charts.views.values()
    if (
        window.document.workload.name != "Five jobs"
        and not window.runner.is_busy
        and all(view.content.rows is not None and view.is_drawn for view in views)
    ):
        looking.stop()
        QTimer.singleShot(2000, end)
def end():
    is_over.set()
    print(json.dumps(gaps), flush=True)
    application.exit()
def open_it():
    last[:] = clocks()
    ticks.start()
    looking.start()
    threading.Thread(target=watch, daemon=True).start()
    window.files.open(sys.argv[1])
ticks = QTimer(interval=5)
ticks.setTimerType(Qt.TimerType.PreciseTimer)
ticks.timeout.connect(tick)
looking = QTimer(interval=100)
looking.timeout.connect(look)
session.warm_up.ready.connect(lambda: QTimer.singleShot(1000, open_it))
window.resize(1600, 900)
window.show()
session.start()
application.exec()
window.editor.undo_stack.setClean()
window.close()
"""


class Gap(NamedTuple):
    """One gap.

    Attributes
    ----------
    clock, served, own : how long, in seconds: by the clock, without waiting for a processor, on a processor
    seen : calls of the window's thread, the innermost first, each time that a second thread looked
    """

    clock: float
    served: float
    own: float
    seen: list[list[tuple[str, str, int]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--gaps", type=int, default=5, help="so many of the longest are described")
    parser.add_argument("--code", type=Path, help="folder of another copy of the program")
    options = parser.parse_args()
    copies = [Path.cwd()] if options.code is None else [Path.cwd(), options.code.absolute()]
    found: dict[Path, list[list[Gap]]] = {copy: [] for copy in copies}
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "tasks.workload.json"
        write_workload(packed_schedule(options.tasks).workload, document)
        for copy in copies:
            _run(copy, "-m", "explorer.warm_up")
        for _ in range(options.runs):
            for copy in copies:
                gaps = json.loads(_run(copy, "-c", PROGRAM, str(document)))
                found[copy].append([Gap(*gap) for gap in gaps])
    print(f"{options.tasks} tasks, medians of {options.runs} runs, ms")
    print(f"{'':10}{'longest':>10}{'2nd':>8}{'3rd':>8}{'above 100':>12}")
    for copy, runs in found.items():
        print(copy)
        for what in ("clock", "served", "own"):
            print(f"{what:10}" + _line([[getattr(gap, what) for gap in gaps] for gaps in runs]))
    for copy, runs in found.items():
        print(f"\n{copy}, last run")
        for gap in sorted(runs[-1], reverse=True)[: options.gaps]:
            _describe(gap)


def _run(copy: Path, *arguments: str) -> str:
    folder = str(Path(arguments[-1]).parent) if arguments[0] == "-c" else tempfile.gettempdir()
    own: dict[str, Any] = {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=copy, env=os.environ | own, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def _line(runs: list[list[float]]) -> str:
    """Return the medians of the longest gaps of some runs, and of how many are above a tenth of a second."""
    lasts = [[*sorted(gaps, reverse=True), 0.0, 0.0, 0.0] for gaps in runs]
    longest = [1000 * statistics.median(last[place] for last in lasts) for place in range(3)]
    above = statistics.median(sum(last > MAX_GAP for last in each) for each in lasts)
    return "{:10.0f}{:8.0f}{:8.0f}{:12.0f}".format(*longest, above)


def _describe(gap: Gap) -> None:
    """Print one gap, and where the thread was in it."""
    clock, served, own = (1000 * seconds for seconds in gap[:3])
    print(f"{clock:6.0f} ms, {served:.0f} served, {own:.0f} of the window's own thread")
    places = Counter(tuple(_place(calls)) for calls in gap.seen)
    for calls, times in places.most_common(4):
        print(f"  {100 * times / len(gap.seen):4.0f} %  {' < '.join(calls)}")


def _place(calls: list[tuple[str, str, int]]) -> list[str]:
    """Return the innermost calls of the program's own code, the last one first."""
    own = [f"{Path(file).stem}.{name}" for file, name, _ in calls if "site-packages" not in file]
    return own[:MAX_CALLS]


if __name__ == "__main__":
    main()
