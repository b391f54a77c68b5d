"""How much a finding matters, from what it costs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule

HIGH_SHARE, MEDIUM_SHARE = 0.25, 0.05


class Severity(Enum):
    """Three grades; the value is what people read."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


def severity_of(finding: Finding, schedule: Schedule) -> Severity:
    """Grade a finding: one slot lost for a quarter of the makespan, or more, is high; for 5 %, medium."""
    share = finding.cost / schedule.makespan if schedule.makespan else 0.0
    if share >= HIGH_SHARE:
        return Severity.HIGH
    return Severity.MEDIUM if share >= MEDIUM_SHARE else Severity.LOW
