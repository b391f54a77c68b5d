"""`slotscope plan` and `sensitivity`: how much a policy needs to end in time, and what moves its end most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.errors import InputError
from core.model.time_text import change_text, exact_clock, makespan_text
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, flag, option
from explorer.cli.requests import Source, json_option, named_policy, parameters_option, time_option
from explorer.cli.screen import picked, print_json, print_line, print_note, print_table, progress
from explorer.cli.searching import living_line, until_interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.study.capacity import PolicySplit, SlotsNeeded
    from core.study.draws import Draws
    from core.study.sensitivity import Sensitivity, Swing

DEFAULT_DRAWS = 20
SLOTS = "map_slots reduce_slots"
VARIED = {"map": "maps", "reduce": "reduces", "slots": "total", "container": "containers", "node": "nodes"}
"""Other words for what is varied."""


DRAWS = "count confidence needed error redraw first_seed"
FEWEST = (
    "varied until enough too_few untried failed larger_that_fail ends in_time complete=is_proved "
    "premise=premise.words"
)
SPLIT = "tried others_bound complete=is_proved premise=premise.words"


class PolicyRun(NamedTuple):
    """What is run: a policy on a workload."""

    workload: Workload
    cluster: Cluster
    scenario: Scenario

    @property
    def title(self) -> str:
        """Which policy is run on what."""
        from core.policies.registry import describe

        return f"{self.workload.name} under {describe(self.scenario.choice.id).title}"


class AboutPolicy(Command):
    """What both commands take."""

    source: Source
    policy: str | None = option(
        "ID",
        "a policy, or file:F.py, a file of your own whose code is run (default: that of a log's "
        "configuration, else fifo)",
        read=named_policy,
    )
    parameters: dict[str, str] = parameters_option("set a parameter of the policy")
    cluster: ClusterOptions
    json: bool = json_option()

    def policy_run(self) -> PolicyRun:
        """Return what is run; InputError if the options do not fit."""
        from core.model.document_state import Scenario
        from core.model.schedule import PolicyChoice
        from core.policies.registry import describe
        from core.policies.spark import policy_of_log

        if self.policy is not None:
            describe(self.policy)
        opened = self.source.opened()
        workload = opened.workload
        scenario = Scenario(1, PolicyChoice(self.policy or policy_of_log(opened.scheduler), self.parameters))
        return PolicyRun(workload, self.cluster.changed(workload.cluster), scenario)


class PlanCommand(AboutPolicy, name="plan"):
    """The fewest slots, or nodes, with which a policy ends by a time, as sure as is asked; the best split."""

    by: float | None = time_option("--by", "the time by which all jobs are to end: 6h, 5:33:20, 20000")
    vary: str | None = option(
        "WHAT",
        "maps, reduces, both (as many of each), total (any split of them), containers or nodes; by default "
        "what the cluster has",
    )
    total: int | None = option("N", "instead: the best split of so many slots")
    error: float = option("F", "jobs take longer or shorter: 0.3 for ±30 %%", default=0.0)
    redraw: bool = flag("draw the jobs of a generator anew as well")
    seeds: int | None = option("N", f"how many draws of that (default {DEFAULT_DRAWS}), seeds 1 to N")
    confidence: float = option("C", "the part of them that is to end in time", default=0.95)

    def run(self) -> None:
        """Print the fewest slots that end by a time, or the best split of so many."""
        from core.study.draws import Draws

        if self.by is None and self.total is None:
            raise InputError(
                "say by when all is to end with --by 6h, or how many slots are to be split with --total"
            )
        if self.total is not None and self.vary is not None:
            raise InputError("--total asks how to split so many slots, --vary how few there may be; give one")
        usual = DEFAULT_DRAWS if self.redraw or self.error else 1
        count = usual if self.seeds is None else self.seeds
        draws = Draws(count, self.confidence, self.error, self.redraw)
        policy_run, until = self.policy_run(), math.inf if self.by is None else self.by
        answer, record = self._answer(policy_run, draws, until)
        if self.json:
            policy = {"policy": policy_run.scenario.choice.id}
            print_json(policy | record | {"draws": picked(draws, DRAWS)})
            return
        print_line(f"{policy_run.title}. {answer.premise.sentence_of(answer.sentence)}")
        if self.total is not None and self.by is not None:
            enough = "are enough" if record["ends_in_time"] else "are not enough"
            print_line(f"{self.total} slots {enough} to end by {exact_clock(until)}.")
        if draws.varies and answer.ends:
            ends = [exact_clock(end) for end in answer.ends]
            print_line(f"{draws.sentence}; the earliest end {ends[0]}, the latest {ends[-1]}.")

    def _answer(
        self, policy_run: PolicyRun, draws: Draws, until: float
    ) -> tuple[SlotsNeeded | PolicySplit, dict[str, Any]]:
        """Return what is answered, and as JSON what the two questions do not have in common."""
        from core.files.workload_writing import cluster_to_json
        from core.optimize.cluster_sizes import usual_varied
        from core.study.capacity import best_policy_split, capacity

        with until_interrupted() as should_stop, living_line() as show:

            def report(known: SlotsNeeded | PolicySplit) -> None:
                show(known.sentence)

            if self.total is not None:
                split = best_policy_split(
                    *policy_run, self.total, draws, on_known=report, should_stop=should_stop
                )
                slots = picked(split.best, SLOTS) if split.best else dict.fromkeys(SLOTS.split())
                ends = picked(split, "end ends") | {"ends_in_time": split.end <= until}
                return split, slots | ends | picked(split, SPLIT)
            varied: Any = VARIED.get(self.vary or "", self.vary) or usual_varied(policy_run.cluster)
            found = capacity(*policy_run, until, varied, draws, on_known=report, should_stop=should_stop)
            cluster = None if found.cluster is None else cluster_to_json(found.cluster)
            return found, picked(found, FEWEST) | {"cluster": cluster}


class SwingOfEachCommand(AboutPolicy, name="sensitivity"):
    """What moves the end most: every parameter a tenth down and up, one simulation each."""

    def run(self) -> None:
        """Print how far the end swings with each parameter."""
        from core.study.sensitivity import sensitivity

        policy_run = self.policy_run()
        with progress("Simulating each change") as show:
            answer = sensitivity(*policy_run, progress=show)
        if self.json:
            swings = [_swing_json(swing) for swing in answer.swings]
            print_json({"policy": policy_run.scenario.choice.id, "makespan": answer.base, "swings": swings})
        else:
            print_sensitivity(policy_run.title, answer)


def print_sensitivity(title: str, answer: Sensitivity) -> None:
    """Print the swings as a table, and in a line what changes nothing."""
    rows = [row for swing in answer.moving for row in _rows(swing, answer.base)]
    print_table(f"{title} · {makespan_text(answer.base)}", ("changed", "from", "to", ">end", ">change"), rows)
    still = [swing.title for swing in answer.swings if swing.size == 0]
    if still:
        print_line(f"Without effect: {', '.join(still)}.")
    for swing in answer.swings:
        for change in swing.changes:
            if change.problem:
                print_note(f"{swing.label(change)}: {change.problem}")


def _rows(swing: Swing, base: float) -> Iterator[tuple[str, ...]]:
    """Yield a row for each change that could be run; the first one names the parameter."""
    run = [(change.value, change.makespan) for change in swing.changes if change.makespan is not None]
    unit = f" {swing.unit}" if swing.unit else ""
    for place, (value, end) in enumerate(run):
        named = (swing.title, swing.value + unit) if place == 0 else ("", "")
        yield (*named, value + unit, makespan_text(end, base), change_text(base, end))


def _swing_json(swing: Swing) -> dict[str, Any]:
    changes = [picked(each, "value makespan") | {"problem": each.problem or None} for each in swing.changes]
    return picked(swing, "parameter=title unit value swing=size") | {"changes": changes}
