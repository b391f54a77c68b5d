"""Set Slotscope up on a fresh machine and start what was asked for; needs only Python's standard library.

    python3 bootstrap.py run        open the sample; without a display draw it to build/first-picture.png
    python3 bootstrap.py install    only set up; `make help` lists the other commands

The set-up always comes first: the system libraries that Qt loads, an environment in .venv, the packages that
requirements/ names by version and hash.  What is done already is skipped.  As root on a Debian-like system
missing system packages are installed (SLOTSCOPE_NO_APT=1 forbids that); else they are named (exit code 2).

NOTE: this file must parse on Pythons that are too old to run Slotscope, for it is here that they are told so.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "slotscope-stamp.json"
REQUIREMENTS = ROOT / "requirements"
FIRST_PICTURE = ROOT / "build" / "first-picture.png"

OLDEST_PYTHON, OLDEST_GLIBC = (3, 11), (2, 34)
PIP_PAUSES = (3, 10, 30)
"""Seconds to wait before trying a failed download again."""

LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
"""What Qt loads at run time, and the Debian 12 packages that bring it and all that goes with it."""

TIME_64 = {"libglib2.0-0": "libglib2.0-0t64"}
"""Packages that were renamed when Debian 13 and Ubuntu 24.04 went to 64-bit times."""

PROGRAMS = {"test": ("Xvfb", "xvfb"), "truth": ("java", "openjdk-17-jre-headless")}
"""What commands start besides Python, and the Debian 12 packages that bring it."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Any of them opens pages in tests; where none is, these are skipped and say so."""

FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports", "--no-logo"),
    ("codespell",),
    ("python", "-m", "benchmarks.structure"),  # prints figures, refuses nothing
)

COMPILE_RARE = """
from core.engine.compiled import compiled_advance
from core.engine.stepping import compiled_step
from core.engine.variants import EngineVariant
from core.optimize.exact_starts import compiled_search
for variant in reversed(EngineVariant):
    compiled_advance(variant)
compiled_search()
compiled_step()
"""
"""What the window compiles only when it is needed, a minute of a processor."""

PREPARE = (
    ("-m", "explorer.warm_up"),
    ("-c", COMPILE_RARE),
    ("-m", "pytest", "-q", "-n0", "-k", "really_compiles", "tests/core/policies/composing/test_hooks.py"),
    ("-m", "pytest", "--collect-only", "-q", "-n0"),
)
"""Compiles what runs fast, and each test module once: else every process would do so for itself."""

BENCHMARKS = tuple(
    f"benchmarks.{name}"
    for name in ("engine", "pools", "what_if", "charts", "start", "import", "readers", "library", "journal")
)

LOAD_QT = """
import ctypes, pathlib, PySide6.QtWidgets
ctypes.CDLL(str(pathlib.Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
"""


class SetUpError(Exception):
    """The machine lacks something; the message says what, and what to do."""


def say(text: str) -> int:
    """Tell what is going on, at once even into a pipe; return the exit code of success."""
    print(f"slotscope set-up: {text}", flush=True)
    return 0


# ---- the machine -------------------------------------------------------------------------------


def check_python(version: tuple[int, int, int]) -> None:
    """Refuse a Python that is too old, naming a newer one if the machine has it."""
    if version[:2] >= OLDEST_PYTHON:
        return
    newer = [name for name in (f"python3.{minor}" for minor in range(14, 10, -1)) if shutil.which(name)]
    remedy = f"run: make {{run,test}} PYTHON={newer[0]}" if newer else "install a newer Python and try again"
    raise SetUpError("this is Python {}.{}.{}; Slotscope needs 3.11 or newer; {}.".format(*version, remedy))


def check_glibc(version: str) -> None:
    """Refuse a system older than the ones Qt is built for; another libc is left to pip to judge."""
    parts = tuple(int(part) for part in version.split(".") if part.isdigit())
    if parts and parts < OLDEST_GLIBC:
        raise SetUpError(f"this system has glibc {version}; Qt needs 2.34 or newer (Debian 12 or later).")


