"""`slotscope verify`: check a certificate with the checker that shares no code with what made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import exact_duration
from explorer.cli.requests import add_command, add_json
from explorer.cli.screen import print_json, print_table

if TYPE_CHECKING:
    from argparse import Namespace

    from core.verify.certificate import Certificate
    from explorer.cli.requests import Commands

REFUSED = 2
"""The exit code, as of other input that is wrong."""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "check a certificate: its schedule task by task, and its bound, by code that did not make them"
    parser = add_command(commands, "verify", text, run)
    text = "a certificate, gzipped or not, as 'slotscope optimize --certificate' writes it"
    parser.add_argument("file", metavar="F.json", help=text)
    add_json(parser)


def run(options: Namespace) -> int:
    """Print what was checked, or every reason why it is refused."""
    from core.verify.certificate import read_certificate

    certificate = read_certificate(options.file)
    if options.json:
        print_json(_verdict_json(certificate))
        return 0 if certificate.is_confirmed else REFUSED
    if not certificate.is_confirmed:
        reasons = "\n".join(f"- {each}" for each in certificate.verdict.problems)
        raise InputError(f"{options.file} proves nothing:\n{reasons}")
    title = f"Certificate of {certificate.document.get('workload', options.file)}"
    print_table(title, ("checked", "found"), certificate.rows(exact_duration))
    return 0


def _verdict_json(certificate: Certificate) -> dict[str, Any]:
    verdict = certificate.verdict
    return {"confirmed": certificate.is_confirmed} | verdict._asdict()
