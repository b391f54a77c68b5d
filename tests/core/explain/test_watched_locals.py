"""Local names of hooks that are watched: against a copy of the policy that writes them down itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from core.explain.expressions import read_expression
from core.explain.local_names import local_names
from core.explain.trace import NO_VALUE, Trace, Wanted, Watched, WatchFor
from core.explain.traced_run import traced_run
from core.explain.vocabulary import Vocabulary, completions
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.policies.user_files.followed import left_when_called
from core.policies.user_files.own_class import register_class
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import read_policy_file
from core.simulation.simulate import simulate
from tests.builders import two_stage_workload

if TYPE_CHECKING:
    from pathlib import Path

FILE = """from core.policies.policy import Policy
import math


def nearest(job):
    best = job.rank + 0.5
    return best


class Mine(Policy):
    def admits(job, kind):
        quota = 6 - job.running[kind]
        wide = quota * 2
        return quota > 0

    def key(job, kind, slot):
        left = job.tasks[kind] - job.started[kind]
        wide = left + 1
        if left > 5:
            return 1.0, float(left)
        running = job.running[kind] * 0.5
        for turn in range(left):
            deficit = turn * running - job.rank
        return 0.0, nearest(job) + running

    def pool_key(pool, kind, cluster):
        part = pool.running[kind] / 4
        round = math
        return part
"""
WORKLOAD = two_stage_workload(((4, 5), (1, 4), (30, 4), (6, 30), (2, 3)), (8, 5, 9, 3, 12))
CLUSTER = Cluster(7, 5)
Seen = dict[tuple[float, int], dict[tuple[int, int], float | None]]


class WritesDown(Policy):
    """The same policy, which writes the names of `key` and `admits` down at every decision."""

    seen: ClassVar[dict[str, Seen]] = {}

    def admits(job: Any, kind: int, cluster: Any) -> bool:
        quota = 6 - job.running[kind]
        note("quota", job, kind, cluster, quota)
        return bool(quota > 0)

    def key(job: Any, kind: int, slot: int, cluster: Any) -> tuple[float, float]:
        left = job.tasks[kind] - job.started[kind]
        note("left", job, kind, cluster, left)
        note("running", job, kind, cluster, None)
        note("deficit", job, kind, cluster, None)
        if left > 5:
            return 1.0, float(left)
        running = job.running[kind] * 0.5
        note("running", job, kind, cluster, running)
        for turn in range(left):
            note("deficit", job, kind, cluster, turn * running - job.rank)
        return 0.0, job.rank + 0.5 + running

    def pool_key(pool: Any, kind: int, cluster: Any) -> float:
        return float(pool.running[kind] / 4)


def note(name: str, job: Any, kind: int, cluster: Any, value: float | None) -> None:
    here = WritesDown.seen.setdefault(name, {}).setdefault((float(cluster.now), int(cluster.started)), {})
    here[int(job.rank), int(kind)] = value


def traced(tmp_path: Path, wanted: Wanted, text: str = FILE) -> Trace:
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(path)))
    return traced_run(WORKLOAD, CLUSTER, PolicyChoice("mine"), wanted)


def at_every_decision(trace: Trace, watched: Watched) -> list[dict[tuple[int, int], float | None]]:
    """Return what was known at each decision, by job and kind: a value holds until another one comes."""
    known: dict[tuple[int, int], float | None] = {}
    table, at = [], 0
    for decision in range(len(trace.decisions.time)):
        while at < len(watched.value) and watched.decision[at] <= decision:
            number = float(watched.value[at])
            assert math.isnan(number) == (watched.text.get(at) == NO_VALUE)
            known[int(watched.job[at]), int(watched.kind[at])] = None if math.isnan(number) else number
            at += 1
        table.append(dict(known))
    return table


@pytest.mark.parametrize("name", ["left", "running", "deficit", "quota"])
def test_values_are_those_that_the_policy_writes_down_itself(tmp_path: Path, name: str) -> None:
    WritesDown.seen.clear()
    twin = simulate(WORKLOAD, CLUSTER, PolicyChoice(register_class(WritesDown)), engine="interpreted")
    trace = traced(tmp_path, Wanted((WatchFor(name, of_all=True), WatchFor("now"))))
    assert not trace.differs_from(twin)
    (watched, _now) = trace.watched
    assert watched.problem == ""
    compared, without = 0, 0
    for decision, known in enumerate(at_every_decision(trace, watched)):
        place = float(trace.decisions.time[decision]), int(trace.decisions.start[decision])
        asked = WritesDown.seen[name].get(place, {})  # of slots of both types, one after the other
        of_slot = {of: value for of, value in asked.items() if of[1] == trace.decisions.slot_kind[decision]}
        for of, value in of_slot.items():
            assert known[of] == value, (place, of)
            compared += 1
            without += value is None
    assert compared > 60
    assert (without > 20) == (name in ("running", "deficit"))


REMEMBERS = """from core.policies.policy import Policy, MAP


