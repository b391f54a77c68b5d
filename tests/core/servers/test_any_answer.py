"""Whatever JSON a server answers with, what comes of it is a list, a file, or a sentence."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.errors import InputError
from core.servers.address import parse_address
from core.servers.attach import KINDS
from core.servers.server import Fetch, ServerApplication, WantedApplications
from core.servers.yarn import with_logs

if TYPE_CHECKING:
    from core.servers.server import ServerKind

KEYS = [
    *("apps", "app", "jobs", "job", "tasks", "task", "taskAttempts", "taskAttempt", "entities", "entity"),
    *("id", "attempts", "attemptId", "name", "user", "queue", "state", "type", "events", "eventtype"),
    *("timestamp", "primaryfilters", "dagName", "startTime", "finishTime", "submitTime", "starttime"),
    *("startTimeEpoch", "endTimeEpoch", "lastUpdatedEpoch", "completed", "startedTime", "applicationType"),
    *("mapsTotal", "nodeHttpAddress", "sparkUser", "spark", "About", "clusterInfo", "historyInfo"),
]
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(
        ["job_1_0001", "task_1_0001_m_000000", "dag_1_0001_1", "MAP", "REDUCE", "../x", "\ud800"]
    ),
)
ANSWERS = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)


class AnyClient:
    """Answers with what was drawn, one answer after the other, then with nothing."""

    address = parse_address("http://host:1")

    def __init__(self, answers: list[Any]) -> None:
        self._answers = iter(answers)

    def json(self, _path: str, _query: object = None) -> Any:
        return next(self._answers, None)

    def download(self, _path: str, file: io.BytesIO, on_bytes: Any) -> None:
        on_bytes(file.write(str(next(self._answers, "")).encode("utf-8", "replace")))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
@given(answers=st.lists(ANSWERS, min_size=1, max_size=6))
def test_any_json_becomes_a_list_or_a_sentence(kind: ServerKind, answers: list[Any]) -> None:
    client: Any = AnyClient(answers)
    assert kind.is_one(answers[0]) in (True, False)
    for wanted in (
        WantedApplications(),
        WantedApplications(text="a", user="b", begin=5, end=9, state="running"),
    ):
        found = with_logs(kind.applications(AnyClient(answers), wanted))  # type: ignore[arg-type]
        assert [wanted.has(each) in (True, False) for each in found] == [True] * len(found)
    one = ServerApplication("job_1_0001", "", "", "", "", "", 1, None, 0, "x")
    if kind.fetch is not None:
        with suppress(InputError):
            kind.fetch(one, Fetch(client, io.BytesIO(), lambda _fraction: None))
