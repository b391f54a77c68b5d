"""Numbers are grouped in one way, and nothing groups them in another one."""

from __future__ import annotations

import re

import pytest

from core.model.number_text import GROUP, grouped, grouped_digits
from core.model.time_text import plain_number
from tests.paths import ROOT

OTHER_WAYS = re.compile(r"\{[^{}\n]*:,[^{}\n]*\}|THIN SPACE")


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        (0, 0, "0"),
        (999, 0, "999"),
        (23392, 0, "23_392"),
        (-1234567, 0, "-1_234_567"),
        (1234.5, 2, "1_234.50"),
    ],
)
def test_three_digits_are_a_group(number, decimals, text):
    assert grouped(number, decimals) == text.replace("_", GROUP)


def test_digits_are_kept():
    assert grouped_digits(1_000_000.0, 10) == f"1{GROUP}000{GROUP}000"
    assert grouped_digits(0.125, 6) == "0.125"
    assert plain_number(12345.6) == f"12{GROUP}346"


def test_nothing_groups_in_another_way():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("core", "explorer", "slotscope")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "number_text.py"
        for line in path.read_text("utf-8").splitlines()
        if OTHER_WAYS.search(line)
    ]
    assert found == []
