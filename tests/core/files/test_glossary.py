"""The words of the manual, as the window explains them."""

from __future__ import annotations

import re

import pytest

from core.files.glossary import glossary, terms_in, with_terms
from tests.paths import ROOT


def test_every_row_of_the_manual_is_a_term() -> None:
    rows = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8").count("| **")
    assert len(glossary()) == rows > 20
    assert len({term.name for term in glossary()}) == rows
    assert not any(mark in term.meaning for term in glossary() for mark in "*`|")


@pytest.mark.parametrize(
    "word",
    [
        "subjob",
        "cyclic piggybacking",
        "stretch",
        "perceived wait",
        "tardiness",
        "malleable",
        "max-min share",
        "release frequency",
        "scan fraction",
        "lazy start",
        "Johnson's order",
    ],
)
def test_a_word_of_the_papers_has_an_example_in_numbers(word: str) -> None:
    (term,) = terms_in(f"what a {word} is")
    assert term.name == word
    assert len(re.findall(r"\b\d+(?:\.\d+)?\b", term.meaning)) >= 2


def test_a_term_says_what_it_means() -> None:
    wave = next(term for term in glossary() if term.name == "wave")
    assert wave.sentence.startswith("Wave: a task's wave is how many tasks of its job and kind ran before")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Map slots", ["map", "slot"]),
        ("waits for maps", ["filler"]),
        ("Overheads: none", ["overheads"]),
        ("Slow start", ["slowstart"]),
        ("Lower bounds and policies", ["lower bound", "policy"]),
        ("idle slot", ["idle slot"]),
        ("Makespan, makespan", ["makespan"]),
        ("waveform, microwave, slot-seconds", []),
        ("", []),
    ],
)
def test_terms_are_found_in_a_text(text: str, names: list[str]) -> None:
    assert [term.name for term in terms_in(text)] == names


def test_a_tip_gets_the_meaning_of_the_words_of_its_heading() -> None:
    assert with_terms("Job", "What the job is called") == (
        "What the job is called\nJob: tasks that belong together, in stages; it arrives, may have a "
        "deadline, and departs when its last task ends."
    )
    assert with_terms("Colour", "Of its blocks") == "Of its blocks"
    assert with_terms("Wave, stage, phase and slot").count("\n") == 2
    assert with_terms("Wave", with_terms("Wave")) == with_terms("Wave")
    assert with_terms("") == ""
