"""How many calls cross files on three ways through the program, interpreted engine.

    python -m benchmarks.hops [--most N] [--json]

A hop is a call whose caller and callee lie in two files of core and explorer; slots that a signal calls count
too. Few hops mean that somebody who follows a way with a debugger opens few files. `--most N` lists the pairs
of files with the most hops of each way.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from explorer.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = tuple(f"{ROOT / name}{os.sep}" for name in ("core", "explorer", "slotscope"))
DRAGGED = 2
"""Index of the job that is dragged to the end of the schedule."""


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = ways()
    if options.json:
        print(json.dumps({way: sum(pairs.values()) for way, pairs in found.items()}, indent=1))
        return
    for way, pairs in found.items():
        print(f"{way:26}{sum(pairs.values()):8}")
        for (caller, callee), hops in pairs.most_common(options.most):
            print(f"{hops:8}  {caller} -> {callee}")


def ways() -> dict[str, Counter[tuple[str, str]]]:
    """Return the hops of each way by pair of files, relative to the project's folder."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    simulation = _simulation()  # first: nothing is known yet of the sample
    step, drop = _drag_and_drop()
    return {"document to schedule": simulation, "drag to painted preview": step, "drop to painted": drop}


@contextlib.contextmanager
def hops() -> Iterator[Counter[tuple[str, str]]]:
    """Count the hops of this thread meanwhile."""
    counted: Counter[tuple[str, str]] = Counter()

    def on_event(frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or frame.f_back is None:
            return
        caller, callee = frame.f_back.f_code.co_filename, frame.f_code.co_filename
        if caller != callee and caller.startswith(FOLDERS) and callee.startswith(FOLDERS):
            counted[os.path.relpath(caller, ROOT), os.path.relpath(callee, ROOT)] += 1

    sys.setprofile(on_event)
    try:
        yield counted
    finally:
        sys.setprofile(None)


def _simulation() -> Counter[tuple[str, str]]:
    """From the five-job document to its schedule under Fair, printed."""
    from explorer.cli.run import run

    arguments = ["simulate", "five-jobs", "--policy", "fair"]
    with contextlib.redirect_stdout(io.StringIO()), hops() as counted:
        run(arguments)
    return counted


def _drag_and_drop() -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Drag J3 in the first of two charts to the end: its preview painted, then dropped and painted."""
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtTest import QTest

    with tempfile.TemporaryDirectory() as folder:
        window = _window(Path(folder))
        view = window.charts.active_view
        plot = view.frame().places.plot
        across = (QPointF(x, plot.top() + 20.0) for x in range(plot.left(), plot.right(), 4))
        start = next(point for point in across if view.job_at(point) == DRAGGED).toPoint()
        end = QPoint(plot.right() - 8, start.y())
        QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, start)
        QTest.mouseMove(view, start + QPoint(30, 0))
        _paint(window)
        with hops() as step:
            QTest.mouseMove(view, end)
            _paint(window)
        with hops() as drop:
            QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
            _paint(window)
        window.editor.undo_stack.setClean()
        window.close()
        window.deleteLater()
        QTest.qWait(1)
    return step, drop


def _window(folder: Path) -> MainWindow:
    """Show a window of the five-job sample, simulated, with nothing left to do."""
    from PySide6.QtTest import QTest

    from core.files.samples import load_sample
    from explorer.app import make_application
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import theme
    from explorer.window.files.document_work import new_document
    from explorer.window.main_window import MainWindow

    make_application()
    state = new_document(load_sample("five-jobs"))
    window = MainWindow(state, WindowSettings(folder / "settings.ini"), theme(dark=False))
    window.resize(1400, 900)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.runner.wait_until_idle(60_000)
    QTest.qWait(500)  # docks and plots take their places
    return window


def _paint(window: MainWindow) -> None:
    """Run the event loop until nothing is simulated and all that has changed has been painted."""
    from PySide6.QtWidgets import QApplication

    window.runner.wait_until_idle(60_000)
    QApplication.processEvents()


if __name__ == "__main__":
    main()
