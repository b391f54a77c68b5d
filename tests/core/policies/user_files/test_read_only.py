"""A policy cannot write to what it is shown: the line is named before it runs; nothing else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.model.errors import PolicyError
from core.policies.user_files.policy_file import load_policy_file

if TYPE_CHECKING:
    from pathlib import Path

    from core.policies.policy import Policy

HEAD = """from core.policies.policy import MAP, Policy

def helper(row, kind):
    {helper}

class Mine(Policy):
"""
REFUSED = {
    "def admits(job): job.first[0] = 0": "job.first[0]",
    "def admits(job, kind): job.running[kind] += 1": "job.running[kind]",
    "def key(job): job.rank = 3; return 1": "job.rank",
    "def admits(job):\n        pair = job.first\n        pair[0] = 0": "pair[0]",
    "def admits(job):\n        pair = job.first\n        pair += (1, 2)": "pair",
    "def admits(job):\n        a, b = job.first, job.rank\n        a[0], c = 0, b": "a[0]",
    "def admits(cluster): cluster.memo[0] = 1": "cluster.memo[0]",
    "def watch(job):\n        for row in job: row.memo[0], row.done[0] = 1, 0": "row.done[0]",
    "def watch(job, cluster):\n        cluster.memo[0] = cluster.now\n        cluster.now = 0": "cluster.now",
    "def watch(job): del job[0]": "job[0]",
    "def choose(queue): queue[0][0] = 1; return 0": "queue[0][0]",
    "def choose(slot, queue): queue[slot].sort(); return 0": "queue[slot]",
    "def admits(job): job.first.reverse()": "job.first",
    "def admits(job): setattr(job, 'rank', 1)": "job",
    "def admits(job): object.__setattr__(job, 'rank', 1)": "job",
    "def admits(job): job.__dict__.update(rank=1)": "job.__dict__",
    "def admits(job): vars(job)['rank'] = 1": "vars(job)['rank']",
    "def admits(job, kind): return helper(job, kind)": "row.started[kind]",
}
ALLOWED = (
    "def watch(job, cluster):\n        memo = cluster.memo\n        memo[0] += 1\n        job[0].memo[1] = 2",
    "def watch(job):\n        rows = [row for row in job]\n        rows.sort()\n        rows[:] = []",
    "def choose(slot, queue, cluster):\n        cluster.memo[0] = j = queue[slot][0]\n        j += 1",
    "def watch(cluster): cluster.settles = cluster.now > 9",
    "def admits(job):\n        counts = list(job.running)\n        counts[0] += 1; return counts[0] > 1",
    "def admits(job):\n        left = job.tasks[0]\n        left -= job.done[0]\n        return left > 0",
    "def admits(job, kind): return max(job.running) < 3 and len(job.done) > kind",
)


def load(folder: Path, hook: str, helper: str = "row.started[kind] += 1") -> type[Policy]:
    path = folder / "mine.py"
    path.write_text(HEAD.format(helper=helper) + f"    {hook}\n")
    return load_policy_file(path)


@pytest.mark.parametrize(("hook", "what"), REFUSED.items())
def test_a_line_that_writes_is_named(tmp_path: Path, hook: str, what: str) -> None:
    with pytest.raises(PolicyError) as refused:
        load(tmp_path, hook)
    assert f"writes to {what}, the simulator's own record of the run" in refused.value.sentence
    place = refused.value.place
    assert place is not None
    assert place.text.strip() in f"{HEAD.format(helper='row.started[kind] += 1')}    {hook}"
    assert what.split("[")[0] in place.text


@pytest.mark.parametrize("hook", ALLOWED)
def test_what_is_a_policys_own_may_be_written(tmp_path: Path, hook: str) -> None:
    assert load(tmp_path, hook).id == "mine"
