"""Keeps the lists of packages beside this file: exact versions, with the hashes of their files.

    python -m requirements.packages lock     choose versions for what pyproject.toml asks for
    python -m requirements.packages audit    ask whether one of them has a known fault

`make lock` and `make audit` call it in an environment that has the tools for it.  Each list is for one
purpose: `build`, `run`, and one for each extra of pyproject.toml.  Versions chosen before are kept where they
still fit: remove a file to choose its versions anew.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
PROJECT = FOLDER.parent / "pyproject.toml"
PROGRAMS = Path(sys.executable).parent
BILL = FOLDER / "slotscope.cdx.json"
"""What Slotscope runs on, as CycloneDX (an SBOM); the wheel carries it."""

COMPILE = (
    *(str(PROGRAMS / "uv"), "pip", "compile", "--quiet", "--universal", "--python-version=3.11"),
    *("--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-config", "-"),
)


def lock() -> int:
    """Choose versions that fit all systems and all purposes together; return whether that failed."""
    asked = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    project = asked["project"]
    run, extras = project["dependencies"], project["optional-dependencies"]
    purposes = {"build": asked["build-system"]["requires"], "run": run}
    purposes |= {name: [*run, *packages] for name, packages in extras.items()}
    with tempfile.TemporaryDirectory() as scratch:
        together = Path(scratch) / "together.txt"
        failed = choose(list(chain(*purposes.values())), together, sorted(FOLDER.glob("*.txt")))
        for name, packages in purposes.items():
            failed = failed or choose(packages, FOLDER / f"{name}.txt", [together])
    if not failed:
        BILL.write_text(bill_of_materials(project["name"], project["version"]), encoding="utf-8")
    return int(failed)


def choose(packages: list[str], file: Path, like: list[Path]) -> bool:
    """Write a list of versions, chosen as in other lists; return whether that failed."""
    command = [*COMPILE, *(f"--constraint={other}" for other in like), f"--output-file={file}"]
    return subprocess.run(command, input="\n".join(packages), text=True, check=False).returncode != 0


def chosen(name: str) -> list[tuple[str, str]]:
    """Return the packages of a list with their versions; some come in several, for older Pythons."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return re.findall(r"^([\w.-]+)==([\w.!+-]+)", text, re.MULTILINE)


def bill_of_materials(name: str, version: str) -> str:
    """Return the bill of what runs, as the lists beside this file are."""
    parts = [component("library", *part) for part in chosen("run")]
    itself = component("application", name, version)
    needs = [{"ref": itself["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}]
    bill: dict[str, Any] = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    bill |= {"metadata": {"component": itself}, "components": parts, "dependencies": needs}
    return json.dumps(bill, indent=1) + "\n"


def component(kind: str, name: str, version: str) -> dict[str, str]:
    """Return one line of the bill."""
    url = f"pkg:pypi/{name}@{version}"
    return {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}


def audit() -> int:
    """Tell the known faults of the chosen versions; 1 if there are any, 2 if not all could be asked about."""
    lists = [f"--requirement={file}" for file in sorted(FOLDER.glob("*.txt"))]
    command = [str(PROGRAMS / "pip-audit"), "--require-hashes", "--disable-pip", "--format=json", *lists]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(answer.stdout)["dependencies"]
    except ValueError:
        say(answer.stderr)
        packages = []
    faults = [(package, fault) for package in packages for fault in package.get("vulns", ())]
    for package, fault in faults:
        remedy = ", ".join(fault["fix_versions"]) or "no version yet"
        say(f"{package['name']} {package['version']}: {fault['id']}, mended in {remedy}")
    asked = sum("vulns" in package for package in packages)
    say(f"{asked} of {len(packages)} packages were checked; {len(faults)} known faults")
    if asked < max(len(packages), 1):
        say("the database of known faults cannot be reached for the others; try again with a network")
        return 2
    return int(bool(faults))


def say(text: str) -> None:
    """Print a line for whoever called."""
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    commands = {"lock": lock, "audit": audit}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(f"usage: python -m requirements.packages {'|'.join(commands)}")
    sys.exit(commands[sys.argv[1]]())
