"""Certificates, ``*.certificate.json``: what a checker needs to see that nothing is better, or in time.

A certificate stands by itself: the jobs with every task, the cluster, the schedule, the rule of the bound and
its numbers, and the plan that gives the schedule. It has been checked when it exists (`Certificate.verdict`).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.json_text import CERTIFICATE_FORMAT, parse_json, read_bytes
from core.verify.check import NOTHING_ENDS_BY, OBJECTIVES, OPTIMAL, PREMISE, WITHIN, Inspection, check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.files.atomic import Watch
    from core.model.cluster import Cluster
    from core.model.links import LinkColumns
    from core.model.schedule import Schedule
    from core.model.stages import StageColumns
    from core.model.workload import Workload

VERSION = 1
ENDING = ".certificate.json"
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class Certificate:
    """A claim with its proof, as the checker has seen it.

    Attributes
    ----------
    document : the JSON value that is written to a file
    verdict : what the checker says of it
    """

    document: Mapping[str, Any]
    verdict: Inspection

    @property
    def is_confirmed(self) -> bool:
        """Whether the checker accepts it."""
        return not self.verdict.problems

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that its proof names, each once."""
        return tuple(dict.fromkeys(part["rule"] for part in self.document["proof"]))

    def rows(self, write_time: Callable[[float], str]) -> list[tuple[str, str]]:
        """Return what was checked and what was found, in words, of a certificate that is confirmed."""
        verdict, document = self.verdict, self.document
        names = tuple(document["objective"])
        write = write_time if names == ("makespan",) else "{:.10g}".format
        value, bound = write(verdict.value), write(verdict.bound)
        if verdict.claim != NOTHING_ENDS_BY:
            claim = f"no schedule has a smaller {' or '.join(names)} than {value}"
            if verdict.claim == WITHIN:
                claim = f"no schedule has a smaller {' or '.join(names)} than {bound}; this one has {value}"
            tasks = f"{verdict.tasks} tasks of {verdict.jobs} jobs, each on its slot at its times"
        else:
            claim = f"no schedule ends by {value}"
            tasks = f"none: this is about all schedules of {verdict.tasks} tasks of {verdict.jobs} jobs"
        cluster = document["cluster"]
        slots = f"{cluster['map_slots']} map + {cluster['reduce_slots']} reduce slots"
        if cluster["containers"]:
            slots = f"{cluster['containers']} containers"
        rows = [
            ("claim", f"{claim} on {slots}"),
            ("premise", PREMISE),
            ("schedule", tasks),
            ("lower bound", f"{bound}, by the rules: {', '.join(self.rules)}"),
            ("its numbers", "; ".join(map(_numbers_text, document["proof"]))),
            ("verdict", f"confirmed: {'proved' if verdict.claim != WITHIN else 'the bound is proved'}"),
        ]
        return [*rows, ("in words, unchecked", why)] if (why := document.get("why")) else rows

    def with_rule(self, part: Mapping[str, Any]) -> Certificate:
        """Return it with one more rule in its proof, and why in words no longer, checked."""
        document = {**self.document, "why": "", "proof": [*self.document["proof"], dict(part)]}
        return Certificate(document, check(document))

    def with_proved_bound(self) -> Certificate:
        """Return it with the bound that its proof gives, checked."""
        document = {**self.document, "bound": self.verdict.bound}
        return Certificate(document, check(document))

    def checked_again(self) -> Certificate:
        """Return it with what the checker finds now."""
        return Certificate(self.document, check(self.document))


def why_no_certificate(cluster: Cluster, objectives: Sequence[str]) -> str:
    """Return what the checker does not support of a cluster or of what is to be small; empty if nothing."""
    if cluster.has_nodes:
        return "nodes"
    if cluster.overheads is not None:
        return "overheads"
    if cluster.events is not None:
        return "nodes that fail, return or change their speed"
    return next((f"the objective {name}" for name in objectives if name not in OBJECTIVES), "")


