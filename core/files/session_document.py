"""Session documents, ``*.slotscope``: a workload with its scenarios, notes and the window's layout.

A packed one has the policy files that its scenarios use inside, as text;
`core.policies.user_files.session_policies` takes them out where it is opened. Nothing of it is run by being
read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.forms import Form, InJson
from core.files.json_text import SESSION_FORMAT, check_header, formats_in, parse_json, read_bytes
from core.files.plan_document import PARTITION, PLAN
from core.files.schema_check import schema_check
from core.files.workload_document import (
    BUILT,
    PARSED,
    as_problems,
    cluster_from_json,
    workload_from_json,
)
from core.files.workload_writing import cluster_to_json, document_bytes, workload_to_json
from core.model.document_state import DocumentState, Scenario
from core.model.errors import MAX_PROBLEMS, DocumentError, InputError, Problem, shorten
from core.model.estimates import DurationEstimates
from core.model.in_parts import collector_at_rest, take_apart
from core.model.plan import plan_problems
from core.model.schedule import Fork, PolicyChoice, forks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.files.atomic import Watch
    from core.model.schedule import Forkable
    from core.model.workload import Workload


VERSION = 6
"""2: pools made by hand. 3: another policy may have decided up to a fork. 4: a layout of plain values.
5: notes, and policy files inside. 6: plans."""
VERSIONS = (1, 2, 3, 4, 5, 6)
"""All that are read, in one way; old versions stay, so that old sessions open for ever."""


MAX_FILE_NAME = 200
ESTIMATES = Form(DurationEstimates, parts={"error": InJson(float, float)}, order=("error", "per", "seed"))
"""What a policy knows of durations, but for a profile."""
BY_HAND: Form[Forkable] = Form(
    Scenario,
    Scenario(0, PolicyChoice("")),
    {"partition": PARTITION, "plan": PLAN},
    {"partition": "pools"},
    always=("order", "partition"),
    order=("order", "partition", "plan"),
)
"""What decides instead of the policy, in a scenario or before a fork."""


@dataclass(frozen=True)
class PackedPolicy:
    """A policy file inside a session, with the files that it imports.

    Attributes
    ----------
    id : what scenarios call it: the path that it had
    files : names seen from its folder, "mine.py" and "tools/sums.py", and contents; the policy file is first
    """

    id: str
    files: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Session:
    """What the window saves.

    Attributes
    ----------
    state : the document
    layout : the arrangement of the window; only the window knows what it means, and checks it
    path : the file that the workload came from, or None
    policies : the policy files that are packed into it
    """

    state: DocumentState
    layout: Mapping[str, Any] = field(default_factory=dict)
    path: str | None = None
    policies: tuple[PackedPolicy, ...] = ()


def is_session(data: bytes) -> bool:
    """Whether a file's bytes claim to be a session; it may still break rules."""
    return SESSION_FORMAT in formats_in(data)


def read_session(path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> Session:
    """Read a session, gzipped or not; raises InputError or DocumentError with what is wrong with it."""
    return session_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)), watch)


def session_from_bytes(data: bytes, name: str, watch: Watch = UNWATCHED) -> Session:
    """Build the session in a file's bytes; `name` stands for the file in messages."""
    with collector_at_rest():
        document = parse_json(data, name, watch.part(0.0, PARSED).check)
        check_header(document, name, SESSION_FORMAT, VERSIONS)
        session = _session_from_json(document, name)
        watch.check(BUILT)
        take_apart(document["workload"]["jobs"], document["workload"].get("recorded"))
    return session


def write_session(
    session: Session,
    path: str | os.PathLike[str],
    before_replacing: Callable[[], object] = lambda: None,
    watch: Watch = UNWATCHED,
) -> bytes:
    """Write a session in one step, gzipped when the name ends in .gz; return what the file holds now.

    What `before_replacing` raises leaves the file that is there, and so does Cancelled.
    """
    data = packed_for(path, session_to_bytes(session, watch.part(0.0, 0.7)), watch.part(0.7, 0.95))

    def look_again() -> None:
        before_replacing()
        watch.check(1.0)

    replace_file(path, data, before_replacing=look_again)
    return data


def session_to_bytes(session: Session, watch: Watch = UNWATCHED) -> bytes:
    """Return the session as it is written to a file."""
    with collector_at_rest():
        document = session_to_json(session, watch.part(0.0, 0.4))
        data = document_bytes(document, watch.part(0.4, 1.0))
        take_apart(document["workload"]["jobs"], document["workload"].get("recorded"))
    return data


