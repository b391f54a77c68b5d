"""A search that finds what a test says, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from time import sleep


@dataclass(frozen=True)
class Scripted:
    """What a search has found by now, as the panel reads it."""

    best: float
    bound: float
    proved: bool = False
    evaluations: int = 0
    plan: object = None
    start: float = 60.0
    how: str = "due dates"
    spread: tuple[float, ...] = ()
    doing: str = ""


class ScriptedSearch:
    """Finds one thing after the other; then it is done, or goes on until it is stopped or out of time."""

    def __init__(self, *findings: Scripted, is_endless: bool = False) -> None:
        self.findings, self.is_endless = findings, is_endless

    def __call__(self, on_found, should_stop):
        for found in self.findings:
            on_found(found)
        while self.is_endless and not should_stop():
            sleep(0.001)
        return self.findings[-1]
