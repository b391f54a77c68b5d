"""What a study can vary, as one table: every field with its words, unit, type and limits.

The form of a field is a `Parameter`, as policies and generators have them. Parameters of families and of
policies are fields as well: ``workload.parameters.jobs``, ``policy.parameters.pools``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.files.samples import sample_paths
from core.files.schema_check import value_check
from core.generate.families import FAMILIES, LARGEST_SEED
from core.generate.scaling import LARGEST_FACTOR, MIN_FACTOR
from core.model.cluster import SHUFFLE_MODELS, TEXT_FORMS, changed_cluster
from core.model.errors import InputError
from core.model.estimates import ESTIMATE_PARAMETERS
from core.model.event_edits import EVENT_SETTINGS, with_event_settings
from core.model.limits import MAX_SECONDS, MAX_SLOTS
from core.model.node_events import MAX_SPOT_RATE, events_from_text
from core.model.nodes import MAX_REDUCE_LOAD, nodes_text, parse_nodes
from core.model.overheads import OVERHEAD_NAMES, OVERHEAD_PARAMETERS, Overheads
from core.model.parameters import Parameter
from core.policies.registry import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.files.schema_check import Check
    from core.model.cluster import Cluster

MODELS = ("tasks", "fluid")
MODEL = "Task by task, or shared scans in the fluid model: slots are divisible and plans followed exactly."
Value = bool | int | float | str
"""Of a field, as JSON has it."""

MAX_JOBS = 1_000_000
WORKLOAD, POLICY = "workload.parameters.", "policy.parameters."
"""Before the name of a parameter of the family, and of the policy."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a study can set.

    Attributes
    ----------
    name : as documents have it, ``cluster.map_slots``
    title : for labels of axes, "map slots"
    parameter : type, limits, unit and a sentence of help
    owner : id of the family or policy that has this parameter; empty for all other fields
    """

    name: str
    title: str
    parameter: Parameter
    owner: str = ""

    @property
    def unit(self) -> str:
        """What is counted; empty for a plain number or a word."""
        return self.parameter.unit

    @property
    def is_number(self) -> bool:
        """Whether its values can stand on an axis of a plot."""
        return self.parameter.type in ("integer", "number")

    def broken_rule(self, value: object) -> str:
        """Return the rule that a value of JSON breaks and what to do, or an empty text."""
        if broken := _check_of(self.parameter)(value):
            return broken[0].rule
        if self.name in FORMS:
            try:
                FORMS[self.name](str(value))
            except InputError as error:
                return str(error).partition("; ")[2] or str(error)  # the value is shown already
        return ""


JSON_TYPES = {"integer": "integer", "number": "number", "boolean": "boolean", "text": "string"}


@cache
def _check_of(parameter: Parameter) -> Check:
    """Return the check of the values of a parameter, by the schema of its values."""
    if parameter.type == "choice":
        return value_check({"enum": list(parameter.choices)})
    limits = {"minimum": parameter.min, "maximum": parameter.max, "x-unit": parameter.unit or None}
    given = {key: limit for key, limit in limits.items() if limit is not None}
    return value_check({"type": JSON_TYPES[parameter.type]} | given)


FORMS = {f"cluster.{name}": read for name, (read, _) in TEXT_FORMS.items()}
"""Texts that have a form, written as on the command line."""


def _choice(choices: Iterable[str], text: str) -> Parameter:
    known = tuple(choices)
    return Parameter("", "choice", known[0], text, choices=known)


def _whole(low: int, high: int, unit: str, text: str, default: int = 1) -> Parameter:
    return Parameter("", "integer", default, text, low, high, unit)


def _number(low: float, high: float, unit: str, text: str, default: float) -> Parameter:
    return Parameter("", "number", default, text, low, high, unit)


def _text(default: str, text: str) -> Parameter:
    return Parameter("", "text", default, text)


def _seed(text: str) -> Parameter:
    return _whole(0, LARGEST_SEED, "", text)


INPUT = "All jobs have so many times their input: more maps, longer shuffles and reduces."
RATE = "Arrivals are stretched to this rate; jobs that all arrive at once get random ones (Poisson)."
LOAD = "Arrivals are stretched to keep this part of the slots busy; jobs that arrive at once get random ones."
SLOWSTART = "Fraction of a job's maps that must be complete before its reduces may start."
SPEEDS = "Speed of a map alone on its node, of each of two, and so on: 1, 1, 0.6."
REDUCE_LOAD = "As how many maps a reduce counts in the contention of its node."
EVENTS = "What happens to nodes: 8 nodes; N3 fails at 600; N3 returns at 1200; 2 spot rate 0.5."
EVENTS_LATER = "All of these events happen so many seconds later; not those of spot nodes."
SPOT_RATE = "How often each spot node of these events vanishes per hour; 0 for never."
NEEDS_TEXT = "Memory and cores that a {} asks of its node: 1GB,1."
DEADLINES = "Random deadlines from T to so many T after the arrival, T being the job's time alone."
_ESTIMATES = {parameter.name: parameter for parameter in ESTIMATE_PARAMETERS}
_LISTED: tuple[tuple[str, str, Parameter], ...] = (
    ("workload.family", "workload", _choice((f.id for f in FAMILIES), "The generator that draws the jobs.")),
    ("workload.file", "workload file", _text("", "A workload document or a log, seen from the study.")),
    ("workload.sample", "sample", _choice(sorted(sample_paths()), "A worked example of Slotscope.")),
    ("workload.seed", "seed of the workload", _seed("Same seed, same jobs.")),
    ("workload.first_job", "first job", _whole(1, MAX_JOBS, "", "Jobs before this one are left out.")),
    ("workload.last_job", "last job", _whole(1, MAX_JOBS, "", "Jobs after this one are left out.")),
    ("workload.input_factor", "input", _number(MIN_FACTOR, LARGEST_FACTOR, "times", INPUT, 1.0)),
    ("workload.arrival_rate", "arrival rate", _number(1e-6, 1e9, "jobs per hour", RATE, 60.0)),
    ("workload.load", "load", _number(0.01, 1e4, "%", LOAD, 70.0)),
    ("workload.order_seed", "seed of the order", _seed("The jobs arrive in an order drawn with it.")),
    ("cluster.map_slots", "map slots", _whole(0, MAX_SLOTS, "slots", "Slots for map tasks.", 30)),
    ("cluster.reduce_slots", "reduce slots", _whole(0, MAX_SLOTS, "slots", "Slots for reduce tasks.", 30)),
    ("cluster.slots", "slots", _whole(2, 2 * MAX_SLOTS, "slots", "Half for maps, half for reduces.", 60)),
    (
        "cluster.containers",
        "containers",
        _whole(1, MAX_SLOTS, "containers", "For tasks of either kind.", 60),
    ),
    ("cluster.nodes", "nodes", _text("8x16GB,8", "Instead of slots: number x memory, cores; more with +.")),
    ("cluster.node_count", "node count", _whole(1, MAX_SLOTS, "nodes", "So many of the first group.", 8)),
    ("cluster.map_request", "a map asks for", _text("1GB,1", NEEDS_TEXT.format("map"))),
    ("cluster.reduce_request", "a reduce asks for", _text("1GB,1", NEEDS_TEXT.format("reduce"))),
    ("cluster.contention", "contention", _text("", SPEEDS)),
    ("cluster.reduce_load", "load of a reduce", _number(0, MAX_REDUCE_LOAD, "maps", REDUCE_LOAD, 0.0)),
    ("cluster.events", "events on nodes", _text("none", EVENTS)),
    ("cluster.events_later", "events later by", _number(0, MAX_SECONDS, "s", EVENTS_LATER, 0.0)),
    ("cluster.spot_rate", "rate of spot nodes", _number(0, MAX_SPOT_RATE, "per hour", SPOT_RATE, 1.0)),
    ("cluster.spot_seed", "seed of spot nodes", _seed("Same seed, same times at which they vanish.")),
    ("cluster.slowstart", "slowstart", _number(0, 1, "", SLOWSTART, 0.05)),
    ("cluster.shuffle_model", "shuffle model", _choice(SHUFFLE_MODELS, "How shuffles overlap with maps.")),
    *((f"cluster.overheads.{p.name}", p.name.replace("_", " "), p) for p in OVERHEAD_PARAMETERS),
    ("policy.id", "policy", _choice((policy.id for policy in POLICIES), "Who decides which task runs next.")),
    ("estimates.error", "error of the estimates", replace(_ESTIMATES["error"], default=0.0)),
    ("estimates.per", "estimates are wrong per", _ESTIMATES["per"]),
    ("estimates.seed", "seed of the estimates", _ESTIMATES["seed"]),
    ("deadlines.factor", "deadline factor", _number(1, 1e6, "T", DEADLINES, 2.0)),
    ("deadlines.seed", "seed of the deadlines", _seed("Same seed, same deadlines.")),
    ("simulation.model", "model", _choice(MODELS, MODEL)),
    (
        "look.time",
        "instant",
        _number(0, MAX_SECONDS, "s", "When running tasks or releases are counted.", 0.0),
    ),
    ("look.job", "job", _whole(1, MAX_JOBS, "", "Whose last maps are counted, by its place.", 1)),
    ("look.pool", "pool", Parameter("", "text", "", "Whose running tasks are counted; left out: all.")),
)

FIELDS: dict[str, Field] = {
    name: Field(name, title, replace(parameter, name=name.rpartition(".")[2]))
    for name, title, parameter in _LISTED
}
"""Every field but the parameters of families and policies, by name."""
SEEDS = ("workload.seed", "workload.order_seed", "estimates.seed", "deadlines.seed", "cluster.spot_seed")
"""The fields that the seed of a repetition may be written to."""
SOURCES = ("workload.family", "workload.file", "workload.sample")
"""Where a workload comes from; one that is set takes the place of the others."""
RATES = ("workload.arrival_rate", "workload.load")
"""How fast jobs arrive; one that is set takes the place of the other."""
SLOT_KINDS = (
    ("cluster.map_slots", "cluster.reduce_slots"),
    ("cluster.slots",),
    ("cluster.containers",),
    (
        "cluster.nodes",
        "cluster.node_count",
        "cluster.map_request",
        "cluster.reduce_request",
        "cluster.contention",
        "cluster.reduce_load",
    ),
)
"""What a cluster has one kind of; a field that is set takes the place of those of the other kinds."""


@cache
def meanings(name: str) -> tuple[Field, ...]:
    """Return the field of this name, or of a parameter that of every family or policy; () for none."""
    if name in FIELDS:
        return (FIELDS[name],)
    for prefix, owners in ((WORKLOAD, FAMILIES), (POLICY, POLICIES)):
        if name.startswith(prefix):
            short = name.removeprefix(prefix)
            return tuple(
                Field(name, short.replace("_", " "), parameter, owner.id)
                for owner in owners
                for parameter in owner.parameters
                if parameter.name == short
            )
    return ()


def parameter_fields(prefix: str, owner: str) -> tuple[Field, ...]:
    """Return the fields of a family's or a policy's own parameters; `prefix` is WORKLOAD or POLICY."""
    owners = FAMILIES if prefix == WORKLOAD else POLICIES
    names = [f"{prefix}{p.name}" for each in owners if each.id == owner for p in each.parameters]
    return tuple(field for name in names for field in meanings(name) if field.owner == owner)


def every_name() -> tuple[str, ...]:
    """Return the names of all fields, those of parameters last."""
    named = [f"{WORKLOAD}{p.name}" for family in FAMILIES for p in family.parameters]
    named += [f"{POLICY}{p.name}" for policy in POLICIES for p in policy.parameters]
    return tuple(dict.fromkeys([*FIELDS, *named]))


def typed_value(name: str, value: Value) -> Value:
    """Return a value in its field's type, whole numbers rounded; JSON may write 2 for 2.0."""
    known = meanings(name)
    if not known or isinstance(value, bool | str):
        return value
    kind = known[0].parameter.type
    if kind == "integer":
        return round(value)
    return float(value) if kind == "number" else value


