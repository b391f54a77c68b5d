"""Compiled kernels are found again, and only those that are still right."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.charts import raster_kernel
from core.engine import compile_cache, jit, job_queues, loop, placement
from core.engine.compile_cache import ENDING
from core.engine.compiled import compiled_advance
from core.engine.variants import EngineVariant
from core.policies.composing import kernel, templates
from core.policies.composing.hooks import hooks_of
from core.policies.policy import Policy
from core.shared_scans import assignment_loop, fluid_loop
from tests.paths import ROOT

SOURCE = """
import numpy as np
from core.model.parameters import Parameter
from core.policies.policy import MAP, Policy

LIMIT = 2
UNUSED = 1
STEPS = np.array([0, 1])


def share(job, kind):
    return job.running[kind] / deeper(job.weight) + STEPS[kind]


def deeper(weight):
    return weight + 1.0


class Example(Policy):
    "One line."
    parameters = (Parameter("most", "integer", 1, "Slots."),)

    def admits(job, kind):
        return job.running[kind] < LIMIT

    def key(job, kind):
        return share(job, kind)

    def pool_key(pool, kind):
        return pool.running[kind]
"""


def policy_of(source: str, folder: Path) -> type[Policy]:
    """Return the policy of a module written to a new folder."""
    folder.mkdir()
    file = folder / "example.py"
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    policy: type[Policy] = module.Example
    return policy


def fingerprint(source: str, folder: Path) -> str:
    return kernel._fingerprint(hooks_of(policy_of(source, folder)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("job.running[kind] < LIMIT", "job.running[kind] <= LIMIT"),
        ("LIMIT = 2", "LIMIT = 3"),
        ("LIMIT = 2", "LIMIT = 2.0"),
        ("[0, 1]", "[0, 2]"),
        ("job.running[kind] / deeper", "job.tasks[kind] / deeper"),
        ("weight + 1.0", "weight + 2.0"),
        ('"most", "integer"', '"least", "integer"'),
        ("return share(job, kind)", "return share(job, MAP)"),
        ("    def pool_key", "    pool_first = True\n\n    def pool_key"),
    ],
)
def test_any_change_of_what_runs_changes_the_name(tmp_path: Path, old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    assert fingerprint(SOURCE, tmp_path / "a") != fingerprint(SOURCE.replace(old, new), tmp_path / "b")


@pytest.mark.parametrize(
    ("old", "new"), [("UNUSED = 1", "UNUSED = 2"), ("One line.", "Another line."), ("\nLIMIT", "\n\n\nLIMIT")]
)
def test_other_changes_do_not(tmp_path: Path, old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    assert fingerprint(SOURCE, tmp_path / "a") == fingerprint(SOURCE.replace(old, new), tmp_path / "b")


SHORT = """
from core.policies.policy import Policy

LIMIT = 2


class Example(Policy):
    "One line."

    def key(job):
        return job.weight * LIMIT
"""
"""It compiles in a third of the time of the other."""


PROGRAM = """
import sys
from pathlib import Path
from core.model.cluster import Cluster
from core.policies.user_files.policy_process import register_file
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload

own = [register_file(Path(file)).id for file in sys.argv[1:]]
workload = make_workload(make_job("J1", (6, 1.0), (2, 1.0)), make_job("J2", (6, 1.0)))
for policy in ("fifo", "johnson", *own):
    schedule = simulate(workload, Cluster(4, 2), PolicyChoice(policy), engine="compiled")
    assert not schedule.interpreted_because, schedule.interpreted_because
print(schedule.start.max())
"""


def copy_engines(cache: Path) -> None:
    """Put engines and the kernel of orders of this process's cache into another one, as if compiled there."""
    engines = (compiled_advance(variant) for variant in (EngineVariant.GENERAL, EngineVariant.PLAIN))
    for function in (*engines, kernel.compiled_kernel(Policy)):
        compiled = Path(function.stats.cache_path)
        for file in compiled.glob(f"{function.py_func.__qualname__}-*{ENDING}"):
            shutil.copy2(file, cache)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """Neither the engine nor a kernel, also of a user's file; `test_any_change...` says what is compiled."""
    cache = tmp_path / "cache"
    cache.mkdir()
    copy_engines(cache)
    engines = len(list(cache.glob(f"*{ENDING}")))
    assert engines >= 3  # and those of other versions of the program that this cache still holds

    def files_after(**sources: str) -> dict[Path, int]:
        for name, source in sources.items():
            (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", PROGRAM, *(str(tmp_path / f"{name}.py") for name in sources)]
        run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return {path: path.stat().st_mtime_ns for path in cache.rglob(f"*{ENDING}")}

    first = files_after(own=SHORT)
    assert len(first) == engines + 1  # the user's kernel
    same = SHORT + "# a version of its own, with the same kernel"
    assert files_after(own=SHORT, same=same) == first


def test_one_process_at_a_time_compiles_a_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    with compile_cache.alone("Fifo_1"), (tmp_path / "compiled" / "Fifo_1.lock").open() as other:
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with compile_cache.alone("Fifo_2"):
            pass
    with (tmp_path / "compiled" / "Fifo_1.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_takes_no_lock_is_no_obstacle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "compiled").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    with compile_cache.alone("Fifo_1"):
        pass


def test_what_is_compiled_is_so_for_these_sources_in_any_folder(tmp_path: Path) -> None:
    one, other = tmp_path / "a" / "loop.py", tmp_path / "b" / "loop.py"
    for file in (one, other):
        file.parent.mkdir()
        file.write_text("pass", encoding="utf-8")
    before = jit._stamp((one,))
    assert jit._stamp((other,)) == before
    one.write_text("return", encoding="utf-8")
    assert jit._stamp((one,)) != before


def test_every_file_whose_functions_are_compiled_is_looked_at() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in jit._compiled_sources()}
    compiled = (
        loop,
        job_queues,
        placement,
        templates,
        fluid_loop,
        assignment_loop,
        raster_kernel,
    )
    assert {Path(str(module.__file__)).relative_to(ROOT).as_posix() for module in compiled} <= names
