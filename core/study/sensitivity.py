"""Which parameter of a scenario matters: each of them a step down and a step up, one simulation each way.

A step is a tenth of the value where that makes sense; the rest is said with each change. Sorted by how far
the end swings, the bars of a picture look like a tornado.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.generate.scaling import scale_durations, stretch_arrivals
from core.model.cluster import SHUFFLE_MODELS, SHUFFLE_TITLES
from core.model.errors import Cancelled, SlotscopeError
from core.model.estimates import DurationEstimates
from core.model.limits import MAX_SLOTS
from core.model.overheads import OVERHEAD_PARAMETERS
from core.model.progress import never_stop, no_progress
from core.model.task_types import TASK_TYPES
from core.policies.registry import describe
from core.study.draws import engine_of, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.parameters import Parameter
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

STEP = 0.1
"""The part of a value that it is changed by."""
DEFAULT_CHANGES = 20
"""Whether compiling is worth it goes by that."""
SLOWSTART_STEP = 0.1
"""Of the maps that have to be complete."""
DEFAULT_ERROR = 0.3
"""Of estimates, where a policy knows the true durations."""


OVERHEAD_LEVERS = ("heartbeat", "hosts", "maps_per_heartbeat", "reduces_per_heartbeat", "launched_ahead")
"""What a cluster's configuration or size says of its overheads; the others are how long things take there."""


@dataclass(frozen=True)
class Change:
    """A scenario in which one thing is different.

    Attributes
    ----------
    value : what it is then, in words: "27", "off"
    scenario, cluster, workload : what is run
    makespan : what came out, seconds; None where it could not be run
    problem : why not; empty else
    """

    value: str
    scenario: Scenario
    cluster: Cluster
    workload: Workload
    makespan: float | None = None
    problem: str = ""


@dataclass(frozen=True)
class Swing:
    """One parameter, and what came of changing it.

    Attributes
    ----------
    title : in words: "map slots"
    unit : of its values, empty for none
    value : what it is now
    changes : one or two: a step down and a step up, or other choices
    base : the makespan without a change, seconds
    is_lever : whether somebody who runs the cluster can turn it: slots, slowstart, heartbeats, the policy's
        parameters; jobs, what a cluster is like, and what a model takes for granted are as they are
    """

    title: str
    unit: str
    value: str
    changes: tuple[Change, ...]
    base: float
    is_lever: bool = False

    @property
    def size(self) -> float:
        """How far the end swings, seconds: from the earliest to the latest, the one without a change too."""
        ends = [self.base, *(each.makespan for each in self.changes if each.makespan is not None)]
        return max(ends) - min(ends)

    def label(self, change: Change) -> str:
        """Return a change in words: "map slots 30 → 27"."""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.title} {self.value} → {change.value}{unit}"


@dataclass(frozen=True)
class Sensitivity:
    """What is known of a scenario: its makespan in seconds, and all swings, the largest first."""

    base: float
    swings: tuple[Swing, ...] = field(default=())

    @property
    def moving(self) -> tuple[Swing, ...]:
        """The swings that change the makespan."""
        return tuple(swing for swing in self.swings if swing.size > 0)

    @property
    def levers_first(self) -> tuple[Swing, ...]:
        """The same, levers of the cluster before those of jobs and model, in each the largest first."""
        return tuple(sorted(self.moving, key=lambda swing: not swing.is_lever))


def sensitivity(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    *,
    on_known: Callable[[Sensitivity], None] = no_progress,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    engine: Engine = "auto",
) -> Sensitivity:
    """Change everything that a scenario depends on, one thing at a time, and simulate each change.

    Parameters
    ----------
    cluster : that of the scenario
    scenario : its policy, or what was made by hand there
    on_known : called with the swings known so far, each time that one more is
    progress : called with the fraction of the simulations done

    Raises
    ------
    InputError
        the scenario itself cannot be run
    Cancelled
        `should_stop` said so
    """
    base = Change("", scenario, cluster, workload)

    if engine == "auto" and not scenario.choice.is_record:
        engine = engine_of(scenario, workload, DEFAULT_CHANGES)

    def run(change: Change) -> float:
        return simulated(
            change.workload, change.cluster, change.scenario, should_stop=should_stop, engine=engine
        ).makespan

    known = Sensitivity(run(base))
    on_known(known)
    wanted = tuple(_wanted(base))
    steps = sum(len(each.changes) for each in wanted)
    done = 1
    for each in wanted:
        changes = []
        for change in each.changes:
            changes.append(_tried(change, run))
            done += 1
            progress(done / (steps + 1))
        swing = replace(each, changes=tuple(changes), base=known.base)
        ranked = sorted((*known.swings, swing), key=lambda swing: -swing.size)
        known = replace(known, swings=tuple(ranked))
        on_known(known)
    return known


