"""A study as a page: its marks are the figure's, its numbers those of naive sums, and names stay text."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace

import pytest

from core.charts.study.figure_marks import figure_table
from core.charts.study.page_choices import offers
from core.charts.study.page_places import spread_order
from core.charts.study.picture_data import PAINTED
from core.charts.study.study_web_page import MAX_MARKS, PageLimits
from core.model.errors import InputError
from core.study.figure_data import figure_data
from core.study.figure_kinds import PICTURES
from core.study.measures import MEASURES
from core.study.study import Axis
from tests.core.charts.study.study_pages import (
    inflated,
    page_study,
    pictures_of,
    rows,
    usual_page,
    written,
)
from tests.core.files.test_schedule_page import INJECTIONS, PageReader
from tests.core.study import made_up
from tests.unpacked_page import facts_of, packed_columns, part, tasks_of


def picture(text, group, measure="", variant=""):
    """Return one picture of a page."""
    (found,) = (
        each
        for each in pictures_of(text)["pictures"]
        if (each["group"], each["measure"], each["variant"]) == (group, measure, variant)
    )
    return found


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def test_every_kind_that_the_window_offers_is_in_a_page() -> None:
    """Of a study of three axes: its figures, and each kind, of every measure."""
    kinds = {each.choice.kind for each in offers(made_up.STUDY)}
    assert kinds == set(PICTURES)
    text = written(made_up.STUDY, frame=made_up.rows(), maker=None).text
    plots = {each["plot"] for each in pictures_of(text)["pictures"]}
    assert plots == {each.plot for each in PAINTED.values()}
    lines = [each for each in offers(made_up.STUDY) if each.group == "Lines along map slots"]
    titles = [MEASURES[name].title for name in made_up.STUDY.measures]
    assert [(each.measure, each.variant) for each in lines[:3]] == [(title, "") for title in titles]
    assert {each.variant for each in lines} == {"", "slowstart 0.05", "slowstart 1"}


def test_marks_of_a_figure_are_its_numbers() -> None:
    """The lines of the page are the rows of the figure's own table, to the last bit."""
    study = page_study()
    found = picture(usual_page().text, "Makespans")
    _, table = figure_table(figure_data(study, study.figures[0], rows(study)))
    assert found["x"]["labels"] == ["2", "4", "8"]
    marks = [
        (curve["name"], float(found["x"]["labels"][found["x"]["places"].index(x)]), y, low, high)
        for curve in found["curves"]
        for x, y, low, high in zip(curve["xs"], curve["ys"], curve["low"], curve["high"], strict=True)
    ]
    assert marks == [row[:5] for row in table]
    assert [curve["counts"] for curve in found["curves"]] == [[2, 2, 2], [2, 2, 2]]


def test_numbers_are_those_of_naive_sums() -> None:
    """Means, ends and counts over seeds, added up here from the rows by hand, for every kind of numbers."""
    study = page_study()
    known = {}
    for line in rows(study).to_dict("records"):
        known.setdefault((line["nodes"], line["policy"]), []).append(line["makespan"])
    text = usual_page().text
    for group, measure in (("Makespans", ""), ("Lines along nodes", "makespan")):
        found = picture(text, group, measure)
        for place, policy in enumerate(("johnson", "johnson-reverse")):
            curve = found["curves"][place]
            for i, nodes in enumerate((2, 4, 8)):
                values = known[nodes, policy]
                assert curve["ys"][i] == pytest.approx(mean(values), rel=1e-12)
                assert (curve["low"][i], curve["high"][i]) == (min(values), max(values))
                assert curve["counts"][i] == len(values) == 2
    fields = picture(text, "Means")["fields"]
    for (row, policy), (column, nodes) in itertools.product(
        enumerate(("johnson", "johnson-reverse")), enumerate((2, 4, 8))
    ):
        assert fields[row][column][0] == pytest.approx(mean(known[nodes, policy]), rel=1e-12)
    steps = picture(text, "Distribution", "makespan")["curves"]
    for place, policy in enumerate(("johnson", "johnson-reverse")):
        values = sorted(each for (_, of), each in known.items() if of == policy for each in each)
        assert steps[place]["xs"] == values
        assert steps[place]["ys"] == [100 * (k + 1) / len(values) for k in range(len(values))]
    dots = picture(text, "Two measures", "makespan and lower bound")["dots"]
    assert sorted(dot["x"] for dot in dots) == pytest.approx(sorted(map(mean, known.values())), rel=1e-12)


def test_a_place_has_the_schedules_of_its_first_seed() -> None:
    """What a click opens ends when the row of the same cell and seed says; all policies stand beside."""
    study, text = page_study(), usual_page().text
    facts, whole = facts_of(text), pictures_of(text)
    assert len(whole["places"]) == len(facts["schedules"]) == 3
    curve = picture(text, "Makespans")["curves"][1]
    frame = rows(study)
    for i, nodes in enumerate((2, 4, 8)):
        name, own, why = whole["places"][curve["opens"][i]]
        assert (name, why) == (f"nodes {nodes}, seed 1", "")
        packed, columns = facts["schedules"][own]
        charts = inflated(packed)
        assert [run["title"] for run in charts["runs"]] == ["Johnson", "Reverse Johnson"]
        for run, tasks, policy in zip(
            charts["runs"],
            packed_columns(charts["runs"], columns),
            ("johnson", "johnson-reverse"),
            strict=True,
        ):
            there = frame[(frame["nodes"] == nodes) & (frame["policy"] == policy) & (frame["seed"] == 1)]
            assert run["makespan"] == there["makespan"].item()
            end = max(task[4] for task in tasks_of(tasks)) * charts["tick"]
            assert end == pytest.approx(run["makespan"], abs=charts["tick"])


