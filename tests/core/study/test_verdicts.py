"""Verdicts on published numbers: one table, which the other pages agree with."""

from __future__ import annotations

import re

from core.study.study_document import preset_paths, read_study
from core.study.verdicts import verdicts, verdicts_of
from tests.paths import ROOT

GRADES = {"impossible for any durations", "impossible for these durations", "not found"}
NUMBERS = (ROOT / "docs" / "explanation" / "published-numbers.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "explanation" / "verdicts.md").read_text("utf-8")


def judged_rows() -> dict[tuple[str, str], str]:
    """Return the verdicts that the page of all numbers names, by paper and place."""
    found = {}
    for paper, section in re.findall(r"^## (00\d)(.*?)(?=^## |\Z)", NUMBERS, re.M | re.S):
        for where, _, _, judgement in re.findall(r"^\| (.+?) \| (.*?) \|(.*)\| (.*?) \|$", section, re.M):
            if named := re.search(r"\[([^\]]+)\]\(verdicts.md\)", judgement):
                found[paper, where] = named[1]
    return found


def test_the_page_of_all_numbers_names_each_verdict_and_no_other() -> None:
    assert judged_rows() == {(each.paper, each.where): each.grade for each in verdicts()}


def test_verdicts_have_one_of_three_grades_a_reason_and_a_command() -> None:
    assert len(verdicts()) == PAGE.count("\n| 00") > 20
    for each in verdicts():
        assert each.published
        assert len(each.because) > 20
        assert each.command.startswith(("slotscope ", "python -m benchmarks."))
    assert {each.grade for each in verdicts()} == GRADES


def test_nothing_is_called_unreachable() -> None:
    """The word says nothing about what forbids it; what was judged wrongly is told once."""
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md") if path.stem != "changelog"]
    said = [page for page in pages if re.search(r"not reachable|unreachable|out of reach", page)]
    assert said == [PAGE]
    assert len(re.findall(r"not reachable|unreachable|out of reach", PAGE)) == 1


def test_a_figure_finds_the_verdicts_about_it() -> None:
    assert [each.where for each in verdicts_of("003, Figure 5a")] == ["Figure 5a: all four ratios together"]
    assert {each.where[:10] for each in verdicts_of("004, Figures 9 and 12")} == {"Figure 9: ", "Figure 12:"}
    assert [each.where for each in verdicts_of("000, Figure 12")] == [
        "Figure 12a: not optimised against BalancedPools",
        "Figure 12c, 10 jobs: the new schedule",
    ]
    assert verdicts_of("000, Figure 12b") == ()
    assert verdicts_of("000, Figure 1") == ()
    assert verdicts_of("") == ()


def test_figures_of_the_presets_have_most_of_the_verdicts() -> None:
    """What is beside no figure of a study is told by the page alone."""
    sources = {figure.source for path in preset_paths().values() for figure in read_study(path).figures}
    drawn = {each for source in sources for each in verdicts_of(source)}
    assert len(drawn) > 0.7 * len(verdicts())
