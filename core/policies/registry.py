"""The policies of Slotscope, in the order in which lists show them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from core.model.errors import PolicyNotRun, UnknownName
from core.model.visible_text import visible
from core.policies.by_hand import ByHand
from core.policies.critical import Critical, Optimised
from core.policies.deadline import MaxEDF, MinEDF
from core.policies.dynamic_slots import PDDHFS, PIDHFS, DynamicFifoPD, DynamicFifoPI
from core.policies.orders import (
    ExplicitOrder,
    Fifo,
    Johnson,
    JohnsonReverse,
    LongestTask,
    ShortestJobFirst,
)
from core.policies.overlap import OMO, Fresh
from core.policies.own_policies import OWN_POLICIES
from core.policies.pools import BalancedPools
from core.policies.rolling import Rolling
from core.policies.shared_scans import Ako, Batch, Circumflex, Flex
from core.policies.sharing import Capacity, DynamicPriority, Fair
from core.policies.spark import SparkFair, SparkFifo
from core.policies.user_files.source import ENDING, is_policy_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.parameters import Parameter
    from core.policies.policy import Policy

GROUPS: dict[str, tuple[type[Policy], ...]] = {
    "Orders": (Fifo, ExplicitOrder, ShortestJobFirst, LongestTask, Johnson, JohnsonReverse, ByHand),
    "Optimised": (Optimised, Rolling, Critical),
    "Pools with slots of their own": (BalancedPools,),
    "Deadlines": (MaxEDF, MinEDF),
    "Sharing": (Fair, Capacity, DynamicPriority),
    "Spark": (SparkFifo, SparkFair),
    "Dynamic slots": (PIDHFS, PDDHFS, DynamicFifoPI, DynamicFifoPD),
    "Overlap of maps and shuffles": (Fresh, OMO),
    "Shared scans": (Flex, Circumflex, Batch, Ako),
}
"""The policies by what they are about."""
POLICIES: tuple[type[Policy], ...] = tuple(chain.from_iterable(GROUPS.values()))
OWN_FILES = "Own files"
"""The group of users' policies."""

BEFORE_RUN = ("plan", "task_key", "stage_key", "partition", "search", "replanner")
"""Hooks that are told the workload, as `order` is where it is a function."""


@dataclass(frozen=True)
class PolicyDescription:
    """The description of a policy.

    `plans` is whether it is told durations before the run, and looks at them; `group` what it is about;
    `needs_map_reduce` whether it cannot serve jobs that are graphs of stages.
    """

    id: str
    title: str
    summary: str
    parameters: tuple[Parameter, ...]
    plans: bool
    group: str = OWN_FILES
    needs_map_reduce: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the description for `slotscope policies --json`."""
        parameters = [parameter.to_json() for parameter in self.parameters]
        facts = {"id": self.id, "title": self.title, "summary": self.summary}
        return {**facts, "parameters": parameters, "group": self.group}


def policy_class(policy_id: str) -> type[Policy]:
    """Return the policy with this id; raises UnknownName with the nearest one."""
    known = {policy.id: policy for policy in POLICIES} | OWN_POLICIES
    if policy_id not in known and is_policy_file(policy_id):
        raise PolicyNotRun(
            f"the policy file {policy_id} has not been run; if you trust it, open it in the window or name "
            "it with --policy-file"
        )
    if policy_id not in known:
        raise UnknownName("policy", policy_id, known)
    return known[policy_id]


def describe(policy_id: str) -> PolicyDescription:
    """Describe the policy with this id; raises UnknownName with the nearest one."""
    policy = policy_class(policy_id)
    summary = (policy.__doc__ or "").strip().partition("\n")[0]
    hooks = (*(getattr(policy, hook, None) for hook in BEFORE_RUN), policy.order)
    plans = policy.reads_durations and any(map(callable, hooks))
    group = next((name for name, members in GROUPS.items() if policy in members), OWN_FILES)
    title = visible(policy.title)
    needs = policy.needs_map_reduce
    return PolicyDescription(policy_id, title, visible(summary), policy.parameters, plans, group, needs)


def file_policies() -> tuple[PolicyDescription, ...]:
    """Describe every user's file that has been run, in the order in which they were opened."""
    return tuple(describe(policy_id) for policy_id in OWN_POLICIES if policy_id.endswith(ENDING))


def policies() -> tuple[PolicyDescription, ...]:
    """Describe every policy, in display order."""
    return tuple(describe(policy.id) for policy in POLICIES)


def parameters_by_policy(
    given: Mapping[str, Any], policies: Sequence[PolicyDescription]
) -> dict[str, dict[str, Any]]:
    """Return the parameters that each policy takes, by its id; UnknownName for one that none of them does."""
    takes = {policy.id: [each.name for each in policy.parameters] for policy in policies}
    taken = {name for names in takes.values() for name in names}
    for name in given:
        if name not in taken:
            raise UnknownName(
                f"parameter of {', '.join(policy.id for policy in policies)}", name, taken, all_known=True
            )
    return {policy: {name: given[name] for name in names if name in given} for policy, names in takes.items()}
