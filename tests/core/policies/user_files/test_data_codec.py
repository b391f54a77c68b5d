"""What a policy's process sends is data: it comes back as it was, and anything else is refused unread."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.files.samples import load_sample
from core.model.errors import DocumentError, PolicyError, Problem, SourcePlace
from core.model.schedule import PolicyChoice
from core.policies.registry import policy_class
from core.policies.user_files.data_codec import BadData, decode, encode
from tests.builders import run
from tests.core.policies.user_files.nothing_known import NothingKnown

FIVE = load_sample("five-jobs")


def there_and_back(value):
    text, columns = encode(value, NothingKnown())
    raw = [memoryview(bytearray(column.tobytes())) for column in columns]
    return decode(text, raw, NothingKnown())


@pytest.mark.parametrize(
    "value",
    [
        None,
        (1, 2.5, "a\ud800", True, 10**40),
        [float("inf"), -0.0, 5e-324, ("nested", [])],
        {"a": {1, 2}, (1, 2): frozenset({"x"}), 3: b"\0\xff"},
        slice(1, None, 2),
        Path("/a/b"),
        PolicyChoice("fair", {"x": 0.5}),
        policy_class("fair"),
        SourcePlace("mine.py", 3, "x = 1"),
    ],
)
def test_values_come_back_as_they_were(value):
    assert there_and_back(value) == value
    assert type(there_and_back(value)) is type(value)


@pytest.mark.parametrize(
    "column", [np.arange(6.0).reshape(2, 3), np.array([], np.int32), np.array([True, False])]
)
@pytest.mark.parametrize("writeable", [True, False])
def test_columns_come_back_bit_by_bit(column, writeable):
    column.flags.writeable = writeable
    again = there_and_back((column,))[0]
    assert (again.dtype, again.shape, again.flags.writeable) == (column.dtype, column.shape, writeable)
    assert again.tobytes() == column.tobytes()


def test_a_schedule_comes_back(tmp_path):
    schedule = run(FIVE, FIVE.cluster, "fair")
    again = there_and_back(schedule)
    assert (again.start == schedule.start).all()
    assert again.makespan == schedule.makespan
    assert not again.start.flags.writeable
    assert again.given == schedule.given


@pytest.mark.parametrize(
    "error",
    [
        PolicyError("it failed", SourcePlace("mine.py", 3)),
        DocumentError("x.json", [Problem("jobs[0]", "1", "no")]),
        ZeroDivisionError("division by zero"),
    ],
)
def test_errors_come_back(error):
    again = there_and_back(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_an_error_of_somebody_else_is_told_in_words():
    class Mine(Exception):
        pass

    again = there_and_back(Mine("of my own"))
    assert type(again) is RuntimeError
    assert "of my own" in str(again)


read = partial(decode, columns=[memoryview(bytearray(8))], known=NothingKnown())
HOSTILE = [
    ["value", "os:system", -1],
    ["value", "numpy.testing._private.utils:runstring", -1],
    ["value", "core.model.job:np.ma.core.MaskedArray", -1],
    ["value", "core.model.job:Job", -1, 1],
    ["hook", "core.policies.user_files.policy_process:register_file"],
    ["hook", "core.files.atomic:replace_file"],
    ["hook", "core.policies.policy:Policy.__init_subclass__"],
    ["class", "core.model.job:Job"],
    ["class", "pathlib:Path"],
    ["error", "builtins:SystemExit", ["tuple"], ["mapping"]],
    ["error", "builtins:eval", ["tuple", "1"], ["mapping"]],
    ["named tuple", "collections:OrderedDict"],
    ["named tuple", "core.engine.state:State"],
    ["enum", "core.model.job:Job", "x"],
    ["column", 0, "|O", [1], True],
    ["column", 0, "<f8", [1 << 40], True],
    ["column", 7, "<f8", [1], True],
    ["known", 5],
    ["reduce", "os:system", "true"],
    ["float", "__import__('os')"],
]


@pytest.mark.parametrize("node", HOSTILE, ids=lambda node: " ".join(map(str, node))[:60])
def test_what_is_no_value_of_ours_is_refused(node):
    with pytest.raises(BadData):
        read(json.dumps(node).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b"[1]", b'{"a": 1'])
def test_noise_is_refused(text):
    with pytest.raises(BadData):
        read(text)
