"""A recorded Spark History Server: what is listed, fetched, kept, and read as one workload."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.model.errors import Cancelled, InputError
from core.servers.attach import attached, import_from
from core.servers.server import WantedApplications, parse_moment
from tests.core.servers.recorded_server import Answer, as_json, serving
from tests.core.servers.spark_answers import HOUR, ended, job, listed, log_of, night, zipped
from tests.written_application import STARTED

if TYPE_CHECKING:
    from pathlib import Path

    from core.servers.http_client import RequestLimits

ALL = WantedApplications()


def names(url: str, wanted: WantedApplications, quick: RequestLimits) -> list[str]:
    with attached([url], limits=quick) as servers:
        return [each.title for each in servers.listing(wanted).applications]


def test_a_night_becomes_one_workload_with_true_arrivals(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server:
        imported, fetched, listing = import_from([server.url], ALL, tmp_path, limits=quick)
    assert listing.kinds == ("Spark History Server",)
    assert [job.arrival for job in imported.workload.jobs] == [0.0, 3600.0, 7200.0]
    assert [job.task_count for job in imported.workload.jobs] == [2, 3, 2]
    assert imported.report.started == STARTED
    assert imported.workload.name == f"127.0.0.1:{server.port}"
    assert (fetched.news, fetched.problems) == (3, ())


def test_no_page_of_stages_or_tasks_is_ever_asked_for(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server:
        import_from([server.url], ALL, tmp_path, limits=quick)
    paths = [each.partition("?")[0] for each in server.asked]
    assert paths[:2] == ["/api/v1/version", "/api/v1/applications"]
    assert all(path.endswith("/logs") for path in paths[2:])
    assert len(paths) == 5


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        (ALL, ["app-3", "app-2 attempt 1", "app-1"]),
        (WantedApplications(name="APP-1"), ["app-1"]),
        (WantedApplications(user="bob"), ["app-2 attempt 1"]),
        (WantedApplications(user="bo"), []),
        (WantedApplications(begin=STARTED + HOUR), ["app-3", "app-2 attempt 1"]),
        (WantedApplications(end=STARTED + HOUR), ["app-1"]),
        (WantedApplications(state="running"), ["app-3"]),
        (WantedApplications(state="completed"), ["app-2 attempt 1", "app-1"]),
        (WantedApplications(ids=("app-2", "app-3")), ["app-3", "app-2 attempt 1"]),
        (WantedApplications(ids=("app-2 attempt 1",)), ["app-2 attempt 1"]),
        (WantedApplications(limit=1), ["app-3"]),
    ],
)
def test_filters(tmp_path: Path, quick: RequestLimits, wanted: WantedApplications, titles: list[str]) -> None:
    with serving(night(tmp_path)) as server:
        assert names(server.url, wanted, quick) == titles


def test_the_server_filters_by_date_and_state_itself(tmp_path: Path, quick: RequestLimits) -> None:
    wanted = WantedApplications(
        begin=parse_moment("2023-11-14T22:13:20.5"), end=parse_moment("2023-11-15"), state="completed"
    )
    with serving(night(tmp_path)) as server:
        names(server.url, wanted, quick)
    asked = server.asked[1]
    assert "status=completed" in asked
    assert "minDate=2023-11-14T22%3A13%3A20.500GMT" in asked
    assert "maxDate=2023-11-15T00%3A00%3A00.000GMT" in asked


def test_what_is_beyond_the_limit_is_counted(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server, attached([server.url], limits=quick) as servers:
        assert servers.listing(WantedApplications(limit=2)).more == 1
        with pytest.raises(InputError, match="at least 1"):
            servers.listing(WantedApplications(limit=0))


def test_the_next_time_only_what_is_new_is_fetched(tmp_path: Path, quick: RequestLimits) -> None:
    answers = night(tmp_path)
    keep = tmp_path / "keep"
    with serving(answers) as server:
        import_from([server.url], ALL, keep, limits=quick)
        server.asked.clear()
        again, fetched, _ = import_from([server.url], ALL, keep, limits=quick)
        assert fetched.news == 0
        assert not [path for path in server.asked if path.endswith("/logs")]
        assert len(again.workload.jobs) == 3
        # the third has gone on meanwhile, and a fourth has come
        answers["/api/v1/applications"] = as_json(
            [
                listed("app-1", 0, 10),
                listed("app-2", 3600, 3620, user="bob", attempt="1"),
                listed("app-3", 7200, 7300, stamp=2),
                listed("app-4", 9000, 9020),
            ]
        )
        whole = ended(log_of(tmp_path, "app-3", job(7200), job(7250, stage=1)))
        answers["/api/v1/applications/app-3/logs"] = zipped(whole, "app-3")
        answers["/api/v1/applications/app-4/logs"] = zipped(log_of(tmp_path, "app-4", job(9000)), "app-4")
        server.asked.clear()
        later, fetched, _ = import_from([server.url], ALL, keep, limits=quick)
    asked = [path for path in server.asked if path.endswith("/logs")]
    assert asked == ["/api/v1/applications/app-4/logs", "/api/v1/applications/app-3/logs"]
    assert fetched.news == 2
    assert len(later.workload.jobs) == 5
    kept = [path for path in keep.rglob("*") if path.is_file()]
    assert sorted(path.name for path in kept) == ["app-1.zip", "app-2+1.zip", "app-3.zip", "app-4.zip"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in [*kept, *(each.parent for each in kept)])


def test_an_application_that_runs_opens_as_far_as_it_is(tmp_path: Path, quick: RequestLimits) -> None:
    log = log_of(tmp_path, "app-3", job(7200), job(7300, stage=1))
    cut = log[: log.rindex(b'{"Event": "SparkListenerTaskEnd"') + 40]
    answers = night(tmp_path) | {"/api/v1/applications/app-3/logs": zipped(cut, "app-3.inprogress")}
    with serving(answers) as server:
        imported, _, _ = import_from(
            [server.url], WantedApplications(state="running"), tmp_path, limits=quick
        )
    assert [job.task_count for job in imported.workload.jobs] == [2, 1]
    assert imported.workload.name == "nightly app-3"
    report = " ".join(imported.report.to_text(200).split())
    assert "the log ends before this job does" in report


def test_what_is_wrong_is_told_of_the_log_that_it_is_in(tmp_path: Path, quick: RequestLimits) -> None:
    """Jobs of a log that does not end come when the next log has begun."""
    log = log_of(tmp_path, "app-3", job(7200))
    cut = log[: log.rindex(b'{"Event": "SparkListenerJobEnd"')]
    answers = night(tmp_path) | {"/api/v1/applications/app-3/logs": zipped(cut, "app-3.inprogress")}
    with serving(answers) as server:
        imported, _, _ = import_from([server.url], ALL, tmp_path, limits=quick)
    assert [problem.where.partition(",")[0] for problem in imported.report.damage] == [
        "app-3.zip: app-3.inprogress"
    ]


def test_one_log_that_is_gone_costs_no_other(tmp_path: Path, quick: RequestLimits) -> None:
    answers = night(tmp_path)
    del answers["/api/v1/applications/app-2/1/logs"]
    with serving(answers) as server:
        imported, fetched, _ = import_from([server.url], ALL, tmp_path / "keep", limits=quick)
    assert len(imported.workload.jobs) == 2
    assert [problem.where for problem in fetched.problems] == ["app-2 attempt 1"]
    assert imported.report.damage[0] == fetched.problems[0]
    assert imported.report.damage_count == 1
    assert "it gives no event log of app-2 attempt 1 (any more)" in imported.report.to_text(2000)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer(b"no such app", 404, "text/plain"), "it gives no event log of app-1"),
        (Answer(b"<html>", kind="text/html"), "the event log of app-1 came cut off, or is no zip"),
        (Answer(b"PK\x05\x06" + bytes(18)), r"is this the page of a running application \(port 4040\)\?"),
        (Answer(b"", kind="application/octet-stream"), "the event log of app-1 came cut off, or is no zip"),
    ],
)
def test_a_log_that_cannot_be_had_leaves_nothing(
    tmp_path: Path, quick: RequestLimits, answer: Answer, sentence: str
) -> None:
    answers = night(tmp_path) | {"/api/v1/applications/app-1/logs": answer}
    with serving(answers) as server, pytest.raises(InputError, match=sentence):
        import_from([server.url], WantedApplications(ids=("app-1",)), tmp_path / "keep", limits=quick)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_zip_that_comes_cut_off_is_no_log(tmp_path: Path, quick: RequestLimits) -> None:
    answers = night(tmp_path)
    whole = answers["/api/v1/applications/app-1/logs"]
    cut = whole._replace(body=iter([whole.body[:-30]]), length=-1)
    answers["/api/v1/applications/app-1/logs"] = cut
    with serving(answers) as server, pytest.raises(InputError, match="cut off, or is no zip"):
        import_from([server.url], WantedApplications(ids=("app-1",)), tmp_path, limits=quick)


def test_damaged_lists_give_what_can_be_used(tmp_path: Path, quick: RequestLimits) -> None:
    good = listed("app-1", 0, 10)
    strange = [
        None, 3, [], {}, {"id": 7}, {"id": "../../etc/passwd", "attempts": good["attempts"]},
        {"id": "app-8"}, {"id": "app-9", "attempts": [{}, None, {"startTimeEpoch": "x"}]},
        {"id": "app-7", "attempts": [good["attempts"][0] | {"attemptId": "../x"}]},
        {"id": "app-6", "attempts": [good["attempts"][0] | {"startTimeEpoch": True}]},
        {"id": "app-5", "name": "a\nb\u202e", "attempts": [good["attempts"][0] | {"sparkUser": 5}]},
    ]  # fmt: skip
    answers = night(tmp_path) | {"/api/v1/applications": as_json([*strange, good])}
    with serving(answers) as server, attached([server.url], limits=quick) as servers:
        found = servers.listing(ALL).applications
    assert [(each.id, each.user) for each in found] == [("app-1", "ann"), ("app-5", "")]
    assert found[1].name == "a b"
    for value in (None, {}, "x", 5):
        with serving(answers | {"/api/v1/applications": as_json(value)}) as server:
            assert names(server.url, ALL, quick) == []


def test_what_is_wanted_is_not_there(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server, pytest.raises(InputError, match="no application that is wanted"):
        import_from([server.url], WantedApplications(name="weekly"), tmp_path, limits=quick)


def test_a_server_of_another_kind_is_named_by_what_it_answers(tmp_path: Path, quick: RequestLimits) -> None:
    page = Answer(b"<title>Grafana</title>", kind="text/html")
    with (
        serving({"/api/v1/version": page}) as server,
        pytest.raises(InputError, match="no server that keeps logs; it answered with a page “Grafana”"),
    ):
        names(server.url, ALL, quick)
    with (
        serving({"/api/v1/version": as_json({"version": 1})}) as server,
        pytest.raises(InputError, match="JSON of another kind"),
    ):
        names(server.url, ALL, quick)
    with serving({}) as server, pytest.raises(InputError, match="it answered with error 404"):
        names(server.url, ALL, quick)
    with (
        serving({"/api/v1/version": Answer(b"", 401)}) as server,
        pytest.raises(InputError, match="it asks who you are"),
    ):
        names(server.url, ALL, quick)


def test_stopping_between_two_logs(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server:
        asked = server.asked

        def should_stop() -> bool:
            return any(path.endswith("/logs") for path in asked)

        with pytest.raises(Cancelled):
            import_from([server.url], ALL, tmp_path / "keep", should_stop=should_stop, limits=quick)
    assert [path.name for path in tmp_path.rglob("*.part")] == []


def test_progress_never_falls(tmp_path: Path, quick: RequestLimits) -> None:
    seen: list[float] = []
    with serving(night(tmp_path)) as server:
        import_from([server.url], ALL, tmp_path, progress=seen.append, limits=quick)
    assert seen == sorted(seen)
    assert (min(seen) >= 0, max(seen)) == (True, 1.0)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, quick: RequestLimits) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with serving(night(tmp_path)) as server, pytest.raises(InputError, match="logs cannot be kept there"):
        import_from([server.url], ALL, file, limits=quick)


def test_the_token_is_in_nothing_that_is_kept(tmp_path: Path, quick: RequestLimits) -> None:
    keep = tmp_path / "keep"
    with serving(night(tmp_path)) as server:
        imported, _, _ = import_from([server.url], ALL, keep, "secret-token", limits=quick)
    assert set(server.tokens) == {"Bearer secret-token"}
    assert "secret-token" not in json.dumps(imported.report.to_json())
    assert "secret-token" not in repr(imported.workload)
    assert all(b"secret-token" not in path.read_bytes() for path in keep.rglob("*") if path.is_file())


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "", "99999999"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(InputError, match="give a date like"):
        parse_moment(text)


def test_dates_are_utc_unless_they_say_otherwise() -> None:
    assert parse_moment("1970-01-02") == 86_400_000
    assert parse_moment("1970-01-01T02:00+02:00") == 0
    assert replace(ALL, begin=0) == WantedApplications(begin=0)


def test_one_server_at_two_addresses_is_one(tmp_path: Path, quick: RequestLimits) -> None:
    with serving(night(tmp_path)) as server:
        both = [server.url, server.url.replace("127.0.0.1", "localhost")]
        imported, fetched, _ = import_from(both, ALL, tmp_path / "keep", limits=quick)
    assert (len(imported.workload.jobs), fetched.news) == (3, 3)


def test_times_that_no_file_can_have_are_none(tmp_path: Path, quick: RequestLimits) -> None:
    strange = listed("app-1", 0, 10, stamp=1 << 60)
    answers = night(tmp_path) | {"/api/v1/applications": as_json([strange, strange])}
    with serving(answers) as server:
        imported, fetched, _ = import_from([server.url], ALL, tmp_path / "keep", limits=quick)
    assert (len(imported.workload.jobs), fetched.news) == (1, 1)


def test_applications_that_are_not_listed_are_named(tmp_path: Path, quick: RequestLimits) -> None:
    wanted = WantedApplications(ids=("app-1", "app-9"))
    with serving(night(tmp_path)) as server:
        imported, fetched, _ = import_from([server.url], wanted, tmp_path / "keep", limits=quick)
    assert len(imported.workload.jobs) == 1
    assert [(each.where, each.rule) for each in fetched.problems] == [
        ("app-9", "no server lists it (any more)")
    ]
    assert imported.report.damage == fetched.problems
