"""A decision line by line: what each hook did for each candidate, with what names stood for on every line."""

from __future__ import annotations

import linecache
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.partition import pools_in_use
from core.policies.composing.hooks import hooks_of
from core.policies.user_files.apart import where_policies_live
from core.policies.user_files.failed_call import Named, values_on_line
from core.policies.user_files.followed import Followed
from core.policies.user_files.source import RUN_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Snapshot

MAX_CANDIDATES, MAX_STEPS = 60, 400
"""Candidates that are followed, and lines of one call of a hook."""
LONGEST = 200
"""Characters of a line of code."""


class CodeStep(NamedTuple):
    """A line of a hook, or of a function that it calls, before it runs.

    Attributes
    ----------
    function : in which it stands
    depth : 0 in the hook itself, 1 in what it calls, and so on
    line : of the file, from 1
    code : the line, without its indent
    values : what stands for what there: records by their names, what the line reads of them, other numbers
    """

    function: str
    depth: int
    line: int
    code: str
    values: tuple[tuple[str, str], ...]


class HookSteps(NamedTuple):
    """One call of a hook about a candidate.

    Attributes
    ----------
    hook : its name
    job, kind : the candidate: the job, and the kind of its next task
    steps : the lines, in the order in which they ran
    answer : what it returned, as text
    left_out : how many lines more ran
    """

    hook: str
    job: int
    kind: int
    steps: tuple[CodeStep, ...]
    answer: str
    left_out: int = 0


@where_policies_live
def decision_steps(run: Simulation) -> tuple[HookSteps, ...]:
    """Return what every hook did for each candidate of a decision, the preferred candidate first.

    Parameters
    ----------
    run : stopped before a decision, or elsewhere: then the first type of which a slot is free is decided on;
        it is only looked at

    Returns
    -------
    Nothing where no slot is free, or where the policy has no hooks that look at candidates
    """
    moment = run.moment()
    free = (kind for kind, slots in enumerate(moment.free) if slots)
    slot_kind = next(free, None) if moment.decision is None else moment.decision.slot_kind
    if slot_kind is None or not moment.offers(slot_kind):
        return ()
    answers = moment.answers(slot_kind)[:MAX_CANDIDATES]
    followed = _LineFollower(run, moment)
    for answer in answers:
        with followed.candidate(answer.job, answer.kind):
            moment.answer(answer.job, answer.kind, slot_kind)
    return tuple(followed.calls)


class _LineFollower:
    """Follows hooks while they run; `calls` has what they did."""

    def __init__(self, run: Simulation, moment: Snapshot) -> None:
        jobs, pools, _cluster = moment.watched
        names, _ = pools_in_use(run.workload, run.partition)
        self.calls: list[HookSteps] = []
        self._rows: dict[str, Sequence[Any]] = {"job": jobs, "pool": pools}
        self._named = Named([job.name for job in run.workload.jobs], list(map(str, names)))
        self._hooks = {each.__code__: name for name, each in hooks_of(run.policy).functions.items()}
        self._functions: dict[Any, Callable[..., Any]] = {
            each.__code__: each for each in hooks_of(run.policy).functions.values()
        }
        self._policy: type[Policy] = run.policy
        self._about = (-1, -1)
        self._depth = -1
        self._hook, self._steps, self._left_out = "", list[CodeStep](), 0

    @contextmanager
    def candidate(self, job: int, kind: int) -> Iterator[None]:
        """Follow what is called meanwhile, for one candidate."""
        self._about = (job, kind)
        with Followed(self._enter):
            yield

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        """Follow a hook, and the functions of the user's files that it calls."""
        if event != "call":
            return None
        code = frame.f_code
        if self._depth < 0 and code not in self._hooks:
            return None
        if self._depth >= 0 and (RUN_TEXT not in frame.f_globals or code.co_name.startswith("<")):
            return None
        if self._depth < 0:
            self._hook, self._steps, self._left_out = self._hooks[code], [], 0
        self._depth += 1
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._note(frame)
        elif event == "return":
            self._depth -= 1
            if self._depth < 0:
                answer = _answer_text(argument)
                self.calls.append(
                    HookSteps(self._hook, *self._about, tuple(self._steps), answer, self._left_out)
                )
        return self._line

    def _note(self, frame: FrameType) -> None:
        if len(self._steps) >= MAX_STEPS:
            self._left_out += 1
            return
        code, line = frame.f_code, frame.f_lineno
        values: tuple[tuple[str, str], ...] = ()
        if (function := self._function_of(frame)) is not None:
            names = dict(frame.f_locals), frame.f_globals
            with Followed(None):  # what is evaluated here is none of the policy's steps
                values = values_on_line(function, line, names, self._rows, self._named)
        self._steps.append(CodeStep(code.co_name, self._depth, line, self._code_at(code, line), values))

    def _function_of(self, frame: FrameType) -> Callable[..., Any] | None:
        """Return the function whose frame it is, if its module has it."""
        code = frame.f_code
        if code not in self._functions:
            found: Any = frame.f_globals.get(code.co_name, getattr(self._policy, code.co_name, None))
            if getattr(found, "__code__", None) is not code:
                return None
            self._functions[code] = found
        return self._functions[code]

    def _code_at(self, code: Any, line: int) -> str:
        source = self._policy.source
        files = () if source is None else source.files
        text = next((file.text for file in files if str(file.path) == code.co_filename), None)
        if text is None:
            found = linecache.getline(code.co_filename, line)
        else:
            lines = text.splitlines()
            found = lines[line - 1] if 0 < line <= len(lines) else ""
        return found.strip()[:LONGEST]


def _answer_text(value: Any) -> str:
    """Return an answer in full: no part of a key is cut off."""
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_answer_text, value))
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)[:LONGEST] if isinstance(value, int | str) else f"a {type(value).__name__}"


class CandidateSteps(NamedTuple):
    """Candidates about which the hooks did the same, line by line and with the same values.

    Attributes
    ----------
    jobs : in the order of preference
    kind : of their next tasks
    calls : of the hooks, about the first of them
    """

    jobs: tuple[int, ...]
    kind: int
    calls: tuple[HookSteps, ...]


def collapsed(calls: Sequence[HookSteps]) -> tuple[CandidateSteps, ...]:
    """Return the calls by candidate; neighbours that differ in nothing but the job's name are one."""
    of: dict[tuple[int, int], list[HookSteps]] = {}
    for call in calls:
        of.setdefault((call.job, call.kind), []).append(call)
    found: list[CandidateSteps] = []
    for (job, kind), own in of.items():
        last = found[-1] if found else None
        if last is not None and last.kind == kind and _nameless(last.calls) == _nameless(own):
            found[-1] = last._replace(jobs=(*last.jobs, job))
        else:
            found.append(CandidateSteps((job,), kind, tuple(own)))
    return tuple(found)


def _nameless(calls: Sequence[HookSteps]) -> list[HookSteps]:
    """Return calls without what names the job."""
    return [
        call._replace(
            job=-1,
            steps=tuple(
                step._replace(values=tuple(each for each in step.values if each[0] != "job"))
                for step in call.steps
            ),
        )
        for call in calls
    ]


def values_text(step: CodeStep) -> str:
    """Return what stands for what on a line: "job.running[kind] = 3, share = 0.5"."""
    return ", ".join(f"{name} = {text}" for name, text in step.values)
