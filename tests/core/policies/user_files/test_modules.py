"""What a policy file may import: what was read with it, and what is installed; nothing else ever runs."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy, load_policy_file
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import MAX_HELPERS, policy_id_of, read_policy_file
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

    from core.policies.policy import Policy

MINE = "from core.policies.policy import Policy\n{}\n\n\nclass Mine(Policy):\n    def key(job):\n        {}\n"
WORKLOAD = make_workload(make_job("J1", (4, 2.0), (2, 3.0)), make_job("J2", (3, 1.0), (5, 1.0)))
TWICE = "FACTOR = 2\n\n\ndef twice(number):\n    return 2 * number\n"

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])


def written(folder: Path, imports: str, body: str = "return factor * job.rank", **others: str) -> Path:
    """Write a policy file, and others beside it by their paths without the ending."""
    for name, text in others.items():
        other = folder / f"{name}.py"
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(text, encoding="utf-8")
    path = folder / "mine.py"
    path.write_text(MINE.format(imports, body), encoding="utf-8")
    return path


def key(policy: type[Policy], rank: int = 1) -> float:
    """Ask a policy for the key of a job of this rank."""

    class Job:
        pass

    Job.rank = rank  # type: ignore[attr-defined]
    answer: float = policy.key(Job)  # type: ignore[attr-defined]
    return answer


def refused(path: Path) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        key(load_policy_file(path))
    return caught.value


@pytest.mark.parametrize(
    ("imports", "others"),
    [
        ("from helper import factor", {"helper": "factor = 3"}),
        (
            "import helper\nfactor = helper.factor",
            {"helper": "from third import factor", "third": "factor = 3"},
        ),
        (
            "from .helper import factor",
            {"helper": "from . import third\nfactor = third.factor", "third": "factor = 3"},
        ),
        ("from . import helper\nfactor = helper.factor", {"helper": "factor = 3"}),
        (
            "from helper import factor",
            {"helper/__init__": "from .inner import factor", "helper/inner": "factor = 3"},
        ),
        (
            "import helper.inner as it\nfactor = it.factor",
            {"helper/__init__": "", "helper/inner": "factor = 3"},
        ),
        ("from helper import *", {"helper": "factor = 3"}),
        ("from space.inner import factor", {"space/inner": "from ..top import factor", "top": "factor = 3"}),
        ("import space.deep.inner\nfactor = space.deep.inner.factor", {"space/deep/inner": "factor = 3"}),
        ("from a import factor", {"a": "factor = 3\nimport b", "b": "from a import factor"}),
    ],
)
def test_helpers_are_read_with_the_file_and_run(tmp_path: Path, imports: str, others: dict[str, str]) -> None:
    source = read_policy_file(written(tmp_path, imports, **others))
    names = {name.removesuffix("/__init__").replace("/", ".") for name in others}
    assert {helper.module for helper in source.helpers} == names
    for helper in source.helpers:
        helper.path.unlink()  # what runs was read
    assert key(load_policy(source)) == 3
    assert not names & set(sys.modules)


def test_a_helper_imported_inside_a_hook(tmp_path: Path) -> None:
    path = written(
        tmp_path, "", "from helper import factor\n        return factor * job.rank", helper="factor = 3"
    )
    policy = load_policy_file(path)
    path.with_name("helper.py").write_text("factor = 4")
    assert key(policy) == 3
    register_policy(policy_id_of(path), policy)
    assert (
        simulate(WORKLOAD, Cluster(2, 2), PolicyChoice(policy_id_of(path)), engine="interpreted").makespan > 0
    )


def test_a_file_in_another_folder_has_its_own_helper(tmp_path: Path) -> None:
    first = load_policy_file(written(tmp_path, "from helper import factor", helper="factor = 3"))
    (tmp_path / "other").mkdir()
    late = "from helper import factor\n        return factor * job.rank"
    second = load_policy_file(written(tmp_path / "other", "import helper", late, helper="factor = 4"))
    assert (key(first), key(second)) == (3, 4)


@pytest.mark.parametrize("change", ["factor = 4", "factor = 3  # the same in other words"])
def test_a_changed_helper_is_another_version(tmp_path: Path, change: str) -> None:
    before = read_policy_file(written(tmp_path, "from helper import factor", helper="factor = 3"))
    (tmp_path / "helper.py").write_text(change)
    after = read_policy_file(before.path)
    assert after.data == before.data
    assert after.digest != before.digest


def test_a_helper_of_another_name_or_kind_is_another_version(tmp_path: Path) -> None:
    path = written(tmp_path, "import helper, third", helper="factor = 3", third="")
    digests = {read_policy_file(path).digest}
    (tmp_path / "helper.py").rename(tmp_path / "third.py")
    digests.add(read_policy_file(path).digest)
    (tmp_path / "third").mkdir()
    (tmp_path / "third.py").rename(tmp_path / "third" / "__init__.py")
    digests.add(read_policy_file(path).digest)
    assert len(digests) == 3


def test_without_helpers_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    """Contents that were agreed to before helpers were known are known still."""
    from hashlib import sha256

    source = read_policy_file(written(tmp_path, "import os\nimport numpy as np\nfrom core.model import job"))
    assert source.digest == sha256(source.data).hexdigest()
    assert source.helpers == ()
    assert source.packages == ("numpy",)


def test_installed_modules_are_imported_as_ever(tmp_path: Path) -> None:
    text = "import os, os.path\nimport xml.dom.minidom\nfrom numpy import linalg\nfrom core.model import job"
    path = written(tmp_path, text, "return len(os.path.sep + xml.dom.minidom.__name__[:2])")
    assert key(load_policy_file(path)) == 3


LOAD = """import sys
from pathlib import Path
from core.policies.user_files.policy_file import load_policy_file
sys.path.insert(0, "")
try:
    load_policy_file(Path(sys.argv[1]))
