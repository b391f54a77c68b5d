"""Policies, their parameters, and the hooks of a policy file."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from core.engine import records
from core.policies import policy as policy_module
from core.policies.policy import HOOKS, OFFERED, ClusterRow, JobRow, PoolRow
from core.policies.registry import GROUPS
from core.policies.user_files.hook_help import BEFORE_RUN, CALLED, FIELDS, UNIT_OF_COUNTS, UNITS
from docs.from_code.markdown import code, from_docstring, table

if TYPE_CHECKING:
    import numpy as np

    from core.model.parameters import Parameter

RULE = re.compile(r"^={3,}.*$", re.M)
HOOK = re.compile(r"^``(\w+)``\s+(.*(?:\n {17}.*)*)", re.M)


def hooks() -> str:
    """Return a table of the hooks: when each is called, what it may ask for and gives, and what it means."""
    meanings = dict(HOOK.findall(_parts()[2]))
    if tuple(meanings) != HOOKS:
        raise ValueError("the table of core/policies/policy.py does not have every hook in its order")
    rows = (
        (code(hook), CALLED[hook][0], _arguments(hook), CALLED[hook][1], from_docstring(meanings[hook]))
        for hook in HOOKS
    )
    return table(["hook", "called", "may ask for", "gives", "what it says"], rows)


def hook_fields() -> str:
    """Return a table of every field of the records that hooks see: type, unit and meaning."""
    layouts = {"job": records.JOB, "pool": records.POOL, "cluster": records.CLUSTER}
    rows = [
        (code(f"{record}.{name}"), _type(layouts[record][name]), UNITS.get(name, UNIT_OF_COUNTS), meaning)
        for record, fields in FIELDS.items()
        for name, meaning in fields.items()
    ]
    return table(["field", "type", "unit", "meaning"], rows)


def _type(field: np.dtype[Any]) -> str:
    """Return what a field is: "whole number", "pair of numbers", "8 numbers"."""
    noun = "whole number" if field.base.kind in "iub" else "number"
    if not field.shape:
        return noun
    return f"pair of {noun}s" if field.shape == (2,) else f"{field.shape[0]} {noun}s"


def hook_notes() -> str:
    """Return what holds for all hooks."""
    return from_docstring(_parts()[3].strip())


def _parts() -> list[str]:
    """Return the words of the module of policies: before its table, its heading, the table, and after it."""
    return RULE.split(inspect.getdoc(policy_module) or "")


def _arguments(hook: str) -> str:
    """Return what a hook may have as arguments, beside parameters."""
    return ", ".join(map(code, OFFERED.get(hook) or BEFORE_RUN[hook]))


def hook_records() -> str:
    """Return what hooks see of jobs, pools and the cluster."""
    rows = (("job", JobRow), ("pool", PoolRow), ("cluster", ClusterRow))
    return "\n\n".join(
        f"### `{name}`\n\n{from_docstring(inspect.getdoc(record) or '')}" for name, record in rows
    )


def policy_parameters() -> str:
    """Return a table of the parameters of the policies that have some."""
    rows = [
        (code(policy.id), code(each.name), _values(each), code(_default(each)), each.help)
        for policies in GROUPS.values()
        for policy in policies
        for each in policy.parameters
    ]
    return table(["policy", "parameter", "values", "default", "what it does"], rows)


def _default(parameter: Parameter) -> str:
    return str(parameter.default).lower() if parameter.type == "boolean" else str(parameter.default)


def _values(parameter: Parameter) -> str:
    """Return what a parameter may be: "1 to 8 pools", "true or false", "a, b or c"."""
    if parameter.type == "boolean":
        return "true or false"
    if parameter.type == "choice":
        return ", ".join(map(code, parameter.choices))
    limits = [each for each in (parameter.min, parameter.max) if each is not None]
    words = " to ".join(f"{each:,}".removesuffix(".0").replace(",", "\u202f") for each in limits)
    if len(limits) == 1:
        words = f"from {words}" if parameter.max is None else f"up to {words}"
    return f"{words} {parameter.unit}".strip() or parameter.type
