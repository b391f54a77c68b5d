"""Opens a text file in the program that the system uses for it, and reports when none opens.

Qt says that it opened a file as soon as it has asked the system to; nothing need open then. What can be found
out is found out first: whether there is a screen, a program that opens files, and one that is for texts; and
afterwards, with what the opening program ended.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from explorer.widgets.worker import Call

OPENER, FINDER = "xdg-open", "xdg-mime"
KINDS = ("text/x-python", "text/plain")
SECONDS = 4.0
"""So long the opening program may take to fail; one that still runs then shows the file itself."""
NO_SCREEN = "there is no screen on which another program could open"
NO_OPENER = "this system has no program that opens files (xdg-open)"
NO_EDITOR = "no program is registered for text files"
FAILED = "the program that opens files could not open it"
REASONS = {3: "a program that it needs is missing", 4: "it failed"}
"""What xdg-open ends with."""


class SystemEditor(QObject):
    """Opens files in a thread.

    Signals
    -------
    not_opened : the path of a file that no program opened, and why, in words
    """

    not_opened = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = Worker(self, Order.EACH, ended=self._on_ended)

    def open(self, path: str) -> None:
        """Open a file in the system's program for it."""
        if sys.platform.startswith("linux"):
            self._worker.start(partial(why_not_opened, path), about=path)
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            self.not_opened.emit(path, NO_EDITOR)

    def _on_ended(self, call: Call) -> None:
        if call.error is not None:
            self.not_opened.emit(call.about, f"{FAILED}: {call.error}")
        elif call.answer:
            self.not_opened.emit(call.about, call.answer)


def why_not_opened(path: str) -> str:
    """Open a file by the desktop's own means; return why that is impossible, empty if it was opened."""
    why = why_no_editor()
    if why:
        return why
    try:
        opening = subprocess.Popen(
            [OPENER, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        return f"{FAILED}: {error.strerror or error}"
    with suppress(subprocess.TimeoutExpired):
        status = opening.wait(SECONDS)
        if status:
            return f"{FAILED}: {REASONS.get(status, f'it ended with {status}')}"
    return ""


def why_no_editor() -> str:
    """Return why no program of the desktop can open a text; empty if one is known."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return NO_SCREEN
    if shutil.which(OPENER) is None:
        return NO_OPENER
    if shutil.which(FINDER) is None:
        return ""  # nobody to ask: what opens it will say
    return "" if any(map(_handler, KINDS)) else NO_EDITOR


def _handler(kind: str) -> str:
    """Return the program that is registered for a kind of file; empty for none."""
    try:
        answer = subprocess.run(
            [FINDER, "query", "default", kind],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip()
