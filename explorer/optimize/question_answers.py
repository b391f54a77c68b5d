"""Which function answers an inverse question, and what its answer offers to use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from core.optimize.best_split import best_split
from core.optimize.fewest_slots import fewest
from core.optimize.job_questions import halving, latest_arrival
from core.optimize.premise import premise_on
from core.optimize.short_searches import ShortSearches
from core.simulation.proofs import prove_fewest
from core.study.capacity import best_policy_split, capacity, premise_of_scenario
from core.study.draws import Draws
from explorer.document.titles import scenario_title
from explorer.optimize import questions_page
from explorer.optimize.questions_page import (
    FEWEST,
    LATEST,
    SPLIT,
    SPLIT_HERE,
    InverseAnswer,
    InverseQuestion,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.best_split import BestSplit
    from core.optimize.fewest_slots import Fewest
    from core.optimize.premise import Premise
    from core.optimize.short_searches import Searching
    from core.study.capacity import PolicySplit, SlotsNeeded


class QuestionInput(NamedTuple):
    """Jobs and cluster of a question, how its search is begun, and what schedules there are."""

    workload: Workload
    cluster: Cluster
    new_search: Callable[[Workload, Cluster, Plan | None], Searching]
    at_hand: tuple[Schedule, ...] = ()


class AsItIs(NamedTuple):
    """What is run where a scenario counts as it is, and on which jobs and cluster."""

    workload: Workload
    cluster: Cluster
    scenario: Scenario


class WithSentence(Protocol):
    """What is known of any question."""

    @property
    def sentence(self) -> str:
        """In words."""


Known = TypeVar("Known", bound=WithSentence)


def answered(
    given: QuestionInput,
    question: InverseQuestion,
    on_known: Callable[[InverseAnswer], None],
    trying: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> InverseAnswer:
    """Answer a question, in a thread; see `QuestionsPage.search_of`."""
    jobs, cluster, new_search, at_hand = given
    premise = premise_on(jobs, cluster)
    searches = ShortSearches(
        new_search, seconds=questions_page.SECONDS, should_stop=should_stop, trying=trying
    )
    if question.kind == FEWEST:
        few = partial(fewest, jobs, cluster, question.until, question.varied, searches, at_hand=at_hand)

        def few_proved(on_found: Callable[[Fewest], None]) -> Fewest:
            return prove_fewest(jobs, cluster, few(on_found))[0]

        return _answer(few_proved, on_known, premise, _cluster_of_fewest)
    if question.kind == SPLIT:
        split = partial(best_split, jobs, cluster, question.total, searches)
        return _answer(split, on_known, premise, partial(_cluster_of_split, cluster))
    if question.kind == LATEST:
        latest = partial(
            latest_arrival, jobs, cluster, question.job, question.until, searches, at_hand=at_hand
        )
        return _answer(latest, on_known, premise)
    return _answer(partial(halving, jobs, cluster, searches), on_known, premise)


def answered_as_it_is(
    given: AsItIs,
    question: InverseQuestion,
    on_known: Callable[[InverseAnswer], None],
    note_tried: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> InverseAnswer:
    """Answer what a scenario needs whose policy, or what was made by hand, stays as it is; in a thread."""
    draws = Draws(question.draws, question.confidence, question.error)
    title, premise = f"{scenario_title(given.scenario)}. ", premise_of_scenario(*given)

    def split(on_found: Callable[[PolicySplit], None]) -> PolicySplit:
        def note(known: PolicySplit) -> None:
            note_tried(f"other clusters, {known.tried} so far")
            on_found(known)

        return best_policy_split(*given, question.total, draws, on_known=note, should_stop=should_stop)

    def needed(on_found: Callable[[SlotsNeeded], None]) -> SlotsNeeded:
        def note(known: SlotsNeeded) -> None:
            note_tried(f"other clusters, {len(known.failed)} too small so far")
            on_found(known)

        wanted = question.until, question.varied, draws
        return capacity(*given, *wanted, on_known=note, should_stop=should_stop)

    if question.kind == SPLIT_HERE:
        return _answer(split, on_known, premise, _cluster_of_policy_split, title)
    return _answer(needed, on_known, premise, _cluster_of_needed, title)


def _answer(
    search: Callable[[Callable[[Known], None]], Known],
    on_known: Callable[[InverseAnswer], None],
    premise: Premise,
    cluster_of: Callable[[Known], Cluster | None] = lambda _known: None,
    title: str = "",
) -> InverseAnswer:
    """Return the last answer; those before it go to `on_known`."""

    def described(known: Known) -> InverseAnswer:
        return InverseAnswer(title + premise.sentence_of(known.sentence), cluster_of(known))

    return described(search(lambda known: on_known(described(known))))


def _cluster_of_needed(known: SlotsNeeded) -> Cluster | None:
    return known.cluster


def _cluster_of_policy_split(known: PolicySplit) -> Cluster | None:
    return known.best


def _cluster_of_fewest(known: Fewest) -> Cluster | None:
    return known.cluster


def _cluster_of_split(cluster: Cluster, known: BestSplit) -> Cluster | None:
    best = known.best
    if best.plan is None:
        return None
    return replace(cluster, map_slots=best.map_slots, reduce_slots=best.reduce_slots)
