"""`slotscope verify`: check a certificate with the checker that shares no code with what made it."""

from __future__ import annotations

from core.model.errors import InputError
from core.model.time_text import exact_duration
from explorer.cli.command import Command, argument
from explorer.cli.requests import json_option
from explorer.cli.screen import print_json, print_table

REFUSED = 2
"""The exit code, as of other input that is wrong."""


class VerifyCommand(Command, name="verify"):
    """Check a certificate: its schedule task by task, and its bound, by code that did not make them."""

    file: str = argument(
        "F.json", "a certificate, gzipped or not, as 'slotscope optimize --certificate' writes it"
    )
    json: bool = json_option()

    def run(self) -> int:
        """Print what was checked, or every reason why it is refused."""
        from core.verify.certificate import read_certificate

        certificate = read_certificate(self.file)
        if self.json:
            print_json({"confirmed": certificate.is_confirmed} | certificate.verdict._asdict())
            return 0 if certificate.is_confirmed else REFUSED
        if not certificate.is_confirmed:
            reasons = "\n".join(f"- {each}" for each in certificate.verdict.problems)
            raise InputError(f"{self.file} proves nothing:\n{reasons}")
        title = f"Certificate of {certificate.document.get('workload', self.file)}"
        print_table(title, ("checked", "found"), certificate.rows(exact_duration))
        return 0
