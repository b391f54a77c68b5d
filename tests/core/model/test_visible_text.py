"""Text from outside: nothing of it is unseen, and nothing stands in another place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.html_text import escape
from core.logs.logged_job import one_line
from core.model.visible_text import (
    common_ending,
    kept_together,
    shared_application,
    short_names,
    spoken_names,
    visible,
)


@pytest.mark.parametrize(
    "text", ["J1", "é 名 ü", "a\N{NO-BREAK SPACE}b\N{THIN SPACE}c", "می\u200cخواهم", "👩\u200d🔬", "עברית"]
)
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b]0;x\x07", r"\x1b]0;x\x07"),
        ("\u202elive", r"\u202elive"),
        ("J\u200b1\u200d", r"J\u200b1\u200d"),
        ("a\u2066b\ufeff", r"a\u2066b\ufeff"),
        ("\u3164\ud800\U000e0041", r"\u3164\ud800\U000e0041"),
        ("\U000e0fff", r"\U000e0fff"),
        ("one\ntwo\t\r", r"one\ntwo\t\r"),
    ],
)
def test_what_nobody_sees_is_written_out(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_lines_stay_where_several_are_shown() -> None:
    assert visible("one\n\ttwo\r\n", "\n\t") == "one\n\ttwo\\r\n"


def test_it_can_be_written_as_json_has_it() -> None:
    text = json.dumps("\u202e\U000e0041", ensure_ascii=False)
    assert visible(text, write=lambda each: json.dumps(each)[1:-1]) == r'"\u202e\udb40\udc41"'


def test_in_html_it_is_no_markup_either() -> None:
    assert escape("<b>\u202e&") == r"&lt;b&gt;\u202e&amp;"


def test_names_of_logs_lose_it() -> None:
    assert one_line("\u202ee\u200bvil\x1b[1m") == "evil [1m"


def test_what_all_names_end_with_in_brackets():
    assert common_ending(("job 0: count (app-17)", "job 1 (app-17)")) == " (app-17)"
    assert common_ending(("job 0 (app-17)", "job 1 (app-18)")) == ""
    assert common_ending(("job 0 (app-17)",)) == ""
    assert common_ending((" (a)", " (a)")) == ""
    assert common_ending(()) == ""
    assert common_ending(("job 0: count (local-1623281203390)",)) == " (local-1623281203390)"
    assert common_ending((" (local-1623281203390)",)) == ""


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("job_2010_0001", "job_2010_0002"), ("0001", "0002")),
        (("job 3: count (app)", "job 4 (app)"), ("3: count", "4")),
        (("job 0: count (local-1623281203390)",), ("job 0: count",)),
        (("J1", "J2"), ("J1", "J2")),
        (("a long name", "a long name too"), ("name", "name too")),
        (("word-count", "word-counts", "word-"), ("count", "counts", "word-")),
        (("job 0: count at Log.scala:25 (app)", "job 1: count at Log.scala:25 (app)"), ("job 0", "job 1")),
        (("job 0: parquet at N.java:0", "job 1: save at N.java:0"), ("0: parquet", "1: save")),
        (("daily.sales.sql", "daily.costs.sql"), ("sales", "costs")),
        (("12 maps", "13 maps"), ("12 maps", "13 maps")),
    ],
)
def test_short_names_are_what_differs(names, short):
    assert short_names(names) == short


@given(st.lists(st.text("ab_- (1)", max_size=12), min_size=1, max_size=5, unique=True).map(tuple))
def test_short_names_differ_as_names_do(names):
    short = short_names(names)
    assert all(one and one in name for one, name in zip(short, names, strict=True) if name)
    assert len(set(short)) == len(names)


def test_names_in_a_sentence():
    assert spoken_names(("job_2010_0001", "job_2010_0002")) == ("job 0001", "job 0002")
    assert spoken_names(("job 0: read (app-1)", "job 1: write (app-1)")) == ("job 0: read", "job 1: write")
    assert spoken_names(("J1", "J2")) == ("J1", "J2")


def test_the_application_that_all_names_have():
    names = ("job 0: read (local-1623281203390)", "job 1: write (local-1623281203390)")
    assert shared_application(names) == "local-1623281203390"
    assert shared_application((*names, "job 2: write (local-1623281203391)")) == ""
    assert shared_application(("one (app)", "two (app)")) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("wrong by 30 %.", "wrong by 30_%."),
        ("invoices by 2:10: 18 → 100 %", "invoices by 2:10: 18_→_100_%"),
        ("Map → Reduce", "Map → Reduce"),
        ("late by 1 min 54 s", "late by 1_min_54_s"),
        ("2 h 12 min, 3 d 4 h", "2_h_12_min, 3_d_4_h"),
        ("30 × 4 s (1 s to 7.5 s)", "30 × 4_s (1_s to 7.5_s)"),
        ("give -p steps=10", "give -p_steps=10"),
        ("Fair 2 schedules of 64 MB", "Fair 2 schedules of 64_MB"),
    ],
)
def test_no_line_ends_inside_of_a_time_or_before_a_unit(text, shown):
    assert kept_together(text) == shown.replace("_", "\N{NO-BREAK SPACE}")
