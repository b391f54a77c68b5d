"""Why a task that is ready beside a free slot does not start: what its policy answered about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.decision_text import decision_sentences
from core.explain.decisions import open_offers

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.explain.replay import Replay


def held_reason(
    replay: Replay,
    task: int,
    time: float,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[str, ...]:
    """Say which slot the policy declined at a time although a task could have run on it, and by which rule.

    Parameters
    ----------
    replay : of the schedule
    task : it waits at that time: the waiter of a link of cause HELD, a task whose start has the cause POLICY
    time : seconds, for example the begin of that link
    should_stop : asked now and then; True cancels

    Returns
    -------
    tuple of str
        empty if no slot was declined then
    """
    columns = replay.schedule.workload.columns
    wanted = int(columns.job[task]), int(columns.kind[task])
    run = replay.at(time, None, should_stop)
    for offer in open_offers(run):
        if offer.winner is None and any((c.job, c.kind) == wanted for c in offer.candidates):
            return decision_sentences(run, offer)
    return ()
