"""How true simulations are, estimated from a log that the engine itself made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.fidelity import (
    MUMAK,
    OTHERS,
    OWN,
    SIMMR,
    Fidelity,
    ModelReplay,
    check_fidelity,
    judge,
)
from core.fidelity.fidelity_report import (
    few_jobs_sentence,
    headline_sentence,
    offer_sentence,
    sentences,
    stall_sentences,
)
from core.fidelity.host_stalls import HostStall
from core.fidelity.lent_overheads import LentOverheads
from core.fidelity.log_replays import LogReplays, Work
from core.fidelity.overheads_estimate import Estimate, estimate_overheads, launch_pace
from core.fidelity.overheads_fit import fitted_overheads
from core.fidelity.twin_logs import are_twins
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.job import Job
from core.model.nodes import parse_nodes
from core.model.overheads import Overheads
from core.model.recorded_run import RecordedRun
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import CLEANUP, MAP, SETUP
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.written_application import AFTER, DIAMOND, write_application

TRUE = Overheads(launch_delay=2.0, setup=1.5, cleanup=1.0, fetch=1.8, heartbeat=3.0, hosts=4)


def recorded_workload(seed: int = 3, jobs: int = 12, *, name: str = "log", late: float = 0.0) -> Workload:
    """Return jobs that ran with known overheads, as a log would tell it.

    `late` is added to when setups seem to start, which is how long a host seems to fetch.
    """
    random = np.random.default_rng(seed)
    maps = (int(random.integers(1, 12)) for _ in range(jobs))
    made = tuple(
        Job(f"J{i}", Stage.of(count, random.uniform(2, 5, 5)), Stage.of(2, 4.0), arrival=15.0 * i)
        for i, count in enumerate(maps)
    )
    workload = Workload(name, made, Cluster(8, 4))
    schedule = simulate(workload, replace(workload.cluster, overheads=TRUE), PolicyChoice("fifo"))
    submit = workload.columns.arrival
    setup_start = submit + TRUE.launch_delay + TRUE.heartbeat / (2 * TRUE.hosts) + TRUE.fetch + late
    start = np.concatenate([setup_start, schedule.finish - TRUE.cleanup])
    end = np.concatenate([setup_start + TRUE.setup, schedule.finish])
    nothing = np.full(2 * jobs, np.nan)
    run = RecordedRun(
        jobs=tuple(job.name for job in made),
        titles=("",) * jobs,
        hosts=tuple(f"h{i}" for i in range(TRUE.hosts)),
        submit=submit.copy(),
        launch=submit + TRUE.launch_delay,
        finish=schedule.finish.copy(),
        job=np.tile(np.arange(jobs, dtype=np.int32), 2),
        kind=np.repeat(np.array([SETUP, CLEANUP], np.int8), jobs),
        task=np.full(2 * jobs, -1, np.int32),
        counts=np.zeros(2 * jobs, np.bool_),
        outcome=np.zeros(2 * jobs, np.int8),
        host=np.zeros(2 * jobs, np.int32),
        start=start,
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=end,
    )
    return replace(workload, recorded=run)


def test_overheads_are_found_again_and_called_own_fit() -> None:
    workload = recorded_workload()
    assert estimate_overheads(workload).at(3.0) == TRUE
    checked = check_fidelity(workload)
    assert [replay.title for replay in checked.replays] == [MUMAK, SIMMR, OWN]
    own = checked.replays[-1]
    assert own.largest_error < 1e-9
    assert own.far_off == ()
    assert own.is_apart
    assert checked.headline is checked.plain
    assert checked.plain.mean_error > 0.2
    assert len(checked.plain.far_off) > 3
    assert checked.offered == TRUE
    assert "that is not a proof" in offer_sentence(checked)


def test_the_headline_has_the_overheads_of_other_logs_alone() -> None:
    logs = [recorded_workload(seed, 5, name=f"log{seed}") for seed in (3, 4, 5)]
    judged = judge(logs)
    assert [each.others for each in judged.logs] == [("log4", "log5"), ("log3", "log5"), ("log3", "log4")]
    for each in judged.logs:
        assert each.headline.title == OTHERS
        assert not each.headline.is_apart
        assert each.headline.mean_error < 0.1
        assert each.offered == TRUE
    assert judged.mean(lambda each: each.plain.mean_error) > 0.2
    # whatever one of the logs says of its own cluster does not reach what it is judged by
    absurd = recorded_workload(3, 5, name="log3", late=400.0)
    assert judge([absurd, *logs[1:]]).logs[0].headline.cluster == judged.logs[0].headline.cluster
    assert check_fidelity(absurd, others=logs[1:]).headline.cluster == judged.logs[0].headline.cluster


def test_the_headline_has_the_medians_of_draws_and_their_range() -> None:
    judged, again = (judge([recorded_workload(seed, 5) for seed in (3, 4)]) for _ in range(2))
    spread = judged.logs[0].headline.spread
    assert spread is not None
    other = again.logs[0].headline.spread
    assert other is not None
    assert spread[1:3] == other[1:3]
    low, high = judged.logs[0].headline.ranges
    assert (low <= spread.median.simulated).all()
    assert (spread.median.simulated <= high).all()
    assert (low < high).any()
    assert all((one == two).all() for one, two in zip((low, high), other[3:], strict=True))
    plain = judged.logs[0].plain
    assert all((each == plain.simulated).all() for each in plain.ranges)
    assert 0.001 < spread.median.mean_error < spread.mean_error[1] < 0.1
    assert judged.logs[0].headline.mean_error == spread.median.mean_error
    assert spread.makespan_error[0] <= judged.logs[0].headline.makespan_error <= spread.makespan_error[1]
    assert judged.logs[0].plain.spread is None
    said = headline_sentence(judged.logs[0])
    held = judged.logs[0].headline.jobs_in_range
    assert "drawn anew (20 draws, seed 1): the makespan " in said
    assert f"; {held} of 5 jobs in range, where 90 % should be." in said


def test_overheads_that_are_worse_than_none_are_never_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Setups that seem to start 400 s late were read as 400 s of fetching, and recommended all the same."""
    absurd = recorded_workload(late=400.0)
    checked = check_fidelity(absurd)
    own = checked.replay(OWN)
    assert own is None or own.mean_error < checked.plain.mean_error
    lent = check_fidelity(recorded_workload(4), others=[absurd])
    assert lent.offered is None or lent.headline.mean_error < lent.plain.mean_error
    only_late = replace(TRUE, fetch=400.0)
    log = LogReplays(recorded_workload(), "fifo", Work())
    monkeypatch.setattr(Estimate, "at", lambda *_: only_late)
    monkeypatch.setattr(Estimate, "fetches", lambda *_: np.full(3, 400.0))
    assert log.mean_error(only_late) > log.mean_error(None)
    assert fitted_overheads([log]) is None


