"""Policy files that misbehave in their process: each gives a sentence, and everybody else goes on."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.explain.decisions import decision_reason, policy_rule, standing_sentences
from core.explain.instant import instant_of
from core.explain.replay import Replay
from core.files.resources import resource_path
from core.files.samples import load_sample
from core.model.errors import Cancelled, PolicyError
from core.model.schedule import PolicyChoice, Schedule
from core.policies.own_policies import register_policy
from core.policies.registry import describe
from core.policies.user_files import policy_process
from core.policies.user_files.policy_file import load_policy_file
from core.policies.user_files.policy_messages import CONTROL_BYTES, control_file
from core.policies.user_files.policy_process import PROCESSES, load_apart
from core.policies.user_files.sandbox import landlock_version
from core.policies.user_files.source import read_policy_file
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from tests import random_tests

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import ctypes, itertools, os, re, sys, time\nimport numpy as np\n" + (
    "from core.policies.policy import Policy\n"
)
GOOD = HEAD + "class Mine(Policy):\n    def key(job): return -job.rank\n"
IN_PLAN = HEAD + "class Mine(Policy):\n    def plan():\n        {}\n"
AT_TOP = HEAD + "{}\nclass Mine(Policy):\n    pass\n"
IN_KEY = HEAD + "class Mine(Policy):\n    def key(job):\n        {}\n        return 1\n"
FIVE = load_sample("five-jobs")
SILENT = "the policy did not answer for 1 s and was stopped; see that its functions come to an end"
CRASHED = "the policy crashed (segmentation fault)"
ENDED = "the policy ended its process (exit code 3); let its functions return"
REPLACED = "the policy replaced numpy.lexsort: a policy may not change what others use; give your own "
LACKED = "policy mine: plan needed more memory than a policy may have"
BAD = [
    (IN_KEY, "ctypes.string_at(0)", CRASHED, 6),
    (AT_TOP, "np.lexsort = lambda keys: np.arange(len(keys[0]))[::-1]", REPLACED, 4),
    (IN_PLAN, "sum(itertools.count())", SILENT, 6),
    (IN_PLAN, "os._exit(3)", ENDED, 6),
    (
        IN_KEY,
        "raise MemoryError",
        "policy mine needed more memory than a policy may have at 0:00: looking",
        6,
    ),
    (IN_KEY, "raise KeyboardInterrupt", "the policy raised KeyboardInterrupt", 6),
    (IN_PLAN, "np.ones(2_500_000_000)", LACKED + ": Unable to allocate 18.6 GiB", 6),
]
SLOW = [
    (AT_TOP, "raise KeyboardInterrupt", "the policy raised KeyboardInterrupt", 4),
    (AT_TOP, "sum(itertools.count())", SILENT, 4),
    (AT_TOP, "os._exit(3)", ENDED, 4),
    (AT_TOP, "ctypes.string_at(0)", CRASHED, 4),
    (AT_TOP, "sys.exit(2)", "SystemExit: 2", 4),
    (IN_PLAN, "re.match('(a+)+b', 'a' * 60)", SILENT, 6),
    (IN_PLAN, "time.sleep(600)", SILENT, 6),
    (IN_PLAN, "bytearray(20_000_000_000)", LACKED, 6),
    (IN_PLAN, "setattr(np, 'lexsort', np.argsort)", REPLACED, 6),
    (IN_PLAN, "Policy.order = 'deadline'", "the policy replaced core.policies.policy.Policy.order: ", 6),
    (IN_PLAN, "os.kill(os.getpid(), 9)", "the policy was killed by the system, most likely for want of", 0),
    (IN_PLAN, "os.closerange(3, 99)", "the policy ", 0),
    (IN_PLAN, "os.fork()", "", 0),
]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A policy file, known under the id "mine" when it has been used."""
    return tmp_path / "mine.py"


def used(path: Path, text: str = GOOD) -> Schedule:
    path.write_text(text, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(path)))
    return simulate(FIVE, FIVE.cluster, PolicyChoice("mine"))


