"""Rows parsed many at once are those that are read one by one, or they are left to that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.logs import byte_source, sacct_runs, swf, task_table
from core.logs.byte_source import LONGEST_LINE, line_batches, line_blocks
from core.logs.open_log import open_trace
from core.logs.plain_rows import cells_between, numbers_between_blanks
from core.model.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NUMBERS = ("0", "-1", "12", "3.5", "1e3", ".5", "7.", "00012", "123456789.125", "0.1", "2.675")
ODD = (
    "",
    "+1",
    "nan",
    "inf",
    "1_0",
    "-",
    ".",
    "1-1",
    "1.2.3",
    "0x10",
    "1,5",
    "\x00",
    "é",
    "1;1",
    '"1"',
    "\u0661",
)
WORDS = ("map", "job_1", "", " a b ", "é", "NA", "null", "true", "1", "nan")


@given(
    some.lists(some.lists(some.sampled_from(NUMBERS), min_size=3, max_size=3), min_size=1, max_size=5),
    some.sampled_from([" ", "  ", "\t", " \t "]),
    some.sampled_from(["\n", "\r\n", " \n", "\n\n"]),
    some.sampled_from(["", " ", "\t"]),
)
def test_numbers_are_those_of_python(rows: list[list[str]], blank: str, end: str, before: str) -> None:
    data = "".join(before + blank.join(row) + end for row in rows).encode()
    found = numbers_between_blanks(data, 3)
    assert found is not None
    assert found.T.tolist() == [[float(cell) for cell in row] for row in rows]


@given(
    some.lists(
        some.lists(some.sampled_from([*NUMBERS, *ODD]), min_size=2, max_size=4), min_size=1, max_size=4
    )
)
def test_what_is_odd_is_left_to_others(rows: list[list[str]]) -> None:
    data = "".join(" ".join(row) + "\n" for row in rows).encode()
    found = numbers_between_blanks(data, 3)
    if found is not None:
        lines = [line.split() for line in data.split(b"\n") if line.strip()]
        assert found.T.tolist() == [[float(cell) for cell in line] for line in lines]


@given(
    some.lists(
        some.tuples(
            some.sampled_from([*WORDS, *ODD]),
            some.sampled_from([*NUMBERS, *ODD]),
            some.sampled_from(WORDS),
            some.sampled_from(["", "", ",x"]),
        ),
        min_size=1,
        max_size=6,
    ),
    some.sampled_from(["\n", "\r\n", "\r"]),
)
def test_cells_are_those_between_commas(rows: list[tuple[str, str, str, str]], end: str) -> None:
    data = "".join(f"{word},{number},{last}{more}{end}" for word, number, last, more in rows).encode()
    cells = cells_between(data, ",", 3, [0, 2], [1])
    if cells is None:
        return
    lines = [line.removesuffix("\r").split(",") for line in data.decode().split("\n") if line.strip()]
    assert cells.count == len(lines)
    for place in (0, 2):
        assert cells.texts(place) == [line[place].strip() for line in lines]
    numbers = cells.numbers(1)
    if numbers is not None:
        expected = [float(line[1]) if line[1] else math.nan for line in lines]
        np.testing.assert_array_equal(numbers, expected)


def test_plain_rows_are_taken_at_once() -> None:
    cells = cells_between(b"a,1,x\nb,,y\n\na,2.5,x", ",", 3, [0, 2], [1])
    assert cells is not None
    assert cells.texts(0) == ["a", "b", "a"]
    numbers = cells.numbers(1)
    assert numbers is not None
    np.testing.assert_array_equal(numbers, [1.0, math.nan, 2.5])


def lines_of(data: bytes, size: int) -> list[tuple[int, bytes] | Problem]:
    """Return the lines that are not blank as blocks have them, of a file that comes in pieces."""
    pieces = (data[begin : begin + size] for begin in range(0, len(data), size))
    found: list[tuple[int, bytes] | Problem] = []
    for block in line_blocks(pieces):
        for lines in block.batches():
            found += [lines] if isinstance(lines, Problem) else zip(lines.numbers, lines.data, strict=True)
    return found


@given(
    some.lists(some.sampled_from([b"", b"a", b"bcd", b"\r", b"e" * 40]), max_size=30), some.integers(1, 70)
)
def test_lines_in_blocks_are_all_lines(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_source, "BLOCK_BYTES", 50)
        patch.setattr(byte_source, "LONGEST_LINE", 64)
        found = lines_of(data, size)
    plain = [(number, line.removesuffix(b"\r")) for number, line in enumerate(data.split(b"\n"), 1)]
    assert found == [(number, line) for number, line in plain if line.strip()]


def test_a_line_that_is_too_long_is_one_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_source, "BLOCK_BYTES", 50)
    monkeypatch.setattr(byte_source, "LONGEST_LINE", 64)
    found = lines_of(b"a\n" * 40 + b"x" * 1000 + b"\nb\nc", 16)
    assert [each for each in found if not isinstance(each, Problem)] == [
        *((number, b"a") for number in range(1, 41)),
        (42, b"b"),
        (43, b"c"),
    ]
    assert [each.where for each in found if isinstance(each, Problem)] == ["line 41"]
    assert LONGEST_LINE > 64
    assert list(line_batches([])) == []


def tables() -> Iterator[tuple[str, str]]:
    """Yield names and texts of logs with rows of every sort among many plain ones."""
    random = np.random.default_rng(5)
    for odd in (
        "",
        "j1,map,0,-1,2,h",
        '"j1",map,0,1,2,h',
        ",map,0,1,2,h",
        "j1,map,0,5,2,h",
        "j1,map,,1,,h",
        "x",
    ):
        rows = [
            f"j{i // 9},{'map' if i % 9 < 7 else 'reduce'},t{i % 9},{start},{start + 5.5},h{i % 7}"
            for i, start in enumerate(random.integers(0, 900_000, 400) / 1000)
        ]
        yield "a.csv", "\n".join(["job,kind,task,start,end,host", *rows[:200], odd, *rows[200:]])
    for odd in ("", "; Queue: 3 late", "1 2 3", "nan " * 18, "1.5 " * 18, "1 " * 17 + ";1"):
        rows = [
            f"{i + 1} {9 * i} {i % 5} {i % 50} {1 + i % 3} 1 -1 -1 -1 -1 {i % 4} 1 1 {i % 6} {i % 2} -1 -1 -1"
            for i in range(400)
        ]
        yield "a.swf", "\n".join(["; Version: 2.2", "; MaxProcs: 64", *rows[:200], odd, *rows[200:]])
    yield from listings()


def listings() -> Iterator[tuple[str, str]]:
    """Yield what `sacct` prints, with steps, states and runs of every sort among many plain rows."""
    header = "Cluster|JobID|JobName|User|Partition|Submit|Start|End|Elapsed|State|AllocCPUS|NNodes"
    day = "2024-05-01T00:0"
    for odd in (
        "",
        header,
        "c|x1|a|u|p|||||COMPLETED|1|1",
        f"c|7.0|a|b|u|p|{day}0:00|{day}1:00|{day}2:00|00:01:00|COMPLETED|1|1",
        f"c|7|a|b|u|p|{day}0:00|{day}1:00|{day}2:00|00:01:00|COMPLETED|1|1",
        f"c|7|a|u|p|{day}0:00|{day}2:00|{day}1:00||COMPLETED|1|1",
        f"c|007|a|u|p|{day}0:00+02:00|{day}1:00.5|{day}2:00|00:01:00.250|COMPLETED|2K|1",
        f'c|7_3|"a|u|p|{day}0:00|{day}1:00|{day}2:00|00:01:00|COMPLETED|2|1',
        "c|7.0|a|u",
        "c|99999.0|a|u|p|||||COMPLETED|1|1",
        "c|9+1|\u00e9 |u|p|N/A|2024-02-30T00:00:00|INVALID|1|FAILED|1|1",
    ):
        rows = [
            f"{'c' * (i % 2)}|{1 + i // 3}{('', '', '', '_4', '+1', '.batch')[i % 6]}|app|u{i % 4} |p|"
            f"{day}0:{i % 60:02}|{'Unknown' if i % 23 == 5 else f'{day}1:{i % 7:02}'}|"
            f"{'Unknown' if i % 19 == 3 else f'{day}2:{i % 60:02}'}|"
            f"{'' if i % 31 == 8 else f'00:0{i % 3}:07'}|"
            f"{('COMPLETED', 'FAILED', 'CANCELLED by 7', 'RUNNING', 'NODE_FAIL')[i % 13 % 5]}|"
            f"{'' if i % 17 == 4 else 1 + i % 4}|{1 + i % 2}"
            for i in range(400)
        ]
        yield "listing", "\n".join([header, *rows[:200], odd, *rows[200:]])


@pytest.mark.parametrize(("name", "text"), list(tables()))
def test_a_log_is_the_same_read_one_by_one(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(text)
    for size in ("BLOCK_BYTES", "PACKED_BYTES"):  # so that the first block is not all of the file
        monkeypatch.setattr(byte_source, size, 1 << 10)
    at_once = open_trace([path])
    monkeypatch.setattr(swf, "numbers_between_blanks", lambda *_: None)
    for module in (task_table, sacct_runs):
        monkeypatch.setattr(module, "cells_between", lambda *_: None)
    one_by_one = open_trace([path])
    assert at_once.workload == one_by_one.workload
    assert at_once.report.to_json() == one_by_one.report.to_json()
