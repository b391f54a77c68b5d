"""The sentence about runs: worked out by hand, and every figure of it recomputed on samples and real logs."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.explain.explanation_words import cut_name, job_names
from core.explain.run_summary import (
    LinkTo,
    ShownRun,
    Tone,
    run_summary,
    sentence_of,
)
from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.generate.families import FAMILIES, generate
from core.logs.open_log import open_trace
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import EMPTY, Stage
from core.model.time_text import makespan_step, seconds_from_text
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.paths import DATA, TRACES, real_logs

TIME = r"\d+(?:\.\d+)?(?: d| h| min| s)(?: \d+(?:\.\d+)?(?: h| min| s))*"


def shown(schedule: Schedule, key: int, title: str, found: float | None = None) -> ShownRun:
    return ShownRun(key, title, schedule, measure(schedule), found)


def simulated(workload: Workload, cluster: Cluster, policy: str, key: int = 1, **fields) -> ShownRun:
    schedule = simulate(workload, cluster, PolicyChoice(policy), engine="interpreted")
    return shown(schedule, key, policy.capitalize(), **fields)


def jobs_of(*seconds: tuple[float, float]) -> Workload:
    return Workload(
        "test", tuple(Job(f"J{i}", Stage.of(1, m), Stage.of(1, r)) for i, (m, r) in enumerate(seconds, 1))
    )


TWO = jobs_of((6, 1), (2, 5))
ONE_EACH = Cluster(1, 1, 1.0)


def said(*runs: ShownRun, active: int | None = None) -> str:
    return sentence_of(run_summary(runs, runs[0].key, runs[-1].key if active is None else active))


TAIL = "For the last 6 s J2 holds just 1 of 2 slots"
LEFT = "Another schedule could save at most 4 s, without lending slots."


def test_one_run() -> None:
    """J1 maps to 6 s and reduces to 7 s; J2 maps to 8 s and reduces to 13 s, alone to 7 s."""
    assert (
        said(simulated(TWO, ONE_EACH, "fifo"))
        == f"Ends after 13 s. {TAIL}: more slots would save at most 6 s. {LEFT}"
    )


def test_two_runs_differ_by_causes_that_add_up() -> None:
    """The other way round J2 reduces to 7 s; J1 waits for 2 s, maps to 8 s and reduces to 9 s."""
    fifo, johnson = (simulated(TWO, ONE_EACH, policy, key) for key, policy in enumerate(("fifo", "johnson")))
    assert said(fifo, johnson) == (
        f"Fifo ends after 13 s. {TAIL}. "
        "Johnson ends 4 s sooner: 4 s less reduce time, 4 s less waiting for slots, but 4 s more map time. "
        f"What ends last, reduce 1 of J2, starts at 0:08, there at 0:02. "
        f"More slots would save at most 6 s. {LEFT}"
    )
    back = said(johnson, fifo)
    assert "Fifo ends 4 s later: 4 s more reduce time, 4 s more waiting for slots, but 4 s less map" in back
    assert back.endswith("No other schedule is shorter, without lending slots.")


def test_the_same_end() -> None:
    runs = [simulated(TWO, ONE_EACH, "fifo", key) for key in range(2)]
    assert "Fifo ends at the same time." in said(*runs)


def test_a_job_that_comes_late_and_one_that_is_late() -> None:
    job = Job("J1", Stage.of(2, 2.0), EMPTY, arrival=6.0, deadline=7.0)
    text = said(simulated(Workload("test", (job,)), Cluster(2, 1, 1.0), "fifo"))
    assert text.startswith("Ends after 8 s: 6 s of it before J1 came. J1 is late by 1 s.")


def test_others_and_what_a_search_found() -> None:
    runs = [
        simulated(TWO, ONE_EACH, "fifo", 4),
        simulated(TWO, ONE_EACH, "fair", 5),
        simulated(TWO, ONE_EACH, "johnson", 6, found=9.0),
    ]
    text = said(*runs, active=5)
    assert "Johnson saves 4 s, the best plan found saves 4 s." in text
    clauses = run_summary(runs, 4, 5)
    links = {
        words.text: words.key for clause in clauses for words in clause.words if words.link is LinkTo.RUN
    }
    assert links == {"Fifo": 4, "Fair": 5, "Johnson": 6}
    tones = {words.text: words.tone for clause in clauses for words in clause.words}
    assert tones["13 s"] is Tone.STRONG
    assert tones["4 s"] is Tone.BETTER


def test_it_is_about_the_baseline_and_beside_it_the_active_run() -> None:
    runs = [simulated(TWO, ONE_EACH, policy, key) for key, policy in enumerate(("fifo", "johnson", "fair"))]
    assert sentence_of(run_summary(runs, 1, 2)).startswith("Johnson ends after 9 s")
    assert "Fair ends" in sentence_of(run_summary(runs, 1, 2))
    assert "Fifo ends" in sentence_of(run_summary(runs, 1, 0))
    assert "Johnson ends 4 s sooner" in sentence_of(run_summary(runs, 0, 0)), "the fastest"


def test_names_tell_jobs_apart() -> None:
    jobs = tuple(Job(f"job_2010_00{i}", Stage.of(1, 1.0), EMPTY) for i in (1, 2))
    assert job_names(Workload("test", jobs)) == ("job 001", "job 002")
    assert cut_name("Johnson") == "Johnson"
    long = cut_name("application_1457600942802_0093 by night")
    assert len(long) < 24
    assert long.startswith("applicat…")
    assert long.endswith("by night")


def test_it_can_be_stopped() -> None:
    run = simulated(TWO, ONE_EACH, "fifo")
    with pytest.raises(Cancelled):
        run_summary([run], 1, 1, lambda: True)


# ---- every figure, recomputed


@cache
def recorded_and_simulated(name: str) -> tuple[ShownRun, ...]:
    workload = open_trace([DATA / name if (DATA / name).exists() else TRACES / name]).workload
    assert workload.recorded is not None
    record = shown(history_schedule(workload, workload.recorded), 7, "As recorded")
    return record, simulated(workload, workload.cluster, "fifo", 8)


@cache
def two_policies(name: str) -> tuple[ShownRun, ...]:
    workload = generate(name, seed=3) if name in FAMILY_IDS else load_sample(name)
    second = "johnson" if workload.is_map_reduce else "fair"
    return tuple(
        simulated(workload, workload.cluster, policy, key) for key, policy in enumerate(("fifo", second))
    )


RECORDS = (
    "jobtracker-0.20.log",
    *real_logs(
        "hadoop-mapreduce/19-jobs.trace.json.gz",
        "hadoop-mapreduce/sample-job-tracker-logs.gz",
        "hadoop-mapreduce/wordcount.json.gz",
        "spark-truth/dag-N4.eventlog.gz",
        "spark-truth/fifo4-N4.eventlog.gz",
        "dr-elephant/spark_event_log_1",
    ),
)
SAMPLES = ("five-jobs", "three-pools", "spark-application", "facebook", "wordcount")
FAMILY_IDS = tuple(family.id for family in FAMILIES if family.id != "fitted")


def runs_named(name: str) -> tuple[ShownRun, ...]:
    return recorded_and_simulated(name) if name in RECORDS else two_policies(name)


def in_steps(seconds: float, step: float) -> int:
    return round(seconds / step)


@pytest.mark.parametrize("name", [*SAMPLES, *FAMILY_IDS, *RECORDS])
def test_every_figure_is_true(name) -> None:
    runs = runs_named(name)
    one, other = runs
    step = makespan_step(max(one.metrics.makespan, other.metrics.makespan))
    text = sentence_of(run_summary(runs, one.key, other.key))
    ends = re.match(rf"(.+?) ends after ({TIME})", text)
    assert ends, text
    assert in_steps(seconds_from_text(ends[2]), step) == in_steps(one.schedule.finish.max(), step)
    change = in_steps(other.schedule.finish.max(), step) - in_steps(one.schedule.finish.max(), step)
    later = re.search(rf"{re.escape(other.title)} ends (?:({TIME}) (sooner|later)|at the same time)", text)
    assert later, text
    stated = 0 if later[1] is None else in_steps(seconds_from_text(later[1]), step)
    assert stated * (-1 if later[2] == "sooner" else 1) == change
    causes = re.findall(rf"({TIME}) (less|more) ", text)
    signed = [
        in_steps(seconds_from_text(time), step) * (-1 if sign == "less" else 1) for time, sign in causes
    ]
    assert sum(signed) == change, text
    _check_tail(text, one, step)
    _check_lead(text, one, step)
    _check_oddities(text, one)
    saved = re.search(rf"Another schedule could save at most ({TIME})", text)
    if saved:
        left = in_steps(one.metrics.makespan, step) - in_steps(one.metrics.lower_bound, step)
        assert in_steps(seconds_from_text(saved[1]), step) == left


def _check_tail(text: str, run: ShownRun, step: float) -> None:
    tail = re.search(rf"For the last ({TIME}) (.+?) holds? (?:just )?(\d+) of (\d+) slots?", text)
    if tail is None:
        return
    schedule = run.schedule
    begin = schedule.makespan - seconds_from_text(tail[1])
    start, end = schedule.start, schedule.end
    if schedule.record is not None:
        ran = schedule.record.extra
        start = np.r_[start, schedule.record.run.start[ran]]
        end = np.r_[end, schedule.record.run.end[ran]]
    moments = np.unique(np.r_[start[start > begin + step], end[end > begin + step], begin + step])
    most = max(int(np.count_nonzero((start <= at) & (end > at))) for at in moments)
    assert most <= int(tail[3])
    assert int(tail[4]) == schedule.cluster.slots


def _check_lead(text: str, run: ShownRun, step: float) -> None:
    schedule = run.schedule
    columns = schedule.workload.columns
    lead = re.search(rf"({TIME}) of it before (the first task of )?(.+?) (came|was launched)[.:]", text)
    if lead is None:
        return
    job = job_names(schedule.workload).index(lead[3])
    at = schedule.start[columns.job == job].min() if lead[2] else schedule.arrival[job]
    assert in_steps(seconds_from_text(lead[1]), step) == in_steps(float(at), step)


def _check_oddities(text: str, run: ShownRun) -> None:
    failed = re.search(r"(\d+) attempts? failed", text)
    record = run.schedule.record
    if record is not None:
        assert (int(failed[1]) if failed else 0) == record.looks.count("failed")
    late = re.search(r"(\d+) jobs are late|(\S+) is late", text)
    columns = run.schedule.workload.columns
    if record is None:
        many = int(np.count_nonzero(run.schedule.finish > columns.deadline))
        assert (0 if late is None else int(late[1] or 1)) == many


@pytest.mark.parametrize("name", ["facebook", "overlap-waves"])
def test_no_number_of_slots_saves_more(name) -> None:
    run = runs_named(name)[0]
    found = re.search(rf"slots would (?:save at most ({TIME})|not help)", said(run))
    assert found
    schedule, step = run.schedule, makespan_step(run.metrics.makespan)
    cluster = replace(
        schedule.cluster,
        map_slots=50 * schedule.cluster.map_slots,
        reduce_slots=50 * schedule.cluster.reduce_slots,
    )
    many = simulate(schedule.workload, cluster, PolicyChoice("fifo"), engine="interpreted")
    least = schedule.makespan - (seconds_from_text(found[1]) if found[1] else 0.0)
    assert many.makespan >= least - step


@pytest.mark.parametrize("name", real_logs("hadoop-mapreduce/19-jobs.trace.json.gz"))
def test_the_log_of_19_jobs(name) -> None:
    """The figures of the log itself: 4 min 45 s, of which the clean-up of the last job took 3 min 52 s."""
    text = sentence_of(run_summary(recorded_and_simulated(name), 7, 8))
    assert text.startswith("As recorded ends after 2 h 09 min 17 s. For the last 43 min")
    assert "Fifo ends 4 min 45 s sooner: 3 min 52 s less clean-up, " in text
    assert re.search(r"\d+ attempts failed\.", text)
