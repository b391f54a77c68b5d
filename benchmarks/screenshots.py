"""``python -m benchmarks.screenshots``: draw the pictures of the README again, as the window shows them."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.document.view_state import ThemeChoice

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

SIZE = (1400, 900)
SEARCH_SECONDS = 15.0
"""The search gives way to all else that runs on the machine."""
FOLDER = Path("docs") / "pictures"


@dataclass(frozen=True)
class Shot:
    """One picture: a sample in a theme, on how many slots, with a job selected, or a job under the mouse.

    `dragged` is a job of the first scenario and the time in seconds that it is dragged to. `scans_at` draws
    the window of shared scans instead, with its time cursor at so many seconds; `searches` searches for the
    best schedule before.
    """

    name: str
    sample: str
    theme: ThemeChoice
    slots: int | None = None
    job: str | None = None
    dragged: tuple[str, float] | None = None
    scans_at: float | None = None
    searches: bool = False


SHOTS = (
    Shot("five-jobs-light", "five-jobs", ThemeChoice.LIGHT, dragged=("J3", 72.0)),
    Shot("five-jobs-dark", "five-jobs", ThemeChoice.DARK, job="J4"),
    Shot("facebook-light", "facebook", ThemeChoice.LIGHT, slots=64, job="J086"),
    Shot("facebook-dark", "facebook", ThemeChoice.DARK, slots=64),
    Shot("application-dark", "spark-application", ThemeChoice.DARK),
    Shot("shared-scans", "ten-scans", ThemeChoice.LIGHT, scans_at=40.0),
    Shot("search", "facebook", ThemeChoice.LIGHT, slots=48, searches=True),
)


def main() -> int:
    """Draw every picture into a folder (the README's by default); exit code 0."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as settings:  # nobody's own window layout
        for shot in SHOTS:
            path = folder / f"{shot.name}.png"
            _draw(shot, path, Path(settings))
            sys.stdout.write(f"{path}\n")
    return 0


def _draw(shot: Shot, path: Path, settings: Path) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    window = _window(shot, settings / f"{shot.name}.ini")
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.runner.wait_until_idle(60_000)
    window.view_state.select_job(shot.job)
    QTest.qWait(300)  # lets docks and plots take their places
    if shot.dragged is not None:
        _drag(window, *shot.dragged)
    if shot.scans_at is not None:
        _show_scans(window, shot.scans_at)
    if shot.searches:
        _search(window)
    (window if shot.scans_at is None else window.scans).grab().save(str(path))
    window.charts.active_view.cancel_gesture()
    if shot.dragged is not None:  # else the next window believes that the button is down
        QTest.mouseRelease(window.charts.active_view, Qt.MouseButton.LeftButton)
    window.editor.undo_stack.setClean()
    window.close()
    window.deleteLater()


def _show_scans(window: MainWindow, seconds: float) -> None:
    """Open the window of shared scans and wait until its schedules are there."""
    from PySide6.QtTest import QTest

    window.scans.resize(1280, 800)
    window.scans.show_in_front()
    QTest.qWaitForWindowExposed(window.scans)
    while not window.scans.stories:
        QTest.qWait(50)
    window.scans.time.look_at(seconds)
    QTest.qWait(200)


def _search(window: MainWindow) -> None:
    """Open the panel of the search, search, compare the levers, and wait until it is shown."""
    from PySide6.QtTest import QTest

    from core.optimize.chains import load_compiled

    load_compiled()  # as the window has it some seconds after its start
    window.actions_by_id["optimize"].trigger()
    panel = window.optimize.panel
    panel.more.seconds.setValue(SEARCH_SECONDS)
    panel.start()
    while panel.run.is_running:
        QTest.qWait(50)
    panel.table.search_button.click()
    while panel.table.is_busy:
        QTest.qWait(50)
    window.runner.wait_until_idle(60_000)
    QTest.qWait(500)


def _drag(window: MainWindow, job: str, seconds: float) -> None:
    """Press on a job's block in the active chart and move it, as a person would; the button stays down."""
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtTest import QTest

    view = window.charts.active_view
    index = window.document.workload.job_index[job]
    row = [QPointF(x, y) for y in range(30, view.height() // 2, 4) for x in range(view.width())]
    start = next(point for point in row if view.job_at(point) == index).toPoint() + QPoint(60, 20)
    end = min(range(view.width()), key=lambda x: abs(view.time_at(x) - seconds))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, start)
    for x in (start.x() + 20, (start.x() + end) // 2, end):
        QTest.mouseMove(view, QPoint(x, start.y()))
    QTest.qWait(100)


def _window(shot: Shot, settings_file: Path) -> MainWindow:
    from dataclasses import replace

    from core.files.samples import find_sample, load_sample
    from explorer.app import make_application
    from explorer.gantt.raster import raster
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import application_palette, theme
    from explorer.window.files.document_work import new_document
    from explorer.window.main_window import MainWindow

    application = make_application()
    raster.use_compiled()
    workload = load_sample(shot.sample)
    if shot.slots is not None:
        cluster = replace(workload.cluster, map_slots=shot.slots, reduce_slots=shot.slots)
        workload = replace(workload, cluster=cluster)
    state = new_document(workload) if workload.is_map_reduce else find_sample(shot.sample).state
    colours = theme(shot.theme is ThemeChoice.DARK)
    application.setPalette(application_palette(colours))
    window = MainWindow(state, WindowSettings(settings_file), colours)
    window.set_theme(colours)
    window.runner.use_compiled()
    window.resize(*SIZE)
    return window


if __name__ == "__main__":
    sys.exit(main())
