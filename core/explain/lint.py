"""What deserves a look in a schedule: starvation, idle slots, broken quotas, unproductive holds, empty slots.

Each rule is defined in its own file of `core.explain.lints`. Everything is read from the finished schedule
by columns; the quotas are those of the policy's plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.lints.finding import Finding, Limits, Rule
from core.explain.lints.idle_reducers import unproductive_holds
from core.explain.lints.idle_slots import idle_slots
from core.explain.lints.quotas import quota_breaches
from core.explain.lints.starvation import starvation
from core.explain.slots import occupancies_of
from core.explain.start_cause import check_simulated, ready_times

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def lint(schedule: Schedule, limits: Limits | None = None) -> tuple[Finding, ...]:
    """Return everything worth a look, rule by rule, the most costly findings of each first.

    Parameters
    ----------
    schedule : complete
    limits : from where on something is reported

    Raises
    ------
    InputError
        a log recorded the schedule: its cluster and policy are not known
    """
    check_simulated(schedule)
    limits = limits or Limits()
    ready = ready_times(schedule)
    occupancies = occupancies_of(schedule, ready)
    if schedule.cluster.overheads is not None:
        occupancies = []  # slots are free between heartbeats: that says nothing of the policy
    found = {
        Rule.STARVATION: starvation(schedule, ready, limits),
        **idle_slots(schedule, occupancies, ready, limits),
        Rule.QUOTA: quota_breaches(schedule, limits),
        Rule.HOLD: unproductive_holds(schedule, occupancies, ready, limits),
    }
    return tuple(finding for rule in Rule for finding in found[rule])
