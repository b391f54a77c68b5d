"""Reading JSON in pieces gives what reading it whole gives, and refuses what that refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import json_pieces
from core.model.json_pieces import TooMuch, cuts_in, loads
from tests.random_tests import examples

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(max_size=6) | st.sampled_from(['\\"[{,:}]', "x\\", '"', "\\\\", "ü€😀\n"])
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=60,
)


@pytest.fixture(autouse=True)
def _short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_pieces, "PIECE", 20)


def read_whole(text: bytes) -> Any:
    return json.loads(text.decode(), object_pairs_hook=_once, parse_constant=int)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands there twice")
    return dict(pairs)


@examples(25)
@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_pieces_make_the_whole(value: Any, as_ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=as_ascii, indent=indent).encode()
    if _has_our_key(value):
        return
    assert repr(loads(text)) == repr(read_whole(text))


def _has_our_key(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, dict) and "\0" in value) or any(map(_has_our_key, inner))


@examples(30)
@given(VALUES, st.data())
def test_what_is_damaged_is_refused_as_by_reading_the_whole(value: Any, data: st.DataObject) -> None:
    text = bytearray(json.dumps(value, indent=1).encode())
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.sampled_from(b'[]{},:"\\0 a\xff'))
    try:
        wanted = repr(read_whole(bytes(text)))
    except ValueError:
        wanted = "refused"
    try:
        got = repr(loads(bytes(text), _once))
    except ValueError:
        got = "refused"
    assert got == wanted or _has_our_key(value)


@pytest.mark.parametrize(
    "text",
    [
        b"[ , 1, 2, 3, 4, 5, 6, 7, 8, 9]",
        b'{"a": 1, "b": 2, "c": 3, "d": 4, "a": 5}',
        b"[1, 2, 3, 4, 5, 6, 7,]",
        b'{"a": 1, "b": 2, "c": 3, }',
        b"[1, 2, 3, 4, 5, NaN, 7, 8]",
        b"[1, 2, 3, 4, 5, 6, 7, 8, 9}",
    ],
)
def test_a_cut_hides_no_fault(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text, _once)


@pytest.mark.parametrize(
    ("limit", "text", "found"),
    [
        ("MAX_LISTS", b"[" + b"[],{}," * 60, "lists and objects"),
        ("MAX_VALUES", b"[" + b"1," * 200, "values"),
        ("MAX_TEXTS", b'["' + b'a","' * 200, "texts"),
    ],
)
def test_what_costs_too_much_is_refused_before_it_is_built(
    limit: str, text: bytes, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_pieces, limit, 100)
    monkeypatch.setattr(json, "loads", None)
    with pytest.raises(TooMuch, match=f"{found} or more; there may be 100 at most") as caught:
        loads(text)
    assert caught.value.byte < len(text)


def test_brackets_and_commas_in_texts_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("MAX_LISTS", "MAX_VALUES", "MAX_TEXTS"):
        monkeypatch.setattr(json_pieces, limit, 2)
    assert cuts_in(json.dumps(["[[,,{{" * 50]).encode()) == []
