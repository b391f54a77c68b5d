"""`slotscope test-policy`: checks of one policy, with the smallest workload that shows what is found."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.time_text import percent
from core.policy_checks.evidence import DEFAULT_RUNS, MAX_RUNS
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.requests import ids_in, json_option, parameters_option, run_policy_file
from explorer.cli.screen import print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from core.model.schedule import PolicyChoice
    from core.policy_checks.evidence import CheckResult, PolicyReport
    from core.policy_checks.scoreboard import Scoreboard

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
FOUND = 3
"""The exit code where a check has found something: neither a failure of ours nor bad input."""


class CheckPolicyCommand(Command, name="test-policy"):
    """Check a policy: whether it fails, starves jobs, leaves slots idle, depends on names …."""

    policy: str = argument("F.py|NAME", "a policy of your own, whose code is run, or one of Slotscope's")
    runs: int = option(
        "N",
        f"random workloads, and as many without ties (default {DEFAULT_RUNS}; fewer if it searches)",
        default=DEFAULT_RUNS,
    )
    seed: int = option("N", "same seed, same workloads and the same report (default 1)", default=1)
    checks: list[str] = option("ID,ID,...", "only these checks", default="", read=ids_in)
    parameters: dict[str, str] = parameters_option()
    scoreboard: bool = flag(
        "compare it with every policy of Slotscope on every sample as well (ten seconds or so)"
    )
    study: str | None = option(
        "NAME", "compare it on the workloads of a study: a document, or one of 'study list'"
    )
    csv: str | None = option("F", "write the scoreboard to a CSV file")
    folder: str | None = option(
        "DIR",
        "write what is found there: a session that opens where it shows, and its workload",
        name="--out",
    )
    json: bool = json_option()

    def run(self) -> int:
        """Check a policy; exit 3 where something was found."""
        from core.model.schedule import PolicyChoice
        from core.policies.registry import describe
        from core.policies.user_files.source import is_policy_file
        from core.policy_checks.evidence import CHECK_IDS
        from core.policy_checks.policy_report import policy_report
        from core.policy_checks.smallest_documents import write_smallest

        if not 1 <= self.runs <= MAX_RUNS:
            raise InputError(f"--runs is {self.runs}; give a whole number from 1 to {MAX_RUNS}")
        if self.seed < 0:
            raise InputError(f"--seed is {self.seed}; give a whole number from 0 on")
        is_file = is_policy_file(self.policy)
        policy = run_policy_file(self.policy) if is_file else describe(self.policy).id
        choice = PolicyChoice(policy, self.parameters)
        checks = tuple(self.checks) or CHECK_IDS
        with progress(f"Checking {policy}") as show:
            report = policy_report(choice, runs=self.runs, seed=self.seed, checks=checks, progress=show)
        written = () if self.folder is None else write_smallest(report, Path(self.folder))
        if not self.json:
            _print_report(report)
            for path in written:
                if path.suffix == ".slotscope":
                    print_line(f"To look at it: slotscope {path}")
        board = self._scored(choice)
        if self.json:
            rows = {} if board is None else {"scoreboard": [asdict(row) for row in board.rows]}
            files = {"files": [str(path) for path in written]}
            print_json({"version": VERSION} | report.to_json() | files | rows)
        return FOUND if report.found else 0

    def _scored(self, choice: PolicyChoice) -> Scoreboard | None:
        """Compare the policy with all others, if that is wanted; print the table and write it."""
        if not (self.scoreboard or self.study or self.csv):
            return None
        from core.policy_checks.scoreboard import sample_workloads, scoreboard, study_workloads
        from core.study.study_document import find_study

        workloads = study_workloads(find_study(self.study)) if self.study else sample_workloads()
        with progress(f"Comparing {choice.id} on {len(workloads)} workloads") as show:
            board = scoreboard(choice, workloads, progress=show)
        if self.csv is not None:
            import pandas as pd

            from core.files.schedule_file import write_csv

            write_csv(pd.DataFrame(board.rows), Path(self.csv))
        if not self.json:
            _print_scoreboard(board)
        return board


def _print_scoreboard(board: Scoreboard) -> None:
    columns = ("policy", ">place", ">makespan", ">response", ">gap", "best on", "worst on")
    rows = [
        (
            f"{row.policy} ◂" if row.policy == board.choice.id else row.policy,
            f"{row.rank:.1f}",
            f"× {row.makespan:.2f}",
            f"× {row.response:.2f}",
            percent(row.gap),
            row.best,
            row.worst,
        )
        for row in board.rows
    ]
    note = "mean place by makespan; makespan and mean response: times the best; gap to the lower bound; means"
    print_table(f"{board.choice.id} on {len(board.workloads)} workloads", columns, rows, note)


def _print_report(report: PolicyReport) -> None:
    head = f"{report.choice.id} · {report.runs} random workloads, seed {report.seed}"
    rows = [(each.check.title, each.verdict.value, _result_text(each)) for each in report.results]
    print_table(head, ("check", "verdict", "what was seen"), rows)


def _result_text(result: CheckResult) -> str:
    evidence = result.evidence
    if evidence is None:
        return result.sentence
    return " ".join((result.sentence, *evidence.why, evidence.size_text))
