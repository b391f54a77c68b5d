"""A lesson's page in a real Chromium: answers are given by clicks and keys, and judged as in the window."""

from __future__ import annotations

import json
import math
import random
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from core.files.schedule_page import write_page
from core.lessons.lesson_document import find_lesson, lesson_from_json
from core.lessons.questions.order import OrderQuestion
from core.lessons.questions.question import ListAnswer, NumberAnswer, OrderAnswer
from core.lessons.questions.question_types import QUESTION_TYPES
from core.model.time_text import exact_duration, percent
from explorer.lessons.lesson_web_page import web_page, web_steps
from explorer.window.lessons.lesson_handouts import circles_of
from tests.browser import MISSING, Browser, chromium
from tests.core.lessons.lesson_examples import LESSON
from tests.explorer.lessons.test_every_question_type import VIEW, question_document

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
TWO = ("why-order-matters", "johnson-and-where-he-fails")
STOOD = (
    "typeof plan !== 'undefined' && plan && isExact() && same(view, goal) && "
    "!element('ask').hidden === !!stepNow().question"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


def opened(browser, folder, lesson):
    """Open the page of a lesson in light colours; return what it has of its steps."""
    steps = web_steps(lesson)
    write_page(web_page(lesson, steps, circles_of), folder / "lesson.html")
    browser.messages.clear()
    browser.look(1366, 768)
    browser.open(folder / "lesson.html")
    browser.wait_for(STOOD)
    return steps


def text_of(browser, id):
    return browser.evaluate(f"element('{id}').textContent")


def click(browser, selector, number=0):
    """Click an element where it is seen."""
    place = (
        f"(() => {{ const one = document.querySelectorAll({json.dumps(selector)})[{number}]; "
        "one.scrollIntoView({ block: 'nearest' }); const box = one.getBoundingClientRect(); "
        "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    browser.click(*browser.evaluate(place))


def give(browser, step, answer):
    """Give an answer as a reader does, and have it checked."""
    question = step.page.read.question
    form = question.answer_form
    if isinstance(form, ListAnswer):
        values = [option.value for option in question.options(step.page.read.simulated)]
        click(browser, "#control input", values.index(answer))
    elif isinstance(form, NumberAnswer):
        browser.evaluate("document.querySelector('#control input').select()")
        for letter in f"{answer:.6f}":
            browser.key(letter)
    else:
        for place, name in enumerate(answer):  # jobs go up, one after the other, to where they belong
            own = "[...document.querySelectorAll('#control li b')].map(each => each.textContent)"
            for at in range(browser.evaluate(own).index(name), place, -1):
                click(browser, f"#control li:nth-child({at + 1}) button")
    click(browser, "#check")
    browser.wait_for("element('check').disabled === false || !element('verdict').hidden")


@pytest.mark.parametrize("name", TWO)
def test_every_question_is_answered_right_and_wrong_by_clicks(browser, tmp_path, qapp, name):
    """Twice wrong shows what happens, again and right counts; the last step has the score."""
    lesson = find_lesson(name)
    steps = opened(browser, tmp_path, lesson)
    asked = 0
    for number, step in enumerate(steps):
        assert text_of(browser, "title") == lesson.steps[number].title
        question, simulated = step.page.read.question, step.page.read.simulated
        if question is not None:
            asked += 1
            right, wrong = question.right_answer(simulated), question.wrong_answer(simulated)
            give(browser, step, wrong)
            assert "Try once more: the next answer shows what happens." in text_of(browser, "miss")
            assert browser.evaluate("element('verdict').hidden")
            give(browser, step, wrong)
            verdict = question.judge(simulated, wrong)
            shown = text_of(browser, "verdict")
            assert shown.startswith("✘ Not right: ")
            assert verdict.truth in shown
            assert all(reason in shown for reason in verdict.reasons)
            click(browser, "#again")
            browser.wait_for(f"{STOOD} && !element('form').hidden && element('verdict').hidden")
            give(browser, step, right)
            assert text_of(browser, "verdict").startswith("✔ Right.")
            is_lifted = verdict.lifts_to == math.inf or not any(each.is_veiled for each in step.page.charts)
            is_seen = f"runs.every(run => run.veil === Infinity) === {json.dumps(is_lifted)}"
            browser.wait_for(f"{is_seen} && {STOOD}")
            assert browser.evaluate(is_seen)
        if number + 1 < len(steps):
            click(browser, "#next")
            browser.wait_for(f"at === {number + 1} && {STOOD}")
    assert text_of(browser, "end") == f"✔ {asked} of {asked} questions answered rightly, 0 at the first try."
    assert browser.messages == []


@pytest.fixture(scope="module")
def every_type(qapp):
    """A lesson that asks a question of each type, and two shipped ones, with their steps."""
    veiled = [
        {"title": kind, "text": "", "view": VIEW, "veil": {"from": 0}, "question": question_document(kind)}
        for kind in QUESTION_TYPES
    ]
    return lesson_from_json(LESSON | {"steps": veiled}, "all types")


def drawn_answers(question, simulated, luck):
    """Return answers to a question, as the page has them and as core has them."""
    form = question.answer_form
    if isinstance(form, ListAnswer):
        return [(at, option.value) for at, option in enumerate(question.options(simulated))]
    if isinstance(form, NumberAnswer):
        right = question.right_answer(simulated)
        near = [right, right + question.allowed(right), right * 1.05, right * 1.0005, right + 1e-10]
        drawn = [luck.uniform(0, 3 * right) for _ in range(40)] + [
            round(luck.uniform(0, 90), 2) for _ in range(40)
        ]
        return [(each, each) for each in (*near, *drawn)]
    if isinstance(form, OrderAnswer):
        assert isinstance(question, OrderQuestion)
        names = [job.name for job in question.schedule(simulated).workload.jobs]
        orders = list(permutations(range(len(names))))
        return [
            (list(each), tuple(names[i] for i in each)) for each in luck.sample(orders, min(15, len(orders)))
        ]
    right = question.right_answer(simulated)
    return [(None, right)]


@pytest.mark.parametrize("name", ["all types", "johnson-and-where-he-fails", "sharing-a-scan"])
def test_the_page_judges_as_core_does(browser, tmp_path, every_type, name):
    """A twin: for answers of every form the verdict is core's, word by word."""
    lesson, luck = every_type if name == "all types" else find_lesson(name), random.Random(7)
    steps = opened(browser, tmp_path, lesson)
    compared = 0
    for number, step in enumerate(steps):
        question, simulated = step.page.read.question, step.page.read.simulated
        if question is None:
            continue
        for given, answer in drawn_answers(question, simulated, luck):
            found = browser.evaluate(
                f"unsealed(lesson.steps[{number}]).then(({{ judged }}) => "
                f"verdictOn(lesson.steps[{number}].question.form, judged, {json.dumps(given)}))"
            )
            verdict = question.judge(simulated, answer)
            assert (found["right"], found["near"]) == (verdict.is_right, verdict.near), (question, answer)
            assert (found["truth"], found["reasons"]) == (verdict.truth, list(verdict.reasons))
            assert (found["lifts"] or float("inf")) == verdict.lifts_to
            compared += 1
    assert compared > 20


def test_durations_and_parts_are_spelled_as_everywhere(browser, tmp_path, qapp):
    """Of numbers that lie halfway, too."""
    opened(browser, tmp_path, find_lesson("the-shuffle-that-hides"))
    luck = random.Random(3)
    times = [0.0005, 0.0015, 59.9995, 60, 3599.9996, 3600, 7325.25, 86399.9999, 1e6]
    times += [luck.uniform(0, 10 ** luck.uniform(-3, 6)) for _ in range(500)]
    assert browser.evaluate(f"{json.dumps(times)}.map(exactDuration)") == [
        exact_duration(each) for each in times
    ]
    shares = [0.0025, 0.0075, 0.0125, 0.5, 0.00049, 0.0005, 12.3456, 0.00125, 0.12375]
    shares += [luck.uniform(0, 3) for _ in range(500)]
    assert browser.evaluate(f"{json.dumps(shares)}.map(percentText)") == [percent(each) for each in shares]


def test_a_veil_in_the_page_is_the_files(browser, tmp_path, qapp):
    """A twin: what the script leaves of whole columns at a veil is what the file has before an answer."""
    steps = opened(browser, tmp_path, find_lesson("why-order-matters"))
    assert steps[0].page.charts[0].is_veiled
    columns = ("offsets", "start", "body", "end", "code", "ready", "finish")
    same = " && ".join(f"'{name}' in one && String(one.{name}) === String(two.{name})" for name in columns)
    assert browser.evaluate(
        "(async () => { const open = runs[0], step = stepNow(), "
        "[, whole] = await seenCharts(step, Infinity, null), "
        "one = runUntil(whole[0], open.veil), two = open; "
        f"return whole[0].start.length > one.start.length && {same}; }})()"
    )


def test_nothing_is_seen_under_the_veil(browser, tmp_path, qapp):
    """Right of the veil no colour of a job is drawn, and a click selects nothing."""
    opened(browser, tmp_path, find_lesson("why-order-matters"))
    inked = (
        "((from, wide) => { const tones = new Set(facts.inks.flatMap(own => own[isDark ? 1 : 0])), "
        "x = Math.round((X(runs[0].veil) + from) * ratio), p = plan.panels[0], "
        "data = pen.getImageData(x, p.plot * ratio, wide, p.height * ratio).data; let found = 0; "
        "for (let i = 0; i < data.length; i += 4) "
        "found += tones.has(data[i] << 16 | data[i + 1] << 8 | data[i + 2]); return found; })"
    )
    assert browser.evaluate(f"{inked}(-40, 30)") > 1000
    assert browser.evaluate(f"{inked}(3, 500)") == 0
    browser.messages.clear()  # it says that pixels are read, which only this test does
    x, y = browser.evaluate(
        "(() => { const b = canvas.getBoundingClientRect(); "
        "return [b.left + X(runs[0].veil) + 60, b.top + plan.panels[0].plot + 30]; })()"
    )
    browser.mouse("mouseMoved", x, y)
    browser.click(x, y)
    assert browser.evaluate("[selected, card.hidden]") == [-1, True]
    assert "what comes after 0:20 is hidden" in browser.evaluate("canvas.getAttribute('aria-label')")
    browser.evaluate("element('jobs').open = true; new Promise(done => setTimeout(done, 50))")
    cells = "[...document.querySelectorAll('#jobs td')].map(cell => cell.textContent)"
    assert browser.evaluate(cells) == ["30", "0", "0:00", "–", "0", "0", "–", "–"]
    click(browser, "#lift")
    browser.wait_for(f"runs[0].veil === Infinity && {STOOD}")
    assert browser.evaluate(cells) == ["30", "30", "0:00", "0:22", "30", "30", "0:20", "0:42"]
    assert browser.evaluate("element('veiled').hidden")
    assert browser.messages == []


def test_an_order_is_drawn_as_it_is_put_together(browser, tmp_path, qapp):
    """By hand: J1 first takes 42 s, J2 first 24 s."""
    opened(browser, tmp_path, find_lesson("why-order-matters"))
    browser.evaluate("go(3)")
    browser.wait_for(f"at === 3 && {STOOD}")
    assert browser.evaluate("runs[0].makespan") == 42
    click(browser, "#control li button", 1)
    browser.wait_for(f"runs[0].makespan === 24 && {STOOD}")
    assert browser.evaluate("runs[0].makespan") == 24
    assert text_of(browser, "said") == "J1 is number 2 of 2"
    x, y, deep = browser.evaluate(
        "(() => { const [a, b] = [...document.querySelectorAll('#control li b')]"
        ".map(each => each.getBoundingClientRect()); "
        "return [a.left + 5, a.top + 5, b.top + 5]; })()"
    )
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", x, deep, button="left")
    browser.mouse("mouseReleased", x, deep, button="left", clickCount=1)
    browser.wait_for(f"runs[0].makespan === 42 && {STOOD}")
    assert browser.evaluate("control.text()") == "J1, J2"
    assert browser.messages == []


def test_keys_walk_and_check_and_a_click_in_the_chart_answers(browser, tmp_path, qapp):
    opened(browser, tmp_path, find_lesson("why-order-matters"))
    x, y = browser.evaluate(
        "(() => { const b = canvas.getBoundingClientRect(), p = placeOf(plan.panels[0], 0); "
        "return [b.left + p.x + 9, b.top + p.y + 2]; })()"
    )
    browser.click(x, y)
    assert browser.evaluate("control.text()") == "J1"
    browser.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": "PageDown", "modifiers": 1})
    browser.wait_for(f"at === 1 && {STOOD}")
    assert browser.evaluate("document.activeElement.id") == "title"
    assert browser.evaluate("location.hash") == "#2"
    browser.evaluate("location.hash = '#3'")
    browser.wait_for(f"at === 2 && {STOOD}")
    assert text_of(browser, "place") == "Step 3 of 6"
    browser.evaluate("location.hash = '#2'")
    browser.wait_for(f"at === 1 && {STOOD}")
    browser.evaluate("document.querySelector('#control input').focus()")
    for letter in "42":
        browser.key(letter)
    browser.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Enter", "text": "\r"})
    browser.wait_for("!element('verdict').hidden")
    assert text_of(browser, "verdict").startswith("✔ Right. Exactly. The makespan is 42 s.")
    assert browser.evaluate("document.activeElement.id") == "verdict"
    assert "✔" in browser.evaluate("element('steps').children[1].textContent")
    assert browser.messages == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_has_all_of_it(browser, tmp_path, qapp, dark):
    """Nothing is cut off at the side, and what is pressed is large enough for a thumb."""
    opened(browser, tmp_path, find_lesson("sharing-a-scan"))
    browser.look(390, 844, 2, dark)
    browser.wait_for(f"isDark === {str(dark).lower()} && plan.whole < 390")
    for number in (1, 6):
        browser.evaluate(f"go({number})")
        browser.wait_for(f"at === {number} && {STOOD}")
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390
        assert not browser.evaluate("element('circles').hidden")
        low = browser.evaluate(
            "[...document.querySelectorAll('#words button')].filter(b => b.offsetParent)"
            ".map(b => b.getBoundingClientRect().height)"
        )
        assert min(low) >= 40
    assert browser.messages == []


def test_an_order_that_the_page_does_not_know_is_not_counted_as_wrong(browser, tmp_path, qapp, monkeypatch):
    """Of more jobs than orders can be tried of, the one that the lesson names is taken."""
    monkeypatch.setattr("core.lessons.page_answers.FEW_JOBS", 1)
    opened(browser, tmp_path, find_lesson("why-order-matters"))
    browser.evaluate("go(3)")
    browser.wait_for(f"at === 3 && {STOOD}")
    assert "too many orders to judge all of them" in text_of(browser, "how")
    click(browser, "#check")
    browser.wait_for("element('miss').textContent")
    assert text_of(browser, "miss").startswith("J1, J2: this page does not know this order.")
    assert browser.evaluate("[progressNow().tries, element('verdict').hidden]") == [0, True]
    click(browser, "#control li button", 1)
    click(browser, "#check")
    browser.wait_for("!element('verdict').hidden")
    assert text_of(browser, "verdict").startswith("✔ Right. Your order takes 24 s")
    assert browser.messages == []


def test_a_schedule_by_hand_is_looked_at_and_does_not_count(browser, tmp_path, every_type):
    steps = opened(browser, tmp_path, every_type)
    number = [step.page.title for step in steps].index("by-hand")
    browser.evaluate(f"go({number})")
    browser.wait_for(f"at === {number} && {STOOD}")
    assert text_of(browser, "how").startswith("This is played in Slotscope itself")
    click(browser, "#check")
    browser.wait_for("!element('verdict').hidden")
    assert text_of(browser, "verdict").startswith(
        "An answer is a schedule with a mean response of 10 s. The order"
    )
    assert browser.evaluate("scoreWords()") == f"0 of {len(steps) - 1} questions answered rightly."
    assert browser.messages == []
