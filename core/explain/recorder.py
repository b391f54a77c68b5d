"""Records a policy while it decides: every decision, and the values of what is watched."""

from __future__ import annotations

import math
from array import array
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from core.explain.bench import Bench
from core.explain.expressions import Expression, read_expression
from core.explain.local_names import local_names
from core.explain.trace import Decisions, Printed, Stop, Trace, Wanted, Watched, WatchFor
from core.explain.vocabulary import TRACED_HOOKS, WATCHED_HOOKS, Vocabulary
from core.model.errors import InputError, PolicyFault
from core.model.partition import pools_in_use
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import interpreted_hooks
from core.policies.policy import HOOKS
from core.policies.user_files.source import RUN_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.model.workload import Workload
    from core.policies.user_files.followed import Followed
    from core.simulation.simulate import Simulation

NOT_FOLLOWED = nullcontext()
MAX_VALUES = 1_000_000
"""Values of all watches together."""
MAX_STOPS = 5_000
MAX_DECISIONS = 5_000_000


@dataclass
class _Column:
    """The values of one watch as they come."""

    watch: WatchFor
    expression: Expression | None
    problem: str = ""
    raised: int = 0
    left_out: int = 0
    decision: array[int] = field(default_factory=lambda: array("i"))
    job: array[int] = field(default_factory=lambda: array("i"))
    kind: array[int] = field(default_factory=lambda: array("b"))
    value: array[float] = field(default_factory=lambda: array("d"))
    text: dict[int, str] = field(default_factory=dict)
    last: dict[tuple[int, int], tuple[float, str]] = field(default_factory=dict)

    def note(self, decision: int, job: int, kind: int, number: float, text: str, *, has_room: bool) -> bool:
        """Note a value that is another one than before; whether it was kept."""
        of = (job, kind)
        before = self.last.get(of)
        if before is not None and _is_same(before, number, text):
            return False
        self.last[of] = (number, text)
        if not has_room:
            self.left_out += 1
            return False
        if text:
            self.text[len(self.decision)] = text
        self.decision.append(decision)
        self.job.append(job)
        self.kind.append(kind)
        self.value.append(number)
        return True

    def finished(self) -> Watched:
        unit = "" if self.expression is None else self.expression.unit
        about = self.watch, self.problem, unit, self.is_of_winner
        decision, job, kind = (np.array(each, np.int32) for each in (self.decision, self.job, self.kind))
        values = np.array(self.value, np.float64), self.text
        local = () if self.expression is None else self.expression.locals
        return Watched(*about, decision, job, kind, *values, self.raised, self.left_out, local)

    @property
    def is_of_winner(self) -> bool:
        """Whether the expression is about the job that gets the slot."""
        expression = self.expression
        return (
            expression is not None
            and expression.looks_at_job
            and not expression.is_named
            and not self.watch.of_all
        )


def _is_same(before: tuple[float, str], number: float, text: str) -> bool:
    both_nan = math.isnan(number) and math.isnan(before[0])
    return text == before[1] and (number == before[0] or both_nan)


