"""The editor pane: policy files beside the charts. The file on the disk stays the truth.

Saving writes the file, and whoever follows it runs it, as after a save in any other editor. To open a file
here runs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QMessageBox, QStackedWidget, QWidget
from typing_extensions import override

from core.files.atomic import replace_file
from core.model.errors import InputError
from explorer.lab.find_bar import FindBar
from explorer.lab.open_texts import Draft, OpenText, put_cursor, read_text
from explorer.widgets.file_watch import FileWatch
from explorer.widgets.flat_button import FlatButton, raised
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.save_dialog import MAKE_COPY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from explorer.lab.code_text import CodeText
    from explorer.lab.open_texts import Drafts

KEEP_MS = 600
"""After the last key, an unsaved text is kept for the case of a crash."""
FOLLOW_MS = 80
"""So long after a number is dragged on the file is saved: a few times in a drag, and once after its end."""
CHANGED = "{} was changed by another program, and your text here is not saved."
GONE = "{} is not there any more. Save writes it again."
LEFT = "This text of {} was not saved when the window ended. Save it, or take what the file has."
READ_ONLY = "{} comes with Slotscope: read it, and change a copy of your own."
NOTHING = "No policy file is open. Choose “Edit beside the chart” in the Policy menu."


class EditorPane(QWidget):
    """Edits texts, one at a time; every one keeps its cursor and its undo.

    Signals
    -------
    failed : an InputError to show
    saved : the path of a file that was written
    edited : that path, the bytes that the file had, and those that it has now
    outside_wanted : the path of a file that is wanted in another program
    copy_wanted : the id or the path of a policy that comes with Slotscope, of which the user wants a copy
    emptied : the last text was closed

    Attributes
    ----------
    header : which text it is, and what can be done with it
    bar : the one place for messages: what happened to the file, and what is wrong with the text
    """

    failed = Signal(object)
    saved = Signal(object)
    edited = Signal(object, object, object)
    outside_wanted = Signal(str)
    copy_wanted = Signal(str)
    emptied = Signal()

    def __init__(self, drafts: Drafts) -> None:
        super().__init__()
        self._drafts = drafts
        self._texts: dict[str, OpenText] = {}
        self._watch = FileWatch(self)
        self._watch.touched.connect(self._on_touched)
        self._keep = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keep.timeout.connect(self._keep_drafts)
        self._follow = QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._follow.timeout.connect(self.save)
        self._make_parts()
        self._show_current()

    def _make_parts(self) -> None:
        self.list = named(QComboBox(), "Open texts")
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.list.setMinimumContentsLength(10)
        self.list.activated.connect(self._on_chosen)
        self.save_button = _tool("Save", "Write the file (Ctrl+S); it runs if you let it", self.save)
        tip = "Open the file in the program that your system uses for it"
        self.outside_button = _tool("Open elsewhere", tip, self._open_outside)
        tip = "Write a policy file that does the same, to be changed"
        self.copy_button = _tool(MAKE_COPY.replace("&", ""), tip, self._want_copy)
        self.close_button = _tool("", "Close this text", self.close_current, "close")
        self.note = PlainLabel(wraps=True)
        tip = "The next save replaces what the other program wrote"
        self.mine_button = push_button("Keep mine", tip, self.keep_mine)
        tip = "Show what the file has now; Undo brings back your text"
        self.theirs_button = push_button("Take theirs", tip, self.take_theirs)
        self.problem = PlainLabel(wraps=True)
        self.problem.setAccessibleName("What is wrong")
        self.bar = QWidget()
        raised(self.bar)
        asked = row((self.note, 1), self.mine_button, self.theirs_button)
        column(asked, self.problem, parent=self.bar, margins=(8, 4, 8, 4), spacing=2)
        self.stack = QStackedWidget()
        self.empty = PlainLabel(NOTHING, wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack.addWidget(self.empty)
        self.find_bar = FindBar(self.current_code)
        self.header = QWidget()
        raised(self.header)
        buttons = (self.save_button, self.outside_button, self.copy_button, self.close_button)
        row(self.list, None, *buttons, parent=self.header, margins=(6, 3, 6, 3), spacing=2)
        parts = (self.header, self.bar, (self.stack, 1), self.find_bar)
        column(*parts, parent=self, margins=NO_MARGINS, spacing=0)

    @override
    def sizeHint(self) -> QSize:
        return QSize(520, 500)

    # ---- texts

    @property
    def current(self) -> OpenText | None:
        """The text that is shown."""
        return self._texts.get(str(self.list.currentData()))

    def current_code(self) -> CodeText | None:
        """Return the editor of the text that is shown."""
        return None if self.current is None else self.current.code

    def has(self, path: str) -> bool:
        """Whether a file is open here."""
        return path in self._texts

    def open_file(self, path: Path, note: str = "") -> None:
        """Show a file; a draft of it that was kept is shown in its place."""
        key = str(path)
        if key not in self._texts:
            try:
                text = OpenText(path.name, path, read_text(path))
            except InputError as error:
                self.failed.emit(error)
                return
            if text.is_original:
                text.note = READ_ONLY.format(path.name)
            self._add(key, text)
            self._watch.watch(key)
            draft = self._drafts.of(path)
            if draft is not None and draft.text != text.base:
                text.code.replace_text(draft.text)
                text.note = LEFT.format(path.name)
                text.theirs = text.base
        if note:
            self._texts[key].note = note
        self._show(key, 0)

    def show_builtin(self, policy_id: str, title: str, content: str, line: int) -> None:
        """Show a policy that comes with Slotscope, to be read."""
        key = f"builtin:{policy_id}"
        if key not in self._texts:
            text = OpenText(title, None, content)
            text.note = READ_ONLY.format(title)
            self._add(key, text)
        self._show(key, line, is_begin=True)

    def open_left(self) -> bool:
        """Show what was not saved when another window died; whether there is anything."""
        drafts: Sequence[Draft] = self._drafts.left()
        for draft in drafts:
            if not draft.path.exists():
                text = OpenText(draft.path.name, draft.path, draft.base)
                self._add(str(draft.path), text)
                text.code.replace_text(draft.text)
                text.note = GONE.format(draft.path.name)
            self.open_file(draft.path)
        return bool(drafts)

    def _add(self, key: str, text: OpenText) -> None:
        self._texts[key] = text
        self.stack.addWidget(text.code)
        text.code.requested.connect(self._on_requested)
        text.code.document().contentsChanged.connect(self._on_edited)
        text.code.number_changed.connect(self._follow_number)
        self.list.addItem(text.name, key)
        self.list.setItemData(self.list.count() - 1, tooltip(key), Qt.ItemDataRole.ToolTipRole)

    def _show(self, key: str, line: int, *, is_begin: bool = False) -> None:
        self.list.setCurrentIndex(self.list.findData(key))
        self._show_current()
        text = self._texts[key]
        if line:
            text.code.go_to_line(line, is_begin=is_begin)
        text.code.setFocus()

    def close_current(self) -> None:
        """Close the text that is shown, after a confirmation if it is not saved."""
        text = self.current
        if text is None or not self._may_lose([text]):
            return
        key = str(self.list.currentData())
        del self._texts[key]
        self.list.removeItem(self.list.currentIndex())
        self.stack.removeWidget(text.code)
        text.code.deleteLater()
        self._show_current()
        if not self._texts:
            self.emptied.emit()

    def set_problem(self, path: str, line: int, sentence: str) -> None:
        """Mark what is wrong with a file; an empty sentence for nothing."""
        text = self._texts.get(path)
        if text is not None:
            text.problem = (line, sentence)
            text.code.set_error(line, sentence)
            self._show_current()

    def go_to_problem(self) -> None:
        """Show the line of what is wrong with the text that is shown, if anything is."""
        if (text := self.current) is not None and text.problem[0]:
            text.code.go_to_line(text.problem[0])

    # ---- saving

    def save(self) -> bool:
        """Write the text that is shown; whether that was possible."""
        return self.current is None or self._save(self.current)

    def _save(self, text: OpenText) -> bool:
        if text.path is None or text.is_original:
            self._want_copy()
            return not text.is_unsaved
        self._look(text)
        if text.theirs is not None and text.theirs != text.base:
            self._show_current()
            return False  # the bar asks whose
        content = text.code.toPlainText()
        before, after = _bytes_of(text.path), content.replace("\n", text.ends).encode()
        try:
            replace_file(text.path, after)
        except InputError as error:
            self.failed.emit(error)
            return False
        self.edited.emit(text.path, before, after)
        self._settle(text, content)
        self.saved.emit(text.path)
        return True

    def _settle(self, text: OpenText, base: str) -> None:
        """Take a content for what the file has."""
        assert text.path is not None
        text.base, text.theirs, text.note = base, None, ""
        if not text.is_unsaved:
            text.code.document().setModified(False)
            self._drafts.forget(text.path)
        self._show_current()

    def may_close(self) -> bool:
        """Confirm all that is not saved; return whether the window may close."""
        return self._may_lose([text for text in self._texts.values() if text.is_unsaved])

    def _may_lose(self, texts: Sequence[OpenText]) -> bool:
        unsaved = [text for text in texts if text.is_unsaved]
        if not unsaved:
            return True
        buttons = QMessageBox.StandardButton
        box = QMessageBox(self, textFormat=Qt.TextFormat.PlainText)
        box.setWindowTitle("Slotscope")
        box.setIcon(QMessageBox.Icon.Warning)
        names = ", ".join(text.name for text in unsaved)
        box.setText(f"Save your changes of {names}?")
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        box.deleteLater()
        if answer == buttons.Save:
            return all(self._save(text) for text in unsaved)
        if answer != buttons.Discard:
            return False
        for text in unsaved:
            assert text.path is not None
            text.code.replace_text(text.base)
            self._drafts.forget(text.path)
        return True

    def end(self) -> None:
        """Watch nothing any more; what is not saved by now is kept."""
        self._keep_drafts()
        self._keep.stop()
        self._follow.stop()
        self._watch.close()

    def _keep_drafts(self) -> None:
        for text in self._texts.values():
            if text.path is not None and text.is_unsaved:
                self._drafts.keep(Draft(text.path, text.code.toPlainText(), text.base))
            elif text.path is not None:
                self._drafts.forget(text.path)

    # ---- what other programs do

    def _on_touched(self, path: str) -> None:
        if (text := self._texts.get(path)) is not None:
            self._look(text)
            self._show_current()

    def _look(self, text: OpenText) -> None:
        """Compare with what the file has now; a text that is saved follows it."""
        assert text.path is not None
        try:
            now = read_text(text.path).replace("\r\n", "\n")
        except InputError:
            text.note = GONE.format(text.name)
            return
        if now == text.base:
            return
        if now == text.code.toPlainText() or not text.is_unsaved:
            if now != text.code.toPlainText():
                place = text.code.textCursor().position()
                text.code.replace_text(now)
                put_cursor(text.code, place)
            self._settle(text, now)
        else:
            text.theirs, text.note = now, CHANGED.format(text.name)

    def keep_mine(self) -> None:
        """Let the next save replace what another program wrote."""
        text = self.current
        if text is not None and text.theirs is not None:
            text.base, text.theirs, text.note = text.theirs, None, ""
            self._show_current()

    def take_theirs(self) -> None:
        """Show what the file has."""
        text = self.current
        if text is not None and text.theirs is not None:
            text.code.replace_text(text.theirs)
            self._settle(text, text.theirs)

    # ---- showing

    def _show_current(self) -> None:
        text = self.current
        self.stack.setCurrentWidget(self.empty if text is None else text.code)
        for place in range(self.list.count()):
            each = self._texts[str(self.list.itemData(place))]
            state = " (original)" if each.is_original else " ●" if each.is_unsaved else ""
            self.list.setItemText(place, f"{each.name}{state}")
        self.save_button.setEnabled(text is not None and text.is_unsaved)
        self.save_button.setVisible(text is None or not text.is_original)
        self.outside_button.setVisible(text is not None and not text.is_original)
        self.copy_button.setVisible(text is not None and text.is_original)
        self.close_button.setEnabled(text is not None)
        note = "" if text is None else text.note
        self.note.setText(note)
        self.note.setVisible(bool(note))
        is_changed = text is not None and text.theirs is not None
        self.mine_button.setVisible(is_changed)
        self.theirs_button.setVisible(is_changed)
        line, sentence = (0, "") if text is None else text.problem
        at = f"Line {line}: " if line else ""
        self.problem.setText(f"{at}{sentence}")
        self.problem.setVisible(bool(sentence))
        self.bar.setVisible(bool(note or sentence))

    def _on_chosen(self, _place: int) -> None:
        self._show_current()
        if (code := self.current_code()) is not None:
            code.setFocus()

    def _on_edited(self) -> None:
        self._keep.start()
        self._show_current()

    def _follow_number(self) -> None:
        """Save soon, so that the charts follow a number that is dragged; the newest one counts."""
        if not self._follow.isActive():
            self._follow.start()

    def _on_requested(self, what: str) -> None:
        if what == "save":
            self.save()
        elif what == "find":
            self.find_bar.show_with_selection()
        else:
            self.find_bar.look(backwards=what == "previous")

    def _open_outside(self) -> None:
        if (text := self.current) is not None and text.path is not None and self._save(text):
            self.outside_wanted.emit(str(text.path))

    def _want_copy(self) -> None:
        self.copy_wanted.emit(str(self.list.currentData()).removeprefix("builtin:"))


def _tool(words: str, tip: str, slot: Callable[[], object], sign: str = "") -> FlatButton:
    """Return a tool of the header."""
    button = named(FlatButton(words, sign), words or tip, tip)
    button.clicked.connect(slot)
    return button


def _bytes_of(path: Path) -> bytes:
    """Return what a file has; nothing for one that cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
