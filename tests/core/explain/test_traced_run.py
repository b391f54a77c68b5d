"""A run that is listened to: what a policy prints, what is watched, where it stops; by hand on tiny jobs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.explain import printed_output, recorder
from core.explain.expressions import read_expression
from core.explain.trace import Trace, Wanted, WatchFor
from core.explain.traced_run import trace_here, traced_run
from core.explain.vocabulary import Vocabulary
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError, PolicyError
from core.model.number_text import grouped
from core.model.overheads import Overheads
from core.model.schedule import Fork, PolicyChoice
from core.model.task_types import MAP
from core.policies.own_policies import register_policy
from core.policies.registry import POLICIES
from core.policies.user_files import policy_process
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import read_policy_file
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "from core.policies.policy import MAP, Policy\nLIMIT = 3\n\n\nclass Mine(Policy):\n"
TWO = make_workload(make_job("J1", (2, 4.0)), make_job("J2", (1, 3.0)))
"""On one map slot the job with fewer tasks left goes first: J2 from 0 to 3 s, J1 to 7 and to 11 s."""
SLOT = Cluster(1, 1)
LEFT = "    def key(job, kind):\n        {}\n        return job.tasks[kind] - job.started[kind]\n"
FEWEST = HEAD + LEFT.format("pass")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


def traced(path: Path, text: str = FEWEST, wanted: Wanted | None = None, **named: Any) -> Trace:
    path.write_text(text, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(path)))
    return traced_run(TWO, SLOT, PolicyChoice("mine"), wanted or Wanted(), **named)


def test_what_it_prints_has_time_slot_job_and_line(mine: Path, capfd: pytest.CaptureFixture[str]) -> None:
    trace = traced(mine, HEAD + LEFT.format("print(job.tasks[kind], 'of', job.rank)"))
    decisions = trace.decisions
    assert decisions.time.tolist() == [0, 3, 7]
    assert (decisions.job.tolist(), decisions.kind.tolist()) == ([1, 0, 0], [MAP] * 3)
    assert (decisions.slot.tolist(), decisions.start.tolist()) == ([0, 0, 0], [0, 1, 2])
    said = [(trace.time_of(each.decision), each.job, each.text) for each in trace.printed]
    assert said == [(0, 0, "2 of 0"), (0, 1, "1 of 1"), (3, 0, "2 of 0"), (7, 0, "2 of 0")]
    assert {(each.function, each.line, each.kind) for each in trace.printed} == {("key", 7, MAP)}
    assert capfd.readouterr() == ("", "")


def test_what_is_printed_before_the_run_and_in_parts(mine: Path) -> None:
    text = "    def order():\n        print('one', end=' '); print('two\\nthree')\n        return [1, 0]\n"
    trace = traced(mine, HEAD + text)
    assert [(each.decision, each.function, each.text) for each in trace.printed] == [
        (-1, "order", "one two"),
        (-1, "order", "three"),
    ]


def test_more_lines_than_there_is_room_for_are_counted(mine: Path) -> None:
    most = printed_output.MAX_LINES
    many = f"[print('x' * (5000 if _ == 0 else 1)) for _ in range({most // 3})]"
    trace = traced(mine, HEAD + LEFT.format(many))
    assert len(trace.printed) == most
    assert trace.printed_left_out == 4 * (most // 3) - most
    assert len(trace.printed[0].text) == printed_output.LONGEST_LINE


def test_breakpoint_is_a_stop_and_the_run_goes_on(mine: Path) -> None:
    text = HEAD + LEFT.format("left = job.tasks[kind]; breakpoint() if job.started[kind] else None")
    trace = traced(mine, text)
    (stop,) = trace.stops
    assert (stop.decision, stop.condition, stop.job, stop.line, stop.function) == (2, -1, 0, 7, "key")
    assert stop.values == (("job", "job J1"), ("kind", "map"), ("left", "2"))
    assert trace.fault is None
    assert trace.place_of(stop.decision) == (7.0, 0)
    assert simulate(TWO, SLOT, PolicyChoice("mine")).makespan == 11  # nobody listens there


def test_input_is_refused_in_a_sentence(mine: Path) -> None:
    trace = traced(mine, HEAD + LEFT.format("input('which? ')"))
    assert trace.fault is not None
    assert trace.fault.sentence == (
        "policy mine waits for input() at 0:00: nothing can be typed there; let the policy have a "
        "parameter instead (looking at J1)"
    )
    assert trace.fault.place is not None
    assert trace.fault.place.line == 7


def test_a_line_that_has_no_end_when_the_run_fails_is_kept(mine: Path) -> None:
    trace = traced(mine, HEAD + LEFT.format("print('half', end=''); 1 // 0"))
    assert trace.fault is not None
    assert [each.text for each in trace.printed] == ["half"]


def test_a_run_that_fails_tells_what_was_before(mine: Path) -> None:
    trace = traced(mine, HEAD + LEFT.format("print(1 // (2 - job.started[kind] - job.done[kind]))"))
    assert trace.fault is not None
    assert "raised ZeroDivisionError at 0:07" in trace.fault.sentence
    assert len(trace.printed) == 3
    assert trace.decisions.job.tolist() == [1, 0, -1]


# ---- watches


WATCHES = (
    WatchFor("job.started[MAP]"),
    WatchFor("key(job)", of_all=True),
    WatchFor("J2: job.done[MAP] + now"),
    WatchFor("key of J1"),
    WatchFor("cluster.free"),
    WatchFor("LIMIT * 2"),
    WatchFor("job"),
)


def test_watched_values_are_those_by_hand(mine: Path) -> None:
    trace = traced(mine, wanted=Wanted(WATCHES))
    told = [
        list(zip(each.decision.tolist(), each.job.tolist(), each.value.tolist(), strict=True))
        for each in trace.watched[:4]
    ]
    assert told[0] == [(0, 1, 0.0), (1, 0, 0.0), (2, 0, 1.0)]
    assert told[1] == [(0, 0, 2.0), (0, 1, 1.0), (2, 0, 1.0)]
    assert told[2] == [(0, 1, 0.0), (1, 1, 4.0), (2, 1, 8.0)]
    assert told[3] == [(0, 0, 2.0), (2, 0, 1.0)]
    assert [each.unit for each in trace.watched] == ["tasks", "", "", "", "slots", "", ""]
    assert trace.watched[4].text == {0: "[1, 1]"}
    assert trace.watched[5].value.tolist() == [6.0]
    assert list(trace.watched[6].text.values()) == ["job J2", "job J1"]
    assert [each.is_number for each in trace.watched] == [True] * 4 + [False, True, False]
    assert not any(each.problem for each in trace.watched)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("job.ranks", "job J2 has no ranks; did you mean 'rank'?"),
        ("1 / job.done[MAP]", "it raised ZeroDivisionError: division by zero"),
        ("jbo.rank", "'jbo.rank': there is no jbo; did you mean 'job'?"),
        ("jobs['J3'].rank", "there is no job 'J3'; did you mean 'J2'?"),
        ("open('/etc/passwd')", "'open('/etc/passwd')' has open; a watch may look at the run, not change it"),
        ("job.running.append(1)", "'job.running.append(1)' has append; a watch may look at the run, not"),
        ("().__class__", "'().__class__' has __class__; a watch may look at the run, not change it"),
        (
            "job.rank =",
            "'job.rank =' cannot be read: invalid syntax; give an expression, as job.running[MAP]",
        ),
        ("x = 3", "'x = 3' is no expression; give one, as job.running[MAP] > 5"),
        ("sum(range(10**12))", f"a range of {grouped(10**12)} numbers is too long"),
        (
            "[1 for _ in iter(int, 1)]",
            "'[1 for _ in iter(int, 1)]' has iter; a watch may look at the run, not change it",
        ),
        ("'x' * 10**11", "it needs more memory than there is"),
        (
            "sum(1 for a in range(9999) for b in range(9999))",
            f"its loops took more than {grouped(10**6)} rounds",
        ),
    ],
)
def test_what_goes_wrong_in_an_expression_is_its_sentence(mine: Path, text: str, sentence: str) -> None:
    trace = traced(mine, wanted=Wanted((WatchFor(text), WatchFor("now")), (text,)))
    assert trace.watched[0].problem.startswith(sentence)
    assert trace.watched[1].value.tolist() == [0.0, 3.0, 7.0]
    assert trace.stop_problems[0].startswith(sentence)


def test_an_expression_that_does_not_end_ends_with_its_process(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_process, "RUNNING_SECONDS", 0.5)
    with pytest.raises(PolicyError, match="see that its functions come to an end, and what is watched"):
        traced(mine, wanted=Wanted((WatchFor("7 ** (9 ** 9) > 1"),)))
    monkeypatch.undo()
    assert traced(mine).decisions.job.tolist() == [1, 0, 0]


def test_a_watch_is_no_part_of_the_run(mine: Path) -> None:
    """What a hook prints when a watch asks it is not heard, and `breakpoint()` in it no stop."""
    text = HEAD + LEFT.format("print('asked'); breakpoint()")
    alone, watched = traced(mine, text), traced(mine, text, Wanted((WatchFor("key(job)", of_all=True),)))
    assert (len(watched.printed), len(watched.stops)) == (len(alone.printed), len(alone.stops)) == (4, 4)


def test_values_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MAX_VALUES", 2)
    monkeypatch.setattr(recorder, "MAX_DECISIONS", 2)
    monkeypatch.setattr(recorder, "MAX_STOPS", 1)
    trace = trace_here(
        TWO,
        SLOT,
        Fork(math.inf, 0, PolicyChoice("fifo")),
        Wanted((WatchFor("now"), WatchFor("-now")), ("job.rank >= 0",)),
    )
    assert (len(trace.decisions.time), trace.decisions.left_out) == (2, 1)
    assert [(len(each.value), each.left_out) for each in trace.watched] == [(1, 1), (1, 1)]
    assert (len(trace.stops), trace.stops_left_out) == (1, 0)


# ---- stops


def test_stops_are_where_a_condition_begins_to_hold(mine: Path) -> None:
    stops = ("when key of J1 < J2", "job.started[MAP] == 0", "now > 100", "J1: job.done[MAP] == 0")
    trace = traced(mine, wanted=Wanted(stops=stops))
    assert [(stop.decision, stop.condition, stop.job) for stop in trace.stops] == [
        (0, 1, 1),
        (0, 3, 0),
        (1, 1, 0),
    ]
    assert trace.stop_problems == ("", "", "", "")


def test_a_comparison_of_jobs_is_read_as_people_say_it() -> None:
    words = Vocabulary(("J3", "night run"), ("default",), {"key": abs}, {"turn": 5})
    for said, meant in [
        ("when key of J3 < night run", "key(jobs['J3']) < key(jobs['night run'])"),
        ("running maps of night run > 5", "jobs['night run'].running[MAP] > 5"),
        ("running[0] of J3 >= turn", "jobs['J3'].running[0] >= turn"),
        ("J3.running[MAP] > 5", "J3.running[MAP] > 5"),
    ]:
        read = read_expression(said, words)
        assert read.code.co_code == compile(meant, "", "eval").co_code, said
        assert read.code.co_consts == compile(meant, "", "eval").co_consts, said
    assert read_expression("night run: job.rank", words).is_named
    assert read_expression("key of J3", words).job == 0
    assert not read_expression("key of J3", words).looks_at_job
    with pytest.raises(InputError, match="there is no keys; did you mean 'key'"):
        read_expression("keys(job)", words)


# ---- the same run


def test_a_trace_decides_as_the_schedule_does_under_every_policy() -> None:
    workload = two_stage_workload(((4, 5), (1, 4), (3, 4)), 4)
    cluster = Cluster(2, 2)
    traced_policies = 0
    for policy in POLICIES:
        try:
            schedule = simulate(workload, cluster, PolicyChoice(policy.id))
        except InputError:
            continue  # it needs deadlines, or scans
        trace = traced_run(workload, cluster, PolicyChoice(policy.id), Wanted())
        assert not trace.differs_from(schedule), policy.id
        assert (
            trace.decisions.slot[trace.decisions.job >= 0].tolist()
            == schedule.slot[schedule.sequence].tolist()
        )
        traced_policies += 1
    assert traced_policies > 10


def test_a_run_with_overheads_takes_the_decisions_that_the_chart_shows() -> None:
    workload = two_stage_workload(((4, 5), (1, 4), (3, 4)), 4)
    overheads = Overheads(launch_delay=1.0, setup=1.0, cleanup=1.0, fetch=2.3, heartbeat=0.7, hosts=2)
    cluster = Cluster(2, 2, overheads=overheads)
    schedule = simulate(workload, cluster, PolicyChoice("fifo"))
    assert not traced_run(workload, cluster, PolicyChoice("fifo"), Wanted()).differs_from(schedule)
    another = simulate(
        workload, replace(cluster, overheads=replace(overheads, fetch=9.0)), PolicyChoice("fifo")
    )
    assert traced_run(workload, cluster, PolicyChoice("fifo"), Wanted()).differs_from(another)


def test_a_fork_is_listened_to_on_both_sides() -> None:
    workload, cluster = load_sample("five-jobs"), Cluster(30, 30)
    first = simulate(workload, cluster, PolicyChoice("fifo"))
    for time, decisions in ((4.0, 3), (12.0, 0), (1000.0, 0)):
        fork = fork_of(first, time, decisions)
        schedule = simulate_fork(workload, cluster, PolicyChoice("fair"), fork)
        trace = traced_run(workload, cluster, PolicyChoice("fair"), Wanted(), fork=fork)
        assert not trace.differs_from(schedule)


def test_a_policy_that_rolls_dice_is_found_out(mine: Path) -> None:
    dice = (
        "import itertools\nrolls = itertools.count()\n"
        + HEAD
        + "    def key(job):\n        return job.rank if next(rolls) < 4 else -job.rank\n"
    )
    trace = traced(mine, dice)
    assert trace.differs_from(simulate(TWO, SLOT, PolicyChoice("mine")))


def test_cancelled_and_told_how_far() -> None:
    workload = two_stage_workload(((4, 5), (1, 4)), 40)
    heard: list[float] = []
    traced_run(workload, Cluster(1, 1), PolicyChoice("fifo"), Wanted(), progress=heard.append)
    assert heard
    assert all(0 <= part <= 1 for part in heard)
    with pytest.raises(Cancelled):
        traced_run(workload, Cluster(1, 1), PolicyChoice("fifo"), Wanted(), should_stop=lambda: True)


def test_places_of_decisions_and_back() -> None:
    workload = two_stage_workload(((4, 5), (1, 4)), 3)
    trace = traced_run(workload, Cluster(2, 1), PolicyChoice("fifo"), Wanted())
    for decision in range(len(trace.decisions.time)):
        time, starts = trace.place_of(decision)
        there = trace.decision_at(time, starts)
        assert trace.decisions.start[there] == trace.decisions.start[decision]
        assert trace.decisions.time[there] == time
    assert trace.place_of(-1) == (0.0, 0)
    assert trace.decision_at(math.inf) == len(trace.decisions.time) - 1
    assert np.all(np.diff(trace.decisions.time) >= 0)


def test_keys_of_maps_and_of_reduces_are_told_apart() -> None:
    """J1 has 2 maps and 3 reduces; what has started of a kind is watched."""
    workload = make_workload(make_job("J1", (2, 4.0), (3, 1.0)))
    trace = trace_here(
        workload,
        SLOT,
        Fork(math.inf, 0, PolicyChoice("fair")),
        Wanted((WatchFor("-job.started[kind]", of_all=True),)),
    )
    (watched,) = trace.watched
    told = zip(watched.kind.tolist(), watched.value.tolist(), strict=True)
    assert sorted(told) == [(0, -1.0), (0, 0.0), (1, -2.0), (1, -1.0), (1, 0.0)]
    last = len(trace.decisions.time) - 1
    assert [watched.shown(watched.known_at(last, kind)[0]) for kind in (0, 1)] == ["-1", "-2"]
