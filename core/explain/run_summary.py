"""What one sees in some runs of the same jobs, as clauses of a sentence, the most important first.

When the first run ends, and what that was spent on; how the run beside it differs, and by which causes; what
the others would save; what went wrong; and how much any schedule could save. All times are rounded as
makespans are shown, and parts of a time add up to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import count, cut_name, job_names, sentence_start, task_name
from core.explain.path_causes import as_of_records, shares_of, shares_of_difference, spent_time
from core.explain.run_tail import LONG, tail_of
from core.explain.stage_path import PartKind
from core.explain.start_cause import NO_TASK, same_task
from core.measures.job_ends import late_jobs
from core.model.errors import Cancelled
from core.model.progress import never_stop
from core.model.time_text import exact_clock, makespan_step, makespan_text, shown_change
from core.optimize.longest_path import longest_path
from core.optimize.premise import ON_THESE, SMALLEST_GAP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.explain.causes import TimeCause
    from core.explain.path_causes import Shares, SpentTime
    from core.explain.run_tail import Tail
    from core.measures.metrics import Metrics
    from core.model.schedule import Schedule

MAX_NAMED_JOBS = 2


class LinkTo(StrEnum):
    """What a link of a clause leads to."""

    JOB = "job"
    RUN = "run"
    TASK = "task"
    """The last attempt of a run: of the run whose key is the link's."""
    FAILED = "failed attempts"
    BOUND = "bound"


class Tone(StrEnum):
    """How words stand out."""

    PLAIN = "plain"
    STRONG = "strong"
    BETTER = "better"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words of a clause, with where they lead.

    Attributes
    ----------
    text : as it stands there
    tone : how it stands out
    link : what it leads to, or None
    key : which run that is, or in which run it lies
    name : of the job that it leads to, else empty
    task : index of the task that it leads to, or NO_TASK
    """

    text: str
    tone: Tone = Tone.PLAIN
    link: LinkTo | None = None
    key: int = -1
    name: str = ""
    task: int = NO_TASK


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the sentence that can be left out with all that follow it.

    Attributes
    ----------
    words : in their order
    joint : what stands between the clause before and this one: ": " goes on with it, ". " does not
    """

    words: tuple[Phrase, ...]
    joint: str = ". "


@dataclass(frozen=True, slots=True, eq=False)
class ShownRun:
    """A run as it is shown.

    Attributes
    ----------
    key : tells it from the others, in links
    title : what it is called
    schedule, metrics : complete, and what it is worth, with the best bound that is known
    found : makespan of the best plan that a search has found for it, in seconds; None where none runs
    """

    key: int
    title: str
    schedule: Schedule
    metrics: Metrics
    found: float | None = None

    @property
    def is_record(self) -> bool:
        """Whether a log recorded it."""
        return self.schedule.record is not None


def sentence_of(clauses: Sequence[Clause]) -> str:
    """Return clauses as text, with a full stop behind them; empty for none."""
    parts = [
        (clause.joint if place else "") + "".join(words.text for words in clause.words)
        for place, clause in enumerate(clauses)
    ]
    return f"{''.join(parts)}." if parts else ""


