"""A study's page in a real Chromium: real mouse events hover, filter and open; numbers are core's own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from core.charts.study.picture_data import PAINTED
from core.charts.study.values import value_text
from core.files.schedule_page import write_page
from core.model.time_text import duration_text
from tests.browser import MISSING, Browser, chromium
from tests.core.charts.study.study_pages import page_study, rows, usual_page, written
from tests.core.study import made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
STOOD = "performance.getEntriesByName('studied').length > 0"
OPENED = "!element('opened').hidden && (element('charts').hidden || plan && isExact() && same(view, goal))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


def opened(browser, folder, text, size=(1366, 768)):
    """Open a page in light colours."""
    write_page(text, folder / "study.html")
    browser.messages.clear()
    browser.look(*size)
    browser.call("Page.navigate", {"url": (folder / "study.html").as_uri()})
    browser.wait_for(STOOD)
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")


def pixel_of(browser, condition):
    """Return where the first mark for which a condition holds is seen."""
    return browser.evaluate(
        f"(() => {{ plotSvg.scrollIntoView({{ block: 'center', behavior: 'instant' }}); "
        f"const mark = studied.shown.find(mark => {condition}), [x, y, w, h] = studied.boxOf(mark), "
        "box = plotSvg.getBoundingClientRect(); return [box.left + x + w / 2, box.top + y + h / 2]; })()"
    )


def click(browser, selector, number=0):
    """Click an element where it is seen."""
    browser.click(
        *browser.evaluate(
            f"(() => {{ const one = document.querySelectorAll('{selector}')[{number}]; "
            "one.scrollIntoView({ block: 'center', behavior: 'instant' }); "
            "const box = one.getBoundingClientRect(); "
            "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
    )


def choose(browser, id, text):
    """Choose an entry of a chooser."""
    browser.evaluate(
        f"(() => {{ element('{id}').value = {text!r}; "
        f"element('{id}').dispatchEvent(new Event('change')); }})()"
    )
    assert browser.evaluate(f"element('{id}').value") == text


def table_of(browser):
    """Return the rows of the table that is seen, each cell as its words, and its number if it has one."""
    return browser.evaluate(
        "[...document.querySelectorAll('#numbers tbody tr')].map(row => [...row.cells].map(cell => "
        "cell.dataset.value === undefined ? cell.textContent : [cell.textContent, +cell.dataset.value]))"
    )


def tip(browser):
    return browser.evaluate("tip.hidden ? null : [...tip.children].map(each => each.textContent)")


def naive_means(frame, *axes):
    """Return mean, least, most and count of the makespans at places on axes: added up one by one."""
    found: dict[tuple, list[float]] = {}
    for line in frame.to_dict("records"):
        found.setdefault(tuple(line[axis] for axis in axes), []).append(line["makespan"])
    return {key: (sum(v) / len(v), min(v), max(v), len(v)) for key, v in found.items()}


def test_the_table_shows_what_the_rows_add_up_to(browser, tmp_path) -> None:
    """Each number that is read in the table is that of sums over the rows, written as everywhere."""
    opened(browser, tmp_path, usual_page().text)
    known = naive_means(rows(page_study()), "policy", "nodes")
    seen = table_of(browser)
    assert len(seen) == len(known) == 6
    for policy, nodes, *numbers, button in seen:
        expected = known[policy, int(nodes)]
        for (words, value), wanted in zip(numbers[:3], expected[:3], strict=True):
            assert value == pytest.approx(wanted, rel=1e-12)
            assert words == duration_text(wanted)
        assert numbers[3] == [str(expected[3]), expected[3]]
        assert button == "schedules"
    assert browser.messages == []


def test_pointing_shows_a_card_and_leaving_hides_it(browser, tmp_path) -> None:
    opened(browser, tmp_path, usual_page().text)
    browser.mouse(
        "mouseMoved", *pixel_of(browser, "mark.curve.name === 'johnson-reverse' && mark.column === 1")
    )
    mean, low, high, _ = naive_means(rows(page_study()), "policy", "nodes")["johnson-reverse", 4]
    assert tip(browser) == [
        "johnson-reverse, nodes 4",
        duration_text(mean),
        f"{duration_text(low)} to {duration_text(high)}",
        "least to most of 2 seeds",
        "Click or Enter: the schedules of nodes 4, seed 1",
    ]
    assert browser.evaluate("!!document.querySelector('#plot .ring').getAttribute('d')")
    browser.mouse("mouseMoved", 5, 5)
    assert tip(browser) is None


def test_a_click_on_the_legend_leaves_a_policy_out_and_shows_it_again(browser, tmp_path) -> None:
    """The picture, the note and the table have the other policy only; the axis fits it."""
    opened(browser, tmp_path, usual_page().text)
    top = browser.evaluate("studied.y.high")
    click(browser, "#signs button", 1)
    assert {row[0] for row in table_of(browser)} == {"johnson"}
    assert (
        browser.evaluate("document.querySelectorAll('#signs button')[1].getAttribute('aria-pressed')")
        == "false"
    )
    assert "3 of 6 marks left out" in browser.evaluate("element('note').textContent")
    assert browser.evaluate("studied.y.high") < top
    click(browser, "#signs button", 1)
    assert len(table_of(browser)) == 6


def test_values_of_an_axis_are_left_out_by_their_boxes(browser, tmp_path) -> None:
    """Without two nodes no picture has them, maps neither: their fields move together."""
    opened(browser, tmp_path, usual_page().text)
    click(browser, "#filter summary")
    click(browser, "#filter input", 0)
    assert {row[1] for row in table_of(browser)} == {"4", "8"}
    choose(browser, "group", "Means")
    assert {row[0] for row in table_of(browser)} == {"4", "8"}
    assert browser.evaluate("document.querySelectorAll('#plot rect').length") == 4
    left, right = browser.evaluate("[studied.area.left, studied.area.right]")
    first, wide = browser.evaluate("(([x, , w]) => [x, w])(studied.boxOf(studied.shown[0]))")
    assert first == pytest.approx(left)
    assert 2 * wide == pytest.approx(right - left)


def test_a_click_on_a_mark_opens_its_schedules(browser, tmp_path) -> None:
    """The chart has both policies of that place; they end when the rows of the first seed say."""
    opened(browser, tmp_path, usual_page().text)
    x, y = pixel_of(browser, "mark.column === 2")
    browser.mouse("mouseMoved", x, y)
    browser.click(x, y)
    browser.wait_for(OPENED)
    assert browser.evaluate("element('whose').textContent") == "Schedules of nodes 8, seed 1"
    frame = rows(page_study())
    first = frame[(frame["nodes"] == 8) & (frame["seed"] == 1)]
    ends = {line["policy"]: line["makespan"] for line in first.to_dict("records")}
    bars = browser.evaluate(
        "[...document.querySelectorAll('#bars button')].map(bar => "
        "[bar.querySelector('b').textContent, bar.querySelector('strong').textContent])"
    )
    assert bars == [
        ["Johnson", duration_text(ends["johnson"])],
        ["Reverse Johnson", duration_text(ends["johnson-reverse"])],
    ]
    drawn = browser.evaluate("runs.map(run => Math.max(...run.end) * facts.tick)")
    assert drawn == pytest.approx([ends["johnson"], ends["johnson-reverse"]], abs=0.01)
    pixels = "canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
    assert browser.evaluate(f"new Set({pixels}).size") > 20, "something is drawn"
    assert browser.messages == []


def test_another_place_takes_the_place_of_the_first(browser, tmp_path) -> None:
    """By a button of the table; tasks of the new schedules can be pointed at."""
    opened(browser, tmp_path, usual_page().text)
    for number, nodes in ((0, 2), (1, 4)):
        click(browser, "#numbers td button", number)
        browser.wait_for(f"element('whose').textContent.includes('nodes {nodes},') && {OPENED}")
    assert browser.evaluate("runs[0].bands.map(band => band.rows)") == [4, 4]
    browser.evaluate("element('chart').scrollIntoView({ block: 'start', behavior: 'instant' })")
    place = (
        "(() => { const lengths = Array.from(runs[0].end, (end, i) => end - runs[0].start[i]), "
        "p = placeOf(plan.panels[0], lengths.indexOf(Math.max(...lengths))), "
        "b = canvas.getBoundingClientRect(); return [b.left + p.x + 9, b.top + p.y + 2]; })()"
    )
    browser.mouse("mouseMoved", *browser.evaluate(place))
    assert browser.evaluate("!card.hidden && card.querySelector('dt').textContent") == "Task"
    assert browser.messages == []


def test_a_place_without_schedules_says_why_and_what_to_do(browser, tmp_path) -> None:
    opened(browser, tmp_path, written(maker=None).text)
    x, y = pixel_of(browser, "true")
    browser.mouse("mouseMoved", x, y)
    browser.click(x, y)
    assert browser.evaluate("element('charts').hidden")
    assert browser.evaluate("element('none').textContent") == "The page was written without schedules."
    from core.charts.study.study_web_page import PageLimits

    opened(browser, tmp_path, written(limits=PageLimits(places=1)).text)
    for column in range(3):
        x, y = pixel_of(browser, f"mark.column === {column}")
        browser.mouse("mouseMoved", x, y)
        browser.click(x, y)
        browser.wait_for(OPENED)
        if browser.evaluate("element('charts').hidden"):
            words = browser.evaluate("element('none').textContent")
            assert words.startswith("This page has the schedules of 1 of 3 places, and not of this one.")
            assert "--places" in words
            break
    else:
        pytest.fail("two of three places have none")


def test_arrow_keys_go_from_mark_to_mark_and_enter_opens(browser, tmp_path) -> None:
    """What is reached is read out; up and down change the policy."""
    opened(browser, tmp_path, usual_page().text)
    browser.evaluate("plotSvg.focus()")
    for key in ("Escape", "ArrowRight", "ArrowRight"):  # from no mark to the first, and on
        browser.key(key)
    at = browser.evaluate("[studied.pointed.curve.name, studied.pointed.column]")
    assert at == ["johnson", 1]
    assert browser.evaluate("element('said').textContent").startswith("johnson, nodes 4, ")
    browser.key("Enter")
    browser.wait_for(OPENED)
    assert browser.evaluate("element('whose').textContent") == "Schedules of nodes 4, seed 1"
    assert browser.evaluate("document.activeElement.id") == "whose"


def test_a_heading_sorts_and_sorts_back(browser, tmp_path) -> None:
    opened(browser, tmp_path, usual_page().text)
    click(browser, "#numbers th button", 2)
    values = [row[2][1] for row in table_of(browser)]
    assert values == sorted(values)
    assert (
        browser.evaluate("document.querySelectorAll('#numbers th')[2].getAttribute('aria-sort')")
        == "ascending"
    )
    click(browser, "#numbers th button", 2)
    assert [row[2][1] for row in table_of(browser)] == sorted(values, reverse=True)


def test_every_picture_is_drawn_pointed_at_and_read(browser, tmp_path) -> None:
    """Of a study of three axes: each kind of plot, light and dark, wide and narrow, without a complaint."""
    opened(browser, tmp_path, written(made_up.STUDY, frame=made_up.rows(), maker=None).text)
    plots = set()
    for size, dark in (((1366, 768), False), ((390, 844), True)):
        browser.look(*size, 1.0, dark)
        for group in browser.evaluate("[...element('group').options].map(each => each.value)"):
            choose(browser, "group", group)
            plots.add(browser.evaluate("studied.own.plot"))
            assert browser.evaluate("plotSvg.querySelectorAll('path, rect').length") > 3
            browser.mouse("mouseMoved", *pixel_of(browser, "true"))
            assert tip(browser) is not None, group
            assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), group
            assert len(table_of(browser)) == browser.evaluate("studied.all.length") > 1
    assert plots == {each.plot for each in PAINTED.values()}
    assert browser.messages == []


def test_which_is_best_is_that_of_the_rows(browser, tmp_path) -> None:
    """Of each field the policy with the least mean over the seeds, and how far the other is behind."""
    frame = made_up.rows()
    opened(browser, tmp_path, written(made_up.STUDY, frame=frame, maker=None).text)
    choose(browser, "group", "Best policy along map slots and slowstart")
    known = naive_means(frame, "map slots", "slowstart", "policy")
    names = {"FIFO": "fifo", "Johnson": "johnson"}
    for slots, slowstart, best, (words, ahead), *_ in table_of(browser):
        mine = known[int(slots), float(slowstart), names[best]][0]
        (other,) = (
            known[int(slots), float(slowstart), each][0] for each in names.values() if each != names[best]
        )
        assert mine < other
        assert ahead == pytest.approx(100 * (other - mine) / mine, rel=1e-9)
        assert words == value_text(ahead, "%")


def test_values_are_written_as_in_the_window(browser, tmp_path) -> None:
    """Numbers of any size and unit: the script's spelling is that of Python's."""
    opened(browser, tmp_path, usual_page().text)
    draws = random.Random(5)
    values = [draws.uniform(-1, 1) * 10 ** draws.uniform(-6, 9) for _ in range(400)]
    values += [0.0, 1.0, 12.6, 9999.0, 10000.0, 59.6, 3599.7, 86400.0]
    for unit in ("s", "%", "slots", ""):
        written_there = browser.evaluate(f"{values}.map(value => valueText(value, '{unit}'))")
        assert written_there == [value_text(value, unit) for value in values]


def test_paper_gets_light_colours_and_the_reader_their_own_again(browser, tmp_path) -> None:
    opened(browser, tmp_path, usual_page().text)
    browser.look(1000, 700, 1.0, True)
    browser.wait_for("isDark")
    assert browser.evaluate("isDark")
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert not browser.evaluate("isDark")
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate("isDark")