def optimal_certificate(
    schedule: Schedule,
    after: NDArray[np.int32],
    value: float,
    bound: float,
    objective: Mapping[str, float],
    proof: Sequence[Mapping[str, Any]],
    why: str,
    *,
    claim: str = OPTIMAL,
    alone: NDArray[np.float64] | None = None,
) -> Certificate:
    """Return the checked certificate that no schedule has a smaller value than this one.

    Or, with the claim `WITHIN`, that none has a smaller one than the bound.

    Parameters
    ----------
    schedule : complete, of a cluster that the checker knows (`why_no_certificate`)
    after : how many complete tasks each edge between stages waits for, (edges,): of MapReduce jobs how many
        complete maps let the reduces of each start
    value, bound : of the schedule, and what is proved
    objective : the weight of each thing that is to be small, by its name
    proof : rules with their numbers, each ``of`` one of these
    why : the bound in words
    alone : how long each job takes alone, s, (jobs,); for the largest stretch only
    """
    from core.files.plan_document import PLAN  # who checks one needs no plans

    claims = {"claim": claim, "value": value, "objective": dict(objective), "bound": bound, "why": why}
    given = schedule.workload, schedule.cluster, claims, proof, alone
    made = _document(*given) | {"schedule": schedule_columns(schedule, after)}
    if schedule.plan is not None:
        made["plan"] = PLAN.write(schedule.plan)
    return Certificate(made, check(made))


def schedule_columns(schedule: Schedule, after: NDArray[np.int32]) -> dict[str, Any]:
    """Return a schedule as a checker reads it; `after` as of `optimal_certificate`."""
    columns = {name: getattr(schedule, name).tolist() for name in ("slot", "start", "shuffled", "end")}
    name = "reduces_after" if schedule.workload.columns.stages.are_map_reduce else "after"
    return columns | {name: after.tolist()}


def late_certificate(
    workload: Workload, cluster: Cluster, until: float, bound: float, proof: Mapping[str, Any], why: str
) -> Certificate:
    """Return the checked certificate that no schedule on a cluster ends by a time, in seconds."""
    claim = {"claim": NOTHING_ENDS_BY, "value": until, "objective": {"makespan": 1}}
    claim |= {"bound": bound, "why": why}
    made = _document(workload, cluster, claim, [{"of": "makespan"} | dict(proof)])
    return Certificate(made, check(made))


def _numbers_text(part: Mapping[str, Any]) -> str:
    """Write a rule with its numbers: "window (slots reduces, begin 0, rest 1, backwards)"."""
    inner = {name: value for name, value in part.items() if name not in ("of", "rule") and value is not False}
    numbers = [
        f"{_count_cases(value)} {name}"
        if name == "cases"
        else f"{name}: {_numbers_text(value)}"
        if isinstance(value, dict)
        else name
        if value is True
        else f"{len(value)} {name}"
        if isinstance(value, list)
        else f"{name} {value:.10g}"
        if isinstance(value, float)
        else f"{name} {value}"
        for name, value in inner.items()
    ]
    return f"{part['rule']} ({', '.join(numbers)})" if numbers else str(part["rule"])


def _count_cases(node: Mapping[str, Any]) -> int:
    """Return how many cases of when jobs end there are below a cut; 1 where there is none."""
    return _count_cases(node["sooner"]) + _count_cases(node["later"]) if "job" in node else 1


