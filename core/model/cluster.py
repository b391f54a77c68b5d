"""The cluster a workload runs on: slots, containers or nodes, and how reduces overlap with maps."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from core.model.errors import DocumentError, Problem, did_you_mean, shorten
from core.model.killed_copies import (
    KilledCopy,
    killed_copies_from_text,
    killed_copies_problems,
    killed_copies_text,
    killed_copies_words,
)
from core.model.limits import MAX_SLOTS, is_number, is_whole
from core.model.node_events import (
    NodeEvents,
    events_from_text,
    events_problems,
    events_text,
    events_words,
)
from core.model.nodes import (
    MODEST,
    NodeGroup,
    Request,
    contention_problems,
    contention_text,
    first_rows,
    nodes_problems,
    nodes_text,
    parse_contention,
    parse_nodes,
    parse_request,
    request_text,
)
from core.model.overheads import Overheads, overheads_problems, overheads_sentence
from core.model.slot_times import (
    CONTAINER,
    SlotTime,
    most_open,
    slot_times_problems,
    slot_times_words,
    slots_of_kinds,
    times_beside_others_problems,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

ShuffleModel = Literal["simmr", "overlap", "mumak"]
SHUFFLE_MODELS: tuple[str, ...] = get_args(ShuffleModel)
SHUFFLE_TITLES = {"simmr": "SimMR", "overlap": "Overlap", "mumak": "Mumak (none)"}


@dataclass(frozen=True, slots=True)
class Cluster:
    """Slots, slowstart and shuffle model.

    Attributes
    ----------
    map_slots, reduce_slots : typed slots; both 0 when the cluster has containers or nodes
    containers : untyped slots that run tasks of either kind; 0 for a cluster of another kind
    slowstart : fraction of a job's maps that must be complete before its reduces may start, 0 to 1
    shuffle_model : "simmr", "overlap" or "mumak" (see `core.simulation.simulate`)
    nodes : groups of nodes with memory and cores; empty for a cluster of another kind
    map_request, reduce_request : what a task of each kind asks of its node
    overheads : what the cluster spends besides running tasks; None for nothing, as the papers have it
    contention : how fast each map runs by the number of maps on its node, from 1 on, above 0 to 1, never
        rising; the last speed holds for more maps, too. (1, 1, 1, 0.606): up to three run at full speed, four
        take 1.65 times as long. Empty: all run at full speed; only for nodes
    reduce_load : as how many maps a reduce counts on that curve while it runs; 0 for none
    slot_times : slots beside the others that are there for a time only, see `core.model.slot_times`; empty
        for none
    slots_per_executor : how many of the containers are one executor's; 0 where that is not known
    events : what happens to nodes, see `core.model.node_events`; None for nothing
    killed_copies : second copies of tasks that are killed, see `core.model.killed_copies`; empty for none

    Slots are numbered from 0: map slots first, then reduce slots (or the containers alone), of each kind
    first those that are always there. A node has as many slots as tasks can run on it at once, untyped like
    containers; they are numbered node by node.
    """

    map_slots: int = 30
    reduce_slots: int = 30
    slowstart: float = 0.05
    shuffle_model: ShuffleModel = "simmr"
    containers: int = 0
    nodes: tuple[NodeGroup, ...] = ()
    map_request: Request = MODEST
    reduce_request: Request = MODEST
    overheads: Overheads | None = None
    contention: tuple[float, ...] = ()
    reduce_load: float = 0.0
    slot_times: tuple[SlotTime, ...] = ()
    slots_per_executor: int = 0
    events: NodeEvents | None = None
    killed_copies: tuple[KilledCopy, ...] = ()

    def __post_init__(self) -> None:
        problems = list(cluster_problems(self))
        if problems:
            raise DocumentError("cluster", problems)

    @property
    def slots(self) -> int:
        """All slots of the cluster, those that come and go among them."""
        return sum(self.typed_slots)

    @property
    def most_open(self) -> int:
        """How many slots are there at once at most: not all `slots` where some close before others open."""
        fixed = self.node_rows[-1] if self.nodes else sum(self._fixed_slots)
        return fixed + most_open(self.slot_times)

    @property
    def typed_slots(self) -> tuple[int, int]:
        """How many map slots and reduce slots there are, those that come and go too; untyped ones and 0."""
        if self.nodes:
            return self.node_rows[-1], 0
        return slots_of_kinds(self.slot_times, self._fixed_slots) if self.slot_times else self._fixed_slots

    @property
    def _fixed_slots(self) -> tuple[int, int]:
        """How many map slots and reduce slots are always there; containers and 0 where slots are untyped."""
        return (self.containers, 0) if self.containers else (self.map_slots, self.reduce_slots)

    def slots_of(self, kind: int) -> slice:
        """Return the numbers of the slots that are there for a kind of task."""
        maps, reduces = self.typed_slots
        return slice(maps, maps + reduces) if kind and not self.has_containers else slice(0, maps)

    @property
    def slot_intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """When each slot opens and when it closes, in s, both read-only (slots,)."""
        from core.model.slot_intervals import slot_intervals  # has numpy, which help does not wait for

        return slot_intervals(self.slot_times, self.typed_slots if self.nodes else self._fixed_slots)

    @property
    def has_containers(self) -> bool:
        """Whether slots are untyped: containers, or rows of nodes."""
        return self.containers > 0 or self.has_nodes or any(t.kind == CONTAINER for t in self.slot_times)

    @property
    def has_plain_slots(self) -> bool:
        """Whether all slots are typed, and always there."""
        return not self.has_containers and not self.slot_times and self.events is None

    @property
    def has_nodes(self) -> bool:
        """Whether tasks need memory and cores of nodes."""
        return len(self.nodes) > 0

    @property
    def node_rows(self) -> tuple[int, ...]:
        """The first slot of every node in turn, and at the end the number of slots, (nodes + 1,)."""
        return first_rows(self.nodes, self.map_request, self.reduce_request)

    @property
    def requests(self) -> tuple[Request, Request]:
        """What a task of each type asks of its node."""
        return self.map_request, self.reduce_request

    @property
    def stage_slots(self) -> tuple[int, int]:
        """Slots that the map stage and the reduce stage of one job may use at most."""
        if self.nodes:
            maps, reduces = (
                sum(group.count * request.fitting(group.memory_mb, group.cores) for group in self.nodes)
                for request in self.requests
            )
            return maps, reduces
        maps, reduces = self.typed_slots
        return (maps, maps) if self.has_containers else (maps, reduces)

    @property
    def crowded_map_speed(self) -> float:
        """How fast maps run where every node has as many as fit, on average; 1 without contention.

        Reduces beside them do not count.
        """
        fit = [(group.count * most, self.map_speed(most)) for group, most in self._maps_that_fit() if most]
        return sum(maps for maps, _ in fit) / sum(maps / speed for maps, speed in fit) if fit else 1.0

    @property
    def most_map_work(self) -> float:
        """The most seconds of maps that all nodes get done in a second, each with its best number of maps."""
        return sum(
            group.count * max((maps * self.map_speed(maps) for maps in range(1, most + 1)), default=0.0)
            for group, most in self._maps_that_fit()
        )

    def map_speed(self, maps: int) -> float:
        """How fast each of so many maps on a node runs where no reduce slows them; 1 is full speed."""
        return self.contention[min(maps, len(self.contention)) - 1] if self.contention else 1.0

    def _maps_that_fit(self) -> list[tuple[NodeGroup, int]]:
        """Return for each group of nodes how many maps fit on one."""
        return [(group, self.map_request.fitting(group.memory_mb, group.cores)) for group in self.nodes]

    def node_of(self, slot: int) -> int:
        """Return the node that a slot is a row of, from 0; only where there are nodes."""
        return bisect_right(self.node_rows, slot) - 1

    def slot_type(self, slot: int) -> int:
        """Return the type of tasks that a slot is for; the first one for containers and on nodes."""
        maps, _ = self.typed_slots
        return int(not self.has_containers and slot >= maps)

    def slot_types(self, slots: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the type of each of some slots, as `slot_type` does of one."""
        maps, _ = self.typed_slots
        types: NDArray[np.int64] = ((slots >= maps) & (not self.has_containers)).astype("int64")
        return types

    def slot_name(self, slot: int) -> str:
        """Name a slot as the charts do: M1.. and R1.. (or C1.., or N2.1.. on nodes), counted from 1."""
        if self.nodes:
            node = self.node_of(slot)
            return f"N{node + 1}.{slot - self.node_rows[node] + 1}"
        if self.has_containers:
            return f"C{slot + 1}"
        maps, _ = self.typed_slots
        return f"M{slot + 1}" if slot < maps else f"R{slot - maps + 1}"