def missing_libraries() -> list[str]:
    """Return the names of the libraries that the loader does not find."""
    missing = []
    for name in LIBRARIES:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def has_font() -> bool:
    """Return whether there is any scalable font: without one Qt draws every letter as a box."""
    folders = [Path(folder).expanduser() for folder in FONT_FOLDERS]
    return any(next(folder.rglob("*.[to]tf"), None) for folder in folders if folder.is_dir())


def can_make_environments() -> bool:
    """Return whether Python came with ensurepip, which Debian keeps in a package of its own."""
    return bool(importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"))


def missing_packages(command: str) -> list[str]:
    """Return the Debian 12 names of all that the system lacks, in the order Qt would stop at them."""
    missing = [LIBRARIES[name] for name in missing_libraries()]
    if not has_font():
        missing.append("fonts-dejavu-core")
    program, package = PROGRAMS.get(command, ("", ""))
    if program and not shutil.which(program):
        missing.append(package)
    if not can_make_environments():
        missing.append(f"python3.{sys.version_info.minor}-venv")
    return missing


def has_64_bit_times() -> bool:
    """Return whether this is a release that renamed packages, as far as /etc/os-release knows."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    version = tuple(int(part) for part in release.get("VERSION_ID", "").split(".") if part.isdigit())
    return version >= {"debian": (13,), "ubuntu": (24, 4)}.get(release["ID"], (math.inf,))


def is_known_to_apt(package: str) -> bool:
    """Return whether apt could install a package of this name."""
    if not shutil.which("apt-cache"):
        return False
    answer = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True, check=False)
    return "Candidate:" in answer.stdout and "Candidate: (none)" not in answer.stdout


def name_here(package: str) -> str:
    """Return what a Debian 12 package is called on this system.

    Apt is asked first; on a fresh machine its lists are empty, then the release decides.
    """
    renamed = TIME_64.get(package)
    if renamed is None or is_known_to_apt(package):
        return package
    return renamed if has_64_bit_times() or is_known_to_apt(renamed) else package


def install_packages(packages: list[str]) -> bool:
    """Install system packages as root; return whether that went well."""
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    apt = ("apt-get", "-o", "Acquire::Retries=3", "-qq")
    lacking = " ".join(map(name_here, packages))
    say(f"this system lacks {lacking}: asking apt for just that (SLOTSCOPE_NO_APT=1 forbids it)")
    subprocess.run([*apt, "update"], env=environment, check=False)
    # with fresh lists the names are certain
    command = [*apt, "install", "-y", "--no-install-recommends", *map(name_here, packages)]
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def may_install() -> bool:
    """Return whether we are root on a system with apt, and not forbidden to use it."""
    forbidden = os.environ.get("SLOTSCOPE_NO_APT", "") not in ("", "0")
    return os.geteuid() == 0 and shutil.which("apt-get") is not None and not forbidden


def lack(packages: list[str]) -> SetUpError:
    """Say which packages the system lacks, with the one line that brings them."""
    count = f"{len(packages)} system package{'s' if len(packages) > 1 else ''}"
    if not shutil.which("apt-get"):
        sonames = {package: soname for soname, package in LIBRARIES.items()}
        names = ", ".join(sonames.get(package, package) for package in packages)
        return SetUpError(f"this system lacks {names}; install what brings them and try again.")
    named = list(map(name_here, packages))
    update = "" if is_known_to_apt(named[0]) else "sudo apt-get update && "
    line = f"{update}sudo apt-get install -y --no-install-recommends {' '.join(named)}"
    return SetUpError(f"this system lacks {count}. Run\n\n    {line}\n\nand try again.")


def wants_browser(command: str) -> bool:
    """Return whether tests on a Debian miss a browser; Ubuntu has it as a snap only, which may not start."""
    if command != "test" or any(map(shutil.which, BROWSERS)):
        return False
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False


def prepare_system(command: str) -> None:
    """Make sure that the system has what Qt loads, a font, and the program that a command starts.

    A browser is installed where that may be, and not asked for elsewhere.
    """
    if not sys.platform.startswith("linux"):
        return
    check_glibc(platform.libc_ver()[1])
    packages = missing_packages(command)
    if packages and may_install() and install_packages(packages):
        importlib.invalidate_caches()
        packages = missing_packages(command)
    if packages:
        raise lack(packages)
    if wants_browser(command) and may_install() and not install_packages([BROWSERS[0]]):
        say("there is no Chromium, so tests that open pages in one are skipped")


# ---- the environment ---------------------------------------------------------------------------


def fingerprint() -> dict[str, str]:
    """Return what an environment depends on: this Python, this folder, the lists of packages."""
    packages = hashlib.sha256()
    for file in (ROOT / "pyproject.toml", *sorted(REQUIREMENTS.glob("*.txt"))):
        packages.update(file.read_bytes())
    python = f"{sys.version} {sys.base_prefix}"
    return {"python": python, "folder": str(ROOT), "packages": packages.hexdigest()}


def read_stamp() -> dict[str, str]:
    """Return the fingerprint of the environment as it was last completed; empty if it never was."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def extras_to_install(
    stamp: dict[str, str], now: dict[str, str], extras: tuple[str, ...]
) -> list[str] | None:
    """Return the extras the environment shall have, or None when it is complete already.

    Extras that were installed before stay, so that `make run` and `make test` in turn change nothing.
    """
    before = set(stamp.get("extras", "").split())
    is_same = PYTHON.exists() and all(stamp.get(key) == value for key, value in now.items())
    return None if is_same and before.issuperset(extras) else sorted(before.union(extras))


