"""Copies of built-in policies are policy files that do the same."""

from __future__ import annotations

import ast

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, SlotscopeError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import HOOKS, ClusterRow, JobRow, PoolRow
from core.policies.registry import POLICIES, describe
from core.policies.user_files.hook_help import (
    CALLED,
    FIELDS,
    UNITS,
    help_after,
    hook_line,
    hook_meanings,
    meaning_of,
    parameters_in,
)
from core.policies.user_files.own_copy import line_of_policy, own_copy, text_of_policy
from core.policies.user_files.policy_file import load_policy_file, policy_template
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload


@pytest.mark.parametrize("policy_id", [policy.id for policy in POLICIES])
def test_a_copy_does_the_same(policy_id, tmp_path):
    path = tmp_path / "copy.py"
    path.write_text(own_copy(policy_id))
    copied = load_policy_file(path)
    assert copied.id == f"my-{policy_id}"
    register_policy(copied.id, copied)
    workload = make_workload(make_job("J1", (5, 4.0), (2, 2.0)), make_job("J2", (4, 1.0), (3, 5.0)))
    ends: list[object] = []
    for each in (policy_id, copied.id):
        try:
            schedule = simulate(workload, Cluster(2, 2), PolicyChoice(each), engine="interpreted")
            ends.append(schedule.makespan)
        except SlotscopeError as error:  # both want jobs that share scans, say
            ends.append(str(error).replace("my-", ""))
    assert ends[0] == ends[1]


def test_a_built_in_policy_is_shown_where_it_begins():
    lines = text_of_policy("fair").splitlines()
    assert lines[line_of_policy("fair") - 1] == "class Fair(Policy):"
    assert describe("fair").title == "Fair (HFS)"


def test_a_file_is_no_built_in_policy(tmp_path):
    path = tmp_path / "copy.py"
    path.write_text(own_copy("fifo"))
    copied = load_policy_file(path)
    register_policy(copied.id, copied)
    with pytest.raises(InputError, match="is a policy file already"):
        own_copy(copied.id)
    assert text_of_policy(copied.id) == path.read_text()


def test_every_field_and_every_hook_has_a_meaning():
    for name, row in (("job", JobRow), ("pool", PoolRow), ("cluster", ClusterRow)):
        assert FIELDS[name].keys() == row.__annotations__.keys()
    assert hook_meanings().keys() == set(HOOKS)
    assert tuple(CALLED) == HOOKS
    assert UNITS.keys() <= {name for fields in FIELDS.values() for name in fields}
    assert all(len(meaning) > 20 for meaning in hook_meanings().values())


def test_what_is_offered_depends_on_what_stands_before():
    assert [each.word for each in help_after("  x = pool[2].sh")][:2] == ["weight", "active"]
    assert help_after("  numpy.") == ()
    keys = {each.word: each.written for each in help_after("    def ke")}
    assert keys["key"] == "key(job, kind, slot, pool, cluster):"
    assert "MAP" in [each.word for each in help_after("  return M")]
    assert meaning_of("return cluster.", "now") == "the time, in seconds from the run's start"
    assert meaning_of("    def ", "key").startswith("The job with the smallest key")
    assert meaning_of("numpy.", "key") == ""
    template = policy_template()
    assert parameters_in(template) == {"largest_share": "No job holds a larger part."}
    assert help_after("  return lar", template)[0].word == "largest_share"
    assert meaning_of("return ", "largest_share", template) == "No job holds a larger part."
    for hook in HOOKS:
        ast.parse(f"def {hook_line(hook)} ...")
