"""What the window remembers between two starts, typed; a damaged or missing value means its default."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from explorer.document.view_state import Arrangement, PaletteMode, RowsBy, ThemeChoice

MOST_RECENT_FILES = 10
MOST_TRUSTED_POLICIES = 500
"""Every saved edit of a policy file is one."""

Choice = TypeVar("Choice", bound=StrEnum)


def settings_file() -> Path:
    """Return where settings lie: in the application's configuration folder."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / "slotscope.ini"


class WindowSettings:
    """One property per remembered thing; setting it stores it."""

    def __init__(self, file: Path | None = None) -> None:
        self._store = QSettings(str(file or settings_file()), QSettings.Format.IniFormat)

    def sync(self) -> None:
        """Write now; else Qt writes some time later."""
        self._store.sync()

    # Files

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Files that were opened or saved, the latest first; they may be gone meanwhile."""
        try:
            paths = json.loads(self._text("files/recent"))
        except ValueError:
            return ()
        if not isinstance(paths, list):
            return ()
        return tuple(Path(path) for path in paths if isinstance(path, str) and path)[:MOST_RECENT_FILES]

    def add_recent_file(self, path: Path) -> None:
        """Put a file in front."""
        path = path.absolute()
        self._set_recent_files([path, *(other for other in self.recent_files if other != path)])

    def _set_recent_files(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", json.dumps([str(path) for path in paths[:MOST_RECENT_FILES]]))

    @property
    def last_document(self) -> Path | None:
        """The file that was open when the last window closed, or None."""
        text = self._text("files/last")
        return Path(text) if text else None

    @last_document.setter
    def last_document(self, path: Path | None) -> None:
        self._store.setValue("files/last", "" if path is None else str(path.absolute()))

    # Policy files

    @property
    def trusted_policies(self) -> tuple[str, ...]:
        """SHA-256 of the contents of policy files that the user let run, the latest last."""
        try:
            digests = json.loads(self._text("policies/trusted"))
        except ValueError:
            return ()
        if not isinstance(digests, list):
            return ()
        return tuple(digest for digest in digests if isinstance(digest, str))

    def trust_policy(self, digest: str) -> None:
        """Remember that the user let this content run."""
        others = [other for other in self.trusted_policies if other != digest]
        self._store.setValue("policies/trusted", json.dumps([*others, digest][-MOST_TRUSTED_POLICIES:]))

    # The window

    @property
    def geometry(self) -> QByteArray:
        """What `QWidget.saveGeometry` gave; empty at the first start."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._set_bytes("window/geometry", geometry)

    @property
    def window_state(self) -> QByteArray:
        """What `QMainWindow.saveState` gave; empty at the first start."""
        return self._bytes("window/state")

    @window_state.setter
    def window_state(self, state: QByteArray) -> None:
        self._set_bytes("window/state", state)

    # Appearance

    @property
    def theme(self) -> ThemeChoice:
        """Light, dark or as the system says."""
        return self._choice("view/theme", ThemeChoice.SYSTEM)

    @theme.setter
    def theme(self, theme: ThemeChoice) -> None:
        self._store.setValue("view/theme", theme.value)

    @property
    def palette(self) -> PaletteMode:
        """How jobs get their colours."""
        return self._choice("view/palette", PaletteMode.SAFE)

    @palette.setter
    def palette(self, palette: PaletteMode) -> None:
        self._store.setValue("view/palette", palette.value)

    @property
    def arrangement(self) -> Arrangement:
        """How the charts lie."""
        return self._choice("view/arrangement", Arrangement.STACKED)

    @arrangement.setter
    def arrangement(self, arrangement: Arrangement) -> None:
        self._store.setValue("view/arrangement", arrangement.value)

    @property
    def rows(self) -> RowsBy:
        """What the rows of the charts are."""
        return self._choice("view/rows", RowsBy.SLOT)

    @rows.setter
    def rows(self, rows: RowsBy) -> None:
        self._store.setValue("view/rows", rows.value)

    # Time

    @property
    def sweep(self) -> int | None:
        """How many seconds playing takes through what is in view; None if that was never chosen."""
        text = self._text("time/sweep")
        return int(text) if text.isdecimal() else None

    @sweep.setter
    def sweep(self, seconds: int) -> None:
        self._store.setValue("time/sweep", str(seconds))

    # Kinds of values; all are kept as text, which every platform's store gives back as it was

    def _text(self, key: str) -> str:
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def _bytes(self, key: str) -> QByteArray:
        return QByteArray.fromBase64(self._text(key).encode("ascii", "ignore"))

    def _set_bytes(self, key: str, value: QByteArray) -> None:
        self._store.setValue(key, bytes(value.toBase64().data()).decode("ascii"))

    def _choice(self, key: str, default: Choice) -> Choice:
        try:
            return type(default)(self._text(key))
        except ValueError:
            return default