def test_each_misbehaviour_is_a_sentence_and_others_go_on(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_process, "LOADING_SECONDS", 1.0)
    monkeypatch.setattr(policy_process, "RUNNING_SECONDS", 1.0)
    lexsort = np.lexsort
    for form, line, sentence, number in BAD + (SLOW if random_tests.is_thorough else []):
        if sentence:
            with pytest.raises(PolicyError) as caught:
                used(mine, form.format(line))
            place = caught.value.place
            assert caught.value.sentence.startswith(sentence)
            assert place is not None
            assert (place.path, place.line) == (str(mine), number), line
        assert simulate(FIVE, FIVE.cluster, PolicyChoice("fifo")).makespan == 74
    assert np.lexsort is lexsort
    assert used(mine).makespan == 51


BLINDED = (
    HEAD
    + """
from core.simulation.policy_failures import _left_out_error
_left_out_error.__code__ = (lambda policy, workload, state: None).__code__
class Mine(Policy):
    def key(job, cluster):
        exec("cluster.waiting[1] = cluster.active = 0", {"cluster": cluster})
        return job.rank
"""
)


def test_a_schedule_is_looked_at_where_no_policy_file_lives(mine: Path) -> None:
    """A file can blind the check in its own process."""
    with pytest.raises(PolicyError, match="the policy ended with tasks that did not run once each; it may"):
        used(mine, BLINDED)
    PROCESSES.close()


def test_what_comes_back_is_what_would_be_computed_here(mine: Path) -> None:
    path = resource_path("policies", "pool_turns.py")
    register_policy("here", load_policy_file(path))
    register_policy("mine", load_apart(read_policy_file(path)))
    here, apart = (simulate(FIVE, FIVE.cluster, PolicyChoice(name)) for name in ("here", "mine"))
    assert apart.workload is FIVE
    assert not apart.start.flags.writeable
    for name in ("slot", "sequence", "start", "end", "finish", "rank"):
        assert np.array_equal(getattr(here, name), getattr(apart, name))
    told = [describe(name) for name in ("here", "mine")]
    assert [told[0].title, told[0].summary, told[0].parameters, told[0].plans] == [
        told[1].title, told[1].summary, told[1].parameters, told[1].plans,
    ]  # fmt: skip
    forks = [simulate_fork(FIVE, FIVE.cluster, PolicyChoice("fifo"), fork_of(s, 10.0)) for s in (here, apart)]
    for one, other in ((here, apart), tuple(forks)):
        runs = [Replay(schedule).before_start(30) for schedule in (one, other)]
        reasons = [decision_reason(run) for run in runs]
        assert reasons[0] is not None
        assert reasons[1] is not None
        assert reasons[0].sentences == reasons[1].sentences
        assert [c.standing for c in reasons[0].candidates] == [c.standing for c in reasons[1].candidates]
        assert policy_rule(runs[0]) == policy_rule(runs[1])
        assert instant_of(runs[0]).free == instant_of(runs[1]).free
        at = [Replay(schedule).at(5.0) for schedule in (one, other)]
        assert standing_sentences(at[0], 3) == standing_sentences(at[1], 3)


def test_who_stops_does_not_wait_for_one_that_does_not(mine: Path, capfd: pytest.CaptureFixture[str]) -> None:
    PROCESSES.close()  # the new one has the descriptors of this test
    stop = threading.Event()
    text = IN_PLAN.format("print('it runs', flush=True); time.sleep(600)")
    mine.write_text(text, encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(mine)))

    def should_stop() -> bool:
        if "it runs" in capfd.readouterr().err:
            stop.set()
        return stop.is_set()

    with pytest.raises(Cancelled):
        simulate(FIVE, FIVE.cluster, PolicyChoice("mine"), should_stop=should_stop)
    assert used(mine).makespan == 51  # in another process, while that one sleeps
    PROCESSES.close()


def test_what_it_prints_is_no_output_of_ours(mine: Path, capfd: pytest.CaptureFixture[str]) -> None:
    PROCESSES.close()  # the new one has the descriptors of this test
    used(mine, HEAD + "print('hello')\n" + GOOD)
    assert capfd.readouterr() == ("", "hello\n")
    PROCESSES.close()


