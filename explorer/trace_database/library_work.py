"""What the library's window has done in workers; each piece opens the library for itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import Cancelled, InputError
from core.trace_database.importing import import_into
from core.trace_database.run_comparison import compare_runs
from core.trace_database.search import Search
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.files.open_workload import Opened
    from core.model.job import Job
    from core.trace_database.run_comparison import Phase, PhaseComparison
    from core.trace_database.template import Added, Template


@dataclass(frozen=True, eq=False)
class Found:
    """The answer to a search.

    Attributes
    ----------
    search : the question
    ids : of the jobs, in their order
    applications : of the jobs that match but for the application, with their numbers of runs
    kept, trashed : jobs in the library, and in its trash
    """

    search: Search
    ids: list[int]
    applications: tuple[tuple[str, int], ...]
    kept: int
    trashed: int


@dataclass(frozen=True, eq=False)
class Imported:
    """What an import of several logs came to: what was added, and what could not be, as sentences."""

    added: tuple[Added, ...]
    problems: tuple[str, ...]
    is_stopped: bool = False


@dataclass(frozen=True, eq=False)
class ComparedRuns:
    """Runs side by side: what they are, and each phase."""

    templates: tuple[Template, ...]
    phases: dict[Phase, PhaseComparison]


def find(path: Path, search: Search) -> Found:
    """Search the library; one that is not there begins, empty."""
    with Library.open(path) as library:
        return Found(
            search,
            library.ids(search),
            library.applications(replace(search, application=None)),
            library.count(),
            library.count(Search(trashed=True)),
        )


def import_all(
    path: Path,
    sources: Sequence[Path | Opened],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Imported:
    """Import logs one after the other, each as a whole; what was opened already is added as it is."""
    added: list[Added] = []
    problems: list[str] = []
    with Library.open(path) as library:
        for number, source in enumerate(sources):

            def show(part: float, number: int = number) -> None:
                progress((number + part) / len(sources))

            try:
                added.append(_import(library, source, show, should_stop))
            except Cancelled:
                return Imported(tuple(added), tuple(problems), is_stopped=True)
            except InputError as error:
                problems.append(str(error))
    return Imported(tuple(added), tuple(problems))


def _import(
    library: Library,
    source: Path | Opened,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Added:
    if isinstance(source, Path):
        return import_into(library, source, progress=progress, should_stop=should_stop)[0]
    return library.add(source, progress=progress, should_stop=should_stop)


def take(path: Path, ids: Sequence[int]) -> tuple[Job, ...]:
    """Return templates as jobs that arrive at 0 s."""
    with Library.open(path, create=False) as library:
        return library.jobs(ids)


def delete(path: Path, ids: Sequence[int]) -> tuple[int, ...]:
    """Throw jobs into the trash; return which."""
    with Library.open(path, create=False) as library:
        library.delete(ids)
    return tuple(ids)


def restore(path: Path, ids: Sequence[int]) -> int:
    """Take jobs back from the trash; return how many."""
    with Library.open(path, create=False) as library:
        return library.restore(ids)


def empty_trash(path: Path) -> int:
    """Forget the trash for ever; return how many jobs were in it."""
    with Library.open(path, create=False) as library:
        return library.empty_trash()


def compare(path: Path, ids: Sequence[int]) -> ComparedRuns:
    """Compare runs."""
    with Library.open(path, create=False) as library:
        return ComparedRuns(library.templates(ids), compare_runs(library.jobs(ids)))
