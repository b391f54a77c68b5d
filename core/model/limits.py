"""What values may be at most, and how names are sorted."""

from __future__ import annotations

import re

MAX_SLOTS = 100_000
"""Slots of one kind; a larger cluster is refused with a sentence."""

MAX_TASKS = 20_000_000
"""Tasks of one workload; more are refused with a sentence."""

MAX_PROCESSORS = 20_000_000
"""Of one job of a log; more is damage."""
MAX_STAGES = 10_000
"""Stages of one job, which the engine goes through for each task; more are refused with a sentence."""

MAX_JOBS = 2_000_000
"""Jobs of one import; a million take about 1 GB."""

MAX_SECONDS = 1e12
"""Every time of a workload, some 30 000 years: sums over all tasks stay exact and finite."""

SLOWEST = 0.001
"""The lowest speed of a node, and of tasks that run beside others; 1 is as recorded."""

MAX_BYTES = 1e18
"""Data of one job: an exabyte."""

# What packed data may become; `core.model.input_budget` counts.

MAX_UNPACKING_RATIO = 100
"""Unpacked bytes for one packed byte; logs of clusters have 5 to 40."""

FREE_UNPACKED_BYTES = 1 << 24
"""Up to here the ratio does not matter: a small document of equal numbers is packed a thousandfold."""

FREE_UNPACKED_LOG_BYTES = 1 << 22
"""The same for a log, each row of which is many times its size once it is read, and for all logs of one
import together: an archive may hold thousands."""

MAX_LINES_PER_BYTE = 2
"""Lines of the logs of one import, unpacked, for each byte on the disk: indented JSON has half a line."""

FREE_LINES = 1_000_000
"""Up to here that does not matter."""

MAX_SPOOLED_BYTES = 1 << 32
"""Written to disk of one archive: the logs among the members of a packed tar, which can be read only once."""

MAX_MEMBER_NAME_BYTES = 1 << 16
"""Of a tar: names and extra headers of a member are read as a whole."""

# What one document, or one line or object of a log, may hold as JSON; the largest that Slotscope writes,
# `MAX_TASKS` durations or a million jobs with two stages each, has less of everything.

MAX_DOCUMENT_BYTES = 1 << 29
"""Size of a document once unpacked; 20 million durations take some 400 MB."""

MAX_LOG_BYTES = 1 << 34
"""Size of a log once unpacked; logs are read bit by bit."""

MAX_VALUES = 64_000_000
"""Values of all kinds; a million of numbers take 32 MB."""

MAX_LISTS = 8_000_000
"""Lists and objects; a million take some 200 MB."""

MAX_TEXTS = 16_000_000
"""Texts that are no keys; a million take some 60 MB."""

MAX_DEPTH = 64
"""Lists and objects inside one another; a document needs about ten."""


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def is_number(value: object, least: float, most: float) -> bool:
    """Whether a value is a number from `least` to `most`."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


_NUMBER = re.compile(r"([0-9]{1,18})")


def by_number(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names by the numbers in them: ``node9`` before ``node10``."""
    # what the pattern has found stands between what it has not, in every second place
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(_NUMBER.split(name))]
