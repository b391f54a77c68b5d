"""Plan documents, ``*.plan.json``: due dates of stages and pools, with every problem of a file collected."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.json_text import PLAN_FORMAT, check_header, parse_json, read_bytes
from core.files.schema_check import schema_check
from core.files.workload_document import as_problems, typed
from core.files.workload_writing import document_bytes
from core.model.errors import DocumentError
from core.model.levers import JOB_FIELDS, STAGE_FIELDS, JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan, plan_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.files.atomic import Watch
    from core.model.errors import Problem

VERSION = 1
VERSIONS = (1,)
"""All that are read; old versions stay."""
ENDING = ".plan.json"
PLAIN, PLAIN_STAGE = JobPlan(""), StagePlan()


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan, gzipped or not.

    `core.model.plan.check_plan` says whether it fits a workload and a cluster.

    Raises
    ------
    InputError
        the file cannot be read
    DocumentError
        the document breaks rules; all of them are listed
    """
    return plan_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)))


def plan_from_bytes(data: bytes, name: str) -> Plan:
    """Build the plan in a file's bytes; `name` says in messages which file it is."""
    return plan_from_json(parse_json(data, name), name)


def plan_from_json(document: Any, name: str) -> Plan:
    """Build the plan of a document that is a JSON value already; DocumentError with all its problems."""
    check_header(document, name, PLAN_FORMAT, VERSIONS)
    problems = as_problems(document, schema_check("plan")(document))
    if problems:
        raise DocumentError(name, problems)
    plan = inner_plan(document)
    if problems := plan_problems(plan):
        raise DocumentError(name, problems)
    return plan


def inner_plan(document: dict[str, Any]) -> Plan:
    """Build the plan of an object that keeps the schema, as sessions have it without a head."""
    pools = document.get("pools")
    return Plan(
        tuple(_job(job) for job in document["jobs"]), None if pools is None else partition_from_json(pools)
    )


def inner_problems(document: dict[str, Any], where: str) -> list[Problem]:
    """Return the rules between values that such an object breaks, at the place of a larger document."""
    problems = plan_problems(inner_plan(document))
    return [type(p)(f"{where}.{p.where}", p.value, p.rule) for p in problems]


def write_plan(
    plan: Plan, path: str | os.PathLike[str], workload: str = "", watch: Watch = UNWATCHED
) -> None:
    """Write a plan in one step, gzipped when the name ends in .gz; `workload` names what it was made for."""
    data = document_bytes(plan_to_json(plan, workload), watch)
    replace_file(path, packed_for(path, data, watch))


def plan_to_json(plan: Plan, workload: str = "") -> dict[str, Any]:
    """Return the plan document as a JSON value; reading it gives the same plan to the last bit."""
    head: dict[str, Any] = {"format": PLAN_FORMAT, "version": VERSION}
    return head | ({"workload": workload} if workload else {}) | inner_to_json(plan)


def inner_to_json(plan: Plan) -> dict[str, Any]:
    """Return a plan without a head, as sessions have it; what is as usual is left out."""
    document: dict[str, Any] = {"jobs": [_job_to_json(job) for job in plan.jobs]}
    if plan.partition is not None:
        document["pools"] = partition_to_json(plan.partition)
    return document


def partition_to_json(partition: Partition) -> list[dict[str, Any]]:
    """Return pools with slots of their own as JSON values."""
    return [asdict(pool) | {"jobs": list(pool.jobs)} for pool in partition.pools]


def partition_from_json(pools: list[dict[str, Any]]) -> Partition:
    """Build pools of JSON values that keep the schema."""
    read = [typed(SlotPool, pool) | {"jobs": tuple(pool.get("jobs", ()))} for pool in pools]
    return Partition(tuple(SlotPool(**pool) for pool in read))


def _job(document: dict[str, Any]) -> JobPlan:
    stages = {name: StagePlan(**typed(StagePlan, document.get(name, {}))) for name in ("maps", "reduces")}
    return JobPlan(**typed(JobPlan, document) | stages)


def _job_to_json(job: JobPlan) -> dict[str, Any]:
    stages = {stage: _stage_to_json(getattr(job, stage)) for stage in ("maps", "reduces")}
    return {"name": job.name} | stages | _unusual(job, PLAIN, (*JOB_FIELDS, "pinned"))


def _stage_to_json(stage: StagePlan) -> dict[str, Any]:
    return {"due": stage.due} | _unusual(stage, PLAIN_STAGE, STAGE_FIELDS)


def _unusual(said: object, plain: object, names: Iterable[str]) -> dict[str, Any]:
    """Return what is said otherwise than in a plain plan."""
    return {name: value for name in names if (value := getattr(said, name)) != getattr(plain, name)}
