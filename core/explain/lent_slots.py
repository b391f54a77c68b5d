"""What pools that share all slots lend one another at an instant, in sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from core.explain.explanation_words import count, listed
from core.measures.pool_loans import MAX_TASKS, pool_loans
from core.model.partition import pools_in_use

if TYPE_CHECKING:
    from core.model.schedule import Schedule

MAX_LENDERS = 6
"""A sentence names so many pools that lend slots to one."""


def lent_sentences(schedule: Schedule, time: float) -> tuple[str, ...]:
    """Return a sentence for each pool that works on slots of others at a time, in seconds.

    "pipeline works on 9 slots, 6 of them lent: 4 by reports and 2 by analysts." Of what two pools lend one
    another the difference counts. Nothing of schedules with more than `MAX_TASKS` tasks.
    """
    if schedule.tasks > MAX_TASKS:
        return ()
    loans = pool_loans(schedule)
    lent = Counter((loan.borrower, loan.lender) for loan in loans.net_at(time))
    if not lent:
        return ()
    pool = pools_in_use(schedule.workload, schedule.partition)[1][schedule.workload.columns.job]
    runs = (schedule.slot >= 0) & (schedule.start <= time) & (time < schedule.end)
    sentences = []
    for borrower, name in enumerate(loans.names):
        lenders = sorted(
            ((number, lender) for (to, lender), number in lent.items() if to == borrower),
            key=lambda each: (-each[0], each[1]),
        )
        if lenders:
            held, whole = int((runs & (pool == borrower)).sum()), sum(number for number, _ in lenders)
            by = listed([f"{n} by {loans.names[lender]}" for n, lender in lenders], MAX_LENDERS, "pool")
            lent_ones = f"{'all' if held == whole else whole} of them lent: {by}"
            lent_ones = lent_ones if held > 1 else f"lent by {loans.names[lenders[0][1]]}"
            sentences.append(f"{name} works on {count(held, 'slot')}, {lent_ones}.")
    return tuple(sentences)
