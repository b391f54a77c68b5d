"""The other logs of a cluster, which lend their overheads to one log: a list of files and folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QListWidget, QListWidgetItem, QWidget

from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.save_dialog import LAST_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NONE = (
    "None: a log alone can only be judged without overheads. Add other logs of the cluster that wrote it; "
    "this log itself is left out of them."
)


ROWS_SHOWN = 3
"""Rows of the list that are in view at once; more scroll."""


class OtherLogs(QWidget):
    """A list of logs, with buttons to add files or a folder and to remove what is selected.

    Signals
    -------
    changed : the paths, a list, are other ones now
    """

    changed = Signal(object)

    def __init__(self, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = named(QListWidget(), "Other logs of this cluster", "Their overheads judge this log")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.none = PlainLabel(NONE, wraps=True, is_faint=True)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        tip = "Add logs of the same cluster, or documents made from them"
        self.add_button = push_button("&Add logs…", tip, self.ask_for_logs)
        tip = "Add a folder: each log in it is one"
        self.folder_button = push_button("Add &folder…", tip, self.ask_for_folder)
        self.remove_button = push_button("&Remove", "Remove the selected logs from the list", self.remove)
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self.remove)
        self.list.itemSelectionChanged.connect(self._update_button)
        parts = (self.add_button, self.folder_button, self.remove_button)
        buttons = column(row(*parts, margins=NO_MARGINS, spacing=4), None, margins=NO_MARGINS)
        row((self.list, 1), (self.none, 1), buttons, parent=self, margins=NO_MARGINS)
        self.list.setFixedHeight(ROWS_SHOWN * self.list.fontMetrics().height() + 2 * self.list.frameWidth())
        self._show(paths)

    @property
    def paths(self) -> list[Path]:
        """The logs and folders, in the order in which they were added."""
        return [Path(self.list.item(place).text()) for place in range(self.list.count())]

    def ask_for_logs(self) -> None:
        """Let the user choose logs to add."""
        chosen, _ = QFileDialog.getOpenFileNames(
            self, "Other logs of this cluster", LAST_FOLDER.place(), "Logs (*)"
        )
        self.add(map(Path, chosen))

    def ask_for_folder(self) -> None:
        """Let the user choose a folder of logs to add."""
        chosen = QFileDialog.getExistingDirectory(self, "Other logs of this cluster", LAST_FOLDER.place())
        if chosen:
            self.add([Path(chosen)])

    def add(self, paths: Iterable[Path]) -> None:
        """Add logs that are not there yet."""
        self._change(list(dict.fromkeys([*self.paths, *(path.absolute() for path in paths)])))

    def remove(self) -> None:
        """Remove what is selected."""
        gone = {Path(item.text()) for item in self.list.selectedItems()}
        self._change([path for path in self.paths if path not in gone])

    def _change(self, paths: list[Path]) -> None:
        if paths != self.paths:
            self._show(paths)
            self.changed.emit(paths)

    def _show(self, paths: Sequence[Path]) -> None:
        self.list.clear()
        for path in paths:
            item = QListWidgetItem(str(path))
            item.setToolTip(tooltip(str(path)))
            self.list.addItem(item)
        self.list.setVisible(bool(paths))
        self.none.setVisible(not paths)
        self._update_button()

    def _update_button(self) -> None:
        self.remove_button.setEnabled(bool(self.list.selectedItems()))