def average(values):
    mean = sum(values) / max(len(values), 1)
    return mean


class Mine(Policy):
    def choose(slot, queue, job, pool, cluster):
        seen = cluster.started
        first = cluster.head[slot]
        waiting = [job[j].rank for j in queue[slot][first : first + cluster.waiting[slot]]]
        if len(waiting) > 1:
            others = len(waiting) - 1
        longest = max(waiting)
        spread = average(waiting)
        for j in queue[slot][first : first + cluster.waiting[slot]]:
            if job[j].rank == longest:
                return 2 * int(j) + slot
        return -1
"""


def test_what_chooses_freely_is_followed_in_the_run(tmp_path: Path) -> None:
    """The last job of the file is served first; `seen` is how many tasks had started."""
    watches = ("seen", "longest", "spread + 0", "choose.seen", "seen - cluster.started", "others")
    trace = traced(tmp_path, Wanted(tuple(map(WatchFor, watches)), ("seen == 10", "longest == 0")), REMEMBERS)
    assert trace.fault is None
    seen, longest, spread, again, difference, others = trace.watched
    assert [each.problem for each in trace.watched] == [""] * 6
    starts = trace.decisions.start[seen.decision]
    assert seen.value.tolist() == starts.tolist() == again.value.tolist() == sorted(set(starts.tolist()))
    assert difference.value.tolist() == [0]
    assert set(seen.job.tolist()) == {-1}
    taken = [job for job in trace.decisions.job.tolist() if job >= 0]
    assert longest.value[0] == taken[0] == 4
    assert others.value[0] == 4
    assert set(others.text.values()) == {NO_VALUE}
    assert others.why_no_value == "no value where choose had not run or returned before others had one"
    assert spread.value[0] == 2.0
    first = next(stop for stop in trace.stops if stop.condition == 0)
    assert trace.decisions.start[first.decision] == 10


GIVES_UP = """from core.policies.policy import Policy


class Mine(Policy):
    def key(job):
        return -job.rank

    def preempt(job, kind, rival, remaining, cluster):
        worth = remaining / 2 + job.rank
        print("gives up", kind, worth)
        return worth if rival.rank > job.rank + 2 else 0

    def watch(job, pool, cluster):
        turn = cluster.started * 2
        print("watches", turn)
"""


def test_hooks_that_remember_are_followed_against_what_they_print(tmp_path: Path) -> None:
    """`preempt` is asked after a decision that found no slot, `watch` before each."""
    wanted = Wanted((*(WatchFor(f"J{job}: worth") for job in (1, 2, 3, 4, 5)), WatchFor("turn")))
    trace = traced(tmp_path, wanted, GIVES_UP)
    assert trace.fault is None
    assert [each.problem for each in trace.watched] == [""] * 6
    *worths, turns = (at_every_decision(trace, each) for each in trace.watched)
    compared = 0
    for decision, kind in enumerate(trace.decisions.slot_kind.tolist()):
        before = [line for line in trace.printed if line.decision < decision and "gives" in line.text]
        for job, worth in enumerate(worths):
            said = [line.text for line in before if (line.job, line.kind) == (job, kind)]
            assert worth[decision][job, kind] == (float(said[-1].split()[-1]) if said else None)
            compared += len(said) > 0
        watches = [line for line in trace.printed if line.decision <= decision and "watches" in line.text]
        assert turns[decision][-1, -1] == float(watches[-1].text.split()[-1])
    assert compared > 50


BY_HAND = """from core.policies.policy import MAP, Policy


