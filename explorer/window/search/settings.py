"""Settings that can be found and set by typing: those of the cluster, the policy and the selected job.

"map slots" shows what there are, "map slots 200" sets them. What is not set as things are says why.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from core.model.cluster import Cluster, slots_text
from core.model.errors import InputError
from core.model.nodes import contention_text, nodes_text, request_text
from core.model.overheads import Overheads
from core.model.parameters import Parameter
from core.model.stages import MAP_REDUCE
from core.model.time_text import seconds_from_text
from core.policies.registry import describe
from core.study.study_fields import FIELDS, Field, value_text
from explorer.dialogs.choices import Choice
from explorer.document.choices import all_parameters, has_run
from explorer.document.edited_fields import JOB_FIELDS, JobField
from explorer.document.titles import scenario_title
from explorer.window.scenarios.window_actions import NO_JOB
from explorer.window.search.other_names import other_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.parameters import ParameterValue
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.window.frame.side_bar import SideDock
    from explorer.window.scenarios.window_actions import WindowActions

KIND = "Setting"
CLUSTER_TITLES = {
    "map_slots": "Map slots",
    "reduce_slots": "Reduce slots",
    "slots": "Map and reduce slots",
    "containers": "Containers",
    "nodes": "Kinds of nodes",
    "node_count": "Nodes",
    "map_request": "Map asks for",
    "reduce_request": "Reduce asks for",
    "contention": "Contention",
    "reduce_load": "A reduce counts as",
    "slowstart": "Slowstart",
    "shuffle_model": "Shuffle model",
}
"""How the settings of the cluster are called, by their names in studies, in the order of their list."""
OF_NODES = frozenset({"node_count", "map_request", "reduce_request", "contention", "reduce_load"})
OF_SLOTS = frozenset({"map_slots", "reduce_slots", "slots"})
OF_MAP_REDUCE = OF_SLOTS | OF_NODES - {"node_count"} | {"slowstart", "shuffle_model"}
"""What only maps and reduces have."""
OF_STAGES = ("arrival", "deadline", "think", "weight")
"""Settings of a job that is a graph of stages."""
JOB_SETTINGS = (
    "map_count",
    "reduce_count",
    "map_durations",
    "reduce_durations",
    "first_shuffle",
    "typical_shuffle",
    "arrival",
    "deadline",
    "think",
    "weight",
)
NO_OVERHEADS = "overheads are simulated for slots and containers, not for nodes"
NO_NODES = "the cluster has no nodes; give kinds of nodes first, such as 8x16GB,8"
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*\s*[a-zA-Z%]*(?:\s*\d[\d.]*\s*[a-z]+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_SWITCH = {"on": "true", "off": "false", "yes": "true", "no": "false", "true": "true", "false": "false"}


class WithSettings(Protocol):
    """What a window has of which settings are found."""

    document: Document
    view_state: ViewState
    side_dock: SideDock
    actions_of_window: WindowActions


@dataclass(frozen=True)
class TypedSetting:
    """Something that has a value.

    Attributes
    ----------
    id : by which its other names are found
    title : what it is called, with a capital letter
    now : its value as text, empty where it has none
    parameter : its type, limits, unit, and a sentence on what it is
    write : gives it another value
    where : whose value it is, "for FIFO alone"; empty where that goes without saying
    because : why it cannot be set; empty if it can
    is_rare : whether it takes the place of what the cluster has now
    show : shows where it stands in the window; None where it has no place
    """

    id: str
    title: str
    now: str
    parameter: Parameter
    write: Callable[[ParameterValue], object]
    where: str = ""
    because: str = ""
    is_rare: bool = False
    show: Callable[[], object] | None = None

    @property
    def choice(self) -> Choice:
        """What the palette shows of it."""
        now = f"{self.now} now" if self.now else "not set"
        return Choice(
            KIND,
            self.title,
            "lets you type its value behind its name",
            lambda: None,
            about=" · ".join(filter(None, (now, self.where, self.parameter.help))),
            also=other_names(self.id),
            also_does="shows it in the side bar" if self.show else "",
            also_run=self.show,
            because=self.because,
            is_rare=self.is_rare,
            fills=self.now or str(self.parameter.default),
            with_value=self.with_value,
        )

    def with_value(self, text: str) -> Choice | None:
        """Return the choice that gives it the value that was typed; None where the text is no value of it."""
        try:
            value = read_value(self.parameter, text)
        except InputError as error:
            value, because = text, str(error).rpartition("; ")[2]
        else:
            because = self.because
        if value is None:
            return None
        shown = shown_value(self.parameter, value)
        is_so = not because and shown == self.now
        now = f"{self.now} now" if self.now else "not set now"
        return Choice(
            KIND,
            f"{self.title}: {shown}",
            f"sets it to {shown} (Ctrl+Z takes it back)",
            partial(self.write, value),
            about=" · ".join(filter(None, (now, self.where))),
            because="it is so already" if is_so else because,
            is_rare=self.is_rare,
        )


def read_value(parameter: Parameter, text: str) -> ParameterValue | None:
    """Return what was typed as a value of a parameter; None where it does not look like one of its type.

    Raises
    ------
    InputError
        it is a number, but one that the parameter does not take
    """
    if parameter.type == "choice":
        fitting = [choice for choice in parameter.choices if choice.startswith(text.lower())]
        return fitting[0] if len(fitting) == 1 or text.lower() in fitting else None
    if parameter.type == "boolean":
        switch = _SWITCH.get(text.lower())
        return None if switch is None else switch == "true"
    if parameter.type == "text":
        return text if text[0].isdigit() or "," in text or "=" in text else None
    if not _NUMBER.fullmatch(text):
        return None
    return parameter.check(_number_text(parameter, text), "value")


def _number_text(parameter: Parameter, text: str) -> str:
    """Return a number without its unit: "200 slots", "80 %" of a part, "1:30" of a time, "1,000"."""
    if parameter.unit == "s" and re.search(r"[:a-z]", text):
        return repr(seconds_from_text(text))
    number = re.sub(r"\s*[a-zA-Z%]*$", "", text)
    number = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
    if text.endswith("%") or (is_part(parameter) and number.replace(".", "").isdigit() and float(number) > 1):
        return repr(float(number) / 100)
    return number


def is_part(parameter: Parameter) -> bool:
    """Whether a parameter is a part of a whole, which people say in per cent."""
    return parameter.type == "number" and (parameter.min, parameter.max, parameter.unit) == (0, 1, "")


def shown_value(parameter: Parameter, value: ParameterValue) -> str:
    """Return a value as it is shown, with its unit where it is short: "200", "80 %", "3 s", "yes"."""
    if is_part(parameter) and isinstance(value, float | int):
        return f"{value * 100:g} %"
    text = value_text(value)
    return f"{text} s" if parameter.unit == "s" and not isinstance(value, str) else text


def settings_of(window: WithSettings) -> Iterator[TypedSetting]:
    """Yield what can be set now: of the cluster, of the active scenario's policy, of the selected job."""
    yield from _of_cluster(window)
    yield from _of_policy(window)
    yield from _of_job(window)


