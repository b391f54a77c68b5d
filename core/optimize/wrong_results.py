"""A result that a check contradicts: kept in a file for debugging, and never shown as a result."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from core.files.atomic import replace_file
from core.files.data_folder import data_folder
from core.files.plan_document import PLAN
from core.files.private_files import make_private_folder
from core.files.session_document import Session, session_from_bytes, session_to_bytes
from core.model.document_state import DocumentState, Scenario
from core.model.errors import LONGEST_TEXT, DocumentError, InputError, WrongResult
from core.model.schedule import PolicyChoice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload

PROVED = 1 + 1e-9
"""The part of a bound up to which a value is as small as it; below the bound by more none can be."""


def failures_folder() -> Path:
    """Return the folder of results that were wrong, in the user's data; it may not be there yet."""
    return data_folder() / "failures"


def check_bound(
    best: float,
    bound: float,
    workload: Workload,
    cluster: Cluster,
    plan: Plan | None,
    figures: Mapping[str, object] = {},  # read only
) -> None:
    """Raise WrongResult if a schedule is better than its lower bound.

    Parameters
    ----------
    best, bound : values of one objective
    plan : of the schedule, None where it has none
    figures : what else is to be kept with the instance, by name
    """
    if best < bound / PROVED:
        what = f"a schedule of {best!r} was found, below the lower bound of {bound!r}; one of them is wrong"
        raise wrong_result(what, workload, cluster, plan, {"best": best, "bound": bound, **figures})


def wrong_result(
    what: str, workload: Workload, cluster: Cluster, plan: Plan | None, figures: Mapping[str, object]
) -> WrongResult:
    """Return the error with what is wrong, after keeping everything about it in a session's file.

    The plan is that of the session's scenario; one that breaks rules stands in the notes.
    """
    sentences = "\n".join(
        [f"A failure of ours: {what}.", *(f"{name}: {value!r}" for name, value in figures.items())]
    )
    try:
        data = _session(workload, cluster, plan, sentences)
        path = failures_folder() / f"{hashlib.sha256(data).hexdigest()[:16]}.slotscope"
        make_private_folder(path.parent)
        replace_file(path, data)
    except (InputError, OSError) as error:
        kept = f"it could not be kept ({error})"
    else:
        kept = f"please report it with the jobs, the cluster and the plan, which are kept in {path}"
    return WrongResult(f"a failure of ours: {what}, and so none of it is shown as a result; {kept}")


def _session(workload: Workload, cluster: Cluster, plan: Plan | None, notes: str) -> bytes:
    """Return a session that opens again."""
    try:
        data = _written(workload, cluster, plan, notes)
        session_from_bytes(data, "the session")
    except (DocumentError, ValueError):
        if plan is None:
            raise
        return _written(workload, cluster, None, f"{notes}\nplan: {json.dumps(PLAN.write(plan))}")
    return data


def _written(workload: Workload, cluster: Cluster, plan: Plan | None, notes: str) -> bytes:
    scenario = Scenario(1, PolicyChoice("critical"), plan=plan)
    state = DocumentState(workload, cluster, (scenario,), 1, 2, notes[:LONGEST_TEXT])
    return session_to_bytes(Session(state))
