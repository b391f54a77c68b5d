"""What the window remembers between two starts, typed; a damaged or missing value means its default."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QSettings, QStandardPaths

from core.files.json_text import read_head
from core.files.private_files import make_private_file, make_private_folder
from core.measures.job_classes import ClassedBy
from core.model.errors import InputError
from core.model.execution_history import SlotsBy
from explorer.document.view_state import (
    Arrangement,
    IdleStretches,
    RowHeights,
    RowsBy,
    StagesAbove,
    ThemeChoice,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_RECENT_FILES = 10
MAX_SERVERS = 10
"""Addresses of servers that are remembered."""

MAX_TRUSTED_POLICIES = 500
"""Every saved edit of a policy file is one."""

MAX_FOLDERS_OF_EDITS = 50

MAX_CLUSTERS = 20
"""Clusters of which the logs that lend overheads are remembered, those used last."""

MAX_SCREENS = 8
"""Sizes of screens of which the window's layout is remembered, those used last."""

MAX_TABLES = 100
LONGEST_COLUMNS = 4000
"""Headers of tables of which it is remembered which column is what, and how long that may be."""

MAX_BYTES = 1 << 20
_QT_VALUE = re.compile(rb'[=,]\s*"?@\w+\(')
"""How a value begins that Qt would build from bytes; ours are all text."""

Choice = TypeVar("Choice", bound=StrEnum)
Value = TypeVar("Value")


