"""What a rule reports, and from where on it reports it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.model.schedule import Schedule

NO_JOB = NO_SLOT = -1
HIGH_SHARE, MEDIUM_SHARE = 0.25, 0.05


class Rule(Enum):
    """What can be found; the value is its name in the window."""

    STARVATION = "starvation"
    IDLE_SLOT = "idle slot"
    QUOTA = "quota breach"
    HOLD = "unproductive hold"
    NOTHING_TO_RUN = "nothing to run"


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on something is reported.

    Attributes
    ----------
    starvation_multiple : a job starves if it waits for more than so many times the time that it takes alone
    least_share : what costs less slot-seconds than this share of the makespan is left out
    most : findings of one rule, the most costly ones first
    """

    starvation_multiple: float = 3.0
    least_share: float = 0.01
    most: int = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """One place in a schedule that deserves a look.

    Attributes
    ----------
    rule : what was found
    begin, end : when, seconds
    job, slot : what it concerns, NO_JOB or NO_SLOT if none in particular
    kind : type of the tasks or slots, one of `core.model.stages.TASK_TYPES`
    cost : slot-seconds lost, or held too many; for starvation the seconds of waiting
    sentence : the same in words
    """

    rule: Rule
    begin: float
    end: float
    job: int
    slot: int
    kind: int
    cost: float
    sentence: str


def most_costly(findings: Iterable[Finding], limits: Limits) -> tuple[Finding, ...]:
    """Return the most costly findings of a rule, ties by time and job."""
    ranked = sorted(findings, key=lambda finding: (-finding.cost, finding.begin, finding.job, finding.kind))
    return tuple(ranked[: limits.most])


class Severity(Enum):
    """Three grades; the value is the name in the window."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


def severity_of(finding: Finding, schedule: Schedule) -> Severity:
    """Grade a finding: one slot lost for a quarter of the makespan, or more, is high; for 5 %, medium."""
    share = finding.cost / schedule.makespan if schedule.makespan else 0.0
    if share >= HIGH_SHARE:
        return Severity.HIGH
    return Severity.MEDIUM if share >= MEDIUM_SHARE else Severity.LOW