NO_SLOTS: dict[str, Any] = {
    "map_slots": 0,
    "reduce_slots": 0,
    "containers": 0,
    "nodes": (),
    "contention": (),
    "reduce_load": 0.0,
    "slot_times": (),
    "slots_per_executor": 0,
    "events": None,
}
"""The fields of a cluster that say how many slots of which kind it has, all taken away."""


TEXT_FORMS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "nodes": (parse_nodes, nodes_text),
    "map_request": (parse_request, request_text),
    "reduce_request": (parse_request, request_text),
    "contention": (parse_contention, contention_text),
    "events": (events_from_text, events_text),
    "killed_copies": (killed_copies_from_text, killed_copies_text),
}
"""The fields of a cluster that command line and studies have as texts, each with what reads and writes it."""


def own_fields(cluster: Cluster) -> tuple[str, ...]:
    """Return the names of the fields that define a cluster; not those of other kinds of slots."""
    kind: tuple[str, ...] = ("containers",) if cluster.has_containers else ("map_slots", "reduce_slots")
    if cluster.has_nodes:
        kind = ("nodes", "map_request", "reduce_request")
    others = (
        name
        for name in (
            *("contention", "reduce_load", "overheads", "slot_times", "slots_per_executor", "events"),
            "killed_copies",
        )
        if getattr(cluster, name)
    )
    return (*kind, "slowstart", "shuffle_model", *others)


