"""What there is to say about an attempt of a recorded run that is no task: for the card at the pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.execution_history import SERVICE
from core.model.time_text import clock_text, duration_text
from core.model.workload import MAP, REDUCE
from explorer.gantt.geometry.record_parts import extra_times

if TYPE_CHECKING:
    from explorer.gantt.geometry.rows import ScheduleRows

NOTES = {
    "failed": "failed: it is no task of the simulations",
    "killed": "killed: another attempt was taken, or the job ended",
    SERVICE: "the cluster's own work for a job",
    "other": "it is no task of the simulations",
}


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """One attempt.

    Attributes
    ----------
    job : index of its job in the schedule's workload; -1 if that is not there
    job_name, host, slot_name : whose, and where it ran
    kind_name : "map", "reduce", "setup", "cleanup" or "other"
    look : as what it is drawn (see `core.model.execution_history.LOOKS`)
    outcome : how it ended
    start, end : seconds
    """

    job: int
    job_name: str
    kind_name: str
    look: str
    outcome: str
    host: str
    slot_name: str
    start: float
    end: float

    @property
    def kind(self) -> int:
        """MAP or REDUCE, by the kind of slot that it held."""
        return REDUCE if self.kind_name == "reduce" else MAP

    @property
    def title(self) -> str:
        """Job and attempt in one line."""
        return f"{self.job_name} · {self.kind_name}, {self.outcome}"

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values, in the order in which they are shown."""
        fine = 0.1 if self.end - self.start < 600 else 1.0
        return [
            ("outcome", self.outcome),
            ("host", self.host),
            ("slot", self.slot_name),
            ("start", clock_text(self.start, fine, self.end)),
            ("end", clock_text(self.end, fine, self.end)),
            ("duration", duration_text(self.end - self.start)),
        ]

    def note(self) -> str:
        """Return what is special about it."""
        return NOTES[self.look]


def attempt_facts(rows: ScheduleRows, extra: int) -> AttemptFacts:
    """Gather the facts of one of `ExecutionHistory.extra`."""
    schedule = rows.schedule
    record = schedule.record
    assert record is not None  # only recorded runs have such attempts
    attempt, slot = int(record.extra[extra]), int(record.extra_slot[extra])
    begin, end = extra_times(record)
    return AttemptFacts(
        job=int(rows.extra_job[extra]),
        job_name=record.run.jobs[int(record.run.job[attempt])],
        kind_name=record.kind(attempt),
        look=record.looks[extra],
        outcome=record.outcome(attempt),
        host=record.host_of_slot(slot),
        slot_name=schedule.cluster.slot_name(slot),
        start=float(begin[extra]),
        end=float(end[extra]),
    )