def test_without_overheads_that_help_plain_simmr_is_the_headline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Estimate, "at", lambda *_: replace(TRUE, fetch=400.0))
    alone = check_fidelity(recorded_workload())
    assert (alone.headline, alone.offered, len(alone.replays)) == (alone.plain, None, 2)
    assert (
        offer_sentence(alone)
        == "No overheads are offered: none bring this log nearer than tasks and their shuffles alone do."
    )
    among = judge([recorded_workload(seed, 5) for seed in (3, 4)]).logs[0]
    assert (among.headline, among.offered) == (among.plain, None)
    assert "none bring the other logs nearer" in offer_sentence(among)
    assert "without overheads, which fit the other logs best" in headline_sentence(among)


def test_overheads_that_fit_the_others_alone_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = LentOverheads(replace(TRUE, fetch=60.0), np.zeros(0), np.zeros(0))
    monkeypatch.setattr("core.fidelity.fidelity.fitted_overheads", lambda *_, **__: slow)
    checked = judge([recorded_workload(seed, 5) for seed in (3, 4)]).logs[0]
    assert checked.headline.title == OTHERS
    assert checked.headline.mean_error > checked.plain.mean_error
    assert checked.offered is None
    assert "no nearer than tasks and their shuffles alone" in offer_sentence(checked)


