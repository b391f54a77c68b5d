"""Policies of one's own: classes run here, files only where they are trusted, and both decide alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotscope
from core.engine import jit
from core.policies.composing import kernel
from core.policies.orders import Johnson

if TYPE_CHECKING:
    from pathlib import Path

    from core.engine.jit import Kernel

PUSH = 1


class LargestFirst(slotscope.Policy):
    """The job with the most maps left goes first."""

    def key(job: Any, kind: Any) -> Any:
        return kind, job.started[0] - job.tasks[0]


class Pushed(slotscope.Policy):
    """A number of the program decides."""

    def key(job: Any, kind: Any) -> Any:
        return PUSH * job.rank


FILE = '''
from slotscope import Policy


class LargestFirst(Policy):
    """The job with the most maps left goes first."""

    def key(job, kind):
        return kind, job.started[0] - job.tasks[0]
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "largest.py"
    path.write_text(FILE)
    return path


def test_a_class_and_a_file_that_is_trusted_decide_alike(file: Path) -> None:
    workload = slotscope.generate("facebook", seed=2, jobs=12)
    here, apart = slotscope.simulate(workload, LargestFirst), slotscope.simulate(workload, file, trust=True)
    assert (here.policy, apart.policy) == ("largest-first", "largest-first")
    assert np.array_equal(here.start, apart.start)
    assert not np.array_equal(here.start, slotscope.simulate(workload, "fifo").start)


def test_a_file_that_nobody_trusts_is_not_run(tmp_path: Path) -> None:
    path, left = tmp_path / "mine.py", tmp_path / "left"
    path.write_text(f"from pathlib import Path\nPath({str(left)!r}).touch()\n{FILE}")
    for call in (slotscope.simulate, lambda *given: slotscope.compare(given[0], [given[1]])):
        with pytest.raises(slotscope.InputError, match=r"if you trust what it does.*give trust=True"):
            call("five-jobs", path)
    assert not left.exists()


def test_a_class_of_slotscope_is_that_policy() -> None:
    assert slotscope.simulate("five-jobs", Johnson).makespan == 47
    assert slotscope.simulate("five-jobs", Johnson).policy == "johnson"


@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
def test_a_class_reads_its_program_as_it_is_now(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    """Two classes of the same text, made one after the other as a cell of a notebook is run again."""
    monkeypatch.setattr("core.simulation.engine_selection.use_compiled", lambda *_a, **_b: compiled)

    def made(sign: int) -> type[slotscope.Policy]:
        class Closed(slotscope.Policy):
            def key(job: Any, kind: Any) -> Any:
                return sign * job.rank

        return Closed

    assert [slotscope.simulate("five-jobs", made(sign)).makespan for sign in (1, -1)] == [74, 51]
    beside = slotscope.compare("five-jobs", [made(1), made(-1)])
    assert beside.table["makespan"].tolist() == [74, 51]
    assert beside.titles == ["closed", "closed (2)"]


@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
def test_a_number_of_the_program_may_change_between_two_runs(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    monkeypatch.setattr("core.simulation.engine_selection.use_compiled", lambda *_a, **_b: compiled)
    ends = []
    for push in (1, -1, 1):
        monkeypatch.setitem(globals(), "PUSH", push)
        run = slotscope.simulate("five-jobs", Pushed)
        assert run.notes == ()
        ends.append(run.makespan)
    assert ends == [74, 51, 74]


def test_compiled_code_of_a_class_is_not_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bool] = []
    real = jit.compiled

    def seen(*given: Any, **named: Any) -> Kernel:
        kept.append(bool(named.get("kept", True)))
        return real(*given, **named)

    monkeypatch.setattr(jit, "compiled", seen)
    kernel.compiled_kernel(Pushed)
    assert True not in kept


def test_mistakes_in_a_class_are_sentences() -> None:
    class Wrong(slotscope.Policy):
        def key(job: Any, kind: Any) -> Any:
            return job.weights

    class Misspelt(slotscope.Policy):
        def kye(job: Any, kind: Any) -> Any:
            return 0

    class Paced(slotscope.Policy):
        parameters = (slotscope.Parameter("pace", "float", 1.0, "Of a type that there is not"),)  # type: ignore[arg-type]

    class Fifo(slotscope.Policy):
        """Takes the name of one of ours."""

    for policy, sentence in (
        (Wrong, "there is no job.weights: did you mean job.weight?"),
        (Misspelt, "policy misspelt has no hook 'kye'; did you mean 'key'?"),
        (Paced, "parameter pace has the type 'float'; give one of integer, number, boolean, choice, text"),
        (Fifo, "the id 'fifo' belongs to a built-in policy; give the class another name"),
    ):
        with pytest.raises(slotscope.PolicyFault) as caught:
            slotscope.simulate("five-jobs", policy)
        assert sentence in str(caught.value)


def test_a_class_without_a_text_is_refused() -> None:
    names: dict[str, object] = {"slotscope": slotscope, "__name__": "nowhere"}
    exec("class Typed(slotscope.Policy):\n    def key(job, kind): return job.rank", names)
    typed: Any = names["Typed"]
    with pytest.raises(slotscope.InputError, match="the text of key cannot be found"):
        slotscope.simulate("five-jobs", typed)
