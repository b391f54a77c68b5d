"""The manual builds without a warning, names every layer, and every command in it works."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from core.files.open_workload import open_workload
from core.study.study import Design, Study
from core.study.verdicts import verdicts
from explorer.cli.run import run
from tests.core.servers.recorded_server import serving
from tests.core.servers.spark_answers import night
from tests.paths import DATA, ROOT

if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytestmark = pytest.mark.usefixtures("qapp")  # a command that draws would make an application of its own
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LOG = DATA / "jobtracker-0.20.log"
PROGRAMS = ("slotscope ", "python -m", "make ")
MAKE = {"run", "test", "check", "bench", "docs", "tables", "screenshots"}
BLOCK = re.compile(r"^```sh\n(.*?)^```|((?:^ {4}.*\n)+)", re.M | re.S)


def commands(page: Path) -> list[list[str]]:
    """Return the commands of a page's blocks, word by word, without their comments, and those of verdicts."""
    blocks = [fenced or indented for fenced, indented in BLOCK.findall(page.read_text(encoding="utf-8"))]
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    lines += dict.fromkeys(each.command for each in verdicts()) if page.stem == "verdicts" else ()
    return [shlex.split(line, comments=True) for line in lines if f"{line} ".startswith(PROGRAMS)]


EVERY_PAGE = [pytest.param(page, id=page.stem) for page in PAGES if commands(page)]


def test_the_manual_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", str(ROOT / "docs"), str(tmp_path / "manual")]
    answer = subprocess.run(
        [*command, "-d", str(tmp_path / "trees")], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "manual" / "reference" / "window.html").exists()


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "benchmarks/README.md"]
)
def test_links_of_pages_outside_the_manual_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (path.parent / link).exists()] == []


def test_pages_that_code_and_texts_name_are_there() -> None:
    folders = ("core", "explorer", "slotscope", "tests", "benchmarks")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")] + list(ROOT.glob("*.md"))
    named = {
        (path.name, page)
        for path in files
        for page in re.findall(r"\bdocs/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert [(name, page) for name, page in sorted(named) if not (ROOT / page).exists()] == []


def test_the_picture_of_the_layers_is_that_of_the_contracts() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [row for contract in reversed(contracts) for row in contract.get("layers", [])]
    names = [name.strip() for row in layers for name in row.split("|")]
    picture = (ROOT / "docs" / "explanation" / "architecture.svg").read_text()
    drawn = re.findall(r"<text [^>]*>(\w+)</text>", picture)
    assert drawn == names


def test_workloads_of_the_page_on_files_open(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    workloads = [block for block in blocks if "slotscope-workload" in block]
    assert len(workloads) >= 2
    workloads += [
        f'{{"format": "slotscope-workload", "version": 1, "jobs": [{OTHER_JOBS}{block}]}}'
        for block in blocks
        if block.startswith('{"name"')
    ]
    for number, text in enumerate(workloads):
        path = tmp_path / f"{number}.workload.json"
        path.write_text(text)
        assert open_workload(path).workload.jobs


OTHER_JOBS = "".join(f'{{"name": "J{k}", "maps": {{"count": 1, "durations": 1}}}},' for k in (1, 2))
"""What jobs of the page may follow."""


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_every_command_of_a_page_works(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("explorer.cli.run._open_window", lambda _words, safe: 0)
    monkeypatch.setattr("explorer.cli.study.study_figures.with_repetitions", one_cell)
    monkeypatch.setattr("core.policy_checks.ranking.ranked_policies", lambda: ("fifo", "fair"))
    (tmp_path / "FB.tsv").write_text((DATA / "swim.tsv").read_text())
    (tmp_path / "TABLE.csv").write_text("App,Type,Begin,Finish\na,MAP,0,9000\na,REDUCE,9000,9900\n")
    job = open_workload(str(LOG)).workload.jobs[0].name
    stand_ins = {"LOG": str(LOG), "OTHER": str(DATA / "rumen-2009.json"), "NAME": job}
    stand_ins |= {"EVENTS": str(DATA / "spark.log"), "las.py": str(ROOT / "resources/policies/las.py")}
    with serving(night(tmp_path)) as server:
        stand_ins |= {"http://HOST:18080": server.url}
        run_all(page, stand_ins, monkeypatch, capsys)


def run_all(
    page: Path,
    stand_ins: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Run the commands of a page, with what stands in for files and servers of the reader."""
    for words in commands(page):
        given = [stand_ins.get(word, word) for word in words[1:]]
        if words[0] == "make":
            assert set(given) <= MAKE
        elif words[0] == "python":
            assert_accepts(given, monkeypatch)
        else:
            given, _, target = (*partition(given, ">"),)
            capsys.readouterr()
            assert run(given) == 0, shlex.join(words) + capsys.readouterr().err
            if target:
                Path(target[0]).write_text(capsys.readouterr().out)


def one_cell(study: Study, repetitions: int | None) -> Study:
    """Return what a study runs here: its first cell, once."""
    assert repetitions is None or repetitions > 0
    assert study.seeds or repetitions is None, "repetitions would all be equal"
    return replace(study, repetitions=1, design=Design("list", ((0,) * len(study.axes),)))


def partition(words: list[str], mark: str) -> tuple[list[str], list[str], list[str]]:
    """Split a list at the first mark, as `str.partition` does."""
    place = words.index(mark) if mark in words else len(words)
    return words[:place], words[place : place + 1], words[place + 1 :]


class Accepted(Exception):
    """The arguments of a command have been understood."""


def assert_accepts(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a module is there and takes these arguments; `test_benchmarks` runs the studies."""
    if words[0] == "-m" and words[1].startswith("benchmarks"):
        parse = argparse.ArgumentParser.parse_args

        def parse_only(parser: argparse.ArgumentParser, *arguments: object) -> NoReturn:
            parse(parser)
            raise Accepted

        start = importlib.import_module(words[1]).main
        with monkeypatch.context() as patched:
            patched.setattr(argparse.ArgumentParser, "parse_args", parse_only)
            patched.setattr(sys, "argv", words[1:])
            with pytest.raises(Accepted):
                start()
