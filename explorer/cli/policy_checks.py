"""`slotscope test-policy`: checks of one policy, with the smallest workload that shows what is found."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.policy_checks.evidence import DEFAULT_RUNS, MAX_RUNS
from explorer.cli.requests import add_command, add_json, add_parameter, parameters_of, run_policy_file
from explorer.cli.screen import percent, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.schedule import PolicyChoice
    from core.policy_checks.evidence import CheckResult, PolicyReport
    from core.policy_checks.scoreboard import Scoreboard
    from explorer.cli.requests import Commands

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
FOUND = 3
"""The exit code where a check has found something: neither a failure of ours nor bad input."""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "check a policy: whether it fails, starves jobs, leaves slots idle, depends on names …"
    parser = add_command(commands, "test-policy", text, run)
    parser.add_argument(
        "policy", metavar="F.py|NAME", help="a policy of your own, whose code is run, or one of Slotscope's"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=DEFAULT_RUNS,
        metavar="N",
        help=f"random workloads, and as many without ties (default {DEFAULT_RUNS}; fewer if it searches)",
    )
    text = "same seed, same workloads and the same report (default 1)"
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=text)
    parser.add_argument("--checks", metavar="ID,ID,...", default="", help="only these checks")
    add_parameter(parser)
    parser.add_argument(
        "--scoreboard",
        action="store_true",
        help="compare it with every policy of Slotscope on every sample as well (half a minute)",
    )
    parser.add_argument(
        "--study",
        metavar="NAME",
        help="compare it on the workloads of a study: a document, or one of 'study list'",
    )
    parser.add_argument("--csv", metavar="F", help="write the scoreboard to a CSV file")
    parser.add_argument(
        "--out",
        dest="folder",
        metavar="DIR",
        help="write what is found there: a session that opens where it shows, and its workload",
    )
    add_json(parser)


def run(options: Namespace) -> int:
    """Check a policy; exit 3 where something was found."""
    from core.model.schedule import PolicyChoice
    from core.policies.registry import describe
    from core.policies.user_files.source import is_policy_file
    from core.policy_checks.evidence import CHECK_IDS
    from core.policy_checks.policy_report import policy_report
    from core.policy_checks.smallest_documents import write_smallest

    if not 1 <= options.runs <= MAX_RUNS:
        raise InputError(f"--runs is {options.runs}; give a whole number from 1 to {MAX_RUNS}")
    if options.seed < 0:
        raise InputError(f"--seed is {options.seed}; give a whole number from 0 on")
    is_file = is_policy_file(options.policy)
    policy = run_policy_file(options.policy) if is_file else describe(options.policy).id
    choice = PolicyChoice(policy, parameters_of(options.parameters))
    checks = tuple(name.strip() for name in options.checks.split(",") if name.strip()) or CHECK_IDS
    with progress(f"Checking {policy}") as show:
        report = policy_report(choice, runs=options.runs, seed=options.seed, checks=checks, progress=show)
    written = () if options.folder is None else write_smallest(report, Path(options.folder))
    if not options.json:
        _print_report(report)
        for path in written:
            if path.suffix == ".slotscope":
                print_line(f"To look at it: slotscope {path}")
    board = _scored(options, choice)
    if options.json:
        rows = {} if board is None else {"scoreboard": [asdict(row) for row in board.rows]}
        files = {"files": [str(path) for path in written]}
        print_json({"version": VERSION} | report.to_json() | files | rows)
    return FOUND if report.found else 0


def _scored(options: Namespace, choice: PolicyChoice) -> Scoreboard | None:
    """Compare the policy with all others, if that is wanted; print the table and write it."""
    if not (options.scoreboard or options.study or options.csv):
        return None
    from core.policy_checks.scoreboard import sample_workloads, scoreboard, study_workloads
    from core.study.study_document import find_study

    workloads = study_workloads(find_study(options.study)) if options.study else sample_workloads()
    with progress(f"Comparing {choice.id} on {len(workloads)} workloads") as show:
        board = scoreboard(choice, workloads, progress=show)
    if options.csv is not None:
        import pandas as pd

        from core.files.schedule_file import write_csv

        write_csv(pd.DataFrame(board.rows), Path(options.csv))
    if not options.json:
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
    rows = [(each.check.title, each.verdict.value, _told(each)) for each in report.results]
    print_table(head, ("check", "verdict", "what was seen"), rows)


def _told(result: CheckResult) -> str:
    evidence = result.evidence
    if evidence is None:
        return result.sentence
    return " ".join((result.sentence, *evidence.why, evidence.size_text))
