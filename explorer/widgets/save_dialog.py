"""Whether and where to save: asks before something is left or replaced, and for the name of a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from core.files.resources import is_original

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

MAKE_COPY = "Make a cop&y of my own…"
"""What takes the place of saving where an original is shown."""
STAYS = "{} comes with Slotscope and stays as it is; what you save is a copy of your own"


class LastFolder:
    """Where dialogs begin: beside the file that was opened or saved last, at first in the working folder."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def note(self, path: Path) -> None:
        """Begin beside this file from now on, unless it comes with Slotscope."""
        if not is_original(path):
            self._folder = path.absolute().parent

    def place(self, name: str = "") -> str:
        """Return what a dialog begins with: the folder, or a file in it; a path stays what it is."""
        return name if self._folder is None else str(self._folder / name)


LAST_FOLDER = LastFolder()


def ask_where_to_save(
    parent: QWidget, title: str, name: str, filters: str, *, only: bool = False
) -> Path | None:
    """Return the file that the user chooses, with an ending; None if they choose none.

    The dialog never begins among what comes with Slotscope. A name without an ending gets that of the chosen
    filter; with `only` every other ending gets it, too. Qt would ask whether to replace the file of the name
    without it.
    """
    options, name = QFileDialog.Option.DontConfirmOverwrite, LAST_FOLDER.place(name)
    if is_original(name):
        name = _in_documents(Path(name).name)
    while True:
        chosen, kind = QFileDialog.getSaveFileName(parent, title, name, filters, "", options)
        if not chosen:
            return None
        path, ending = Path(chosen), _ending(kind or filters)
        if path.suffix != ending if only else not path.suffix:
            path = path.with_name(path.name + ending)
        if not path.is_file() or _may_replace(parent, path):
            LAST_FOLDER.note(path)
            return path
        name = str(path)


def ask_where_to_copy(parent: QWidget, name: str, filters: str, *, only: bool = False) -> Path | None:
    """Return the file that is to have a copy of an original, at first among the user's documents, or None."""
    return ask_where_to_save(parent, "Make a copy of my own", _in_documents(name), filters, only=only)


def _in_documents(name: str) -> str:
    """Return a file among the user's documents; in the home folder where there is no such folder.

    Qt begins in the working folder where a folder does not exist: that may be the program's own.
    """
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str((documents if documents.is_dir() else Path.home()) / name)


def ask_to_save(
    parent: QWidget, question: str, save: Callable[[], bool], *, of_original: bool = False
) -> bool:
    """Ask whether to save what is left behind; False means stay, as where it could not be saved.

    Of an original a copy is offered.
    """
    buttons = QMessageBox.StandardButton
    box = QMessageBox(parent)
    box.setWindowTitle("Slotscope")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText("What is not saved is lost.")
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    if of_original:
        box.button(buttons.Save).setText(MAKE_COPY)
    box.setDefaultButton(buttons.Save)
    answer = box.exec()
    box.deleteLater()
    return save() if answer == buttons.Save else answer == buttons.Discard


def _ending(filters: str) -> str:
    """Return the first ending that a filter names: ".csv" of "Tables (*.csv *.csv.gz)"."""
    found = re.search(r"\(\*(\.[^ )]+)", filters)
    return found[1] if found else ""


def _may_replace(parent: QWidget, path: Path) -> bool:
    buttons = QMessageBox.StandardButton
    box = QMessageBox(parent)
    box.setWindowTitle("Slotscope")
    box.setIcon(QMessageBox.Icon.Question)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{path.name} is there already. Replace it?")
    box.setInformativeText("What is in it now is lost.")
    box.setStandardButtons(buttons.Yes | buttons.Cancel)
    box.button(buttons.Yes).setText("&Replace")
    box.setDefaultButton(buttons.Cancel)
    try:
        return box.exec() == buttons.Yes
    finally:
        box.deleteLater()
