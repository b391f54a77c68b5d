"""Runs for checks: their decisions looked at, whether numbers can be compared; their prints left out."""

from __future__ import annotations

import math
import os
from contextlib import redirect_stderr, redirect_stdout
from copy import copy
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import interpreted_hooks
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.schedule import PolicyChoice
    from core.model.workload import Workload

P = ParamSpec("P")
R = TypeVar("R")
SOME_SECONDS = 1e6
"""Stands in for an infinite deadline where it is asked whether a policy makes an infinity of its own."""
REFUSING = ("pool_admits", "admits")
NUMBERS = (*REFUSING, "pool_key", "key")
"""Hooks whose answers are looked at, in the order in which they are asked."""


def without_prints(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function with the prints of policies discarded: hundreds of runs would print."""

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> R:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            return function(*given, **named)

    return called


class BadNumber(Exception):
    """A hook gave a number that cannot be compared; a sentence, and when and of which job."""

    def __init__(self, sentence: str, time: float, job: str) -> None:
        super().__init__(sentence)
        self.time, self.job = time, job


def watched_run(workload: Workload, choice: PolicyChoice, should_stop: Callable[[], bool]) -> Simulation:
    """Return an interpreted run that raises BadNumber at the first number that cannot be compared."""
    run = Simulation(workload, workload.cluster, choice, engine="interpreted", should_stop=should_stop)
    watch = _NumberWatch(run)
    return run.with_kernel(watch.beside) if watch.has_hooks else run


class _NumberWatch:
    """Calls the hooks of a run's policy once more, beside each decision."""

    def __init__(self, run: Simulation) -> None:
        hooks = hooks_of(run.policy)
        self._jobs = run.workload.jobs
        self._looks_at = [name for name in NUMBERS if name in hooks.functions]
        self._functions = interpreted_hooks(run.policy)  # type: ignore[arg-type]  # a class is hashable

    @property
    def has_hooks(self) -> bool:
        """Whether the policy gives any number."""
        return bool(self._looks_at)

    def beside(self, choose: Callable[..., int]) -> Callable[..., int]:
        """Return a kernel that decides as this one does."""

        def decide(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
            try:
                return choose(slot, queue, trees, keys, job, pool, cluster)
            finally:  # before what a run says of such a number, which may not tell the job
                self._look(slot, queue, job, pool, cluster)

        return decide

    def _look(self, slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> None:
        for kind in (slot, 1 - slot)[: 1 + cluster.lends]:
            if kind != slot and not cluster.containers and not self._functions["lends"](slot, kind, cluster):
                continue
            head = cluster.head[kind]
            for j in queue[kind][head : head + cluster.waiting[kind]]:
                self._look_at(j, (job[j], kind, slot, pool[job[j].pool], cluster))

    def _look_at(self, j: int, given: tuple[Any, ...]) -> None:
        """Call all hooks for a job as the policy does: not for the key of one that is not admitted."""
        for name in self._looks_at:
            try:
                answer = self._call(name, given)
                what = self._what_is_wrong(name, answer, given)
            except Exception:  # the run itself tells what a hook raises
                return
            if what:
                raise BadNumber(self._sentence(name, j, given, what), given[4].now, self._jobs[j].name)
            if name in REFUSING and not answer:
                return

    def _what_is_wrong(self, name: str, answer: Any, given: tuple[Any, ...]) -> str:
        numbers = list(_floats(answer))
        if any(map(math.isnan, numbers)):
            return "nan"
        if not any(map(math.isinf, numbers)):
            return ""
        # a deadline is infinite where there is none; is it so as well where nothing is infinite?
        job, kind, slot, pool, cluster = given
        finite = (_finite(job), kind, slot, _finite(pool), _finite(cluster))
        return "inf" if any(map(math.isinf, _floats(self._call(name, finite)))) else ""

    def _call(self, name: str, given: tuple[Any, ...]) -> Any:
        _job, kind, _slot, pool, cluster = given
        function = self._functions[name]
        return function(pool, kind, cluster) if name.startswith("pool") else function(*given)

    def _sentence(self, name: str, j: int, given: tuple[Any, ...], what: str) -> str:
        job, kind = self._jobs[j], given[1]
        of = f"the pool {job.pool}" if name.startswith("pool") else f"{job.name}'s next {KIND_WORDS[kind]}"
        at = exact_clock(given[4].now)
        if what == "nan":
            return f"At {at} {name} gave NaN, which is no number, for {of}."
        return f"At {at} {name} gave infinity for {of}, although nothing that it read was infinite."


def _floats(value: Any) -> Iterator[float]:
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, float):
            yield each


def _finite(row: Any) -> Any:
    """Return a record in which some seconds stand for what is infinite."""
    twin = copy(row)
    for name, value in vars(row).items():
        if isinstance(value, float) and math.isinf(value):
            setattr(twin, name, SOME_SECONDS)
        elif isinstance(value, list) and any(isinstance(v, float) and math.isinf(v) for v in value):
            setattr(twin, name, [SOME_SECONDS if math.isinf(v) else v for v in value])
    return twin
