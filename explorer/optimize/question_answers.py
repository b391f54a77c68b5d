"""Which function answers an inverse question, and what its answer offers to use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from core.optimize.best_split import best_split
from core.optimize.fewest_slots import fewest
from core.optimize.job_questions import halving, latest_arrival
from core.optimize.short_searches import ShortSearches
from explorer.optimize import questions_page
from explorer.optimize.questions_page import FEWEST, LATEST, SPLIT, InverseAnswer, InverseQuestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.best_split import BestSplit
    from core.optimize.fewest_slots import Fewest
    from core.optimize.short_searches import Searching


class Asked(NamedTuple):
    """Of which jobs and cluster something is asked, and how a search is begun."""

    workload: Workload
    cluster: Cluster
    new_search: Callable[[Workload, Cluster, Plan | None], Searching]


class Said(Protocol):
    """What is known of any question."""

    @property
    def sentence(self) -> str:
        """In words."""


Known = TypeVar("Known", bound=Said)


def answered(
    asked: Asked,
    question: InverseQuestion,
    tell: Callable[[InverseAnswer], None],
    trying: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> InverseAnswer:
    """Answer a question, in a thread; see `QuestionsPage.asker`."""
    jobs, cluster, new_search = asked
    searches = ShortSearches(
        new_search, seconds=questions_page.SECONDS, should_stop=should_stop, trying=trying
    )
    if question.kind == FEWEST:
        few = partial(fewest, jobs, cluster, question.until, question.varied, searches)
        return _told(few, tell, _cluster_of_fewest)
    if question.kind == SPLIT:
        split = partial(best_split, jobs, cluster, question.total, searches)
        return _told(split, tell, partial(_cluster_of_split, cluster))
    if question.kind == LATEST:
        latest = partial(latest_arrival, jobs, cluster, question.job, question.until, searches)
        return _told(latest, tell)
    return _told(partial(halving, jobs, cluster, searches), tell)


def _told(
    ask: Callable[[Callable[[Known], None]], Known],
    tell: Callable[[InverseAnswer], None],
    cluster_of: Callable[[Known], Cluster | None] = lambda _known: None,
) -> InverseAnswer:
    """Ask, tell what is known meanwhile, and return the last answer."""

    def say(known: Known) -> InverseAnswer:
        return InverseAnswer(known.sentence, cluster_of(known))

    return say(ask(lambda known: tell(say(known))))


def _cluster_of_fewest(known: Fewest) -> Cluster | None:
    return known.cluster


def _cluster_of_split(cluster: Cluster, known: BestSplit) -> Cluster | None:
    best = known.best
    if best.plan is None:
        return None
    return replace(cluster, map_slots=best.map_slots, reduce_slots=best.reduce_slots)
