"""Edits of scenarios: their policies, clusters, orders, pools and plans. One method per edit."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster, differing_words, slots_text
from core.model.document_state import MAX_NOTES, MAX_SCENARIOS, Scenario
from core.model.errors import DocumentError, InputError, UnknownName
from core.model.killed_copies import killed_copies_words
from core.model.node_events import events_words
from core.model.nodes import Request, contention_text, nodes_text, request_text
from core.model.number_text import grouped
from core.model.overheads import overheads_sentence
from core.model.partition import job_problems
from core.model.plan import check_plan
from core.model.schedule import PolicyChoice
from core.model.time_text import clock_text
from core.policies.user_files.session_policies import with_policies_renamed
from core.simulation.fork import fork_of
from explorer.document.choices import (
    ORDER_PARAMETER,
    check_order,
    checked_choice,
    fitted,
    moved,
    with_order,
    with_parameter,
    with_partition,
)
from explorer.document.document import Edits
from explorer.document.titles import describe_move, moved_name, policy_title, scenario_title, title_in

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from core.model.estimates import DurationEstimates
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.workload import Workload

MAX_SHOWN = 100
"""Letters of a parameter's value in the name of an edit."""
CLUSTER_FIELDS = tuple(field.name for field in fields(Cluster))


class ScenarioEdits(Edits):
    """Edits of scenarios, and of the cluster of those that have none of their own."""

    def set_notes(self, text: str) -> None:
        """Replace the notes; typing on is one step until `end_gesture`."""
        if len(text) > MAX_NOTES:
            raise InputError(
                f"notes hold {grouped(MAX_NOTES)} characters at most; these have {grouped(len(text))}"
            )
        self.commit("Edit the notes", replace(self.document.state, notes=text), "notes")

    # Which there are

    @property
    def can_add_scenario(self) -> bool:
        """Whether there is room for one more."""
        return len(self.document.scenarios) < MAX_SCENARIOS

    def add_scenario(self, choice: PolicyChoice, place: int | None = None) -> int:
        """Add a scenario with this policy, at the end unless a place is given, and return its id."""
        scenario = Scenario(self.document.state.next_id, checked_choice(choice))
        place = len(self.document.scenarios) if place is None else place
        return self._insert_scenario(f"Add {scenario_title(scenario)}", scenario, place)

    def duplicate_scenario(self, scenario_id: int) -> int:
        """Put a copy of a scenario behind it and return the copy's id."""
        scenario = self.document.scenario(scenario_id)
        copy = replace(scenario, id=self.document.state.next_id)
        place = self.document.place_of(scenario_id) + 1
        return self._insert_scenario(f"Duplicate {scenario_title(scenario)}", copy, place)

    def fork_scenario(
        self, scenario_id: int, seconds: float, choice: PolicyChoice, decisions: int = 0
    ) -> int:
        """Add a scenario that leaves this one at an instant, after so many decisions; return its id."""
        first = self.document.scenario(scenario_id)
        fork = fork_of(first, seconds, decisions)
        state = self.document.state
        choice = checked_choice(replace(choice, estimates=first.choice.estimates))
        scenario = Scenario(state.next_id, choice, cluster=first.cluster, fork=fork)
        place = self.document.place_of(scenario_id) + 1
        return self._insert_scenario(f"Continue {scenario_title(scenario)}", scenario, place)

    def add_beside(self, scenario_id: int, changed: Scenario) -> int:
        """Put a scenario that differs from this one behind it, titled by the difference; return its id.

        Where only the cluster differs, and its words say how, it has no title of its own: what it is called
        follows the cluster. What has been put there already, under the same title, is not put there twice.
        """
        beside = replace(changed, id=self.document.state.next_id)
        if self._is_named_by_cluster(beside, self.document.scenario(scenario_id)):
            beside = replace(beside, title="")
        for there in self.document.scenarios:
            if there == replace(beside, id=there.id) and there.id != scenario_id:
                return there.id
        place = self.document.place_of(scenario_id) + 1
        return self._insert_scenario(f"Add {title_in(self.document.state, beside)}", beside, place)

    def _is_named_by_cluster(self, beside: Scenario, scenario: Scenario) -> bool:
        """Whether a scenario is another one without a title on a cluster that differs in more than overheads.

        Overheads that differ are only called so.
        """
        common = self.document.state.cluster
        only_cluster = replace(beside, id=scenario.id, title="", cluster=scenario.cluster) == scenario
        if not only_cluster or scenario.title or beside.cluster in (None, scenario.cluster):
            return False
        own = self.document.state.cluster_of(beside)
        return own.overheads == common.overheads and bool(differing_words(own, common))

    def _insert_scenario(self, text: str, scenario: Scenario, place: int) -> int:
        if not self.can_add_scenario:
            raise InputError(
                f"there are {MAX_SCENARIOS} scenarios already, the most that fit; remove one first"
            )
        scenarios = list(self.document.scenarios)
        scenarios.insert(place, scenario)
        after = replace(self.document.state, scenarios=tuple(scenarios), next_id=scenario.id + 1)
        self.commit(text, after)
        return scenario.id

    def remove_scenario(self, scenario_id: int) -> None:
        """Remove a scenario, not the last one; if it was the baseline, the first of the others becomes it."""
        document, scenario = self.document, self.document.scenario(scenario_id)
        left = tuple(other for other in document.scenarios if other is not scenario)
        if not left:
            raise InputError("this is the only scenario; a document needs one, so add another first")
        baseline = left[0].id if document.baseline == scenario_id else document.baseline
        after = replace(document.state, scenarios=left, baseline=baseline)
        self.commit(f"Remove {scenario_title(scenario)}", after)

    def move_scenario(self, scenario_id: int, place: int) -> None:
        """Show a scenario at another place, from 0; places beyond the ends mean the ends."""
        scenario = self.document.scenario(scenario_id)
        scenarios = [other for other in self.document.scenarios if other is not scenario]
        scenarios.insert(min(max(place, 0), len(scenarios)), scenario)
        after = replace(self.document.state, scenarios=tuple(scenarios))
        self.commit(f"Move {scenario_title(scenario)}", after)

    def make_baseline(self, scenario_id: int) -> None:
        """Compare the others with this scenario."""
        text = f"Compare with {scenario_title(self.document.scenario(scenario_id))}"
        self.commit(text, replace(self.document.state, baseline=scenario_id))

    # Policies

    def rename_scenario(self, scenario_id: int, title: str) -> None:
        """Call a scenario something; an empty title brings the policy's back."""
        scenario = self.document.scenario(scenario_id)
        renamed = replace(scenario, title=title.strip())
        self._change(f"Rename {scenario_title(scenario)} to {scenario_title(renamed)}", renamed)

    def move_policy_file(self, old: str, new: str) -> None:
        """Let every scenario that uses a policy file use another one in its place, with its parameters."""
        after = with_policies_renamed(self.document.state, {old: new})
        self.commit(f"Use {Path(new).name} from {Path(new).parent}", after)

    def choose_policy(self, scenario_id: int, choice: PolicyChoice) -> None:
        """Give a scenario a policy; an order, pools or a plan end with the old one, estimates stay."""
        scenario = self.document.scenario(scenario_id)
        text = f"Use {policy_title(choice.id)} instead of {scenario_title(scenario)}"
        choice = checked_choice(replace(choice, estimates=scenario.choice.estimates))
        self._change(text, replace(scenario, choice=choice, order=None, partition=None, plan=None))

    def set_parameter(self, scenario_id: int, name: str, value: object) -> None:
        """Set one parameter of a scenario's policy.

        An order, pools or a plan are kept, unless the parameter is an order: then the newer one holds.
        """
        scenario = self.document.scenario(scenario_id)
        changed = replace(scenario, choice=with_parameter(scenario.choice, name, value))
        if name == ORDER_PARAMETER:
            changed = replace(changed, order=None, partition=None, plan=None)
        shown = changed.choice.parameters.get(name, value)
        shown = shown if len(str(shown)) <= MAX_SHOWN else f"{str(shown)[:MAX_SHOWN]}…"
        text = f"Set {name.replace('_', ' ')} of {policy_title(changed.choice.id)} to {shown}"
        self._change(text, changed, "parameter", scenario_id, name)

    def set_estimates(self, scenario_id: int, estimates: DurationEstimates | None) -> None:
        """Let a scenario's policy plan on estimates of the durations, or on the true ones (None)."""
        scenario = self.document.scenario(scenario_id)
        choice = checked_choice(replace(scenario.choice, estimates=estimates))
        if choice.estimates != estimates:
            raise InputError(f"{policy_title(choice.id)} plans on no durations; estimates change nothing")
        text = f"Plan {policy_title(choice.id)} on {estimates or 'the true durations'}"
        self._change(text, replace(scenario, choice=choice), "estimates", scenario_id)

    # Orders and pools made by hand; the first ones of the baseline become a scenario of their own behind it

    def move_job(self, scenario_id: int, name: str, place: int, shown: Sequence[str] | None = None) -> None:
        """Move one job to a place (0 is first) in a scenario's order.

        `shown` is the order that is shown there, as the policy computed it; without it the order made by
        hand counts, else the input order.
        """
        if name not in self.document.workload.job_index:
            raise UnknownName("job", name, self.document.workload.job_index)
        scenario = self._simulated(scenario_id)
        before = self._order_before(scenario, shown)
        self._drop_order(scenario, before, moved(before, name, place), name)

    def drop_order(
        self,
        scenario_id: int,
        names: Sequence[str],
        shown: Sequence[str] | None = None,
        moved: str | None = None,
    ) -> None:
        """Commit a drag: the whole new order, the order it began with, and which job was dragged."""
        scenario = self._simulated(scenario_id)
        after = check_order(names, self.document.workload)
        self._drop_order(scenario, self._order_before(scenario, shown), after, moved)

    def _drop_order(
        self, scenario: Scenario, before: tuple[str, ...], after: tuple[str, ...], name: str | None
    ) -> None:
        if after != before:  # dropped where it was, a computed order stays computed
            name = name or moved_name(before, after)
            edited = with_order(scenario, self.document.workload, after, () if name is None else (name,))
            self._edit_by_hand(describe_move(before, after, name), scenario, edited)

    def _order_before(self, scenario: Scenario, shown: Sequence[str] | None) -> tuple[str, ...]:
        if scenario.order is not None:
            return scenario.order
        workload = self.document.workload
        return workload.input_order if shown is None else check_order(shown, workload)

    def drop_partition(
        self, scenario_id: int, partition: Partition, text: str, moved: Collection[str] = ()
    ) -> None:
        """Commit a drag or another edit of pools; `text` names the edit: "Move J1 to Pool 2".

        `moved` are the jobs that were dragged: a plan gives them other due dates.
        """
        scenario = self._simulated(scenario_id)
        problems = job_problems(partition, self.document.workload)
        if problems:
            raise DocumentError("pools", problems)
        edited = with_partition(scenario, self.document.workload, partition, moved)
        self._edit_by_hand(text, scenario, edited)

    # Plans

    def take_plan(self, scenario_id: int, plan: Plan, title: str = "", *, in_place: bool = False) -> int:
        """Let a scenario beside this one, with its policy, follow a plan; return that one's id.

        In place, this scenario itself follows it, as where there is no room for one more. Without a title it
        is called "optimised from FIFO"; one that follows the same plan already is not made again. InputError
        if the plan does not fit the workload or the cluster.
        """
        scenario = self._simulated(scenario_id)
        check_plan(plan, self.document.workload, self.document.state.cluster_of(scenario))
        text = f"Optimise {scenario_title(scenario)}"
        planned = replace(scenario, order=None, partition=None, plan=plan, title=title)
        for there in () if in_place else self.document.scenarios:
            if there == replace(planned, id=there.id, title=there.title):
                return there.id
        if in_place or not self.can_add_scenario:
            self._change(text, replace(planned, title=title or scenario.title))
            return scenario_id
        beside = replace(planned, id=self.document.state.next_id)
        place = self.document.place_of(scenario_id) + 1
        return self._insert_scenario(text, beside, place)

    def take_rest(self, scenario_id: int, seconds: float, plan: Plan) -> int:
        """Add a scenario that leaves this one at an instant and follows a plan from there; return its id."""
        first = self._simulated(scenario_id)
        check_plan(plan, self.document.workload, self.document.state.cluster_of(first))
        scenario = Scenario(
            self.document.state.next_id,
            PolicyChoice("critical"),
            cluster=first.cluster,
            fork=fork_of(first, seconds),
            plan=plan,
        )
        text = f"Optimise {scenario_title(first)} from {clock_text(seconds)}"
        return self._insert_scenario(text, scenario, self.document.place_of(scenario_id) + 1)

    def unpin_job(self, scenario_id: int, name: str) -> None:
        """Let a search move a job of a scenario's plan again."""
        scenario = self.document.scenario(scenario_id)
        if scenario.plan is None:
            raise InputError(f"{scenario_title(scenario)} follows no plan, so no job is pinned there")
        self._change(f"Unpin {name}", replace(scenario, plan=scenario.plan.unpinned(name)))

    def _edit_by_hand(self, text: str, before: Scenario, after: Scenario) -> None:
        """Commit an order or pools; what others are compared with stays, and is edited beside itself."""
        is_first = before.id == self.document.baseline and not before.is_by_hand
        if is_first and self.can_add_scenario:
            title = before.title and f"{before.title}, edited"
            beside = replace(after, id=self.document.state.next_id, title=title)
            place = self.document.place_of(before.id) + 1
            self._insert_scenario(f"{text} in {scenario_title(beside)}", beside, place)
            return
        self._change(f"{text} in {scenario_title(before)}", after)
        if is_first:
            self.reported.emit(
                f"{scenario_title(before)} itself was edited: there are {MAX_SCENARIOS} scenarios already, "
                "the most that fit"
            )

    def reset_order(self, scenario_id: int) -> None:
        """Go back to what the policy does, from an order or pools made by hand or from a plan."""
        scenario = self.document.scenario(scenario_id)
        what = "schedule" if scenario.order is None else "order"
        text = f"Back to {policy_title(scenario.choice.id)}'s own {what}"
        self._change(text, replace(scenario, order=None, partition=None, plan=None))

    def _simulated(self, scenario_id: int) -> Scenario:
        """Return a scenario; InputError for one that shows what a log recorded, which cannot be changed."""
        scenario = self.document.scenario(scenario_id)
        if scenario.choice.is_record:
            raise InputError(
                f"{scenario_title(scenario)} shows what really ran, which cannot be changed any more; "
                "change a simulated scenario instead"
            )
        return scenario

    def _change(self, text: str, scenario: Scenario, *field: Hashable) -> None:
        self.commit(text, self.document.state.with_scenario(scenario), *field)

    # Clusters

    def edit_cluster(self, scenario_id: int | None = None, **changes: Any) -> None:  # Any: Cluster checks it
        """Change fields of the document's cluster, or of a scenario's own: ``edit_cluster(map_slots=40)``."""
        for name in changes:
            if name not in CLUSTER_FIELDS:
                raise UnknownName("field of a cluster", name, CLUSTER_FIELDS)
        self.set_cluster(replace(self._cluster(scenario_id), **changes), scenario_id)

    def set_cluster(self, cluster: Cluster, scenario_id: int | None = None) -> None:
        """Replace the document's cluster, or give a scenario one of its own, which its title then names."""
        before = self._cluster(scenario_id)
        changed = tuple(name for name in CLUSTER_FIELDS if getattr(cluster, name) != getattr(before, name))
        text = _cluster_text(cluster, changed)
        if scenario_id is None:
            self.commit(text, replace(self.document.state, cluster=cluster), "cluster", None, changed)
        else:
            scenario = self.document.scenario(scenario_id)
            title = scenario.title.replace(slots_text(before), slots_text(cluster))
            own = replace(scenario, cluster=cluster, title=title)
            self._change(f"{text} in {scenario_title(scenario)}", own, "cluster", scenario_id, changed)

    def take_what_if(self, workload: Workload, cluster: Cluster, scenario_id: int, changes: str) -> None:
        """Put a scenario on another cluster beside this one; where jobs change, change them for all instead.

        Parameters
        ----------
        workload, cluster : as they are to be
        changes : what is different, in words
        """
        state, scenario = self.document.state, self.document.scenario(scenario_id)
        if workload is state.workload:
            title = f"{scenario_title(scenario)}, {changes}"
            self.add_beside(scenario_id, replace(scenario, cluster=cluster, title=title))
            return
        scenarios = tuple(fitted(each, workload) for each in state.scenarios)
        after = replace(state, workload=workload, scenarios=scenarios)
        if cluster != state.cluster_of(scenario):
            if scenario.cluster is None:
                after = replace(after, cluster=cluster)
            else:
                own = tuple(replace(s, cluster=cluster) if s.id == scenario_id else s for s in scenarios)
                after = replace(after, scenarios=own)
        self.commit(f"What if: {changes}", after)

    def reset_scenario_cluster(self, scenario_id: int) -> None:
        """Let a scenario run on the document's cluster again."""
        scenario = self.document.scenario(scenario_id)
        text = f"Use the common cluster in {scenario_title(scenario)}"
        self._change(text, replace(scenario, cluster=None))

    def _cluster(self, scenario_id: int | None) -> Cluster:
        state = self.document.state
        return state.cluster if scenario_id is None else state.cluster_of(state.scenario(scenario_id))


def _cluster_text(cluster: Cluster, changed: tuple[str, ...]) -> str:
    if len(changed) != 1:
        return "Change the cluster"
    value = getattr(cluster, changed[0])
    if changed[0] == "overheads":
        return "Leave overheads out" if value is None else f"Set overheads: {overheads_sentence(value)}"
    if changed[0] == "slot_times":
        return "Change slots that come and go" if value else "Leave slots that come and go out"
    if changed[0] == "contention":
        return f"Set contention to {contention_text(value)}" if value else "Leave contention out"
    if changed[0] == "events":
        return f"Set {events_words(value)}" if value else "Leave events on nodes out"
    if changed[0] == "killed_copies":
        return f"Set {killed_copies_words(value)}" if value else "Kill no copies"
    if changed[0] == "reduce_load":
        return f"Count a reduce as {value:g} maps"
    if changed[0] == "nodes":
        value = nodes_text(value)
    elif isinstance(value, Request):
        value = request_text(value)
    return f"Set {changed[0].replace('_', ' ')} to {value}"