def run_summary(
    runs: Sequence[ShownRun],
    baseline: int,
    active: int,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[Clause, ...]:
    """Return what one sees in some runs of the same jobs.

    It is about what really ran, if a record is among them, else about the baseline; beside it the active run
    is looked at, or, where that is the same one, the one that ends first.

    Parameters
    ----------
    runs : in the order in which they are shown, at least one
    baseline, active : keys of the run that others are compared with, and of the one that is edited
    should_stop : asked now and then

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    return tuple(_Summary(runs, baseline, active, should_stop).clauses())


class _Summary:
    """Writes the clauses.

    Attributes
    ----------
    subject : the run that the sentence is about
    other : the run beside it, None if there is none
    """

    def __init__(
        self, runs: Sequence[ShownRun], baseline: int, active: int, should_stop: Callable[[], bool]
    ) -> None:
        self._runs, self._should_stop = runs, should_stop
        records = [run for run in runs if run.is_record]
        chosen = [run for run in runs if run.key == baseline]
        self.subject = (records or chosen or list(runs))[0]
        others = [run for run in runs if run is not self.subject]
        fastest = min(others, key=lambda run: run.metrics.makespan, default=None)
        self.other = next((run for run in others if run.key == active), fastest)
        self._named = job_names(self.subject.schedule.workload)
        self._largest = max(run.metrics.makespan for run in runs)
        self._step = makespan_step(self._largest)

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses, the most important first."""
        subject = self.subject
        spent = spent_time(subject.schedule)
        self._look_up()
        yield self._end()
        tail, lead = tail_of(subject.schedule), self._lead(spent)
        is_long = 0 < tail.begin <= (1 - LONG) * subject.schedule.makespan
        if lead is not None and not (is_long and tail.seconds > self._launched(spent)):
            yield lead
        elif not is_long and (parts := shares_of(spent, self._step).parts):
            yield Clause((Phrase(f"on the way there {self._listed(parts)}"),), ": ")
        if is_long:
            yield self._tail(tail)
            if self.other is None:
                yield from self._more_slots(": ")
        self._look_up()
        yield from self._difference(spent)
        yield from self._savings()
        yield from self._oddities()
        if is_long and self.other is not None:
            yield from self._more_slots(". ")
        yield from self._bound()

    def _look_up(self) -> None:
        if self._should_stop():
            raise Cancelled("the summary was cancelled")

    def _text(self, seconds: float) -> str:
        return makespan_text(seconds, self._largest)

    def _listed(self, parts: Sequence[tuple[TimeCause, float]]) -> str:
        return ", ".join(f"{self._text(seconds)} {cause.value}" for cause, seconds in parts)

    def _job(self, job: int) -> Phrase:
        return Phrase(self._named[job], link=LinkTo.JOB, name=self.subject.schedule.workload.jobs[job].name)

    # ---- the run itself

    def _end(self) -> Clause:
        makespan = Phrase(self._text(self.subject.metrics.makespan), Tone.STRONG)
        if len(self._runs) == 1:
            return Clause((Phrase("Ends after "), makespan))
        return Clause((_title(self.subject), Phrase(" ends after "), makespan))

    def _launched(self, spent: SpentTime) -> float:
        """Return when the first task starts of the job with which the way to the end begins."""
        schedule = self.subject.schedule
        own = schedule.workload.columns.job == spent.path.parts[0].job
        return float(schedule.start[own].min(initial=np.inf))

    def _lead(self, spent: SpentTime) -> Clause | None:
        """Return how long it takes until the way to the end begins, where that is long and no slot lacks."""
        schedule, first, launched = self.subject.schedule, spent.path.parts[0].job, self._launched(spent)
        if not LONG * schedule.makespan <= launched < np.inf:
            return None
        came = float(schedule.arrival[first])
        if came > launched / 2:
            return Clause(
                (Phrase(f"{self._text(came)} of it before "), self._job(first), Phrase(" came")), ": "
            )
        waits = [part for part in spent.path.parts if part.end <= launched and part.kind is PartKind.SLOT]
        if waits and not self.subject.is_record:
            return None
        before = f"{self._text(launched)} of it before the first task of "
        return Clause((Phrase(before), self._job(first), Phrase(" was launched")), ": ")

    def _tail(self, tail: Tail) -> Clause:
        """Return that next to nothing runs at the end, and of which jobs."""
        verb = "holds" if len(tail.jobs) == 1 else "hold"
        held = f"just 1 of {count(tail.slots, 'slot')}" if tail.most == 1 else ""
        held = held or f"{tail.most} of {tail.slots} slots at most"
        for_the_last = Phrase(f"For the last {self._text(tail.seconds)} ")
        return Clause((for_the_last, *self._jobs(tail.jobs), Phrase(f" {verb} {held}")))

    def _more_slots(self, joint: str) -> Iterator[Clause]:
        """Yield what any number of slots would change, where next to none is in use at the end."""
        schedule = self.subject.schedule
        if not self.subject.is_record and not schedule.shares_scans:
            shortest = longest_path(schedule.given, schedule.cluster).seconds
            saved = max(-self._change(schedule.makespan, shortest), 0.0)
            text = (
                f"more slots would save at most {self._text(saved)}" if saved else "more slots would not help"
            )
            yield Clause((Phrase(text if joint == ": " else sentence_start(text)),), joint)

    def _jobs(self, jobs: Sequence[int]) -> list[Phrase]:
        """Return names of jobs, of many the first ones."""
        most = MAX_NAMED_JOBS + (len(jobs) == MAX_NAMED_JOBS + 1)  # one more takes no more room than "1 more"
        named = [self._job(job) for job in jobs[:most]]
        if len(jobs) > most:
            named.append(Phrase(count(len(jobs) - most, "more job")))
        joints = [", "] * max(len(named) - 2, 0) + [" and "]
        return [
            part
            for pair in zip_longest(named, map(Phrase, joints[: len(named) - 1]))
            for part in pair
            if part
        ]

    def _change(self, before: float, after: float) -> float:
        return shown_change(before, after, self._step)

    # ---- the others

    def _difference(self, spent: SpentTime) -> Iterator[Clause]:
        """Yield how the run beside it differs, the causes, and when that starts what ends this one."""
        other = self.other
        if other is None:
            return
        there = spent_time(other.schedule)
        self._look_up()
        if self.subject.is_record or other.is_record:
            spent, there = as_of_records(spent), as_of_records(there)
        shares = shares_of_difference(there, spent, self._step)
        yield Clause((_title(other), Phrase(" ends "), *self._later(shares.whole)))
        if shares.parts:
            yield Clause((Phrase(self._causes(shares)),), ": ")
        yield from self._last_task(other, shares.whole)

    def _later(self, seconds: float) -> tuple[Phrase, ...]:
        """Return by how much something ends later, or sooner."""
        if not seconds:
            return (Phrase("at the same time"),)
        sooner, tone = ("sooner", Tone.BETTER) if seconds < 0 else ("later", Tone.WORSE)
        return Phrase(self._text(abs(seconds)), tone), Phrase(f" {sooner}")

    def _causes(self, shares: Shares) -> str:
        """Return the causes of a difference: "53 s less waiting for launch, but 4 s more map time"."""
        is_sooner = shares.whole <= 0
        along = [part for part in shares.parts if (part[1] < 0) == is_sooner]
        against = [part for part in shares.parts if (part[1] < 0) != is_sooner]
        texts = [
            ", ".join(
                f"{self._text(abs(s))} {'less' if s < 0 else 'more'} {cause.value}" for cause, s in side
            )
            for side in (along, against)
            if side
        ]
        return ", but ".join(texts)

    def _last_task(self, other: ShownRun, change: float) -> Iterator[Clause]:
        """Yield when the task that ends the run starts there, where that makes up for most of the change."""
        here = self.subject.schedule
        task = int(np.argmax(here.end))
        same = same_task(here, task, other.schedule)
        if same == NO_TASK or not change:
            return
        begins, there = float(here.start[task]), float(other.schedule.start[same])
        if abs(there - begins) < abs(change) / 2 or (there < begins) != (change < 0):
            return
        job = int(here.workload.columns.job[task])
        name = task_name(here.workload, task).removesuffix(here.workload.jobs[job].name)
        words = Phrase(f"{name}{self._named[job]}", link=LinkTo.TASK, key=self.subject.key, task=task)
        at, then = (exact_clock(shown_change(0.0, each, self._step)) for each in (begins, there))
        yield Clause((Phrase("What ends last, "), words, Phrase(f", starts at {at}, there at {then}")))

    def _savings(self) -> Iterator[Clause]:
        """Yield which further run ends first, and what a search has found."""
        before = self.subject.metrics.makespan
        further = [run for run in self._runs if run is not self.subject and run is not self.other]
        best = min(further, key=lambda run: run.metrics.makespan, default=None)
        joint = ". "
        if best is not None and (saved := -self._change(before, best.metrics.makespan)) > 0:
            yield Clause((_title(best), Phrase(" saves "), Phrase(self._text(saved), Tone.BETTER)))
            joint = ", "
        found = [run.found for run in self._runs if run.found is not None]
        if found and (saved := -self._change(before, min(found))) > 0:
            start = "The" if joint == ". " else "the"
            yield Clause(
                (Phrase(f"{start} best plan found saves "), Phrase(self._text(saved), Tone.BETTER)), joint
            )

    # ---- what is odd, and what is left

    def _oddities(self) -> Iterator[Clause]:
        """Yield how many attempts of a record came to nothing, or how many jobs are late."""
        subject = self.subject
        record = subject.schedule.record
        if record is not None:
            for outcome in ("failed", "killed"):
                many = record.count(outcome)
                if many:
                    was = "" if outcome == "failed" else "was " if many == 1 else "were "
                    link = LinkTo.FAILED if outcome == "failed" else None
                    yield Clause(
                        (
                            Phrase(count(many, "attempt"), link=link, key=subject.key),
                            Phrase(f" {was}{outcome}"),
                        )
                    )
                    return
        late = late_jobs(subject.schedule)
        if late:
            worst = max(late, key=lambda name: late[name])
            first = self._job(subject.schedule.workload.job_index[worst])
            by = Phrase(f" by {self._text(late[worst])}")
            if len(late) == 1:
                yield Clause((first, Phrase(" is late"), by))
            else:
                yield Clause((Phrase(f"{count(len(late), 'job')} are late, "), first, by))

    def _bound(self) -> Iterator[Clause]:
        """Yield how much any schedule could save that keeps the premise of the bound."""
        metrics = self.subject.metrics
        premise = metrics.premise
        on = "" if premise.words == ON_THESE else f", {premise.words}"
        if abs(metrics.gap) < SMALLEST_GAP:
            none = "no other schedule is shorter" if not premise.as_submitted else "the bound is as long"
            yield Clause((Phrase(sentence_start(none), link=LinkTo.BOUND, key=self.subject.key), Phrase(on)))
        elif metrics.gap > 0 and (most := -self._change(metrics.makespan, metrics.lower_bound)) > 0:
            link = Phrase("Another schedule", link=LinkTo.BOUND, key=self.subject.key)
            yield Clause((link, Phrase(f" could save at most {self._text(most)}{on}")))


def _title(run: ShownRun) -> Phrase:
    return Phrase(cut_name(run.title), link=LinkTo.RUN, key=run.key)
