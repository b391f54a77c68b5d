"""The set-up names exactly what a machine lacks, and does nothing twice."""

import ctypes
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bootstrap
from requirements import packages
from tests.paths import ROOT

COMPLETE = {"python": "3.11", "folder": "/here", "packages": "abc"}


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Debian 12 with Python and nothing of what Qt needs, used by somebody who is not root."""

    def refuse(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    monkeypatch.setattr(bootstrap, "has_font", lambda: False)
    monkeypatch.setattr(bootstrap, "can_make_environments", lambda: False)
    monkeypatch.setattr(bootstrap, "is_known_to_apt", lambda package: "t64" not in package)
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "Xvfb" else f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(bootstrap.SetUpError) as caught:
        action()
    return str(caught.value)


@pytest.mark.usefixtures("bare_machine")
def test_bare_machine_is_told_everything_in_one_line() -> None:
    (line,) = re.findall(r"^ +(sudo .*)$", refusal(lambda: bootstrap.prepare_system("test")), re.MULTILINE)
    assert line == (
        "sudo apt-get install -y --no-install-recommends libglib2.0-0 libgl1 libegl1 libxkbcommon0"
        " libfontconfig1 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1"
        f" libxcb-shape0 fonts-dejavu-core xvfb python3.{sys.version_info.minor}-venv"
    )


@pytest.mark.usefixtures("bare_machine")
def test_running_needs_no_virtual_display() -> None:
    assert "xvfb" not in refusal(lambda: bootstrap.prepare_system("run"))


@pytest.mark.parametrize(
    ("command", "system", "has", "wanted"),
    [
        ("test", "debian", "", True),
        ("run", "debian", "", False),
        ("test", "ubuntu", "", False),
        ("test", "debian", "google-chrome", False),
    ],
)
def test_tests_on_debian_want_a_browser(
    command: str, system: str, has: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == has else None)
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": system})
    assert bootstrap.wants_browser(command) is wanted


def test_a_browser_that_cannot_be_installed_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "missing_packages", lambda _command: [])
    monkeypatch.setattr(bootstrap, "may_install", lambda: True)
    monkeypatch.setattr(bootstrap, "wants_browser", lambda _command: True)
    monkeypatch.setattr(bootstrap, "install_packages", lambda packages: asked.append(packages) or False)
    bootstrap.prepare_system("test")
    assert asked == [["chromium"]]
    assert "there is no Chromium" in capsys.readouterr().out


def test_a_real_spark_needs_java(bare_machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "java" else f"/usr/bin/{name}")
    assert "openjdk-17-jre-headless" in refusal(lambda: bootstrap.prepare_system("truth"))
    assert "openjdk" not in refusal(lambda: bootstrap.prepare_system("test"))


@pytest.mark.usefixtures("bare_machine")
def test_empty_package_lists_are_fetched_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "is_known_to_apt", lambda package: False)
    assert "    sudo apt-get update && sudo apt-get install -y " in refusal(
        lambda: bootstrap.prepare_system("run")
    )


@pytest.mark.usefixtures("bare_machine")
def test_without_apt_the_libraries_themselves_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    message = refusal(lambda: bootstrap.prepare_system("run"))
    assert "libxcb-cursor.so.0" in message
    assert "apt-get" not in message


@pytest.mark.parametrize("soname", bootstrap.LIBRARIES)
def test_each_library_is_looked_for_by_itself(monkeypatch: pytest.MonkeyPatch, soname: str) -> None:
    def load(name: str) -> None:
        if name == soname:
            raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert bootstrap.missing_libraries() == [soname]


def test_root_installs_what_is_missing_and_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = ["libgl1"]
    monkeypatch.setattr(bootstrap, "missing_packages", lambda command: list(missing))
    monkeypatch.setattr(bootstrap, "may_install", lambda: True)
    monkeypatch.setattr(bootstrap, "install_packages", lambda packages: missing.clear() or True)
    bootstrap.prepare_system("test")
    assert not missing


def test_packages_that_do_not_help_are_named_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "missing_packages", lambda command: ["libgl1"])
    monkeypatch.setattr(bootstrap, "may_install", lambda: True)
    monkeypatch.setattr(bootstrap, "install_packages", lambda packages: True)
    assert "libgl1" in refusal(lambda: bootstrap.prepare_system("test"))


@pytest.mark.parametrize(
    ("release", "known", "expected"),
    [
        ({"ID": "debian", "VERSION_ID": "12"}, {"libglib2.0-0"}, "libglib2.0-0"),
        ({"ID": "debian", "VERSION_ID": "12"}, set(), "libglib2.0-0"),
        ({"ID": "debian", "VERSION_ID": "13"}, {"libglib2.0-0t64"}, "libglib2.0-0t64"),
        ({"ID": "debian", "VERSION_ID": "13"}, set(), "libglib2.0-0t64"),
        ({"ID": "ubuntu", "VERSION_ID": "22.04"}, set(), "libglib2.0-0"),
        ({"ID": "ubuntu", "VERSION_ID": "24.04"}, set(), "libglib2.0-0t64"),
        ({"ID": "linuxmint", "VERSION_ID": "22"}, {"libglib2.0-0t64"}, "libglib2.0-0t64"),
        ({"ID": "linuxmint", "VERSION_ID": "22"}, set(), "libglib2.0-0"),
        ({"ID": "debian"}, set(), "libglib2.0-0"),
    ],
)
def test_renamed_packages(
    monkeypatch: pytest.MonkeyPatch, release: dict[str, str], known: set[str], expected: str
) -> None:
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    monkeypatch.setattr(bootstrap, "is_known_to_apt", known.__contains__)
    assert bootstrap.name_here("libglib2.0-0") == expected
    assert bootstrap.name_here("libgl1") == "libgl1"


def test_old_python_is_refused_with_a_newer_one_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "python3.12" else None)
    message = refusal(lambda: bootstrap.check_python((3, 9, 2)))
    assert "this is Python 3.9.2; Slotscope needs 3.11 or newer" in message
    assert "PYTHON=python3.12" in message
    bootstrap.check_python((3, 11, 0))


@pytest.mark.parametrize(
    ("version", "is_refused"), [("2.31", True), ("2.34", False), ("2.41", False), ("", False)]
)
def test_old_glibc_is_refused(version: str, is_refused: bool) -> None:
    if is_refused:
        assert f"glibc {version}" in refusal(lambda: bootstrap.check_glibc(version))
    else:
        bootstrap.check_glibc(version)


@pytest.mark.parametrize(
    ("stamp", "extras", "expected"),
    [
        ({}, (), []),
        ({}, ("test",), ["test"]),
        ({**COMPLETE, "extras": ""}, (), None),
        ({**COMPLETE, "extras": "test"}, (), None),
        ({**COMPLETE, "extras": "test"}, ("benchmark",), ["benchmark", "test"]),
        ({**COMPLETE, "packages": "old", "extras": "test"}, (), ["test"]),
        ({**COMPLETE, "python": "3.12", "extras": "test"}, ("test",), ["test"]),
    ],
)
def test_nothing_is_installed_twice_or_lost(
    monkeypatch: pytest.MonkeyPatch,
    stamp: dict[str, str],
    extras: tuple[str, ...],
    expected: list[str] | None,
) -> None:
    monkeypatch.setattr(bootstrap, "PYTHON", Path(sys.executable))
    assert bootstrap.extras_to_install(stamp, COMPLETE, extras) == expected


def test_a_lost_interpreter_means_installing_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / "gone")
    assert bootstrap.extras_to_install({**COMPLETE, "extras": "test"}, COMPLETE, ()) == ["test"]


def test_failed_downloads_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, pauses = [1, 1, 0, 0], []
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, codes.pop(0)),
    )
    monkeypatch.setattr(time, "sleep", pauses.append)
    bootstrap.install_python_packages(["test"])
    assert codes == []
    assert pauses == list(bootstrap.PIP_PAUSES[:2])


def test_only_what_the_lists_name_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_: commands.append(command) or subprocess.CompletedProcess(command, 0),
    )
    bootstrap.install_python_packages(["test"])
    packages, itself = commands
    assert "--require-hashes" in packages
    assert [Path(word).name for word in packages if word.startswith("--requirement=")] == [
        "build.txt",
        "run.txt",
        "test.txt",
    ]
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(itself)


@pytest.mark.parametrize("file", sorted(bootstrap.REQUIREMENTS.glob("*.txt")), ids=lambda file: file.stem)
def test_every_package_is_named_by_version_and_hash(file: Path) -> None:
    entries = re.split(r"\n(?=\S)", file.read_text(encoding="utf-8").strip())
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.!+-]+ ", entry), entry
        assert "--hash=sha256:" in entry, entry
        assert "://" not in entry


def test_the_lists_hold_what_the_project_asks_for() -> None:
    """As `make lock` was run after the last change of pyproject.toml."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run, extras = asked["project"]["dependencies"], asked["project"]["optional-dependencies"]
    lists = {"build": asked["build-system"]["requires"], "run": run} | extras
    assert {file.stem for file in bootstrap.REQUIREMENTS.glob("*.txt")} == set(lists)
    for name, wanted in lists.items():
        chosen = packages.chosen(name)
        for requirement in map(Requirement, wanted):
            versions = [
                version for package, version in chosen if package == canonicalize_name(requirement.name)
            ]
            assert versions, f"{requirement} is not in requirements/{name}.txt: run make lock"
            assert all(map(requirement.specifier.contains, versions)), f"{requirement}: run make lock"
    bill = packages.bill_of_materials(asked["project"]["name"], asked["project"]["version"])
    assert packages.BILL.read_text(encoding="utf-8") == bill


