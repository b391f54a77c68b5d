"""Templates go into the library by whole logs and come out as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.files.open_workload import Opened, open_workload
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.links import named_apart
from core.model.workload import Workload
from core.trace_database.search import RunSearch
from core.trace_database.trace_database import Library, import_into, workload_of
from tests.builders import make_job, make_workload
from tests.paths import TRACES


def opened(*jobs, **fields):
    return Opened(Workload("by hand", jobs, **fields), "document")


def ids_of(library, **filters):
    return [template.id for template in library.search(RunSearch(**filters))]


def test_jobs_come_out_as_they_went_in(library):
    first = make_job("J1", (3, [1.5, 2, 0.1]), (2, [4, 5], [0.25], [1, 1e-9]), user="ann", pool="research")
    long = make_job("J2", (900, [i / 7 for i in range(900)]), (0,), shuffle_bytes=5e9)
    assert library.add(opened(first, long)).added == 2
    assert library.jobs(ids_of(library)) == (first, long)


def test_what_a_log_says_is_listed(library, logs):
    added, source = import_into(library, logs / "rumen-2011.json")
    assert (added.added, added.present) == (len(source.workload.jobs), 0)
    template = library.search()[0]
    job = source.workload.jobs[0]
    assert (template.name, template.user, template.pool) == (job.name, job.user, job.pool)
    assert template.submitted == source.report.started / 1000
    assert (template.maps, template.reduces) == (job.maps.count, job.reduces.count)
    assert template.map_seconds == pytest.approx(job.maps.task_durations.sum())
    assert template.shuffle_seconds == pytest.approx(job.reduces.task_typical_shuffle.sum())
    assert template.reduce_seconds == pytest.approx(job.reduces.task_durations.sum())
    assert (template.source, template.format) == ("rumen-2011", "Rumen job trace")


def test_sums_are_over_all_tasks_and_not_over_samples(library):
    library.add(opened(make_job("J", (5, [1, 2]), (3, [10, 20, 30, 40], 0, 0.5))))
    (template,) = library.search()
    assert (template.map_seconds, template.shuffle_seconds, template.reduce_seconds) == (7, 1.5, 60)
    assert (template.tasks, template.work) == (8, 68.5)


def test_a_log_whose_clock_begins_at_zero_has_no_dates(library, logs):
    import_into(library, logs / "swim.tsv")
    assert {template.submitted for template in library.search()} == {None}
    assert max(template.arrival for template in library.search()) > 0


@pytest.mark.parametrize("name", ["rumen-2011.json", "swim.tsv", "tasks.csv", "spark.log", "five-jobs"])
def test_the_same_log_twice_adds_nothing_and_says_so(library, logs, name):
    source = logs / name if (logs / name).exists() else name
    first, _ = import_into(library, source)
    again, _ = import_into(library, source)
    assert (again.added, again.present) == (0, first.added)
    assert "nothing new" in str(again)
    assert library.count() == first.added
    assert library._connection.execute("SELECT count(*) FROM source").fetchone() == (1,)


def test_a_log_that_has_grown_adds_what_is_new(library):
    jobs = [make_job(f"J{i}", (i + 1, i + 1)) for i in range(5)]
    library.add(opened(*jobs[:3]))
    added = library.add(opened(*jobs))
    assert (added.added, added.present) == (2, 3)
    assert str(added) == "by hand: 2 jobs added, 3 jobs there already"


def test_jobs_that_differ_in_anything_are_different_ones(library):
    plain = make_job("J", (2, 3), (1, 4, 1, 2))
    others = (
        make_job("K", (2, 3), (1, 4, 1, 2)),
        make_job("J", (2, 3), (1, 4, 1, 2), user="ann"),
        make_job("J", (2, 3), (1, 4, 1, 2), pool="ads"),
        make_job("J", (2, 3.5), (1, 4, 1, 2)),
        make_job("J", (3, 3), (1, 4, 1, 2)),
        make_job("J", (2, 3), (1, 4, 1, 2.5)),
        make_job("J", (2, 3), (1, 4, 1.5, 2)),
        make_job("J", (2, 3), (1, 4.5, 1, 2)),
        make_job("J", (2, 3), (1, 4, 1, 2), arrival=1.0),
        make_job("J", (2, 3), (1, 4, 1, 2), shuffle_bytes=1.0),
    )
    library.add(opened(plain))
    for number, other in enumerate(others):
        assert library.add(opened(other)).added == 1, number


def test_a_deadline_is_the_workload_s_and_makes_no_other_template(library):
    library.add(opened(make_job("J", (2, 3))))
    assert library.add(opened(make_job("J", (2, 3), deadline=50.0))).added == 0


def test_titles_of_a_recorded_run_can_be_searched(library, logs):
    import_into(library, logs / "jobtracker-0.20.log")
    titles = {template.title for template in library.search() if template.title}
    assert titles
    for title in titles:
        found = library.search(RunSearch(text=title.upper()))
        assert title in {template.title for template in found}


@pytest.mark.parametrize("stop_at", [0, 1])
def test_a_stopped_import_leaves_the_library_as_it_was(library, stop_at):
    library.add(opened(make_job("old", (1, 1))))
    asked = []

    def should_stop():
        asked.append(True)
        return len(asked) > stop_at

    many = [make_job(f"J{i}", (1, 1)) for i in range(1200)]
    with pytest.raises(Cancelled):
        library.add(opened(*many), should_stop=should_stop)
    assert [template.name for template in library.search()] == ["old"]


def test_progress_goes_from_nothing_to_all(library, logs):
    seen = []
    import_into(library, logs / "rumen-2011.json", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_another_connection_s_changes_show(library, path):
    before = library.data_version
    with Library.open(path) as other:
        other.add(opened(make_job("J", (1, 1))))
    assert library.data_version != before
    assert library.count() == 1
    before = library.data_version
    library.add(opened(make_job("K", (1, 1))))
    assert library.data_version == before


def test_ids_that_are_not_there_are_named(library):
    library.add(opened(make_job("J", (1, 1))))
    with pytest.raises(InputError, match=r"no job 7, 9;"):
        library.jobs([7, *ids_of(library), 9])


def test_more_ids_than_sqlite_takes_at_once(library):
    jobs = [make_job(f"J{i}", (1, i + 1)) for i in range(1300)]
    library.add(opened(*jobs))
    ids = ids_of(library)[::-1]
    assert [job.name for job in library.jobs(ids)] == [f"J{i}" for i in range(1299, -1, -1)]


def test_a_workload_has_its_log_s_cluster(library, logs):
    _, source = import_into(library, logs / "rumen-2011.json")
    workload = workload_of(library, ids_of(library), arrivals="recorded")
    assert workload.cluster == source.workload.cluster
    assert [job.arrival for job in workload.jobs] == [job.arrival for job in source.workload.jobs]
    assert workload.columns.duration.tolist() == source.workload.columns.duration.tolist()
    together = workload_of(library, ids_of(library))
    assert {job.arrival for job in together.jobs} == {0.0}


def test_a_workload_from_several_logs(library):
    library.add(opened(make_job("J1", (1, 1)), cluster=Cluster(7, 5)))
    library.add(opened(make_job("J1", (1, 2)), cluster=Cluster(9, 9)))
    workload = workload_of(library, ids_of(library))
    assert [job.name for job in workload.jobs] == ["J1", "J1 (2)"]
    assert workload.cluster == Cluster()


def test_several_logs_without_dates_have_no_recorded_arrivals(library, logs):
    import_into(library, logs / "rumen-2011.json")
    import_into(library, logs / "swim.tsv")
    with pytest.raises(InputError, match="not all of these have dates"):
        workload_of(library, ids_of(library), arrivals="recorded")


def test_dates_of_several_logs_tell_the_arrivals(library, logs):
    import_into(library, logs / "rumen-2011.json")
    import_into(library, logs / "rumen-2009.json")
    dates = {template.name: template.submitted for template in library.search()}
    workload = workload_of(library, ids_of(library), arrivals="recorded")
    for job in workload.jobs:
        assert job.arrival == pytest.approx(dates[job.name] - min(dates.values()))


@pytest.mark.parametrize("ids", [[], [1, 1]])
def test_a_workload_needs_each_job_once(library, ids):
    library.add(opened(make_job("J", (1, 1))))
    with pytest.raises(InputError, match="each of them once"):
        workload_of(library, ids)


def test_names_apart_from_names_that_are_taken():
    jobs = make_workload(make_job("A", (1, 1)), make_job("B", (1, 1))).jobs
    apart = named_apart([*jobs, jobs[0]], ["A", "A (2)"])
    assert [job.name for job in apart] == ["A (3)", "B", "A (4)"]


@pytest.mark.skipif(not TRACES.is_dir(), reason="real logs are no part of the project")
def test_real_logs(library):
    for name in ("trace_3m", "trace_5m", "2m_stream_trace"):
        added, source = import_into(library, TRACES / "hadoop-mapreduce" / f"{name}.json.gz")
        assert added.added == len(source.workload.jobs)
        ids = [t.id for t in library.search() if t.source == source.workload.name]
        again = workload_of(library, ids, arrivals="recorded")
        assert [job.maps for job in again.jobs] == [job.maps for job in source.workload.jobs]
        assert [job.reduces for job in again.jobs] == [job.reduces for job in source.workload.jobs]


def test_a_workload_of_the_library_can_be_opened_again(library, tmp_path):
    from core.files.workload_writing import write_workload

    import_into(library, "five-jobs")
    workload = workload_of(library, ids_of(library))
    write_workload(workload, tmp_path / "w.json")
    assert open_workload(tmp_path / "w.json").workload == workload


def test_what_is_deleted_is_in_the_trash_and_comes_back(library):
    library.add(opened(*(make_job(f"J{i}", (1, i + 1)) for i in range(4))))
    first, second, third, fourth = ids_of(library)
    assert library.delete([second, third, 99]) == 2
    assert library.delete([second]) == 0
    assert ids_of(library) == [first, fourth]
    assert ids_of(library, trashed=True) == [second, third]
    assert library.restore([third, first]) == 1
    assert ids_of(library) == [first, third, fourth]


def test_importing_what_is_in_the_trash_takes_it_back(library):
    log = opened(make_job("J1", (1, 1)), make_job("J2", (1, 2)))
    library.add(log)
    first, second = ids_of(library)
    library.delete([first])
    added = library.add(log)
    assert (added.added, added.restored, added.present) == (0, 1, 1)
    assert str(added) == "by hand: 1 job taken back from the trash, 1 job there already"
    assert ids_of(library) == [first, second]


def test_emptying_the_trash_forgets_jobs_and_logs_for_ever(library):
    library.add(opened(make_job("J1", (1, 1))))
    library.add(Opened(Workload("other", (make_job("J2", (1, 1)),)), "document"))
    first, second = ids_of(library)
    library.delete([first])
    assert library.empty_trash() == 1
    assert library.listed([first, second]).keys() == {second}
    assert [row[0] for row in library._connection.execute("SELECT name FROM source")] == ["other"]
    assert library._connection.execute("SELECT template FROM samples").fetchall() == [(second,)]
    library.add(opened(make_job("J3", (1, 1))))
    assert first not in ids_of(library)  # ids are never given again


def test_runs_of_one_application_are_found_together(library, logs):
    import_into(library, logs / "jobtracker-0.20.log")
    import_into(library, logs / "swim.tsv")
    runs = dict(library.applications())
    assert sum(runs.values()) == library.count()
    assert runs[""] >= library.count(RunSearch(text="job", application=""))
    for application, count in runs.items():
        found = library.search(RunSearch(application=application))
        assert len(found) == count
        assert {template.application for template in found} == {application}


def test_the_same_job_on_another_day_is_another_run(library, logs):
    source = open_workload(logs / "rumen-2011.json")
    later = replace(source, report=replace(source.report, started=source.report.started + 86_400_000))  # type: ignore[type-var]
    library.add(source)
    assert library.add(later).added == len(source.workload.jobs)


def test_a_log_that_begins_at_another_job_has_the_same_runs(library, logs):
    source = open_workload(logs / "rumen-2009.json")
    jobs = source.workload.jobs
    assert len(jobs) > 1
    library.add(source)
    cut = jobs[1].arrival
    rest = tuple(replace(job, arrival=job.arrival - cut) for job in jobs[1:])
    started = source.report.started + round(1000 * cut)
    shorter = Opened(source.workload.with_jobs(rest), "log", replace(source.report, started=started))  # type: ignore[type-var]
    assert library.add(shorter).added == 0


def test_very_many_jobs_of_one_name():
    job = make_job("J", (1, 1))
    names = [one.name for one in named_apart([job] * 20_000, ["J (7)"])]
    assert names[:7] == ["J", "J (2)", "J (3)", "J (4)", "J (5)", "J (6)", "J (8)"]
    assert len(set(names)) == 20_000


@pytest.mark.parametrize("ask", ["templates", "delete", "search"])
def test_numbers_that_no_database_holds(library, ask):
    with pytest.raises(InputError, match="too large for the trace library"):
        library.search(RunSearch(min_tasks=10**30)) if ask == "search" else getattr(library, ask)([10**30])
