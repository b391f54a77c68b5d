"""What the checks see of one workload: its run, again, compiled, under other names, in another order."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from core.explain.decisions import declined_sentences
from core.explain.lints.finding import Limits
from core.explain.lints.idle_slots import IdleCause, idle_intervals
from core.explain.replay import Replay
from core.explain.slots import occupancies_of
from core.model.errors import Cancelled, InputError, PolicyFault
from core.model.links import renamed_links
from core.model.progress import never_stop
from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock
from core.policies.registry import policy_class
from core.policy_checks.evidence import Evidence, Looked
from core.policy_checks.kept_state import kept_state, what_changed
from core.policy_checks.random_workloads import are_apart
from core.policy_checks.watched_run import BadNumber, watched_run, without_prints
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from core.policies.policy import Policy
    from core.simulation.simulate import Engine

RUN_ONCE = ("errors", "numbers", "idle", "memory")
"""Checks that need one run; all others compare a second one with it."""
NOT_A_NUMBER = ("NaN", "nan")
TOLERATED = 1e-9
"""Of the makespan: what rounding may make of times."""


@without_prints
def look_at(
    choice: PolicyChoice,
    workload: Workload,
    checks: Sequence[str],
    should_stop: Callable[[], bool] = never_stop,
) -> Looked:
    """Run a workload under a policy and return what some checks find.

    Parameters
    ----------
    choice : the policy
    workload : on its own cluster
    checks : ids, of `errors`, `numbers`, `idle`, `memory`, `repeat`, `names`, `order` and `compiled`
    should_stop : asked now and then; True cancels
    """
    runs, policy = _RunsOfPolicy(choice, should_stop), policy_class(choice.id)
    before = kept_state(policy) if "memory" in checks else {}
    try:
        schedule = runs.watched(workload)
    except Failed as failed:
        return Looked({failed.check: failed.evidence}, frozenset((failed.check,)))
    except InputError as refused:  # not for this kind of cluster
        return Looked(because=dict.fromkeys(checks, str(refused)))
    found: dict[str, Evidence | None] = dict.fromkeys(each for each in RUN_ONCE if each in checks)
    if "idle" in checks:
        found["idle"] = _idle(schedule, workload)
    if "memory" in checks:
        found["memory"] = _kept(what_changed(before, kept_state(policy)), workload)
    compared = [check for check in COMPARED if check in checks]
    if not compared:
        return _looked(found)
    again = _compared(schedule, workload, lambda: (runs.run(workload), _names(workload)), "run once more,")
    found["repeat"] = again
    because = {}
    for check in compared if again is None else ():
        other = COMPARED[check](runs, workload, schedule)
        if isinstance(other, str):
            because[check] = other
        else:
            found[check] = other
    return _looked(found, because)


def _looked(found: dict[str, Evidence | None], because: dict[str, str] | None = None) -> Looked:
    shown = {check: evidence for check, evidence in found.items() if evidence is not None}
    return Looked(shown, frozenset(found), because or {})


class Failed(Exception):
    """A run did not come to its end."""

    def __init__(self, check: str, evidence: Evidence) -> None:
        super().__init__(evidence.sentence)
        self.check, self.evidence = check, evidence


class _RunsOfPolicy:
    """Runs under one policy."""

    def __init__(self, choice: PolicyChoice, should_stop: Callable[[], bool]) -> None:
        self._choice, self._should_stop = choice, should_stop
        # what searches does so ten times as fast with compiled code, and has no decisions to be looked at
        policy = policy_class(choice.id)
        self._usual: Engine = "compiled" if searches_before(policy) else "interpreted"

    def watched(self, workload: Workload) -> Schedule:
        """Run it, looking at every decision; raises Failed and InputError."""
        time = 0.0
        try:
            if self._usual == "compiled":
                return self.run(workload)
            run = watched_run(workload, self._choice, self._should_stop)
            try:
                while not run.advance():
                    if self._should_stop():
                        raise Cancelled("the checks were cancelled")
            finally:
                time = run.now
        except PolicyFault as fault:
            raise _failed(fault, workload, time) from fault
        return run.schedule()

    def run(self, workload: Workload, *, otherwise: bool = False) -> Schedule:
        """Run it, or run it compiled instead of interpreted, and the other way round."""
        other: Engine = "interpreted" if self._usual == "compiled" else "compiled"
        engine = other if otherwise else self._usual
        stop = self._should_stop
        return simulate(workload, workload.cluster, self._choice, engine=engine, should_stop=stop)

    @property
    def is_interpreted(self) -> bool:
        """Whether runs are interpreted, by default."""
        return self._usual == "interpreted"


def searches_before(policy: type[Policy]) -> bool:
    """Whether a policy searches pools or a plan before the run."""
    return any(hasattr(policy, hook) for hook in ("search", "partition"))


def _failed(fault: PolicyFault, workload: Workload, time: float) -> Failed:
    """Return which check a failure is found by, and how."""
    bad = fault.__cause__
    while bad is not None and not isinstance(bad, BadNumber):
        bad = bad.__context__
    if isinstance(bad, BadNumber):
        return Failed("numbers", Evidence(str(bad), workload, bad.time, bad.job))
    check = "numbers" if any(word in fault.sentence for word in NOT_A_NUMBER) else "errors"
    return Failed(check, evidence_of(fault, workload, time))


def evidence_of(fault: PolicyFault, workload: Workload, time: float = 0.0) -> Evidence:
    """Return the sentence of a failure, with its place in the file."""
    place = () if fault.place is None else (str(fault.place), *fault.place.excerpt.splitlines()[:1])
    return Evidence(f"{_capital(fault.sentence)}.", workload, time, why=place)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:].rstrip(".")


# ---- one run


def _kept(name: str, workload: Workload) -> Evidence | None:
    """Return what the policy's file has kept of a run, by its name; None for nothing."""
    if not name:
        return None
    sentence = f"After the run {name} holds something else than before: it is no memo, and outlives the run."
    return Evidence(sentence, workload)


