"""Texts that are open in the editor pane; unsaved ones are kept in a folder, for after a crash or a kill."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from core.files.atomic import replace_file
from core.files.private_files import make_private_folder
from core.files.resources import is_original
from core.model.errors import InputError
from explorer.lab.code_text import CodeText

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING = ".draft.json"
NOT_TEXT = "{} is no text in UTF-8, and cannot be edited here"


@dataclass(frozen=True, slots=True)
class Draft:
    """An unsaved text.

    Attributes
    ----------
    path : the file that it is to be saved to
    text : what was written
    base : the file's content when that began
    """

    path: Path
    text: str
    base: str


class Drafts:
    """The drafts of all windows in one folder; each process writes its own, and takes those of dead ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, draft: Draft) -> None:
        """Write a draft; where that is impossible it is not kept, and saving shows why."""
        content = {"path": str(draft.path), "text": draft.text, "base": draft.base, "process": os.getpid()}
        with suppress(OSError, InputError):
            make_private_folder(self._folder)
            replace_file(self._place(draft.path, os.getpid()), json.dumps(content).encode())

    def forget(self, path: Path) -> None:
        """Remove this process's draft of a file."""
        with suppress(OSError):
            self._place(path, os.getpid()).unlink()

    def left(self) -> list[Draft]:
        """Return the drafts of windows that have died, and take them over."""
        found = []
        for file, draft, process in self._read():
            if process != os.getpid() and not _lives(process):
                with suppress(OSError):
                    file.unlink()
                self.keep(draft)
                found.append(draft)
        return found

    def of(self, path: Path) -> Draft | None:
        """Return this process's draft of a file, if there is one."""
        return next((each for _, each, by in self._read() if by == os.getpid() and each.path == path), None)

    def _place(self, path: Path, process: int) -> Path:
        name = sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._folder / f"{name}-{process}{ENDING}"

    def _read(self) -> Iterator[tuple[Path, Draft, int]]:
        for file in sorted(self._folder.glob(f"*{ENDING}")) if self._folder.exists() else ():
            try:
                content = json.loads(file.read_text(encoding="utf-8"))
                draft = Draft(Path(content["path"]), str(content["text"]), str(content["base"]))
                yield file, draft, int(content["process"])
            except (OSError, ValueError, KeyError, TypeError):
                continue  # cut short by the crash, or none of ours


def _lives(process: int) -> bool:
    """Whether a process with this number runs."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


class OpenText:
    """A text that is open.

    Attributes
    ----------
    name : what lists call it
    path : the file; None for the text of a policy that comes with Slotscope
    is_original : whether it comes with Slotscope: it is read, and what is changed is a copy
    code : its editor
    base : what the file had when it was read or saved last
    theirs : what another program wrote meanwhile, None for nothing
    note : what is said above the text
    problem : line and sentence of what is wrong with it; line 0 for nothing
    """

    def __init__(self, name: str, path: Path | None, base: str) -> None:
        self.name, self.path, self.base = name, path, base.replace("\r\n", "\n")
        self.ends = "\r\n" if "\r\n" in base else "\n"
        self.code = CodeText(f"Text of {name}")
        self.code.set_text(self.base)
        self.is_original = path is None or is_original(path)
        self.code.setReadOnly(self.is_original)
        self.theirs: str | None = None
        self.note = ""
        self.problem = (0, "")

    @property
    def is_unsaved(self) -> bool:
        """Whether the file does not have what is shown."""
        return self.path is not None and self.code.toPlainText() != self.base


def read_text(path: Path) -> str:
    """Return a file's text, with its own ends of lines."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(NOT_TEXT.format(path.name)) from error
    except (OSError, ValueError) as error:  # a path with NUL
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def put_cursor(code: CodeText, place: int) -> None:
    """Put the cursor where it was, as far as the text still goes."""
    cursor = QTextCursor(code.document())
    cursor.setPosition(min(place, code.document().characterCount() - 1))
    code.setTextCursor(cursor)
