"""The public module works on a server: nothing of Qt is imported, and nothing of the window."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import DATA, ROOT

EVERYTHING = """
import sys
from importlib.abc import MetaPathFinder

QT = ("PySide6", "shiboken6", "pyqtgraph", "explorer")


class NoQt(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in QT:
            raise ImportError(f"{name} was imported: libGL.so.1: cannot open shared object file")


sys.meta_path.insert(0, NoQt())
import slotscope

at_once = sorted({"pandas", "numba", "scipy", "pyarrow"} & set(sys.modules))
workload = slotscope.generate("yahoo", jobs=3)
schedule = slotscope.simulate(slotscope.open("five-jobs"), "johnson")
schedule.tasks, schedule.jobs, schedule.slots, schedule.metrics, schedule.notes, schedule._repr_html_()
assert slotscope.compare(workload, ["fifo", "fair"])._repr_html_().startswith("<iframe")
slotscope.optimize("five-jobs", steps=10).schedule
slotscope.fewest("five-jobs", 60, steps=10)
slotscope.fidelity(sys.argv[1]).sentences
document = {"format": "slotscope-study", "version": 1, "measures": ["makespan"]}
document |= {"base": {"workload": {"sample": "five-jobs"}}, "name": "One"}
slotscope.study(document)
environment = slotscope.Environment("five-jobs", reward="response")
environment.reset(seed=1)
environment.step(0)
environment.rollout([0, 0, 0, 0, 0, 1, 0, 0])
print(schedule.makespan, at_once, [name for name in sys.modules if name.partition(".")[0] in QT])
"""


def test_nothing_of_qt_is_imported() -> None:
    command = [sys.executable, "-c", EVERYTHING, str(DATA / "jobtracker-0.20.log")]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == "47.0 [] []\n"
