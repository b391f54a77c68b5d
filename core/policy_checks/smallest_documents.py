"""What a check found as files: the smallest workload, and a session that opens where it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.files.session_document import Session, write_session
from core.files.workload_writing import write_workload
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.policies.registry import policy_class
from core.policies.user_files.source import policy_id_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import PolicyChoice
    from core.policy_checks.evidence import CheckResult, Evidence, PolicyReport


def document_of(choice: PolicyChoice, result: CheckResult, evidence: Evidence) -> DocumentState:
    """Return the document that shows what was found: the workload, with the policy as its scenario."""
    source = policy_class(choice.id).source
    policy = choice if source is None else replace(choice, id=policy_id_of(source.path))
    name = f"{result.check.title}: {evidence.workload.name}"
    description = "\n".join((evidence.sentence, *evidence.why, "", result.check.meaning))
    workload = replace(
        evidence.workload, name=name, description=description, checked_jobs=evidence.workload.jobs
    )
    return DocumentState.new(workload, (policy,))


def view_of(evidence: Evidence) -> dict[str, Any]:
    """Return what is looked at in such a document: the moment, and the job that it concerns."""
    return {"cursor": [evidence.time, 0], "selected_job": evidence.job or None}


def write_smallest(report: PolicyReport, folder: Path) -> tuple[Path, ...]:
    """Write what was found into a folder, which is made if need be: a session and a workload for each check.

    Raises
    ------
    InputError
        the folder cannot be written to
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be made: {error.strerror or error}; name another folder"
        ) from error
    written = []
    for result in report.results:
        if result.evidence is None:
            continue
        state = document_of(report.choice, result, result.evidence)
        session, workload = (folder / f"{result.check.id}{end}" for end in (".slotscope", ".workload.json"))
        write_session(Session(state, {"view": view_of(result.evidence)}), session)
        write_workload(state.workload, workload)
        written += [session, workload]
    return tuple(written)
