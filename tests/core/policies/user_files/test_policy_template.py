"""The template and the examples work as they are, compiled as interpreted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from core.files.resources import resource_path
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import HOOKS
from core.policies.user_files.modules import OLD_NAMES
from core.policies.user_files.policy_file import (
    class_name,
    example_files,
    file_name,
    load_policy_file,
    policy_template,
)
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload
from tests.paths import DATA
from tests.random_tests import some_jobs

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule
    from core.model.workload import Workload


@pytest.fixture
def use() -> object:
    """Return a function that simulates under a policy file, checking that both engines agree."""

    def run(path: Path, workload: Workload, cluster: Cluster | None = None, **parameters: object) -> Schedule:
        register_policy("example", load_policy_file(path))
        choice = PolicyChoice("example", parameters)
        compiled, interpreted = (
            simulate(workload, cluster or workload.cluster, choice, engine=engine)
            for engine in ("compiled", "interpreted")
        )
        assert compiled.interpreted_because == ""
        assert compiled.start.tobytes() == interpreted.start.tobytes()
        return compiled

    return run


def test_there_are_examples() -> None:
    names = [path.name for path in example_files()]
    assert {"longest_task_first.py", "pool_turns.py", "smallest_first.py", "srpt.py", "hrrn.py"} <= set(names)
    assert "template.py" not in names


@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
@pytest.mark.parametrize("sample", ["three-pools", "facebook"])
def test_examples_serve_everybody(use, path: Path, sample: str) -> None:
    schedule = use(path, some_jobs(load_sample(sample)))
    assert (schedule.slot >= 0).all()


def test_smallest_first(use) -> None:
    workload = make_workload(make_job("large", (8, 1.0)), make_job("small", (2, 1.0)))
    path = resource_path("policies", "smallest_first.py")
    assert use(path, workload, Cluster(2, 0), largest_share=1.0).finish.tolist() == [5, 1]
    assert use(path, workload, Cluster(2, 0)).finish.tolist() == [8, 2]  # one slot each, then one is idle


@pytest.mark.parametrize("name", ["smallest_first", "template"])
def test_slots_without_a_type_serve_both_kinds(use, name: str) -> None:
    """There the reduces are counted among all slots, and wait until all maps have started."""
    workload = make_workload(make_job("J1", (3, 1.0), (1, 1.0)))
    path = resource_path("policies", f"{name}.py")
    assert use(path, workload, Cluster(0, 0, 0.05, containers=1)).makespan == 4


def test_longest_task_first(use) -> None:
    mixed, long = make_job("mixed", (5, [1.0, 1.0, 1.0, 1.0, 4.0])), make_job("long", (2, 3.0))
    path = resource_path("policies", "longest_task_first.py")
    assert use(path, make_workload(mixed), Cluster(2, 0)).makespan == 4
    assert use(path, make_workload(mixed, long), Cluster(2, 0)).finish.tolist() == [4, 7]
    assert use(path, make_workload(mixed, long), Cluster(2, 0), across=True).finish.tolist() == [7, 6]


@pytest.mark.parametrize(("turn", "finish"), [(2.0, [2, 4]), (1.0, [3, 4])])
def test_pool_turns(use, turn: float, finish: list[float]) -> None:
    workload = make_workload(make_job("red", (4, 1.0), pool="red"), make_job("blue", (4, 1.0), pool="blue"))
    path = resource_path("policies", "pool_turns.py")
    assert use(path, workload, Cluster(2, 0), turn=turn).finish.tolist() == finish


def test_a_turn_ends_where_nobody_waits(use) -> None:
    """Red needs one slot, the other is blue's at once; blue's turn is not over when green comes."""
    red, blue = make_job("red", (1, 9.0), pool="red"), make_job("blue", (6, 1.0), pool="blue")
    workload = make_workload(red, blue, make_job("green", (1, 1.0), pool="green", arrival=2.0))
    path = resource_path("policies", "pool_turns.py")
    assert use(path, workload, Cluster(2, 0), turn=100.0).finish.tolist() == [9, 6, 7]
    assert use(path, workload, Cluster(2, 0), turn=2.0).finish.tolist() == [9, 7, 3]


@pytest.mark.parametrize(
    ("name", "finish"), [("template", [5, 1]), ("pool_turns", [4, 5]), ("smallest_first", [8, 2])]
)
def test_files_written_for_version_0_1_go_on_working(
    use, tmp_path: Path, name: str, finish: list[int]
) -> None:
    """The template and the examples as they came with it, to the letter."""
    path = tmp_path / f"{name}.py"
    path.write_bytes((DATA / "version_0_1" / f"{name}.txt").read_bytes())
    workload = make_workload(make_job("red", (8, 1.0), pool="red"), make_job("blue", (2, 1.0), pool="blue"))
    assert use(path, workload, Cluster(2, 0)).finish.tolist() == finish


@pytest.mark.parametrize("old", OLD_NAMES)
def test_a_file_may_import_a_module_by_its_old_name(tmp_path: Path, old: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"import {old}\nimport {old} as other\nfrom core.policies.policy import Policy\n"
        f"class Mine(Policy):\n    title = ({old} is other) and other.__name__\n",
        encoding="utf-8",
    )
    assert load_policy_file(path).title == OLD_NAMES[old]


@pytest.mark.parametrize("name", ["SmallestFirst", "smallest_first", "smallest-first", " smallest first "])
def test_names(name: str) -> None:
    assert (class_name(name), file_name(name)) == ("SmallestFirst", "smallest_first.py")
    text = policy_template(name)
    assert "class SmallestFirst(Policy):" in text
    assert "--policy-file smallest_first.py" in text
    assert "my_policy" not in text


@pytest.mark.parametrize("name", ["", "2nd", "a.b", "None", "x()"])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(InputError, match="a policy cannot be called"):
        policy_template(name)


def test_the_template_runs(use, tmp_path: Path) -> None:
    path = tmp_path / "my_policy.py"
    path.write_text(policy_template(), encoding="utf-8")
    workload = make_workload(make_job("large", (8, 1.0)), make_job("small", (2, 1.0)))
    assert use(path, workload, Cluster(2, 0)).finish.tolist() == [5, 1]


def test_every_hook_of_the_template_runs(use, tmp_path: Path) -> None:
    """Those in comments too, once uncommented; those that replace the others one by one."""
    text = re.sub(r"(?m)^    # (def |    )", r"    \1", policy_template())
    assert [name for name in HOOKS if f"    def {name}(" not in text] == []
    text, instead = text.split("    # ---- two that")
    before, choose = text.split("    def choose(")
    path = tmp_path / "all.py"
    workload = make_workload(make_job("large", (8, 1.0), pool="a"), make_job("small", (2, 1.0)))
    for hook in ("preempt", "speculate"):  # one of them at a time
        without = re.sub(rf"    def {hook}\(.*?\n\n", "", before, flags=re.DOTALL)
        path.write_text(without, encoding="utf-8")
        assert use(path, workload, Cluster(2, 1)).makespan == 4  # the reduce slot is lent
    head = before[: before.index("    # What can be set")]
    path.write_text(f"{head}    def choose({choose}", encoding="utf-8")
    assert use(path, workload, Cluster(2, 0)).finish.tolist() == [4, 5]
    for hook in instead.split("    def ")[1:]:
        path.write_text(f"{head}    def {hook}", encoding="utf-8")
        assert use(path, workload, Cluster(2, 0)).makespan == 5