def settings_file() -> Path:
    """Return where settings lie: in the application's configuration folder."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / "slotscope.ini"


def _is_readable(file: Path) -> bool:
    """Whether Qt may read a file: none yet, or a small regular one of nothing but text."""
    try:
        data = read_head(file, MAX_BYTES + 1)
    except InputError:
        return not file.exists()
    return len(data) <= MAX_BYTES and not _QT_VALUE.search(data)


class _Kept(Generic[Value]):
    """A value, kept as text that `read` understands, also where it is damaged or missing."""

    def __init__(self, key: str, read: Callable[[str], Value], write: Callable[[Any], str]) -> None:
        self._key, self._read, self._write = key, read, write

    def __get__(self, settings: WindowSettings, _owner: type) -> Value:
        return self._read(settings._text(self._key))

    def __set__(self, settings: WindowSettings, value: Value) -> None:
        settings._store.setValue(self._key, self._write(value))


def _choice(key: str, default: Choice) -> _Kept[Choice]:
    """Keep one of several choices, by name."""
    values = type(default)
    return _Kept(key, lambda text: values(text) if text in list(values) else default, str)


def _flag(key: str) -> _Kept[bool]:
    return _Kept(key, lambda text: text == "yes", lambda is_set: "yes" if is_set else "")


def _parsed(text: str) -> Any:  # any JSON value may stand in a file
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _whole(text: str) -> int | None:
    number = _parsed(text)
    return number if isinstance(number, int) else None


def _side(text: str) -> str:
    side = _parsed(text)
    return side if side in ("right", "below") else ""


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    kept = _parsed(text)
    return tuple(
        (pair[0], pair[1])
        for pair in (kept if isinstance(kept, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair)
    )


class WindowSettings:
    """One property per remembered thing; setting it stores it.

    Attributes
    ----------
    put_aside : where settings lie now that could not be trusted at this start; None if all was well
    """

    def __init__(self, file: Path | None = None) -> None:
        if file is None:
            file = settings_file()
            with suppress(OSError):  # then Qt says that it cannot write there
                make_private_folder(file.parent)
                make_private_file(file)
        self.put_aside: Path | None = None
        if not _is_readable(file):
            with suppress(OSError):
                self.put_aside = file.replace(file.with_suffix(".damaged"))
        self._store = QSettings(str(file), QSettings.Format.IniFormat)

    def sync(self) -> None:
        """Write now; else Qt writes some time later."""
        self._store.sync()

    # Files

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Files that were opened or saved, the latest first; they may be gone meanwhile."""
        return tuple(Path(path) for path in self._list("files/recent") if path)[:MAX_RECENT_FILES]

    def add_recent_file(self, path: Path) -> None:
        """Put a file in front."""
        paths = dict.fromkeys((path.absolute(), *self.recent_files))
        self._store.setValue("files/recent", json.dumps([str(path) for path in paths][:MAX_RECENT_FILES]))

    @property
    def server_addresses(self) -> tuple[str, ...]:
        """Addresses of servers that listed something, the latest first; no token is among them."""
        return tuple(self._list("files/servers"))[:MAX_SERVERS]

    def add_server_address(self, address: str) -> None:
        """Put the address of a server in front."""
        addresses = dict.fromkeys((address, *self.server_addresses))
        self._store.setValue("files/servers", json.dumps(list(addresses)[:MAX_SERVERS]))

    last_document = _Kept(
        "files/last",
        lambda text: Path(text) if text else None,
        lambda path: "" if path is None else str(path.absolute()),
    )
    """The file that was open when the last window closed, or None."""

    # Policy files

    @property
    def trusted_policies(self) -> tuple[str, ...]:
        """SHA-256 of the contents of policy files that the user let run, the latest last."""
        return tuple(self._list("policies/trusted"))

    def trust_policy(self, digest: str) -> None:
        """Remember that the user let this content run."""
        others = [other for other in self.trusted_policies if other != digest]
        self._store.setValue("policies/trusted", json.dumps([*others, digest][-MAX_TRUSTED_POLICIES:]))

    @property
    def folders_of_own_edits(self) -> tuple[str, ...]:
        """Folders that the user trusts to be edited in, the latest last."""
        return tuple(self._list("policies/folders"))

    def trust_edits_in(self, folder: Path, is_trusted: bool) -> None:
        """Remember whether the user trusts what they edit in a folder."""
        others = [other for other in self.folders_of_own_edits if other != str(folder)]
        folders = [*others, str(folder)] if is_trusted else others
        self._store.setValue("policies/folders", json.dumps(folders[-MAX_FOLDERS_OF_EDITS:]))

    # Fidelity

    def logs_of(self, cluster: str) -> tuple[Path, ...]:
        """Return the logs that were given for a cluster of this description, to lend their overheads."""
        paths = self._logs_of_clusters().get(cluster, [])
        return tuple(Path(path) for path in paths if isinstance(path, str))

    def keep_logs_of(self, cluster: str, paths: Sequence[Path]) -> None:
        """Remember the logs given for a cluster of this description."""
        others = {name: kept for name, kept in self._logs_of_clusters().items() if name != cluster}
        latest = [*others.items(), (cluster, [str(path.absolute()) for path in paths])]
        self._store.setValue("fidelity/logs", json.dumps(dict(latest[-MAX_CLUSTERS:])))

    # Tables of tasks

    def columns_of(self, table: str) -> str:
        """Return which column is what in tables of this `digest`; empty if that is not known."""
        return self.columns_of_tables().get(table, "")

    def keep_columns(self, table: str, columns: str) -> None:
        """Remember which column is what in a table; an empty text forgets it."""
        others = {name: other for name, other in self.columns_of_tables().items() if name != table}
        if columns and len(columns) <= LONGEST_COLUMNS:
            others[table] = columns
        # names of columns come from any file: none may look like a value that Qt would build
        text = json.dumps(dict(list(others.items())[-MAX_TABLES:])).replace("@", "\\u0040")
        self._store.setValue("tables/columns", text)

    def columns_of_tables(self) -> dict[str, str]:
        """Return which column is what in all tables for which that is known, by their digests."""
        kept = self._json("tables/columns")
        pairs = kept.items() if isinstance(kept, dict) else ()
        return {table: columns for table, columns in pairs if isinstance(columns, str)}

    # The window

    def layout(self, screen: str) -> dict[str, Any]:
        """Return the window's layout on a screen of this size ("1366x768") as `layout_of` gave it.

        It is empty where the window was never closed on such a screen.
        """
        of_all = self._json("window/layout")  # of version 0.1
        layout = self._layouts().get(screen, of_all)
        return layout if isinstance(layout, dict) else {}

    def keep_layout(self, screen: str, layout: Mapping[str, Any]) -> None:
        """Remember the window's layout on screens of this size."""
        others = {name: other for name, other in self._layouts().items() if name != screen}
        latest = dict([*others.items(), (screen, layout)][-MAX_SCREENS:])
        self._store.setValue("window/layouts", json.dumps(latest))

    def _layouts(self) -> dict[str, Any]:
        layouts = self._json("window/layouts")
        return layouts if isinstance(layouts, dict) else {}

    # Appearance

    theme = _choice("view/theme", ThemeChoice.SYSTEM)
    colour_by = _choice("view/colour_by", ClassedBy.BEST)
    arrangement = _choice("view/arrangement", Arrangement.STACKED)
    rows = _choice("view/rows", RowsBy.SLOT)
    stages = _choice("view/stages", StagesAbove.SHOWN)
    idle = _choice("view/idle", IdleStretches.FOLDED)
    row_heights = _choice("view/row_heights", RowHeights.FITTED)
    record_rows = _choice("view/record_rows", SlotsBy.JOB)

    was_greeted = _flag("window/greeted")
    """Whether the first steps were offered already."""
    writes_lessons = _flag("lessons/writes")
    """Whether the window shows what authors of lessons need."""
    sweep = _Kept("time/sweep", _whole, str)
    """How many seconds playing takes through what is in view; None if that was never chosen."""
    details_side = _Kept("window/details", _side, json.dumps)
    """Where the details stand, "right" or "below"; empty while the user has chosen neither."""
    wish: _Kept[Any] = _Kept("optimize/wish", _parsed, json.dumps)
    """The settings of the last search, as `explorer.optimize.wishes` reads them; None at first."""
    watches = _Kept("lab/watches", _pairs, json.dumps)
    """What the user watches over runs: of which jobs ("winner", "all" or "stop"), and the text."""
    watch_height = _Kept("lab/watch_height", lambda text: _whole(text) or 0, str)
    """Pixels of the curves below the charts; 0 if that was never chosen."""
    study_fields = _Kept(
        "study/fields",
        {"shown": True, "folded": False}.get,
        lambda are_shown: "shown" if are_shown else "folded",
    )
    """Whether the fields of a study are seen beside its picture; None if that was never chosen."""

    # Kinds of values; all are kept as text, which every platform's store gives back as it was

    def _text(self, key: str) -> str:
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def _list(self, key: str) -> list[str]:
        texts = self._json(key)
        return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []

    def _logs_of_clusters(self) -> dict[str, list[Any]]:
        """Return lists by name; what else stands there is left out."""
        kept = self._json("fidelity/logs")
        pairs = kept.items() if isinstance(kept, dict) else ()
        return {name: values for name, values in pairs if isinstance(values, list)}

    def _json(self, key: str) -> Any:  # any JSON value may stand in a file
        return _parsed(self._text(key))
