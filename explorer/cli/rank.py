"""`slotscope rank`: every policy, and one of your own, on a fixed list of public workloads."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.visible_text import visible
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.requests import json_option, parameters_option, run_policy_file
from explorer.cli.screen import print_json, print_note, print_table, progress

if TYPE_CHECKING:
    from core.model.schedule import PolicyChoice
    from core.policy_checks.ranking import DecisionCosts, Ranking

COLUMNS = ("policy", ">gap", ">makespan", ">response", ">slowest", ">stretch", ">on")
NOTE = (
    "gap: of the makespan to the proved bound; all others: divided by FIFO's (mean response, response of the "
    "slowest 5 %, largest stretch), geometric means over the workloads; in brackets 95 % intervals of the "
    "mean over draws; less is better"
)
COSTS_NOTE = (
    "lines: of Python that a decision executes while 100 jobs wait, counted; µs: for each task of these "
    "jobs, interpreted, measured here and now, never the same twice; – where a search decides before the run"
)


class RankCommand(Command, name="rank"):
    """Rank all policies, and your own, on a fixed list of public workloads."""

    policy: str | None = argument(
        "F.py", "a policy of your own, whose code is run (default: Slotscope's policies alone)", nargs="?"
    )
    parameters: dict[str, str] = parameters_option("set a parameter of your policy")
    data: str | None = option(
        "FOLDER",
        "rank on published logs as well: those files of the list that this folder has, checked by SHA-256",
    )
    draws: int | None = option("N", "take the first N seeds of the list alone: faster, not the public table")
    costs: bool = flag("count and measure what a decision costs, too")
    markdown: bool = flag("print lines of Markdown: your own, to enter it, or the whole table")
    json: bool = json_option()

    def run(self) -> None:
        """Print the table."""
        from core.policy_checks.ranking import rank_drawn, rank_fetched

        own = self._own()
        folder = None if self.data is None else Path(self.data)
        if folder is not None and not folder.is_dir():
            raise InputError(
                f"--data {folder}: there is no such folder; give the one with the files of the list"
            )
        with progress("Ranking on drawn workloads") as show:
            tables = [rank_drawn(own, draws=self.draws, progress=show)]
        if folder is not None:
            with progress("Ranking on published logs") as show:
                found = rank_fetched(folder, own, progress=show)
            tables += [] if found is None else [found]
        costs = self._costs(tables[0], own) if self.costs else {}
        if self.json:
            print_json(_as_json(tables, costs))
        elif self.markdown:
            _print_markdown(tables, own)
        else:
            for table in tables:
                _print_ranking(table, own)
            if costs:
                rows = [
                    (policy, _count(cost.lines), _count(cost.microseconds)) for policy, cost in costs.items()
                ]
                print_table("What a decision costs", ("policy", ">lines", ">µs"), rows, COSTS_NOTE)
        _note_left_out(tables)

    def _own(self) -> list[PolicyChoice]:
        from core.model.schedule import PolicyChoice

        if self.policy is None:
            if self.parameters:
                raise InputError("-p sets a parameter of your own policy; give its file, too")
            return []
        return [PolicyChoice(run_policy_file(self.policy), self.parameters)]

    def _costs(self, table: Ranking, own: list[PolicyChoice]) -> dict[str, DecisionCosts]:
        """Measure what decisions cost, of every policy in the table."""
        from core.model.schedule import PolicyChoice
        from core.policy_checks.ranking import decision_costs

        choices = {choice.id: choice for choice in own}
        costs = {}
        with progress("Measuring decisions") as show:
            for i, row in enumerate(table.rows):
                costs[row.policy] = decision_costs(choices.get(row.policy, PolicyChoice(row.policy)))
                show((i + 1) / len(table.rows))
        return costs


def _print_ranking(table: Ranking, own: list[PolicyChoice]) -> None:
    from core.policy_checks.ranking_lines import figure_texts, mean_texts

    mine = {choice.id for choice in own}
    rows = []
    for row in table.rows:
        gap, _, _, slowest, stretch = mean_texts(row)
        _, makespan, response, _, _ = figure_texts(row)
        name = f"{row.policy} ◂" if row.policy in mine else row.policy
        rows.append((name, gap, makespan, response, slowest, stretch, f"{row.ran}/{len(table.workloads)}"))
    kind = f"{table.draws} draws of each" if table.draws > 1 else "each once"
    print_table(f"List {table.version} · {len(table.workloads)} workloads, {kind}", COLUMNS, rows, NOTE)
    for row in table.rows:
        if row.policy in mine and row.why_not:
            print_note(f"{row.policy} does not run on all of them: {row.why_not}")


def _count(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.0f}"


def _print_markdown(tables: list[Ranking], own: list[PolicyChoice]) -> None:
    """Print lines as they are, however wide the terminal is: they are to be copied."""
    from core.policy_checks.ranking_lines import markdown_line, markdown_table

    mine = {choice.id for choice in own}
    for table in tables:
        lines = [markdown_line(row, table) for row in table.rows if row.policy in mine]
        sys.stdout.write(visible("\n".join(lines) or markdown_table(table), "\n") + "\n")


def _as_json(tables: list[Ranking], costs: dict[str, DecisionCosts]) -> dict[str, Any]:
    return {
        "version": tables[0].version,
        "tables": [asdict(table) for table in tables],
        "decisions": {policy: asdict(cost) for policy, cost in costs.items()},
    }


def _note_left_out(tables: list[Ranking]) -> None:
    """Say which published files are not among the tables, and where they are."""
    from core.policy_checks.ranking_list import ranking_list

    there = {name for table in tables for name in table.workloads}
    out = [entry for entry in ranking_list().fetched if entry.name not in there]
    if out:
        files = "; ".join(f"{entry.file} ({entry.licence}, {entry.source})" for entry in out)
        print_note(f"left out, since --data FOLDER has no such files: {files}")
