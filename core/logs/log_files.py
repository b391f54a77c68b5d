"""Which files an import reads: named ones and those of named folders; and what others look like."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.logs.logged_job import one_line
from core.logs.table_lines import FEWEST_COLUMNS, NUMBER_OR_DATE, head_lines
from core.model.errors import Cancelled, InputError
from core.model.limits import by_number
from core.model.progress import never_stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


MAX_FILES = 10_000
"""Files of the folders of one import; a folder that holds more is hardly one of logs."""

ShouldStop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file to import.

    Attributes
    ----------
    path : the file
    is_named : whether the user named it, rather than a folder that it lies in
    size : bytes as it is packed
    member_name : its name, where it is another than that of `path`: of a member of an archive
    opened : opens it, where its content does not lie at `path`: of a member of an archive
    """

    path: Path
    is_named: bool
    size: int
    member_name: str = ""
    opened: Callable[[], IO[bytes]] | None = None

    @property
    def name(self) -> str:
        """The file's name as the report shows it."""
        return self.member_name or one_line(self.path.name)


def log_files(paths: Sequence[Path], should_stop: ShouldStop = never_stop) -> list[LogFile]:
    """Return the files to look at: named ones in their order, those of a folder by name.

    Raises
    ------
    InputError
        a path is no file or folder, cannot be read, or its folder holds more than `MAX_FILES` files
    Cancelled
        `should_stop` said so
    """
    if not paths:
        raise InputError("no file to import; name at least one log or a folder of logs")
    return [file for path in paths for file in _files_of(path, should_stop)]


def neighbours(file: LogFile) -> list[LogFile]:
    """Return the other files of a file's own folder, or nothing where there are too many to look at."""
    try:
        paths = sorted(Path(entry.path) for entry in os.scandir(file.path.parent) if entry.is_file())
        found = [LogFile(path, False, path.stat().st_size) for path in paths if path != file.path]
    except OSError:
        return []
    return found if len(found) <= MAX_FILES // 10 else []


def _files_of(path: Path, should_stop: ShouldStop) -> Iterable[LogFile]:
    try:
        if path.is_dir():
            return list(_below(path, should_stop))
        if path.is_file():
            return [LogFile(path, True, path.stat().st_size)]
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read ({problem})") from problem
    if path.exists():
        raise InputError(f"{path}: it is a device or a pipe and no file; give a file or a folder of logs")
    raise InputError(f"{path}: there is no such file or folder")


