"""The dialog of a certificate: it says what is proved, checks again, and writes the file."""

from __future__ import annotations

from copy import deepcopy

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.model.cluster import Cluster
from core.verify.certificate import Certificate, read_certificate
from explorer.optimize.certificate_dialog import AGAIN, CHECKED, CertificateDialog
from explorer.widgets.plain_labels import PlainLabel
from tests.builders import FIVE_JOBS, run, two_stage_workload
from tests.core.verify.made import certificate_of


@pytest.fixture(scope="module")
def certificate():
    return certificate_of(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "johnson"))


@pytest.fixture
def dialog(certificate, shown):
    dialog = CertificateDialog(certificate, "Five jobs")
    shown(dialog)
    return dialog


def test_it_says_what_is_proved_by_what_and_under_which_premise(dialog):
    texts = {label.accessibleName(): label.text() for label in dialog.findChildren(PlainLabel)}
    assert texts["claim"] == "no schedule has a smaller makespan than 47 s on 30 map + 30 reduce slots"
    assert "without lending slots" in texts["premise"]
    assert texts["schedule"] == "300 tasks of 5 jobs, each on its slot at its times"
    assert texts["lower bound"].startswith("47 s, by the rules: ")
    assert "slots reduces" in texts["its numbers"]
    assert dialog.status.text() == CHECKED


def test_it_checks_again(dialog, qtbot):
    QTest.mouseClick(dialog.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.status.text() == AGAIN)
    assert dialog.check_button.isEnabled()
    assert not dialog.busy.isVisible()


def test_what_does_not_hold_any_more_is_said(certificate, shown, qtbot):
    changed = deepcopy(dict(certificate.document))
    changed["schedule"]["start"][0] += 0.5
    dialog = CertificateDialog(Certificate(changed, certificate.verdict), "Five jobs")
    shown(dialog)
    dialog.check_again()
    qtbot.waitUntil(lambda: dialog.status.text().startswith("The checker refuses it: task 0"))


def test_it_is_saved_as_the_file_that_verify_checks(dialog, certificate, tmp_path, monkeypatch, qtbot):
    path = tmp_path / "five.certificate.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: str(path) in dialog.status.text())
    assert read_certificate(path) == certificate
    dialog.save(tmp_path / "none" / "five.json")
    qtbot.waitUntil(lambda: "cannot write" in dialog.status.text())