def _tried(change: Change, run: Callable[[Change], float]) -> Change:
    """Return a change with its makespan, or with why there is none."""
    if change.problem:
        return change
    try:
        return replace(change, makespan=run(change))
    except Cancelled:
        raise
    except SlotscopeError as error:
        return replace(change, problem=str(error))


def _wanted(now: Change) -> Iterator[Swing]:
    """Yield everything that can be changed, with the changes, not yet run."""
    yield from _of_cluster(now)
    yield from _of_overheads(now)
    if not now.scenario.is_by_hand:
        yield from _of_policy(now)
        yield from _of_estimates(now)
    yield from _of_workload(now)


def _swing(
    title: str, unit: str, value: str, changes: list[Change], *, is_lever: bool = False
) -> Iterator[Swing]:
    if changes:
        yield Swing(title, unit, value, tuple(changes), 0.0, is_lever)


def _of_cluster(now: Change) -> Iterator[Swing]:
    """Yield slots, containers or nodes, slowstart and the shuffle model."""
    cluster = now.cluster
    if cluster.has_nodes:
        for place, group in enumerate(cluster.nodes):
            which = f" of group {place + 1}" if len(cluster.nodes) > 1 else ""
            grown = [
                (count, (*cluster.nodes[:place], replace(group, count=count), *cluster.nodes[place + 1 :]))
                for count in _whole_steps(group.count, 1, MAX_SLOTS)
            ]
            changes = [_on(now, str(count), nodes=nodes) for count, nodes in grown]
            yield from _swing(f"nodes{which}", "", str(group.count), changes, is_lever=True)
    else:
        kinds = ("containers",) if cluster.has_containers else ("map_slots", "reduce_slots")
        for name in kinds:
            value = getattr(cluster, name)
            counts = _whole_steps(value, 1, MAX_SLOTS) if value else ()
            changes = [_on(now, str(count), **{name: count}) for count in counts]
            yield from _swing(name.replace("_", " "), "", str(value), changes, is_lever=True)
    if now.workload.is_map_reduce and now.workload.reduce_count:
        yield from _of_slowstart(now)
    if now.workload.columns.typical_shuffle.any() or now.workload.columns.first_shuffle.any():
        yield from _of_shuffles(now)


def _of_slowstart(now: Change) -> Iterator[Swing]:
    cluster = now.cluster
    steps = [cluster.slowstart - SLOWSTART_STEP, cluster.slowstart + SLOWSTART_STEP]
    fractions = dict.fromkeys(min(max(round(each, 6), 0.0), 1.0) for each in steps)
    changes = [_on(now, _percent(f), slowstart=f) for f in fractions if f != cluster.slowstart]
    yield from _swing("slowstart", "", _percent(cluster.slowstart), changes, is_lever=True)


def _of_shuffles(now: Change) -> Iterator[Swing]:
    cluster = now.cluster
    models = [model for model in SHUFFLE_MODELS if model != cluster.shuffle_model]
    changes = [_on(now, SHUFFLE_TITLES[model], shuffle_model=model) for model in models]
    yield from _swing("shuffle model", "", SHUFFLE_TITLES[cluster.shuffle_model], changes)


def _of_overheads(now: Change) -> Iterator[Swing]:
    """Yield what the cluster spends besides running tasks, where it spends something."""
    spent = now.cluster.overheads
    if spent is None:
        return
    for parameter in OVERHEAD_PARAMETERS:
        changes = [
            _on(now, text, overheads=replace(spent, **{parameter.name: value}))
            for value, text in _steps(parameter, getattr(spent, parameter.name))
        ]
        unit = "s" if parameter.unit == "s" else ""
        value, is_lever = f"{getattr(spent, parameter.name):g}", parameter.name in OVERHEAD_LEVERS
        yield from _swing(_words(parameter), unit, value, changes, is_lever=is_lever)


