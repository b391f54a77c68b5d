"""Files run when they may, are followed while they are edited, and never hold the window."""

from __future__ import annotations

import pytest
from shiboken6 import delete

from core.model.schedule import PolicyChoice
from core.policies.own_policies import own_policy
from core.policies.user_files.source import read_policy_file
from explorer.policy_files import policy_files
from explorer.policy_files.policy_files import PolicyFiles, Status

BROKEN = "class Mine(:\n    pass\n"


@pytest.fixture
def files(document, new_trust, qtbot):
    files = PolicyFiles(document, new_trust())
    yield files
    files.close()
    delete(files)  # here, not wherever Python collects garbage: that may be another thread


@pytest.fixture
def stands(files, file, qtbot):
    """Wait until the file stands so."""

    def wait(status):
        qtbot.waitUntil(lambda: files.state(file.id) is not None and files.state(file.id).status is status)
        return files.state(file.id)

    return wait


@pytest.fixture
def agreed(files, file, stands):
    files.agree(read_policy_file(file.path), with_folder=True)
    stands(Status.GOOD)
    return files


def test_a_scenario_makes_its_file_known_but_does_not_run_it(editor, files, file, stands, qtbot):
    assert files.state(file.id) is None
    file.write("import os\nos.abort()\n")
    editor.choose_policy(1, PolicyChoice(file.id))
    state = stands(Status.UNTRUSTED)
    assert not state.works
    assert own_policy(file.id) is None
    with qtbot.waitSignal(files.changed):
        file.write("import os\nos.abort()  # edited\n")
    assert files.state(file.id).status is Status.UNTRUSTED


def test_a_path_that_no_file_can_have_is_said_to_be_one(editor, files):
    """Of a document that somebody made: nothing else than a sentence comes of it."""
    editor.choose_policy(1, PolicyChoice("/tmp/a\0b.py"))
    state = files.state("/tmp/a\0b.py")
    assert state.status is Status.MISSING
    assert "cannot be read" in str(state.error)


def test_agreed_to_it_runs(files, file, stands):
    assert files.agree(read_policy_file(file.path)) == file.id
    assert files.state(file.id).status is Status.RUNNING
    assert stands(Status.GOOD).works
    assert own_policy(file.id).__name__ == "Mine"


def test_a_content_agreed_to_before_runs_by_itself(editor, document, new_trust, file, qtbot):
    new_trust().agree(read_policy_file(file.path))
    editor.choose_policy(1, PolicyChoice(file.id))
    files = PolicyFiles(document, new_trust())
    qtbot.waitUntil(lambda: files.state(file.id).status is Status.GOOD)
    old = own_policy(file.id)
    file.write("job.rank")
    qtbot.waitUntil(lambda: files.state(file.id).status is Status.UNTRUSTED)
    assert files.state(file.id).works
    assert own_policy(file.id) is old
    files.close()
    delete(files)


@pytest.mark.parametrize("way", ["write", "swap", "away_and_back"])
def test_edits_are_followed(agreed, file, qtbot, way):
    for key in ("1", "2"):
        with qtbot.waitSignal(agreed.changed):
            getattr(file, way)(key)
        qtbot.waitUntil(lambda key=key: f"return {key}" in own_policy(file.id).source.text)
    assert agreed.state(file.id).status is Status.GOOD


def test_a_broken_file_leaves_the_last_good_version(agreed, file, stands):
    good = own_policy(file.id)
    file.write(BROKEN)
    state = stands(Status.BROKEN)
    assert state.works
    assert state.error.place.line == 1
    assert own_policy(file.id) is good
    file.write("2")
    assert stands(Status.GOOD).error is None
    assert own_policy(file.id) is not good


def test_a_file_that_is_gone_comes_back(agreed, file, stands):
    file.path.unlink()
    state = stands(Status.MISSING)
    assert "cannot be read" in str(state.error)
    assert state.works
    file.write()  # as it was
    assert stands(Status.GOOD).error is None


def test_a_file_broken_from_the_start(files, file, stands):
    files.agree(read_policy_file(file.write(BROKEN).path), with_folder=True)
    assert not stands(Status.BROKEN).works
    file.write("1")
    assert stands(Status.GOOD).works


