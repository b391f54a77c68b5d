"""The application: opens the window, follows the system's theme, offers back what a crash left."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QRect, QSize, QTimer
from PySide6.QtWidgets import QApplication

from core.files.samples import load_sample, sample_paths
from core.model.errors import SlotscopeError, UnknownTable
from explorer.document.view_state import ThemeChoice
from explorer.session.autosave import Autosave
from explorer.session.settings import WindowSettings
from explorer.session.starts import InUse, Start
from explorer.warm_up import WarmUp, parts_of_document
from explorer.widgets.error_messages import Message, install_excepthook
from explorer.widgets.theme import FramedStyle, Theme, application_palette, system_is_dark, theme
from explorer.widgets.type_face import use_type_face
from explorer.window.files.document_work import new_document, open_document
from explorer.window.files.opening_cover import OpeningCover
from explorer.window.first_steps import offer
from explorer.window.frame.layout import arrange, place_on_screen, screen_of
from explorer.window.main_window import MainWindow
from explorer.window.recovery import Recovery, about_window

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_SAMPLE = "five-jobs"
FIRST_SIZE = QSize(1400, 900)
WARM_UP_AFTER_MS = 50
LOCK_SECONDS = 0.0005
"""So soon a thread that computes gives Python's lock to the window, which asks for it in each call of Qt."""
OPEN_AT_ONCE_BYTES = 500_000
"""Smaller files are read before the window shows, so that the first picture is theirs."""
PACKED_SUFFIXES, MAX_PACKING = (".gz", ".bz2", ".xz", ".zst"), 10
"""Packed files are taken to be so many times as large when they are read."""


