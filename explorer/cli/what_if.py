"""`slotscope what-if`: what more slots, shorter tasks, other partitions or no thinking would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.parameters import named_texts
from core.model.time_text import change_text, makespan_text
from explorer.cli.command import option
from explorer.cli.plan import AboutPolicy
from explorer.cli.screen import picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.study.what_ifs import WhatIfRun

NAMES = "slots, task-times, partitions, skew, think"


def _values_of(given: list[str]) -> dict[str, float]:
    """Return the numbers of ``slots=4`` and others like it."""
    from core.study.what_ifs import BY_ID

    values: dict[str, float] = {}
    for name, text in named_texts(",".join(given), "what-if", tuple(BY_ID)):
        try:
            values[name] = float(text)
        except ValueError:
            raise InputError(f"--change {name}: '{text}' is no number; give one such as {name}=2") from None
    return values


class WhatIfCommand(AboutPolicy, name="what-if"):
    """How long it takes with more slots, shorter tasks, other partitions, no stragglers, no think time."""

    change: dict[str, float] | None = option(
        "NAME=N",
        f"what is changed, and to what; again for several ({NAMES}; default: each that applies): slots=4 is "
        "four times the slots, skew=95 cuts the longest tasks of each stage to their 95th percentile",
        action="append",
        read=_values_of,
    )

    def run(self) -> None:
        """Print a row for each change alone, and one for all of them."""
        from core.study.what_ifs import first_values, what_ifs

        policy_run = self.policy_run()
        values = first_values(policy_run.workload) if self.change is None else self.change
        with progress("Simulating each change") as show:
            found = what_ifs(*policy_run, values, progress=show)
        if self.json:
            print_json({"policy": policy_run.scenario.choice.id, "runs": [_as_json(each) for each in found]})
            return
        now, *others = found
        longest = max(each.makespan for each in found)
        rows = [_cells(each, now.makespan, longest) for each in others]
        title = f"{policy_run.title} · {makespan_text(now.makespan, longest)}"
        print_table(title, ("what if", "so much", ">end", ">change", ">no schedule below"), rows)
        if words := _premises(found):
            print_line(f"Bounds {words}.")


def _cells(run: WhatIfRun, now: float, longest: float) -> tuple[str, ...]:
    """Return a row; its times are as exact as that of the longest run of the table."""
    return (
        run.title,
        run.value,
        makespan_text(run.makespan, longest),
        change_text(now, run.makespan),
        makespan_text(run.bound, longest),
    )


def _premises(runs: Sequence[WhatIfRun]) -> str:
    """Return of which schedules all bounds speak; nothing where they differ by the cluster alone."""
    words = {run.premise.words for run in runs}
    return words.pop() if len(words) == 1 else ""


def _as_json(run: WhatIfRun) -> dict[str, Any]:
    return picked(run, "title value makespan lower_bound=bound premise=premise.words")
