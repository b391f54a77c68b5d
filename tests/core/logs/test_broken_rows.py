"""Rows of tables whose texts in quotes have line breaks, read in pieces of any size."""

from __future__ import annotations

import csv
import io
import random

import pytest

from core.logs import broken_rows
from core.logs.broken_rows import in_lines, rows_in_lines
from core.logs.open_log import open_trace

TEXTS = ("a", "two\nlines", "three\r\n\nlines", 'a "word"', "half;a;row", '"', "", "\n")


def table(seed: int) -> tuple[bytes, list[list[str]]]:
    """Return a table as csv writes it, and its rows."""
    draw = random.Random(seed)
    rows = [[draw.choice(TEXTS), str(draw.randrange(99)), draw.choice(TEXTS)] for _ in range(40)]
    text = io.StringIO()
    csv.writer(text, delimiter=";", quoting=csv.QUOTE_MINIMAL, lineterminator="\n").writerows(rows)
    return text.getvalue().encode(), rows


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 7, 50, 10_000])
def test_each_row_is_one_line_whatever_the_pieces_are(monkeypatch, seed, size):
    monkeypatch.setattr(broken_rows, "MAX_CELL", 40)
    data, rows = table(seed)
    pieces = [data[begin : begin + size] for begin in range(0, len(data), size)]
    lines = b"".join(rows_in_lines(pieces)).decode()
    assert lines.count("\n") == data.count(b"\n")
    found = [next(csv.reader([line], delimiter=";")) for line in lines.split("\n") if line.strip()]
    assert [[" ".join(cell.split()) for cell in row] for row in found] == [
        [" ".join(cell.split()) for cell in row] for row in rows
    ]


def test_quotes_that_nothing_closes_take_no_other_row_with_them():
    for data in (b'a;5" disk;1\nb;c;2\nd;e;3\n', b'"a;b;1\nb;"c";2\n', b'"' + b"x\n" * 9000 + b'";1\n'):
        assert in_lines(data) == data
        assert b"".join(rows_in_lines([data])) == data


def test_a_table_of_a_spreadsheet_is_read_with_its_numbers_of_lines(tmp_path):
    path = tmp_path / "bi.csv"
    rows = ['"Last, \r\nnight";0,5;10,25', "B;1;x", '"Last, \r\nnight";1;3']
    path.write_bytes(("\ufeffsep=;\r\njob;start;end\r\n" + "\r\n".join(rows) + "\r\n").encode())
    found = open_trace([path], parameters={"columns": "job=job,start=start,end=end,unit=s"})
    assert [job.name for job in found.workload.jobs] == ["Last, night"]
    assert found.workload.jobs[0].maps.durations.tolist() == [9.75, 2]
    (problem,) = found.report.damage
    assert problem.where == "bi.csv, line 5"