class Mine(Policy):
    def key(job, kind):
        left = job.tasks[kind] - job.started[kind]
        if job.rank:
            late = left * 10
        return left
"""
"""Of the first jobs above on one slot J2 goes first, with the fewest maps: 5, then 4, and so on."""


def by_hand(tmp_path: Path, *texts: str, stops: tuple[str, ...] = ()) -> Trace:
    path = tmp_path / "mine.py"
    path.write_text(BY_HAND, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(path)))
    workload = two_stage_workload(((4, 1), (1, 1)), (3, 2))
    return traced_run(
        workload, Cluster(1, 1), PolicyChoice("mine"), Wanted(tuple(map(WatchFor, texts)), stops)
    )


def of_maps(trace: Trace, place: int) -> list[tuple[float, int, float]]:
    """Return time, job and value of what was noted about maps."""
    watched = trace.watched[place]
    return [
        (float(trace.decisions.time[decision]), int(job), value)
        for decision, job, kind, value in zip(
            watched.decision, watched.job, watched.kind, watched.value.tolist(), strict=True
        )
        if kind == 0 or (kind < 0 and trace.decisions.slot_kind[decision] == 0)
    ]


def test_a_local_name_is_watched_and_stopped_at_as_a_hook_is(tmp_path: Path) -> None:
    """J2's two maps run from 0 to 1 and 2 s, then J1's three from 2 s on, 4 s each."""
    trace = by_hand(
        tmp_path,
        "left",
        "key.left",
        "left maps of J1",
        "J1: left * 2",
        "left(J2, MAP) - left(J1, MAP)",
        "late",
        stops=("left == 1", "when left maps of J1 < J2", "late > 1e9", "J1: late > 0"),
    )
    assert [each.problem for each in trace.watched] == [""] * 6
    assert of_maps(trace, 0) == of_maps(trace, 1) == [(0, 1, 2), (1, 1, 1), (2, 0, 3), (6, 0, 2), (10, 0, 1)]
    assert trace.watched[2].value.tolist() == [3, 2, 1, 0]
    assert [(time, value) for time, _job, value in of_maps(trace, 3)] == [(0, 6), (6, 4), (10, 2)]
    assert of_maps(trace, 4)[0][2] == -1
    assert trace.watched[0].unit == ""
    late = trace.watched[5]
    assert [value for _time, job, value in of_maps(trace, 5) if job == 1] == [20, 10]
    assert {late.shown(place) for place in range(len(late.job)) if late.job[place] == 0} == {NO_VALUE}
    assert late.why_no_value == "no value where key returned before late had one"
    assert trace.watched[0].why_no_value == ""
    assert trace.stop_problems == ("", "", "", "")
    stops = [(trace.time_of(stop.decision), stop.condition, stop.job) for stop in trace.stops]
    assert (1.0, 0, 1) in stops
    assert (10.0, 0, 0) in stops
    assert not {condition for _time, condition, _job in stops} & {2, 3}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("wide", "'wide': wide is a local name of admits and key; write admits.wide or key.wide"),
        ("wide of J1 > 2", "'wide of J1 > 2': wide is a local name of admits and key; write admits.wide or"),
        ("key.wdie", "'key.wdie': key has no local name wdie; did you mean 'wide'?"),
        ("lends.wide", "'lends.wide': lends has no local name wide"),
        (
            "best",
            "'best': best is a local name of nearest; only those of key, admits, pool_key, pool_admits, "
            "lends, watch, choose, outlook, outdates, preempt and speculate can be watched",
        ),
        ("nearest.best", "'nearest.best': best is a local name of nearest; only those of key"),
        ("lft", "'lft': there is no lft; did you mean 'left'?"),
        ("left = 3", "'left = 3' is no expression; give one"),
        ("pool_key.round", "round is a module, and no value to look at"),
        ("key.z", "'key.z': key has no local name z; known are left, wide, running, turn, deficit"),
    ],
)
def test_what_cannot_be_watched_is_said(tmp_path: Path, text: str, sentence: str) -> None:
    trace = traced(tmp_path, Wanted((WatchFor(text),), (text,)))
    assert trace.watched[0].problem.startswith(sentence)
    assert trace.stop_problems[0].startswith(sentence)


def test_fields_and_functions_keep_their_names(tmp_path: Path) -> None:
    """`round` is assigned in `pool_key`, `running` in `key`: meant are the function and the field."""
    trace = traced(
        tmp_path, Wanted(tuple(map(WatchFor, ("round(2.4)", "running maps of J1", "key.wide", "part"))))
    )
    rounded, running, wide, part = trace.watched
    assert rounded.value.tolist() == [2.0]
    assert running.unit == "tasks"
    assert running.value.max() > 1
    assert (wide.problem, part.problem) == ("", "")
    assert set((part.value * 4).tolist()) <= set(range(8))
    assert len(set(part.value.tolist())) > 2


def test_a_run_is_the_same_with_and_without_watches(tmp_path: Path) -> None:
    text = FILE.replace("        wide = quota * 2", "        print(quota); wide = quota * 2")
    alone = traced(tmp_path, Wanted(), text)
    watched = traced(tmp_path, Wanted((WatchFor("quota", of_all=True), WatchFor("left"))), text)
    assert alone.printed == watched.printed
    assert len(alone.printed) > 20
    assert alone.decisions.job.tolist() == watched.decisions.job.tolist()


def test_words_are_completed_with_local_names() -> None:
    names = {"key": ("left", "wide", "job"), "admits": ("wide",), "helper": ("inside",)}
    words = Vocabulary(("J1",), (), {"key": abs, "admits": abs}, {}, names)
    offered = completions(words)
    assert {"left", "key.left", "key.wide", "admits.wide", "key.job"} <= set(offered)
    assert not {"wide", "inside", "helper.inside"} & set(offered)
    read = read_expression("[left for left in (1, 2)][0] + key.left", words)
    assert read.locals == ("key.left",)
    assert read.looks_at_job
    assert read.looks_at_kind
    assert not read_expression("left(J1, MAP)", words).looks_at_job
    with pytest.raises(InputError, match="wide is a local name of key and admits"):
        read_expression("wide", words)


ASSIGNING = """
def mine(job, *rest, slot=0, **more):
    global NEVER
    NEVER = 1
    first, (second, *third) = 1, (2, 3)
    job = first
    for turn, _ in enumerate((1, 2)):
        total = turn
    with open("x") as file:
        import os.path
        from math import pi as circle
    squares = [(inner := each) for each in (1, 2)]
    wide: int = 3
    wide += 1

    def helper(argument):
        hidden = argument
        return hidden + wide

    match squares:
        case [one, *others]:
            pass
        case {"a": two, **left}:
            pass
    return lambda given: (unseen := given)
"""


def test_names_that_a_function_assigns_are_those_of_its_code(tmp_path: Path) -> None:
    """What Python itself made of the function is the judge, less what its comprehensions have."""
    path = tmp_path / "assigning.py"
    path.write_text(ASSIGNING, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(ASSIGNING, path, "exec"), names)
    code = names["mine"].__code__
    arguments = {"job", "rest", "slot", "more"}
    assigned = {*code.co_varnames, *code.co_cellvars} - arguments - {"each"}
    assert set(local_names(names["mine"])) == assigned
    assert {"inner", "os", "circle", "helper", "others", "left", "two", "file", "wide"} <= assigned
    assert local_names(abs) == ()


def test_the_outermost_call_counts_where_a_function_calls_itself() -> None:
    def counted(depth: int) -> int:
        deeper = counted(depth - 1) if depth else 0
        found = depth * 10
        return found + deeper

    left = left_when_called(counted.__code__, lambda: counted(3))
    assert left is not None
    assert left.names["found"] == 30
    assert left_when_called(counted.__code__, lambda: None) is None
