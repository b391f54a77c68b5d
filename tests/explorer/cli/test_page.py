"""`slotscope page` writes one file, and refuses what does not fit on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.files.samples import sample_paths
from core.files.workload_writing import write_workload
from explorer.cli.run import run
from tests.builders import make_job, make_workload
from tests.unpacked_page import facts_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_page_holds_the_policies_in_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "night.html"
    assert run(["page", "five-jobs", "--policies", "fifo,johnson", "--out", str(path)]) == 0
    assert capsys.readouterr().out.split() == ["Page", "written", "to", str(path)]
    runs = facts_of(path.read_text())["runs"]
    assert [each["title"] for each in runs] == ["FIFO", "Johnson"]
    assert [each["makespan"] for each in runs] == [74.0, 47.0]


def test_without_policies_it_has_the_scenarios_of_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a document of that form, with clusters, orders and pools of their own; else as compare."""
    copied = tmp_path / "rack.workload.json"
    copied.write_bytes(sample_paths()["failed-rack"].read_bytes())
    bare = tmp_path / "bare.workload.json"
    write_workload(make_workload(make_job("J1", (4, 10.0))), bare)
    path, titles = tmp_path / "x.html", {}
    monkeypatch.setattr("core.simulation.best_policies.best_policies", lambda *_given, **_more: [])
    for source in ("five-jobs", "overlap-waves", str(copied), str(bare)):
        assert run(["page", source, "--out", str(path)]) == 0
        titles[source] = [each["title"] for each in facts_of(path.read_text())["runs"]]
    assert titles["five-jobs"] == ["FIFO", "Johnson"]
    assert titles["overlap-waves"] == ["A: 12 maps, B: 13 maps"]
    rack = ["FIFO to the end", "Invoices before the backup", "Had the rack not failed"]
    assert titles[str(copied)] == rack
    assert titles[str(bare)] == ["FIFO"]


def test_sizes_of_the_cluster_are_inside(tmp_path: Path) -> None:
    path = tmp_path / "sizes.html"
    words = ["page", "five-jobs", "--policies", "fifo,johnson", "--sizes", "15,30", "--out", str(path)]
    assert run(words) == 0
    facts = facts_of(path.read_text())
    assert facts["variants"] == ["15 + 15 slots", "30 + 30 slots"]
    assert [(each["title"], each["variant"]) for each in facts["runs"]] == [
        ("FIFO", 0),
        ("Johnson", 0),
        ("FIFO", 1),
        ("Johnson", 1),
    ]
    assert [each["makespan"] for each in facts["runs"]] == [148.0, 94.0, 74.0, 47.0]
    changes = [each["change"] for each in facts["runs"]]
    assert (changes[0], changes[2]) == ("", "")  # each size has a baseline of its own
    assert changes[1] == changes[3]


@pytest.mark.parametrize("sizes", ["0", "10,x", "1e3", "-5", "99999999999"])
def test_sizes_that_are_none_are_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sizes: str
) -> None:
    words = ["page", "five-jobs", "--policies", "fifo", f"--sizes={sizes}", "--out", str(tmp_path / "x.html")]
    assert run(words) == 2
    assert "give whole numbers from 1 to 100000" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_clusters_times_policies_are_charts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["page", "five-jobs", "--policies", "fifo,sjf,johnson", "--sizes", "1,2,3,4,5"]
    assert run([*words, "--out", str(tmp_path / "x.html")]) == 2
    assert "3 policies on 5 clusters; a page holds at most 12 charts" in capsys.readouterr().err


def test_too_many_policies_are_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = ",".join(["fifo"] * 13)
    assert run(["page", "five-jobs", "--policies", many, "--out", str(tmp_path / "x.html")]) == 2
    assert "a page holds at most 12" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
