"""Whatever the bytes are, an import ends in a value or in an InputError; nothing else, and soon."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.traces.open_trace import Imported, open_trace

DATA = Path(__file__).resolve().parents[2] / "data"
LOGS = [path.read_bytes() for path in sorted(DATA.glob("*.*")) if path.name != "README.md"]
RUMEN = (DATA / "rumen-2009.json").read_bytes()
PACKED = [gzip.compress(log) for log in LOGS]
STRANGE = st.sampled_from(
    [None, True, -1, 0, 1e308, 10**400, "", "\ud800", "x" * 3000, [], [[]], {}, [None], {"a": 1}, "nan"]
) | st.floats(allow_nan=True)

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check(folder: Path, content: bytes) -> None:
    path = folder / "log"
    path.write_bytes(content)
    try:
        imported = open_trace([path])
    except InputError:
        return
    assert isinstance(imported, Imported)
    assert (
        imported.workload.columns.duration.size
        == imported.workload.map_count + imported.workload.reduce_count
    )
    assert imported.report.to_text()
    json.dumps(imported.report.to_json(), allow_nan=False).encode()
    imported.workload.name.encode()
    [(job.name + job.user + job.pool).encode() for job in imported.workload.jobs]


@quick
@given(st.binary(max_size=300), st.booleans())
def test_random_bytes(tmp_path, content, is_packed):
    check(tmp_path, gzip.compress(content) if is_packed else content)


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
@given(st.data())
def test_logs_with_values_of_the_wrong_type(tmp_path, data):
    jobs = [json.loads(line) for line in RUMEN.splitlines()]
    places = list(_places(jobs))
    for _ in range(data.draw(st.integers(1, 4))):
        holder, key = data.draw(st.sampled_from(places))
        holder[key] = data.draw(STRANGE)
    check(tmp_path, "\n".join(json.dumps(job) for job in jobs).encode())


def _places(value):
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


@pytest.mark.parametrize("log", PACKED)
def test_every_length_of_a_packed_log(tmp_path, log):
    for length in range(0, len(log), 7):
        check(tmp_path, log[:length])