class Recorder:
    """Records every decision of a policy, and evaluates what is watched.

    Attributes
    ----------
    ends : time and number of starts from which on what is decided belongs to another policy; None for never
    decision : the number of the decision that is being made; -1 before the run
    is_recording : whether what is printed meanwhile belongs to a decision of the run
    """

    def __init__(self, workload: Workload, wanted: Wanted) -> None:
        self._workload, self._wanted = workload, wanted
        self._columns: list[_Column] = []
        self._stops: list[Stop] = []
        self._stops_left_out = 0
        self._values = 0
        self.decision, self.now = -1, 0.0
        self.is_recording = True
        self.ends: tuple[float, int] | None = None
        self._time: array[float] = array("d")
        self._start, self._slot_kind, self._pick = array("i"), array("i"), array("q")
        self._left_out = 0
        self.bench: Bench | None = None
        self._followed: Followed | None = None
        self._words: Vocabulary | None = None
        self._run: Simulation | None = None
        self._counts_all = False

    def follow(self, run: Simulation) -> Simulation:
        """Return a run that begins to decide, recorded; expressions are read with its names."""
        self._run = run.with_kernel(self._wrapped, self._looking)
        hooks = hooks_of(run.policy)
        self._counts_all = hooks.gives_up or hooks.copies or run.cluster.events is not None
        self._words = words = vocabulary_of(run)
        self.bench = None
        texts = [*self._wanted.watches, *map(WatchFor, self._wanted.stops)]
        self._columns = self._columns or [_Column(watch, None) for watch in texts]
        for column in self._columns:
            try:
                column.expression = read_expression(column.watch.text, words)
            except InputError as error:
                column.expression, column.problem = None, column.problem or str(error)
        return self._run

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pass over what is printed meanwhile: it is no decision of the run."""
        before, self.is_recording = self.is_recording, False
        try:
            yield
        finally:
            self.is_recording = before

    def _wrapped(self, kernel: Callable[..., int]) -> Callable[..., int]:
        """Return a kernel that decides as the other one does, and is recorded."""
        has_expressions = bool(self._wanted.watches or self._wanted.stops)

        def decide(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
            if self.ends is not None and (cluster.now, cluster.started) >= self.ends:
                with self.paused():
                    return kernel(slot, queue, trees, keys, job, pool, cluster)
            bench = self._bench_of(job, pool, cluster)
            self.decision, self.now = self.decision + 1, cluster.now
            if self.decision < MAX_DECISIONS:
                self._time.append(cluster.now)
                self._start.append(self._starts(cluster))
                self._slot_kind.append(slot)
                self._pick.append(-2)  # the policy has not answered
            with self._followed or NOT_FOLLOWED:
                pick = kernel(slot, queue, trees, keys, job, pool, cluster)
            if self.decision < MAX_DECISIONS:
                self._pick[-1] = pick
                if has_expressions:
                    with self.paused():
                        self._look(bench, pick, slot, queue)
            else:
                self._left_out += 1
            return pick

        return decide

    def _starts(self, cluster: Any) -> int:
        """Return how many tasks have started, those given up since and second copies among them."""
        return self._run.started if self._counts_all and self._run is not None else int(cluster.started)

    def _looking(self, kernel: Callable[..., int]) -> Callable[..., int]:
        """Return a kernel that is called where no slot is offered: its hooks are followed there as well."""

        def look(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
            self._bench_of(job, pool, cluster)
            with self._followed or NOT_FOLLOWED:
                return kernel(slot, queue, trees, keys, job, pool, cluster)

        return look

    def _bench_of(self, job: Any, pool: Any, cluster: Any) -> Bench:
        """Return where expressions are evaluated; hooks are followed from then on."""
        if self.bench is None:
            assert self._words is not None
            self.bench = Bench(self._words, job, pool, cluster)
            read = (each.expression for each in self._columns if each.expression is not None)
            self._followed = self.bench.follow(read)
        return self.bench

    # ---- evaluating

    def _look(self, bench: Bench, pick: int, slot: int, queue: Any) -> None:
        """Evaluate everything upon the state in which a decision was made."""
        watches = len(self._wanted.watches)
        bench.begin(slot)
        for place, column in enumerate(self._columns):
            if column.expression is None:
                continue
            for job, kind in self._looked_at(column, bench, pick, slot, queue):
                bench.look_at(job, kind)
                of = job if column.expression.looks_at_job else column.expression.job
                if place >= watches:
                    holds, problem = bench.holds(column.expression)
                    self._note_condition(place - watches, column, of, holds)
                else:
                    number, text, problem = bench.value(column.expression)
                    has_room = self._values < MAX_VALUES
                    of_kind = kind if column.expression.looks_at_kind else -1
                    self._values += column.note(
                        self.decision, of, of_kind, number, problem or text, has_room=has_room
                    )
                if problem:
                    column.raised += 1
                    column.problem = column.problem or problem
                    if bench.was_too_long:
                        column.expression = None
                        break

    def _looked_at(
        self, column: _Column, bench: Bench, pick: int, slot: int, queue: Any
    ) -> Iterator[tuple[int, int]]:
        """Yield the jobs, and kinds of task, for which an expression is evaluated."""
        expression = column.expression
        assert expression is not None
        if expression.is_named:
            yield expression.job, slot
        elif not expression.looks_at_job:
            yield -1, slot
        elif column.watch.of_all:
            kinds = (slot, 1 - slot)[: 1 + bench.cluster.lends]
            seen: set[int] = set()
            for kind in kinds:
                first = bench.cluster.head[kind]
                for job in queue[kind][first : first + bench.cluster.waiting[kind]]:
                    if job not in seen:
                        seen.add(job)
                        yield job, kind
        elif pick >= 0:
            yield pick >> 1, pick & 1

    def _note_condition(self, condition: int, column: _Column, job: int, holds: bool) -> None:
        """Stop where a condition begins to hold, of each job on its own."""
        held = column.last.get((job, -1), (0.0, ""))[0]
        column.last[job, -1] = (float(holds), "")
        if holds and not held:
            self.stop(Stop(self.decision, condition, job))

    def stop(self, stop: Stop) -> None:
        """Note a stop, if there is room."""
        if len(self._stops) < MAX_STOPS:
            self._stops.append(stop)
        else:
            self._stops_left_out += 1

    # ---- the end

    def trace(self, printed: Sequence[Printed], left_out: int, fault: PolicyFault | None) -> Trace:
        """Return everything, once the run has ended, with what was printed and how many lines more."""
        watches = len(self._wanted.watches)
        if self._run is None:  # it did not even begin: nothing is known to read expressions with
            self._columns = [_Column(each, None) for each in self._wanted.watches]
            problems: tuple[str, ...] = ("",) * len(self._wanted.stops)
        else:
            problems = tuple(column.problem for column in self._columns[watches:])
        return Trace(
            self._decisions(),
            tuple(printed),
            left_out,
            tuple(column.finished() for column in self._columns[:watches]),
            tuple(sorted(self._stops, key=lambda stop: stop.decision)),
            problems,
            self._stops_left_out,
            fault,
            {} if self._words is None else self._words.locals,
        )

    def _decisions(self) -> Decisions:
        pick = np.array(self._pick, np.int64)
        start = np.array(self._start, np.int32)
        slot = np.full(len(pick), -1, np.int32)
        if self._run is not None:
            schedule = self._run.schedule().by_first_copies  # no second one is decided upon
            place = schedule.place_of_starts(start)
            taken = (pick >= 0) & (place >= 0)
            slot[taken] = schedule.slot[schedule.sequence[place[taken]]]
        return Decisions(
            time=np.array(self._time, np.float64),
            start=start,
            slot_kind=np.array(self._slot_kind, np.int32),
            slot=slot,
            job=np.where(pick >= 0, pick >> 1, -1).astype(np.int32),
            kind=np.where(pick >= 0, pick & 1, -1).astype(np.int32),
            left_out=self._left_out,
        )


def vocabulary_of(run: Simulation) -> Vocabulary:
    """Return the names that expressions about a run may use."""
    policy = run.policy
    hooks = interpreted_hooks(policy)  # type: ignore[arg-type]  # a class is hashable
    of_file: dict[str, Any] = {}
    for name in TRACED_HOOKS:
        of_file |= getattr(getattr(policy, name, None), "__globals__", {})
    plain = {name: value for name, value in of_file.items() if not name.startswith("_")}
    own = {name: each for name, each in plain.items() if RUN_TEXT in getattr(each, "__globals__", {})}
    numbers = {name: each for name, each in plain.items() if isinstance(each, int | float)}
    values = numbers if own or RUN_TEXT in of_file else {}
    functions = {name: function for name, function in own.items() if hasattr(function, "__code__")}
    pools, _ = pools_in_use(run.workload, run.partition)
    named = {name: getattr(policy, name) for name in HOOKS if callable(getattr(policy, name, None))}
    assigned = {name: local_names(function) for name, function in {**functions, **named}.items()}
    codes = {name: getattr(named.get(name), "__code__", None) for name in WATCHED_HOOKS}
    return Vocabulary(
        tuple(job.name for job in run.workload.jobs),
        tuple(map(str, pools)),
        {**functions, **{name: hooks[name] for name in TRACED_HOOKS}},
        {**values, **run.parameters},
        {name: names for name, names in assigned.items() if names},
        {name: code for name, code in codes.items() if code is not None and assigned[name]},
    )
