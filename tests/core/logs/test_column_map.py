"""What ``--columns`` says: read and written, and held against the columns that a table has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.logs.column_map import DURATION_UNITS, MEANINGS, UNITS, ColumnMap, column_word
from core.model.errors import InputError
from tests.random_tests import examples

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), max_size=6)
LISTS = st.lists(NAMES.filter(bool), max_size=3).map(tuple)


@st.composite
def maps(draw: st.DrawFn) -> ColumnMap:
    meanings = draw(st.lists(st.sampled_from([m for m in MEANINGS if m != "duration"]), unique=True))
    units = draw(st.sampled_from(list(UNITS))), draw(st.sampled_from(["", *DURATION_UNITS]))
    return ColumnMap(tuple((each, draw(NAMES)) for each in meanings), draw(LISTS), draw(LISTS), *units)


@settings(examples(30))
@given(maps())
def test_what_is_written_is_read_again(columns):
    assert ColumnMap.parse(columns.text()) == columns


def test_a_text_as_it_is_typed():
    text = 'job=JobName, start=Start Time,"end=End, UTC",kind=Type,reduce=REDUCE|R,done=OK,unit=ms'
    assert ColumnMap.parse(text) == ColumnMap(
        (("job", "JobName"), ("start", "Start Time"), ("end", "End, UTC"), ("kind", "Type")),
        ("REDUCE", "R"),
        ("OK",),
        "ms",
    )


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("job", ["'job' is not of the form job=JobName"]),
        ("jobs=a", ["unknown meaning 'jobs'; did you mean 'job'?"]),
        ("job=a,job=b", ["job is named twice"]),
        ("unit=h,duration_unit=date", ["unit is 'h'; choose one of s, ms, us, ns, date", "duration_unit is"]),
        ("end=a,duration=b", ["both end and duration are named"]),
    ],
)
def test_all_that_cannot_be_understood_is_told(text, sentences):
    with pytest.raises(InputError) as caught:
        ColumnMap.parse(text)
    assert all(sentence in str(caught.value) for sentence in sentences)


def test_columns_are_found_by_their_names_numbers_and_the_documented_names():
    names = ("Id", "JobName", "start", "", "kind", "end", "host", "JobName")
    columns = ColumnMap.parse("job=#8,start=jobname,duration=#4,host=")
    assert columns.places(names) == {"job": 7, "start": 1, "duration": 3, "kind": 4}
    assert ColumnMap.parse("job=Id").places(names) == {"job": 0, "start": 2, "kind": 4, "end": 5, "host": 6}
    assert [column_word(names, place) for place in (0, 3, 7)] == ["Id", "#4", "#8"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "job=JobNam,start=#9",
            ["job is to be 'JobNam', and there is no such column; did you mean 'JobName'?"],
        ),
        ("job=JobName", ["no column is named for start and end (or duration)"]),
        ("start=JobName", ["no column is named for job and end (or duration)"]),
    ],
)
def test_columns_that_are_not_there_are_told(text, sentences):
    with pytest.raises(InputError) as caught:
        ColumnMap.parse(text).places(("JobName", "Type"))
    assert all(sentence in str(caught.value) for sentence in sentences)


def test_what_no_document_can_hold_is_left_out():
    """The text stands in descriptions; names in headers are cleaned alike."""
    assert ColumnMap.parse("job=a\udcff\x07b,reduce=\udcff").text() == "job=a  b,unit=s"
