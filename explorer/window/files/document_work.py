"""Reading and writing documents, in threads: sessions, workload documents, logs and samples."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from core.files.atomic import Watch
from core.files.file_mark import mark_of, status_of, written_mark
from core.files.json_text import read_bytes, read_head
from core.files.open_workload import open_workload
from core.files.plan_document import read_plan
from core.files.resources import is_original
from core.files.samples import find_sample
from core.files.session_document import is_session, read_session, write_session
from core.files.workload_writing import write_workload
from core.lessons.lesson_document import ENDING as LESSON_ENDING
from core.lessons.lesson_document import lesson_from_json, read_lesson
from core.lessons.shown_step import shown_step
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.model.limits import is_whole
from core.model.progress import never_stop, no_progress
from core.model.schedule import RECORDED, PolicyChoice
from core.policies.spark import policy_of_log
from core.policies.user_files.session_policies import packed, with_files_beside, with_files_unpacked
from explorer.lessons.lesson_walk import LessonPlace
from explorer.session.session_folder import unpacked_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from core.files.file_mark import FileMark
    from core.files.session_document import PackedPolicy, Session
    from core.logs.report import ImportReport
    from core.logs.unknown_table import TablePreview
    from core.model.plan import Plan
    from core.model.workload import Workload
    from explorer.widgets.worker import Work


FIRST_POLICIES = (PolicyChoice("fifo"), PolicyChoice("johnson"))
"""What a newly opened workload is shown under."""
FIRST_OF_GRAPHS = (PolicyChoice("fifo"), PolicyChoice("critical"))
"""The same of jobs that are no MapReduce jobs."""
HEAD_BYTES = 4096
OPENED = 0.9
"""Part of the time that opening takes; the rest looks up what the simulations need of the jobs."""


@dataclass(frozen=True)
class OpenedDocument:
    """A document ready to be shown.

    Attributes
    ----------
    state : the document
    path : the session file it can be saved to again, or None
    report : the account of a log's import, or None
    layout : the window's layout that a session remembers
    logs : the logs it was imported from, so that they can be imported again
    again : what opens the same once more
    marks : the files that it was read from, as they were then
    policies : the policy files that were packed into it
    lesson : the lesson of which it is a step, or None
    original : the file that came with Slotscope, of which it is a copy; None for any other
    seconds : how long reading it took
    said : a sentence on how it was opened, where there is one
    """

    state: DocumentState
    path: Path | None = None
    report: ImportReport | None = None
    layout: Mapping[str, Any] | None = None
    logs: tuple[Path, ...] = ()
    again: Work | None = None
    marks: Mapping[Path, FileMark | None] | None = None
    policies: tuple[PackedPolicy, ...] = ()
    lesson: LessonPlace | None = None
    original: Path | None = None
    seconds: float = 0.0
    said: str = ""

    @property
    def file(self) -> Path | None:
        """The one file that it was opened from, a log or a document; None if there is no such file."""
        return next(iter(self.marks)) if self.marks and len(self.marks) == 1 else self.path


def open_plan(source: str | Path, *_progress_and_stop: object) -> Plan:
    """Read a plan; raises InputError with all problems."""
    return read_plan(source)


def open_document(
    source: str | Path,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> OpenedDocument:
    """Open a session, a workload document, a log or a sample; raises InputError with all problems."""
    began = perf_counter()
    path = Path(source).absolute()  # it stays the same file in another working folder
    marks, again = _marks_of([path]), partial(open_document, source)
    original = path if is_original(path) else None
    if path.is_file() and _is_session(path):
        session = read_session(path, Watch(progress, should_stop))
        state = with_files_beside(session.state, path.parent)
        state = with_files_unpacked(state, session.policies, unpacked_folder())
        lesson = remembered_lesson(session.layout.get("view"))
        own = path if original is None else None
        opened_session = OpenedDocument(state, own, None, session.layout, (), again, marks, session.policies)
        return replace(opened_session, lesson=lesson, original=original)
    if path.is_file() and path.name.removesuffix(".gz").endswith(LESSON_ENDING):
        return open_lesson(path)
    reading = Watch(progress, should_stop).part(0.0, OPENED).progress
    opened = open_workload(source, progress=reading, should_stop=should_stop)
    logs = (path,) if opened.kind == "log" else ()
    sample = find_sample(str(source)) if opened.kind == "sample" else None
    state = new_document(opened.workload, opened.report) if sample is None else sample.state
    progress(1.0)
    return OpenedDocument(
        state,
        report=opened.report,
        layout=None if sample is None or sample.cursor is None else {"view": {"cursor": [sample.cursor, 0]}},
        logs=logs,
        again=again,
        marks=marks,
        original=original if sample is None else sample.path,
        seconds=perf_counter() - began,
    )


def open_lesson(path: Path) -> OpenedDocument:
    """Open a lesson at its first step; InputError or DocumentError with all problems."""
    place = LessonPlace(read_lesson(path), str(path))
    return OpenedDocument(shown_step(place.lesson, 0).state, lesson=place)


def remembered_lesson(values: object) -> LessonPlace | None:
    """Return the lesson that a session was left in; None without one, and where it cannot be read any more.

    Parameters
    ----------
    values : what `LessonSteps.values` returned, or anything that a file may hold
    """
    kept = values.get("lesson") if isinstance(values, dict) else None
    if not isinstance(kept, dict) or not isinstance(kept.get("source"), str):
        return None
    source, number, document = kept["source"], kept.get("step"), kept.get("document")
    with suppress(InputError):
        lesson = read_lesson(source) if document is None else lesson_from_json(document, source or "lesson")
        if isinstance(number, int) and is_whole(number, 0, len(lesson.steps) - 1):
            return LessonPlace(lesson, source, number, kept.get("is_modified") is True, resumes=True)
    return None


def _marks_of(paths: Iterable[Path]) -> dict[Path, FileMark | None]:
    """Return how files are; samples and folders have no mark."""
    return {path: mark_of(path) for path in paths if path.is_file()}


def find_run(
    workload: Workload, source: str, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> Workload:
    """Return the jobs of a workload as they ran before; arguments and errors of `recorded_profile`."""
    from core.trace_database.recorded_profile import recorded_profile  # few ask for it

    return recorded_profile(workload, source, progress, should_stop)


def import_document(
    paths: Sequence[Path],
    parameters: Mapping[str, object],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> OpenedDocument:
    """Import logs as one document; `parameters` are numbers that the logs do not have."""
    from core.logs.open_log import open_trace  # documents need no reader of logs

    began = perf_counter()
    marks, again = _marks_of(path.absolute() for path in paths), partial(import_document, paths, parameters)
    reading = Watch(progress, should_stop).part(0.0, OPENED).progress
    imported = open_trace(paths, parameters=parameters, progress=reading, should_stop=should_stop)
    state = new_document(imported.workload, imported.report)
    logs, seconds = tuple(paths), perf_counter() - began
    return OpenedDocument(state, report=imported.report, logs=logs, again=again, marks=marks, seconds=seconds)


def find_table(
    paths: Sequence[Path], progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> TablePreview:
    """Return how the first table among these files begins; arguments and errors of `first_table`."""
    from core.logs.unknown_table import first_table  # documents need no reader of logs

    return first_table(paths, progress, should_stop)


def new_document(workload: Workload, report: ImportReport | None = None) -> DocumentState:
    """Show a workload under the first policies; one that really ran under its log's, beside the record.

    Parameters
    ----------
    workload : the jobs
    report : of the log that they come from
    """
    # kept with it, so that a thread looks them up, and not each simulation for itself
    _ = workload.input_order, workload.pools, workload.columns, workload.slot_time
    ran = workload.recorded is not None and bool(workload.recorded.counts.any())
    if not ran:
        return DocumentState.new(workload, FIRST_POLICIES if workload.is_map_reduce else FIRST_OF_GRAPHS)
    policy = PolicyChoice(policy_of_log("" if report is None else report.scheduler))
    return DocumentState.new(workload, (PolicyChoice(RECORDED), policy))


def _is_session(path: Path) -> bool:
    head = read_head(path, HEAD_BYTES)
    return is_session(head) or (path.suffix == ".slotscope" and is_session(read_bytes(path)))


def save_session(
    session: Session,
    path: Path,
    may_replace: Callable[[], object],
    is_packed: bool,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> FileMark:
    """Write a session, packed or not, and return how its file is now.

    What `may_replace` raises leaves the file that is there; the policies of the session stand for policy
    files that are gone.
    """
    policies = packed(session.state, session.policies) if is_packed else ()
    watch = Watch(progress, should_stop)
    data = write_session(replace(session, policies=policies), path, may_replace, watch)
    return written_mark(status_of(path), data)


def export_jobs(
    state: DocumentState, path: Path, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> None:
    """Write the jobs and the cluster of a document as a workload document."""
    write_workload(replace(state.workload, cluster=state.cluster), path, Watch(progress, should_stop))
