"""A user's file: what it must hold, and the line that is named when something is wrong in it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError, PolicyFault, StalledError
from core.model.number_text import grouped
from core.model.schedule import PolicyChoice, Schedule
from core.policies.composing.kernel import compiled_kernel
from core.policies.own_policies import exact_id, register_policy
from core.policies.registry import describe, file_policies, policy_class
from core.policies.user_files import loop_budget
from core.policies.user_files.policy_file import load_policy, load_policy_file
from core.policies.user_files.source import MAX_BYTES, is_policy_file, policy_id_of, read_policy_file
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from pathlib import Path

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])

HEAD = "from core.policies.policy import MAP, Policy\nfrom core.model.parameters import Parameter\n\n"
WORKLOAD = make_workload(make_job("J1", (4, 2.0), (2, 3.0)), make_job("J2", (3, 1.0), (5, 1.0)))


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def simulated(path: Path, engine: Engine = "interpreted") -> Schedule:
    """Simulate under the policy of a file, known by its path as in the window."""
    policy_id = policy_id_of(path)
    register_policy(policy_id, load_policy_file(path))
    return simulate(WORKLOAD, Cluster(2, 2, slowstart=0.5), PolicyChoice(policy_id), engine=engine)


def fault(path: Path, engine: Engine = "interpreted") -> PolicyFault:
    with pytest.raises(PolicyFault) as caught:
        simulated(path, engine)
    return caught.value


# ---- what a file holds


def test_id_and_title_come_from_the_class(tmp_path: Path) -> None:
    policy = load_policy_file(written(tmp_path, HEAD + "class SmallestHFSFirst(Policy):\n    pass\n"))
    assert (policy.id, policy.title) == ("smallest-hfsfirst", "Smallest hfsfirst")
    policy = load_policy_file(written(tmp_path, HEAD + "class SmallestFirst(Policy):\n    pass\n"))
    assert (policy.id, policy.title) == ("smallest-first", "Smallest first")


def test_a_policy_may_derive_from_one_of_ours(tmp_path: Path) -> None:
    text = (
        "from core.policies.sharing import Fair\nclass Heavy(Fair):\n    def key(job): return -job.weight\n"
    )
    policy = load_policy_file(written(tmp_path, text))
    assert (policy.id, policy.title) == ("heavy", "Heavy")


def test_a_policy_is_known_by_its_path(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + 'class Mine(Policy):\n    """Best of all.\n\n    More."""\n')
    policy_id = policy_id_of(path)
    assert is_policy_file(policy_id)
    assert not is_policy_file("fifo")
    with pytest.raises(
        InputError,
        match="has not been run; if you trust it, open it in the window or name it with --policy-file",
    ):
        policy_class(policy_id)
    register_policy(policy_id, load_policy_file(path))
    assert describe(policy_id).id == policy_id
    assert (describe(policy_id).title, describe(policy_id).summary) == ("Mine", "Best of all.")


def test_what_was_read_is_what_runs(tmp_path: Path) -> None:
    """Between trust and run the file may have become another one."""
    path = written(tmp_path, HEAD + "class First(Policy):\n    def key(job): return job.rank\n")
    source = read_policy_file(path)
    written(tmp_path, HEAD + "\n\n\nclass Second(Policy):\n    def key(job): return -job.rank, 1\n")
    policy = load_policy(source)
    assert policy.__name__ == "First"
    assert compiled_kernel(policy).nopython_signatures  # the width of its keys is that of the first text


def test_a_second_version_is_a_policy_of_its_own(tmp_path: Path) -> None:
    first = load_policy_file(written(tmp_path, HEAD + "class Mine(Policy):\n    def key(job): return 1\n"))
    second = load_policy_file(written(tmp_path, HEAD + "class Mine(Policy):\n    def key(job): return 2\n"))
    assert first.source is not None
    assert second.source is not None
    assert first.source.digest != second.source.digest
    assert sys.modules[first.__module__] is not sys.modules[second.__module__]


def test_every_version_stays_known(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "class Mine(Policy):\n    def key(job): return job.rank\n")
    policy_id = policy_id_of(path)
    assert exact_id(policy_id) == policy_id
    register_policy(policy_id, load_policy_file(path))
    first = exact_id(policy_id)
    assert is_policy_file(first)
    written(tmp_path, HEAD + "class Mine(Policy):\n    def key(job): return -job.rank\n")
    register_policy(policy_id, load_policy_file(path))
    ends = {
        known: simulate(WORKLOAD, Cluster(2, 2), PolicyChoice(known)).finish.tolist()
        for known in (first, exact_id(policy_id), policy_id)
    }
    assert ends[first] != ends[policy_id] == ends[exact_id(policy_id)]
    assert [description.id for description in file_policies()] == [policy_id]
    assert exact_id("fifo") == "fifo"


def test_an_encoding_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = f"# -*- coding: latin-1 -*-\n{HEAD}class Grün(Policy):\n    def key(job): return job.größe\n"
    path.write_bytes(text.encode("latin-1"))
    error = fault(path)
    assert error.place is not None
    assert (error.place.line, error.place.text) == (6, "    def key(job): return job.größe")


@pytest.mark.parametrize(
    ("text", "sentence", "line"),
    [
        ("", "the file holds no policy; a policy file defines exactly one class", 0),
        ("class A(Policy): pass\nclass B(Policy): pass\n", "the file holds 2 policies", 0),
        ("class A(Policy):\n    def key(job)\n        return 1\n", "expected ':' (SyntaxError)", 5),
        ("class A(Policy):\n    x = 1 / 0\n", "ZeroDivisionError: division by zero", 5),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'", 4),
        ("raise SystemExit(3)\n", "SystemExit: 3", 4),
        (
            "class A(Policy):\n    x = 1\n    def key(jobs): return 1\n",
            "policy A: key asks for 'jobs', which it cannot be given; did you mean 'job'?",
            6,
        ),
        (
            "class A(Policy):\n    @staticmethod\n    def admit(job): return 1\n",
            "policy a has no hook 'admit'; did you mean 'admits'?",
            5,
        ),
        (
            "class A(Policy):\n    x = 1\n    def kill(job): return 1\n",
            "policy a has no hook 'kill': which running task is given up is",
            6,
        ),
        (
            "class A(Policy):\n    def pool_keys(job): return 1\n    def key(job): return 1\n",
            "policy a has no hook 'pool_keys'; did you mean 'pool_key'?",
            5,
        ),
        (
            "class A(Policy):\n    pool_frst = True\n",
            "policy a has no setting 'pool_frst'; did you mean 'pool_first'?",
            5,
        ),
        ("class A(Policy):\n    key = 5\n", "policy a gives key as 5; write a function: def key(...)", 5),
        (
            "class A(Policy):\n    def key(job): return 1\n    def key(job, kind): return 2\n",
            "policy a has key twice; the one on line 5 is never called",
            6,
        ),
        (
            "def key(job): return 1\nclass A(Policy): pass\n",
            "policy a: the function key stands outside of the class A, where it is never called; indent it",
            4,
        ),
        (
            "class A(Policy):\n    def choose(slot): return -1\n    def key(job): return 1\n",
            "policy a has both choose and key, which is never called then; leave key out, or write _key",
            6,
        ),
        (
            "class A(Policy):\n    def key(self, job): return 1\n",
            "policy A: key asks for 'self', which it cannot be given: hooks are functions of a class without",
            5,
        ),
        ("class A(Policy):\n    parameters = ('most',)\n", "policy a: parameters is ('most',); give a", 4),
        (
            "class A(Policy):\n    parameters = (Parameter('most', 'integer', 0, 'Of.', min=1),)\n",
            "policy a: its default: parameter most is 0; give a whole number from 1",
            4,
        ),
        (
            "class A(Policy):\n    parameters = (Parameter('at most', 'integer', 0, 'Of.'),)\n",
            "policy a: a parameter is called 'at most'; names of parameters are Python names, each used once",
            4,
        ),
        (
            "class A(Policy):\n    title = 'a\\nb'\n",
            "policy a: its title is 'a\\nb'; give a text of one line",
            4,
        ),
        (
            "class A(Policy):\n    explains = 'because'\n",
            "policy a: explains is 'because'; give a core.policies.policy.Explains",
            4,
        ),
        ("while True: pass\n", f"EndlessLoop: a loop took more than {grouped(10_000_000)} rounds", 4),
        (
            "from functools import partial\nclass A(Policy):\n    x = 1\n    key = partial(max, 0)\n",
            "policy a: key is of the type partial; give a function: def key(...)",
            7,
        ),
        (
            "class A(Policy):\n    @classmethod\n    def key(cls, job): return 1\n",
            "policy a: key is of the type method; give a function: def key(...)",
            6,
        ),
        (
            "class A(Policy):\n    key = eval('lambda job: 1')\n",
            "policy a: key is not written in the file; write it: def key(...)",
            5,
        ),
        (
            "class A(Policy):\n    key = lambda job: job.memo.sort()\n",
            "policy a: key writes to job.memo",
            5,
        ),
        ("class A(Policy):\n    key = lambda jobs: 1\n", "policy A: key asks for 'jobs'", 5),
    ],
)
def test_what_is_wrong_with_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str, line: int
) -> None:
    path = written(tmp_path, HEAD + text)
    if "while" in text:
        monkeypatch.setitem(loop_budget.LIMITS, "rounds", 1000)
        sentence = sentence.replace(grouped(10_000_000), grouped(1000))
    with pytest.raises(PolicyError) as caught:
        load_policy_file(path)
    error = caught.value
    assert error.place is not None
    assert (error.place.path, error.place.line) == (str(path), line)
    assert error.sentence.startswith(sentence)
    located = f"{path}:{line}: " if line else f"{path}: "
    assert str(error).startswith(located + sentence)


@pytest.mark.parametrize(
    "text",
    [
        "class A(Policy):\n    def half(job): return job.rank / 2\n    def key(job): return A.half(job)\n",
        "class A(Policy):\n    def last(job): return -job.rank\n    key = last\n",
        "class A(Policy):\n    LIMIT = 3\n    def _half(job): return job.rank / 2\n",
        "from core.policies.sharing import Fair\nclass A(Fair):\n    pool_key = None\n",
        "def order(job): return job.rank\nclass A(Policy):\n    def key(job): return order(job)\n",
        "from core.policies.overlap import OMO\nclass A(OMO):\n    def predicted_rate(cluster): return 1.0\n",
    ],
)
def test_functions_that_are_called_are_no_mistakes(tmp_path: Path, text: str) -> None:
    assert load_policy_file(written(tmp_path, HEAD + text)).id == "a"


def test_a_base_in_a_helper_is_looked_at_too(tmp_path: Path) -> None:
    written(tmp_path, HEAD + "class Base(Policy):\n    def kill(job): return 1\n", "base.py")
    path = written(tmp_path, "from base import Base\nclass A(Base): pass\n")
    with pytest.raises(PolicyError, match="has no hook 'kill'") as caught:
        load_policy_file(path)
    assert caught.value.place is not None
    assert (caught.value.place.path, caught.value.place.line) == (str(tmp_path / "base.py"), 5)


def test_self_of_a_hook_before_the_run(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "class A(Policy):\n    def order(self, workload): return [1, 0]\n")
    error = fault(path)
    assert error.sentence.startswith("policy a: order asks for 'self', which it cannot be given: hooks are")


def test_a_syntax_error_points_at_the_column(tmp_path: Path) -> None:
    error = fault(written(tmp_path, "class A(Policy):\n    def key(job)\n        return 1\n"))
    assert str(error).splitlines()[1:] == ["    def key(job)", "                ^"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"x = 1\x00\n", "null bytes"),
        (b"\xff\xfe\n", "utf-8"),
        (b"(" * 5000, "parenthes"),
        (b"-" * 5000 + b"1", "not Python|too complex|recursion"),
    ],
)
def test_a_file_that_is_no_text(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "mine.py").write_bytes(data)
    with pytest.raises(PolicyError, match=sentence):
        load_policy_file(tmp_path / "mine.py")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("a\0b.py", "\ud800.py"):
        with pytest.raises(InputError, match="cannot be read"):
            load_policy_file(tmp_path / name)
    with pytest.raises(InputError, match=r"mine\.py cannot be read: No such file"):
        load_policy_file(tmp_path / "mine.py")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_policy_file(tmp_path)
    (tmp_path / "long.py").write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(
        InputError, match=rf"long\.py is longer than {grouped(1_000_000)} bytes; is it a policy file\?"
    ):
        load_policy_file(tmp_path / "long.py")


# ---- what goes wrong in a run


@both_engines
@pytest.mark.parametrize(
    "body",
    [
        "    key = lambda job, kind: -job.rank\n",
        "    key = staticmethod(\n        lambda job, kind: (\n            -job.rank\n        )\n    )\n",
        "    admits, key = (lambda job: True), (lambda job: -job.rank)\n",
        "    key = last\n",
        "    key = last_as_well\n",
        '    def key(job):\n        """Text\nwithout indent."""\n        return -job.rank\n',
    ],
)
def test_a_hook_is_a_function_however_it_is_written(tmp_path: Path, engine: Engine, body: str) -> None:
    others = "last = lambda job: -job.rank\ndef last_as_well(job):\n    return -job.rank\n"
    schedule = simulated(written(tmp_path, f"{HEAD}{others}class Mine(Policy):\n{body}"), engine)
    assert schedule.finish.tolist() == [9.0, 5.0]  # J2 goes first


@both_engines
@pytest.mark.parametrize(
    ("body", "sentence", "line"),
    [
        (
            "    def key(job, kind):\n        return ratio(job, kind)\n",
            "policy mine raised ZeroDivisionError at 0:00: division by zero (looking at J1)",
            4,
        ),
        (
            "    def key(job):\n        if job.rank == 1:\n            raise ValueError('no')\n"
            "        return 0\n",
            "policy mine raised ValueError at 0:00: no (looking at J2)",
            8,
        ),
        (
            "    def admits(job, kind):\n        n = 0\n        while job.started[MAP] > 1:\n"
            "            n += 1\n        return True\n",
            "policy mine does not come to an end at 0:02: a loop took more than",
            8,
        ),
        (
            "    def watch(cluster):\n        cluster.memo[9] = 1\n",
            "policy mine raised IndexError at 0:00: list assignment index out of range",
            7,
        ),
        (
            "    def choose(slot):\n        return 6\n",
            "policy mine picked a map task of job number 3 at 0:00: there are 2 jobs",
            6,
        ),
        (
            "    def plan(jobs):\n        jobs['wnted'] = 1\n",
            "policy mine: plan raised ValueError: no field of name wnted",
            7,
        ),
        (
            "    def order(workload):\n        return [0, 0]\n",
            "policy mine: order returned [0, 0]; it must hold each job's index",
            6,
        ),
        (
            "    key = lambda job: 1 / (job.rank - 1)\n",
            "policy mine raised ZeroDivisionError at 0:00: division by zero (looking at J2)",
            6,
        ),
        (
            "    key = lambda job, kind: None\n",
            "policy mine: key returned nothing: is a return missing? It must give a number",
            6,
        ),
        (
            "    def key(job):\n        pass\n",
            "policy mine: key returned nothing: is a return missing? It must give a number, or a tuple of",
            6,
        ),
    ],
)
def test_errors_of_a_run_name_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Engine, body: str, sentence: str, line: int
) -> None:
    monkeypatch.setitem(loop_budget.LIMITS, "rounds", 1000)
    ratio = "def ratio(job, kind): return job.tasks[kind] / job.running[kind]\n"
    error = fault(written(tmp_path, f"{HEAD}{ratio}class Mine(Policy):\n{body}"), engine)
    assert error.sentence.startswith(sentence)
    assert error.place is not None
    assert error.place.line == line
    assert error.place.text.strip() in (HEAD + ratio + body)


@both_engines
def test_the_line_is_found_also_where_the_policy_remembers(tmp_path: Path, engine: Engine) -> None:
    body = (
        "    def watch(cluster):\n        cluster.memo[0] += 1\n"
        "    def key(job, cluster):\n        return 1 / (5 - cluster.memo[0])\n"
    )
    error = fault(written(tmp_path, f"{HEAD}class Mine(Policy):\n{body}"), engine)
    assert "ZeroDivisionError" in error.sentence
    assert error.place is not None
    assert error.place.line in (0, 8)


@both_engines
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "    def admits(job): return job.rank != 1\n",
            "stalled at 0:07: no task can end. Waiting: J2 (map)",
        ),
        ("    def choose(): return -1\n", "stalled at 0:00: no task can end. Waiting: J1 (map), J2 (map)"),
    ],
)
def test_a_policy_that_never_serves_a_job(tmp_path: Path, engine: Engine, body: str, sentence: str) -> None:
    error = fault(written(tmp_path, f"{HEAD}class Mine(Policy):\n{body}"), engine)
    assert isinstance(error, StalledError)
    assert error.sentence.startswith(f"policy mine {sentence}")
    assert str(error).startswith(f"{tmp_path / 'mine.py'}: policy mine")
