"""Policy files that travel with a session: beside it, packed into it, or found elsewhere.

Scenarios call a policy file by its path. On another machine that path leads nowhere; then the session is
made to refer to the file beside it, or to one that is written from what is packed into it. Nothing here runs
a file: whoever shows the session asks as for every other policy file.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.files.atomic import replace_file
from core.files.session_document import PackedPolicy
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.schedule import Fork, choices_of
from core.policies.user_files.source import (
    VERSION_DIGITS,
    is_policy_file,
    policy_id_of,
    read_policy_file,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.document_state import DocumentState

Follower = TypeVar("Follower", Scenario, Fork)


def policy_files_of(state: DocumentState) -> tuple[str, ...]:
    """Return the ids of the policy files that scenarios use, also before a fork."""
    used = (choice.id for scenario in state.scenarios for choice in choices_of(scenario))
    return tuple(dict.fromkeys(each for each in used if is_policy_file(each)))


def with_policies_renamed(state: DocumentState, names: Mapping[str, str]) -> DocumentState:
    """Return a document whose scenarios refer to other policies, by their ids before."""
    return replace(state, scenarios=tuple(_renamed(each, names) for each in state.scenarios))


def _renamed(follower: Follower, names: Mapping[str, str]) -> Follower:
    choice = replace(follower.choice, id=names.get(follower.choice.id, follower.choice.id))
    fork = None if follower.fork is None else _renamed(follower.fork, names)
    return replace(follower, choice=choice, fork=fork)


def with_files_beside(state: DocumentState, folder: Path) -> DocumentState:
    """Refer to policy files in a folder instead of those that are gone: they were moved with the session."""
    gone = [Path(each) for each in policy_files_of(state) if not Path(each).exists()]
    moved = {str(path): policy_id_of(folder / path.name) for path in gone if (folder / path.name).exists()}
    return with_policies_renamed(state, moved) if moved else state


def packed(state: DocumentState, before: Sequence[PackedPolicy] = ()) -> tuple[PackedPolicy, ...]:
    """Return the policy files that a document uses, with their helpers, as they are on the disk.

    Parameters
    ----------
    state : the document
    before : what was packed earlier; it stands for files that cannot be read any more

    Raises
    ------
    InputError
        a file cannot be read, and nothing stands for it
    """
    old = {each.id: each for each in before}
    return tuple(_packed(policy_id, old.get(policy_id)) for policy_id in policy_files_of(state))


def _packed(policy_id: str, before: PackedPolicy | None) -> PackedPolicy:
    try:
        source = read_policy_file(Path(policy_id))
    except InputError as error:
        if before is not None:
            return before
        raise InputError(f"the session cannot be packed: {error}") from error
    helpers = ((helper.name, helper.data) for helper in source.helpers)
    return PackedPolicy(policy_id, ((source.path.name, source.data), *helpers))


def with_files_unpacked(
    state: DocumentState, policies: Sequence[PackedPolicy], folder: Path
) -> DocumentState:
    """Refer to what is packed into a session, written below a folder; files that are there already are used.

    Parameters
    ----------
    state : the document
    policies : what is packed
    folder : each policy gets a folder inside, named after its content

    Raises
    ------
    InputError
        a file cannot be written
    """
    used = set(policy_files_of(state))
    names = {each.id: _unpacked(each, folder) for each in policies if each.id in used}
    return with_policies_renamed(state, names) if names else state


def _unpacked(policy: PackedPolicy, folder: Path) -> str:
    """Return the id of a file with this content: the one that it had, if that is the same, or a new one."""
    if _is_same(Path(policy.id), policy):
        return policy.id
    name, _ = policy.files[0]
    place = folder / f"{Path(name).stem}-{sha256(repr(policy.files).encode()).hexdigest()[:VERSION_DIGITS]}"
    for each, content in reversed(policy.files):  # whoever watches the policy file finds its helpers there
        path = place / each
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
        replace_file(path, content)
    return policy_id_of(place / name)


def _is_same(path: Path, policy: PackedPolicy) -> bool:
    try:
        source = read_policy_file(path)
    except (InputError, ValueError):  # gone; or no path at all, on any machine
        return False
    helpers = tuple((helper.name, helper.data) for helper in source.helpers)
    return ((source.path.name, source.data), *helpers) == policy.files
