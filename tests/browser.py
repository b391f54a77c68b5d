"""A real Chromium without a window, over its DevTools pipe: pages are opened, asked, driven and pictured."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "there is no Chromium on this machine; on Debian bootstrap.py installs one as root"


def chromium() -> str | None:
    """Return the program, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One tab. Use it in a with statement."""

    def __init__(self, width: int = 1366, height: int = 768, ratio: float = 1.0, dark: bool = False) -> None:
        self.messages: list[str] = []
        self._size, self._ratio, self._dark = (width, height), ratio, dark
        self._number = 0
        self._rest = b""

    def __enter__(self) -> Browser:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        program = chromium()
        assert program is not None, MISSING

        def connect() -> None:  # DevTools reads from 3 and writes to 4
            reading, writing = os.dup(to_read), os.dup(to_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self._process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self._home.name}",
                "about:blank",
            ],
            close_fds=False,
            preexec_fn=connect,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        target = self._send("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._send("Target.attachToTarget", {"targetId": target, "flatten": True})[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.look(*self._size, self._ratio, self._dark)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, ConnectionError):
            self._send("Browser.close", {})
        os.close(self._write)
        os.close(self._read)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()

    def look(self, width: int, height: int, ratio: float = 1.0, dark: bool = False) -> None:
        """Set the window's size in CSS pixels, how many device pixels each has, and the reader's colours."""
        size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", size)
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", {"features": [wish]})

    def open(self, page: Path) -> None:
        """Open a file and wait until its first exact picture is drawn."""
        self.call("Page.navigate", {"url": page.as_uri()})
        self.settle()

    def settle(self) -> None:
        """Wait until the charts stand still."""
        self.evaluate(
            "new Promise(done => { const look = () => (document.readyState === 'complete' && "
            "typeof plan !== 'undefined' && plan && isExact() && same(view, goal)) "
            "? done(true) : setTimeout(look, 10); look(); })"
        )

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true, some seconds at most; the test then sees what is wrong."""
        self.evaluate(
            f"new Promise(done => {{ let left = 500; const look = () => ({condition}) || !left-- "
            "? done(true) : setTimeout(look, 10); look(); })"
        )

    def evaluate(self, expression: str) -> Any:
        """Return what an expression, or its promise, becomes."""
        wanted = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self.call("Runtime.evaluate", wanted)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"], indent=1))
        return answer["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Send a mouse event: mouseMoved, mousePressed, mouseReleased or mouseWheel."""
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def click(self, x: float, y: float) -> None:
        """Click with the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Send a touch: touchStart, touchMove or touchEnd, with the fingers that are down then."""
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.call("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def key(self, key: str, modifiers: int = 0) -> None:
        """Press a key; 8 is Shift."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "modifiers": modifiers, **text})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "modifiers": modifiers})

    def picture(self, to: Path, whole: bool = False) -> None:
        """Write what is seen, or the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", {"captureBeyondViewport": whole})
        to.write_bytes(base64.b64decode(answer["data"]))

    def call(self, method: str, parameters: dict[str, Any] | None = None) -> Any:
        """Send a command of the DevTools protocol for the tab and return its answer."""
        return self._send(method, parameters or {}, self._session)

    def _send(self, method: str, parameters: dict[str, Any], session: str = "") -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            more = os.read(self._read, 1 << 20)
            if not more:
                raise ConnectionError("Chromium has ended")
            self._rest += more
        whole, _, self._rest = self._rest.partition(b"\0")
        return json.loads(whole)

    def _note(self, event: dict[str, Any]) -> None:
        """Keep what the page complains of."""
        if event.get("method") == "Runtime.exceptionThrown":
            self.messages.append(str(event["params"]["exceptionDetails"]))
        elif event.get("method") == "Log.entryAdded":
            self.messages.append(str(event["params"]["entry"].get("text")))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(str(event["params"]["args"]))
