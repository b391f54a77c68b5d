"""What may run: contents that people agreed to, and edits of files that they agreed to follow today."""

from __future__ import annotations

import pytest

from core.policies.user_files.source import read_policy_file
from explorer.policy_files.policy_files import Trust
from explorer.session.settings import MOST_TRUSTED_POLICIES, WindowSettings


def test_nothing_runs_unasked(file, settings):
    assert not Trust(settings).may_run(read_policy_file(file.path))


def test_a_content_is_remembered_wherever_it_lies(file, settings, tmp_path):
    Trust(settings).agree(read_policy_file(file.path))
    copy = tmp_path / "copy.py"
    copy.write_bytes(file.path.read_bytes())
    assert Trust(settings).may_run(read_policy_file(copy))


def test_edits_are_followed_once_agreed_to(file, settings):
    trust = Trust(settings)
    trust.agree(read_policy_file(file.path))
    edited = read_policy_file(file.write("job.rank").path)
    assert trust.may_run(edited)
    assert Trust(settings).may_run(edited)  # it ran: remembered as well


def test_edits_are_not_followed_after_the_next_start(file, settings):
    Trust(settings).agree(read_policy_file(file.path))
    later = Trust(settings)
    assert later.may_run(read_policy_file(file.path))
    assert not later.may_run(read_policy_file(file.write("job.rank").path))


def test_other_files_are_not_followed(file, settings, tmp_path):
    trust = Trust(settings)
    trust.agree(read_policy_file(file.path))
    other = tmp_path / "other.py"
    other.write_text("import os")
    assert not trust.may_run(read_policy_file(other))


def test_settings_forget_the_oldest_and_survive_damage(tmp_path):
    settings = WindowSettings(tmp_path / "settings.ini")
    for number in range(MOST_TRUSTED_POLICIES + 2):
        settings.trust_policy(str(number))
    settings.trust_policy("5")
    assert len(settings.trusted_policies) == MOST_TRUSTED_POLICIES
    assert settings.trusted_policies[0] == "2"
    assert settings.trusted_policies[-1] == "5"
    for damaged in ("{", '{"a": 1}', "[1, null]"):
        settings._store.setValue("policies/trusted", damaged)
        assert settings.trusted_policies == ()


# ---- helpers


@pytest.fixture
def with_helper(file):
    """A file that imports another one beside it."""
    file.helper = file.path.with_name("helper.py")
    file.helper.write_text("weight = 1\n")
    file.write(file.path.read_text().replace("\n", "\nfrom helper import weight\n", 1))
    return file


def test_a_trusted_file_with_another_helper_is_asked_about(with_helper, settings, tmp_path):
    """In another folder, where a helper of the same name does other things."""
    Trust(settings).agree(read_policy_file(with_helper.path))
    folder = tmp_path / "other"
    folder.mkdir()
    copy = folder / "mine.py"
    copy.write_bytes(with_helper.path.read_bytes())
    (folder / "helper.py").write_bytes(with_helper.helper.read_bytes())
    assert Trust(settings).may_run(read_policy_file(copy))
    (folder / "helper.py").write_text("import os\nos.abort()\n")
    assert not Trust(settings).may_run(read_policy_file(copy))
    (folder / "helper.py").unlink()
    assert not Trust(settings).may_run(read_policy_file(copy))


def test_a_changed_helper_is_asked_about_after_the_next_start(with_helper, settings):
    trust = Trust(settings)
    trust.agree(read_policy_file(with_helper.path))
    with_helper.helper.write_text("weight = 2\n")
    assert not Trust(settings).may_run(read_policy_file(with_helper.path))
    assert trust.may_run(read_policy_file(with_helper.path))  # followed until the window closes


def test_another_helper_is_asked_about_at_once(with_helper, settings):
    trust = Trust(settings)
    trust.agree(read_policy_file(with_helper.path))
    with_helper.path.with_name("second.py").write_text("")
    with_helper.helper.write_text("import second\nweight = 1\n")
    assert not trust.may_run(read_policy_file(with_helper.path))
    with_helper.helper.write_text("weight = 3\n")
    assert trust.may_run(read_policy_file(with_helper.path))


def test_a_helper_is_followed_for_the_file_that_imports_it_alone(with_helper, settings):
    trust = Trust(settings)
    trust.agree(read_policy_file(with_helper.path))
    other = with_helper.path.with_name("other.py")
    other.write_bytes(with_helper.path.read_bytes() + b"# other")
    assert not trust.may_run(read_policy_file(other))
