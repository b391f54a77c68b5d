"""Steps that edit scenarios: which there are, their policies, and their orders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.explain.fork import fork_of
from core.model.document_state import Scenario
from core.model.errors import InputError, UnknownName
from core.model.execution_history import RECORDED
from explorer.document import job_orders
from explorer.document.commands import (
    AddScenario,
    ChoosePolicy,
    MoveScenario,
    RemoveScenario,
    SetBaseline,
    SetByHand,
    SetParameter,
    SetTitle,
)
from explorer.document.policy_choices import checked_choice, with_parameter
from explorer.document.titles import describe_move, policy_title, scenario_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.partition import Partition
    from core.model.schedule import PolicyChoice
    from explorer.document.commands import ByHand
    from explorer.document.document import Document


def add_scenario(document: Document, choice: PolicyChoice, place: int | None) -> AddScenario:
    """Add a scenario with this policy, at the end unless a place is given."""
    scenario = Scenario(document.state.next_id, checked_choice(choice))
    place = len(document.scenarios) if place is None else place
    return AddScenario(document, f"Add {scenario_title(scenario)}", scenario, place)


def duplicate_scenario(document: Document, scenario_id: int) -> AddScenario:
    """Put a copy of a scenario behind it."""
    scenario = document.scenario(scenario_id)
    copy = replace(scenario, id=document.state.next_id)
    place = document.place_of(scenario_id) + 1
    return AddScenario(document, f"Duplicate {scenario_title(scenario)}", copy, place)


def fork_scenario(
    document: Document, scenario_id: int, seconds: float, decisions: int, choice: PolicyChoice
) -> AddScenario:
    """Put a scenario behind another one that is the same up to an instant and then follows another policy."""
    first = document.scenario(scenario_id)
    fork = fork_of(first, seconds, decisions)
    scenario = Scenario(document.state.next_id, checked_choice(choice), cluster=first.cluster, fork=fork)
    place = document.place_of(scenario_id) + 1
    return AddScenario(document, f"Continue {scenario_title(scenario)}", scenario, place)


def remove_scenario(document: Document, scenario_id: int) -> RemoveScenario:
    """Remove a scenario."""
    scenario = document.scenario(scenario_id)
    return RemoveScenario(document, f"Remove {scenario_title(scenario)}", scenario)


def move_scenario(document: Document, scenario_id: int, place: int) -> MoveScenario:
    """Show a scenario at another place, from 0; places beyond the ends mean the ends."""
    text = f"Move {scenario_title(document.scenario(scenario_id))}"
    place = min(max(place, 0), len(document.scenarios) - 1)
    return MoveScenario(document, text, scenario_id, document.place_of(scenario_id), place)


def make_baseline(document: Document, scenario_id: int) -> SetBaseline:
    """Compare the others with this scenario."""
    text = f"Compare with {scenario_title(document.scenario(scenario_id))}"
    return SetBaseline(document, text, document.baseline, scenario_id)


def rename_scenario(document: Document, scenario_id: int, title: str) -> SetTitle:
    """Call a scenario something; an empty title brings the policy's back."""
    scenario = document.scenario(scenario_id)
    new = scenario_title(replace(scenario, title=title.strip()))
    text = f"Rename {scenario_title(scenario)} to {new}"
    return SetTitle(document, text, scenario_id, scenario.title, title.strip())


def choose_policy(document: Document, scenario_id: int, choice: PolicyChoice) -> ChoosePolicy:
    """Give a scenario a policy; an order or pools made by hand end with the old one."""
    scenario = document.scenario(scenario_id)
    text = f"Use {policy_title(choice.id)} instead of {scenario_title(scenario)}"
    before = (scenario.choice, scenario.order, scenario.partition)
    return ChoosePolicy(document, text, scenario_id, before, (checked_choice(choice), None, None))


def set_parameter(
    document: Document, scenario_id: int, name: str, value: object, gesture: int
) -> SetParameter:
    """Set one parameter of a scenario's policy.

    An order or pools made by hand are kept, unless the parameter is an order: then the newer one holds.
    """
    scenario = document.scenario(scenario_id)
    choice = with_parameter(scenario.choice, name, value)
    is_order = name == job_orders.ORDER_PARAMETER
    order, partition = (None, None) if is_order else (scenario.order, scenario.partition)
    shown = choice.parameters.get(name, value)
    text = f"Set {name.replace('_', ' ')} of {policy_title(choice.id)} to {shown}"
    return SetParameter(document, text, scenario, (choice, order, partition), (name, gesture))


def move_job(
    document: Document, scenario_id: int, name: str, place: int, shown: Sequence[str] | None
) -> SetByHand:
    """Move one job to a place (0 is first) in the order that people see."""
    if name not in document.workload.job_index:
        raise UnknownName("job", name, document.workload.job_index)
    check_editable(document, scenario_id)
    before = _order_before(document, scenario_id, shown)
    return _set_order(document, scenario_id, before, job_orders.moved(before, name, place), name)


def drop_order(
    document: Document,
    scenario_id: int,
    names: Sequence[str],
    shown: Sequence[str] | None,
    moved: str | None,
) -> SetByHand:
    """Commit the order that a drag has made."""
    check_editable(document, scenario_id)
    after = job_orders.check_order(names, document.workload)
    return _set_order(document, scenario_id, _order_before(document, scenario_id, shown), after, moved)


def reset_order(document: Document, scenario_id: int) -> SetByHand:
    """Go back to what the policy does, from an order or pools made by hand."""
    scenario = document.scenario(scenario_id)
    what = "order" if scenario.partition is None else "schedule"
    text = f"Back to {policy_title(scenario.choice.id)}'s own {what}"
    return SetByHand(document, text, scenario_id, _by_hand(scenario), (None, None))


def set_partition(document: Document, scenario_id: int, partition: Partition, text: str) -> SetByHand:
    """Give a scenario pools made by hand; `text` says what was done to them."""
    check_editable(document, scenario_id)
    scenario = document.scenario(scenario_id)
    text = f"{text} in {scenario_title(scenario)}"
    return SetByHand(document, text, scenario_id, _by_hand(scenario), (None, partition))


def check_editable(document: Document, scenario_id: int) -> None:
    """Raise InputError for a scenario that shows what a log recorded: that cannot be changed any more."""
    scenario = document.scenario(scenario_id)
    if scenario.choice.id == RECORDED:
        raise InputError(
            f"{scenario_title(scenario)} shows what really ran, which cannot be changed any more; "
            "change a simulated scenario instead"
        )


def _by_hand(scenario: Scenario) -> ByHand:
    return scenario.order, scenario.partition


def _order_before(document: Document, scenario_id: int, shown: Sequence[str] | None) -> tuple[str, ...]:
    order = document.scenario(scenario_id).order
    if order is not None:
        return order
    if shown is None:
        return job_orders.input_order(document.workload)
    return job_orders.check_order(shown, document.workload)


def _set_order(
    document: Document, scenario_id: int, before: tuple[str, ...], after: tuple[str, ...], name: str | None
) -> SetByHand:
    scenario = document.scenario(scenario_id)
    text = f"{describe_move(before, after, name)} in {scenario_title(scenario)}"
    # dropped where it was: a computed order stays computed
    new = _by_hand(scenario) if after == before else (after, None)
    return SetByHand(document, text, scenario_id, _by_hand(scenario), new)