def make_environment(stamp: dict[str, str], now: dict[str, str]) -> None:
    """Create .venv, or mend it; start over if it belongs to another Python or has been moved."""
    is_foreign = any(key in stamp and stamp[key] != now[key] for key in ("python", "folder"))
    is_foreign = is_foreign or (VENV.exists() and not PYTHON.exists())
    say(f"{'creating' if is_foreign or not VENV.exists() else 'updating'} the environment in .venv")
    command = [sys.executable, "-m", "venv", *(["--clear"] if is_foreign else []), str(VENV)]
    if subprocess.run(command, check=False).returncode:
        raise SetUpError(f"the environment in {VENV} could not be made; the lines above say why.")


def install_python_packages(extras: list[str]) -> None:
    """Install what requirements/ names by version and hash, trying again when a download fails."""
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet"]
    chosen = [f"--requirement={REQUIREMENTS / name}.txt" for name in ("build", "run", *extras)]
    say("installing Python packages (the first time this fetches about 300 MB)")
    for pause in (*PIP_PAUSES, None):
        if subprocess.run([*pip, "--require-hashes", *chosen], cwd=ROOT, check=False).returncode == 0:
            break
        if pause is None:
            raise SetUpError("pip could not install the packages (see above). Is there a network?")
        say(f"that failed; trying again in {pause} seconds")
        time.sleep(pause)
    itself = ("--no-index", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    if subprocess.run([*pip, *itself], cwd=ROOT, check=False).returncode:
        raise SetUpError("pip could not install Slotscope itself; its lines above say why.")


def check_qt() -> None:
    """Load Qt's widgets and its X11 plugin once, so that a library missing from our table is named here."""
    if not sys.platform.startswith("linux"):
        return
    answer = subprocess.run([str(PYTHON), "-c", LOAD_QT], capture_output=True, text=True, check=False)
    if answer.returncode:
        reason = answer.stderr.strip().splitlines()[-1] if answer.stderr.strip() else "no reason given"
        raise SetUpError(f"Qt does not load: {reason}. Install the system package that brings this library.")


def prepare_environment(extras: tuple[str, ...]) -> None:
    """Bring .venv up to date; a stamp written at the very end tells when there is nothing to do."""
    stamp, now = read_stamp(), fingerprint()
    wanted = extras_to_install(stamp, now, extras)
    if wanted is None:
        return
    make_environment(stamp, now)
    STAMP.unlink(missing_ok=True)
    install_python_packages(wanted)
    check_qt()
    STAMP.write_text(json.dumps({**now, "extras": " ".join(wanted)}), encoding="utf-8")


# ---- what was asked for ------------------------------------------------------------------------


def run_module(*arguments: str) -> int:
    """Run `python -m ...` of the environment in this folder; return its exit code."""
    return subprocess.run([str(PYTHON), "-m", *arguments], cwd=ROOT, check=False).returncode


def has_display() -> bool:
    """Return whether a window can be shown."""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


def run() -> int:
    """Open the sample, or draw and compare its two scenarios when there is no display."""
    if has_display():
        return run_module("explorer", "sample_workloads/five-jobs.workload.json")
    say("no display (DISPLAY and WAYLAND_DISPLAY are not set), so no window: drawing the sample instead")
    FIRST_PICTURE.parent.mkdir(exist_ok=True)
    scenarios = ("five-jobs", "--policies", "fifo,johnson")
    failed = run_module("explorer", "render", *scenarios, "--out", str(FIRST_PICTURE))
    failed = failed or run_module("explorer", "compare", *scenarios)
    return failed or say(f"the picture is {FIRST_PICTURE}")


def check() -> int:
    """Run all style and type checks, also after one has failed; return how many failed."""
    failed = []
    for tool, *arguments in CHECKS:
        text = " ".join((tool, *arguments))
        print(f"$ {text}", flush=True)
        if subprocess.run([str(PYTHON.parent / tool), *arguments], cwd=ROOT, check=False).returncode:
            failed.append(text)
    print(f"checks: {'failed: ' + ', '.join(failed) if failed else 'all passed'}", flush=True)
    return len(failed)


def test() -> int:
    """Run the checks and then the tests, whose summary is the last line; both must pass.

    Windows are drawn offscreen, where no keyboard disturbs them. One process runs a file's tests.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes are begun
    begin = partial(subprocess.Popen, cwd=ROOT, stdout=subprocess.DEVNULL)
    preparing = [begin([str(PYTHON), *arguments]) for arguments in PREPARE]
    checks_failed = check()
    for process in preparing:
        process.wait()
    shared = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
    return run_module("pytest", *shared, "--hypothesis-profile", "ci") or int(checks_failed > 0)


def bench() -> int:
    """Measure engine, what-ifs and charts one after the other; return whether any failed."""
    return max([run_module(module) for module in BENCHMARKS])


COMMANDS: dict[str, tuple[Callable[[], int], tuple[str, ...]]] = {
    "run": (run, ()),
    "test": (test, ("test",)),
    "check": (check, ("test",)),
    "bench": (bench, ("benchmark",)),
    "fuzz": (partial(run_module, "tests.fuzz"), ("test", "fuzz")),
    "mutate": (partial(run_module, "tests.mutations"), ("test", "mutation")),
    "truth": (partial(run_module, "benchmarks.truth"), ("truth",)),
    "docs": (partial(run_module, "sphinx", "-W", "docs", "build/manual"), ("test",)),
    "screenshots": (partial(run_module, "docs.from_code.pictures"), ()),
    "tables": (partial(run_module, "docs.from_code.tables"), ()),
    "audit": (partial(run_module, "requirements.packages", "audit"), ("supply",)),
    "lock": (partial(run_module, "requirements.packages", "lock"), ("supply",)),
    "install": (partial(say, "everything is in place"), ()),
}
"""What each command does after the set-up, and the extras of pyproject.toml that it needs."""


def main() -> int:
    """Set up, then do what was asked for."""
    parser = argparse.ArgumentParser(description="Set Slotscope up, then do what is asked for.")
    parser.add_argument("command", nargs="?", default="install", choices=list(COMMANDS))
    command = parser.parse_args().command
    action, extras = COMMANDS[command]
    try:
        check_python(sys.version_info[:3])
        prepare_system(command)
        prepare_environment(extras)
    except SetUpError as error:
        print(f"slotscope set-up: {error}", file=sys.stderr)
        return 2
    return action()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
