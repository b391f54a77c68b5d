"""What servers of a cluster list: an address, filters, and a table of applications to be opened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QWidget,
)
from typing_extensions import override

from core.model.errors import Cancelled, InputError
from core.model.number_text import grouped
from core.model.time_text import duration_text
from core.servers.address import parse_address
from core.servers.server import (
    MAX_APPLICATIONS,
    ServerApplication,
    WantedApplications,
    moment_text,
    parse_moment,
)
from explorer.dialogs.server_query import ServerQuery, list_applications
from explorer.widgets.layouts import Dialog, column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import BusyBar, show_while_busy
from explorer.widgets.search_field import SearchField
from explorer.widgets.sorted_rows import SortedModel
from explorer.widgets.tables import Column, ReadTable
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.servers.attach import ListedApplications

HINT = (
    "Give the address of a server, as http://host:18080, and press Enter: of a Spark History Server, a "
    "MapReduce JobHistory Server, a YARN Timeline Server (Tez) or a YARN ResourceManager. Several of "
    "one cluster stand behind one another, with blanks between."
)
STATES = (("All", "all"), ("Ended", "completed"), ("Running", "running"))
MAX_AT_ONCE = 1000
"""Applications that are opened without being selected."""
SIZE, MIN_SIZE = (900, 620), (560, 420)


def _seconds(application: ServerApplication) -> float | None:
    return None if application.ended is None else (application.ended - application.started) / 1000


def _lasted(application: ServerApplication) -> str:
    seconds = _seconds(application)
    return "runs" if seconds is None else duration_text(seconds)


COLUMNS = (
    Column[ServerApplication]("Name", lambda each: each.name or each.id, typical="a nightly application"),
    Column[ServerApplication]("User", lambda each: each.user, typical="someuser"),
    Column[ServerApplication]("Queue", lambda each: each.queue, typical="default"),
    Column[ServerApplication](
        "Started (UTC)",
        lambda each: moment_text(each.started),
        typical="2026-11-28 22:00:00",
        value=lambda each: each.started,
    ),
    Column[ServerApplication](
        "Lasted", _lasted, is_number=True, typical="12 min 34 s", value=_seconds, help="Until it had ended"
    ),
    Column[ServerApplication]("Kind", lambda each: each.framework, typical="MapReduce"),
    Column[ServerApplication](
        "Id",
        lambda each: each.title,
        tip=lambda each: each.title if each.address else f"{each.title}: no server here keeps its log",
    ),
)


class ServerDialog(Dialog):
    """Lists what servers have, in a worker, and hands over what is chosen.

    Signals
    -------
    listed : these addresses, as one text, listed something
    chosen : a `ServerQuery` of what is to be opened
    """

    listed = Signal(str)
    chosen = Signal(object)

    def __init__(self, addresses: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__("Open from a server", parent)
        self._query: ServerQuery | None = None
        self._found: ListedApplications | None = None
        self._selected: set[str] = set()
        self._is_showing = False
        self.worker = Worker(self, finished=self._on_listed, failed=self._on_failed)
        self._make_fields(addresses)
        self._make_table()
        self._lay_out()
        self._show_state(HINT)

    # Building

    def _make_fields(self, addresses: Sequence[str]) -> None:
        self.address = named(QComboBox(), "Address", "Of a history server; several with blanks between")
        self.address.setEditable(True)
        self.address.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.address.addItems(list(addresses))
        self.address.setCurrentIndex(0 if addresses else -1)
        line = self.address.lineEdit()
        assert line is not None, "it is editable"
        line.setPlaceholderText("http://host:18080")
        line.returnPressed.connect(self.list_them)
        tip = "Ask the server for its applications"
        self.list_button = push_button("&List", tip, self.list_them)
        self.stop_button = push_button("S&top", "Ask no longer", self.worker.stop)
        self.token = named(
            QLineEdit(), "Token", "Sent to these addresses alone, over https; it is kept nowhere"
        )
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setPlaceholderText("none")
        self.token.returnPressed.connect(self.list_them)
        self.filter = SearchField(
            "Filter", "Part of a name, a user, a queue or an id", hint="Name, user, queue or id"
        )
        self.filter.textChanged.connect(self._filter)
        self.state = named(QComboBox(), "State", "Applications that have ended, or run still")
        for text, state in STATES:
            self.state.addItem(text, state)
        self.state.currentIndexChanged.connect(self._filter)
        self.begin, self.end = (
            self._date("Started from", "2026-11-28"),
            self._date("Started before", "2026-11-29"),
        )

    def _date(self, name: str, example: str) -> QLineEdit:
        field = named(QLineEdit(), name, f"{name} then, UTC: {example}, or with a time, {example} 22:00")
        field.setPlaceholderText(example)
        field.textChanged.connect(self._filter)
        return field

    def _make_table(self) -> None:
        self.model = SortedModel(COLUMNS, self)
        self.table = ReadTable(self.model, "Applications", widest=len(COLUMNS) - 1)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.sort_by_headings()
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.model.layoutChanged.connect(self._select_again)
        self.table.activated.connect(self._on_activated)
        self.filter.leave_keys_to(self.table)
        QShortcut(QKeySequence.StandardKey.Find, self, self.filter.setFocus)

    def _lay_out(self) -> None:
        form = QFormLayout()
        dates = row((self.begin, 1), PlainLabel("to"), (self.end, 1))
        for text, buddy, part in (
            ("&Address", self.address, row((self.address, 1), self.list_button, self.stop_button)),
            ("To&ken", self.token, row((self.token, 1))),
            ("&Filter", self.filter, row((self.filter, 2), self.state)),
            ("Starte&d", self.begin, dates),
        ):
            label = QLabel(text)
            label.setBuddy(buddy)
            form.addRow(label, part)
        self.sentence = named(PlainLabel(wraps=True), "What the server has")
        self.progress = BusyBar("Asking the server", self.worker)
        show_while_busy(self.worker, self.stop_button)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.open_button = push_button("&Open", "Open them as one workload", self.accept)
        self.buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self.buttons.rejected.connect(self.reject)
        column(form, (self.table, 1), self.sentence, self.progress, self.buttons, parent=self)
        self.setMinimumSize(*MIN_SIZE)
        resize_on_screen(self, *SIZE)

    # Listing

    def list_them(self) -> None:
        """Ask the servers for their applications."""
        if not self.address.currentText().strip():
            self._show_state(HINT)
            return
        try:
            addresses = tuple(str(parse_address(each)) for each in self.address.currentText().split())
            wanted = replace(self._wanted(), text="", state="all", limit=MAX_APPLICATIONS)
        except InputError as error:
            self._show_state(str(error))
            return
        self._query = ServerQuery(addresses, wanted, self.token.text())
        self._found = None
        self._selected.clear()
        self._show_rows([])
        self.list_button.setEnabled(False)
        self._show_state("Asking …")
        query = self._query
        self.worker.follow(lambda progress, stop: list_applications(query, progress, stop))

    def _on_listed(self, found: ListedApplications) -> None:
        assert self._query is not None, "it was asked"
        self._found = found
        self._rest()
        self.listed.emit(" ".join(self._query.addresses))
        self._filter()
        self.table.setFocus()

    def _on_failed(self, error: Exception) -> None:
        self._rest()
        self._show_state("Stopped." if isinstance(error, Cancelled) else str(error))

    def _rest(self) -> None:
        self.list_button.setEnabled(True)

    # Choosing

    def _wanted(self) -> WantedApplications:
        """Return what the filters want; InputError for a date that is none."""
        begin, end = (
            parse_moment(each.text()) if each.text().strip() else None for each in (self.begin, self.end)
        )
        return WantedApplications(
            text=self.filter.text().strip(), begin=begin, end=end, state=self.state.currentData()
        )

    def _filter(self) -> None:
        """Show what the filters want of what was listed; selected rows stay so if they fit."""
        if self._found is None:
            return
        try:
            wanted = self._wanted()
        except InputError as error:
            self._show_state(str(error))
            return
        self._show_rows([each for each in self._found.applications if wanted.has(each)])
        self._show_state("")

    def _show_rows(self, rows: Sequence[ServerApplication]) -> None:
        self._is_showing = True
        self.model.show_rows(self.model.in_order(rows))
        self._is_showing = False
        self._select_again()

    def _select_again(self) -> None:
        """Select the rows that were selected, wherever they stand now."""
        places = [place for place, each in enumerate(self.model.rows) if each.title in self._selected]
        selection = QItemSelection()
        for place in places:
            selection.select(self.model.index(place, 0), self.model.index(place, len(COLUMNS) - 1))
        self._is_showing = True
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._is_showing = False
        self._selected = {self.model.rows[place].title for place in places}
        self._show_state("")

    def _on_selection(self) -> None:
        if self._is_showing:
            return
        self._selected = {
            self.model.rows[each.row()].title for each in self.table.selectionModel().selectedRows()
        }
        self._show_state("")

    def _on_activated(self) -> None:
        if self.open_button.isEnabled():
            self.accept()

    def _show_state(self, sentence: str) -> None:
        """Show a sentence, or what is listed and selected, and what the button opens."""
        shown, selected = len(self.model.rows), len(self._selected)
        count = selected or shown
        self.open_button.setEnabled(count > 0 and bool(selected or shown <= MAX_AT_ONCE))
        self.open_button.setText(
            f"&Open {'' if selected or not shown else 'all '}{grouped(count)}" if count else "&Open"
        )
        if sentence or self._found is None:
            if sentence:
                self.sentence.setText(sentence)
            return
        kinds = ", ".join(self._found.kinds)
        found = len(self._found.applications)
        more = f", {grouped(self._found.more)} earlier ones are not shown" if self._found.more else ""
        of = f" of {grouped(found)}" if shown != found else ""
        what = "they become one workload, each at the time at which it arrived"
        hint = f"{grouped(selected)} selected; {what}" if selected else f"select some, or open all: {what}"
        self.sentence.setText(
            f"{kinds}: {grouped(shown)}{of} application{'s' * (shown != 1)}{more}"
            + (f"; {hint}." if shown else ". No application fits the filters.")
        )

    @override
    def done(self, result: int) -> None:
        self.worker.cancel()
        if result == QDialog.DialogCode.Accepted and self._query is not None:
            self.chosen.emit(self._chosen_query(self._query))
        super().done(result)

    def _chosen_query(self, query: ServerQuery) -> ServerQuery:
        """Return what opens the selected applications; where none is selected, all that fit, also later."""
        if self._selected:
            ids = tuple(sorted(self._selected))
            return replace(query, wanted=WantedApplications(ids=ids, limit=MAX_APPLICATIONS))
        return replace(query, wanted=replace(self._wanted(), limit=MAX_AT_ONCE))
