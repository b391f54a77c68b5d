"""The plugin of pytest with which the tests judge a fault: those that call its function, the fastest first.

Without a fault a run notes for each test that passes how long it takes and which functions of the program it
calls. With a fault, tests that do not call its function cannot see it and are left out, unless compiled code
may have called it, which nothing notes. `--interpreted` has every engine run as the plain Python that it is
written in: then a fault needs no compiling.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import Phase, settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import CodeType, FrameType

HERE = f"{Path.cwd()}/"
Calls = dict[str, list[int]]
"""The first lines of the functions that are called, by module."""


class Known(NamedTuple):
    """What is known of a test without a fault: its seconds, and what it calls."""

    seconds: float
    calls: Calls


def read_known(path: Path) -> dict[str, Known]:
    """Return what a run without a fault noted, by test."""
    return {test: Known(*known) for test, known in json.loads(path.read_text()).items()}


def write_known(path: Path, known: Mapping[str, Known]) -> None:
    """Write what is known of tests, for `read_known`."""
    path.write_text(json.dumps(known))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what the command says of a run."""
    parser.addoption("--note-in", type=Path, help="file for what a run without a fault notes")
    parser.addoption("--only-tests", type=Path, help="file with the tests to run, a list in this order")
    parser.addoption("--interpreted", action="store_true", help="compile nothing")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose among notes and a judgement; no smaller example is looked for when a test fails."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("faults", settings.get_profile("ci"), phases=phases, database=None)
    settings.load_profile("faults")
    if config.getoption("--interpreted"):
        _compile_nothing()
    if config.getoption("--note-in"):
        config.pluginmanager.register(Notes(config.getoption("--note-in")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that are named, in their order; of two engines, only the interpreted one if asked."""
    if config.getoption("--interpreted"):
        items[:] = [item for item in items if "compiled" not in _parameters(item)]
    if config.getoption("--only-tests"):
        wanted = json.loads(config.getoption("--only-tests").read_text())
        places = {test: place for place, test in enumerate(wanted)}
        items[:] = sorted(
            (item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid]
        )


def _parameters(item: pytest.Item) -> list[Any]:
    call = getattr(item, "callspec", None)
    return [] if call is None else [value for value in call.params.values() if isinstance(value, str)]


def _compile_nothing() -> None:
    from core.engine import jit

    def refuse(*_args: Any, **_named: Any) -> Any:
        raise RuntimeError("nothing is compiled here")

    jit.compiled = refuse

    from core.simulation.simulate import Simulation  # takes `compiled` from there

    begin = Simulation.__init__

    def begin_interpreted(self: Simulation, *args: Any, **named: Any) -> None:
        begin(self, *args, **{**named, "engine": "interpreted"})

    setattr(Simulation, "__init__", begin_interpreted)  # noqa: B010  # mypy takes no other constructor


class Notes:
    """Note what each test that passes takes and calls."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._failed: set[str] = set()
        self._calls: dict[str, Calls] = {}
        self._seen: set[CodeType] = set()

    def _see(self, frame: FrameType, event: str, _arg: object) -> None:
        if event == "call":
            self._seen.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Look at every call while a test and what prepares it run."""
        self._seen.clear()
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            calls: defaultdict[str, list[int]] = defaultdict(list)
            for code in list(self._seen):
                if code.co_filename.startswith(HERE):
                    calls[code.co_filename.removeprefix(HERE)].append(code.co_firstlineno)
            self._calls[item.nodeid] = calls

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a part of a test: what prepares it, itself, and what tidies up."""
        self._seconds[report.nodeid] += report.duration
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the notes."""
        passed = {
            test: Known(seconds, self._calls[test])
            for test, seconds in self._seconds.items()
            if test not in self._failed
        }
        write_known(self._path, passed)
