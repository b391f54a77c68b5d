"""The policies that Slotscope knows, in the order in which people see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import UnknownName
from core.policies.deadline import MaxEDF
from core.policies.explicit_order import ExplicitOrder
from core.policies.fair import Fair
from core.policies.fifo import Fifo
from core.policies.johnson import Johnson, JohnsonReverse, ShortestJobFirst

if TYPE_CHECKING:
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


def policy_class(policy_id: str) -> type[Policy]:
    """Return the policy with this id; raises UnknownName with the nearest one."""
    for policy in POLICIES:
        if policy.id == policy_id:
            return policy
    raise UnknownName("policy", policy_id, [policy.id for policy in POLICIES])


def describe(policy_id: str) -> PolicyDescription:
    """Describe the policy with this id; raises UnknownName with the nearest one."""
    policy = policy_class(policy_id)
    summary = (policy.__doc__ or "").strip().splitlines()[0]
    return PolicyDescription(policy.id, policy.title, summary, policy.parameters)


def policies() -> tuple[PolicyDescription, ...]:
    """Describe every policy, in display order."""
    return tuple(describe(policy.id) for policy in POLICIES)
