"""What a step shows and hides, as values: scenarios, guests, the time cursor, marks and the veil."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.errors import Problem, UnknownName, shorten
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario

ROWS = ("slot", "pool")
TASK_KINDS = {word: kind for kind, word in enumerate(KIND_WORDS)}


class ChartPlace(NamedTuple):
    """Which chart of a step: the scenario or, if `is_guest`, the guest with this number from 0."""

    number: int
    is_guest: bool = False

    def __str__(self) -> str:
        return f"{self.noun} {self.number}"

    @property
    def noun(self) -> str:
        """What such a chart is called, also as a key of documents: "scenario" or "guest"."""
        return "guest" if self.is_guest else "scenario"

    @staticmethod
    def from_json(document: dict[str, Any]) -> ChartPlace:
        """Return the chart that a part of a document names; the first scenario if it names none."""
        if "guest" in document:
            return ChartPlace(int(document["guest"]), is_guest=True)
        return ChartPlace(int(document.get("scenario", 0)))

    def to_json(self) -> dict[str, int]:
        """Return the key and the number that name this chart in a document."""
        return {self.noun: self.number}


FIRST_CHART = ChartPlace(0)


class NamedTask(NamedTuple):
    """A task as people name it: of which job, of which kind, and its number there from 1."""

    job: str
    kind: int
    number: int


@dataclass(frozen=True)
class LessonMark:
    """A text that points at something in a chart.

    Attributes
    ----------
    text : what it says, a few words
    chart : where
    task : the task that it points at, or None
    job : the job that it points at, or empty
    slot : the slot by its name, "M4"; empty for none
    time : seconds, or None; with a slot a place on it, alone a line through the chart
    is_gap : whether it points at the whole time for which the slot stands idle around `time`
    """

    text: str
    chart: ChartPlace = FIRST_CHART
    task: NamedTask | None = None
    job: str = ""
    slot: str = ""
    time: float | None = None
    is_gap: bool = False


@dataclass(frozen=True)
class Guest:
    """A chart beside the document's, on the same time axis, to be looked at only.

    Attributes
    ----------
    workload : what its jobs are, by its name in the lesson
    scenario : how they are scheduled, with a cluster of its own and a title
    """

    workload: str
    scenario: Scenario


@dataclass(frozen=True)
class StepView:
    """What the window shows in a step.

    Attributes
    ----------
    workload : by its name in the lesson
    scenarios : 1 to 6 of them, with ids from 1
    cluster : what the workload runs on; None for its own
    guests : charts of other workloads, or of the same one on other clusters
    active : number of the scenario that is active, from 0
    cursor : seconds, and how many of the decisions at that time are over; None for no time cursor
    selected_job : by its name; empty for none
    zoom : from when to when charts show, in seconds; None for all
    rows : "slot" or "pool"
    docks : panels that are shown, by the names of the window
    scans : seconds at which the circles of shared scans stand beside the text; None where there are none
    marks : what the charts point at
    """

    workload: str
    scenarios: tuple[Scenario, ...]
    cluster: Cluster | None = None
    guests: tuple[Guest, ...] = ()
    active: int = 0
    cursor: tuple[float, int] | None = None
    selected_job: str = ""
    zoom: tuple[float, float] | None = None
    rows: str = "slot"
    docks: tuple[str, ...] = ()
    scans: float | None = None
    marks: tuple[LessonMark, ...] = ()

    @property
    def charts(self) -> tuple[ChartPlace, ...]:
        """Every chart, the scenarios first."""
        own = (ChartPlace(i) for i in range(len(self.scenarios)))
        return (*own, *(ChartPlace(i, is_guest=True) for i in range(len(self.guests))))

    def chart_problems(self, chart: ChartPlace, where: str) -> Iterator[Problem]:
        """Yield what is wrong with naming a chart: there is none with this number."""
        count = len(self.guests if chart.is_guest else self.scenarios)
        if chart.number >= count:
            yield Problem(f"{where}.{chart.noun}", str(chart.number), numbers_rule(chart.noun, count))


@dataclass(frozen=True)
class StepVeil:
    """What is hidden until the question is answered, or the veil lifted: all that happens after a time.

    Attributes
    ----------
    begin : seconds; None for the time cursor
    charts : which charts; None for all
    """

    begin: float | None = None
    charts: tuple[ChartPlace, ...] | None = None

    def hides(self, chart: ChartPlace) -> bool:
        """Whether a chart is veiled."""
        return self.charts is None or chart in self.charts


def numbers_rule(noun: str, count: int) -> str:
    """Return the rule that a number from 0 breaks: "the step has scenarios 0 to 3"."""
    if count == 0:
        return f"the step has no {noun}s"
    return f"the step has {noun}s 0 to {count - 1}" if count > 1 else f"the step has one {noun}, number 0"


def slot_number(cluster: Cluster, name: str) -> int | None:
    """Return the number of the slot that charts call so, None if there is none."""
    return next((slot for slot in range(cluster.slots) if cluster.slot_name(slot) == name), None)


def job_problems(jobs: Collection[str], name: str, where: str) -> Iterator[Problem]:
    """Yield what is wrong with naming a job: there is none of this name."""
    if name not in jobs:
        yield Problem(where, shorten(name), str(UnknownName("job", name, jobs)))
