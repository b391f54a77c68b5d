"""Turn a file, logs or a sample into a document: what runs in a thread when people open something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.files.json_text import read_bytes, read_head
from core.files.open_workload import open_workload
from core.files.session_document import is_session, read_session
from core.model.document_state import DocumentState, Scenario
from core.model.execution_history import RECORDED
from core.model.schedule import Fork, PolicyChoice
from core.policies.user_files.source import is_policy_file, policy_id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.logs.report import ImportReport
    from core.model.workload import Workload

FIRST_POLICIES = (PolicyChoice("fifo"), PolicyChoice("johnson"))
"""What a newly opened workload is shown under."""
BESIDE_RECORD = (PolicyChoice(RECORDED), PolicyChoice("fifo"))
"""What a newly opened log with task times is shown as: what happened, and what if."""
HEAD_BYTES = 4096

Forked = TypeVar("Forked", Scenario, Fork)


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
    """

    state: DocumentState
    path: Path | None = None
    report: ImportReport | None = None
    layout: Mapping[str, str] | None = None
    logs: tuple[Path, ...] = ()


def open_document(
    source: str | Path, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> OpenedDocument:
    """Open a session, a workload document, a log or a sample; raises InputError with all problems."""
    path = Path(source)
    if path.is_file() and _is_session(path):
        session = read_session(path)
        return OpenedDocument(with_policy_files_beside(session.state, path), path, layout=session.layout)
    opened = open_workload(source, progress=progress, should_stop=should_stop)
    logs = (path,) if opened.kind == "log" else ()
    return OpenedDocument(new_document(opened.workload), report=opened.report, logs=logs)


def with_policy_files_beside(state: DocumentState, session: Path) -> DocumentState:
    """Refer to policy files that were moved together with the session that names them."""
    folder = session.absolute().parent
    for scenario in state.scenarios:
        state = state.with_scenario(_with_files_in(scenario, folder))
    return state


def _with_files_in(owner: Forked, folder: Path) -> Forked:
    """Return a scenario, or a fork, with policy files that are gone taken from a folder."""
    old, choice = Path(owner.choice.id), owner.choice
    if is_policy_file(choice.id) and not old.exists() and (folder / old.name).exists():
        choice = replace(choice, id=policy_id_of(folder / old.name))
    fork = None if owner.fork is None else _with_files_in(owner.fork, folder)
    return replace(owner, choice=choice, fork=fork)


def import_document(
    paths: Sequence[Path],
    parameters: Mapping[str, object],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> OpenedDocument:
    """Import logs as one document; `parameters` are numbers that the logs do not have."""
    from core.logs.open_log import open_trace  # documents need no reader of logs

    imported = open_trace(paths, parameters=parameters, progress=progress, should_stop=should_stop)
    return OpenedDocument(new_document(imported.workload), report=imported.report, logs=tuple(paths))


def new_document(workload: Workload) -> DocumentState:
    """Show a workload under the first policies; one that really ran beside what happened."""
    ran = workload.recorded is not None and bool(workload.recorded.counts.any())
    return DocumentState.new(workload, BESIDE_RECORD if ran else FIRST_POLICIES)


def _is_session(path: Path) -> bool:
    head = read_head(path, HEAD_BYTES)
    return is_session(head) or (path.suffix == ".slotscope" and is_session(read_bytes(path)))
