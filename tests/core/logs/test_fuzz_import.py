"""Whatever the bytes are, an import ends in a value or in an InputError; nothing else, and soon."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.logs.readers import READERS, reader_of
from core.model.errors import InputError
from tests import random_tests
from tests.core.logs.packed import PACK
from tests.fuzz.read_log import read_log
from tests.gzipped import gzip_of
from tests.paths import HAND_WRITTEN
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

NAMED = {path.name: path.read_bytes() for path in HAND_WRITTEN}
LOGS = list(NAMED.values())
PACKED = [pack(log) for pack in PACK.values() for log in LOGS]
JSON_LINES = [
    log for name, log in NAMED.items() if name != "sls.json" and b'\n{"' in log.replace(b"\n {", b"\n{")
]
TOKEN = re.compile(rb"[\w.-]+")
STRANGE_TOKENS = st.sampled_from(
    [
        b"",
        b"0",
        b"-1",
        b"1e400",
        b"9" * 30,
        b"nan",
        b'"',
        b"\\",
        b"\0",
        b"\xff",
        b"\t",
        b"\n",
        b"," * 9,
        b"x" * 3000,
    ]
)
STRANGE = st.sampled_from(
    [None, True, -1, 0, 1e308, 10**400, "", "\ud800", "x" * 3000, [], [[]], {}, [None], {"a": 1}, "nan"]
) | st.floats(allow_nan=True)

quick = settings(
    examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def check(folder: Path, content: bytes) -> None:
    path = folder / "log"
    path.write_bytes(content)
    begun = time.thread_time()
    with suppress(InputError):
        read_log(path)
    assert time.thread_time() - begun < 20


def test_every_reader_has_a_log_to_be_changed():
    readers = {reader_of(log) for log in LOGS}
    assert {reader.id for reader in readers if reader} == {reader.id for reader in READERS}


@quick
@given(st.binary(max_size=300), st.booleans())
def test_random_bytes(tmp_path, content, is_packed):
    check(tmp_path, gzip_of(content) if is_packed else content)


@quick
@given(st.sampled_from(LOGS + PACKED), st.data())
def test_cut_logs(tmp_path, log, data):
    check(tmp_path, log[: data.draw(st.integers(0, len(log)))])


@quick
@given(st.sampled_from(LOGS + PACKED), st.data())
def test_logs_with_bytes_changed(tmp_path, log, data):
    changed = bytearray(log)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(log) - 1))
        changed[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    check(tmp_path, bytes(changed))


@quick
@given(st.sampled_from(JSON_LINES), st.data())
def test_logs_with_values_of_the_wrong_type(tmp_path, log, data):
    lines = log.splitlines()
    objects = [i for i, line in enumerate(lines) if line.strip().startswith(b"{")]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.sampled_from(objects))
        value = json.loads(lines[at].rstrip(b"\1"))
        holder, key = data.draw(st.sampled_from(list(_places(value))))
        holder[key] = data.draw(STRANGE)
        lines[at] = json.dumps(value).encode()
    check(tmp_path, b"\n".join(lines))


@quick
@given(st.sampled_from(LOGS), st.data())
def test_logs_with_strange_words_and_numbers(tmp_path, log, data):
    tokens = list(TOKEN.finditer(log))
    chosen = data.draw(st.lists(st.sampled_from(tokens), min_size=1, max_size=6, unique_by=id))
    for token in sorted(chosen, key=lambda token: -token.start()):
        log = log[: token.start()] + data.draw(STRANGE_TOKENS) + log[token.end() :]
    check(tmp_path, log)


@quick
@given(st.sampled_from(LOGS), st.data())
def test_logs_with_lines_lost_repeated_and_moved(tmp_path, log, data):
    lines = log.splitlines(keepends=True)
    chosen = data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=2 * len(lines)))
    check(tmp_path, b"".join(lines[i] for i in chosen))


@quick
@given(st.lists(st.sampled_from(LOGS), min_size=2, max_size=4), st.data())
def test_parts_of_logs_behind_one_another(tmp_path, logs, data):
    parts = [log[data.draw(st.integers(0, len(log))) :] for log in logs]
    check(tmp_path, b"".join(parts))


def _places(value):
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


@pytest.mark.parametrize("log", PACKED)
def test_every_length_of_a_packed_log(tmp_path, log):
    for length in range(0, len(log), 31 if random_tests.is_thorough else 186):
        check(tmp_path, log[:length])
