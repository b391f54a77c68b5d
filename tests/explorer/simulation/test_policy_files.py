"""Scenarios under a user's policy file: every version has its schedules, a broken one leaves the last."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy_file
from core.policies.user_files.source import policy_id_of

FIRST = "from core.policies.policy import Policy\nclass Mine(Policy):\n    def key(job): return {}\n"
BROKEN = "1 / (job.rank - 1)"


class OwnFile:
    """A policy file in use by scenario 1."""

    def __init__(self, path, runner):
        self.path, self.runner, self.id = path, runner, policy_id_of(path)

    def save(self, key):
        self.path.write_text(FIRST.format(key), encoding="utf-8")
        register_policy(self.id, load_policy_file(self.path))
        self.runner.look_again()
        assert self.runner.wait_until_idle()


@pytest.fixture
def own(tmp_path, runner, editor):
    runner.look_again()
    own = OwnFile(tmp_path / "mine.py", runner)
    own.save("job.rank")
    editor.choose_policy(1, PolicyChoice(own.id))
    assert runner.wait_until_idle()
    return own


@pytest.fixture
def failures(runner):
    heard = []
    runner.failed.connect(lambda i, error: heard.append((i, error)))
    return heard


def test_a_saved_file_is_simulated_again_and_only_it(own, runner, gated):
    first, other = runner.outcome(1), runner.outcome(2)
    gated.requests.clear()
    own.save("-job.rank")
    assert runner.outcome(1).job_order == first.job_order
    assert runner.outcome(1).schedule.finish.tolist() != first.schedule.finish.tolist()
    assert runner.outcome(2) is other
    assert len(gated.requests) == 1


def test_an_earlier_version_is_known_still(own, runner, gated):
    first = runner.outcome(1)
    own.save("-job.rank")
    gated.requests.clear()
    own.save("job.rank")
    assert runner.outcome(1) is first
    assert gated.requests == []


def test_how_far_a_failing_run_came_takes_the_place_of_the_last_good_schedule(own, runner, failures):
    good = runner.outcome(1)
    own.save(BROKEN)
    [(scenario, error)] = failures
    assert scenario == 1
    assert isinstance(error, PolicyError)
    assert error.place.line == 3
    assert runner.outcome(1) is None
    assert runner.failed_run(1).time == 0
    own.save("-job.rank")
    assert runner.outcome(1).schedule.finish.tolist() != good.schedule.finish.tolist()
    assert len(failures) == 1


@pytest.mark.parametrize("edit", ["jobs", "cluster", "order"])
def test_it_goes_when_it_is_of_other_jobs_or_slots(own, runner, editor, failures, edit):
    own.save(BROKEN)
    if edit == "jobs":
        editor.delete_jobs([0])
    else:
        editor.set_cluster(Cluster(10, 10))
    if edit == "order":
        editor.make_baseline(2)
        editor.drop_order(1, ("J5", "J4", "J3", "J2", "J1"))
        assert runner.wait_until_idle()
        assert runner.outcome(1).computed is None  # an order made by hand needs no policy
        return
    assert runner.wait_until_idle()
    assert runner.outcome(1) is None
    assert len(failures) == 2


def test_a_policy_of_ours_that_fails_leaves_nothing(own, runner, editor, gated, failures):
    gated.error = PolicyError("no")
    editor.choose_policy(2, PolicyChoice("fair"))
    assert runner.wait_until_idle()
    assert runner.outcome(2) is None


def test_a_file_that_was_not_run_is_not_simulated(runner, editor, tmp_path, failures):
    runner.look_again()
    editor.choose_policy(1, PolicyChoice(str(tmp_path / "other.py")))
    assert runner.wait_until_idle()
    assert isinstance(failures[0][1], InputError)
    assert "has not been run" in str(failures[0][1])


def test_parameters_that_the_file_lost_do_not_matter(own, runner, editor, failures):
    editor.choose_policy(1, PolicyChoice(own.id, {"gone": 3}))
    assert runner.wait_until_idle()
    assert failures == []
    assert runner.outcome(1) is not None


def test_a_drag_never_runs_a_users_file_in_the_windows_thread(own, runner, monkeypatch):
    """It may take as long as it likes."""
    runner.use_compiled()
    assert runner.wait_until_idle()
    heard = []
    runner.preview_ready.connect(lambda *_: heard.append("preview"))
    runner.preview(1, ("J5", "J4", "J3", "J2", "J1"))
    assert heard == []
    assert runner.wait_until_idle()
    assert heard == ["preview"]
    runner.preview(2, ("J5", "J4", "J3", "J2", "J1"))
    assert heard == ["preview"] * 2
    runner.end_preview(1)
    runner.end_preview(2)
