"""What there is to say of a scenario in one line: its name, its result, how it compares."""

from __future__ import annotations

from dataclasses import dataclass

from core.measures.compare import NO_OVERHEADS, NO_OVERHEADS_WHY
from core.model.time_text import duration_text, fine_percent

UNKNOWN, VEILED = "–", "?"
"""In place of a makespan: there is none yet; it is to be guessed."""
SMALLEST_GAP = 1e-9
"""Makespans that are nearer to the lower bound are equal to it: sums of durations may be wrong by that."""


@dataclass(frozen=True, slots=True)
class ScenarioFacts:
    """What a header shows.

    Attributes
    ----------
    title, policy : what the scenario and its policy are called
    makespan : as text, `UNKNOWN` at first, `VEILED` while it is to be guessed
    change : against the baseline as text, empty for the baseline itself
    baseline_title : what the baseline is called
    verdict : -1 shorter than the baseline, 1 longer, 0 neither
    bound, gap : no schedule ends before, in seconds, and by how much the makespan is longer, as a share of it
    bound_why : why that is so, as the end of "no schedule is shorter, since ..."
    is_baseline, is_alone, is_active : its part in the document and in the window
    progress : of the running simulation, 0 to 1, None if none runs
    error : why there is no result, empty if there is one
    is_waiting : whether that is only since the policy's file has not been run
    slow_because : why a user's policy runs interpreted, empty if it is compiled
    passed_over : which picks by hand its jobs have no tasks for, as a sentence; empty for none
    lacks_overheads : whether it stands beside what really ran and has none
    notes : what has to be said of the chart in words
    amount : how many jobs and tasks the chart shows
    """

    title: str
    policy: str
    makespan: str = UNKNOWN
    change: str = ""
    baseline_title: str = ""
    verdict: int = 0
    bound: float = 0.0
    gap: float | None = None
    bound_why: str = ""
    is_baseline: bool = False
    is_alone: bool = False
    is_active: bool = False
    progress: float | None = None
    error: str = ""
    is_waiting: bool = False
    slow_because: str = ""
    passed_over: str = ""
    lacks_overheads: bool = False
    notes: str = ""
    amount: str = ""

    @property
    def result(self) -> str:
        """The makespan, or in a word why there is none."""
        if not self.error:
            return self.makespan
        return "not run" if self.is_waiting else "failed"

    @property
    def gap_text(self) -> str:
        """How far the makespan is from the lower bound."""
        if self.gap is None or self.error:
            return ""
        if self.gap < -SMALLEST_GAP:  # what really ran keeps no rule of the model
            return f"{fine_percent(-self.gap)} below bound"
        return "optimal" if self.gap < SMALLEST_GAP else f"{fine_percent(self.gap)} above bound"

    @property
    def standing(self) -> tuple[str, str]:
        """How it compares with the baseline, in full and in short."""
        if self.is_baseline:
            return ("", "") if self.is_alone else ("baseline", "baseline")
        return (f"{self.change} vs {self.baseline_title}", self.change) if self.change else ("", "")

    @property
    def line(self) -> str:
        """What has to be said in words: why it failed, why it is slow, what the chart cannot show."""
        slow = "interpreted" if self.slow_because else ""
        lacking = NO_OVERHEADS if self.lacks_overheads else ""
        return self.error or " · ".join(
            part for part in (lacking, slow, self.passed_over, self.notes) if part
        )

    def sentence(self) -> str:
        """Say everything for a tooltip or a screen reader."""
        parts = [self.title]
        if self.policy != self.title:
            parts.append(f"policy {self.policy}")
        if self.error:
            parts.append(f"{self.result}: {self.error}")
        else:
            parts.append(f"makespan {self.makespan}")
        if self.gap_text:
            how_far = "optimal: it is" if self.gap_text == "optimal" else self.gap_text.removesuffix(" bound")
            why = f" (no schedule is shorter, since {self.bound_why})" if self.bound_why else ""
            if how_far.endswith("below"):
                why = " (of simulations; what really ran kept other rules)"
            parts.append(f"{how_far} the lower bound of {duration_text(self.bound)}{why}")
        if self.is_baseline:
            parts.append("the baseline")
        elif self.change:
            parts.append(f"{self.change} against the baseline {self.baseline_title}")
        if self.slow_because:
            parts.append(f"interpreted, so slower with the same result: {self.slow_because}")
        if self.lacks_overheads:
            parts.append(
                f"{NO_OVERHEADS}: {NO_OVERHEADS_WHY} (Scenario > Fidelity to the log estimates them)"
            )
        parts += [part for part in (self.passed_over, self.amount, self.notes) if part]
        if self.progress is not None:
            parts.append(f"simulating, {self.progress:.0%} done")
        return ", ".join(parts)
