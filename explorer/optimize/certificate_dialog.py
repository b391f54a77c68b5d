"""The certificate behind "proved": what is proved, by which bound, in which numbers; to check and to save."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QScrollArea,
    QWidget,
)
from typing_extensions import override

from core.files.atomic import Watch
from core.model.time_text import exact_duration
from core.simulation.proof import NOT_PROVED
from core.verify.certificate import ENDING, write_certificate
from explorer.widgets.layouts import Dialog, closing, column, named, push_button, scrolled
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import BusyBar
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.simulation.proof import Proof
    from core.verify.certificate import Certificate
    from explorer.widgets.worker import Work

CHECKED = "A checker that shares no code with the search, the bounds or the simulator has confirmed it."
AGAIN = "Checked again just now: it holds."
REFUSED = "The checker refuses it: {}"
FILTER = "Certificates (*.json *.json.gz)"


class CertificateButton(QPushButton):
    """Stands beside the word "proved", and opens what is behind it."""

    def __init__(self) -> None:
        super().__init__("Cert&ificate…", autoDefault=False)
        self.setToolTip("What is proved, by which bound, in which numbers; to check again and to save")
        self.clicked.connect(self._on_clicked)
        self.show_proof(NOT_PROVED, "")

    def show_proof(self, proof: Proof, name: str) -> None:
        """Stand for the certificate of a proof; out of sight where there is none."""
        self._certificate, self._name = proof.certificate, name
        self.setVisible(proof.certificate is not None)

    def _on_clicked(self) -> None:
        if self._certificate is not None:
            CertificateDialog(self._certificate, self._name, self.window()).open()


class CertificateDialog(Dialog):
    """Shows a certificate in words, has it checked again, and writes it to a file.

    Attributes
    ----------
    status : what the checker, or the file that was written, says
    """

    def __init__(self, certificate: Certificate, name: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Certificate: {name}" if name else "Certificate", parent, (680, 340))
        self._certificate, self._name = certificate, name
        self.status = PlainLabel(CHECKED, wraps=True)
        self._worker = Worker(self, finished=self._on_finished, failed=self._on_failed)
        self.busy = BusyBar("Checking the certificate", self._worker)
        self.check_button = push_button(
            "Check &again", "Check every task, and work the bound out from its numbers", self.check_again
        )
        self.save_button = push_button(
            "&Save…", "Write it to a file, which 'slotscope verify' checks", self.ask_and_save
        )
        buttons = closing(self, self.check_button, self.save_button)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        column((self._rows(), 1), self.status, self.busy, buttons, parent=self)

    def _rows(self) -> QScrollArea:
        """Return what was checked and found, row by row; keys reach the texts to copy them."""
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        by_hand = (
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        for title, text in self._certificate.rows(exact_duration):
            label = named(PlainLabel(text, wraps=True), title)
            label.setTextInteractionFlags(by_hand)
            form.addRow(PlainLabel(title.capitalize(), is_faint=True), label)
        inside = QWidget()
        inside.setLayout(form)
        return scrolled(inside)

    # ---- checking again

    def check_again(self) -> None:
        """Have the checker look at it anew."""
        self._begin(partial(_checked, self._certificate))

    def _begin(self, work: Work) -> None:
        """Do it in a thread: of many tasks it takes seconds; the result is the text to show."""
        self._show(is_busy=True)
        self._worker.follow(work)

    def _on_finished(self, text: str) -> None:
        self.status.setText(text)
        self._show(is_busy=False)

    def _on_failed(self, error: Exception) -> None:
        self._on_finished(str(error))

    def _show(self, *, is_busy: bool) -> None:
        self.busy.setVisible(is_busy)
        for button in (self.check_button, self.save_button):
            button.setEnabled(not is_busy)

    # ---- keeping it

    def ask_and_save(self) -> None:
        """Let the user choose a file and write it there."""
        path = ask_where_to_save(self, "Save the certificate", f"{self._name}{ENDING}", FILTER)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write it to a file; errors are shown here."""
        self._begin(partial(_saved, self._certificate, path))

    @override
    def done(self, result: int) -> None:
        self._worker.shutdown()
        super().done(result)


def _checked(
    certificate: Certificate, _progress: Callable[[float], None], _should_stop: Callable[[], bool]
) -> str:
    problems = certificate.checked_again().verdict.problems
    return REFUSED.format(problems[0]) if problems else AGAIN


def _saved(
    certificate: Certificate,
    path: Path,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> str:
    write_certificate(certificate, path, Watch(progress, should_stop))
    return f"Saved to {path}; 'slotscope verify' checks it."
