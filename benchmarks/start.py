"""From starting the program to the first picture: warm, and the first start ever (nothing compiled yet).

    python -m benchmarks.start [--runs N] [--json]
    python -m benchmarks.start --large [MIB]

The clock runs in this process from before the other one is started until that one says that both charts of
the sample have been painted with their schedules. Compiled code is in use when the charts and the policies of
the sample have theirs; the other policies follow in the background. The longest pause is that of a 5 ms
timer in the window's thread until all of it is there.

With --large a document of so many MiB (100 if no number is given; jobs like those of workload d) is opened in
a window that has its compiled code: how long until it is shown and until both schedules are, and the longest
pauses of a 10 ms timer meanwhile: by the clock, and in the time of the processor that the window's thread and
all threads together took, which a busy machine lengthens less. Smallest and median of --runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.workloads import arriving
from core.files.workload_writing import write_workload

PROGRAM = """
import sys, time
from PySide6.QtCore import QTimer, Qt
from explorer.app import WindowSession, make_application
from explorer.session.settings import WindowSettings
from pathlib import Path
application = make_application()
session = WindowSession(application, WindowSettings(Path(sys.argv[1]) / "settings.ini"))
pauses, last = [], [time.perf_counter()]
def tick():
    now = time.perf_counter()
    pauses.append(now - last[0])
    last[0] = now
def painted():
    views = session.window.charts.views.values()
    if all(view.content.rows is not None for view in views):
        first.stop()
        for view in views:
            view.repaint()
        print("picture", flush=True)
        last[0] = time.perf_counter()
        ticks.start()
def used(_part):
    if not in_use and set(session.warm_up.first) <= set(session.warm_up.loaded):
        in_use.append(True)
        print("in use", flush=True)
def ready():
    QTimer.singleShot(300, lambda: (print("ready", max(pauses), flush=True), application.exit()))
in_use = []
first = QTimer(interval=1)
first.timeout.connect(painted)
ticks = QTimer(interval=5)
ticks.setTimerType(Qt.TimerType.PreciseTimer)
ticks.timeout.connect(tick)
session.warm_up.part_loaded.connect(used)
session.warm_up.ready.connect(ready)
session.warm_up.failed.connect(lambda why: (print(why, file=sys.stderr), application.exit(1)))
session.window.show()
session.start()
first.start()
application.exec()
session.window.editor.undo_stack.setClean()
session.window.close()
"""

LARGE = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QEventLoop, QTimer, Qt
from explorer.app import WindowSession, make_application
from explorer.session.settings import WindowSettings
application = make_application()
session = WindowSession(application, WindowSettings(Path(sys.argv[1]).parent / "settings.ini"))
window = session.window
begun, pauses, last = [0.0], [], []
def clocks():
    return time.perf_counter(), time.thread_time(), time.process_time()
def tick():
    now = clocks()
    pauses.append([after - before for after, before in zip(now, last)])
    last[:] = now
def tell(what):
    print(what, time.perf_counter() - begun[0], *map(max, zip(*pauses)), flush=True)
    pauses.clear()
def look():
    if window.document.workload.name != "Five jobs" and not window.runner.is_busy:
        looking.stop()
        QTimer.singleShot(2000, lambda: (tell("drawn"), application.exit()))
def open_it():
    begun[0], last[:] = time.perf_counter(), clocks()
    ticks.start()
    looking.start()
    window.files.open(sys.argv[1])
ticks = QTimer(interval=10)
ticks.setTimerType(Qt.TimerType.PreciseTimer)
ticks.timeout.connect(tick)
looking = QTimer(interval=100)
looking.timeout.connect(look)
window.files.opened.connect(lambda _: QTimer.singleShot(50, lambda: tell("shown")))
session.warm_up.ready.connect(lambda: QTimer.singleShot(1000, open_it))
window.show()
session.start()
application.exec()
window.editor.undo_stack.setClean()
window.close()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--large", type=int, nargs="?", const=100, metavar="MIB")
    options = parser.parse_args()
    subprocess.run([sys.executable, "-m", "explorer.warm_up"], stdout=subprocess.DEVNULL, check=True)
    if options.large:
        _open_large(options.large, options.runs)
        return
    warm = [_start({}) for _ in range(options.runs)]
    with tempfile.TemporaryDirectory() as cache:
        first_ever = [_start({"NUMBA_CACHE_DIR": cache})]
    rows = [_row("warm", warm), _row("first start ever", first_ever)]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'start':18}{'first picture (s)':>19}{'in use (s)':>12}{'all (s)':>10}{'longest pause (ms)':>20}")
    for row in rows:
        seconds = f"{row['picture']:19.2f}{row['in_use']:12.2f}{row['ready']:10.2f}"
        print(f"{row['start']:18}{seconds}{1000 * row['pause']:20.0f}")


def _open_large(mebibytes: int, runs: int) -> None:
    found: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "large.workload.json"
        write_workload(arriving(106 * mebibytes, 1000, seed=3), document)
        for _ in range(runs):
            done = subprocess.run(
                [sys.executable, "-c", LARGE, str(document)],
                env=_environment(folder),
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            for what, *numbers in map(str.split, done.stdout.splitlines()):
                found.setdefault(what, []).append([float(number) for number in numbers])
        print(f"{document.stat().st_size / 2**20:.0f} MiB; smallest and median of {runs}")
    print(f"{'':8}{'after (s)':>16}{'pause (ms)':>16}{'own thread (ms)':>18}{'all threads (ms)':>18}")
    for what, rows in found.items():
        cells = [
            f"{unit * min(column):.0f}, {unit * statistics.median(column):.0f}"
            for unit, column in zip((1, 1000, 1000, 1000), zip(*rows, strict=True), strict=True)
        ]
        print(f"{what:8}{cells[0]:>16}{cells[1]:>16}{cells[2]:>18}{cells[3]:>18}")


def _environment(folder: str, **extra: str) -> dict[str, str]:
    environment = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, **extra}
    if not environment.get("DISPLAY"):
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    return environment


def _start(extra: dict[str, str]) -> tuple[float, ...]:
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(folder, **extra)
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, folder], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        picture = in_use = ready = pause = float("nan")
        for line in process.stdout:
            if line.startswith("picture"):
                picture = time.perf_counter() - began
            elif line.startswith("in use"):
                in_use = time.perf_counter() - began
            elif line.startswith("ready"):
                ready, pause = time.perf_counter() - began, float(line.split()[1])
        if process.wait() != 0:
            raise RuntimeError("the window did not start")
        return picture, in_use, ready, pause


def _row(start: str, runs: list[tuple[float, ...]]) -> dict[str, Any]:
    picture, in_use, ready, pause = (statistics.median(column) for column in zip(*runs, strict=True))
    return {"start": start, "picture": picture, "in_use": in_use, "ready": ready, "pause": pause}


if __name__ == "__main__":
    main()
