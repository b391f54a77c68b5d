"""How a policy explains its decisions: named numbers with their units, and phrases that use them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.workload import Workload

Phrase = str | Callable[..., str]


@dataclass(frozen=True)
class Number:
    """A number of a job, or of its pool, that a policy decides by.

    Attributes
    ----------
    name : what phrases call it: ``{left}``
    unit : how it is written: "s" for a span in seconds, "at" for a point in time, "%" for a part of 1,
        "nth" for a place from 1 ("nth shortest" writes 2 as "2nd shortest"), "task" or another noun for
        a count, "kind" and "slot" for a count of maps or reduces, of map or reduce slots, whichever is
        decided about; empty for a plain number. A phrase may ask for another one: ``{left:s}``
    title : heading of its column where candidates are listed, empty for none
    meaning : what it is, in a sentence
    stages_title, stages_meaning : the same where jobs have other stages than maps and reduces; empty where
        they do not differ
    value : a function that asks by name for job, kind, slot, pool, cluster, ``jobs`` (their number), the
        policy's parameters and `figures`, its ``key`` and ``pool_key``, its ``place`` in the queue from
        1, and numbers declared before; None for one that is known by this name already. A value that is not
        finite is not shown
    """

    name: str
    unit: str = ""
    title: str = ""
    meaning: str = ""
    value: Callable[..., object] | None = None
    stages_title: str = ""
    stages_meaning: str = ""

    def for_workload(self, workload: Workload) -> Number:
        """Return it with title and meaning in the words of the jobs."""
        if workload.is_map_reduce:
            return self
        title, meaning = self.stages_title or self.title, self.stages_meaning or self.meaning
        return replace(self, title=title, meaning=meaning)


@dataclass(frozen=True)
class Explains:
    """Why a policy decides as it does.

    A phrase is a text with numbers in braces, without a full stop; or a function that asks by name for what
    a number's may ask for, and returns such a text. Beside the declared numbers it may name ``{kind}`` (map
    or reduce), ``{name}`` and ``{pool_name}`` of the job, and every parameter and figure.

    Attributes
    ----------
    rule : how it decides, in a sentence or two
    numbers : what it decides by
    job : why a job stands where it does: "runs {running:kind} for its weight of {weight}"
    pool : why its pool does, where pools are compared
    admits, pool_admits, lends : why the job, its pool or the slot's type cannot have one more task of that
        kind, where the hook of this name says no
    """

    rule: str
    numbers: tuple[Number, ...] = ()
    job: Phrase = ""
    pool: Phrase = ""
    admits: Phrase = "the job may have no further {kind} now"
    pool_admits: Phrase = "the pool may have no further {kind} now"
    lends: Phrase = "such a slot is not lent to {kind}s now"


# ---- said by several policies

ARRIVAL = Number("arrival", "at", "Arrival", "When the job arrived", lambda job: job.arrival)
ARRIVED = "arrived at {arrival}, {place:nth} in the queue"
SINCE = "jobs that arrive together keep the order of the workload"
STAGES = (
    Number(
        "maps",
        "s",
        "Map stage",
        "Estimate for the job's maps on all map slots",
        stages_title="First stages",
        stages_meaning="Estimate for the stages that wait for no other, on all slots",
    ),
    Number(
        "reduces",
        "s",
        "Reduce stage",
        "Estimate for its shuffles and reduces on all reduce slots",
        stages_title="Later stages",
        stages_meaning="Estimate for the stages that wait for others, with their shuffles, on all slots",
    ),
)
POOL = (Number("pool_maps", "map slot"), Number("pool_reduces", "reduce slot"))
IN_POOL = "in pool {pool_name} with {pool_maps} and {pool_reduces}"
FROM_END = Number("from_end", value=lambda jobs, place: jobs - place + 1)
NOT_LONGER = "maps estimated {maps}, reduces {reduces}; maps are not longer than reduces"
LONGER = "maps estimated {maps}, reduces {reduces}; reduces are shorter than maps"
FRONT = NOT_LONGER + ", so it goes to the front, {place:nth shortest} there"
BACK = LONGER + ", so it goes to the back, {from_end:nth shortest} there: served {from_end:nth last}"
