"""What the library's window has done in workers, and its own look at the library while it is open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.logs.column_map import COLUMNS
from core.model.errors import Cancelled, InputError, SlotscopeError, UnknownTable
from core.trace_database.run_comparison import compare_runs
from core.trace_database.search import RunSearch
from core.trace_database.trace_database import Library, import_into

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.files.open_workload import Opened
    from core.model.job import Job
    from core.trace_database.run_comparison import Phase, PhaseComparison
    from core.trace_database.template import Added, Template


LOOK_EVERY_MS = 1000


@dataclass(frozen=True, eq=False)
class FoundRuns:
    """The answer to a search.

    Attributes
    ----------
    search : the question
    ids : of the jobs, in their order
    applications : of the jobs that match but for the application, with their numbers of runs
    kept, trashed : jobs in the library, and in its trash
    """

    search: RunSearch
    ids: list[int]
    applications: tuple[tuple[str, int], ...]
    kept: int
    trashed: int


@dataclass(frozen=True, eq=False)
class LibraryImport:
    """What an import of several logs came to: what was added, and what could not be, as sentences."""

    added: tuple[Added, ...]
    problems: tuple[str, ...]
    is_stopped: bool = False


@dataclass(frozen=True, eq=False)
class ComparedRuns:
    """Runs side by side: what they are, and each phase."""

    templates: tuple[Template, ...]
    phases: dict[Phase, PhaseComparison]


def find(path: Path, search: RunSearch) -> FoundRuns:
    """Search the library; one that is not there begins, empty."""
    with Library.open(path) as library:
        return FoundRuns(
            search,
            library.ids(search),
            library.applications(replace(search, application=None)),
            library.count(),
            library.count(RunSearch(trashed=True)),
        )


def import_all(
    path: Path,
    sources: Sequence[Path | Opened],
    columns: Mapping[str, str],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> LibraryImport:
    """Import logs one after the other, each as a whole; what was opened already is added as it is.

    `columns` says of tables of tasks, by their digests, which column is what.
    """
    added: list[Added] = []
    problems: list[str] = []
    with Library.open(path) as library:
        for number, source in enumerate(sources):

            def show(part: float, number: int = number) -> None:
                progress((number + part) / len(sources))

            try:
                added.append(_import(library, source, columns, show, should_stop))
            except Cancelled:
                return LibraryImport(tuple(added), tuple(problems), is_stopped=True)
            except InputError as error:
                problems.append(str(error))
    return LibraryImport(tuple(added), tuple(problems))


def _import(
    library: Library,
    source: Path | Opened,
    columns: Mapping[str, str],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Added:
    if not isinstance(source, Path):
        return library.add(source, progress=progress, should_stop=should_stop)
    try:
        return import_into(library, source, progress=progress, should_stop=should_stop)[0]
    except UnknownTable as error:
        known = columns.get(error.table.shape.digest)
        if known is None:
            rule = "a table whose columns are not known; open it once to name them"
            raise InputError(f"{source.name}: {rule}") from error
    given = {COLUMNS: known}
    return import_into(library, source, parameters=given, progress=progress, should_stop=should_stop)[0]


def take(path: Path, ids: Sequence[int]) -> tuple[Job, ...]:
    """Return templates as jobs that arrive at 0 s."""
    with Library.open(path, create=False) as library:
        return library.jobs(ids)


def compare(path: Path, ids: Sequence[int]) -> ComparedRuns:
    """Compare runs."""
    with Library.open(path, create=False) as library:
        return ComparedRuns(library.templates(ids), compare_runs(library.jobs(ids)))


class LibraryReader(QObject):
    """Keeps one connection while the window is open.

    Signals
    -------
    changed : another window, worker or program has changed the library
    """

    changed = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._library: Library | None = None
        self._version = 0
        self._timer = QTimer(self, interval=LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def open(self) -> None:
        """Open the library, which a worker opened just now, and watch it; SlotscopeError if it cannot be."""
        if self._library is None:
            self._library = Library.open(self._path, create=False)
            self._version = self._library.data_version
        self._timer.start()

    def close(self) -> None:
        """Let go of the file."""
        self._timer.stop()
        if self._library is not None:
            self._library.close()
            self._library = None

    def look(self) -> None:
        """Notify if the library has changed since the last look."""
        if self._library is None:
            return
        try:
            version = self._library.data_version
        except SlotscopeError:  # whoever searches next is told what is wrong
            version = -1
        if version != self._version:
            self._version = version
            self.changed.emit()

    def read(self, ids: Sequence[int]) -> dict[int, Template]:
        """Return templates by id, as far as they are there."""
        return {} if self._library is None else self._library.listed(ids)