except Exception as error:
    print(error)
"""


def test_neither_the_folder_one_is_in_nor_pythonpath_gives_modules(tmp_path: Path) -> None:
    """In a process of its own: what is imported there stays imported."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ran = "print('it ran')\nfactor = 3\n"
    for name in ("helper", "wave"):  # `wave` is of the standard library, and of no use to us
        (elsewhere / f"{name}.py").write_text(ran)
    path = written(tmp_path, "import wave\nprint(wave.WAVE_FORMAT_PCM)\nfrom helper import factor")
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(path)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([os.getcwd(), str(elsewhere)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0] == "1"
    assert "it ran" not in done.stdout
    assert done.stdout.splitlines()[1].startswith(
        f"{path}:4: imports helper, which was not agreed to: {elsewhere}"
    )


@pytest.mark.parametrize(
    "imports",
    [
        "import sys\nsys.path.insert(0, {folder!r})\nfrom {name} import factor",
        "import sys, importlib\nsys.path += [{folder!r}]\nfactor = importlib.import_module({name!r}).factor",
        "import sys\nsys.path.insert(0, {folder!r})\nfactor = __import__({name!r}).factor",
    ],
)
@pytest.mark.parametrize("place", ["beside", "elsewhere"])
def test_what_was_not_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imports: str, place: str
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    name = f"unasked_{place}"
    folder = tmp_path if place == "beside" else tmp_path / "lib"
    folder.mkdir(exist_ok=True)
    path = written(tmp_path, imports.format(folder=str(folder), name=name))
    source = read_policy_file(path)
    (folder / f"{name}.py").write_text("open('it ran', 'w')\nfactor = 3")
    with pytest.raises(PolicyError) as caught:
        load_policy(source)
    error = caught.value
    assert error.sentence.startswith(f"imports {name}, which was not agreed to: {folder / name}.py is ")
    assert error.place is not None
    assert error.place.text == path.read_text().splitlines()[error.place.line - 1]
    assert name in error.place.text
    assert name not in sys.modules


@pytest.mark.parametrize(
    "code",
    [
        "import runpy\nfactor = runpy.run_path({path!r})['factor']",
        "import importlib.util as u\nspec = u.spec_from_file_location('unasked', {path!r})\n"
        "module = u.module_from_spec(spec)\nspec.loader.exec_module(module)\nfactor = module.factor",
        "from pathlib import Path\ntext = Path({path!r}).read_text()\nexec(compile(text, {path!r}, 'exec'))",
    ],
)
def test_a_file_that_is_run_by_its_path_is_refused(tmp_path: Path, code: str) -> None:
    helper = tmp_path / "unasked.py"
    helper.write_text("factor = 3")
    path = written(tmp_path, code.format(path=str(helper)))
    error = refused(path)
    assert error.sentence.startswith(f"imports unasked, which was not agreed to: {helper} is run by its path")
    assert error.place is not None
    assert error.place.line >= 3


@pytest.mark.parametrize("suffix", [".pyc", EXTENSION_SUFFIXES[0]])
@pytest.mark.parametrize("name", ["opaque", "space.opaque"])
def test_what_nobody_can_read_is_refused(tmp_path: Path, suffix: str, name: str) -> None:
    text = tmp_path / "text.py"
    text.write_text("factor = 3")
    compiled = tmp_path.joinpath(*name.split(".")).with_suffix(suffix)
    compiled.parent.mkdir(exist_ok=True)
    py_compile.compile(str(text), str(compiled))
    error = refused(
        written(tmp_path, f"import space.other\nfrom {name} import factor", **{"space/other": ""})
    )
    assert error.sentence.startswith(
        f"imports {name}, which was not agreed to: {compiled} is not Python text"
    )
    assert error.place is not None
    assert error.place.line == 3


def test_what_is_nowhere_is_not_found(tmp_path: Path) -> None:
    path = written(tmp_path, "try:\n    import nowhere\nexcept ModuleNotFoundError:\n    factor = 3")
    source = read_policy_file(path)
    assert source.missing == (tmp_path / "nowhere.py",)
    assert key(load_policy(source)) == 3
    assert (
        "cannot import name 'factor'"
        in refused(written(tmp_path, "from helper import factor", helper="")).sentence
    )


def test_a_helper_leaves_the_names_of_others_alone(tmp_path: Path) -> None:
    """As a package has its modules as attributes, the policy file's own `weights` would become one."""
    body = "from weights import one\n        return weights[0] * one"
    assert key(load_policy_file(written(tmp_path, "weights = (3,)", body, weights="one = 1"))) == 3


@both_engines
@pytest.mark.parametrize(
    ("imports", "body"),
    [
        ("from helper import twice", "return twice(job.rank)"),
        ("import helper", "return helper.FACTOR * job.rank"),
    ],
)
def test_functions_of_helpers_are_compiled_with_the_hook(
    tmp_path: Path, engine: Engine, imports: str, body: str
) -> None:
    ends = []
    for text in (TWICE, TWICE.replace("2", "-2")):  # changed, it is compiled anew
        path = written(tmp_path, imports, body, helper=text)
        register_policy(policy_id_of(path), load_policy_file(path))
        schedule = simulate(WORKLOAD, Cluster(2, 2), PolicyChoice(policy_id_of(path)), engine=engine)
        assert schedule.interpreted_because in ("", "asked for")
        ends.append(schedule.finish.tolist())
    assert ends[0] != ends[1]


def test_what_is_called_through_a_helper_is_interpreted_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, "import helper", "return helper.twice(job.rank)", helper=TWICE)
    register_policy(policy_id_of(path), load_policy_file(path))
    schedule = simulate(WORKLOAD, Cluster(2, 2), PolicyChoice(policy_id_of(path)), engine="compiled")
    assert schedule.interpreted_because.startswith("line 7 calls through the module helper (import what it")


