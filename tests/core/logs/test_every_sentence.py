"""Every sentence of an import is said of a file that it is true of: a sentence without a case fails."""

from __future__ import annotations

from functools import cache

import pytest

from tests.core.logs.report_sentences import Case, Sentence, said_of, sentences
from tests.core.logs.sentence_cases import ANY_FILE, HADOOP, RUNS_OF_SPARK
from tests.core.logs.sentence_cases_of_tables import BATCH, TABLES, WORKFLOWS
from tests.paths import DATA

CASES = [*ANY_FILE, *HADOOP, *RUNS_OF_SPARK, *BATCH, *WORKFLOWS, *TABLES]
NAMED = [path for path in sorted(DATA.iterdir()) if path.is_file() and path.suffix != ".md"]
DATA_CASES = [Case((), {path.name: path.read_bytes()}) for path in NAMED]
LAST_RESORT = {"one of its columns is no number"}
"""Sentences that stand where a reader finds no other one: no file is known that leads to them."""
UNREADABLE = "test_open_log.py::test_files_that_cannot_be_read_are_named"
LOCKED = "test_open_log.py::test_a_file_of_a_folder_that_cannot_be_read_is_left_out"
MADE_ELSEWHERE = {
    "{}: cannot be read ({})": LOCKED,
    "a file that cannot be read": LOCKED,
    "{}: there is no such file or folder": UNREADABLE,
    "no file to import; name at least one log or a folder of logs": UNREADABLE,
    "{}: it is a device or a pipe and no file; give a file or a folder of logs": UNREADABLE,
    "a name of {} bytes; {} are the most": "test_archives.py::test_a_name_that_fills_the_memory_is_refused",
    "{} is a sparse file, most of which is not there": "test_archives.py::test_a_sparse_member_is_refused",
    "{}: no table is there any more": "test_unknown_table.py::test_a_table_that_is_gone_is_said",
}
"""Sentences on files that take more than their bytes, and the tests that make these."""


@cache
def said(number: int) -> list[str]:
    return said_of([*CASES, *DATA_CASES][number])


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: CASES[number].says[0][:60])
def test_a_file_gets_the_sentence_that_is_true_of_it(number):
    for sentence in CASES[number].says:
        assert any(sentence in line for line in said(number)), said(number)


def test_every_sentence_has_a_file_that_it_is_true_of():
    lines = {line for number in range(len(CASES) + len(DATA_CASES)) for line in said(number)}
    missing = [
        f"{each.where}: {each.text}"
        for each in sentences()
        if each.text not in MADE_ELSEWHERE.keys() | LAST_RESORT and not any(map(each.is_in, lines))
    ]
    assert missing == []


def test_sentences_without_a_case_have_a_test_of_their_own():
    known = {each.text for each in sentences()}
    for text, place in MADE_ELSEWHERE.items():
        file, _, test = place.partition("::")
        assert text in known
        assert f"def {test}(" in (DATA.parent / "core" / "logs" / file).read_text()


def test_a_sentence_is_found_by_its_parts_in_their_order():
    sentence = Sentence("x", "it has {} cells and the header {}", ("it has", "cells and the header"))
    assert sentence.is_in("line 2: it has 3 cells and the header 4")
    assert not sentence.is_in("cells and the header, it has")
