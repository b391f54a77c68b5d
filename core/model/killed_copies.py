"""Second copies of tasks that are killed at a time, so that others get their slots.

At one instant tasks end first, then copies are killed, then jobs arrive, and free slots are offered. What the
copy had done is lost, its task gets no second copy any more. Where no second copy of that task runs then, as
under a policy that starts none, nothing happens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.errors import InputError, Problem, shorten
from core.model.limits import MAX_SECONDS, MAX_TASKS, is_number, is_whole
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_KILLED = 10_000


@dataclass(frozen=True, slots=True)
class KilledCopy:
    """A second copy that is killed.

    Attributes
    ----------
    time : when, in s
    job : whose task it is of, by name
    stage, task : the number of the stage in its job, 0 for maps and 1 for reduces, and of the task in its
        stage, from 0
    """

    time: float
    job: str
    stage: int
    task: int


def killed_copies_problems(killed: Sequence[KilledCopy]) -> list[Problem]:
    """Return every rule that a list of copies to kill breaks (none for a valid one)."""
    if len(killed) > MAX_KILLED:
        return [Problem("killed_copies", f"{len(killed)} copies", f"give at most {MAX_KILLED}")]
    problems = []
    for place, each in enumerate(killed):
        here = f"killed_copies[{place}]"
        if not is_number(each.time, 0, MAX_SECONDS):
            rule = f"give seconds from 0 to {MAX_SECONDS:g}"
            problems.append(Problem(f"{here}.time", shorten(each.time), rule))
        for name in ("stage", "task"):
            if not is_whole(getattr(each, name), 0, MAX_TASKS):
                rule = f"give its number, a whole one from 0 to {MAX_TASKS}"
                problems.append(Problem(f"{here}.{name}", shorten(getattr(each, name)), rule))
        if not isinstance(each.job, str) or not each.job:
            problems.append(Problem(f"{here}.job", shorten(each.job), "give the name of its job"))
    return problems


# ---- as text: "map 5 of J3 at 600; task 2 of stage 4 of J7 at 900"

_FORM = "give such parts, with ; between them: map 5 of J3 at 600; task 2 of stage 4 of J7 at 900; or none"
_PART = re.compile(
    r"(?:(map|reduce) (\d{1,9})|task (\d{1,9}) of stage (\d{1,9})) of (.+) at (\d+(?:\.\d*)?(?:e\+?\d+)?)"
)


def killed_copies_from_text(text: str) -> tuple[KilledCopy, ...]:
    """Read copies such as "map 5 of J3 at 600", counted from 1; none for "none".

    InputError with the form to give.
    """
    if text.strip() in ("", "none"):
        return ()
    killed = []
    for part in filter(None, (each.strip() for each in text.split(";"))):
        found = _PART.fullmatch(part)
        if found is None or "0" in (found[2], found[3], found[4]):
            raise InputError(f"a copy to kill is {shorten(part)}; {_FORM}")
        stage = KIND_WORDS.index(found[1]) if found[1] else int(found[4]) - 1
        killed.append(KilledCopy(float(found[6]), found[5], stage, int(found[2] or found[3]) - 1))
    return tuple(killed)


def killed_copies_text(killed: Sequence[KilledCopy]) -> str:
    """Write copies to kill as `killed_copies_from_text` reads them."""
    parts = [
        f"task {each.task + 1} of stage {each.stage + 1} of {each.job} at {each.time:.12g}" for each in killed
    ]
    return "; ".join(parts) or "none"


def killed_copies_words(killed: Sequence[KilledCopy]) -> str:
    """Return in few words how many copies are killed: "1 copy killed"; "" for none."""
    return f"{len(killed)} cop{'y' if len(killed) == 1 else 'ies'} killed" if killed else ""
