"""`slotscope verify`: check a certificate or a front by code that shares nothing with what made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.objectives import OBJECTIVES
from core.model.time_text import exact_duration
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, argument, option
from explorer.cli.requests import columns_option, json_option, open_named_workload
from explorer.cli.screen import print_json, print_line, print_table

if TYPE_CHECKING:
    from core.verify.certificate import Certificate
    from core.verify.front_file import FrontFile

REFUSED = 2
"""The exit code, as of other input that is wrong."""


class VerifyCommand(Command, name="verify"):
    """Check a certificate or a front: schedules task by task, and bounds, by code that did not make them."""

    file: str = argument(
        "F.json",
        "a certificate or a front, gzipped or not, as 'slotscope optimize' writes it",
    )
    workload: str | None = option(
        "W",
        "the workload that it has to be of: its jobs are compared, and its plans run by the simulator, "
        "on the workload's cluster or one that is given",
        name="--of",
    )
    columns: str = columns_option()
    cluster: ClusterOptions
    json: bool = json_option()

    def run(self) -> int:
        """Print what was checked, or every reason why it is refused."""
        from core.verify.front_file import FrontFile, read_proof

        proof = read_proof(self.file)
        problems = proof.verdict.problems or self._problems_of_source(proof)
        if self.json:
            figures = _front_figures(proof) if isinstance(proof, FrontFile) else proof.verdict._asdict()
            print_json({"confirmed": not problems} | figures | {"problems": problems})
            return REFUSED if problems else 0
        if problems:
            reasons = "\n".join(f"- {each}" for each in problems)
            raise InputError(f"{self.file} proves nothing:\n{reasons}")
        if isinstance(proof, FrontFile):
            _print_front(proof, self.file)
        else:
            title = f"Certificate of {proof.document.get('workload', self.file)}"
            print_table(title, ("checked", "found"), proof.rows(exact_duration))
        if self.workload is not None:
            print_line(f"Its jobs are those of {self.workload}, and the simulator runs its plans as it says")
        return 0

    def _problems_of_source(self, proof: Certificate | FrontFile) -> tuple[str, ...]:
        """Return in what it is of other jobs or another cluster than those that are given."""
        if self.workload is None:
            return ()
        from core.simulation.proofs_of_source import problems_of_source

        workload = open_named_workload(self.workload, self.columns)
        return problems_of_source(proof.document, workload, self.cluster.changed(workload.cluster))


def _front_figures(front: FrontFile) -> dict[str, object]:
    """Return what `verify --json` prints of a front."""
    points = [
        {"values": values, "value": found.value, "bound": found.bound}
        for values, found in zip(front.verdict.values, front.verdict.points, strict=True)
    ]
    return {"goals": front.document.get("goals"), "points": points}


def _print_front(front: FrontFile, file: str) -> None:
    from explorer.optimize.result_words import value_text

    goals = front.document["goals"]
    rows = front.rows(lambda goal, value: value_text(value, OBJECTIVES[goal].unit))
    title = f"Front of {front.document.get('workload', file)}"
    print_table(title, (">point", *(f">{goal}" for goal in goals), ">above its bound"), rows)
    found = front.verdict.points[0]
    tasks = f"{found.tasks} tasks of {found.jobs} jobs, each on its slot at its times"
    print_line(
        f"Confirmed {front.document['premise']}: every schedule ({tasks}), every value and every bound"
    )
