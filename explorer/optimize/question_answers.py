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
    from collections.abc import Callable, Sequence

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
    """Jobs and cluster of a question, how its search is begun, and the schedules in the window by title."""

    workload: Workload
    cluster: Cluster
    new_search: Callable[[Workload, Cluster, Plan | None], Searching]
    at_hand: tuple[tuple[str, Schedule], ...] = ()


class AsItIs(NamedTuple):
    """What is run where a scenario counts as it is, and on which jobs and cluster."""

    workload: Workload
    cluster: Cluster
    scenario: Scenario


class UsableSchedule(NamedTuple):
    """The schedule that an answer speaks of: see `InverseAnswer`."""

    cluster: Cluster | None = None
    plan: Plan | None = None


NOTHING = UsableSchedule()
BEST = "Best schedule. "
"""Before an answer about the best schedule, as "FIFO. " is before one about a scenario as it is."""


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
    jobs, cluster, new_search, shown = given
    at_hand = tuple(schedule for _, schedule in shown)
    premise = premise_on(jobs, cluster)
    searches = ShortSearches(
        new_search, seconds=questions_page.SECONDS, should_stop=should_stop, trying=trying
    )
    if question.kind == FEWEST:
        few = partial(fewest, jobs, cluster, question.until, question.varied, searches, at_hand=at_hand)

        def few_proved(on_found: Callable[[Fewest], None]) -> Fewest:
            return prove_fewest(jobs, cluster, few(on_found))[0]

        return _answer(few_proved, on_known, premise, _offer_of_fewest, BEST, partial(_shown_by, shown))
    if question.kind == SPLIT:
        split = partial(best_split, jobs, cluster, question.total, searches)
        return _answer(split, on_known, premise, partial(_offer_of_split, cluster), BEST)
    if question.kind == LATEST:
        latest = partial(
            latest_arrival, jobs, cluster, question.job, question.until, searches, at_hand=at_hand
        )
        return _answer(latest, on_known, premise, title=BEST)
    return _answer(partial(halving, jobs, cluster, searches), on_known, premise, title=BEST)


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
        return _answer(split, on_known, premise, _offer_of_policy_split, title)
    return _answer(needed, on_known, premise, _offer_of_needed, title)


def _answer(
    search: Callable[[Callable[[Known], None]], Known],
    on_known: Callable[[InverseAnswer], None],
    premise: Premise,
    offer_of: Callable[[Known], UsableSchedule] = lambda _known: NOTHING,
    title: str = "",
    note_of: Callable[[Known], str] = lambda _known: "",
) -> InverseAnswer:
    """Return the last answer; those before it go to `on_known`."""

    def described(known: Known) -> InverseAnswer:
        text = title + premise.sentence_of(known.sentence) + note_of(known)
        return InverseAnswer(text, *offer_of(known))

    return described(search(lambda known: on_known(described(known))))


def _offer_of_needed(known: SlotsNeeded) -> UsableSchedule:
    return UsableSchedule(known.cluster)


def _offer_of_policy_split(known: PolicySplit) -> UsableSchedule:
    return UsableSchedule(known.best)


def _offer_of_fewest(known: Fewest) -> UsableSchedule:
    """UsableSchedule the schedule that was found; one that a scenario has already stands in the window."""
    return NOTHING if known.plan is None else UsableSchedule(known.cluster, known.plan)


def _shown_by(shown: Sequence[tuple[str, Schedule]], known: Fewest) -> str:
    """Return which scenario shows the schedule of an answer, where nothing is offered for it."""
    if known.plan is not None or known.cluster is None:
        return ""
    of_it = (known.cluster, known.makespan)
    return next((f" {title} does it." for title, each in shown if (each.cluster, each.makespan) == of_it), "")


def _offer_of_split(cluster: Cluster, known: BestSplit) -> UsableSchedule:
    best = known.best
    if best.plan is None:
        return NOTHING
    return UsableSchedule(
        replace(cluster, map_slots=best.map_slots, reduce_slots=best.reduce_slots), best.plan
    )
