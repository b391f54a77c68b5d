"""Run the checks of a policy, in the process of policy files, and shrink what they find.

Whatever the policy does there, its limits hold: a policy that ends its process is found out like any other.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError, PolicyFault, UnknownName
from core.model.job import Job
from core.model.parameters import check_parameters
from core.model.progress import never_stop, no_progress
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.composing.hooks import hooks_of
from core.policies.critical import Optimised
from core.policies.registry import policy_class
from core.policies.user_files.policy_process import PROCESSES, call_apart, fresh_process
from core.policy_checks.decision_cost import decision_cost
from core.policy_checks.evidence import (
    CHECK_IDS,
    CHECKS,
    DEFAULT_RUNS,
    CheckResult,
    CheckVerdict,
    Evidence,
    Looked,
    PolicyReport,
)
from core.policy_checks.one_workload import digests, evidence_of, look_at, searches_before
from core.policy_checks.random_workloads import random_workload, workload_apart
from core.policy_checks.shrinking import MAX_TRIALS, smallest
from core.policy_checks.starvation import LONGER, MANY, STREAMS, passed_over, starving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.model.schedule import PolicyChoice
    from core.policies.user_files.policy_process import PolicyProcesses

SEARCHING_RUNS = 30
"""A policy that searches before the run gets one for so many of the others: each takes a second or so."""
FEW_STEPS = 100
"""Of the search of `optimized`, whose usual number takes seconds for each workload."""
SECONDS = 10.0
"""Without a sign of activity; the workloads are small."""
MAX_FAILING_SECONDS = 5.0
"""So long a policy may fail, as slowly as one that does not come to an end; then no more workloads run."""
TRIALS_OF_A_CRASH = 12
"""Of a policy that ends its process: each needs a new one."""
SLOW_SECONDS, MAX_SHRINKING_SECONDS = 0.2, 8.0
"""Where one workload takes so long, a smaller one is looked for only so long."""
ONE_TASK = Workload("one task", (Job("J1", Stage.of(1, 1.0)),), cluster=Cluster(1, 1))
COMPARING = ("starvation", "names", "order", "compiled")
"""Checks that a policy which is not the same twice passes or not by chance."""
REPEATED = 10
"""Workloads that are run in fresh processes."""
HASH_SEEDS = (1, 2)
LOOKING = ("errors", "numbers", "idle", "names", "order", "repeat", "memory", "compiled")
"""Checks that look at random workloads."""
SHARE = {"random": 0.55, "starvation": 0.65, "cost": 0.7, "repeat": 0.8, "smallest": 1.0}
"""Of the work: where each part ends."""
VARIES = "it is not the same twice, so no two runs of it can be compared"
FAILED_BEFORE = "it failed, or was not the same twice, on every workload"
PLANS_ALL = "it plans all jobs before the run, also those that are to come"
PLANS_ANEW = "it plans anew when a job arrives or a map stage ends, and its decisions only follow the plan"
DECIDES_NOTHING = "it searches before the run, and its decisions only follow what it found"


def policy_report(
    choice: PolicyChoice,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    checks: Sequence[str] = CHECK_IDS,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> PolicyReport:
    """Check a policy.

    Parameters
    ----------
    choice : a built-in policy, or one of a user's file that is registered, with its parameters
    runs : random workloads to look at, and as many without ties; fewer for a policy that searches
    seed : they are drawn from it: the same seed gives the same report
    checks : ids of `CHECKS`
    progress : called with the fraction done, 0 to 1
    should_stop : asked now and then; True cancels

    Raises
    ------
    InputError
        a parameter of the policy is wrong
    UnknownName
        there is no such check, or no such policy
    Cancelled
        `should_stop` said so
    """
    for check in checks:
        if check not in CHECK_IDS:
            raise UnknownName("check", check, CHECK_IDS)
    return _Examination(choice, runs, seed, checks, progress, should_stop).report()


def _quick(choice: PolicyChoice) -> PolicyChoice:
    """Let a search that takes seconds take few steps, unless their number is given."""
    given = choice.parameters
    if choice.id != Optimised.id or {"steps", "seconds"} & given.keys():
        return choice
    return replace(choice, parameters={**given, "steps": FEW_STEPS})


class _Examination:
    """The checks of one policy under way."""

    def __init__(
        self,
        choice: PolicyChoice,
        runs: int,
        seed: int,
        checks: Sequence[str],
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self._choice, self._seed, self._run_count = _quick(choice), seed, runs
        self._checks = [check for check in CHECK_IDS if check in checks]
        self._progress, self._should_stop = progress, should_stop
        policy = policy_class(choice.id)
        check_parameters(policy.parameters, choice.parameters, f"policy {choice.id}")
        self._searches = searches_before(policy)
        self._plans_anew = hasattr(policy, "replanner")
        self._has_keys = bool({"key", "pool_key"} & hooks_of(policy).functions.keys())
        self._runs = max(1, runs // SEARCHING_RUNS) if self._searches else runs
        self._found: dict[str, Evidence] = {}
        self._judged: dict[str, int] = dict.fromkeys(self._checks, 0)
        self._because: dict[str, str] = {}
        self._passed: dict[str, str] = {}
        self._has_crashed = self._varies = False
        self._failing = 0.0
        """Seconds spent on runs that failed."""

    def report(self) -> PolicyReport:
        """Run all checks."""
        self._look_at_random_ones()
        if self._varies:
            self._set_aside()
        for name, part in (("starvation", self._streams), ("cost", self._cost), ("repeat", self._fresh)):
            if name in self._checks and not self._has_crashed and name not in (*self._found, *self._because):
                part()
            self._progress(SHARE[name])
        self._shrink()
        results = tuple(self._result(check) for check in self._checks)
        self._progress(1.0)
        return PolicyReport(self._choice, results, self._run_count, self._seed)

    def _call(
        self,
        function: Callable[..., Any],
        *given: Any,
        processes: PolicyProcesses = PROCESSES,
        seconds: float | None = SECONDS,
    ) -> Any:
        """Call a function where policy files live, for one of ours as well: nothing here waits."""
        if self._should_stop():
            raise Cancelled(f"the checks of {self._choice.id} were cancelled")
        named = {"should_stop": self._should_stop}
        seconds = None if self._searches else seconds
        return call_apart(function, (self._choice, *given), named, processes, seconds)

    # ---- random workloads

    def _look_at_random_ones(self) -> None:
        left = [check for check in LOOKING if check in self._checks]
        if not left:
            return
        if "compiled" in left:  # to compile takes a while, in which there is no sign of activity
            with suppress(PolicyFault):
                self._call(look_at, ONE_TASK, ("compiled",), seconds=None)
        for number in range(self._runs):
            for workload in (random_workload(self._seed, number), workload_apart(self._seed, number)):
                looked = self._look(workload, left)
                for check in left:
                    self._judged[check] += check in looked.judged
                for check, sentence in looked.because.items():
                    self._because.setdefault(check, sentence)
                for check, evidence in looked.found.items():
                    if check in self._checks:
                        self._found.setdefault(check, evidence)
                self._varies = self._varies or "repeat" in looked.found
                left = [check for check in left if check not in self._found]
                if not left or self._has_crashed or self._failing > MAX_FAILING_SECONDS:
                    return
            self._progress(SHARE["random"] * (number + 1) / self._runs)

    def _look(self, workload: Workload, checks: Sequence[str]) -> Looked:
        """Look at a workload; a policy that ends its process has failed."""
        began = time.monotonic()
        try:
            looked: Looked = self._call(look_at, workload, checks)
        except PolicyFault as fault:
            self._has_crashed = True
            looked = Looked({"errors": evidence_of(fault, workload)}, frozenset(("errors",)))
        if "errors" in looked.found:
            self._failing += time.monotonic() - began
        return looked

    def _set_aside(self) -> None:
        """Judge nothing that compares two runs: they would differ in any case."""
        for check in COMPARING:
            self._found.pop(check, None)
            if check in self._judged:
                self._judged[check] = 0
            self._because[check] = VARIES

    # ---- the others

    def _streams(self) -> None:
        if self._searches:
            self._because["starvation"] = PLANS_ALL
            return
        undecided = ""
        for kind in STREAMS:
            try:
                found = self._call(starving, kind)
            except (InputError, PolicyFault) as error:
                self._because["starvation"] = str(error)
                return
            if isinstance(found, str):
                undecided = undecided or found
                continue
            self._judged["starvation"] += 1
            if found is not None:
                self._found["starvation"] = found
                return
        if undecided:
            self._judged["starvation"], self._because["starvation"] = 0, undecided
            return
        longest = f"{MANY} jobs, or of up to {LONGER[-1]} where one waited long,"
        self._passed["starvation"] = f"in {len(STREAMS)} streams of {longest} everybody was served"

    def _cost(self) -> None:
        if self._searches or self._plans_anew:
            self._because["cost"] = DECIDES_NOTHING if self._searches else PLANS_ANEW
            return
        try:
            cost = self._call(decision_cost)
        except (InputError, PolicyFault) as error:
            self._because["cost"] = f"many jobs did not run: {getattr(error, 'sentence', error)}"
            return
        self._judged["cost"] += 1
        self._passed["cost"] = cost.sentence
        if cost.evidence is not None:
            self._found["cost"] = cost.evidence

    def _fresh(self) -> None:
        """Compare the schedules of processes that share nothing."""
        count = min(REPEATED, self._runs)
        workloads = tuple(random_workload(self._seed, number) for number in range(count))
        found = []
        for hash_seed in HASH_SEEDS:
            with fresh_process(hash_seed) as processes:
                try:
                    found.append(self._call(digests, workloads, processes=processes))
                except PolicyFault as fault:
                    self._because["repeat"] = str(fault)
                    return
        for workload, one, other in zip(workloads, *found, strict=True):
            if one != other:
                sentence = (
                    "It gives another schedule in another process: it decides by what every process "
                    "has otherwise, such as random numbers, id(), hash() of a text or the order of a set."
                )
                self._found["repeat"] = Evidence(sentence, workload)
                return

    # ---- the smallest workloads

    def _shrink(self) -> None:
        for i, (check, evidence) in enumerate(self._found.items()):
            find = self._finder(check)
            if find is not None:
                crashes = self._has_crashed and check == "errors"
                most = TRIALS_OF_A_CRASH if crashes else MAX_TRIALS
                self._found[check] = smallest(evidence, find, most, self._enough(find, evidence))
            self._progress(SHARE["repeat"] + (1.0 - SHARE["repeat"]) * (i + 1) / len(self._found))

    def _enough(self, find: Callable[[Workload], object], evidence: Evidence) -> Callable[[], bool]:
        """Return what ends one search for a smallest workload: the user, or the time if each takes long."""
        began = time.monotonic()
        find(evidence.workload)
        if time.monotonic() - began < SLOW_SECONDS:
            return self._should_stop
        end = began + MAX_SHRINKING_SECONDS
        return lambda: self._should_stop() or time.monotonic() > end

    def _finder(self, check: str) -> Callable[[Workload], Evidence | None] | None:
        """Return a search for the same failure on another workload; None where no smaller one shows more."""
        if check == "starvation":
            return partial(self._search_again, passed_over, self._found[check])
        if check == "cost" or (check == "repeat" and "process" in self._found[check].sentence):
            return None
        return lambda workload: self._look(workload, (check,)).found.get(check)

    def _search_again(
        self, function: Callable[..., Evidence | None], first: Evidence, workload: Workload
    ) -> Evidence | None:
        found: Evidence | None = self._call(function, workload)
        return None if found is None else Evidence(**{**vars(found), "why": first.why})

    # ---- what came of it

    def _result(self, name: str) -> CheckResult:
        check = next(each for each in CHECKS if each.id == name)
        evidence = self._found.get(name)
        if evidence is not None:
            return CheckResult(check, CheckVerdict.FOUND, evidence.sentence, evidence)
        if not self._judged[name]:
            why = self._because.get(name, FAILED_BEFORE)
            return CheckResult(check, CheckVerdict.NOT_JUDGED, f"{why[:1].upper()}{why[1:].rstrip('.')}.")
        sentence = self._passed.get(name) or "".join(self._passed_text(name))
        return CheckResult(check, CheckVerdict.PASSED, f"{sentence[:1].upper()}{sentence[1:]}.")

    def _passed_text(self, name: str) -> Iterator[str]:
        count = self._judged[name]
        workloads = f"{count} random workload{'s' if count > 1 else ''}"
        if name == "numbers" and not self._has_keys:
            yield "it compares no numbers of its own"
            return
        yield {
            "errors": f"{workloads} ran to their ends",
            "numbers": f"in {workloads} every number could be compared",
            "idle": f"in {workloads} no slot idled while a task could start on it",
            "names": f"{workloads} ran at the same times under other names",
            "order": f"{workloads} in which nothing ties ran at the same times, declared backwards",
            "repeat": f"{workloads} gave the same schedules twice, and in fresh processes",
            "memory": f"after {workloads} its file held what it held before",
            "compiled": f"{workloads} gave the same schedules compiled and interpreted, to the last bit",
        }[name]