def _idle(schedule: Schedule, workload: Workload) -> Evidence | None:
    """Return the first time at which the policy lets a slot idle that a waiting task could use."""
    spans = idle_intervals(schedule, occupancies_of(schedule), Limits(least_share=TOLERATED))
    declined = [span for span in spans if span.cause is IdleCause.DECLINED]
    if not declined:
        return None
    first = min(declined, key=lambda span: span.begin)
    run = Replay(schedule, engine="interpreted").at(first.begin)
    why: tuple[str, ...] = ()
    whose = ""
    for job in range(len(workload.jobs)):
        why = declined_sentences(run, job, first.group.kinds)
        if why:
            whose = workload.jobs[job].name
            break
    span = f"From {exact_clock(first.begin)} to {exact_clock(first.end)}"
    sentence = f"{span} a slot idles although {whose or 'a job'} has a task that could start on it."
    return Evidence(sentence, workload, first.begin, whose, why)


# ---- two runs

Start = tuple[float, int, str, int, int, float]
"""When, on which slot, whose, of which kind and number, until when."""


def starts_of(schedule: Schedule, names: Sequence[str]) -> list[Start]:
    """Return every start of a schedule, in the order of time; jobs have the names given."""
    columns = schedule.workload.columns
    number = schedule.given_task - schedule.given.columns.first[columns.job, columns.kind]
    rows: Iterable[Any] = zip(
        schedule.start.tolist(),
        schedule.slot.tolist(),
        (names[j] for j in columns.job.tolist()),
        columns.kind.tolist(),
        number.tolist(),
        schedule.end.tolist(),
        strict=True,
    )
    return sorted(rows)


def _names(workload: Workload) -> list[str]:
    return [job.name for job in workload.jobs]


def first_difference(one: list[Start], other: list[Start], otherwise: str) -> tuple[str, float, str] | None:
    """Return how two runs differ at first: a sentence, when, and the job; None for equal ones."""
    pairs = ((a, b) for a, b in zip(one, other, strict=False) if a != b)
    a, b = next(pairs, (None, None))
    if a is None or b is None:
        return None
    time = min(a[0], b[0])
    sentence = (
        f"At {exact_clock(a[0])} {_task(a)} starts; {otherwise} {_task(b)} does, at {exact_clock(b[0])}."
    )
    if a[:5] == b[:5]:
        sentence = f"{_task(a)} ends at {exact_clock(a[5])}; {otherwise} at {exact_clock(b[5])}."
        sentence = _capital(sentence) + "."
    return sentence, time, a[2]


