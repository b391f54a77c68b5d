"""Distributions are read from text, drawn by numpy alone, and follow their own cumulative functions."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.generate.distributions import KINDS, Distribution, parse_distribution, rounded
from core.model.errors import InputError, UnknownName

EXAMPLES = {
    "lognormal": (2.5, 0.7),
    "weibull": (1.4, 30.0),
    "gamma": (3.0, 4.0),
    "normal": (100.0, 10.0),
    "exponential": (12.0,),
    "pareto": (2.5, 3.0),
    "uniform": (2.0, 9.0),
    "constant": (4.0,),
}
MEDIANS = {
    "lognormal": np.exp(2.5),
    "weibull": 30 * np.log(2) ** (1 / 1.4),
    "gamma": 10.6962413,  # 4 times the median of Gamma(3), 2.67406031
    "normal": 100,
    "exponential": 12 * np.log(2),
    "pareto": 3 * 2 ** (1 / 2.5),
    "uniform": 5.5,
    "constant": 4,
}
"""By the textbooks' formulas."""


def random(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@pytest.mark.parametrize("kind", [kind.id for kind in KINDS])
def test_draws_follow_the_cumulative_function(kind: str) -> None:
    """Of 20 000 true draws the distance stays below 1.95 / sqrt(20 000) = 0.0138 in 999 of 1000 seeds."""
    distribution = Distribution(kind, EXAMPLES[kind])
    drawn = distribution.draw(random(), 20_000)
    assert np.median(drawn) == pytest.approx(MEDIANS[kind], rel=0.03)
    if kind != "constant":
        assert scipy.stats.kstest(drawn, distribution.cumulative).statistic < 0.0138  # type: ignore[arg-type]
    below, above = distribution.cumulative(np.array([MEDIANS[kind] * 0.999999, MEDIANS[kind]]))
    assert above == pytest.approx(1.0 if kind == "constant" else 0.5, abs=1e-6)
    assert below == pytest.approx(0.0 if kind == "constant" else 0.5, abs=1e-4)


@pytest.mark.parametrize("kind", [kind.id for kind in KINDS])
def test_text_says_everything(kind: str) -> None:
    distribution = rounded(kind, tuple(value * 1.23456789 for value in EXAMPLES[kind]))
    again = parse_distribution(str(distribution))
    assert again == distribution
    assert again.draw(random(5), 50).tobytes() == distribution.draw(random(5), 50).tobytes()


def test_zeros_are_written_before_the_others_and_drawn() -> None:
    distribution = parse_distribution("0.25*0 + lognormal(2.5, 0.7)")
    assert distribution == Distribution("lognormal", (2.5, 0.7), zeros=0.25)
    assert str(distribution) == "0.25*0 + lognormal(2.5, 0.7)"
    assert distribution.title == "25 % zeros, LogNormal"
    drawn = distribution.draw(random(), 20_000)
    assert np.mean(drawn == 0) == pytest.approx(0.25, abs=0.01)
    assert np.median(drawn[drawn > 0]) == pytest.approx(np.exp(2.5), rel=0.03)
    assert (distribution.draw(random(), 1000, least=0.5) >= 0.5).all()
    times = np.array([-1.0, 0.0, np.exp(2.5)])
    assert distribution.cumulative(times).tolist() == pytest.approx([0, 0.25, 0.25 + 0.75 / 2])
    assert distribution.before(times).tolist() == pytest.approx([0, 0, 0.25 + 0.75 / 2])


def test_texts_keep_every_digit_that_was_given() -> None:
    for text in ("gamma(1.23456789, 2)", "0.123456789*0 + exponential(1e-09)"):
        assert str(parse_distribution(text)) == text


def test_names_of_parameters_may_be_written() -> None:
    assert parse_distribution(" lognormal( mu=3, sigma = 1.5 ) ") == Distribution("lognormal", (3.0, 1.5))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lognormal", "is no distribution; write it as lognormal(3.04, 1.29); there are lognormal, weibull"),
        ("lognormal(1)", "give lognormal(mu, sigma) with"),
        ("lognormal(1, 0)", "sigma > 0"),
        ("uniform(3, 2)", "0 <= least < most"),
        ("pareto(1, x)", "'x' is no number"),
        ("1.5*0 + gamma(2, 1)", "the part of zeros is 1.5; give a fraction from 0 to below 1"),
        ("x*0 + gamma(2, 1)", "'x' is no number"),
        ("gamma(nan, 1)", "'nan' is no number"),
    ],
)
def test_bad_text_gets_a_sentence(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_distribution(text)
    assert words in str(caught.value)


def test_unknown_kinds_offer_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'weibull'"):
        parse_distribution("weibul(1, 2)")


def test_what_is_too_short_is_drawn_again() -> None:
    """A normal distribution above its mean is half of one: its mean lies sqrt(2 / pi) deviations above."""
    drawn = Distribution("normal", (10.0, 5.0)).draw(random(), 20_000, least=10.0)
    assert drawn.min() >= 10
    assert drawn.mean() == pytest.approx(10 + 5 * np.sqrt(2 / np.pi), rel=0.01)


def test_what_is_hardly_ever_long_enough_is_refused() -> None:
    with pytest.raises(InputError, match=r"normal\(-1000, 1\) hardly ever gives a duration from 0 to 1e\+12"):
        Distribution("normal", (-1000.0, 1.0)).draw(random(), 3)


@given(st.text() | st.from_regex(r"([0-9.e-]{1,5}\*0 \+ )?[a-z]{1,9}\([0-9.,=e -]{0,12}\)", fullmatch=True))
def test_any_text_is_a_distribution_or_gets_a_sentence(text: str) -> None:
    with contextlib.suppress(InputError):
        distribution = parse_distribution(text)
        assert parse_distribution(str(distribution)) == distribution


def test_drawing_needs_no_scipy() -> None:
    code = (
        "import sys; from core.generate.families import generate; generate('fitted', seed=2);"
        "sys.exit(any(name.startswith('scipy') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
