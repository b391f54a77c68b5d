"""The register of users' policies: what was loaded from files, by id, by path and by version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.user_files.source import ENDING, VERSION_DIGITS

if TYPE_CHECKING:
    from core.policies.policy import Policy

OWN_POLICIES: dict[str, type[Policy]] = {}
"""Policies from users' files, by id or by path; they live as long as the process."""


def register_policy(policy_id: str, policy: type[Policy]) -> None:
    """Make a loaded policy known under an id, in place of the one that had it.

    One that is known by its file's path is known by its version as well, for as long as the process lives:
    what was simulated under it can be looked at again, whatever became of the file.
    """
    OWN_POLICIES[policy_id] = policy
    OWN_POLICIES[exact_id(policy_id)] = policy


def exact_id(policy_id: str) -> str:
    """Return the id of just this version of a user's file; of any other policy its id."""
    policy = OWN_POLICIES.get(policy_id)
    if policy is None or policy.source is None or not policy_id.endswith(ENDING):
        return policy_id
    return f"{policy_id}@{policy.source.digest[:VERSION_DIGITS]}"


def own_policy(policy_id: str) -> type[Policy] | None:
    """Return the policy of a user's file that is known under this id, or None."""
    return OWN_POLICIES.get(policy_id)