def make_application() -> QApplication:
    """Make the one QApplication with the names that settings and sessions are kept under."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    QCoreApplication.setApplicationName("slotscope")
    QCoreApplication.setOrganizationName("")
    application.setApplicationDisplayName("Slotscope")
    application.setStyle(FramedStyle())
    use_type_face(application)
    sys.setswitchinterval(LOCK_SECONDS)
    return application


AFTER_FAILED_STARTS = "Slotscope did not come through its last two starts, so this one is safe"
SAFE_AS_REQUESTED = "This start is safe"
SAFE = (
    "policy files are switched off, and the panels lie as at first. The charts of policy files ask whether "
    "to run them. The next start is as usual."
)


def open_window(sources: Sequence[str], *, safe: bool = False) -> int:
    """Open the window on files, logs or samples and run until it closes; returns the exit code.

    A `safe` start runs no policy file by itself and lays the window out anew; after two starts that did not
    come through it is safe without being asked for.
    """
    application = make_application()
    start = Start()
    start.begin()
    reason = AFTER_FAILED_STARTS if start.has_failed_before else SAFE_AS_REQUESTED if safe else ""
    session = WindowSession(application, WindowSettings(), sources, start, reason)
    session.window.show()
    session.start()
    return application.exec()


class WindowSession(QObject):
    """Everything that lives as long as one window: autosave, compiling in the background, the theme."""

    def __init__(
        self,
        application: QApplication,
        settings: WindowSettings,
        sources: Sequence[str] = (),
        start: Start | None = None,
        safe_because: str = "",
    ) -> None:
        super().__init__(application)
        self._application, self.settings = application, settings
        self.window = MainWindow(new_document(load_sample(FIRST_SAMPLE)), settings, self._theme())
        self.window.files.set_original(sample_paths()[FIRST_SAMPLE])
        place_on_screen(self.window, QRect(self.window.pos(), FIRST_SIZE))
        self._safe_because = safe_because
        if safe_because:
            self.window.own_policies.files.switch(on=False)
        else:
            arrange(self.window, settings.layout(screen_of(self.window)))
        self._apply_theme()
        self._has_sources = bool(sources)
        self._open_first(sources)
        self.autosave = Autosave(self.window.editor, partial(about_window, self.window), parent=self)
        self.recovery = Recovery(self.window, self.autosave)
        self.warm_up = WarmUp(parent=self)
        # After the first picture: loading compiled code holds Python's lock for a moment.
        self._warm_up_timer = QTimer(self, singleShot=True, interval=WARM_UP_AFTER_MS)
        self._warm_up_timer.timeout.connect(self._warm_up)
        self._connect()
        self._follow_start(start)

    def _connect(self) -> None:
        self.autosave.failed.connect(self.window.messages.show_error)
        self.autosave.succeeded.connect(self.window.messages.show_sentence)
        self.window.view_state.active_scenario_changed.connect(self.autosave.note)
        self.window.lessons.steps.step_changed.connect(self.autosave.note)
        self.warm_up.part_loaded.connect(lambda _part: self.window.use_compiled(all_of_it=False))
        self.warm_up.ready.connect(self.window.use_compiled)
        self.warm_up.progressed.connect(self.window.show_compiling)
        self.warm_up.failed.connect(self.window.messages.show_sentence)
        self.window.closing.connect(self._on_closing)
        self.window.view_state.theme_changed.connect(self._apply_theme)
        self._application.styleHints().colorSchemeChanged.connect(self._apply_theme)
        install_excepthook(self.window.messages)
        if self.settings.put_aside is not None:
            lost = "theme, recent files and trusted policy files start afresh"
            self.window.messages.show_sentence(
                f"The settings were damaged: {lost}. They lie in {self.settings.put_aside} now"
            )

    def _follow_start(self, start: Start | None) -> None:
        """Note when the start has come through; show that it is a safe one, over what is opened, too."""
        self.in_use = InUse(self._is_busy, self)
        self.window.document.reset.connect(self.in_use.begin_anew)
        self.window.files.opened.connect(self._show_safe)
        self.window.own_policies.files.switched.connect(self._show_safe)
        if start is not None:
            self.in_use.reached.connect(start.come_through)
            self.window.closing.connect(start.come_through)

    def _is_busy(self) -> bool:
        """Whether the start is still under way: simulations run, or a question waits for its answer."""
        return self.window.runner.is_busy or QApplication.activeModalWidget() is not None

    def _show_safe(self) -> None:
        message = Message(f"{self._safe_because}: {SAFE}")
        if self.window.own_policies.files.are_off:
            self.window.messages.show_message(message)
        else:
            self.window.messages.retract(message)

    def _open_first(self, sources: Sequence[str]) -> None:
        """Show the first source of the command line; a small one is read at once, else by the window."""
        if len(sources) > 1:
            self.window.files.import_logs([Path(source) for source in sources])
        elif sources:
            path = Path(sources[0])
            open_it = self._open_at_once if _is_small(path) or not path.exists() else self.window.files.open
            open_it(sources[0])
        covered = self.window.centralWidget()
        if covered is not None and self.window.files.is_busy:
            read = Path(sources[0]).name if len(sources) == 1 else f"{len(sources)} files"
            OpeningCover(f"Reading {read}…", self.window.files, covered)

    def _open_at_once(self, source: str) -> None:
        try:
            opened = open_document(source)
        except UnknownTable:
            self.window.files.open(source)  # which asks what its columns are, once the window shows
            return
        except SlotscopeError as error:
            self.window.messages.show_error(error)
            return
        self.window.files.show(opened)

    def start(self) -> None:
        """Begin what goes on beside the window: saving, compiling, and what a crash left."""
        self.autosave.start()
        self._warm_up_timer.start()
        self.in_use.start()
        self._show_safe()
        if not self._safe_because and not self._has_sources:
            offer(self.window, self.window.first_steps)
        self.recovery.offer()

    def _warm_up(self) -> None:
        self.warm_up.start(parts_of_document(self.window.document.state))

    # ---- theme

    def _theme(self) -> Theme:
        choice = self.settings.theme
        dark = choice is ThemeChoice.DARK
        return theme(system_is_dark(self._application) if choice is ThemeChoice.SYSTEM else dark)

    def _apply_theme(self) -> None:
        colours = self._theme()
        self._application.setPalette(application_palette(colours))
        self.window.set_theme(colours)

    def _on_closing(self) -> None:
        self._warm_up_timer.stop()
        self.in_use.stop()
        self.autosave.close()
        self.warm_up.stop()
        self.settings.sync()


def _is_small(path: Path) -> bool:
    """Whether a file is read so soon that a window may wait for it."""
    if not path.is_file():
        return False
    packed = MAX_PACKING if path.suffix.lower() in PACKED_SUFFIXES else 1
    return path.stat().st_size * packed < OPEN_AT_ONCE_BYTES
