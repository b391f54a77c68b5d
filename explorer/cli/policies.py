"""`slotscope policies` and `slotscope samples`: lists of what there is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from explorer.cli.requests import add_command, add_json
from explorer.cli.screen import picked, print_json, print_table

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.parameters import Parameter
    from explorer.cli.requests import Commands


def add_parser(commands: Commands) -> None:
    """Add both commands."""
    text = "list the policies with their parameters, or print the beginning of your own"
    parser = add_command(commands, "policies", text, run_policies)
    parser.add_argument(
        "--template",
        metavar="NAME",
        nargs="?",
        const="",
        help="print a commented policy file, to be saved and edited: --template smallest-first > mine.py",
    )
    add_json(parser)
    add_json(
        add_command(
            commands,
            "samples",
            "list the worked examples: what to look for, and with which policies they open",
            run_samples,
        )
    )


def run_policies(options: Namespace) -> int:
    """List the policies, or print the template of a policy file."""
    from core.policies.registry import policies as known
    from core.policies.user_files.policy_file import DEFAULT_NAME, policy_template

    if options.template is not None:
        sys.stdout.write(policy_template(options.template or DEFAULT_NAME))
        return 0
    if options.json:
        print_json([policy.to_json() for policy in known()])
        return 0
    rows = [(p.id, p.title, p.summary, "\n".join(map(_parameter, p.parameters))) for p in known()]
    print_table("Policies", ("id", "title", "what it does", "parameters"), rows)
    return 0


def _parameter(parameter: Parameter) -> str:
    unit = f" {parameter.unit}" if parameter.unit else ""
    kind = f"one of {', '.join(parameter.choices)};" if parameter.choices else f"{parameter.type},"
    return f"{parameter.name} ({kind} default {parameter.default!r}{unit})"


def run_samples(options: Namespace) -> int:
    """List the worked examples."""
    from core.files.samples import samples as known

    if options.json:
        print_json([picked(sample, "name title look description jobs scenarios") for sample in known()])
        return 0
    rows = [
        (s.name, s.jobs, ", ".join(scenario["policy"] for scenario in s.scenarios), s.look) for s in known()
    ]
    print_table("Samples", ("name", ">jobs", "opens with", "what to look for"), rows)
    return 0
