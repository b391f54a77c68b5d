"""The description of a scenario in one line: its name, its result, how it compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.measures.below_bound import OTHER_RULES
from core.measures.compare import NO_OVERHEADS, NO_OVERHEADS_WHY, own_standing
from core.model.submissions import AS_SUBMITTED, ONE_AFTER_THE_OTHER
from core.model.time_text import makespan_text
from explorer.widgets.plain_labels import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.measures.compare import SharedBound
    from core.measures.metrics import Metrics


@dataclass(frozen=True, slots=True)
class ScenarioFacts:
    """What a header shows.

    Attributes
    ----------
    title, policy : what the scenario and its policy are called
    makespan : as text, `UNKNOWN` at first, `VEILED` while it is to be guessed
    change, difference : against the baseline, in percent and in time, empty for the baseline itself
    baseline_title : what the baseline is called
    verdict : -1 shorter than the baseline, 1 longer, 0 neither
    figures : makespan and bound of its own, with the premise of that; None while it has no result
    shared : the bound that holds for all scenarios beside it; None likewise
    bound_why : why its own bound is so, as the end of "no schedule is shorter, since ..."; of what really
        ran below it why it is
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
    difference: str = ""
    baseline_title: str = ""
    verdict: int = 0
    figures: Metrics | None = None
    shared: SharedBound | None = None
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
    def gap(self) -> float | None:
        """By what share of its own bound, the line in its chart, the makespan is longer."""
        return None if self.figures is None else self.figures.gap

    @property
    def gap_text(self) -> str:
        """How far the makespan is from its own bound."""
        return "" if self.figures is None or self.error else own_standing(self.figures)

    @property
    def standing(self) -> tuple[str, str]:
        """How it compares with the baseline, in full and in short."""
        if self.is_baseline:
            return ("", "") if self.is_alone else ("baseline", "baseline")
        return (f"{self.change} vs {self.baseline_title}", self.change) if self.change else ("", "")

    @property
    def line(self) -> str:
        """Notes in words: its part, its policy, why it failed or is slow, what the chart cannot show."""
        slow = "interpreted" if self.slow_because else ""
        lacking = NO_OVERHEADS if self.lacks_overheads else ""
        followed = AS_SUBMITTED if self.is_as_submitted else ""
        named = self.policy if self.policy != self.title else ""
        baseline = "baseline" if self.is_baseline and not self.is_alone else ""
        parts = (baseline, named, lacking, followed, slow, self.passed_over, self.notes)
        return self.error or " · ".join(part for part in parts if part)

    @property
    def is_as_submitted(self) -> bool:
        """Whether it takes recorded times of submission for given that were results of the run."""
        return self.figures is not None and self.figures.premise.as_submitted

    def sentence(self) -> str:
        """Return everything for a tooltip or a screen reader."""
        parts = [self.title]
        if self.policy != self.title:
            parts.append(f"policy {self.policy}")
        if self.error:
            parts.append(f"{self.result}: {self.error}")
        else:
            parts.append(f"makespan {self.makespan}")
        parts += self._bounds()
        if self.is_baseline:
            parts.append("the baseline")
        elif self.change:
            parts.append(f"{self.difference} ({self.change}) against the baseline {self.baseline_title}")
        if self.slow_because:
            parts.append(f"interpreted, so slower with the same result: {self.slow_because}")
        if self.lacks_overheads:
            parts.append(
                f"{NO_OVERHEADS}: {NO_OVERHEADS_WHY} (Scenario > Fidelity to the log estimates them)"
            )
        if self.is_as_submitted:
            parts.append(ONE_AFTER_THE_OTHER.removesuffix("."))
        parts += [part for part in (self.passed_over, self.amount, self.notes) if part]
        if self.progress is not None:
            parts.append(f"simulating, {self.progress:.0%} done")
        return ", ".join(parts)

    def _bounds(self) -> Iterator[str]:
        """Return how far it is from its own bound and why that holds, then from the one of all scenarios."""
        if self.figures is None or self.shared is None or self.error:
            return
        how_far, premise = _standing(own_standing(self.figures)), self.figures.premise
        bound = f"the lower bound of {makespan_text(self.figures.lower_bound)}"
        if how_far.endswith("below"):
            yield f"{how_far} {bound} of simulations, as {self.bound_why or OTHER_RULES}"
        elif self.bound_why:
            yield f"{how_far} {bound} ({premise.claim}, since {self.bound_why})"
        else:
            yield f"{how_far} {bound} {premise.words}"
        if self.shared.differs:
            far = _standing(self.shared.standing(self.figures))
            shared = f"{makespan_text(self.shared.seconds)} {self.shared.premise.words}"
            yield f"{far} the bound of all scenarios here, {shared}"


def _standing(text: str) -> str:
    """Return how far a makespan is from its bound, to stand before the bound."""
    return f"{text}: it is" if text.startswith(("optimal", "at the")) else text.removesuffix(" bound")
