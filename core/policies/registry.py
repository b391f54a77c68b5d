"""The policies that Slotscope knows, in the order in which people see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import PolicyError, UnknownName
from core.policies.deadline import MaxEDF
from core.policies.explicit_order import ExplicitOrder
from core.policies.fair import Fair
from core.policies.fifo import Fifo
from core.policies.johnson import Johnson, JohnsonReverse, ShortestJobFirst
from core.policies.policy_file import load_policy_file

if TYPE_CHECKING:
    from pathlib import Path

    from core.parameters import Parameter
    from core.policies.policy import Policy

POLICIES: tuple[type[Policy], ...] = (
    Fifo,
    ExplicitOrder,
    ShortestJobFirst,
    Johnson,
    JohnsonReverse,
    MaxEDF,
    Fair,
)


@dataclass(frozen=True)
class PolicyDescription:
    """What people read of a policy: id, title, one-sentence summary and parameters."""

    id: str
    title: str
    summary: str
    parameters: tuple[Parameter, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the description for `slotscope policies --json`."""
        parameters = [parameter.to_json() for parameter in self.parameters]
        return {"id": self.id, "title": self.title, "summary": self.summary, "parameters": parameters}


_own_policies: dict[str, type[Policy]] = {}
"""Policies from users' files, by id; they live as long as the process."""


def register_file(path: Path) -> PolicyDescription:
    """Run a policy file and make its policy known until the process ends.

    The file's code is executed: the caller has made sure that the user wants that.

    Raises
    ------
    PolicyError
        the file cannot be run or does not hold exactly one policy
    """
    policy = load_policy_file(path)
    if any(policy.id == known.id for known in POLICIES):
        raise PolicyError(f"{path}: the id '{policy.id}' belongs to a built-in policy; choose another one")
    _own_policies[policy.id] = policy
    return describe(policy.id)


def policy_class(policy_id: str) -> type[Policy]:
    """Return the policy with this id; raises UnknownName with the nearest one."""
    known = {policy.id: policy for policy in POLICIES} | _own_policies
    if policy_id not in known:
        raise UnknownName("policy", policy_id, known)
    return known[policy_id]


def describe(policy_id: str) -> PolicyDescription:
    """Describe the policy with this id; raises UnknownName with the nearest one."""
    policy = policy_class(policy_id)
    summary = (policy.__doc__ or "").strip().splitlines()[0]
    return PolicyDescription(policy.id, policy.title, summary, policy.parameters)


def policies() -> tuple[PolicyDescription, ...]:
    """Describe every policy, in display order."""
    return tuple(describe(policy.id) for policy in POLICIES)