@pytest.mark.parametrize(
    ("answer", "code", "sentence"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0, "1 of 1 packages were checked; 0 known faults"),
        (
            [{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}],
            1,
            "a 1: PYSEC-1, mended in 1.1",
        ),
        ([{"name": "a", "skip_reason": "not found"}], 2, "cannot be reached"),
        (None, 2, "cannot be reached"),
    ],
)
def test_an_audit_that_asked_nobody_is_not_a_success(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: list[dict[str, object]] | None,
    code: int,
    sentence: str,
) -> None:
    said = "" if answer is None else json.dumps({"dependencies": answer})
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, said, "")
    )
    assert packages.audit() == code
    assert sentence in capsys.readouterr().out


def test_apt_is_asked_only_for_what_is_missing_and_that_is_said_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        told.append((command, capsys.readouterr().out))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(bootstrap, "is_known_to_apt", lambda package: True)
    bootstrap.install_packages(["libegl1", "xvfb"])
    (update, before), (install, _) = told
    assert update[-1] == "update"
    assert "libegl1 xvfb" in before
    assert install[-2:] == ["libegl1", "xvfb"]


def test_a_network_that_stays_away_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1))
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    assert "network" in refusal(lambda: bootstrap.install_python_packages([]))


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00"])
def test_damaged_stamp_counts_as_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    stamp = tmp_path / "stamp.json"
    stamp.write_text(text)
    monkeypatch.setattr(bootstrap, "STAMP", stamp)
    assert bootstrap.read_stamp() == {}


