"""Session documents, ``*.slotscope``: a workload with its scenarios and the window's layout."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.files.json_text import SESSION_FORMAT, check_header, formats_in, parse_json, read_bytes
from core.files.schema_check import schema_check
from core.files.workload_document import as_problems, cluster_from_json, typed, workload_from_json
from core.files.workload_writing import cluster_to_json, document_text, workload_to_json
from core.model.document_state import DocumentState, Scenario
from core.model.errors import MOST_PROBLEMS, DocumentError, InputError, Problem
from core.model.estimates import DurationEstimates
from core.model.in_parts import collector_at_rest, take_apart
from core.model.partition import Partition, SlotPool
from core.model.schedule import Fork, PolicyChoice, forks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.model.schedule import Forkable
    from core.model.workload import Workload


VERSION = 4
"""2: pools made by hand. 3: another policy may have decided up to a fork. 4: a layout of plain values."""
VERSIONS = (1, 2, 3, 4)
"""All that are read, in one way; old versions stay, so that old sessions open for ever."""


@dataclass(frozen=True)
class Session:
    """What the window saves.

    Attributes
    ----------
    state : the document
    layout : the arrangement of the window; only the window knows what it means, and checks it
    path : the file that the workload came from, or None
    """

    state: DocumentState
    layout: Mapping[str, Any] = field(default_factory=dict)
    path: str | None = None


def is_session(data: bytes) -> bool:
    """Whether a file's bytes claim to be a session; it may still break rules."""
    return SESSION_FORMAT in formats_in(data)


def read_session(path: str | os.PathLike[str]) -> Session:
    """Read a session, gzipped or not; InputError or DocumentError say what is wrong with it."""
    return session_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)))


def session_from_bytes(data: bytes, name: str) -> Session:
    """Build the session in a file's bytes; `name` says in messages which file it is."""
    with collector_at_rest():
        document = parse_json(data, name)
        check_header(document, name, SESSION_FORMAT, VERSIONS)
        session = _session_from_json(document, name)
        take_apart(document["workload"]["jobs"], document["workload"].get("recorded"))
    return session


def write_session(
    session: Session, path: str | os.PathLike[str], before_replacing: Callable[[], object] = lambda: None
) -> bytes:
    """Write a session in one step, gzipped when the name ends in .gz; return what the file holds now.

    What `before_replacing` raises leaves the file that is there.
    """
    data = packed_for(path, session_to_bytes(session))
    replace_file(path, data, before_replacing=before_replacing)
    return data


def session_to_bytes(session: Session) -> bytes:
    """Return the session as it is written to a file."""
    # A path may hold bytes that are not text; as escapes they are JSON again.
    document = session_to_json(session)
    data = document_text(document).encode("utf-8", "backslashreplace")
    take_apart(document["workload"]["jobs"], document["workload"].get("recorded"))
    return data


def session_to_json(session: Session) -> dict[str, Any]:
    """Return the session as a JSON value."""
    state = session.state
    return {
        "format": SESSION_FORMAT,
        "version": VERSION,
        "path": session.path,
        "layout": dict(session.layout),
        "cluster": cluster_to_json(state.cluster),
        "baseline": state.baseline,
        "next_id": state.next_id,
        "scenarios": [_scenario_to_json(scenario) for scenario in state.scenarios],
        "workload": workload_to_json(state.workload),
    }


def _scenario_to_json(scenario: Scenario) -> dict[str, Any]:
    return {
        "id": scenario.id,
        **_decided_to_json(scenario),
        "cluster": scenario.cluster and cluster_to_json(scenario.cluster),
        "title": scenario.title,
        "forks": [
            {"time": fork.time, "decisions": fork.decisions, **_decided_to_json(fork)}
            for fork in forks_of(scenario)
        ],
    }


