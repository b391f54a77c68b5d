"""What happens to nodes while jobs run: they fail, come back, and become slower or faster.

A node that fails takes no tasks until it returns; what runs on it then is lost and runs again from its
beginning. Where map outputs are lost, too, as in Hadoop, the maps that have ended on it run again as long as
a reduce of their job has not fetched all: such a reduce waits again for its map stage. A node runs tasks at
its speed, of 1 as recorded; when that changes, what is left of each task takes so much longer or shorter.
At one instant tasks end first, then nodes fail, return and change their speed, then jobs arrive, and free
slots are offered.

A cluster of slots has its nodes spread evenly under them, neighbours together, as hosts of overheads are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from core.model.errors import InputError, Problem, did_you_mean, shorten
from core.model.limits import MAX_SECONDS, MAX_SLOTS, SLOWEST, is_number, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Happening = Literal["fails", "returns", "speed"]
HAPPENINGS: tuple[Happening, ...] = get_args(Happening)
"""What may happen to a node, in the order in which it does at one instant."""
MapOutputs = Literal["kept", "lost"]
MAP_OUTPUTS: tuple[MapOutputs, ...] = get_args(MapOutputs)
MAX_EVENTS = 100_000
MAX_SPOT_RATE, MAX_SEED = 1000.0, 2**53 - 1
"""Failures of one node per hour, and the largest seed."""
A_DAY = 86_400.0
SOONEST_BACK = 1.0
"""Seconds after which another spot node stands in the place of one, at the soonest."""


@dataclass(frozen=True, slots=True)
class NodeEvent:
    """Something that happens to a node.

    Attributes
    ----------
    time : when, in s
    node : which one, from 0; charts call it N1
    kind : what happens
    speed : how fast the node runs tasks from then on, above 0 to 1; 1 for other kinds
    """

    time: float
    node: int
    kind: Happening = "fails"
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class SpotNodes:
    """Nodes that are lent and may be taken away at any time; the times are drawn from a seed.

    Attributes
    ----------
    nodes : how many, the last ones of the cluster
    rate : how often each of them is taken away, per hour that it is there
    seed : of the draw; with another rate the same seed stretches the same times
    back_after : after how many seconds another one stands in its place; 0 for never
    until : after so many seconds none is taken away any more
    """

    nodes: int
    rate: float
    seed: int = 0
    back_after: float = 0.0
    until: float = A_DAY


@dataclass(frozen=True, slots=True)
class NodeEvents:
    """All that happens to the nodes of a cluster.

    Attributes
    ----------
    nodes : over how many nodes the slots are spread evenly; 0 where the cluster has nodes
    happen : what happens, in any order
    map_outputs : whether a node that fails loses what maps have put out there, "lost", or not, "kept"
    spot : nodes that vanish at a rate; None for none
    """

    nodes: int = 0
    happen: tuple[NodeEvent, ...] = ()
    map_outputs: MapOutputs = "kept"
    spot: SpotNodes | None = None

    def in_order(self, nodes: int) -> tuple[NodeEvent, ...]:
        """Return all that happens, by time, with what is drawn of spot nodes.

        Parameters
        ----------
        nodes : how many the cluster has
        """
        drawn = () if self.spot is None else drawn_events(self.spot, nodes)
        return tuple(sorted((*self.happen, *drawn), key=turn_of))


def turn_of(event: NodeEvent) -> tuple[float, int, int]:
    """Return what events are sorted by: time, what happens, node."""
    return event.time, HAPPENINGS.index(event.kind), event.node


def places_in_turn(events: NodeEvents) -> list[int]:
    """Return the places of the list of events in the order in which they happen."""
    return sorted(range(len(events.happen)), key=lambda place: turn_of(events.happen[place]))


def drawn_events(spot: SpotNodes, nodes: int) -> Iterable[NodeEvent]:
    """Yield when spot nodes vanish and are back; the same for the same seed."""
    for node in range(nodes - spot.nodes, nodes):
        yield from _fate(spot, node, 0.0, (spot.seed, node))


def _fate(spot: SpotNodes, node: int, time: float, seed: Sequence[int]) -> Iterable[NodeEvent]:
    """Yield when a spot node that is there at a time vanishes and is back."""
    import numpy as np  # which help does not wait for

    mean, draw = 3600.0 / spot.rate, np.random.default_rng(seed)
    while True:
        time += mean * float(draw.standard_exponential())
        if time > spot.until:
            return
        yield NodeEvent(time, node)
        if not spot.back_after:
            return
        time += spot.back_after
        yield NodeEvent(time, node, "returns")


def drawn_anew(events: NodeEvents, nodes: int, time: float, seed: Sequence[int]) -> NodeEvents:
    """Return what happens where spot nodes vanish at other times after a time, as a list of its own.

    What has happened by then has happened, and a spot node that is away then is back when it would be. One
    that is there may vanish at any time, however long it has been there.

    Parameters
    ----------
    nodes : how many the cluster has
    time : seconds
    seed : of the draw
    """
    if events.spot is None:
        return events
    first, happen = nodes - events.spot.nodes, list(events.happen)
    so_far: list[list[NodeEvent]] = [[] for _ in range(events.spot.nodes)]
    for event in drawn_events(events.spot, nodes):
        if event.time <= time:
            so_far[event.node - first].append(event)
    for node, known in enumerate(so_far, first):
        since, is_away = time, bool(known) and known[-1].kind == "fails"
        happen += known
        if is_away and not events.spot.back_after:
            continue
        if is_away:
            since = known[-1].time + events.spot.back_after
            happen.append(NodeEvent(since, node, "returns"))
        happen += _fate(events.spot, node, since, (*seed, node))
    return replace(events, happen=tuple(happen), spot=None)


# ---- rules


BESIDE = {
    "slot_times": "events are modelled for slots that do not come and go; leave slot_times out",
    "overheads": "events are modelled without overheads; leave one of both out",
    "contention": "events are modelled without contention of nodes; leave one of both out",
}
"""What events are not modelled beside, by the names of what a cluster has."""


def events_problems(
    events: NodeEvents, nodes: int, others: Sequence[str], where: str = "events", *, is_untyped: bool
) -> list[Problem]:
    """Return every rule that events break (none for valid ones).

    Parameters
    ----------
    nodes : how many nodes the cluster has; 0 for one of slots, whose events say it
    others : which of `BESIDE` the cluster has as well
    is_untyped : whether its slots run tasks of either kind
    """
    beside = _beside_problems(events, others, where, is_untyped=is_untyped)
    problems = _nodes_problems(events, nodes, where)
    count = (nodes or events.nodes) if not problems else MAX_SLOTS
    if events.map_outputs not in MAP_OUTPUTS:
        rule = f"say whether they are kept or lost{did_you_mean(str(events.map_outputs), MAP_OUTPUTS)}"
        problems.append(Problem(f"{where}.map_outputs", shorten(events.map_outputs), rule))
    if len(events.happen) > MAX_EVENTS:
        rule = f"give at most {MAX_EVENTS}"
        problems.append(Problem(f"{where}.list", f"{len(events.happen)} events", rule))
        return beside + problems
    spot = [] if events.spot is None else _spot_problems(events.spot, count, f"{where}.spot")
    each = [
        problem
        for place, event in enumerate(events.happen)
        for problem in _event_problems(event, count, f"{where}.list[{place}]")
    ]
    problems += spot + each
    if problems:
        return beside + problems
    return beside + _order_problems(events, count, where)


def _nodes_problems(events: NodeEvents, nodes: int, where: str) -> list[Problem]:
    if nodes and events.nodes:
        rule = f"the cluster has {nodes} nodes itself; leave the number out"
        return [Problem(f"{where}.nodes", shorten(events.nodes), rule)]
    if not nodes and not is_whole(events.nodes, 1, MAX_SLOTS):
        rule = f"say over how many nodes the slots are spread, a whole number from 1 to {MAX_SLOTS}"
        return [Problem(f"{where}.nodes", shorten(events.nodes), rule)]
    return []


def _event_problems(event: NodeEvent, nodes: int, where: str) -> list[Problem]:
    problems = []
    if not is_number(event.time, 0, MAX_SECONDS):
        problems.append(
            Problem(f"{where}.time", shorten(event.time), f"give seconds from 0 to {MAX_SECONDS:g}")
        )
    if not is_whole(event.node, 0, nodes - 1):
        rule = f"there are {nodes} nodes; give one from 0, which is N1, to {nodes - 1}"
        problems.append(Problem(f"{where}.node", shorten(event.node), rule))
    if event.kind not in HAPPENINGS:
        rule = f"a node fails, returns, or gets another speed{did_you_mean(str(event.kind), HAPPENINGS)}"
        problems.append(Problem(f"{where}.kind", shorten(event.kind), rule))
    if not is_number(event.speed, SLOWEST, 1):
        rule = f"a speed is a number from {SLOWEST:g} to 1, as recorded"
        problems.append(Problem(f"{where}.speed", shorten(event.speed), rule))
    elif event.kind != "speed" and event.speed != 1:
        rule = "only an event of the kind speed has one; leave it out"
        problems.append(Problem(f"{where}.speed", shorten(event.speed), rule))
    return problems


def _spot_problems(spot: SpotNodes, nodes: int, where: str) -> list[Problem]:
    rules = {
        "nodes": (is_whole(spot.nodes, 1, nodes), f"give a whole number of nodes from 1 to {nodes}"),
        "rate": (
            is_number(spot.rate, 0, MAX_SPOT_RATE) and spot.rate > 0,
            f"give how often a node vanishes per hour, above 0 to {MAX_SPOT_RATE:g}",
        ),
        "seed": (is_whole(spot.seed, 0, MAX_SEED), f"give a whole number from 0 to {MAX_SEED}"),
        "back_after": (
            spot.back_after == 0 or is_number(spot.back_after, SOONEST_BACK, MAX_SECONDS),
            f"give 0 for never, or seconds from {SOONEST_BACK:g} to {MAX_SECONDS:g}",
        ),
        "until": (is_number(spot.until, 0, MAX_SECONDS), f"give seconds from 0 to {MAX_SECONDS:g}"),
    }
    problems = [
        Problem(f"{where}.{name}", shorten(getattr(spot, name)), rule)
        for name, (is_right, rule) in rules.items()
        if not is_right
    ]
    if (
        not problems
        and spot.nodes * (spot.rate * spot.until / 3600 if spot.back_after else 1) > MAX_EVENTS / 4
    ):
        rule = "so many events would be drawn that a run takes hours; give a lower rate, or an earlier end"
        problems.append(Problem(f"{where}.rate", f"{spot.rate:g}", rule))
    return problems


def _order_problems(events: NodeEvents, nodes: int, where: str) -> list[Problem]:
    """Return what happens to nodes that cannot: those that have failed already, or are there."""
    problems = []
    first_spot = nodes - events.spot.nodes if events.spot else nodes
    failed: dict[int, float] = {}
    for place in places_in_turn(events):
        event, at = events.happen[place], f"{where}.list[{place}].kind"
        name = f"N{event.node + 1}"
        if event.kind != "speed" and event.node >= first_spot:
            rule = f"{name} is a spot node, and when it is there is drawn; leave the event out, or have fewer"
            problems.append(Problem(at, event.kind, rule))
        elif event.kind == "fails" and event.node in failed:
            since = failed[event.node]
            rule = f"{name} has failed at {since:g} s already; let it return before {event.time:g} s"
            problems.append(Problem(at, event.kind, rule))
        elif event.kind == "returns" and failed.get(event.node) == event.time:
            rule = f"{name} fails at {event.time:g} s; let it return later than that"
            problems.append(Problem(at, event.kind, rule))
        elif event.kind == "returns" and failed.pop(event.node, None) is None:
            rule = f"{name} has not failed before {event.time:g} s; let it fail first, or leave this out"
            problems.append(Problem(at, event.kind, rule))
        elif event.kind == "fails":
            failed[event.node] = event.time
    return problems


def _beside_problems(
    events: NodeEvents, others: Sequence[str], where: str, *, is_untyped: bool
) -> list[Problem]:
    problems = [Problem(where, "", BESIDE[name]) for name in others]
    if events.map_outputs == "lost" and is_untyped:
        rule = (
            "on untyped slots reduces that wait for lost maps may hold all of them; keep the outputs, or "
            "have map and reduce slots"
        )
        problems.append(Problem(f"{where}.map_outputs", "lost", rule))
    return problems


# ---- as text: "8 nodes; N3 fails at 600; N3 returns at 1200; N2 runs at 0.5 from 0; outputs lost"

_NUMBER = r"(\d+(?:\.\d*)?(?:e\+?\d+)?)"
_FORM = (
    "give such parts, with ; between them: 8 nodes; N3 fails at 600; N3 returns at 900; N2 runs at 0.5 from 0"
)
_PARTS = {
    "nodes": re.compile(r"(\d{1,9}) nodes?"),
    "happens": re.compile(rf"N(\d{{1,9}}) (fails|returns) at {_NUMBER}"),
    "runs": re.compile(rf"N(\d{{1,9}}) runs at {_NUMBER} from {_NUMBER}"),
    "outputs": re.compile(r"outputs (kept|lost)"),
    "spot": re.compile(
        rf"(\d{{1,9}}) spot rate {_NUMBER}(?: seed (\d{{1,10}}))?(?: back {_NUMBER})?(?: until {_NUMBER})?"
    ),
}


def events_from_text(text: str) -> NodeEvents | None:
    """Read events such as "8 nodes; N3 fails at 600; 2 spot rate 0.5"; None for "none".

    InputError with the form to give.
    """
    if text.strip() in ("", "none"):
        return None
    nodes, outputs, spot, happen = 0, MAP_OUTPUTS[0], None, []
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, found = next(
            ((name, found) for name, form in _PARTS.items() if (found := form.fullmatch(part))), ("", None)
        )
        if found is None:
            raise InputError(f"events are {shorten(part)}; {_FORM}; outputs lost; 2 spot rate 0.5 back 300")
        if name == "nodes":
            nodes = int(found[1])
        elif name == "outputs":
            outputs = "lost" if found[1] == "lost" else "kept"
        elif name == "spot":
            spot = SpotNodes(
                int(found[1]),
                float(found[2]),
                int(found[3] or 0),
                float(found[4] or 0.0),
                float(found[5] or A_DAY),
            )
        elif name == "runs":
            happen.append(NodeEvent(float(found[3]), int(found[1]) - 1, "speed", float(found[2])))
        else:
            kind: Happening = "returns" if found[2] == "returns" else "fails"
            happen.append(NodeEvent(float(found[3]), int(found[1]) - 1, kind))
    return NodeEvents(nodes, tuple(happen), outputs, spot)


def events_text(events: NodeEvents | None) -> str:
    """Write events as `events_from_text` reads them."""
    if events is None:
        return "none"
    parts = [f"{events.nodes} node{'s' * (events.nodes != 1)}"] * (events.nodes > 0)
    parts += [event_text(event) for event in events.happen]
    parts += ["outputs lost"] * (events.map_outputs == "lost")
    if (spot := events.spot) is not None:
        seed = f" seed {spot.seed}" * (spot.seed > 0)
        back = f" back {spot.back_after:.12g}" * (spot.back_after > 0)
        until = f" until {spot.until:.12g}" * (spot.until != A_DAY)
        parts.append(f"{spot.nodes} spot rate {spot.rate:.12g}{seed}{back}{until}")
    return "; ".join(parts)


def event_text(event: NodeEvent) -> str:
    """Return what happens: "N3 fails at 600", "N2 runs at 0.5 from 0"."""
    if event.kind == "speed":
        return f"N{event.node + 1} runs at {event.speed:.12g} from {event.time:.12g}"
    return f"N{event.node + 1} {event.kind} at {event.time:.12g}"


def events_words(events: NodeEvents | None) -> str:
    """Return in few words what happens: "3 events on nodes, map outputs lost"; "" for nothing."""
    if events is None:
        return ""
    count = len(events.happen)
    parts = [f"{count} event{'s' * (count != 1)} on nodes"] if count or events.spot is None else []
    parts += [f"{events.spot.nodes} spot nodes ({events.spot.rate:g} per hour)"] if events.spot else []
    return ", ".join(parts + ["map outputs lost"] * (events.map_outputs == "lost"))