def test_fingerprint_survives_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stamp = tmp_path / "stamp.json"
    stamp.write_text(json.dumps(bootstrap.fingerprint()))
    monkeypatch.setattr(bootstrap, "STAMP", stamp)
    assert bootstrap.read_stamp() == bootstrap.fingerprint()


def test_all_checks_run_even_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    called = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        called.append(Path(command[0]).name)
        return subprocess.CompletedProcess(command, int(called[-1] == "mypy"))

    monkeypatch.setattr(subprocess, "run", run)
    assert bootstrap.check() == 1
    assert called == [tool for tool, *_ in bootstrap.CHECKS]
    assert "checks: failed: mypy\n" in capfd.readouterr().out


def test_failed_checks_fail_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")  # so that it is put back
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(bootstrap, "check", lambda: 1)
    monkeypatch.setattr(bootstrap, "run_module", lambda *arguments: 0)
    monkeypatch.setattr(bootstrap, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(bootstrap, "PREPARE", (("-c", ""),))
    assert bootstrap.test() == 1


def test_the_tests_begin_when_all_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    compiled = tmp_path / "compiled"
    program = f"import time; time.sleep(0.2); open({str(compiled)!r}, 'w')"
    found = []
    monkeypatch.setattr(bootstrap, "check", lambda: 0)
    monkeypatch.setattr(bootstrap, "run_module", lambda *arguments: found.append(compiled.exists()) or 0)
    monkeypatch.setattr(bootstrap, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(bootstrap, "PREPARE", (("-c", ""), ("-c", program)))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert bootstrap.test() == 0
    assert found == [True]
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ


def test_without_a_display_the_sample_is_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    called = []
    picture = tmp_path / "build" / "first.png"
    monkeypatch.setattr(bootstrap, "FIRST_PICTURE", picture)
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    monkeypatch.setattr(bootstrap, "run_module", lambda *arguments: called.append(arguments) or 0)
    assert bootstrap.run() == 0
    assert [arguments[1] for arguments in called] == ["render", "compare"]
    assert str(picture) in capfd.readouterr().out


def test_what_is_started_exists() -> None:
    """Every module and file that a command names is really there."""
    started = (
        "explorer.__main__",
        "requirements.packages",
        *(module for flag, module, *_ in bootstrap.PREPARE if flag == "-m"),
        "docs.from_code.pictures",
        "docs.from_code.tables",
        "benchmarks.truth",
        *bootstrap.BENCHMARKS,
    )
    for module in started:
        assert importlib.util.find_spec(module), f"bootstrap.py starts {module}, which does not exist"
    exec(bootstrap.COMPILE_RARE.partition("for ")[0], {})  # what it imports is there, too
    assert (ROOT / "sample_workloads" / "five-jobs.workload.json").exists()


def test_every_make_target_is_a_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^(.+):\n\t@\$\(PYTHON\) bootstrap\.py \$@$", makefile, re.MULTILINE)
    assert set(targets.split()) == set(bootstrap.COMMANDS) - {"install"}


def test_continuous_integration_calls_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "exec make test"


def test_it_says_what_it_can_do_on_a_python_without_packages() -> None:
    """Only the standard library is needed: -I and -S keep everything else out."""
    answer = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "bootstrap.py"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "run" in answer.stdout


def test_what_runs_before_a_commit_are_the_checks() -> None:
    hooks = re.findall(
        r"entry: \.venv/bin/(.+)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    )
    assert [tuple(hook.split()) for hook in hooks] == list(bootstrap.CHECKS)