def _session_from_json(document: dict[str, Any], name: str) -> Session:
    findings = schema_check("session")(document)
    problems = as_problems(document, findings)
    workload = _workload(document.get("workload"), "workload", problems)
    if workload is None or findings:
        raise DocumentError(name, problems)
    cluster = cluster_from_json(document["cluster"], "cluster", problems)
    scenarios = [
        scenario_from_json(raw, f"scenarios[{i}]", problems) for i, raw in enumerate(document["scenarios"])
    ]
    if problems:
        raise DocumentError(name, problems)
    numbers = int(document["baseline"]), int(document["next_id"])
    try:
        state = DocumentState(workload, cluster, tuple(scenarios), *numbers)
    except InputError as error:
        raise DocumentError(name, [Problem("scenarios", "", str(error))]) from None
    return Session(state, document.get("layout", {}), document.get("path"))


def _workload(document: Any, where: str, problems: list[Problem]) -> Workload | None:
    """Build a workload; what is wrong with it is added to the problems."""
    if not isinstance(document, dict):
        return None  # the schema has said so
    try:
        return workload_from_json(document, "")
    except DocumentError as error:
        for problem in error.problems:
            inside = "" if problem.where == "document" else f".{problem.where}"
            problems.append(Problem(f"{where}{inside}", problem.value, problem.rule))
        if len(error.problems) == MOST_PROBLEMS:  # then there may be more, and that will be said
            problems.append(Problem(where, "", "more of its problems were left out"))
        return None


def scenario_from_json(document: dict[str, Any], where: str, problems: list[Problem]) -> Scenario:
    """Build a scenario of a JSON value that keeps the schema; what else is wrong is added to `problems`."""
    cluster = document.get("cluster")
    return Scenario(
        id=int(document["id"]),
        **_decided_from_json(document, where, problems),
        cluster=None if cluster is None else cluster_from_json(cluster, f"{where}.cluster", problems),
        title=document.get("title", ""),
        fork=_fork_from_json(document.get("forks") or [], where, problems),
    )


def _decided_to_json(decided: Forkable) -> dict[str, Any]:
    """Return policy, order and pools made by hand; forks stand beside them, in a list."""
    estimates = decided.choice.estimates
    return {
        "policy": decided.choice.id,
        "parameters": dict(decided.choice.parameters),
        **({} if estimates is None else {"estimates": estimates_to_json(estimates)}),
        "order": None if decided.order is None else list(decided.order),
        "pools": decided.partition
        and [asdict(pool) | {"jobs": list(pool.jobs)} for pool in decided.partition.pools],
    }


def _decided_from_json(document: dict[str, Any], where: str, problems: list[Problem]) -> dict[str, Any]:
    """Read policy, order and pools: fields of a scenario and of a fork."""
    order, pools = document.get("order"), document.get("pools")
    read = [typed(SlotPool, pool) | {"jobs": tuple(pool.get("jobs", ()))} for pool in pools or ()]
    estimates = _estimates_from_json(document.get("estimates"), f"{where}.estimates", problems)
    return {
        "choice": PolicyChoice(document["policy"], document.get("parameters", {}), estimates),
        "order": None if order is None else tuple(order),
        "partition": None if pools is None else Partition(tuple(SlotPool(**pool) for pool in read)),
    }


def estimates_to_json(estimates: DurationEstimates) -> dict[str, Any]:
    """Return what a policy is told of durations; a profile as the workload document that it is."""
    document: dict[str, Any] = {"error": estimates.error, "per": estimates.per, "seed": estimates.seed}
    if estimates.profile is not None:
        document["profile"] = workload_to_json(estimates.profile)
    return document


def _estimates_from_json(
    document: dict[str, Any] | None, where: str, problems: list[Problem]
) -> DurationEstimates | None:
    if document is None:
        return None
    fields = typed(DurationEstimates, document)
    if (profile := fields.get("profile")) is not None:
        fields["profile"] = _workload(profile, f"{where}.profile", problems)
    return DurationEstimates(**fields)


def _fork_from_json(forks: list[dict[str, Any]], where: str, problems: list[Problem]) -> Fork | None:
    """Read the forks; the last one is the scenario's own."""
    fork: Fork | None = None
    for i, part in enumerate(forks):
        decided = _decided_from_json(part, f"{where}.forks[{i}]", problems)
        fork = Fork(float(part["time"]), int(part.get("decisions", 0)), **decided, fork=fork)
    return fork
