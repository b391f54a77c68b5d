"""What opening a workload of many jobs takes of the window's thread, and of the processor in all.

    python -m benchmarks.opening [--jobs 100,1000,10000,40000,200000] [--file FILE]

Each workload of small jobs is opened in a window of a process of its own that has its compiled code.
Seconds of the processor until both schedules are drawn and a second more has passed; the last column is the
window's thread for each job beside that of the first row, 1 where it grows as the jobs do. A file is opened
likewise, any that the window opens, instead of these.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.many_jobs import small_jobs
from core.files.workload_writing import write_workload

PROGRAM = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from explorer.app import WindowSession, make_application
from explorer.session.settings import WindowSettings
application = make_application()
session = WindowSession(application, WindowSettings(Path(SETTINGS) / "settings.ini"))
window, begun = session.window, []
def look():
    if window.document.workload.name != "Five jobs" and not window.runner.is_busy:
        looking.stop()
        QTimer.singleShot(1000, end)
def end():
    print(time.thread_time() - begun[0], time.process_time() - begun[1], flush=True)
    window.editor.undo_stack.setClean()
    window.close()
def open_it():
    begun[:] = time.thread_time(), time.process_time()
    looking.start()
    window.files.open(sys.argv[1])
looking = QTimer(interval=100)
looking.timeout.connect(look)
session.warm_up.ready.connect(lambda: QTimer.singleShot(500, open_it))
window.show()
session.start()
application.exec()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", default="100,1000,10000,40000,200000", help="how many")
    parser.add_argument("--file", type=Path, help="what to open instead")
    options = parser.parse_args()
    counts = [int(count) for count in options.jobs.split(",")]
    subprocess.run([sys.executable, "-m", "explorer.warm_up"], stdout=subprocess.DEVNULL, check=True)
    if options.file is not None:
        with tempfile.TemporaryDirectory() as folder:
            window, whole = _opened(options.file.absolute(), Path(folder))
        print(f"{options.file.name}: {window:.2f} s of the window's thread, {whole:.2f} s in all")
        return
    print(f"{'jobs':>8}{'window (s)':>12}{'in all (s)':>12}{'window a job':>14}")
    first = 0.0
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "jobs.workload.json"
            write_workload(small_jobs(count), document)
            window, whole = _opened(document, Path(folder))
        first = first or window / count
        print(f"{count:>8}{window:>12.2f}{whole:>12.2f}{window / count / first:>14.2f}", flush=True)


def _opened(document: Path, folder: Path) -> tuple[float, float]:
    """Return the seconds of the window's thread, and of all threads, that a file takes.

    The window keeps in `folder` what it keeps.
    """
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROGRAM.replace("SETTINGS", repr(str(folder))), str(document)]
    done = subprocess.run(command, env=os.environ | own, stdout=subprocess.PIPE, text=True, check=True)
    window, whole = map(float, done.stdout.split())
    return window, whole


if __name__ == "__main__":
    main()
