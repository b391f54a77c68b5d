"""Where things are in the checkout, and where the real logs are if they lie beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
TRACES = ROOT.parent / "shared" / "traces"
"""Logs that are not ours to publish: tests that need them look here, and the rest does without."""
