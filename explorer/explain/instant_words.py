"""What is the case at an instant, as an account: which slots are free, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.words import clock, count, slot_noun
from core.model.workload import MAP, REDUCE
from explorer.explain.explanation import Explanation, Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.cluster import Cluster
    from explorer.explain.decision_view import DecisionView

MOST_RANGES = 3


def instant_account(glance: DecisionView) -> Explanation:
    """Return the account of a look at an instant."""
    title = f"At {clock(glance.instant.time)}"
    if glance.decisions:
        title += f", before decision {glance.number + 1} of {glance.decisions}"
    parts = [Paragraph("Free slots", (free_text(glance.schedule.cluster, glance.instant.free),))]
    if glance.sentences:
        heading = "The decision" if glance.reason is not None and glance.reason.winner else "The slot offered"
        parts.append(Paragraph(heading, glance.sentences))
    else:
        parts.append(Paragraph("The decision", (_why_none(glance),)))
    parts.append(Paragraph("How it decides", glance.rule))
    return Explanation(title, -1, tuple(parts))


def _why_none(glance: DecisionView) -> str:
    if not any(glance.instant.free):
        return "No slot is free, so nothing is decided."
    if not any(glance.instant.queues):
        return "No task waits, so nothing is decided."
    return "No free slot fits a waiting task, so nothing is decided."


def free_text(cluster: Cluster, free: Sequence[Sequence[int]]) -> str:
    """Say which slots are free: "2 of 30 map slots (M4, M7), no reduce slot"."""
    kinds = (MAP,) if cluster.has_containers else (MAP, REDUCE)
    parts = []
    for kind, slots in zip(kinds, free, strict=False):
        noun, whole = slot_noun(kind, cluster.has_containers), cluster.stage_slots[kind]
        if whole:
            parts.append(
                f"{len(slots)} of {count(whole, noun)} ({slot_ranges(cluster, slots)})"
                if slots
                else f"no {noun}"
            )
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def slot_ranges(cluster: Cluster, slots: Sequence[int]) -> str:
    """Write slots as ranges: "M1–M3, M7"."""
    ranges: list[list[int]] = []
    for slot in slots:
        if ranges and slot == ranges[-1][1] + 1:
            ranges[-1][1] = slot
        else:
            ranges.append([slot, slot])
    names = [
        cluster.slot_name(first) + (f"–{cluster.slot_name(last)}" if last > first else "")
        for first, last in ranges[:MOST_RANGES]
    ]
    more = "" if len(ranges) <= MOST_RANGES else ", …"
    return ", ".join(names) + more
