"""`slotscope plan` and `sensitivity`: what they print, and what they refuse."""

from __future__ import annotations

import pytest

from tests.explorer.cli.test_command_line import error_of, json_of, output_of, words_of

FIVE = ("plan", "five-jobs", "--policy", "johnson")


def test_fewest_slots_of_a_policy(capsys):
    answer = json_of(capsys, *FIVE, "--by", "50")
    assert (answer["enough"], answer["too_few"], answer["complete"], answer["failed"]) == (30, 29, True, [])
    assert answer["ends"] == [47]
    assert (answer["cluster"]["map_slots"], answer["cluster"]["reduce_slots"]) == (30, 30)
    text = words_of(capsys, *FIVE, "--by", "0:50", "--vary", "map")
    assert text == (
        "Five jobs under Johnson. It ends by 0:50 with 30 map slots, at 0:47; with fewer no schedule can "
        "(without lending slots)."
    )


def test_as_sure_as_is_asked(capsys):
    given = (*FIVE, "--by", "1:20", "--error", "0.3", "--seeds", "5", "--confidence", "0.8")
    answer = json_of(capsys, *given)
    assert answer["draws"] == {
        "count": 5,
        "confidence": 0.8,
        "needed": 4,
        "error": 0.3,
        "redraw": False,
        "first_seed": 1,
    }
    assert len(answer["ends"]) == 5
    assert answer["in_time"] >= 4
    assert sum(end <= 80 for end in answer["ends"]) == answer["in_time"]
    text = output_of(capsys, *given)
    assert f"in {answer['in_time']} of 5 draws" in text
    assert "5 draws: durations ±30 %, seeds 1 to 5; the earliest end " in text


def test_best_split(capsys):
    answer = json_of(capsys, *FIVE, "--total", "60", "--by", "40")
    assert (answer["map_slots"], answer["reduce_slots"], answer["end"]) == (30, 30, 47)
    assert answer["complete"]
    assert not answer["ends_in_time"]
    assert "60 slots are enough to end by 0:47." in output_of(capsys, *FIVE, "--total", "60", "--by", "47")


def test_sensitivity(capsys):
    answer = json_of(capsys, "sensitivity", "five-jobs", "--policy", "johnson")
    assert answer["makespan"] == 47
    sizes = [swing["swing"] for swing in answer["swings"]]
    assert sizes == sorted(sizes, reverse=True)
    maps = next(swing for swing in answer["swings"] if swing["parameter"] == "durations of maps")
    assert maps["changes"][1]["value"] == "110 %"
    assert maps["changes"][1]["makespan"] == pytest.approx(51.3)  # 47 s, of which 43 s are waves of maps
    text = output_of(capsys, "sensitivity", "five-jobs", "--policy", "johnson")
    assert "durations of maps" in text
    assert "Without effect: " in text


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "say by when all is to end with --by 6h"),
        (("--by", "soon"), "--by: 'soon' is no time; type one such as 5:33:20"),
        (("--by", "60", "--seeds", "4"), "4 seeds would draw nothing"),
        (("--by", "60", "--redraw"), "cannot be drawn again"),
        (("--by", "60", "--vary", "racks"), "unknown number to vary 'racks'"),
        (("--total", "9", "--vary", "both"), "--total asks how to split so many slots"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(capsys, options, reason):
    assert reason in error_of(capsys, *FIVE, *options)
