"""Cells of spreadsheets: no text is a formula, numbers are numbers, and every text comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cell_text import cell_of, text_of


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-inf", "=", "-(1)", "-1;2", "'=1"],
)
def test_what_a_spreadsheet_takes_for_a_formula_has_an_apostrophe(text: str) -> None:
    assert cell_of(text) == f"'{text}"
    assert text_of(cell_of(text)) == text


@pytest.mark.parametrize(
    "text", ["-5", "+0.25", "-1e-9", "-32.4 %", "-1,234.50", "-5 s", "-", "job 1", "'s job", "", "5-3", "a=b"]
)
def test_numbers_and_other_texts_stay_as_they_are(text: str) -> None:
    assert cell_of(text) == text
    assert text_of(text) == text


@given(st.text("'=+-@\t\r1aé ", max_size=8))
def test_every_text_comes_back(text: str) -> None:
    assert text_of(cell_of(text)) == text
