"""From starting the program to the first picture: warm, and the first start ever (nothing compiled yet).

    python -m benchmarks.start [--runs N] [--json]

The clock runs in this process from before the other one is started until that one says that both charts of
the sample have been painted with their schedules. The longest pause is that of a 5 ms timer in the window's
thread until the compiled code is in use.
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
from typing import Any

PROGRAM = """
import sys, time
from PySide6.QtCore import QTimer, Qt
from explorer.app import WindowSession, make_application
from explorer.session.settings import Settings
from pathlib import Path
application = make_application()
session = WindowSession(application, Settings(Path(sys.argv[1]) / "settings.ini"))
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
def ready():
    QTimer.singleShot(300, lambda: (print("ready", max(pauses), flush=True), application.exit()))
first = QTimer(interval=1)
first.timeout.connect(painted)
ticks = QTimer(interval=5)
ticks.setTimerType(Qt.TimerType.PreciseTimer)
ticks.timeout.connect(tick)
session.warm_up.ready.connect(ready)
session.window.show()
session.start()
first.start()
application.exec()
session.window.editor.undo_stack.setClean()
session.window.close()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    subprocess.run([sys.executable, "-m", "explorer.warm_up"], check=True)
    warm = [_start({}) for _ in range(options.runs)]
    with tempfile.TemporaryDirectory() as cache:
        first_ever = [_start({"NUMBA_CACHE_DIR": cache})]
    rows = [_row("warm", warm), _row("first start ever", first_ever)]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'start':20}{'first picture (s)':>20}{'compiled in use (s)':>22}{'longest pause (ms)':>20}")
    for row in rows:
        print(f"{row['start']:20}{row['picture']:20.2f}{row['ready']:22.2f}{1000 * row['pause']:20.0f}")


def _start(extra: dict[str, str]) -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, **extra}
        if not environment.get("DISPLAY"):
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, folder], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        picture = ready = pause = float("nan")
        for line in process.stdout:
            if line.startswith("picture"):
                picture = time.perf_counter() - began
            elif line.startswith("ready"):
                ready, pause = time.perf_counter() - began, float(line.split()[1])
        if process.wait() != 0:
            raise RuntimeError("the window did not start")
        return picture, ready, pause


def _row(start: str, runs: list[tuple[float, float, float]]) -> dict[str, Any]:
    picture, ready, pause = (statistics.median(column) for column in zip(*runs, strict=True))
    return {"start": start, "picture": picture, "ready": ready, "pause": pause}


if __name__ == "__main__":
    main()
