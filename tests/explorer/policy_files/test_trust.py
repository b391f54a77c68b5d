"""What may run: contents that were agreed to, and the user's own changes."""

from __future__ import annotations

import stat

import pytest

from core.policies.user_files.source import read_policy_file
from explorer.policy_files import trust as policy_trust
from explorer.policy_files.trust_dialog import changes_of
from explorer.session.settings import MAX_FOLDERS_OF_EDITS, MAX_TRUSTED_POLICIES, WindowSettings


@pytest.fixture
def trust(new_trust):
    return new_trust()


@pytest.fixture
def agreed(trust, file):
    trust.agree(read_policy_file(file.path))
    return trust


def may_run(trust, file):
    return trust.may_run(read_policy_file(file.path))


def test_nothing_runs_unasked(file, trust):
    assert not may_run(trust, file)


def test_a_content_is_remembered_wherever_it_lies(file, agreed, new_trust, tmp_path):
    copy = tmp_path / "copy.py"
    copy.write_bytes(file.path.read_bytes())
    assert new_trust().may_run(read_policy_file(copy))


def test_a_change_is_asked_about(file, agreed, new_trust):
    file.write("job.rank")
    assert not may_run(agreed, file)
    assert not may_run(new_trust(), file)
    file.write()
    assert may_run(agreed, file)


# ---- changes by the user


@pytest.fixture
def own(trust, file):
    """Trust that was given to what is edited in the folder of the file."""
    trust.agree(read_policy_file(file.path), with_folder=True)
    return trust


def test_changes_in_a_folder_of_own_edits_run(own, file, new_trust):
    assert may_run(own, file.write("job.rank"))
    assert may_run(new_trust(), file.write("2"))  # also after the next start


def test_another_file_of_the_folder_is_asked_about_once(own, file):
    other = file.path.with_name("other.py")
    other.write_text("import os")
    assert not own.may_run(read_policy_file(other))
    own.agree(read_policy_file(other), with_folder=True)
    other.write_text("import sys")
    assert own.may_run(read_policy_file(other))


def test_a_folder_in_the_folder_is_another_one(own, file):
    folder = file.path.with_name("inner")
    folder.mkdir()
    inner = folder / "mine.py"
    inner.write_text("1")
    own.agree(read_policy_file(inner))
    inner.write_text("2")
    assert not own.may_run(read_policy_file(inner))
    assert own.trusts_edits_in(file.path.parent)


def test_trust_in_a_folder_is_taken_back_where_it_is_given(own, file):
    own.agree(read_policy_file(file.path))
    assert not may_run(own, file.write("job.rank"))


def test_switched_off_only_what_was_agreed_to_since_runs(own, file, new_trust):
    later = new_trust()
    later.is_off = True
    assert not may_run(later, file)
    assert not later.trusts_edits_in(file.path.parent)
    later.agree(read_policy_file(file.path))
    assert may_run(later, file)
    assert new_trust().trusts_edits_in(file.path.parent)
    later.agree(read_policy_file(file.path), with_folder=True)
    assert may_run(later, file.write("job.rank"))


def test_what_is_saved_in_the_editor_pane_over_what_is_trusted_is_trusted(agreed, file, new_trust):
    before = file.path.read_bytes()
    after = file.write("job.rank").path.read_bytes()
    agreed.note_saved(file.path, b"of another program", after)
    assert not may_run(agreed, file)
    agreed.note_saved(file.path.with_name("other.py"), before, after)
    assert not may_run(agreed, file)
    agreed.note_saved(file.path, before, after)
    assert may_run(agreed, file)
    assert may_run(new_trust(), file)


# ---- what is kept


def test_settings_forget_the_oldest_and_survive_damage(tmp_path):
    settings = WindowSettings(tmp_path / "settings.ini")
    for number in range(MAX_TRUSTED_POLICIES + 2):
        settings.trust_policy(str(number))
    settings.trust_policy("5")
    assert len(settings.trusted_policies) == MAX_TRUSTED_POLICIES
    assert settings.trusted_policies[0] == "2"
    assert settings.trusted_policies[-1] == "5"
    for number in range(MAX_FOLDERS_OF_EDITS + 2):
        settings.trust_edits_in(tmp_path / str(number), True)
    assert len(settings.folders_of_own_edits) == MAX_FOLDERS_OF_EDITS
    for damaged in ("{", '{"a": 1}', "[1, null]"):
        settings._store.setValue("policies/trusted", damaged)
        assert settings.trusted_policies == ()


def test_the_last_content_is_kept_in_private_and_within_limits(
    agreed, file, new_trust, tmp_path, monkeypatch
):
    monkeypatch.setattr(policy_trust, "MAX_COPIES", 3)
    first = file.path.read_bytes()
    assert new_trust().last(file.path) == {file.path: first}
    folder = tmp_path / "trusted"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(kept.stat().st_mode) for kept in folder.iterdir()} == {0o600}
    for kept in folder.iterdir():
        kept.write_text('{"path": 1}')
    assert new_trust().last(file.path) == {}
    for number in range(5):
        other = tmp_path / f"{number}.py"
        other.write_text("x" * (policy_trust.MAX_COPY_BYTES + number // 4))
        agreed.agree(read_policy_file(other))
    assert len(list(folder.iterdir())) == 3
    assert new_trust().last(tmp_path / "3.py") != {}
    assert new_trust().last(tmp_path / "4.py") == {}  # too long


# ---- helpers


@pytest.fixture
def with_helper(file):
    """A file that imports another one beside it."""
    file.helper = file.path.with_name("helper.py")
    file.helper.write_text("weight = 1\n")
    file.write(file.path.read_text().replace("\n", "\nfrom helper import weight\n", 1))
    return file


def test_a_trusted_file_with_another_helper_is_asked_about(with_helper, trust, new_trust, tmp_path):
    """In another folder, where a helper of the same name does other things."""
    trust.agree(read_policy_file(with_helper.path))
    folder = tmp_path / "other"
    folder.mkdir()
    copy = folder / "mine.py"
    copy.write_bytes(with_helper.path.read_bytes())
    (folder / "helper.py").write_bytes(with_helper.helper.read_bytes())
    assert new_trust().may_run(read_policy_file(copy))
    (folder / "helper.py").write_text("import os\nos.abort()\n")
    assert not new_trust().may_run(read_policy_file(copy))
    (folder / "helper.py").unlink()
    assert not new_trust().may_run(read_policy_file(copy))


def test_a_changed_helper_is_asked_about(with_helper, trust):
    trust.agree(read_policy_file(with_helper.path))
    with_helper.helper.write_text("weight = 2\n")
    assert not may_run(trust, with_helper)
    trust.agree(read_policy_file(with_helper.path), with_folder=True)
    with_helper.path.with_name("second.py").write_text("")
    with_helper.helper.write_text("import second\nweight = 1\n")
    assert may_run(trust, with_helper)


# ---- what is shown of a change


def test_a_change_is_shown_as_a_diff(file):
    before = file.path.read_bytes()
    source = read_policy_file(file.write("job.rank").path)
    shown = changes_of(before, source).splitlines()
    assert shown[:2] == ["--- as it ran before", "+++ as it is now"]
    assert [line for line in shown[2:] if line[0] in "+-"] == [
        "-        return -job.rank",
        "+        return job.rank",
    ]


@pytest.mark.parametrize("before", [None, b"same", b"same\r\n", b"x\n" * 5000])
def test_what_is_new_or_has_no_short_diff_is_shown_whole(file, before):
    file.path.write_bytes(b"same")
    assert changes_of(before, read_policy_file(file.path)) == ""
