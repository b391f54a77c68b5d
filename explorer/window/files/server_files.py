"""Opening from servers: a dialog, and a folder of logs meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from explorer.dialogs.server_query import ServerQuery
    from explorer.session.settings import WindowSettings
    from explorer.widgets.worker import Work


class ServerFiles(QObject):
    """Lets the user choose applications of servers, and opens their logs.

    The logs lie in a folder of the window's own, which goes with it.
    """

    def __init__(
        self, open_by: Callable[[str, Work], None], settings: WindowSettings, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._open_by, self._settings, self._window = open_by, settings, window
        self._held = ExitStack()
        self._folder: Path | None = None

    def ask(self) -> None:
        """Let the user give an address and choose among its applications."""
        from explorer.dialogs.server_dialog import ServerDialog  # few ask for it

        dialog = ServerDialog(self._settings.server_addresses, self._window)
        dialog.listed.connect(self._settings.add_server_address)
        dialog.chosen.connect(self._open)
        dialog.open()

    def close(self) -> None:
        """Remove the logs: the window closes."""
        self._held.close()
        self._folder = None

    def _open(self, query: ServerQuery) -> None:
        from core.logs.scratch_folder import scratch_folder
        from explorer.window.files.server_work import open_applications

        if self._folder is None:
            self._folder = self._held.enter_context(scratch_folder())
        self._open_by("Fetching logs", partial(open_applications, query, self._folder))
