"""What is sealed cannot be read at a glance, and is opened again by a twin that shares no code with it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.files.sealed import salt_of, sealed

WHOLE = 0xFFFFFFFF


def opened(text: str, salt: int) -> Any:  # Any: JSON
    """Return what is sealed, byte by byte."""
    found = bytearray()
    for place, byte in enumerate(base64.b64decode(text)):
        state = (salt + place) & WHOLE
        state = (state ^ state >> 16) * 0x85EBCA6B & WHOLE
        state = (state ^ state >> 13) * 0xC2B2AE35 & WHOLE
        found.append(byte ^ (state ^ state >> 16) & 0xFF)
    return json.loads(zlib.decompress(bytes(found), -15))


values = st.dictionaries(
    st.sampled_from("abc"), st.lists(st.text(st.characters(codec="ascii", exclude_categories=["C"])))
)


@given(values, st.integers(0, WHOLE))
def test_any_value_comes_back(value: dict[str, list[str]], salt: int) -> None:
    assert opened(sealed(value, salt), salt) == value


def test_it_cannot_be_read_at_a_glance() -> None:
    """Neither as it is, nor decoded, nor inflated."""
    text = sealed({"answer": "the reduces of J2" * 5}, 7)
    assert "answer" not in text
    assert b"reduces" not in base64.b64decode(text)
    try:
        inflated = zlib.decompress(base64.b64decode(text), -15)
    except zlib.error:
        inflated = b""
    assert b"reduces" not in inflated


def test_a_salt_stands_for_a_text() -> None:
    assert salt_of("a") == salt_of("a") != salt_of("b")
    assert 0 <= salt_of("a") <= WHOLE
    assert sealed({"a": 1}, 1) == sealed({"a": 1}, 1) != sealed({"a": 1}, 2)