def test_touching_a_file_runs_nothing(agreed, file, qtbot, monkeypatch):
    heard = []
    agreed.changed.connect(heard.append)
    file.write()
    file.path.with_name("done.py").write_text("")  # the folder's change is looked at after the file's
    agreed.follow(str(file.path.with_name("done.py")))
    qtbot.waitUntil(lambda: bool(heard))
    assert file.id not in heard


def test_the_latest_content_wins(agreed, file, qtbot, stands):
    file.write("import time\ntime.sleep(0.3)\n" + file.path.read_text())
    stands(Status.RUNNING)
    file.write("3")
    qtbot.waitUntil(lambda: "return 3" in own_policy(file.id).source.text)
    agreed._patience.stop()
    with qtbot.assertNotEmitted(agreed.changed, wait=400):
        pass
    assert "return 3" in own_policy(file.id).source.text


def test_a_file_that_does_not_end_is_said_to_run_still(agreed, file, qtbot, stands, monkeypatch, tmp_path):
    monkeypatch.setattr(policy_files, "SLOW_MS", 30)
    end = tmp_path / "end"
    file.write(f"import os, time\nwhile not os.path.exists({str(end)!r}):\n    time.sleep(0.01)\n")
    qtbot.waitUntil(lambda: agreed.state(file.id).is_slow)
    assert agreed.state(file.id).status is Status.RUNNING
    end.touch()
    assert not stands(Status.BROKEN).is_slow  # it holds no policy


# ---- helpers


@pytest.fixture
def helped(file, files, stands):
    """Files that were agreed to: one, and the helper that it imports."""
    helper = file.path.with_name("helper.py")
    helper.write_text("weight = 1\n")
    file.write(file.path.read_text().replace("\n", "\nfrom helper import weight\n", 1))
    files.agree(read_policy_file(file.path), with_folder=True)
    stands(Status.GOOD)
    return helper


def test_edits_of_a_helper_are_followed(helped, files, file, qtbot):
    for number in (2, 3):
        helped.write_text(f"weight = {number}\n")
        qtbot.waitUntil(lambda number=number: _helper_in_use(file) == f"weight = {number}\n")
    assert files.state(file.id).status is Status.GOOD


def _helper_in_use(file):
    return own_policy(file.id).source.helpers[0].text


def test_a_helper_that_is_gone_comes_back(helped, files, file, stands):
    helped.unlink()
    state = stands(Status.BROKEN)
    assert state.works
    assert "No module named 'helper'" in str(state.error)
    helped.write_text("weight = 5\n")
    stands(Status.GOOD)
    assert _helper_in_use(file) == "weight = 5\n"


def test_another_helper_of_the_folder_runs_as_well(helped, files, file, stands, qtbot):
    helped.with_name("second.py").write_text("weight = 7\n")
    helped.write_text("from second import weight\n")
    qtbot.waitUntil(lambda: [each.name for each in own_policy(file.id).source.helpers][1:] == ["second.py"])
    assert files.state(file.id).status is Status.GOOD


# ---- what another program changes


def test_a_change_waits_for_an_answer(files, file, stands, qtbot):
    """As one that git pull brings while the window is open: neither a file nor its helpers run unasked."""
    files.agree(read_policy_file(file.path))
    stands(Status.GOOD)
    old = own_policy(file.id)
    file.write("import os\nos.abort()\n")
    state = stands(Status.UNTRUSTED)
    assert state.works
    assert own_policy(file.id) is old
    assert files.trust.last(file.path) == {file.path: old.source.data}
    file.write()  # as it was
    assert stands(Status.GOOD).works


def test_what_was_saved_in_the_editor_pane_runs(files, file, stands, qtbot):
    files.agree(read_policy_file(file.path))
    stands(Status.GOOD)
    before = file.path.read_bytes()
    file.write("job.rank")
    files.trust.note_saved(file.path, before, file.path.read_bytes())
    qtbot.waitUntil(lambda: "return job.rank" in own_policy(file.id).source.text)
