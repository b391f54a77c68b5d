"""What a policy raised while it decided: the job that it looked at, and the line of the user's file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.engine.loop import offer_free_slots
from core.engine.state import State, as_rows
from core.policies.composing.kernel import interpreted_kernel
from core.policies.user_files.loop_budget import EndlessLoop
from core.policies.user_files.source import frames_of, place_of_error, place_of_file

if TYPE_CHECKING:
    from core.model.errors import SourcePlace
    from core.policies.policy import Policy


@dataclass(frozen=True)
class Failure:
    """What a policy raised while it decided.

    Attributes
    ----------
    error : the exception
    job : index of the job that the failing hook looked at, -1 if it looked at none
    place : where in the user's file, None for other policies
    """

    error: BaseException
    job: int = -1
    place: SourcePlace | None = None

    @property
    def what(self) -> str:
        """Say what happened, as a verb with its object."""
        endless = isinstance(self.error, EndlessLoop)
        return "does not come to an end" if endless else f"raised {type(self.error).__name__}"


def failure_of(policy: type[Policy], error: BaseException, state: State, *, compiled: bool) -> Failure:
    """Return what a decision raised, with the line and the job.

    Compiled code knows neither: the decision is made again, interpreted, on a copy of the state.
    """
    rows = as_rows(state) if compiled else state
    if compiled:
        again = _decide_again(policy, rows)
        if again is None:
            return Failure(error, place=place_of_file(policy.source))
        error = again
    return Failure(error, _job_looked_at(error, rows), place_of_error(error, policy.source))


def _decide_again(policy: type[Policy], rows: State) -> BaseException | None:
    try:
        offer_free_slots(interpreted_kernel(policy), rows)  # type: ignore[arg-type]  # a class is hashable
    except (Exception, SystemExit) as error:
        return error
    return None


def _job_looked_at(error: BaseException, rows: State) -> int:
    """Return the index of the job record that the innermost frame with one holds."""
    places = {id(row): j for j, row in enumerate(rows.job)}
    for frame, _line in reversed(frames_of(error)):
        job = frame.f_locals.get("job")
        if id(job) in places:
            return places[id(job)]
    return -1
