"""What fits better comes first, and what does not fit does not come."""

from __future__ import annotations

import pytest

from explorer.widgets.fuzzy_match import marks, ranked, score

NAMES = ["Zoom in", "Zoom to job", "Johnson's order", "Add job", "Undo", "Fair", "J1", "J12", "Unfair share"]


def found(typed: str) -> list[str]:
    return ranked(typed, NAMES, lambda name: (name, ""))


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("", NAMES),
        ("  ", NAMES),
        ("fair", ["Fair", "Unfair share"]),
        ("J1", ["J1", "J12"]),
        ("job", ["Add job", "Zoom to job"]),
        ("zoom job", ["Zoom to job"]),
        ("job zoom", ["Zoom to job"]),
        ("zj", ["Zoom to job"]),
        ("jhn", ["Johnson's order"]),
        ("xyz", []),
        ("zq", []),
    ],
)
def test_what_fits_best_comes_first(typed: str, names: list[str]) -> None:
    assert found(typed) == names


def test_the_whole_name_beats_its_beginning_a_word_a_part_letters_and_what_is_beside() -> None:
    points = [
        score("fit", "Fit"),
        score("fit", "Fit all"),
        score("fit", "To fit"),
        score("fit", "Outfit"),
        score("fit", "Fake it"),
        score("fit", "Zoom", "to fit the window"),
    ]
    worth = [each for each in points if each is not None]
    assert len(worth) == len(set(worth)) == len(points)
    assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize(
    ("typed", "name", "letters"),
    [
        ("job", "Zoom to job", "job"),
        ("zj", "Zoom to job", "Zj"),
        ("o", "Zoom to job", "o"),
        ("zoom j", "Zoom to job", "Zoomj"),
        ("q", "Zoom to job", ""),
    ],
)
def test_the_letters_that_were_typed_are_marked(typed: str, name: str, letters: str) -> None:
    assert "".join(name[place] for place in sorted(marks(typed, name))) == letters
