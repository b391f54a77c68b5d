"""Millions of values are worked on in parts, and come out as if they had been taken at once."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import in_parts
from core.model.in_parts import collector_at_rest, column, joined, take_apart
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_parts, "SLICE", 3)
    monkeypatch.setattr(in_parts, "GROUP", 3)


def test_lists_become_columns_and_are_let_go_in_slices() -> None:
    document: dict[str, Any] = {"a": [[1, 2.5], list(range(10)), {"b": [None]}], "c": "d"}
    inner = document["a"]
    assert column(inner[1], float).tolist() == list(range(10))
    assert column([], float).tolist() == []
    take_apart(document)
    assert (document, inner) == ({}, [])


@examples(25)
@given(st.lists(st.lists(st.integers(0, 255), max_size=4), max_size=10))
def test_joined_arrays_stand_behind_one_another(lists: list[list[int]]) -> None:
    whole = joined([np.array(each, np.uint8) for each in lists], np.uint8)
    assert whole.dtype == np.uint8
    assert whole.tolist() == [number for each in lists for number in each]


def test_few_arrays_are_joined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    joined_at_once, concatenate = [], np.concatenate

    def note(arrays: Any, **options: Any) -> Any:
        joined_at_once.append(len(arrays))
        return concatenate(arrays, **options)

    monkeypatch.setattr(np, "concatenate", note)
    joined([np.zeros(1)] * 8, np.float64)
    assert joined_at_once == [3, 3, 2]


@pytest.fixture
def _thawed() -> Iterator[None]:
    """Begin with nothing set aside, which the collector would not look at."""
    gc.unfreeze()
    yield
    gc.collect()


@pytest.mark.usefixtures("_thawed")
def test_much_that_was_made_meanwhile_is_old_to_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_parts, "MAX_YOUNG", 100)
    with collector_at_rest():
        assert not gc.isenabled()
        made: list[list[int]] = [[] for _ in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    old = set(map(id, gc.get_objects(generation=2)))
    assert all(id(each) in old for each in made)


@pytest.mark.usefixtures("_thawed")
def test_what_others_have_set_aside_stays_there_if_little_was_made() -> None:
    gc.freeze()
    with collector_at_rest():
        pass
    assert gc.get_freeze_count() > 0


def test_the_collector_rests_until_the_last_one_that_wants_it() -> None:
    with collector_at_rest():
        with collector_at_rest():
            pass
        assert not gc.isenabled()
