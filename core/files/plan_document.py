"""Plan documents, ``*.plan.json``: due dates of stages and pools, with every problem of a file collected."""

from __future__ import annotations

import os
from typing import Any

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.forms import Form, InJson, each, numbers
from core.files.json_text import PLAN_FORMAT, check_header, parse_json, read_bytes
from core.files.schema_check import schema_check
from core.files.workload_document import as_problems
from core.model.errors import DocumentError
from core.model.levers import JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan, plan_problems

VERSION = 1
VERSIONS = (1,)
"""All that are read; old versions stay."""
ENDING = ".plan.json"


_POOL = Form(SlotPool)
PARTITION = InJson(
    lambda pools: Partition(each(_POOL).read(pools)),
    lambda partition: each(_POOL).write(partition.pools),
)
"""Pools with slots of their own."""
_STAGE = Form(
    StagePlan, StagePlan(), {"due": InJson(float, float), "starts": numbers(float)}, always=("due",)
)
_JOB = Form(JobPlan, JobPlan(""), {"maps": _STAGE, "reduces": _STAGE}, always=("name", "maps", "reduces"))
PLAN = Form(
    Plan, Plan(()), {"jobs": each(_JOB), "partition": PARTITION}, {"partition": "pools"}, always=("jobs",)
)
"""A plan without a head, as sessions have it."""


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
    """Build the plan in a file's bytes; `name` stands for the file in messages."""
    return plan_from_json(parse_json(data, name), name)


def plan_from_json(document: Any, name: str) -> Plan:
    """Build the plan of a document that is a JSON value already; DocumentError with all its problems."""
    check_header(document, name, PLAN_FORMAT, VERSIONS)
    problems = as_problems(document, schema_check("plan")(document))
    if problems:
        raise DocumentError(name, problems)
    plan = PLAN.read(document)
    if problems := plan_problems(plan):
        raise DocumentError(name, problems)
    return plan


def write_plan(plan: Plan, path: str | os.PathLike[str], workload: str = "") -> None:
    """Write a plan in one step, gzipped when the name ends in .gz; `workload` names what it was made for."""
    from core.files.workload_writing import document_bytes  # who reads a plan writes no workload

    data = document_bytes(plan_to_json(plan, workload), UNWATCHED)
    replace_file(path, packed_for(path, data, UNWATCHED))


def plan_to_json(plan: Plan, workload: str = "") -> dict[str, Any]:
    """Return the plan document as a JSON value; reading it gives the same plan to the last bit."""
    head: dict[str, Any] = {"format": PLAN_FORMAT, "version": VERSION}
    return head | ({"workload": workload} if workload else {}) | PLAN.write(plan)
