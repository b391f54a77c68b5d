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
    from collections.abc import Mapping, Sequence

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


class _Kept(Generic[Choice]):
    """One of several choices, kept by name."""

    def __init__(self, key: str, default: Choice) -> None:
        self._key, self._default = key, default

    def __get__(self, settings: WindowSettings, _owner: type) -> Choice:
        try:
            return type(self._default)(settings._text(self._key))
        except ValueError:
            return self._default

    def __set__(self, settings: WindowSettings, choice: Choice) -> None:
        settings._store.setValue(self._key, choice.value)


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

    theme = _Kept("view/theme", ThemeChoice.SYSTEM)
    colour_by = _Kept("view/colour_by", ClassedBy.BEST)
    arrangement = _Kept("view/arrangement", Arrangement.STACKED)
    rows = _Kept("view/rows", RowsBy.SLOT)
    stages = _Kept("view/stages", StagesAbove.SHOWN)
    idle = _Kept("view/idle", IdleStretches.FOLDED)
    row_heights = _Kept("view/row_heights", RowHeights.FITTED)
    record_rows = _Kept("view/record_rows", SlotsBy.JOB)

    @property
    def was_greeted(self) -> bool:
        """Whether the first steps were offered already."""
        return self._text("window/greeted") == "yes"

    @was_greeted.setter
    def was_greeted(self, was_greeted: bool) -> None:
        self._store.setValue("window/greeted", "yes" if was_greeted else "")

    # Lessons

    @property
    def writes_lessons(self) -> bool:
        """Whether the window shows what authors of lessons need."""
        return self._text("lessons/writes") == "yes"

    @writes_lessons.setter
    def writes_lessons(self, writes: bool) -> None:
        self._store.setValue("lessons/writes", "yes" if writes else "")

    # Time

    @property
    def sweep(self) -> int | None:
        """How many seconds playing takes through what is in view; None if that was never chosen."""
        seconds = self._json("time/sweep")
        return seconds if isinstance(seconds, int) else None

    @sweep.setter
    def sweep(self, seconds: int) -> None:
        self._store.setValue("time/sweep", str(seconds))

    # Details

    @property
    def details_side(self) -> str:
        """Where the details stand, "right" or "below"; empty while the user has chosen neither."""
        side = self._json("window/details")
        return side if side in ("right", "below") else ""

    @details_side.setter
    def details_side(self, side: str) -> None:
        self._store.setValue("window/details", json.dumps(side))

    # The search for the best schedule

    @property
    def wish(self) -> Any:
        """The settings of the last search, as `explorer.optimize.wishes` reads them; None at first."""
        return self._json("optimize/wish")

    @wish.setter
    def wish(self, values: Mapping[str, Any]) -> None:
        self._store.setValue("optimize/wish", json.dumps(values))

    # The policy lab

    @property
    def watches(self) -> tuple[tuple[str, str], ...]:
        """What the user watches over runs: of which jobs ("winner", "all" or "stop"), and the text."""
        kept = self._json("lab/watches")
        pairs = kept if isinstance(kept, list) else []
        return tuple(
            (pair[0], pair[1])
            for pair in pairs
            if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair)
        )

    @watches.setter
    def watches(self, watches: Sequence[tuple[str, str]]) -> None:
        self._store.setValue("lab/watches", json.dumps([list(pair) for pair in watches]))

    @property
    def watch_height(self) -> int:
        """Pixels of the curves below the charts; 0 if that was never chosen."""
        height = self._json("lab/watch_height")
        return height if isinstance(height, int) else 0

    @watch_height.setter
    def watch_height(self, height: int) -> None:
        self._store.setValue("lab/watch_height", str(height))

    @property
    def study_fields(self) -> bool | None:
        """Whether the fields of a study are seen beside its picture; None if that was never chosen."""
        return {"shown": True, "folded": False}.get(self._text("study/fields"))

    @study_fields.setter
    def study_fields(self, are_shown: bool) -> None:
        self._store.setValue("study/fields", "shown" if are_shown else "folded")

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
        try:
            return json.loads(self._text(key))
        except (ValueError, RecursionError):
            return None