def session_to_json(session: Session, watch: Watch = UNWATCHED) -> dict[str, Any]:
    """Return the session as a JSON value."""
    state = session.state
    packed = [_packed_to_json(each) for each in session.policies]
    return {
        "format": SESSION_FORMAT,
        "version": VERSION,
        "path": session.path,
        "layout": dict(session.layout),
        **({"notes": state.notes} if state.notes else {}),
        **({"policy_files": packed} if packed else {}),
        "cluster": cluster_to_json(state.cluster),
        "baseline": state.baseline,
        "next_id": state.next_id,
        "scenarios": [scenario_to_json(scenario) for scenario in state.scenarios],
        "workload": workload_to_json(state.workload, watch),
    }


def scenario_to_json(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario as a JSON value, as sessions have it."""
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
    packed = [
        _packed_from_json(raw, f"policy_files[{i}]", problems)
        for i, raw in enumerate(document.get("policy_files", ()))
    ]
    if problems:
        raise DocumentError(name, problems)
    numbers = int(document["baseline"]), int(document["next_id"])
    try:
        state = DocumentState(workload, cluster, tuple(scenarios), *numbers, document.get("notes", ""))
    except InputError as error:
        raise DocumentError(name, [Problem("scenarios", "", str(error))]) from None
    return Session(state, document.get("layout", {}), document.get("path"), tuple(packed))


def _packed_to_json(packed: PackedPolicy) -> dict[str, Any]:
    # bytes that are no UTF-8 become lone surrogates, which JSON writes as escapes
    texts = [{"name": name, "text": data.decode("utf-8", "surrogateescape")} for name, data in packed.files]
    return {"policy": packed.id, "files": texts}


def _packed_from_json(document: dict[str, Any], where: str, problems: list[Problem]) -> PackedPolicy:
    files = []
    for i, file in enumerate(document["files"]):
        if not _is_inside(file["name"]):
            rule = "give a path below the policy file's folder that ends in .py, without '..'"
            problems.append(Problem(f"{where}.files[{i}].name", shorten(file["name"]), rule))
        try:
            files.append((file["name"], file["text"].encode("utf-8", "surrogateescape")))
        except UnicodeEncodeError:
            rule = "is no text of a file: it has half of a character"
            problems.append(Problem(f"{where}.files[{i}].text", "", rule))
    return PackedPolicy(document["policy"], tuple(files))


def _is_inside(name: str) -> bool:
    """Whether a name leads to a Python file below a folder, and nowhere else."""
    parts = name.split("/")
    is_plain = all(part.strip(".") and "\\" not in part and part.isprintable() for part in parts)
    return is_plain and name.endswith(".py") and len(name) <= MAX_FILE_NAME


def _workload(document: Any, where: str, problems: list[Problem]) -> Workload | None:
    """Build a workload; what is wrong with it is added to the problems."""
    if not isinstance(document, dict):
        return None  # the schema has said so
    try:
        return workload_from_json(document, "")
    except DocumentError as error:
        problems += [problem.below(where) for problem in error.problems]
        if len(error.problems) == MAX_PROBLEMS:  # then there may be more, and that will be said
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
    """Return policy, and order, pools or plan; forks stand beside them, in a list."""
    estimates = decided.choice.estimates
    return {
        "policy": decided.choice.id,
        "parameters": dict(decided.choice.parameters),
        **({} if estimates is None else {"estimates": estimates_to_json(estimates)}),
        **BY_HAND.write(decided),
    }


def _decided_from_json(document: dict[str, Any], where: str, problems: list[Problem]) -> dict[str, Any]:
    """Read policy, order, pools and plan: fields of a scenario and of a fork."""
    made = BY_HAND.given(document)
    if (plan := made.get("plan")) is not None:
        problems += [problem.below(f"{where}.plan") for problem in plan_problems(plan)]
    estimates = _estimates_from_json(document.get("estimates"), f"{where}.estimates", problems)
    return {"choice": PolicyChoice(document["policy"], document.get("parameters", {}), estimates), **made}


def estimates_to_json(estimates: DurationEstimates) -> dict[str, Any]:
    """Return the estimates that a policy is given; a profile as the workload document that it is."""
    profile = estimates.profile
    return ESTIMATES.write(estimates) | ({} if profile is None else {"profile": workload_to_json(profile)})


def _estimates_from_json(
    document: dict[str, Any] | None, where: str, problems: list[Problem]
) -> DurationEstimates | None:
    if document is None:
        return None
    profile = document.get("profile")
    return replace(
        ESTIMATES.read(document),
        profile=None if profile is None else _workload(profile, f"{where}.profile", problems),
    )


def _fork_from_json(forks: list[dict[str, Any]], where: str, problems: list[Problem]) -> Fork | None:
    """Read the forks; the last one is the scenario's own."""
    fork: Fork | None = None
    for i, part in enumerate(forks):
        decided = _decided_from_json(part, f"{where}.forks[{i}]", problems)
        fork = Fork(float(part["time"]), int(part.get("decisions", 0)), **decided, fork=fork)
    return fork
