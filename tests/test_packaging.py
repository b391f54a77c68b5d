"""The wheel carries all it needs: built, installed by itself and used from another folder.

It is installed into an environment of its own, which borrows the packages Slotscope depends on from the
environment that runs the tests.  A borrowed folder's .pth files are not read, so an editable install of this
checkout is out of reach: what runs is what the wheel holds.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the source distribution, as a release would; no network is needed."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (path,) = folder.glob("slotscope-*.whl")
    return path


@pytest.fixture(scope="session")
def contents(wheel: Path) -> set[str]:
    """Return the names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a fresh environment; return the environment's folder of programs."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, symlinks=True, with_pip=False)
    programs = folder / "bin"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install"]
    subprocess.run([*command, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    return programs


def run(program: Path, elsewhere: Path, *arguments: str) -> str:
    """Run an installed program in another folder; return what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    answer = subprocess.run(
        [str(program), *arguments],
        cwd=elsewhere,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_resources_and_samples_are_inside(contents: set[str]) -> None:
    for folder in ("resources", "sample_workloads"):
        files = [path for path in (ROOT / folder).rglob("[!.]*") if path.is_file()]
        names = {f"explorer/_data/{path.relative_to(ROOT).as_posix()}" for path in files}
        missing = {name for name in names if "__pycache__" not in name} - contents
        assert not missing
    assert any(name.startswith("explorer/_data/resources/schemas/") for name in contents)
    assert "explorer/_data/resources/studies/002-figure-4.study.json" in contents
    assert "explorer/_data/sample_workloads/five-jobs.workload.json" in contents
    assert "explorer/_data/docs/reference/glossary.md" in contents
    assert "explorer/_data/docs/explanation/verdicts.md" in contents


def test_nothing_else_is_inside(contents: set[str]) -> None:
    """Whatever else lay at the top would be a global import name in the user's environment."""
    tops = {name.split("/")[0] for name in contents}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"core", "explorer", "slotscope"}
    assert not {name for name in contents if "__pycache__" in name or name.endswith((".nbi", ".nbc"))}


def test_licence_is_inside(contents: set[str]) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in contents)


def test_bill_of_materials_is_inside(contents: set[str]) -> None:
    assert any(name.endswith(".dist-info/sboms/slotscope.cdx.json") for name in contents)


def test_core_is_the_wheels(installed: Path, tmp_path: Path) -> None:
    where = "import core, explorer; print(core.__file__, explorer.__file__, sep='\\n')"
    found = run(installed / "python", tmp_path, "-c", where).splitlines()
    assert len(found) == 2
    assert all(Path(name).is_relative_to(installed.parent) for name in found)


def test_samples_are_found(installed: Path, tmp_path: Path) -> None:
    printed = run(installed / "python", tmp_path, "-m", "explorer", "samples", "--json")
    assert "five-jobs" in json.dumps(json.loads(printed))


@pytest.mark.parametrize("program", [("slotscope",), ("python", "-m", "explorer")], ids=" ".join)
def test_simulation_gives_the_published_makespan(
    installed: Path, tmp_path: Path, program: tuple[str, ...]
) -> None:
    command = ("simulate", "five-jobs", "--policy", "johnson", "--json")
    printed = run(installed / program[0], tmp_path, *program[1:], *command)
    assert json.loads(printed)["makespan"] == 47


def test_the_version_is_the_wheels(installed: Path, tmp_path: Path, wheel: Path) -> None:
    printed = run(installed / "slotscope", tmp_path, "--version")
    assert wheel.name.split("-")[1] in printed


def test_the_module_is_imported_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    lines = (
        "import slotscope, sys",
        "print(slotscope.simulate('five-jobs', 'johnson').makespan)",
        "print(slotscope.__file__)",
        "print([name for name in sys.modules if name.startswith(('PySide6', 'shiboken6', 'explorer'))])",
    )
    makespan, where, qt = run(installed / "python", tmp_path, "-c", "\n".join(lines)).splitlines()
    assert (makespan, qt) == ("47.0", "[]")
    assert Path(where).is_relative_to(installed.parent)
    assert (Path(where).parent / "py.typed").exists()


def test_a_page_is_written(installed: Path, tmp_path: Path) -> None:
    run(
        installed / "slotscope",
        tmp_path,
        "page",
        "five-jobs",
        "--policies",
        "fifo,johnson",
        "--out",
        "page.html",
    )
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "Five jobs" in page


WITHOUT_QT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
import slotscope
from explorer.cli.run import run
print(slotscope.simulate("five-jobs", "johnson").makespan)
page = ["page", "five-jobs", "--policies", "fifo", "--out", "x.html"]
print(run(["simulate", "five-jobs", "--policy", "johnson", "--json"]), run(page), run(sys.argv[1:]))
"""


def test_what_draws_nothing_needs_no_qt(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "python"), "-c", WITHOUT_QT, "render", "five-jobs", "--policies", "fifo"]
    answer = subprocess.run(
        [*command, "--out", "x.png"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert answer.stdout.startswith("47.0\n")
    assert answer.stdout.endswith("0 0 1\n")
    assert (tmp_path / "x.html").read_text("utf-8").startswith("<!doctype html>")
    assert answer.stderr.startswith("slotscope: error: what draws needs PySide6, which is not installed here")


def test_picture_is_drawn_without_a_display(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    command = ("render", "five-jobs", "--policies", "fifo,johnson", "--out", "picture.png")
    run(installed / "slotscope", tmp_path, *command)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_version_changelog_and_bill_of_materials_agree():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    released = re.findall(
        r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert released[0] == version
    bill = json.loads((ROOT / "requirements" / "slotscope.cdx.json").read_text())
    assert bill["metadata"]["component"]["version"] == version
