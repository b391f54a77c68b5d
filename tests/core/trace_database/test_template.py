"""Titles of runs of one application become equal, titles of two applications stay apart."""

from __future__ import annotations

import pytest

from core.trace_database.template import application_of


@pytest.mark.parametrize(
    ("title", "application"),
    [
        ("word count", "word count"),
        ("PigLatin:L9.pig", "PigLatin:L9.pig"),
        ("Chukwa-Demux_20090309_14_59", "Chukwa-Demux_#"),
        ("daily.UK.web/split-by-bcookie/2009-04-20", "daily.UK.web/split-by-bcookie/#"),
        ("[DOTS-DAILY/20100210] - data.transform", "[DOTS-DAILY/#] - data.transform"),
        ("index_62483/output/index-1470865845", "index_#/output/index-#"),
        ("report 2011-02-10 09:41:30 of ads", "report # of ads"),
        ("top 100", "top 100"),
        ("", ""),
    ],
)
def test_running_numbers_and_dates_do_not_count(title: str, application: str):
    assert application_of(title) == application
    assert application_of(application) == application