def _document(
    workload: Workload,
    cluster: Cluster,
    claim: dict[str, Any],
    proof: Sequence[Mapping[str, Any]],
    alone: NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    return {
        "format": CERTIFICATE_FORMAT,
        "version": VERSION,
        "workload": workload.name,
        **claim,
        "premise": PREMISE,
        "proof": [dict(part) for part in proof],
        **subject(workload, cluster, alone),
    }


def subject(
    workload: Workload, cluster: Cluster, alone: NDArray[np.float64] | None = None
) -> dict[str, dict[str, Any]]:
    """Return what a proof is of as a checker reads it: cluster, jobs and tasks; `alone` where it counts."""
    columns = workload.columns
    waits = columns.stages.has_parents[columns.stage]
    return {
        "cluster": {
            "map_slots": 0 if cluster.has_containers else cluster.typed_slots[0],
            "reduce_slots": 0 if cluster.has_containers else cluster.typed_slots[1],
            "containers": cluster.slots if cluster.has_containers else 0,
            "shuffle_model": cluster.shuffle_model,
            **_intervals(cluster),
        },
        "jobs": {
            "name": [job.name for job in workload.jobs],
            **_stages(columns.stages),
            "arrival": columns.links.fixed.tolist(),
            "deadline": _or_null(columns.deadline),
            "weight": columns.weight.tolist(),
            **({} if alone is None else {"alone": _or_null(alone)}),
            **_links(columns.links),
        },
        "tasks": {
            "duration": columns.duration.tolist(),
            "first_shuffle": columns.first_shuffle[waits].tolist(),
            "typical_shuffle": columns.typical_shuffle[waits].tolist(),
        },
    }


def _or_null(times: NDArray[np.float64]) -> list[float | None]:
    """Return times as JSON has them: null for infinity."""
    return [None if np.isinf(each) else each for each in times.tolist()]


def _stages(stages: StageColumns) -> dict[str, Any]:
    """Return how many tasks stages have, and which wait for which; of MapReduce jobs, maps and reduces."""
    if stages.are_map_reduce:
        maps, reduces = stages.count.reshape(-1, 2).T.tolist()
        return {"maps": maps, "reduces": reduces}
    kind = stages.task_type.tolist()
    return {
        "stages": {"job": stages.job.tolist(), "kind": kind, "tasks": stages.count.tolist()},
        "edges": {"parent": stages.parent.tolist(), "child": stages.child.tolist()},
    }


def _intervals(cluster: Cluster) -> dict[str, Any]:
    """Return when each slot opens and closes, in s, where any come and go; null for one that stays."""
    if not cluster.slot_times:
        return {}
    opens, closes = cluster.slot_intervals
    return {"intervals": {"opens": opens.tolist(), "closes": _or_null(closes)}}


def _links(links: LinkColumns) -> dict[str, Any]:
    """Return which jobs follow which, where any do."""
    if not len(links):
        return {}
    names = ("before", "follower", "think")
    return {"links": {name: getattr(links, name).tolist() for name in names}}


def read_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate, gzipped or not, and check it: what is wrong with it is in its verdict.

    Raises
    ------
    InputError
        the file cannot be read, or is no JSON
    """
    document = parse_json(read_bytes(path), os.path.basename(os.fspath(path)))
    return Certificate(document, check(document))


def write_certificate(
    certificate: Certificate, path: str | os.PathLike[str], watch: Watch = UNWATCHED
) -> None:
    """Write a certificate in one step, gzipped when the name ends in .gz."""
    write_proof(certificate.document, path, watch)


def write_proof(document: Mapping[str, Any], path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write the JSON value of a certificate or a front in one step, gzipped when the name ends in .gz."""
    parts = tuple(document.items())
    pieces = [_piece(*part) for part in watch.over(parts, 0.0, 0.5, step=1)]
    data = ("{\n" + ",\n".join(pieces) + "\n}\n").encode("utf-8", "backslashreplace")
    replace_file(path, packed_for(path, data, watch.part(0.5, 1.0)))


def _piece(key: str, value: Any) -> str:
    """Write a part of the document on a line of its own, each of its columns and points too."""
    if key in ("jobs", "tasks", "schedule"):
        return (
            f'"{key}":{{\n' + ",\n".join(f"{_ENCODE(name)}:{_ENCODE(value[name])}" for name in value) + "\n}"
        )
    if key == "points":
        return '"points":[\n' + ",\n".join(map(_ENCODE, value)) + "\n]"
    return f'"{key}":{_ENCODE(value)}'
