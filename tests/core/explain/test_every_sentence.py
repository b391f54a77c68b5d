"""Every sentence that every policy says on every sample is plain, and its numbers have units."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.explain.all_differences import all_differences, difference_sentences, summary_of
from core.explain.captions import MAX, captions
from core.explain.decisions import (
    decision_reason,
    open_offers,
    policy_rule,
    standing_sentences,
)
from core.explain.standing import in_column
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.policies.policy import HOOKS
from core.policies.registry import policy_class
from core.simulation.simulate import Simulation
from tests import random_tests
from tests.core.explain.runs import BUILT_IN, NOT_WITH_EVENTS, SAMPLES
from tests.random_tests import some_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

LOOKS = 5 if random_tests.is_thorough else 3
"""Decisions, tasks and instants of each run that are read; of a run with many tasks `FEW`."""
MANY, FEW = 1000, 2
EACH = 1 if random_tests.is_thorough else 3
"""Of a workload with many tasks every so manieth policy is asked."""


@cache
def sample(name: str) -> tuple[Workload, Cluster]:
    workload = some_jobs(load_sample(name))
    assert workload.cluster is not None
    return workload, workload.cluster


def told(run: Simulation) -> Iterator[str]:
    """Yield everything that is said of a run on its way, at decisions evenly spread over it."""
    yield policy_rule(run)
    tasks = run.workload.map_count + run.workload.reduce_count
    looks = FEW if tasks > MANY else LOOKS
    for start in sorted({round(tasks * part / looks) for part in range(looks)}):
        if run.advance_to_start(start) is None:
            break  # shared scans run fewer tasks
        reason = decision_reason(run)
        assert reason is not None
        yield from reason.sentences
        yield from (number.meaning for number in reason.numbers)
        for candidate in reason.candidates[:20]:
            yield from candidate.standing[1:]
            for number in reason.numbers:
                yield f"{number.title} {in_column(candidate.standing.numbers.get(number.name), number)} there"
        yield from standing_sentences(run, reason.candidates[-1].job)
        for offer in open_offers(run):
            yield from offer.sentences


def policy_facts(schedule: Schedule) -> Iterator[str]:
    for task in np.linspace(0, schedule.tasks - 1, LOOKS).astype(int).tolist():
        reason = task_reason(schedule, task)
        yield from (*reason.why_then, *reason.why_here)
    for time in np.linspace(0, schedule.makespan, LOOKS).tolist():
        for each in waiting_reasons(schedule, 0, time):
            yield from each.sentences
    told = captions(schedule)
    times = [caption.time for caption in told]
    assert times == sorted(set(times))
    assert 0 < len(told) <= MAX + 2
    assert times[0] >= 0
    assert times[-1] == schedule.makespan
    yield from (caption.text for caption in told)


FORBIDDEN = re.compile(
    r"1000\d{3}|\b((?i:inf|infinite|infinity)|nan|None|True|False|memo|kernel|tuple|docstring|lambda|boolean)\b"
    r"|\de\+|[{}_<>]|--|\b(?i:lines?|section|equation|algorithm) \d|(?<![.\d])00[0-4]\b"
    r"|\b(?i:hook|key|index|float|rank)s?\b"
)
NUMBER = re.compile(r"(?<![\w.:])-?\d[\d,]*(\.\d+)?(?![\w.:]*\w)")
PLAIN = re.compile(r"(weight|share) of $|\($|holds $")


def without_unit(sentence: str) -> list[str]:
    """Return the numbers that no unit follows, but for weights and shares, whose noun stands before."""
    bare = []
    for found in NUMBER.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        if not re.match(r" (%|[a-z])", after) and not PLAIN.search(before):
            bare.append(found.group())
    return bare


def docstrings(policy: type) -> set[str]:
    """Return the first lines of every docstring of a policy and its hooks."""
    functions = (getattr(part, hook, None) for part in policy.__mro__ for hook in HOOKS)
    texts = (each.__doc__ for each in (*policy.__mro__[:-1], *functions) if callable(each) and each.__doc__)
    return {text.strip().split("\n")[0].rstrip(".") for text in texts}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sentence_is_plain(name: str) -> None:
    workload, cluster = sample(name)
    names = re.compile("|".join(sorted({re.escape(job.name) for job in workload.jobs}, key=len)[::-1]))
    first: Schedule | None = None
    wrong: list[str] = []
    is_large = workload.map_count + workload.reduce_count > MANY
    for policy in BUILT_IN[:: EACH if is_large else 1]:
        hooks = policy_class(policy)
        if not workload.columns.stages.are_map_reduce and (
            hooks.needs_map_reduce or hasattr(hooks, "replanner")
        ):
            continue  # it says that these jobs are not for it
        if policy in NOT_WITH_EVENTS and cluster.events is not None:
            continue
        run = Simulation(workload, cluster, PolicyChoice(policy))
        said = list(told(run))
        while not run.advance():
            pass
        schedule = run.schedule()
        said += policy_facts(schedule)
        first = first or schedule
        if schedule.given.jobs == first.given.jobs:
            found = all_differences(first, schedule)
            said += summary_of(found)
            for number in range(0, len(found), max(1, len(found) // 8)):
                said += difference_sentences(found, number, first, schedule)
        sources = docstrings(policy_class(policy))
        for sentence in dict.fromkeys(said):
            plain = names.sub("J", sentence)
            if FORBIDDEN.search(plain) or without_unit(plain) or any(text in sentence for text in sources):
                wrong.append(f"{policy}: {sentence}")
            if policy_class(policy).order != "arrival" and "arrived first" in sentence:
                wrong.append(f"{policy} orders otherwise: {sentence}")
    assert wrong == []
