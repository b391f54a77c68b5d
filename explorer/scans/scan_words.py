"""What the window of shared scans says of a dataset, a subjob and a job at an instant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.time_text import clock_text, duration_text

if TYPE_CHECKING:
    from core.shared_scans.dataset_clock import DatasetClock
    from core.shared_scans.subjobs_left import SubjobLeft
    from explorer.scans.scan_story import ScanStory

MAX_NAMED = 3
"""Jobs of a batch up to which it is called by their names."""


def state_text(clock: DatasetClock) -> str:
    """Return how many share a scan, how many scan without another one, and how many wait for what."""
    states = (
        (clock.sharing, "sharing"),
        (clock.alone, "scanning alone"),
        (clock.paused, "paused"),
        (clock.queued, "waiting for slots"),
        (len(clock.waiting), "waiting for the window"),
    )
    return ", ".join(f"{count} {state}" for count, state in states if count) or "idle"


def subjob_name(story: ScanStory, clock: DatasetClock, subjob: SubjobLeft) -> str:
    """Return what a subjob is called: (clicks,1) ×3 where scans are shared, else by its jobs."""
    count, dataset = len(subjob.jobs), story.dataset_names[clock.dataset]
    if story.policy == "circumflex":
        return f"({dataset},{subjob.place}) ×{count}"
    names = ", ".join(map(story.entry_name, subjob.jobs)) if count <= MAX_NAMED else f"{count} jobs"
    if is_waiting(clock, subjob):
        return f"{names} wait{'s' if count == 1 else ''}"
    return f"{names} alone" if count == 1 else f"{names} ×{count}"


def is_waiting(clock: DatasetClock, subjob: SubjobLeft) -> bool:
    """Return whether nothing has been scanned for any job of a subjob, and nothing is now."""
    hands = {hand.job: hand for hand in clock.hands}
    own = [hands[job] for job in subjob.jobs if job in hands]
    return not subjob.has_boarded or all(hand.scanned == 0 and hand.slots == 0 for hand in own)


def work_text(story: ScanStory, clock: DatasetClock, subjob: SubjobLeft) -> str:
    """Return how much a subjob is: "6 blocks · 12 s"."""
    seconds = duration_text(subjob.seconds)
    blocks = story.blocks(clock.dataset, subjob.turns)
    return f"{blocks} · {seconds}" if blocks else seconds


def left_text(story: ScanStory, clock: DatasetClock) -> str:
    """Return what is left to scan of a dataset: "clicks left: 60 blocks, 2 min 00 s"."""
    blocks = story.blocks(clock.dataset, clock.turns_left)
    left = ", ".join(filter(None, (blocks, duration_text(clock.seconds_left))))
    return f"{story.dataset_names[clock.dataset]} left: {left}"


def describe_subjob(story: ScanStory, clock: DatasetClock, subjob: SubjobLeft) -> str:
    """Return the description of a subjob: whom it serves, how much it is, and what comes before it."""
    jobs = ", ".join(map(story.entry_name, subjob.jobs))
    before = [subjob_name(story, clock, clock.left[i]) for i in subjob.after]
    order = f"after {' and '.join(before)}" if before else "nothing has to come before it"
    return "\n".join(
        (
            subjob_name(story, clock, subjob),
            f"serves {jobs}",
            f"{work_text(story, clock, subjob)} of slot time",
            order,
        )
    )


def describe_hand(story: ScanStory, clock: DatasetClock, entry: int) -> str:
    """Return the description of a job on the circle."""
    schedule, name = story.schedule, story.entry_name(entry)
    arrival, boarded = float(schedule.jobs.arrival[entry]), float(schedule.boarded[entry])
    hand = next((each for each in clock.hands if each.job == entry), None)
    if hand is None:
        until = duration_text(boarded - arrival)
        return f"{name} came at {clock_text(arrival)} and waits {until} for its window"
    needed = sum(arc.length for arc in hand.arcs)
    done = story.blocks(clock.dataset, hand.scanned * needed)
    total = story.blocks(clock.dataset, needed)
    parts = [f"{name} boarded at {clock_text(boarded)}", f"scanned {done} of {total}" if done else ""]
    if hand.slots == 0:
        parts.append("gets no slots now")
    return "\n".join(filter(None, parts))