def test_marks_lie_at_their_places_and_open_them() -> None:
    """The place that a mark opens lies where the mark does, and where the picture holds an axis."""
    text = written(made_up.STUDY, frame=made_up.rows(), maker=None).text
    whole = pictures_of(text)
    for each in whole["pictures"]:
        for curve in each.get("curves", ()):
            for at, opens in zip(curve["at"], curve["opens"], strict=True):
                assert (opens >= 0) == bool(at)
                if at and at[0] >= 0:
                    assert f"map slots {(16, 32, 64)[at[0]]}" in whole["places"][opens][0]
    held = picture(text, "Lines along map slots", "makespan", "slowstart 1")
    assert {whole["places"][opens][0] for curve in held["curves"] for opens in curve["opens"]} == {
        f"map slots {slots}, slowstart 1, seed 1" for slots in (16, 32, 64)
    }


def test_schedules_end_where_the_page_is_large_enough() -> None:
    """Of three places some have schedules, the others none; the file is as small as asked."""
    bare = written(limits=PageLimits(places=0))
    assert bare.with_schedules == 0
    assert [place[1] for place in pictures_of(bare.text)["places"]] == [-1, -1, -1]
    assert written(limits=PageLimits(places=2)).with_schedules == 2
    every = usual_page()
    assert (every.places, every.with_schedules) == (3, 3)
    room = (len(bare.text) + len(every.text)) / 2e6
    some = written(limits=PageLimits(megabytes=room))
    assert 0 < some.with_schedules < 3
    assert len(some.text) <= room * 1e6


def test_places_that_have_schedules_are_spread_evenly() -> None:
    """The first eight of sixty-four lie eight apart; every place comes once."""
    order = spread_order(64)
    assert sorted(order) == list(range(64))
    assert sorted(order[:8]) == list(range(0, 64, 8))
    assert spread_order(0) == []
    assert spread_order(1) == [0]


def test_places_of_the_first_picture_have_schedules_before_others() -> None:
    """Lines along the slots are means over the slowstart; their three places come before the other three."""
    page = written(made_up.STUDY, PageLimits(places=4), frame=made_up.rows())
    places = pictures_of(page.text)["places"]
    assert [own >= 0 for _, own, _ in places[:3]] == [True] * 3
    assert (page.with_schedules, page.places) == (4, 6)


def test_a_page_says_that_there_was_no_room_for_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(page_study(), figures=())
    every = written(few, maker=None)
    monkeypatch.setattr("core.charts.study.study_web_page.MAX_MARKS", 20)
    some = written(few, maker=None)
    assert not every.has_more
    assert some.has_more
    assert some.pictures < every.pictures
    marks = sum(len(curve["xs"]) for each in pictures_of(some.text)["pictures"] for curve in each["curves"])
    assert marks <= 20 < MAX_MARKS
    assert facts_of(some.text)["hasMore"]


def test_the_same_study_gives_the_same_bytes() -> None:
    assert written().text == usual_page().text


@pytest.mark.parametrize("name", INJECTIONS)
def test_names_of_a_study_are_text_wherever_they_stand(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, description and axes: the page has the same elements, whatever they are."""
    monkeypatch.setattr("core.charts.study.study_web_page.MAX_PICTURES", 12)

    def reader(text):
        found = PageReader()
        found.feed(text)
        return found

    def named(word):
        study = made_up.STUDY
        slots, *others = study.axes
        axes = (replace(slots, name=word, unit=word), *others)
        own = replace(study, name=word, description=word, axes=axes, source=word)
        return written(own, frame=made_up.rows().rename(columns={"map slots": word}), maker=None).text

    text = named(name)
    plain, own = reader(named("slots")), reader(text)
    assert own.open == []
    assert own.seen == plain.seen
    assert "<script>alert" not in text
    assert "onerror=alert(1)>" not in text
    if name.isprintable():
        assert facts_of(text)["axes"][0]["name"] == name


def test_a_page_says_how_to_repeat_it() -> None:
    """The document in it is the study's, and its seeds and program stand in the table."""
    from html import unescape

    from core.study.study_document import study_from_json

    text = usual_page().text
    document = unescape(text[text.index('<pre id="document">') :].split(">", 1)[1].split("</pre>")[0])
    assert study_from_json(json.loads(document), "page") == page_study()
    for words in ("1 to 2, written to workload.seed", "Slotscope 0", "12 of 12, of which 0 failed"):
        assert words in text


def test_where_no_script_runs_the_answers_and_numbers_are_there() -> None:
    text = usual_page().text
    plain = text[text.index("<noscript>") : text.index("</noscript>")]
    assert "Johnson is best" in plain
    assert "<h2>Makespans</h2>" in plain
    assert "data:" not in part(text, "facts")


def test_a_study_without_results_has_no_page() -> None:
    frame = rows(page_study())
    failed = frame.assign(error="no room")
    with pytest.raises(InputError, match="no run of the study has given a result"):
        written(frame=failed, maker=None)


def test_cells_that_cannot_be_drawn_say_why() -> None:
    """Cells of the fluid model have no tasks."""
    base = (*page_study().base, ("simulation.model", "fluid"))
    study = replace(page_study(), base=base)
    text = written(study, frame=rows(page_study())).text
    assert facts_of(text)["schedules"] == []
    assert all("no tasks to draw" in why for _, _, why in pictures_of(text)["places"])


def test_axes_of_many_points_are_not_listed_whole() -> None:
    study = page_study()
    many = Axis("nodes", ("cluster.map_slots",), tuple(range(1, 401)))
    wide = replace(study, axes=(many, study.axes[1]))
    text = written(wide, frame=rows(page_study()), maker=None).text
    assert len(facts_of(text)["axes"][0]["labels"]) == 200
