"""A stand-in for the simulator whose runs end when the test says so."""

from __future__ import annotations

import threading

import pytest

from core.model.errors import Cancelled
from explorer.simulation import outcome
from explorer.simulation.runner import Runner


class GatedCompute:
    """Computes as the real one does, but holds back while `gate` is closed."""

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()
        self.requests = []
        self.cancelled = []
        self.engines = []
        self.error = None

    def __call__(self, request, engine, progress, should_stop):
        self.requests.append(request)
        self.engines.append(engine)
        progress(0.25)
        while not self.gate.wait(0.002):
            if should_stop():
                self.cancelled.append(request)
                raise Cancelled("stopped")
        if self.error is not None:
            raise self.error
        return outcome.compute(request, "interpreted", progress, should_stop)

    def orders(self):
        return [request.order for request in self.requests]


@pytest.fixture
def gated():
    return GatedCompute()


@pytest.fixture
def runner(document, gated, qtbot):
    runner = Runner(document, gated)
    yield runner
    gated.gate.set()
    runner.shutdown()