def changed_cluster(cluster: Cluster, given: Mapping[str, Any]) -> Cluster:
    """Return a cluster with other fields, those of `TEXT_FORMS` also as texts.

    Slots of one kind take the place of those of other kinds; nodes keep what is said of contention, and
    containers those that come and go.
    """
    changes = {
        name: TEXT_FORMS[name][0](value) if name in TEXT_FORMS and isinstance(value, str) else value
        for name, value in given.items()
    }
    if "nodes" in changes:
        kept = {"contention": cluster.contention, "reduce_load": cluster.reduce_load}
        kept |= {"events": cluster.events} if cluster.has_nodes else {}
        changes = NO_SLOTS | kept | changes
    elif "containers" in changes:
        stay = cluster.has_containers and not cluster.has_nodes
        names = ("slot_times", "slots_per_executor", "events")
        kept = {name: getattr(cluster, name) for name in names}
        changes = NO_SLOTS | (kept if stay else {}) | changes
    elif cluster.has_containers and {"map_slots", "reduce_slots"} & changes.keys():
        changes = NO_SLOTS | changes
    return replace(cluster, **changes) if changes else cluster


def cluster_problems(cluster: Cluster) -> list[Problem]:
    """Return every rule the cluster breaks (none for a valid one)."""
    problems = []
    for name in ("map_slots", "reduce_slots", "containers", "slots_per_executor"):
        value = getattr(cluster, name)
        if not is_whole(value, 0, MAX_SLOTS):
            rule = f"slots must be a whole number from 0 to {MAX_SLOTS}"
            problems.append(Problem(name, shorten(value), rule))
    problems += nodes_problems(cluster.nodes, cluster.map_request, cluster.reduce_request, MAX_SLOTS)
    problems += slot_times_problems(cluster.slot_times) + killed_copies_problems(cluster.killed_copies)
    return problems + ([] if problems else _slots_problems(cluster)) + _settings_problems(cluster)


def _slots_problems(cluster: Cluster) -> list[Problem]:
    """Return the rules on kinds of slots that a cluster breaks of which each number is valid by itself."""
    problems = times_beside_others_problems(
        cluster.slot_times,
        cluster._fixed_slots,
        is_untyped=cluster.containers > 0,
        has_nodes=cluster.has_nodes,
        has_overheads=cluster.overheads is not None,
    )
    if cluster.slots == 0:
        problems.append(Problem("map_slots", "0", "a cluster needs at least one slot"))
    if cluster.nodes and cluster.containers + cluster.map_slots + cluster.reduce_slots:
        rule = "a cluster has either nodes or slots; set map_slots, reduce_slots and containers to 0"
        problems.append(Problem("nodes", nodes_text(cluster.nodes), rule))
    if cluster.containers and cluster.map_slots + cluster.reduce_slots:
        rule = "a cluster has either containers or typed slots; set map_slots and reduce_slots to 0"
        problems.append(Problem("containers", str(cluster.containers), rule))
    if cluster.events is not None:
        nodes = len(cluster.node_rows) - 1 if cluster.has_nodes else 0
        beside = ("slot_times", "overheads", "contention")
        others = [name for name in beside if getattr(cluster, name)]
        problems += events_problems(cluster.events, nodes, others, is_untyped=cluster.has_containers)
    if cluster.slots_per_executor and (cluster.has_nodes or not cluster.has_containers):
        rule = "only containers are slots of executors; leave it out"
        problems.append(Problem("slots_per_executor", str(cluster.slots_per_executor), rule))
    return problems


