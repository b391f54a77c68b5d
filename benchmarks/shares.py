"""Print how much of the screen shows tasks: ``python -m benchmarks.shares`` [a document or a log].

One line for each size of the screen: with two scenarios, with details open, and with Compare, too.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.time_text import percent

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

SCREENS = ((1366, 768), (1920, 1080), (1000, 700))
TITLE_PX = 20
"""Of the window's title, which the desktop draws."""
STATES = {"charts": (), "with details": ("details",), "with Compare, too": ("comparison",)}
"""What is opened one after the other."""


def shares_of(window: MainWindow, width: int, height: int) -> list[float]:
    """Return the share of the lanes on a screen in each state, one opened after the other."""
    from PySide6.QtCore import QSize
    from PySide6.QtTest import QTest

    from benchmarks.lane_shares import share_of_lanes

    window.resize(width, height - TITLE_PX)
    shares = []
    for opened in STATES.values():
        for name in opened:
            window.actions_by_id[name].trigger()
        QTest.qWait(400)
        shares.append(share_of_lanes(window.charts, window, QSize(width, height)))
    window.details.hide()
    return shares


def main() -> None:
    """Open a window and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", nargs="?", default="facebook", help="a sample, a document or a log")
    source = parser.parse_args().document
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer.app import make_application
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import theme
    from explorer.window.files.document_work import open_document
    from explorer.window.main_window import MainWindow

    make_application()
    with tempfile.TemporaryDirectory() as folder:
        opened = open_document(source)
        window = MainWindow(opened.state, WindowSettings(Path(folder) / "settings.ini"), theme(dark=False))
        window.show()
        window.runner.wait_until_idle(120_000)
        print("screen".ljust(12), *(name.rjust(18) for name in STATES))
        for width, height in SCREENS:
            shares = shares_of(window, width, height)
            print(f"{width}x{height}".ljust(12), *(percent(share).rjust(18) for share in shares))
        window.editor.undo_stack.setClean()
        window.close()


if __name__ == "__main__":
    main()