def _of_policy(now: Change) -> Iterator[Swing]:
    """Yield every parameter of the policy."""
    choice = now.scenario.choice
    for parameter in describe(choice.id).parameters:
        value = choice.parameters.get(parameter.name, parameter.default)
        value = parameter.check(value, choice.id)
        changes = []
        for other, text in _steps(parameter, value):
            chosen = replace(choice, parameters={**choice.parameters, parameter.name: other})
            changes.append(replace(now, value=text, scenario=replace(now.scenario, choice=chosen)))
        yield from _swing(_words(parameter), parameter.unit, _value_text(value), changes, is_lever=True)


def _of_estimates(now: Change) -> Iterator[Swing]:
    """Yield how wrong the durations are that the policy plans on, if it plans on any."""
    choice = now.scenario.choice
    if choice.is_record or not describe(choice.id).plans:
        return
    estimates = choice.estimates or DurationEstimates()
    errors = (
        (estimates.error * (1 - STEP), estimates.error * (1 + STEP)) if estimates.error else (DEFAULT_ERROR,)
    )
    changes = []
    for error in errors:
        planned = replace(choice, estimates=replace(estimates, error=round(error, 6)))
        scenario = replace(now.scenario, choice=planned)
        changes.append(replace(now, value=f"±{_percent(error)}", scenario=scenario))
    yield from _swing("error of the estimates", "", f"±{_percent(estimates.error)}", changes)


def _of_workload(now: Change) -> Iterator[Swing]:
    """Yield the durations of maps and of reduces with their shuffles, and the time between arrivals."""
    factors = (1 - STEP, 1 + STEP)
    jobs = now.workload
    for kind, count in enumerate(jobs.type_counts):
        if count:
            scaled = [[f if each == kind else 1.0 for each in TASK_TYPES] for f in factors]
            longer = [(f, scale_durations(jobs, *each)) for f, each in zip(factors, scaled, strict=True)]
            changes = [replace(now, value=_percent(f), workload=each) for f, each in longer]
            yield from _swing(f"durations of {jobs.type_words[kind]}s", "", "100 %", changes)
    if len({job.arrival for job in jobs.jobs}) > 1:
        changes = [replace(now, value=_percent(f), workload=stretch_arrivals(jobs, f)) for f in factors]
        yield from _swing("time between arrivals", "", "100 %", changes)


def _on(now: Change, text: str, **changes: Any) -> Change:  # Any: fields of a cluster, by name
    """Return the change of a cluster; of one that there cannot be, why not."""
    try:
        return replace(now, value=text, cluster=replace(now.cluster, **changes))
    except SlotscopeError as error:
        return replace(now, value=text, problem=str(error))


def _whole_steps(value: int, low: float | None, high: float | None) -> tuple[int, ...]:
    """Return a whole number a tenth down and up, by one at least, as far as it may be."""
    by = max(1, round(value * STEP))
    least, most = (-by if low is None else low - value), (by if high is None else high - value)
    return tuple(value + step for step in (-by, by) if least <= step <= most)


def _steps(parameter: Parameter, value: Any) -> list[tuple[Any, str]]:  # Any: as the parameter has it
    """Return the values that a parameter is changed to, with their texts; none for a text."""
    if parameter.type == "boolean":
        others: list[Any] = [not value]
    elif parameter.type == "choice":
        others = [choice for choice in parameter.choices if choice != value]
    elif parameter.type == "integer":
        others = list(_whole_steps(int(value), parameter.min, parameter.max))
    elif parameter.type == "number" and value:
        low, high = parameter.min, parameter.max
        others = [round(value * factor, 12) for factor in (1 - STEP, 1 + STEP)]
        others = [x for x in others if (low is None or low <= x) and (high is None or x <= high)]
    else:
        others = []
    return [(other, _value_text(other)) for other in others]


def _words(parameter: Parameter) -> str:
    return parameter.name.replace("_", " ")


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _percent(part: float) -> str:
    return f"{100 * part:g} %"
