"""What policy files print reaches standard error as text, and not without end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.printed import LEFT_OUT, MAX_PRINTED_BYTES, OutputPipe
from core.policies.user_files.source import read_policy_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLICY = "from core.policies.policy import Policy\nclass Mine(Policy):\n    pass\n"


@pytest.fixture
def pipe() -> Iterator[tuple[OutputPipe, int]]:
    """What reads, and the descriptor that a process would write to."""
    reads, writes = os.pipe()
    printed = OutputPipe(reads)
    yield printed, writes
    printed.close()


def test_nothing_tells_a_terminal_what_to_do(
    pipe: tuple[OutputPipe, int], capsys: pytest.CaptureFixture[str]
) -> None:
    printed, writes = pipe
    os.write(writes, b"\x1b]0;x\x07\r\tone\n\xff \xc3")
    printed.pass_on()
    os.write(writes, "é\u202e".encode()[1:])  # a letter may come in two parts
    printed.pass_on()
    assert capsys.readouterr().err == "\\x1b]0;x\\x07\\r\tone\n\\xff é\\u202e"


def test_the_beginning_is_shown_and_all_of_it_read(
    pipe: tuple[OutputPipe, int], capsys: pytest.CaptureFixture[str]
) -> None:
    printed, writes = pipe
    for _ in range(5):
        os.write(writes, b"x" * (MAX_PRINTED_BYTES // 2))
        printed.pass_on()
    said = capsys.readouterr().err
    assert said == f"{'x' * MAX_PRINTED_BYTES}\n{LEFT_OUT}\n"
    printed.begin()
    os.write(writes, b"of another call")
    os.close(writes)
    printed.pass_on()
    assert capsys.readouterr().err == "of another call"
    assert not printed.is_open


def test_a_file_that_prints_much_is_not_held_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither by a pipe that nobody reads, nor does it write to the terminal by itself."""
    path = tmp_path / "mine.py"
    path.write_text(f"import os\nprint('\\x1b[1m')\nos.write(2, b'b\\n')\nprint('x' * 3_000_000)\n{POLICY}")
    assert load_apart(read_policy_file(path)).title == "Mine"
    said = capsys.readouterr().err
    assert said.startswith("\\x1b[1m\nb\nxxx")
    assert said.endswith(f"\n{LEFT_OUT}\n")
    assert len(said) < MAX_PRINTED_BYTES + 200


def test_a_file_that_closes_its_output_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"import os\nos.close(1)\nos.close(2)\n{POLICY}")
    assert load_apart(read_policy_file(path)).title == "Mine"