def _below(folder: Path, should_stop: ShouldStop) -> Iterator[LogFile]:
    """Yield the regular, visible files of a folder and its subfolders, by name; links are not followed."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=by_number)
        for name in sorted(names, key=by_number):
            path = Path(place, name)
            if name.startswith(".") or not path.is_file():
                continue
            count += 1
            if count > MAX_FILES:
                raise InputError(
                    f"{folder}: holds more than {MAX_FILES} files; "
                    "give the folder that holds the logs, or the logs themselves"
                )
            if should_stop():
                raise Cancelled(f"import of {folder.name} stopped")
            yield LogFile(path, False, path.stat().st_size)


_ENDINGS = (
    *(".gz", ".tgz", ".zst", ".lz4", ".zip", ".tar", ".json", ".trace", ".jhist", ".jsonl", ".swf", ".tsv"),
    *(".csv", ".psv", ".log", ".txt"),
)
"""Ends of names that say nothing, in the order in which they are taken away."""


def log_name(paths: Sequence[Path]) -> str:
    """Name the workload after the first file or folder, without endings of no meaning."""
    name = paths[0].resolve().name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (one_line(name) or "log") + more


def _looks_like_cells(head: bytes, separator: str, word: str) -> str:
    """Return why lines of cells are no table of tasks, as a phrase."""
    first, *rows = head_lines(head, 2) or [""]
    cells, looks = [cell.strip() for cell in first.split(separator)], f"a table separated by {word}"
    if not rows:
        return f"{looks} with no row below its first line"
    if len(cells) < FEWEST_COLUMNS:
        return f"{looks} with {len(cells)} columns; a table of tasks has at least job, start and end"
    if any(map(NUMBER_OR_DATE.match, cells)) or sum(not cell for cell in cells) > 1:
        names = "if its rows are tasks, put names above, such as job,kind,start,end"
        return f"{looks} whose first line names no columns; {names}"
    return f"{looks} of which most rows are not as wide as its first line"


# what a file's beginning matches, and what to call it
# the first that matches is named; packings and precise formats come before general shapes
EMPTY = "an empty file"
_LOOKS = (
    (rb"\A\s*\Z", EMPTY),
    (rb"\A(?:\xff\xfe|\xfe\xff)", "text in UTF-16; save it in UTF-8"),
    (rb"\A(?:\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|LZ4Block)", "data packed more than twice; unpack it"),
    (rb"\A\x82SNAPPY\0", "data packed with snappy; unpack it first"),
    (rb"\ABZh[1-9]", "data packed with bzip2; unpack it first"),
    (rb"\A\xfd7zXZ\0", "data packed with xz; unpack it first"),
    (rb"\A\x1f\x8b", "data packed more than twice; unpack it"),
    (rb"\A\s*\{\s*\"format\"\s*:\s*\"slotscope-session\"", "a Slotscope session; open it in the window"),
    (rb"\A\s*\{\s*\"format\"\s*:\s*\"slotscope-study\"", "a Slotscope study; run it as a study"),
    (
        rb"\A\s*\{\s*\"format\"\s*:\s*\"slotscope-",
        "a Slotscope workload document; open it, do not import it",
    ),
    (
        rb"\A\s*\{(?=.{0,200}\"name\"\s*:)(?=.{0,400}\"children\"\s*:)",
        "a Rumen cluster topology (racks and hosts, no jobs); give the job trace that belongs to it",
    ),
    (rb"\A.{0,4000}Avro-Binary", "an MRv2 job history in binary Avro; only those in JSON can be read"),
    (
        rb"\A\s*\{(?=.{0,400}\"rack\"\s*:)(?=.{0,400}\"nodes\"\s*:)",
        "the nodes of the YARN load simulator (no jobs); give the jobs that belong to them",
    ),
    (
        rb"\A\s*\{(?=.{0,4000}\"(?:job_classes|num_jobs)\"\s*:)(?=.{0,4000}\"workloads\"\s*:)",
        "what the YARN load simulator draws random jobs from, and no recorded jobs",
    ),
    (
        rb"\A\s*\{.{0,4000}\"propertyMap\"\s*:",
        "configurations of jobs; give the files of the jobs and their tasks",
    ),
    (rb"\A\s*(?:<\?xml[^>]*\?>\s*)?(?:(?><!--.*?-->)\s*+)*+<configuration", "a Hadoop configuration"),
    (
        rb"\A\s*(?:<\?xml[^>]*\?>\s*)?<Types\b",
        "a part of an Office document; save its table as CSV, and give that",
    ),
    (rb"\A\s*<", "an XML or HTML file"),
    (rb"\A.{0,4000}\0", "binary data"),
    (
        rb"\A\s*(?:\{.{0,4000}\"traceEvents\"\s*:\s*)?\[\s*\{(?=.{0,2000}\"ph\"\s*:\s*\"\w\")",
        "events of a profiler in Chrome's format, as Ray's timeline has them too; they name no jobs: write "
        "each task as a row of a table, with its job, its start and its duration",
    ),
    (
        rb"\A\s*\{(?=.{0,60000}\"profiles\"\s*:\s*\{)(?=.{0,60000}\"jobs\"\s*:\s*\[)",
        "a workload of the simulator Batsim, whose jobs did not run yet; give the jobs.csv that it wrote",
    ),
    (
        rb"\A\s*\{.{0,4000}\"jobs\"\s*:\s*\[(?:\s*\]|.{0,4000}\"(?:maps|reduces|stages|dataset)\"\s*:)",
        'a workload document without its header; begin it with {"format": "slotscope-workload", "version": 1',
    ),
    (rb"\A\s*[\[{]", "JSON of another kind"),
    (
        rb"\A[^\n|]*\|(?=.{0,4000}\b(?:COMPLETED|CANCELLED|TIMEOUT|OUT_OF_MEMORY|NODE_FAIL)\b)",
        "rows of Slurm's sacct without their header, which names the columns; keep it (leave -n out)",
    ),
    (
        rb"\A\s*JobID(?:Raw)?\s[^\n|]*\n[- ]+\n",
        "a table that Slurm's sacct prints for people; write it with --parsable2",
    ),
    (
        rb"\A\d+,[0-2]?,\d+,\d+,\d*,[0-8],[^,\n]*,\d*,\d*,",
        "task_events of Google's cluster of 2011, which say when a task changed, not how long it ran; write "
        "each run as a row of a table, from SCHEDULE (1) to FINISH (4)",
    ),
)


def looks_like(head: bytes) -> str:
    """Return what the file's beginning looks like, as a phrase."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    looks = (text for pattern, text in _LOOKS if re.match(pattern, head, re.DOTALL))
    cells = ((rb"\s*[^\n\t]*\t", "\t", "tabs"), (rb"\s*[^\n,]*,[^\n]*,", ",", "commas"))
    of_cells = (_looks_like_cells(head, sign, word) for form, sign, word in cells if re.match(form, head))
    return next(looks, next(of_cells, "text of an unknown kind"))
