"""What a real Hadoop cluster spends besides running tasks: launching, setting up, waiting for heartbeats.

None of it is in SimMR (001 section III), so replays of real logs finish too early. The parts are those that
the logs of Hadoop 0.20 show: a host asks for work with its heartbeats and whenever one of its tasks ends, and
gets at most so many tasks each time; the first task of a job on a host waits until the host has fetched what
the job needs; a setup task runs before the maps and a cleanup task after the reduces.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from core.model.errors import InputError, Problem, UnknownName, shorten
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HOSTS = 100_000
MOST_SECONDS = 1e6


@dataclass(frozen=True, slots=True)
class Overheads:
    """A few numbers for a whole cluster; the defaults cost nothing.

    Attributes
    ----------
    launch_delay : from a job's arrival until its setup may start, seconds
    launch_interval : between the launches of two jobs at least, seconds; 0 launches all that have arrived
    setup, cleanup : duration of the task before the maps and of the one after the reduces, each on a map
        slot, seconds; 0 for none
    fetch : how long the first task of a job on a host waits before it runs, seconds
    heartbeat : between two heartbeats of a host, seconds; 0 lets every free slot be served at once
    hosts : how many machines the slots are spread over evenly
    maps_per_heartbeat, reduces_per_heartbeat : tasks that a host gets at most each time it asks
    """

    launch_delay: float = 0.0
    launch_interval: float = 0.0
    setup: float = 0.0
    cleanup: float = 0.0
    fetch: float = 0.0
    heartbeat: float = 0.0
    hosts: int = 1
    maps_per_heartbeat: int = 1
    reduces_per_heartbeat: int = 1


def _seconds(name: str, help_text: str) -> Parameter:
    return Parameter(name, "number", 0.0, help_text, 0.0, MOST_SECONDS, "s")


def _count(name: str, help_text: str, unit: str) -> Parameter:
    return Parameter(name, "integer", 1, help_text, 1, MOST_HOSTS, unit)


PARAMETERS = (
    _seconds("launch_delay", "From the arrival of a job until its setup may start."),
    _seconds("launch_interval", "Between the launches of two jobs, at least; 0 launches all at once."),
    _seconds("setup", "The task before the maps of a job, on a map slot; 0 for none."),
    _seconds("cleanup", "The task after the reduces of a job, on a map slot; 0 for none."),
    _seconds("fetch", "How long the first task of a job on a host waits for what the job needs there."),
    _seconds("heartbeat", "A host with free slots asks for work so long after it asked last; 0: at once."),
    _count("hosts", "Machines that the slots are spread over evenly.", "hosts"),
    _count("maps_per_heartbeat", "Maps that a host gets at most each time it asks.", "maps"),
    _count("reduces_per_heartbeat", "Reduces that a host gets at most each time it asks.", "reduces"),
)
"""The same, as forms show it."""

TIMES = ("launch_delay", "launch_interval", "setup", "cleanup", "fetch", "heartbeat")
OVERHEAD_NAMES = tuple(field.name for field in fields(Overheads))


def overheads_problems(overheads: Overheads, where: str = "overheads") -> list[Problem]:
    """Return every rule that overheads break (none for valid ones)."""
    problems = []
    for name in OVERHEAD_NAMES:
        value = getattr(overheads, name)
        if name in TIMES:
            is_right = (
                isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS
            )
            rule = f"give seconds from 0 to {MOST_SECONDS:g}"
        else:
            is_right = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_HOSTS
            rule = f"give a whole number from 1 to {MOST_HOSTS}"
        if not is_right:
            problems.append(Problem(f"{where}.{name}", shorten(value), rule))
    return problems


def overheads_of(fields_given: Mapping[str, float]) -> Overheads:
    """Build overheads from numbers by name; counts are made whole."""
    times = {name: float(value) for name, value in fields_given.items() if name in TIMES}
    counts = {name: int(value) for name, value in fields_given.items() if name not in TIMES}
    return Overheads(**times, **counts)  # type: ignore[arg-type]  # the names were told apart


def overheads_sentence(overheads: Overheads | None) -> str:
    """Say in one line what a cluster spends besides running tasks."""
    if overheads is None:
        return "none"
    plain = Overheads()
    said = [
        (parameter.name.replace("_", " "), getattr(overheads, parameter.name), parameter.unit)
        for parameter in PARAMETERS
        if getattr(overheads, parameter.name) != getattr(plain, parameter.name)
    ]
    parts = [
        f"{value:g} {unit}" if name == unit else f"{name} {value:g} {unit}" for name, value, unit in said
    ]
    return ", ".join(parts) or "all 0"


def overheads_from_text(text: str) -> Overheads:
    """Read "heartbeat=3, hosts=8, fetch=1.8"; InputError says what is wrong.

    What is not named keeps its default.
    """
    given: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in OVERHEAD_NAMES:
            raise UnknownName("overhead", name, OVERHEAD_NAMES)
        try:
            given[name] = float(value)
        except ValueError:
            raise InputError(f"overheads: {name} is {shorten(value)}; give a number") from None
    return overheads_of(given)
