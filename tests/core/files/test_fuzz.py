"""Whatever a file holds, reading it ends with a value or with a sentence; never with another exception."""

from __future__ import annotations

import gzip
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.files.session_document import session_from_bytes, session_to_bytes, session_to_json
from core.files.workload_document import workload_from_bytes
from core.files.workload_writing import document_bytes, workload_to_json
from core.model.errors import DocumentError
from tests.core.files.documents import HEADER, SESSION, encoded, odd_values, spoilt, workload_documents
from tests.random_tests import examples

TEXT = document_bytes(workload_to_json(SESSION.state.workload))

json_values = st.recursive(
    odd_values | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
fuzzing = settings(examples(30), suppress_health_check=[HealthCheck.too_slow])


def read_anyway(data: bytes, *, is_session: bool = False) -> None:
    """Read data; only a DocumentError with at least one readable problem may come out."""
    refusal = refusal_of(data, is_session=is_session)
    if refusal is not None:
        assert refusal.problems
        assert all(problem.where and problem.rule for problem in refusal.problems)
        assert max(map(len, str(refusal).splitlines())) < 1000


def refusal_of(data: bytes, *, is_session: bool) -> DocumentError | None:
    """Return the error with which data are refused, or None if they are read."""
    try:
        session_from_bytes(data, "x") if is_session else workload_from_bytes(data, "x")
    except DocumentError as error:
        return error
    return None


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Draw a file with up to four stretches cut out, repeated or overwritten."""
    data = whole
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 5, 40])))
        data = data[:start] + draw(st.binary(max_size=4) | st.just(data[start:end] * 2)) + data[end:]
    return data


@fuzzing
@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda data: b"\x1f\x8b" + data))
def test_any_bytes(data: bytes) -> None:
    read_anyway(data)
    read_anyway(data, is_session=True)


@fuzzing
@given(damaged(TEXT))
def test_damaged_documents(data: bytes) -> None:
    read_anyway(data)


@fuzzing
@given(damaged(gzip.compress(TEXT, mtime=0)))
def test_damaged_gzip(data: bytes) -> None:
    read_anyway(data)


@fuzzing
@given(json_values, st.dictionaries(st.sampled_from(["jobs", "cluster", "origin", "name"]), json_values))
def test_any_json(value: Any, fields: dict[str, Any]) -> None:
    read_anyway(encoded(value))
    read_anyway(encoded(HEADER | fields))
    read_anyway(encoded(HEADER | {"jobs": [value, fields]}))


@fuzzing
@given(spoilt(workload_documents))
def test_spoilt_documents(document: dict[str, Any]) -> None:
    read_anyway(encoded(document))


@fuzzing
@given(damaged(session_to_bytes(SESSION)))
def test_damaged_sessions(data: bytes) -> None:
    read_anyway(data, is_session=True)


@fuzzing
@given(spoilt(st.just(session_to_json(SESSION))))
def test_spoilt_sessions(document: dict[str, Any]) -> None:
    read_anyway(encoded(document), is_session=True)
