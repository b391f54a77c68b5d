"""What commands print of a Spark application speaks of its stages and tasks, never of maps and reduces."""

from __future__ import annotations

import pytest

from tests.explorer.cli.test_command_line import error_of, output_of
from tests.explorer.shown_texts import OF_MAP_REDUCE
from tests.paths import DATA, TRACES

LOGS = [
    DATA / "spark.log",
    *sorted((TRACES / "spark-truth").glob("sql-N4.*")),
    *(TRACES / "sparklens").glob("local*"),
]

COMMANDS = (
    ("simulate",),
    ("compare", "--policies", "fifo,fair,critical,sjf"),
    ("explain",),
    ("optimize", "--steps", "5"),
    ("fewest", "--until", "3600", "--steps", "5"),
    ("halve", "--steps", "5"),
    ("plan", "--by", "1h"),
    ("sensitivity",),
    ("what-if",),
    ("fidelity",),
    ("predict", "--slots", "8"),
    ("executors",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_of_a_log_of_spark(capsys, log, command):
    name, *options = command
    if (log.name, name) == ("spark.log", "fewest"):  # whose executors come and go
        text = error_of(capsys, name, str(log), *options)
        assert "the fewest slots is not modelled for slots that come and go" in text
    else:
        text = output_of(capsys, name, str(log), *options)
    assert [line for line in text.splitlines() if OF_MAP_REDUCE.search(line)] == []


def test_there_is_nothing_to_split_where_slots_run_every_stage(capsys):
    sentence = error_of(capsys, "split", "spark-application", "--total", "8")
    assert "the slots of Spark application run tasks of every stage" in sentence