def _settings_problems(cluster: Cluster) -> list[Problem]:
    """Return the rules that a cluster breaks beside those of its slots."""
    problems = _overheads_problems(cluster) + contention_problems(
        cluster.contention, cluster.reduce_load, has_nodes=cluster.has_nodes
    )
    if not is_number(cluster.slowstart, 0, 1):
        rule = "slowstart is a fraction from 0 to 1"
        problems.append(Problem("slowstart", shorten(cluster.slowstart), rule))
    if cluster.shuffle_model not in SHUFFLE_MODELS:
        rule = f"not a shuffle model{did_you_mean(str(cluster.shuffle_model), SHUFFLE_MODELS)}"
        problems.append(Problem("shuffle_model", shorten(cluster.shuffle_model), rule))
    return problems


def _overheads_problems(cluster: Cluster) -> list[Problem]:
    if cluster.overheads is None:
        return []
    problems = overheads_problems(cluster.overheads)
    if cluster.has_nodes:
        rule = "overheads are modelled for slots and containers, not for nodes; leave them out"
        problems.append(Problem("overheads", "", rule))
    return problems


def slots_text(cluster: Cluster) -> str:
    """Return in a few words what tasks run on: "30 map + 30 reduce slots"."""
    if cluster.has_nodes:
        requests = (
            f"{request_text(cluster.map_request)} a map, {request_text(cluster.reduce_request)} a reduce"
        )
        return f"nodes {nodes_text(cluster.nodes)} ({requests}{contention_words(cluster)})"
    more = f" + {slot_times_words(cluster.slot_times)}" if cluster.slot_times else ""
    if cluster.has_containers:
        return f"{cluster.containers} containers{executors_words(cluster)}{more}"
    return f"{cluster.map_slots} map + {cluster.reduce_slots} reduce slots{more}"


def differing_words(cluster: Cluster, other: Cluster) -> tuple[str, ...]:
    """Return what a cluster has and another one has not, in few words: "128 map slots", "no overheads"."""
    kinds = [(each.has_nodes, each.has_containers) for each in (cluster, other)]
    if kinds[0] != kinds[1] or cluster.has_nodes:
        places = [slots_text(each) for each in (cluster, other)]
        found = [places[0]] * (places[0] != places[1])
    else:
        named = {"map_slots": "map slot", "reduce_slots": "reduce slot", "containers": "container"}
        found = [
            f"{count} {noun}{'s' * (count != 1)}"
            for name, noun in named.items()
            if (count := getattr(cluster, name)) != getattr(other, name)
        ]
        if cluster.slot_times != other.slot_times:
            found.append(slot_times_words(cluster.slot_times) or "no slots that come and go")
    if cluster.slowstart != other.slowstart:
        found.append(f"slowstart {cluster.slowstart * 100:.4g} %")
    if cluster.shuffle_model != other.shuffle_model:
        found.append(f"{cluster.shuffle_model} shuffle")
    if cluster.overheads != other.overheads:
        had = "other overheads" if other.overheads else "overheads"
        found.append(had if cluster.overheads else "no overheads")
    if cluster.events != other.events:
        found.append(events_words(cluster.events) or "no events on nodes")
    if cluster.killed_copies != other.killed_copies:
        found.append(killed_copies_words(cluster.killed_copies) or "no copies killed")
    return tuple(found)


def executors_words(cluster: Cluster) -> str:
    """Return on how many executors the containers are, " (24 executors of 4)"; nothing if not known."""
    size = cluster.slots_per_executor
    if not size or cluster.containers % size:
        return ""
    count = cluster.containers // size
    return f" ({count} executor{'s' * (count != 1)} of {size})"


def contention_words(cluster: Cluster) -> str:
    """Return how maps slow one another, as the end of a list: ", contention 1, 0.5, a reduce as 0.7 maps"."""
    if not cluster.contention:
        return ""
    reduces = f", a reduce as {cluster.reduce_load:g} maps" if cluster.reduce_load else ""
    return f", contention {contention_text(cluster.contention)}{reduces}"


def cluster_sentence(cluster: Cluster, *, has_slowstart: bool = True) -> str:
    """Return in one line what tasks run on: "30 map + 30 reduce slots, slowstart 5 %, SimMR shuffle".

    The slowstart is left out where no stage starts by it, as in jobs that are graphs.
    """
    slowstart = f"slowstart {cluster.slowstart * 100:g} %, " if has_slowstart else ""
    shuffle = f"{SHUFFLE_TITLES[cluster.shuffle_model]} shuffle"
    overheads = f", overheads {overheads_sentence(cluster.overheads)}" if cluster.overheads else ""
    events = f", {events_words(cluster.events)}" if cluster.events else ""
    killed = f", {killed_copies_words(cluster.killed_copies)}" if cluster.killed_copies else ""
    return f"{slots_text(cluster)}, {slowstart}{shuffle}{overheads}{events}{killed}"