def test_a_log_is_not_judged_with_itself() -> None:
    logs = [recorded_workload(seed, 3, name=name) for seed, name in ((3, "log"), (3, "copy"), (4, "b"))]
    judged = judge(logs)
    assert len(judged.logs) == 2
    assert judged.left_out == (("log", "log: it has jobs of copy, and each job counts once"),)
    part = recorded_workload(3)
    assert part.recorded is not None
    fewer = replace(part.recorded, jobs=("other", *part.recorded.jobs[1:]), submit=part.recorded.submit - 7)
    assert not are_twins(part.recorded, replace(part, recorded=fewer)), "as named, but they took longer"
    fewer = replace(part.recorded, jobs=("other", *part.recorded.jobs[1:]), hosts=("a", "b", "c", "d"))
    assert are_twins(part.recorded, replace(part, recorded=fewer)), "most of its jobs, on other hosts"
    with pytest.raises(InputError, match="copy: it has jobs of log"):
        check_fidelity(recorded_workload(3), others=[recorded_workload(3, name="copy")])


def of_hosts(workload: Workload, hosts: int) -> Workload:
    assert workload.recorded is not None
    names = tuple(f"h{i}" for i in range(hosts))
    return replace(workload, recorded=replace(workload.recorded, hosts=names))


def test_logs_of_other_clusters_lend_nothing() -> None:
    """One that shows three times as many hosts does; one with fewer slots than hosts lacks what ran there."""
    logs = [recorded_workload(seed, 3, name=f"log{seed}") for seed in (3, 4, 5)]
    large = of_hosts(recorded_workload(6, 3, name="large"), 12)
    judged = judge([logs[0], large])
    assert [each.others for each in judged.logs] == [("large",), ("log3",)]
    larger = of_hosts(recorded_workload(6, 3, name="larger"), 13)
    judged = judge([*logs, larger])
    assert [each.others for each in judged.logs[:2]] == [("log4", "log5"), ("log3", "log5")]
    checked = judged.logs[-1]
    assert (checked.others, checked.shows_its_cluster) == ((), False)
    assert checked.headline is checked.plain
    assert "fewer slots than hosts" in offer_sentence(checked)
    unlike = judge(logs[:1], others=[larger])
    assert unlike.logs[0].headline is unlike.logs[0].plain
    assert [(name, "another cluster" in why) for name, why in unlike.left_out] == [("larger", True)]


def test_only_hosts_and_slots_are_the_judged_logs_own() -> None:
    log = LogReplays(recorded_workload(3, 3), "fifo", Work())
    lent = replace(TRUE, hosts=20, maps_per_heartbeat=3)
    assert log.replay(lent).cluster.overheads == replace(lent, hosts=4)  # it shows none of its own


def test_few_jobs_are_warned_of() -> None:
    few = check_fidelity(recorded_workload(jobs=2))
    assert few_jobs_sentence(few) == "Only 2 jobs: their mean error says little."
    assert few_jobs_sentence(few) in sentences(few)
    assert few_jobs_sentence(check_fidelity(recorded_workload(jobs=5))) == ""