def test_errors_in_a_helper_name_its_line(tmp_path: Path) -> None:
    for text, line, what in (
        ("x = (\n", 1, "'(' was never closed"),
        ("\nx = 1 / 0\n", 2, "ZeroDivisionError"),
    ):
        error = refused(written(tmp_path, "from helper import x", helper=text))
        assert error.place is not None
        assert (error.place.path, error.place.line) == (str(tmp_path / "helper.py"), line)
        assert error.sentence.startswith(what)


def test_loops_of_a_helper_end_too(tmp_path: Path) -> None:
    error = refused(written(tmp_path, "import helper", helper="while True:\n    pass\n"))
    assert error.sentence.startswith("EndlessLoop")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import ctypes\n\n\nctypes.string_at(0)\n", "the policy crashed (segmentation fault)"),
        ("import numpy as np\n\n\nnp.lexsort = max\n", "the policy replaced numpy"),
        ("import os\n\n\nraise KeyboardInterrupt\n", "the policy raised KeyboardInterrupt"),
    ],
)
def test_what_a_helper_does_to_its_process_names_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load_apart(read_policy_file(written(tmp_path, "import helper", helper=text)))
    error = caught.value
    assert error.sentence.startswith(sentence)
    assert error.place is not None
    assert (error.place.path, error.place.line) == (str(tmp_path / "helper.py"), 4)


def test_too_many_helpers(tmp_path: Path) -> None:
    names = [f"helper{number}" for number in range(MAX_HELPERS + 1)]
    path = written(tmp_path, f"import {', '.join(names)}", **dict.fromkeys(names, ""))
    with pytest.raises(InputError, match=r"mine\.py imports more than 100 files"):
        read_policy_file(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(InputError, match=r"pipe\.py is no file but a device or a pipe"):
        read_policy_file(tmp_path / "pipe.py")


WAYS = (
    "import {name}",
    "from .{name} import factor",
    "def late():\n    import {name}\nlate()",
    "import importlib\nimportlib.import_module({name!r})",
    "import runpy\nrunpy.run_path({folder!r} + '/' + {name!r}.replace('.', '/') + '.py')",
    "import sys\nsys.path.insert(0, {folder!r})\nimport {name}",
)


@examples(25)
@given(seed=st.integers(0, 2**32))
def test_nothing_runs_but_what_was_read(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Files that import one another in all ways, and that are others on the disk once they were read."""
    random = Random(seed)
    folder = tmp_path_factory.mktemp("files")
    names = ["a", "b", "c", "pack.__init__", "pack.d", "space.e", "lib.f"]
    text = "import builtins\nbuiltins.ran.append((__file__, {state!r}))\nfactor = 1\n"

    def imports(count: int) -> str:
        ways = []
        for _ in range(count):
            way = random.choice(WAYS).format(
                name=random.choice(names).removesuffix(".__init__"), folder=str(folder)
            )
            ways.append(
                "try:\n    " + way.replace("\n", "\n    ") + "\nexcept (ImportError, OSError):\n    pass\n"
            )
        return "".join(ways)

    bodies = {name.replace(".", "/"): imports(random.randrange(3)) for name in names}
    agreed = {name: text.format(state="agreed") + body for name, body in bodies.items()}
    source = read_policy_file(written(folder, imports(3), "return 1", **agreed))
    written(folder, "raise SystemExit", "return 1", **dict.fromkeys(bodies, text.format(state="changed")))
    ran: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", list(sys.path))
        patch.setattr("builtins.ran", ran, raising=False)
        load_policy(source)
    assert {state for _, state in ran} <= {"agreed"}
    assert {path for path, _ in ran} <= {str(helper.path) for helper in source.helpers}
