"""Where a schedule made by hand first differs from a better one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.explanation_words import task_name
from core.model.time_text import exact_clock

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def difference_sentence(own: Schedule, better: Schedule, title: str) -> str:
    """Return where a schedule made by hand first differs from a better one; empty if it does not."""
    from core.explain.all_differences import all_differences  # only a schedule that is judged is compared

    found = all_differences(own, better)
    if found.parted is None:
        return ""
    tasks = [int(schedule.sequence[found.same]) for schedule in (own, better)]
    times = float(own.start[tasks[0]]), float(better.start[tasks[1]])
    slots = int(own.slot[tasks[0]]), int(better.slot[tasks[1]])
    workload, jobs = own.workload, [own.workload.columns.job[task] for task in tasks]
    names = [workload.jobs[job].name for job in jobs]
    if jobs[0] == jobs[1] and times[0] == times[1]:
        names = [task_name(workload, task) for task in tasks]
    places = [own.cluster.slot_name(int(slot)) for slot in slots]
    yours, theirs = (
        f"you gave slot {places[0]} to {names[0]}",
        f"{title} gives slot {places[1]} to {names[1]}",
    )
    if times[0] < times[1]:
        theirs = f"{title} leaves it free then"
    elif times[0] > times[1]:
        yours = f"you left slot {places[1]} free"
    return f"The first difference: at {exact_clock(found.parted)} {yours}; {theirs}."
