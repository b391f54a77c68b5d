"""The streaming decoder: several values, damage in any place, and work in proportion to the size."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.logs import json_values
from core.logs.byte_source import MAX_DAMAGED
from core.logs.json_values import Decoded, decode_lines, decode_values
from core.model import json_pieces
from core.model.errors import Problem
from core.model.number_text import grouped

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def values(data: bytes, size: int = 1 << 20) -> list[object]:
    """Decode `data` fed in pieces of `size` bytes; damage comes as a Problem."""
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    return [item.value if isinstance(item, Decoded) else item for item in decode_values(pieces)]


@given(st.lists(JSON_VALUES.map(lambda value: {"x": value}), max_size=5), st.integers(1, 40), st.booleans())
def test_values_come_back_however_the_bytes_are_cut(documents, size, is_pretty):
    text = "\n".join(json.dumps(d, indent=2 if is_pretty else None, ensure_ascii=False) for d in documents)
    assert values(text.encode(), size) == documents


@pytest.mark.parametrize("read", [decode_values, decode_lines])
def test_an_object_that_would_fill_the_memory_is_left_out(read, monkeypatch):
    monkeypatch.setattr(json_pieces, "MAX_LISTS", 1000)
    monkeypatch.setattr(json_values, "PIECE", 1000)
    bomb = b'{"a": [' + b"[]," * 5000
    first, problem = read(iter([b'{"b": 1}\n', bomb[:9000], bomb[9000:]]))
    assert first.value == {"b": 1}
    assert f"lists and objects or more; there may be {grouped(1000)} at most" in problem.rule
    assert "left out" in problem.rule


def test_values_may_follow_one_another_without_a_line_break():
    assert values(b'\xef\xbb\xbf{"a": 1}{"b": [2]}\r\n \n{"c": null}\n') == [
        {"a": 1},
        {"b": [2]},
        {"c": None},
    ]


def test_lines_are_counted_from_1():
    items = list(decode_values([b'{"a":\n1}\n', b'\n\n{"b": 2}']))
    assert [item.line for item in items if isinstance(item, Decoded)] == [1, 5]


def test_nothing_gives_nothing():
    assert values(b"") == []
    assert values(b" \n ") == []


def test_a_cut_last_object_is_a_problem_after_the_whole_ones():
    first, problem = values(b'{"a": 1}\n{"b": [1, 2, {"c": "d', 5)
    assert first == {"a": 1}
    assert isinstance(problem, Problem)
    assert "the file ends inside an object" in problem.rule
    assert "begins on line 2" in problem.rule


@pytest.mark.parametrize("size", [7, 1 << 20])
@pytest.mark.parametrize(
    "broken",
    [
        '{"b": ]}',
        '{"b": [1, 2}',
        '{"b" 1}',
        '{"b": "no end}',
        '{"b": 1',
        '{"b": {"c": 1}\n',
        "noise",
        '{"b": ' + "9" * 5000 + "}",
        "[" * 5000,
        '{"b": "\x01"}',
    ],
)
def test_decoding_goes_on_after_a_damaged_object(broken, size):
    first, problem, *rest = values(f'{{"a": 1}}\n{broken}\n{{"c": 3}}\n{{"d": 4}}\n'.encode(), size)
    assert first == {"a": 1}
    assert isinstance(problem, Problem)
    assert rest == [{"c": 3}, {"d": 4}]


def test_damage_in_one_long_line_loses_one_object():
    first, problem, last = values(b'{"a": 1}{"b": ]}{"c": 3}')
    assert (first, last) == ({"a": 1}, {"c": 3})
    assert isinstance(problem, Problem)


def test_the_damaged_place_is_told_by_line_and_byte():
    data = '{"a": "ü"}\n{"b":\n  oops}\n'.encode()
    _, problem = values(data)
    assert isinstance(problem, Problem)
    assert problem.where == f"line 3, byte {data.index(b'oops')}"
    assert problem.value == r"'oops}\n'"


def test_bytes_that_are_no_text_do_not_stop_the_decoder():
    (value,) = values(b'{"a": "\xff\xc3"}', 8)
    assert value == {"a": "\udcff\udcc3"}


def test_noise_is_given_up():
    items = values(b'\n{"a" 1}' * (MAX_DAMAGED * 3))
    assert len(items) == MAX_DAMAGED + 1
    assert "the rest is left out" in items[-1].rule  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": [' + b"1, " * 700_000,
        b"{" * 2_000_000,
        b'{"a":\n' * 300_000,
        b'"' + b"x" * 2_000_000,
        b'{"a":"\\' * 200_000,
        b"\n{}" * 300_000,
        b"}" * 2_000_000,
    ],
    ids=["open list", "braces", "nested lines", "open string", "escapes", "tiny objects", "closing braces"],
)
def test_two_megabytes_of_anything_end_soon(data):
    begun = time.thread_time()
    values(data, 1 << 16)
    assert time.thread_time() - begun < 10