def value_text(value: Value) -> str:
    """Write a value as a label: 0.05, 64, johnson, yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def cluster_of(settings: Mapping[str, Value], suggested: Cluster) -> Cluster:
    """Return the workload's own cluster with what the settings change."""
    given: dict[str, Any] = {
        name.removeprefix("cluster."): value
        for name, value in settings.items()
        if name.startswith("cluster.")
    }
    if (slots := given.pop("slots", None)) is not None:
        given |= {"map_slots": slots - slots // 2, "reduce_slots": slots // 2}
    if (count := given.pop("node_count", None)) is not None:
        groups = parse_nodes(given["nodes"]) if "nodes" in given else suggested.nodes
        if not groups:
            raise InputError("node_count is given, but the cluster has no nodes; give nodes, too")
        given["nodes"] = nodes_text((replace(groups[0], count=count), *groups[1:]))
    spent = {name: given.pop(key) for name in OVERHEAD_NAMES if (key := f"overheads.{name}") in given}
    if spent:
        overheads = replace(suggested.overheads or Overheads(), **spent)
        given["overheads"] = None if overheads == Overheads() else overheads
    if changes := {name: given.pop(name) for name in EVENT_SETTINGS if name in given}:
        text = given.get("events")
        before = suggested.events if text is None else events_from_text(str(text))
        given["events"] = with_event_settings(before, changes)
    return changed_cluster(suggested, given)