def _of_cluster(window: WithSettings) -> Iterator[TypedSetting]:
    scenario = window.document.scenario(window.view_state.active_scenario)
    cluster = window.document.state.cluster_of(scenario)
    where = "" if scenario.cluster is None else f"for {scenario_title(scenario)} alone"
    is_map_reduce = window.document.workload.is_map_reduce
    for name, title in CLUSTER_TITLES.items():
        if name in OF_MAP_REDUCE and not is_map_reduce:
            continue
        field = FIELDS[f"cluster.{name}"]
        is_other = _takes_the_place(name, cluster)
        place = f"takes the place of {slots_text(cluster)}" if is_other else where
        yield _cluster_setting(
            window,
            field,
            title,
            "" if is_other else _cluster_text(name, cluster),
            place,
            because=NO_NODES if name in OF_NODES and not cluster.has_nodes else "",
            is_rare=is_other,
        )
    if not is_map_reduce:
        return  # overheads are those of Hadoop
    for name, value in asdict(cluster.overheads or Overheads()).items():
        field = FIELDS[f"cluster.overheads.{name}"]
        title = f"{field.title.capitalize()} (overhead)"
        no_place = NO_OVERHEADS if cluster.has_nodes else ""
        shown = shown_value(field.parameter, value)
        yield _cluster_setting(window, field, title, shown, where, because=no_place)


def _cluster_setting(
    window: WithSettings,
    field: Field,
    title: str,
    now: str,
    where: str,
    *,
    because: str,
    is_rare: bool = False,
) -> TypedSetting:
    return TypedSetting(
        field.name,
        title,
        now,
        field.parameter,
        partial(window.actions_of_window.set_of_cluster, field.name),
        where,
        because,
        is_rare,
        partial(window.side_dock.show_section, "cluster"),
    )


def _takes_the_place(name: str, cluster: Cluster) -> bool:
    """Whether a setting says how many slots of another kind there are than the cluster has."""
    if name in OF_SLOTS:
        return cluster.has_containers
    if name == "containers":
        return cluster.has_nodes or not cluster.has_containers
    return name == "nodes" and not cluster.has_nodes


def _cluster_text(name: str, cluster: Cluster) -> str:
    if name == "nodes":
        return nodes_text(cluster.nodes)
    if name == "node_count":
        return str(cluster.nodes[0].count) if cluster.nodes else ""
    if name in ("map_request", "reduce_request"):
        return request_text(getattr(cluster, name))
    if name == "contention":
        return contention_text(cluster.contention)
    value = cluster.map_slots + cluster.reduce_slots if name == "slots" else getattr(cluster, name)
    return shown_value(FIELDS[f"cluster.{name}"].parameter, value)


def _of_policy(window: WithSettings) -> Iterator[TypedSetting]:
    scenario = window.document.scenario(window.view_state.active_scenario)
    if scenario.choice.is_record or not has_run(scenario.choice):
        return
    values, title = all_parameters(scenario.choice), scenario_title(scenario)
    for parameter in describe(scenario.choice.id).parameters:
        name = parameter.name.replace("_", " ")
        yield TypedSetting(
            f"policy.parameters.{parameter.name}",
            f"{name.capitalize()} of {title}",
            shown_value(parameter, values[parameter.name]),
            parameter,
            partial(window.actions_of_window.set_of_policy, parameter.name),
        )


def _of_job(window: WithSettings) -> Iterator[TypedSetting]:
    workload, name = window.document.workload, window.view_state.selected_job
    job = None if name is None else workload.jobs[workload.job_index[name]]
    has_stages = not workload.is_map_reduce if job is None else job.graph != MAP_REDUCE
    for field_id in OF_STAGES if has_stages else JOB_SETTINGS:
        field = JOB_FIELDS[field_id]
        yield TypedSetting(
            f"job.{field_id}",
            f"{field.title.capitalize()} of {name or 'the selected job'}",
            "" if job is None else field.text(job),
            _parameter_of(field),
            partial(window.actions_of_window.set_of_job, field_id),
            because=NO_JOB if job is None else "",
        )


def _parameter_of(field: JobField) -> Parameter:
    """Return the form of a job's field, which reads what was typed itself and knows its limits."""
    return Parameter(field.id, "text", "", "", unit=field.unit)