def test_the_pace_of_launches_is_seen_while_jobs_wait_for_theirs() -> None:
    run = recorded_workload().recorded
    assert run is not None
    submit = np.array([0.0, 0.1, 0.2, 0.3, 100.0, 200.0, 200.1, 205.0, 400.0, 400.1, 400.2, 600.0])
    launch = np.array([5.0, 10.0, 10.0, 20.0, 104.0, 206.0, 211.0, 216.0, 404.0, 409.0, 500.0, 605.0])
    workload = replace(recorded_workload(), recorded=replace(run, submit=submit, launch=launch))
    # alone: 5, 4, 6, 4 and 5 s; apart: 5, 0, 10, 5, 5 and 5 s, and 91 s, in which the cluster stood still
    pace = launch_pace(workload)
    assert (pace.delay, pace.interval, pace.ahead) == (5.0, 5.0, 0)
    assert pace.delays.tolist() == [5, 4, 6, 4, 5]
    nowhere = replace(run, launch=np.full(12, np.nan))
    pace = launch_pace(replace(workload, recorded=nowhere))
    assert (pace.delay, pace.interval, pace.ahead) == (0, 0, 0)


def test_clusters_with_containers_have_overheads_and_those_with_nodes_have_none() -> None:
    workload = recorded_workload(jobs=3)
    untyped = check_fidelity(replace(workload, cluster=Cluster(0, 0, containers=12)))
    assert [replay.title for replay in untyped.replays] == [MUMAK, SIMMR, OWN]
    assert untyped.replays[-1].mean_error < untyped.plain.mean_error / 2
    nodes = Cluster(0, 0, nodes=parse_nodes("4x4GB,4"))
    checked = check_fidelity(replace(workload, cluster=nodes), others=[recorded_workload(4, 3)])
    assert [replay.title for replay in checked.replays] == [MUMAK, SIMMR]
    assert "nodes" in offer_sentence(checked)
    pools = check_fidelity(workload, "balanced-pools")
    assert [replay.title for replay in pools.replays] == [MUMAK, SIMMR]


def test_progress_and_cancel() -> None:
    seen: list[float] = []
    check_fidelity(recorded_workload(jobs=3), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    seen.clear()
    with pytest.raises(Cancelled):
        check_fidelity(recorded_workload(), progress=seen.append, should_stop=lambda: len(seen) == 4)
    assert len(seen) == 4


def test_a_workload_without_a_log_is_refused_alone_and_left_out_among_others() -> None:
    no_log = Workload("w", (Job("J1", Stage.of(1, 1.0)),))
    with pytest.raises(InputError, match="does not say what really ran"):
        check_fidelity(no_log)
    judged = judge([recorded_workload(), no_log])
    assert len(judged.logs) == 1
    assert judged.logs[0].others == ()
    assert "does not say what really ran" in judged.left_out[0][1]


def test_many_stalls_are_named_in_a_few_sentences() -> None:
    stalls = tuple(HostStall(f"h{i}", MAP, 60.0 * i, 60.0 * i + 90, (1, 2, 3)) for i in range(7))
    one = np.ones(1)
    plain = ModelReplay(SIMMR, Cluster(1, 1), ("J",), one, one, one, one, 1.0, 1.0)
    said = stall_sentences(Fidelity("log", (), (plain,), stalls))
    assert said[1] == (
        "The map slots of h1 stalled from 1:00 to 2:30 and held 3 tasks that they had been given."
    )
    assert said[4:] == ["And 3 more stalls like these."]


def test_jobs_that_took_no_time_have_a_makespan_to_be_held_against() -> None:
    workload = recorded_workload(jobs=1)
    assert workload.recorded is not None
    workload = replace(workload, recorded=replace(workload.recorded, finish=np.zeros(1)))
    replay = check_fidelity(workload).plain
    assert replay.recorded_makespan == 0.001
    assert replay.makespan_error > 1


def test_logs_of_other_systems_than_hadoop_get_no_overheads(tmp_path):
    logs = [
        open_trace([write_application(tmp_path / name, (DIAMOND, AFTER), cores=(1, 1))]).workload
        for name in ("one", "other")
    ]
    judged = judge(logs[:1], others=[recorded_workload()])
    (checked,) = judged.logs
    assert [replay.title for replay in checked.replays] == [MUMAK, SIMMR]
    assert offer_sentence(checked).startswith(
        "Overheads are those of Hadoop: not modelled for jobs that are graphs"
    )
