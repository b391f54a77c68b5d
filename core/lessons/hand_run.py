"""Single steps of a run by hand: its first state, the jobs that may have the offered slot, and one pick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.errors import StalledError
from core.model.schedule import PolicyChoice
from core.policies.by_hand import ByHand, leave_free, nothing_follows
from core.simulation.fork import run_after_fork, run_before
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.schedule import Fork
    from core.model.workload import Workload
    from core.simulation.snapshot import Decision

NO_JOB = -1
"""Instead of a pick: the slot stays free."""
EMPTY = PolicyChoice(ByHand.id)


@dataclass(frozen=True)
class HandStanding:
    """A run by hand that stands at an offer, or has ended.

    Attributes
    ----------
    run : a copy of its own
    held : what is offered, None where nothing is
    is_stuck : whether nothing can go on
    """

    run: Simulation
    held: Decision | None
    is_stuck: bool = False


def begin_run(workload: Workload, cluster: Cluster, fork: Fork | None) -> Simulation:
    """Return a run under the policy of picks, with none yet, where the game begins."""
    if fork is None:
        return Simulation(workload, cluster, EMPTY, engine="interpreted")
    return run_after_fork(run_before(workload, cluster, fork, "interpreted"), fork, EMPTY, None, None)


def last_arrival(workload: Workload) -> float:
    """Return when the last job arrives of those that follow no other, in seconds."""
    links = workload.columns.links
    return float(links.fixed[~links.follows].max(initial=0.0))


def carry_out(run: Simulation, pick: int) -> Decision | None:
    """Let a run carry out a decision, and go to the next offer; None at the end.

    Parameters
    ----------
    pick : ``2 * job + kind``, or `NO_JOB` after `leave_free`

    Raises
    ------
    StalledError
        nothing can go on
    """
    run.counts.held = pick  # type: ignore[attr-defined]  # not for hooks
    return run.advance_to_start(run.started + (pick != NO_JOB))


def has_left_free(run: Simulation) -> bool:
    """Whether a slot stays free now because the player has left it free."""
    memo, now = run.counts.memo, run.now
    return any(memo[2 + kind] > 0 and memo[kind] == now for kind in (0, 1))


def choices(standing: HandStanding, last: float) -> list[int]:
    """Return what may be done with the slot that is offered: the first in line in front, `NO_JOB` last.

    Parameters
    ----------
    last : when the last job arrives, as `last_arrival` has it
    """
    if standing.held is None:
        return []
    moment = standing.run.moment()
    answers = moment.answers(standing.held.slot_kind)
    picks = [2 * answer.job + answer.kind for answer in answers if answer.may_start]
    return picks if nothing_follows(moment.cluster, last) else [*picks, NO_JOB]


def after(standing: HandStanding, pick: int) -> HandStanding:
    """Return where a run stands after a choice; the one before stays as it is."""
    assert standing.held is not None
    run = standing.run.fork()
    if pick == NO_JOB:
        leave_free(run.counts, standing.held.slot_kind)
    try:
        return HandStanding(run, carry_out(run, pick))
    except StalledError:
        return HandStanding(run, None, is_stuck=True)
