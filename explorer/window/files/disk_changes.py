"""The files that a document was read from: what other programs change is seen, and not replaced unasked."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum, auto
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from core.files.file_mark import mark_of, status_of
from core.model.errors import InputError
from explorer.widgets.error_messages import Message, Remedy
from explorer.widgets.file_watch import FileWatch
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from core.files.file_mark import FileMark
    from explorer.widgets.worker import Call


CHANGED = (
    "was changed by another window or program; Reload shows what is in it now, and Undo brings back yours"
)


class ChangedOnDiskError(InputError):
    """A file is not any more as this window read or wrote it."""


class DiskChanges(QObject):
    """Keeps the state of the document's files as read or written, and notices when they change.

    Files are read in a thread, and only to compare them; the last look before a file is replaced is at its
    size and times.

    Signals
    -------
    reported : a Message that another program changed a file, with what may be done
    settled : a Message that was told and does not hold any more
    kept : the path of a file that differs from what is shown, by the user's choice
    looked : a file was compared
    """

    reported = Signal(object)
    settled = Signal(object)
    kept = Signal(object)
    looked = Signal(object)

    def __init__(self, reload: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._reload = reload
        self._marks: dict[Path, FileMark | None] = {}
        self._messages: dict[Path, Message] = {}
        self._put_off: set[str] | None = None
        self._watch = FileWatch(self)
        self._watch.touched.connect(self._look)
        self._worker = Worker(self, Order.QUEUE, ended=self._on_marked)

    def follow(self, marks: Mapping[Path, FileMark | None]) -> None:
        """Watch these files as they were marked, and no others; one without a mark is marked as it is now."""
        for path in tuple(self._messages):
            self._settle(path)
        self._worker.cancel()
        self._marks = dict(marks)
        self._watch.watch_only(map(str, marks))
        for path, mark in marks.items():
            if mark is None or mark.status != status_of(path):
                self._look(str(path))

    def mark(self, path: Path | None) -> FileMark | None:
        """Return how a file was when it was read or written; None where that is not known."""
        return None if path is None else self._marks.get(path)

    def close(self) -> None:
        """Watch nothing any more."""
        self._worker.cancel()
        self._watch.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Look at nothing while this window writes, or it might take its own change for another's."""
        self._put_off = set()
        try:
            yield
        finally:
            touched, self._put_off = self._put_off, None
            for path in touched:
                self._look(path)

    def written(self, path: Path, mark: FileMark) -> None:
        """Take a file for what this window has just written, and watch it alone."""
        self.follow({path: mark})

    def check(self, path: Path) -> None:
        """Raise ChangedOnDiskError if another program changed a file; what is gone may be written again."""
        mark, status = self._marks.get(path), status_of(path)
        if mark is not None and status and status != mark.status:
            raise ChangedOnDiskError(f"{path.name} was changed by another window or program")

    def is_gone(self, path: Path) -> bool:
        """Whether a file that was there is not any more."""
        return self._marks.get(path) is not None and not status_of(path)

    # ---- looking

    def _look(self, path: str) -> None:
        if self._put_off is None:
            self._worker.start(partial(mark_of, path), about=Path(path))
        else:
            self._put_off.add(path)

    def _on_marked(self, look: Call) -> None:
        path, now = look.about, look.answer
        if self._put_off is not None:
            self._put_off.add(str(path))
            return
        self._compare(path, now)
        self.looked.emit(path)

    def _compare(self, path: Path, now: FileMark | None) -> None:
        if path not in self._marks or now is None:
            return  # that it is gone is said when it is saved
        before = self._marks[path]
        if before is None or now.has_content_of(before):
            self._marks[path] = now
            self._settle(path)
        elif path not in self._messages:
            choices = (Remedy("Reload", self._reload), Remedy("Keep mine", partial(self._keep, path)))
            self._messages[path] = Message(f"{path.name} {CHANGED}", choices=choices)
            self.reported.emit(self._messages[path])

    def _settle(self, path: Path) -> None:
        if path in self._messages:
            self.settled.emit(self._messages.pop(path))

    def _keep(self, path: Path) -> None:
        """Take what is on disk for known: the next save replaces it, and only newer changes are reported."""
        del self._messages[path]
        self._marks[path] = None
        self._look(str(path))
        self.kept.emit(path)


class VersionChoice(Enum):
    """What becomes of a file that two have changed."""

    MINE = auto()
    THEIRS = auto()
    BOTH = auto()
    STAY = auto()


def ask_which_version(parent: QWidget, path: Path, beside: Path) -> VersionChoice:
    """Ask which of two versions a file is to hold; with both, ours goes into a file beside it."""
    box = QMessageBox(parent, textFormat=Qt.TextFormat.PlainText)
    box.setWindowTitle("Slotscope")
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(f"{path.name} was changed by another window or program since this window read or saved it.")
    box.setInformativeText(
        "Keep mine replaces what is in the file now. Take theirs shows it, and Undo brings back yours. "
        f"Keep both saves yours as “{beside.name}”."
    )
    roles = QMessageBox.ButtonRole
    answers = {
        box.addButton("Keep &mine", roles.DestructiveRole): VersionChoice.MINE,
        box.addButton("Take &theirs", roles.AcceptRole): VersionChoice.THEIRS,
        (both := box.addButton("Keep &both", roles.AcceptRole)): VersionChoice.BOTH,
        (cancel := box.addButton(QMessageBox.StandardButton.Cancel)): VersionChoice.STAY,
    }
    box.setDefaultButton(both)
    box.setEscapeButton(cancel)
    box.exec()
    box.deleteLater()
    return next(
        (answer for button, answer in answers.items() if button is box.clickedButton()), VersionChoice.STAY
    )


def free_name(path: Path) -> Path:
    """Return a name beside a file that no file has: "week (2).slotscope"."""
    names = (path.with_name(f"{path.stem} ({number}){path.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())
