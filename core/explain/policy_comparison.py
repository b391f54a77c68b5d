"""What another policy would have done in every state in which a schedule decided.

The other policy runs along: it sees every event of that run, with a plan and a memory of its own, and is
asked at each start of the schedule and wherever that leaves a slot free (`core.simulation.along`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.decisions import DecisionReason, decision_reason, title_of
from core.explain.explanation_words import count, number, task_word
from core.explain.standing import Standings
from core.explain.start_cause import NO_TASK, check_simulated
from core.model.errors import Cancelled
from core.model.progress import never_stop, no_progress
from core.policies.composing import templates
from core.policies.composing.hooks import hooks_of
from core.policies.registry import policy_class
from core.policies.rolling import Rolling
from core.policies.user_files.apart import where_policies_live
from core.simulation.along import AlongRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine.state import State
    from core.model.schedule import PolicyChoice, Schedule
    from core.simulation.snapshot import Answer, Snapshot

MAX_DECISIONS = 200_000
"""Decisions that are asked about: some ten seconds of them."""
MAX_KEPT = 50_000
"""Other choices that are kept with their reasons."""


@dataclass(frozen=True, slots=True)
class OtherChoice:
    """What the other policy would have done.

    Attributes
    ----------
    start : how many tasks have started before
    time : seconds
    slot, slot_kind : the free slot, and its type
    task : what the schedule starts on it; NO_TASK where it leaves it free
    job, kind : whose next task of which kind the other policy would have started; -1 to leave it free
    sentence : "Fair would have taken J4: 0.1 < 0.25"
    answer : how many answers it has given before
    """

    start: int
    time: float
    slot: int
    slot_kind: int
    task: int
    job: int
    kind: int
    sentence: str
    answer: int

    @property
    def leaves_free(self) -> bool:
        """Whether the schedule leaves the slot free."""
        return self.task == NO_TASK


@dataclass(frozen=True)
class PolicyComparison:
    """All answers of the other policy that differ from what the schedule does.

    Attributes
    ----------
    choice, title : of the policy that was asked
    decisions : starts that it was asked about, from the first one on
    starts : all starts of the schedule
    otherwise : starts of which it would have decided otherwise; those of `choices` are `MAX_KEPT` at most
    choices : where it would have chosen otherwise, in the order of the run; of a slot that stays free over
        several instants only the first one
    """

    choice: PolicyChoice
    title: str
    decisions: int
    starts: int
    otherwise: int
    choices: tuple[OtherChoice, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """How often it would have chosen otherwise, and what was left out."""
        whole = count(self.decisions, "decision")
        lines = [f"{self.title} would have decided {self.otherwise} of {whole} otherwise."]
        if self.otherwise == 0:
            lines = [f"{self.title} would have decided the same in all of {whole}."]
        free = sum(choice.leaves_free for choice in self.choices)
        if free:
            lines.append(f"It would have used {count(free, 'slot')} that stayed free.")
        if self.decisions < self.starts:
            lines.append(f"Only the first {self.decisions} of {self.starts} were asked about.")
        if len(self.choices) >= MAX_KEPT:
            lines.append(f"The first {MAX_KEPT} are listed.")
        return tuple(lines)


def decides_in_any_state(policy_id: str) -> bool:
    """Whether a policy decides slot by slot, on slots that all share: then it has an answer in any state."""
    policy = policy_class(policy_id)
    plans_own_run = hasattr(policy, "partition") or hasattr(policy, "replanner")
    return not (plans_own_run or issubclass(policy, Rolling))


@where_policies_live
def compare_decisions(
    schedule: Schedule,
    choice: PolicyChoice,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    most: int = MAX_DECISIONS,
) -> PolicyComparison:
    """Compare the decisions of a schedule with those of another policy in the same states.

    Parameters
    ----------
    schedule : complete
    choice : the policy that is asked
    progress : called with the fraction done, 0 to 1
    should_stop : asked now and then; True cancels
    most : so many starts are asked about

    Raises
    ------
    InputError
        a log recorded the schedule, or the policy cannot be asked there (`core.simulation.along`)
    PolicyError
        the policy raised an exception or picked a task that cannot start
    Cancelled
        `should_stop` said so
    """
    check_simulated(schedule)
    run = AlongRun(schedule, choice, should_stop=should_stop)
    comparison = _Comparer(run, schedule, most)
    run.listen(comparison)
    while comparison.decisions < min(most, len(schedule.sequence)):
        if should_stop():
            raise Cancelled(f"asking {comparison.title} was cancelled")
        if run.advance():
            break
        progress(run.progress)
    return PolicyComparison(
        choice,
        comparison.title,
        decisions=comparison.decisions,
        starts=len(schedule.sequence),
        otherwise=comparison.otherwise,
        choices=tuple(comparison.choices),
    )


class _Comparer:
    """Keeps the answers that differ, with why the policy prefers one job to another."""

    def __init__(self, run: AlongRun, schedule: Schedule, most: int) -> None:
        self.title = title_of(run.explained)
        self.decisions, self.otherwise = 0, 0
        self.choices: list[OtherChoice] = []
        self._run, self._schedule, self._most = run, schedule, most
        columns, sequence = schedule.workload.columns, schedule.sequence
        self._task, self._slot = sequence.tolist(), schedule.slot[sequence].tolist()
        self._taken = (2 * columns.job[sequence] + columns.kind[sequence]).tolist()
        self._free = [-1, -1]
        self._names = [job.name for job in run.workload.jobs]
        self._template = hooks_of(run.policy).template

    def __call__(self, state: State, slot_kind: int, pick: int, start: int) -> None:
        if self.decisions >= self._most:
            return
        if start < 0:
            if pick != self._free[slot_kind]:
                self._keep(state, slot_kind, pick, NO_TASK)
            self._free[slot_kind] = pick
            return
        self.decisions += 1
        if pick != self._taken[start]:
            self.otherwise += 1
            self._keep(state, slot_kind, pick, start)

    def _keep(self, state: State, slot_kind: int, pick: int, start: int) -> None:
        if len(self.choices) >= MAX_KEPT or (pick < 0 and start < 0):
            return
        taken = self._taken[start] if start >= 0 else -1
        slot = self._slot[start] if start >= 0 else self._run.lowest_free(pick, slot_kind)
        self.choices.append(
            OtherChoice(
                start=int(state.cluster.started),
                time=float(state.cluster.now),
                slot=slot,
                slot_kind=slot_kind,
                task=self._task[start] if start >= 0 else NO_TASK,
                job=pick >> 1 if pick >= 0 else -1,
                kind=pick & 1 if pick >= 0 else -1,
                sentence=self._sentence(slot_kind, slot, pick, taken),
                answer=self._run.answers - 1,
            )
        )

    def _sentence(self, slot_kind: int, slot: int, pick: int, taken: int) -> str:
        """Return the sentence about an answer.

        `pick` is what the policy answered, `taken` what was started: 2 * job + kind, or -1.
        """
        glance = self._run.glance()
        mine, theirs = (
            None if each < 0 else glance.answer(each >> 1, each & 1, slot_kind) for each in (pick, taken)
        )
        place = self._run.cluster.slot_name(slot)
        refusal = ""
        if theirs is not None and not theirs.may_start:
            refusal = Standings(self._run, glance).of(theirs, slot_kind).refusal
        if mine is None:
            return f"{self.title} would have left {place} free{': ' if refusal else ''}{refusal}"
        what = self._names[mine.job]
        if theirs is None:
            return f"{self.title} would have given {place} to {what} ({self._word(mine.kind)})"
        if mine.kind != theirs.kind and self._run.workload.is_map_reduce:
            what += f" ({self._word(mine.kind)})"
        return f"{self.title} would have taken {what}{self._comparison(mine, theirs, refusal, glance)}"

    def _word(self, kind: int) -> str:
        """Return what a task of a type is called."""
        return task_word(self._run.workload, kind)

    def _comparison(self, mine: Answer, theirs: Answer, refusal: str, glance: Snapshot) -> str:
        """Return by which number the one goes before the other, or which rule forbids the other."""
        if self._template is templates.free_form:
            return ""
        if refusal:
            return f": not {self._names[theirs.job]}, {refusal}"
        for ours, others in ((mine.pool_key, theirs.pool_key), (mine.key, theirs.key)):
            for one, other in zip(ours, others, strict=False):
                if one != other:
                    return f": {number(one)} {'<' if one < other else '>'} {number(other)}"
        if mine.job == theirs.job:
            if not self._run.workload.is_map_reduce:
                return ": by the order of its stages"
            return f": {self._word(mine.kind)}s before {self._word(theirs.kind)}s"
        ranks = [glance.jobs[each.job].rank for each in (mine, theirs)]
        return f": before {self._names[theirs.job]} in its queue" if ranks[0] < ranks[1] else ""


# ---- one state, with every candidate


@where_policies_live
def other_decision_reason(
    schedule: Schedule,
    choice: PolicyChoice,
    other: OtherChoice,
    should_stop: Callable[[], bool] = never_stop,
) -> DecisionReason | None:
    """Return what the other policy answers at one of its other choices: the list of candidates."""
    run = _run_near(schedule, choice, other.answer, should_stop)
    run.advance_to_answer(other.answer, should_stop)
    return decision_reason(run, other.slot_kind)


MAX_RUNS = 2
MIN_ANSWERS = 1000
"""Between two copies."""
_runs: list[tuple[Schedule, PolicyChoice, list[AlongRun]]] = []
"""Asked last in this process, each with copies on the way."""


def _run_near(
    schedule: Schedule, choice: PolicyChoice, answer: int, should_stop: Callable[[], bool]
) -> AlongRun:
    """Return a copy of the run before an answer."""
    known = next((each for each in _runs if each[0] is schedule and each[1] == choice), None)
    if known is None:
        known = (schedule, choice, [AlongRun(schedule, choice, should_stop=should_stop)])
    _runs[:] = [known, *(each for each in _runs if each is not known)][:MAX_RUNS]
    copies = known[2]
    step = max(MIN_ANSWERS, len(schedule.sequence) // 8)
    while (last := copies[-1]).answers + step < answer:
        run = last.fork()
        run.advance_to_answer(last.answers + step, should_stop)
        copies.append(run)
    return next(each for each in reversed(copies) if each.answers <= answer).fork()