def test_nothing_of_the_file_runs_here(mine: Path) -> None:
    used(mine, HEAD + "sys.seen = True\n" + GOOD)
    assert not hasattr(sys, "seen")


MEDDLES = (
    "    def key(job):\n        import gc\n"
    "        from core.policies.user_files.policy_messages import Messages\n"
    "        [talk] = [each for each in gc.get_objects() if isinstance(each, Messages)]\n        {}\n"
    "        return 1\n"
)
MEDDLED = "the policy meddled with the process that it runs in"
RUNS_IN_WINDOW = (
    "p = b'\\x80\\x04cnumpy.testing._private.utils\\nrunstring\\n'; os.pwrite(talk._file, p, 0); "
    "talk._writes.send_bytes(b'%d' % len(p))"
)


@pytest.mark.parametrize(
    "meddling",
    [
        "talk._writes.send_bytes(b'%d' % (3 << 30))",
        "talk._writes.send_bytes(b'-5 7')",
        "talk._writes.send_bytes(b'x' * (1 << 25))",
        RUNS_IN_WINDOW,
    ],
)
def test_what_is_no_answer_is_not_believed(tmp_path, meddling):
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "class Mine(Policy):\n" + MEDDLES.format(meddling))
    register_policy(str(path), load_apart(read_policy_file(path)))
    with pytest.raises(PolicyError, match=MEDDLED):
        simulate(FIVE, FIVE.cluster, PolicyChoice(str(path)))


def test_memory_that_is_mapped_cannot_be_cut():
    file = control_file()
    with pytest.raises(PermissionError):
        os.ftruncate(file, 0)
    with pytest.raises(PermissionError):
        os.ftruncate(file, 2 * CONTROL_BYTES)
    os.close(file)


def test_memory_that_is_cut_is_no_crash(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "class Mine(Policy):\n" + MEDDLES.format("os.ftruncate(talk._file, 0)"))
    register_policy(str(path), load_apart(read_policy_file(path)))
    assert simulate(FIVE, FIVE.cluster, PolicyChoice(str(path))).is_whole


CONFINED = pytest.mark.skipif(landlock_version() == 0, reason="this system cannot confine a process")
REACHES = {
    "a file elsewhere": "open('/etc/passwd').read()",
    "the home folder": "os.listdir(os.path.expanduser('~'))",
    "its own folder, to write": "open(__file__ + '.new', 'w')",
    "compiled code of the window": "open(os.path.join(os.environ['NUMBA_CACHE_DIR'], '..', 'x'), 'w')",
    "another program": "__import__('subprocess').Popen(['sleep', '77'])",
    "a copy of itself": "os.fork()",
    "the window": "os.kill(os.getppid(), 0)",
    "the network": "__import__('socket').create_connection(('127.0.0.1', 9), 1)",
}


@CONFINED
@pytest.mark.parametrize("reach", REACHES.values(), ids=REACHES)
def test_a_policy_file_is_confined(mine: Path, reach: str) -> None:
    mine.write_text(IN_PLAN.format(reach), encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(mine)))
    with pytest.raises(PolicyError, match=r"PermissionError"):
        simulate(FIVE, FIVE.cluster, PolicyChoice("mine"))


@CONFINED
def test_a_policy_file_reads_what_lies_beside_it(mine: Path) -> None:
    (mine.parent / "numbers.txt").write_text("3\n", encoding="utf-8")
    reads = "assert open(os.path.join(os.path.dirname(__file__), 'numbers.txt')).read() == '3\\n'"
    assert used(mine, IN_PLAN.format(reads)).is_whole


def test_a_process_that_is_stopped_is_noticed(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_process, "STOPPED_SECONDS", 0.2)
    mine.write_text(IN_PLAN.format("import signal; os.kill(os.getpid(), signal.SIGSTOP)"), encoding="utf-8")
    register_policy("mine", load_apart(read_policy_file(mine)))
    with pytest.raises(PolicyError, match="was stopped by a signal and did not go on"):
        simulate(FIVE, FIVE.cluster, PolicyChoice("mine"))
