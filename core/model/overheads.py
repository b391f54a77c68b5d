"""What a real cluster spends besides running tasks: setups, cleanups, fetching, waiting for heartbeats.

None of it is in SimMR (001 section III), so replays of real logs finish too early. The parts are those that
the logs of Hadoop 0.20 show: a host asks for work with its heartbeats and whenever one of its tasks ends, and
gets at most so many tasks each time; the first task of a job on a host waits until the host has fetched what
the job needs; a setup task runs before the maps and a cleanup task after the reduces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError, Problem, shorten
from core.model.limits import is_number, is_whole
from core.model.parameters import Parameter, named_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_HOSTS = 100_000

LONGEST_OVERHEAD = 1e6  # seconds


@dataclass(frozen=True, slots=True)
class Overheads:
    """A few numbers for a whole cluster; the defaults cost nothing.

    Attributes
    ----------
    launch_delay : from a job's arrival until its setup may start, seconds
    launch_interval : between the launches of two jobs at least, seconds; 0 launches all that have arrived
    setup, cleanup : duration of the task before the maps and of the one after the reduces, each on a map
        slot or a container, seconds; 0 for none
    fetch : how long the first task of a job on a host waits before it runs, seconds
    heartbeat : between two heartbeats of a host, seconds; 0 lets every free slot be served at once
    hosts : how many machines the slots are spread over evenly
    maps_per_heartbeat, reduces_per_heartbeat : tasks that a host gets at most each time it asks; for
        containers as many tasks of either kind as both together
    launched_ahead : how many jobs may be about to be launched, or launched, and have no task yet; others that
        arrive wait in line until one of these gets its first, and then the delay begins. 0 for any number
    ends_known_after : heartbeats: 0 where a host asks as soon as something ends on it, 1 where that becomes
        known, and its slot free, with the host's next heartbeat
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
    launched_ahead: int = 0
    ends_known_after: int = 0


def _seconds(name: str, help_text: str) -> Parameter:
    return Parameter(name, "number", 0.0, help_text, 0.0, LONGEST_OVERHEAD, "s")


def _count(name: str, help_text: str, unit: str, least: int = 1, most: int = MAX_HOSTS) -> Parameter:
    return Parameter(name, "integer", least, help_text, least, most, unit)


OVERHEAD_PARAMETERS = (
    _seconds("launch_delay", "From the arrival of a job until its setup may start."),
    _seconds("launch_interval", "Between the launches of two jobs, at least; 0 launches all at once."),
    _count("launched_ahead", "Jobs launched and without a task, at most; 0 for any number.", "jobs", 0),
    _seconds("setup", "The task before the maps of a job, on a map slot or a container; 0 for none."),
    _seconds("cleanup", "The task after the reduces of a job, on a map slot or a container; 0 for none."),
    _seconds("fetch", "How long the first task of a job on a host waits for what the job needs there."),
    _seconds("heartbeat", "A host with free slots asks for work so long after it asked last; 0: at once."),
    _count("hosts", "Machines that the slots are spread over evenly.", "hosts"),
    _count("maps_per_heartbeat", "Maps that a host gets at most each time it asks.", "maps"),
    _count("reduces_per_heartbeat", "Reduces that a host gets at most each time it asks.", "reduces"),
    _count(
        "ends_known_after", "1: ends are known with a host's next heartbeat; 0: at once.", "heartbeat", 0, 1
    ),
)
"""The same, as forms show it."""

OVERHEAD_NAMES = tuple(parameter.name for parameter in OVERHEAD_PARAMETERS)


def overheads_problems(overheads: Overheads) -> list[Problem]:
    """Return every rule that overheads break (none for valid ones)."""
    problems = []
    for parameter in OVERHEAD_PARAMETERS:
        value = getattr(overheads, parameter.name)
        if parameter.unit == "s":
            is_right = is_number(value, 0, LONGEST_OVERHEAD)
            rule = f"give seconds from 0 to {LONGEST_OVERHEAD:g}"
        else:
            least, most = int(parameter.min or 0), int(parameter.max or 0)
            is_right = is_whole(value, least, most)
            rule = f"give a whole number from {least} to {most}"
        if not is_right:
            problems.append(Problem(f"overheads.{parameter.name}", shorten(value), rule))
    return problems


def overheads_of(given: Mapping[str, float]) -> Overheads:
    """Build overheads from numbers by name; counts are made whole."""
    kinds: dict[str, type[float]] = {p.name: float if p.unit == "s" else int for p in OVERHEAD_PARAMETERS}
    numbers: dict[str, Any] = {name: kinds[name](value) for name, value in given.items()}
    return Overheads(**numbers)


def overheads_sentence(overheads: Overheads | None) -> str:
    """Return in one line what a cluster spends besides running tasks."""
    if overheads is None:
        return "none"
    parts = []
    for parameter in OVERHEAD_PARAMETERS:
        name, value, unit = parameter.name, getattr(overheads, parameter.name), parameter.unit
        if value != parameter.default:
            parts.append(("" if name == unit else f"{name.replace('_', ' ')} ") + f"{value:g} {unit}")
    return ", ".join(parts) or "all 0"


def overheads_text(overheads: Overheads) -> str:
    """Write overheads as `overheads_from_text` reads them: "setup=1.5,heartbeat=3,hosts=8"."""
    values = ((p.name, getattr(overheads, p.name), p.default) for p in OVERHEAD_PARAMETERS)
    return ",".join(f"{name}={value:.10g}" for name, value, default in values if value != default)


def overheads_from_text(text: str) -> Overheads:
    """Read "heartbeat=3, hosts=8, fetch=1.8"; raises InputError with what is wrong.

    What is not named keeps its default.
    """
    given: dict[str, float] = {}
    for name, value in named_texts(text, "overhead", OVERHEAD_NAMES):
        try:
            given[name] = float(value)
        except ValueError:
            raise InputError(f"overheads: {name} is {shorten(value)}; give a number") from None
    return overheads_of(given)
