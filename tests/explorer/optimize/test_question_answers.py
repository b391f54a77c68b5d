"""Inverse questions are answered by the functions that know them, meanwhile and in the end."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.plan import Plan
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.submissions import ONE_AFTER_THE_OTHER
from core.optimize.bounds import lower_bound
from core.simulation.simulate import simulate
from explorer.optimize.question_answers import AsItIs, QuestionInput, answered, answered_as_it_is
from explorer.optimize.questions_page import (
    FEWEST,
    FEWEST_HERE,
    HALVING,
    LATEST,
    SPLIT,
    SPLIT_HERE,
    InverseQuestion,
)
from tests.builders import FIVE_JOBS, make_job, make_workload, two_stage_workload
from tests.explorer.optimize.scripted import Scripted

WORKLOAD = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))


class FindsNothing:
    """A search that never has a schedule."""

    def __init__(self, workload, cluster, _start):
        self.found = Scripted(math.inf, lower_bound(workload, cluster), plan=Plan(()))

    def advance(self, steps, should_stop=None):
        should_stop()
        return self.found


@pytest.mark.parametrize("kind", [FEWEST, HALVING, SPLIT, FEWEST_HERE, SPLIT_HERE])
def test_nothing_is_proved_where_a_driver_waited_for_jobs(kind):
    """Two jobs of 15 s each, the second a second after the first had ended."""
    each = [make_job(f"J{i}", (4, 10.0), (2, 5.0), arrival=16.0 * i) for i in range(3)]
    jobs = replace(make_workload(*each), source="a log", cluster=Cluster(4, 2))
    question, quiet = InverseQuestion(kind, until=47.0, total=6), no_progress
    if kind in (FEWEST_HERE, SPLIT_HERE):
        as_it_is = AsItIs(jobs, jobs.cluster, Scenario(1, PolicyChoice("fifo")))
        text = answered_as_it_is(as_it_is, question, quiet, quiet, never_stop).text
    else:
        text = answered(
            QuestionInput(jobs, jobs.cluster, MeetsItsBound), question, quiet, quiet, never_stop
        ).text
    assert ONE_AFTER_THE_OTHER in text
    assert "proved" not in text.replace(ONE_AFTER_THE_OTHER, "")
    assert "if jobs were submitted at the recorded times" in text


@pytest.mark.parametrize("question", [InverseQuestion(FEWEST), InverseQuestion(LATEST, job="J1")])
def test_scenarios_of_the_document_are_answers(question, monkeypatch):
    monkeypatch.setattr("explorer.optimize.questions_page.SECONDS", 0.05)
    cluster = Cluster(30, 20, 1.0)
    fair = simulate(WORKLOAD, cluster, PolicyChoice("fair"))
    asked, question = QuestionInput(WORKLOAD, cluster, FindsNothing), replace(question, until=fair.makespan)
    nothing = asked, question, lambda _: None, lambda _: None, lambda: False
    assert "o schedule" in answered(*nothing).text
    at_hand = answered(asked._replace(at_hand=(("Fair", fair),)), *nothing[1:])
    assert "o schedule" not in at_hand.text
    assert at_hand.cluster is None  # a scenario shows it already
    assert at_hand.text.endswith(" Fair does it.") is (question.kind == FEWEST)


class MeetsItsBound:
    """A search whose first schedule ends at the bound."""

    def __init__(self, workload, cluster, _start):
        bound = lower_bound(workload, cluster)
        self.found = Scripted(bound, bound, proved=True, plan=Plan(()))

    def advance(self, steps, should_stop=None):
        return self.found


@pytest.mark.parametrize(
    ("question", "text", "cluster"),
    [
        (InverseQuestion(FEWEST_HERE, until=60.0), "FIFO. It ends by 1:00 with 27 + 27 slots, at ", (27, 27)),
        (InverseQuestion(SPLIT_HERE, total=60), "FIFO. It ends at 0:47 with 30 map + 30 reduce", (30, 30)),
        (InverseQuestion(FEWEST_HERE, 60.0, error=0.3, draws=2, confidence=0.5), " of 2 draws; ", None),
        (InverseQuestion(FEWEST_HERE, until=9.0), "No number of map and reduce slots ends by 0:09", ()),
    ],
)
def test_a_scenario_as_it_is_has_its_answers(question, text, cluster):
    told, tried = [], []
    asked = AsItIs(WORKLOAD, Cluster(30, 30, 1.0), Scenario(1, PolicyChoice("fifo")))
    answer = answered_as_it_is(asked, question, told.append, tried.append, lambda: False)
    assert text in answer.text
    assert told[-1] == answer
    assert tried[-1].startswith("other clusters, ")
    if cluster is not None:
        found = answer.cluster
        assert answer.plan is None
        assert (() if found is None else (found.map_slots, found.reduce_slots)) == cluster


@pytest.mark.parametrize(
    ("question", "text", "offers", "tries"),
    [
        (InverseQuestion(FEWEST, until=60.0), "slots; fewer are proved to be too few", True, "map + "),
        (InverseQuestion(SPLIT, total=60), "on no other split can a schedule", True, " reduce slots"),
        (InverseQuestion(LATEST, until=60.0, job="J1"), "J1 may arrive at", False, "J1 arriving at 0:"),
        (InverseQuestion(HALVING), "helps most", False, "all jobs as they are"),
    ],
)
def test_every_question_has_its_answer(question, text, offers, tries):
    told, tried = [], []
    asked = QuestionInput(WORKLOAD, Cluster(30, 30, 1.0), MeetsItsBound)
    answer = answered(asked, question, told.append, tried.append, lambda: False)
    assert answer.text.startswith("Best schedule. ")
    assert text in answer.text
    assert (answer.plan is not None) is offers
    assert (answer.cluster is not None) is offers
    assert replace(told[-1], text=answer.text) == answer  # fewer are proved too few at the end only
    assert tries in tried[0]
    if question.kind == SPLIT:
        assert answer.cluster.map_slots + answer.cluster.reduce_slots == 60
