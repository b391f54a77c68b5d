"""Policy files travel inside a session: the same bytes come out, and nothing lands outside its folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.files.samples import load_sample
from core.files.session_document import (
    Session,
    read_session,
    session_from_bytes,
    session_to_bytes,
    write_session,
)
from core.model.document_state import DocumentState
from core.model.errors import DocumentError, InputError
from core.model.schedule import Fork, PolicyChoice
from core.policies.user_files.session_policies import (
    packed,
    policy_files_of,
    with_files_beside,
    with_files_unpacked,
    with_policies_renamed,
)
from core.policies.user_files.source import read_policy_file

MINE = b"import tools.sums\nfrom core.policies.policy import Policy\n# \xe9 is no UTF-8\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A policy file with a package of helpers."""
    folder = tmp_path / "here"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools" / "__init__.py").write_bytes(b"")
    (folder / "tools" / "sums.py").write_bytes(b"ONE = 1\n")
    (folder / "mine.py").write_bytes(MINE)
    return folder / "mine.py"


@pytest.fixture
def state(mine: Path) -> DocumentState:
    """Mine after FIFO, and FIFO after mine."""
    first = DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"), PolicyChoice(str(mine))))
    forked = replace(first.scenarios[0], fork=Fork(10.0, 0, PolicyChoice(str(mine))))
    return first.with_scenario(forked)


def test_a_session_opens_on_another_machine(state: DocumentState, mine: Path, tmp_path: Path) -> None:
    """The folder is gone: file and helpers are written anew, byte for byte, and all scenarios use them."""
    before = read_policy_file(mine)
    write_session(Session(state, policies=packed(state)), tmp_path / "week.slotscope")
    mine.parent.rename(tmp_path / "gone")
    session = read_session(tmp_path / "week.slotscope")
    assert policy_files_of(session.state) == (str(mine),)
    opened = with_files_unpacked(session.state, session.policies, tmp_path / "unpacked")
    (policy_id,) = policy_files_of(opened)
    after = read_policy_file(Path(policy_id))
    assert Path(policy_id).is_relative_to(tmp_path / "unpacked")
    assert after.digest == before.digest, "trust is by content"
    assert [file.data for file in after.files] == [file.data for file in before.files]
    assert opened.scenarios[0].fork is not None
    assert opened.scenarios[0].fork.choice.id == opened.scenarios[1].choice.id == policy_id
    again = with_files_unpacked(session.state, session.policies, tmp_path / "unpacked")
    assert again == opened, "the same content is there once"


def test_the_file_itself_is_used_where_it_is_unchanged(
    state: DocumentState, mine: Path, tmp_path: Path
) -> None:
    policies = packed(state)
    assert with_files_unpacked(state, policies, tmp_path / "unpacked") == state
    assert not (tmp_path / "unpacked").exists()
    (mine.parent / "tools" / "sums.py").write_bytes(b"ONE = 2\n")
    (policy_id,) = policy_files_of(with_files_unpacked(state, policies, tmp_path / "unpacked"))
    assert policy_id != str(mine)
    assert (Path(policy_id).parent / "tools" / "sums.py").read_bytes() == b"ONE = 1\n"


def test_a_file_that_is_gone_is_packed_as_it_was(state: DocumentState, mine: Path) -> None:
    before = packed(state)
    mine.unlink()
    assert packed(state, before) == before
    with pytest.raises(InputError, match=r"the session cannot be packed: .*mine.py"):
        packed(state)


def test_files_that_moved_with_the_session_are_found_beside_it(state: DocumentState, mine: Path) -> None:
    moved = with_policies_renamed(state, {str(mine): "/nowhere/mine.py"})
    assert with_files_beside(moved, mine.parent) == state
    assert with_files_beside(moved, mine.parent.parent) == moved


@pytest.mark.parametrize(
    "name",
    [
        "../mine.py",
        "/etc/mine.py",
        "a/../../mine.py",
        "mine.txt",
        "a//b.py",
        ".",
        "..\\b.py",
        "a\0.py",
        "x" * 300 + ".py",
    ],
)
def test_no_name_leads_out_of_the_folder(name: str, state: DocumentState) -> None:
    document: dict[str, Any] = json.loads(session_to_bytes(Session(state, policies=packed(state))))
    document["policy_files"][0]["files"][1]["name"] = name
    with pytest.raises(DocumentError, match=r"policy_files\[0\].files\[1\].name"):
        session_from_bytes(json.dumps(document).encode(), "bad.slotscope")


def test_notes_are_part_of_a_session(state: DocumentState) -> None:
    noted = replace(state, notes="Johnson saves 27 s.\nTry ❄ pools.")
    assert session_from_bytes(session_to_bytes(Session(noted)), "x").state == noted