def _snapped(other: list[Start], one: list[Start], slack: float) -> list[Start]:
    """Return starts with those of another run in their place that are as good as equal, whatever the slot."""
    if not slack:
        return other
    known = {start[2:5]: start for start in one}

    def near(start: Start) -> Start:
        twin = known.get(start[2:5], start)
        is_near = abs(start[0] - twin[0]) <= slack and abs(start[5] - twin[5]) <= slack
        return twin if is_near else start

    return sorted(map(near, other))


def _task(start: Start) -> str:
    return f"{KIND_WORDS[start[3]]} {start[4] + 1} of {start[2]}"


def _compared(
    schedule: Schedule,
    workload: Workload,
    run: Callable[[], tuple[Schedule, Sequence[str]]],
    otherwise: str,
    slack: float = 0.0,
) -> Evidence | None:
    """Return how another run differs, by more than some seconds; one that fails differs, too."""
    try:
        other, names = run()
    except PolicyFault as fault:
        return Evidence(f"It runs to its end; {otherwise} it fails: {fault.sentence}.", workload)
    starts = starts_of(schedule, _names(workload))
    found = first_difference(starts, _snapped(starts_of(other, names), starts, slack), otherwise)
    return None if found is None else Evidence(found[0], workload, found[1], found[2])


def renamed(workload: Workload) -> Workload:
    """Return the workload with jobs that are called otherwise: backwards in the alphabet."""
    count = len(workload.jobs)
    names = {job.name: f"N{1000 + count - i}" for i, job in enumerate(workload.jobs)}
    jobs = (replace(job, name=names[job.name]) for job in workload.jobs)
    return workload.with_jobs(renamed_links(jobs, names))


def _under_other_names(runs: _RunsOfPolicy, workload: Workload, schedule: Schedule) -> Evidence | None:
    def run() -> tuple[Schedule, list[str]]:
        return runs.run(renamed(workload)), _names(workload)

    return _compared(schedule, workload, run, "under other names")


def backwards(jobs: Sequence[Job]) -> Sequence[Job]:
    """Return the jobs in the opposite order."""
    return jobs[::-1]


def _in_another_order(runs: _RunsOfPolicy, workload: Workload, schedule: Schedule) -> Evidence | str | None:
    if not are_apart(workload.jobs):
        return "its jobs tie"

    def run() -> tuple[Schedule, list[str]]:
        other = workload.with_jobs(backwards(workload.jobs))
        return runs.run(other), _names(other)

    # sums over the jobs in another order are rounded otherwise
    slack = TOLERATED * schedule.makespan
    return _compared(schedule, workload, run, "with the jobs declared backwards", slack)


def _compiled(runs: _RunsOfPolicy, workload: Workload, schedule: Schedule) -> Evidence | str | None:
    compiled: list[Schedule] = []

    def run() -> tuple[Schedule, list[str]]:
        compiled.append(runs.run(workload, otherwise=True))
        return compiled[0], _names(workload)

    found = _compared(schedule, workload, run, "compiled" if runs.is_interpreted else "interpreted")
    if compiled and compiled[0].interpreted_because:
        return f"it always runs interpreted: {compiled[0].interpreted_because}"
    return found


COMPARED: dict[str, Callable[[_RunsOfPolicy, Workload, Schedule], Evidence | str | None]] = {
    "repeat": lambda *_: None,  # has been looked at before
    "names": _under_other_names,
    "order": _in_another_order,
    "compiled": _compiled,
}


@without_prints
def digests(
    choice: PolicyChoice, workloads: Sequence[Workload], should_stop: Callable[[], bool] = never_stop
) -> tuple[str, ...]:
    """Return what distinguishes schedules, of each workload in turn: a hash of all starts, or a sentence."""
    runs = _RunsOfPolicy(choice, should_stop)
    return tuple(_digest(runs, workload) for workload in workloads)


def _digest(runs: _RunsOfPolicy, workload: Workload) -> str:
    try:
        starts = starts_of(runs.run(workload), _names(workload))
    except (InputError, PolicyFault) as error:
        return str(error)
    return sha256(repr(starts).encode()).hexdigest()
