"""`slotscope policies` and `slotscope samples`: lists of what there is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from explorer.cli.command import Command, option
from explorer.cli.requests import json_option
from explorer.cli.screen import picked, print_json, print_table

if TYPE_CHECKING:
    from core.model.parameters import Parameter


class PoliciesCommand(Command, name="policies"):
    """List the policies with their parameters, or print the beginning of your own."""

    template: str | None = option(
        "NAME",
        "print a commented policy file, to be saved and edited: --template smallest-first > mine.py",
        nargs="?",
        const="",
    )
    json: bool = json_option()

    def run(self) -> None:
        """List the policies, or print the template of a policy file."""
        from core.policies.registry import policies
        from core.policies.user_files.policy_file import DEFAULT_NAME, policy_template

        if self.template is not None:
            sys.stdout.write(policy_template(self.template or DEFAULT_NAME))
        elif self.json:
            print_json([policy.to_json() for policy in policies()])
        else:
            rows = [(p.id, p.title, p.summary, "\n".join(map(_parameter, p.parameters))) for p in policies()]
            print_table("Policies", ("id", "title", "what it does", "parameters"), rows)


def _parameter(parameter: Parameter) -> str:
    unit = f" {parameter.unit}" if parameter.unit else ""
    kind = f"one of {', '.join(parameter.choices)};" if parameter.choices else f"{parameter.type},"
    return f"{parameter.name} ({kind} default {parameter.default!r}{unit})"


class SamplesCommand(Command, name="samples"):
    """List the worked examples: what to look for, and with which policies they open."""

    json: bool = json_option()

    def run(self) -> None:
        """List them."""
        from core.files.samples import samples

        if self.json:
            print_json([picked(sample, "name title look description jobs scenarios") for sample in samples()])
            return
        policies = [", ".join(scenario["policy"] for scenario in each.scenarios) for each in samples()]
        rows = [(each.name, each.jobs, ids, each.look) for each, ids in zip(samples(), policies, strict=True)]
        print_table("Samples", ("name", ">jobs", "opens with", "what to look for"), rows)
