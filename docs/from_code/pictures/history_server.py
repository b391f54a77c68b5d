"""A Spark History Server on this machine that lists a night's applications, for a picture."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = 18080
NIGHT = 1_764_291_600_000
"""Milliseconds since 1970 when the first one began: 28 November 2025, 1:00."""
MINUTE = 60_000
APPLICATIONS = (
    ("load orders", "etl", 0, 14),
    ("load customers", "etl", 2, 9),
    ("join and aggregate", "etl", 15, 31),
    ("features", "noa", 20, 42),
    ("train", "noa", 63, 55),
    ("report", "mia", 70, None),
)
"""Names, users, and the minutes after which each began and that it took; None for one that still runs."""


@contextmanager
def history_server() -> Iterator[str]:
    """Serve the list, and yield the address."""
    server = HTTPServer(("127.0.0.1", PORT), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{PORT}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _listed(number: int, name: str, user: str, begin: int, minutes: int | None) -> dict[str, Any]:
    """Return an application as the server lists it."""
    started = NIGHT + begin * MINUTE
    over = -1 if minutes is None else started + minutes * MINUTE
    attempt = {
        "startTime": f"{datetime.fromtimestamp(started / 1000, UTC):%Y-%m-%dT%H:%M:%S.000}GMT",
        "duration": 0 if minutes is None else minutes * MINUTE,
        "sparkUser": user,
        "completed": minutes is not None,
        "appSparkVersion": "3.5.1",
        "startTimeEpoch": started,
        "endTimeEpoch": over,
        "lastUpdatedEpoch": NIGHT + 80 * MINUTE,
    }
    return {"id": f"application_1764200000000_{number:04d}", "name": name, "attempts": [attempt]}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer with the version or with the list."""
        path = self.path.partition("?")[0]
        found: Any = None
        if path == "/api/v1/version":
            found = {"spark": "3.5.1"}
        if path == "/api/v1/applications":
            found = [_listed(number, *each) for number, each in enumerate(APPLICATIONS, 17)][::-1]
        body = json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""
